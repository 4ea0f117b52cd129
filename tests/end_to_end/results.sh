#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The results folder: what is in it, the same bytes again, and what is not replaced.
. "$(dirname "$0")/support.sh"
W=$WS_PROGRAM

status 0 "a run" "$W" run tiny.yaml -o first
says out "first: summary.json"
for file in summary.json summary.csv comparisons.csv jobs.csv timeline.csv extremes.csv events.jsonl resolved.yaml run-info.json \
    SHA256SUMS SHA256SUMS-local charts/pareto.svg charts/pareto.png charts/timeline-four.svg charts/timeline-six.png \
    charts/waterfall-six.svg charts/waterfall-four-again.png; do
    [ -s "first/$file" ] || fault "no first/$file"
done
for file in $(ls first); do
    grep -q "$file" "$WS_SOURCE/docs/output.md" || fault "docs/output.md does not name $file"
done
status 0 "sums match" sh -c 'cd first && sha256sum --quiet -c SHA256SUMS'
lacks first/SHA256SUMS "run-info.json"
lacks first/SHA256SUMS ".png"
status 0 "sums of this machine's files match" sh -c 'cd first && sha256sum --quiet -c SHA256SUMS-local'
[ "$(wc -l <first/SHA256SUMS-local)" -eq "$(find first -name '*.png' | wc -l)" ] || fault "not all pictures have a sum"
status 0 "the default folder" "$W" run tiny.yaml -q
[ -s results/tiny/summary.json ] || fault "no results/tiny"
same first/SHA256SUMS results/tiny/SHA256SUMS

echo "same bytes for 1, 2 and 7 threads"
for jobs in 1 2 7; do
    status 0 "  -j $jobs" "$W" run tiny.yaml -q -j "$jobs" -o "threads-$jobs"
    same first/SHA256SUMS "threads-$jobs/SHA256SUMS"
done
echo "same bytes in another locale, time zone and folder"
mkdir elsewhere
status 0 "  elsewhere" env LC_ALL=de_DE.UTF-8 TZ=Asia/Kathmandu sh -c "cd elsewhere && \"$W\" run ../tiny.yaml -q -o out"
same first/SHA256SUMS elsewhere/out/SHA256SUMS
status 0 "another seed gives other numbers" "$W" run tiny.yaml -q --seed 8 -o seed
cmp -s first/summary.csv seed/summary.csv && fault "the same summary.csv"

echo "nothing of this machine is in the files that are summed"
for word in "$(hostname)" "$WS_SCRATCH"; do
    if [ -n "$word" ] && (cd first && cut -c 67- SHA256SUMS | xargs grep -lF -e "$word"); then
        fault "$word is in a file"
    fi
done
says first/run-info.json '"wall_s"'

status 0 "--json is summary.json, and nothing else" "$W" run tiny.yaml --json -q -o json
same out json/summary.json
is_empty err
if command -v python3 >/dev/null 2>&1; then
    status 0 "  it is JSON" python3 -m json.tool json/summary.json
    status 0 "  the accounts sum to what is paid, and equal arms are equal" python3 - <<'PYTHON'
import csv, json
summary = json.load(open("json/summary.json"))
assert summary["schema"] == "worldsize.summary/v1"
assert "command" not in summary["provenance"]
for policy in summary["policies"]:
    gpu_h = dict(policy["gpu_h"])
    paid = gpu_h.pop("paid")
    assert len(gpu_h) == 10
    assert abs(sum(gpu_h.values()) - paid) < 1e-9 * paid
    cost = policy["metrics"]["cost_usd"]
    assert cost["n"] == 6 and len(cost["values"]) == 6
    assert abs(sum(cost["values"]) / 6 - cost["mean"]) < 1e-9 * cost["mean"]
verdicts = {(c["policy"], c["metric"]): c for c in summary["comparisons"]}
assert len(verdicts) == 10
assert all(c["verdict"] == "identical" and c["diff_mean"] == 0 and c["ratio"] == 1
           for (policy, _), c in verdicts.items() if policy == "four-again")
assert verdicts["six", "cost_usd"]["verdict"] == "worse"
rows = list(csv.DictReader(open("json/summary.csv")))
assert len(rows) == 18
assert {row["replication"] for row in csv.DictReader(open("json/jobs.csv"))} == {"0"}
assert {row["replication"] for row in csv.DictReader(open("json/timeline.csv"))} == {"0"}
last = {}
for line in open("json/events.jsonl"):
    event = json.loads(line)
    assert event["replication"] == 0 and event["type"]
    before = last.get(event["policy"], (0, -1))
    assert int(event["t_ns"]) >= before[0] and event["seq"] == before[1] + 1
    last[event["policy"]] = (int(event["t_ns"]), event["seq"])
assert len(last) == 3
PYTHON
    status 0 "record: all" "$W" run tiny.yaml -q -s outputs.record=all -o all
    status 0 "  jobs of all replications" python3 -c '
import csv
assert len({row["replication"] for row in csv.DictReader(open("all/jobs.csv"))}) == 6
import json
assert len({json.loads(line)["replication"] for line in open("all/events.jsonl")}) == 6'
else
    echo "SKIPPED: no python3 to read JSON with"
fi

status 0 "twice into one folder" "$W" run tiny.yaml -q -o first
status 2 "a changed folder is not replaced" sh -c "echo >>first/summary.csv; \"$W\" run tiny.yaml -q -o first"
says err "WS8101"
status 0 "  but with --force" "$W" run tiny.yaml -q -o first --force
mkdir mine && echo keep >mine/notes
status 2 "a folder of something else is not replaced" "$W" run tiny.yaml -q -o mine
status 2 "  not even with --force" "$W" run tiny.yaml -q -o mine --force
[ "$(cat mine/notes)" = keep ] || fault "mine/notes is gone"
status 2 "a file in the folder's place" "$W" run tiny.yaml -q -o tiny.yaml
status 3 "a folder that cannot be made" "$W" run tiny.yaml -q -o /dev/null/x
sed 's/^horizon: 4h/horizon: 4h\noutputs: {dir: ..\/escaped}/' tiny.yaml >escape.yaml
status 2 "a scenario may not lead outside of the working folder" "$W" run escape.yaml
says err "WS7106"
status 0 "  but the command line may" "$W" run escape.yaml -q -o within

sed 's/^  baseline: four/  baseline: four\n  thresholds: [{policy: six, metric: cost_usd, max_change: 10%}]/' tiny.yaml >limit.yaml
status 1 "a threshold that is passed" "$W" run limit.yaml -o limit
says out "FAIL"
status 0 "a threshold that holds" "$W" run limit.yaml -s 'compare.thresholds[0].max_change=60%' -o limit --force
says out "pass"
status 3 "a full disk" sh -c "ulimit -f 1; \"$W\" run tiny.yaml -q -o first"
status 0 "  leaves the old results whole" sh -c 'cd first && sha256sum --quiet -c SHA256SUMS'
[ -z "$(ls -A | grep '^\.')" ] || fault "something was left behind: $(ls -A | grep '^\.')"
finish

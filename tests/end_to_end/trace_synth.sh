#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# `trace synth`: what it draws, from what, and into what.
. "$(dirname "$0")/support.sh"
W=$WS_PROGRAM

status 0 "a mix" "$W" trace synth --mix philly --jobs 2000 -o a.csv
is_empty err
says out "jobs           2,000, arriving for"
says out "by chance alone 1"
says out "drawn after    philly, seed 1"
says out "$(sha256sum <a.csv | cut -d' ' -f1)"
[ "$(wc -L <out)" -le 80 ] || fault "wider than 80 columns"
[ "$(wc -l <a.csv)" -eq 2001 ] || fault "a.csv has not 2,000 jobs"
status 0 "  the same seed, the same bytes" "$W" trace synth --mix philly --jobs 2000 --seed 1 -o b.csv
same a.csv b.csv
status 0 "  fewer jobs are the first ones" "$W" trace synth --mix philly --jobs 10 -o ten.csv
head -n 11 a.csv >first.csv
same ten.csv first.csv
status 0 "  another seed" "$W" trace synth --mix philly --jobs 2000 --seed 2 -o c.csv
! cmp -s a.csv c.csv || fault "seed 2 gives what seed 1 gave"
status 0 "  it is read as it was written" "$W" trace import a.csv -o d.csv
says out "jobs           2,000 of 2,000 rows"
status 2 "  nothing is replaced" "$W" trace synth --mix philly --jobs 10 -o a.csv
says err "WS8104"

status 0 "types of jobs, and a limit" "$W" trace synth --mix acme --jobs 3000 --max-gpus 8 -o acme.csv
[ "$(awk -F, 'NR > 1 && $3 > 8' acme.csv | wc -l)" -eq 0 ] || fault "larger jobs than 8 GPUs"
for kind in Eval Pretrain SFT; do
    says acme.csv ",$kind,"
done
status 0 "SWF" "$W" trace synth --mix helios --jobs 100 --to swf -o h.swf
says h.swf "; MaxJobs: 100"
says out "not held"

# At 1,000 an hour 24 hours have 24,000, more or less 4 sqrt(24,000) = 620.
status 0 "a rate, for a day, by chance alone" \
    "$W" trace synth --mix philly --rate 1000 --days 1 --dispersion 1 -o day.csv
jobs=$(($(wc -l <day.csv) - 1))
[ "$jobs" -gt 15000 ] && [ "$jobs" -lt 33000 ] || fault "$jobs jobs in a day"

status 0 "like a recorded one" "$W" trace synth --like a.csv --jobs 2000 --seed 5 -o like.csv
says out "RECORDED JOBS OF"
says out "GPU time by GPUs of a job"
says out "time between arrivals"
says out "hour of the day"
says out "drawn after    a.csv, seed 5"
says out "; recorded:"
status 0 "  as JSON" "$W" trace synth --like a.csv --days 1 --seed 5 -o like.json.csv --json
is_empty err
says out '"schema": "worldsize.trace-synth/v1"'
if command -v python3 >/dev/null 2>&1; then
    cp out made.json
    status 0 "  its numbers" python3 - <<'PYTHON'
import csv, json
made = json.load(open("made.json"))
rows = list(csv.DictReader(open("like.json.csv")))
assert made["drawn"]["jobs"] == len(rows) and made["recorded"]["jobs"] == 2000
assert all(float(row["arrival_s"]) < 86400 for row in rows)
for name in "duration_s", "gpus", "gpu_time", "gap_s":
    assert 0 <= made["distances"][name]["ks"] <= 1 and made["distances"][name]["wasserstein_ln"] >= 0
assert 0 <= made["distances"]["hour_of_day"] <= 1
assert abs(sum(made["parameters"]["arrivals"]["by_hour"]) - 24) < 1e-9
PYTHON
fi

for ending in svg png; do
    status 0 "a chart of it: $ending" "$W" trace info acme.csv --chart "acme.$ending"
    [ -s "acme.$ending" ] || fault "acme.$ending is empty"
done
says acme.svg "Run times: % of the jobs"
says acme.svg "Outcomes, %"
says acme.svg "GPUs that run at a time"
status 0 "  the same bytes" "$W" trace info acme.csv --chart again.svg
same acme.svg again.svg
status 2 "  nothing is replaced" "$W" trace info acme.csv --chart acme.svg
says err "WS8104"
status 2 "  of no other kind" "$W" trace info acme.csv --chart acme.pdf
says err 'the file of `--chart` ends in .svg or .png'
head -n 1 a.csv >header.csv
status 0 "  of no jobs" "$W" trace info header.csv --chart header.svg
says header.svg "There is nothing to show."

for jobs in 0 1 2; do
    head -n $((jobs + 1)) a.csv >short.csv
    status 2 "like $jobs jobs" "$W" trace synth --like short.csv -o x
    says err "WS6150"
done
status 2 "no size is left" "$W" trace synth --like h.swf --max-gpus 0 -o x
says err '`--max-gpus` is a number of GPUs, 1 or more, not `0`'
sed '2,$s/^\(job-[0-9]*,[0-9]*\),1,/\1,2,/' a.csv >two.csv
status 2 "  none at all" "$W" trace synth --like two.csv --max-gpus 1 -o x
says err "WS6152"
status 2 "a ratio that is out of reach" "$W" trace synth --mix philly --jobs 10 --dispersion 1e8 -o x
says err "WS6153"
status 2 "of what" "$W" trace synth --jobs 10 -o x
says err 'one of `--mix NAME` and `--like FILE` says what to draw'
status 2 "of both" "$W" trace synth --mix philly --like a.csv -o x
says err 'one of `--mix NAME`'
status 2 "how much" "$W" trace synth --mix philly -o x
says err '`--jobs N` or `--days D` says how much to draw'
status 2 "three of three" "$W" trace synth --mix philly --jobs 10 --days 1 --rate 3 -o x
says err "any two make the third"
status 2 "where" "$W" trace synth --mix philly --jobs 10
says err 'missing `--out FILE`'
status 2 "no mix" "$W" trace synth --mix phily --jobs 10 -o x
says err 'did you mean `philly`?'
status 2 "no seed" "$W" trace synth --mix philly --jobs 10 --seed -1 -o x
says err '`--seed` is a whole number, 0 or more, not `-1`'
for bad in 0 -1 nan 1e12 week; do
    status 2 "no days: $bad" "$W" trace synth --mix philly --days "$bad" -o x
    says err '`--days` is a number above 0, at most 36500, not'
done
status 2 "no file" "$W" trace synth --like none.csv -o x
says err "WS6"
[ ! -e x ] || fault "x exists"
status 0 "help" "$W" help trace synth
says out "  helios "
finish

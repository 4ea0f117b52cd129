#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# `trace fetch` against a real Prometheus on this machine, filled by promtool with series whose values are known. The
# server is started here, on a free port and in the scratch folder, and ended on every exit.
. "$(dirname "$0")/support.sh"
W=$WS_PROGRAM
PATH=$PATH:$WS_SOURCE/build/tools/usr/bin
unset http_proxy https_proxy all_proxy HTTP_PROXY HTTPS_PROXY ALL_PROXY WORLDSIZE_BEARER_TOKEN
for tool in prometheus promtool python3; do
    if ! command -v "$tool" >/dev/null 2>&1; then
        echo "SKIPPED: no $tool (\`./ws test\` unpacks Debian's package prometheus into build/tools)"
        finish
    fi
done
if "$W" trace fetch prometheus --url http://127.0.0.1:1 --query up --start 1 --end 2 --step 1s -o x 2>&1 |
    grep -q 'WS6400'; then
    echo "SKIPPED: built without libcurl"
    finish
fi

# Two pods of two GPUs each, a sample every 15 s for 3 h from 2025-03-04T00:00:00Z: of sample i of GPU g of pod p
# (7 i + 40 g + 11 p) mod 101 per cent. Samples 240 to 299 of pod 1 are missing: an hour and a quarter on, a hole of a
# quarter of an hour, of which Prometheus bridges the first 5 min with the last value.
cat >series.py <<'PYTHON'
START = 1741046400
SAMPLES = 720
def value(sample, gpu, pod):
    return (7 * sample + 40 * gpu + 11 * pod) % 101
def is_missing(sample, pod):
    return pod == 1 and 240 <= sample < 300
PYTHON
python3 - <<'PYTHON' >series.om
from series import *
print("# TYPE nvidia_gpu_utilization gauge")
for pod in range(2):
    for gpu in range(2):
        for i in range(SAMPLES):
            if not is_missing(i, pod):
                print('nvidia_gpu_utilization{job="kubernetes-pods",pod="trainer-%d",gpu="%d"} %d %d'
                      % (pod, gpu, value(i, gpu, pod), START + 15 * i))
for i in range(SAMPLES):
    print('nvidia_gpu_utilization{job="other",pod="trainer-0",gpu="0"} 1 %d' % (START + 15 * i))
print("# EOF")
PYTHON
status 0 "promtool makes blocks of the series" promtool tsdb create-blocks-from openmetrics series.om data
: >empty.yml
server=
trap '[ -z "$server" ] || { kill "$server" 2>/dev/null; wait "$server" 2>/dev/null; }' EXIT
trap 'exit 1' HUP INT TERM

# serve: starts a server and waits until it is ready, for 30 s; another process may take the port meanwhile.
serve()
{
    port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
    prometheus --config.file=empty.yml --storage.tsdb.path=data --storage.tsdb.retention.time=100y --log.level=warn \
        --web.listen-address="127.0.0.1:$port" >server.log 2>&1 &
    server=$!
    python3 - "$port" "$server" <<'PYTHON'
import os, sys, time, urllib.request
opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
for _ in range(300):
    try:
        os.kill(int(sys.argv[2]), 0)
        opener.open("http://127.0.0.1:%s/-/ready" % sys.argv[1], timeout=5).read()
        sys.exit(0)
    except ProcessLookupError:
        break
    except OSError:
        time.sleep(0.1)
sys.exit(1)
PYTHON
}
if ! serve && ! serve; then
    tail -n 5 server.log
    fault "the server does not start"
    finish
fi
U=http://127.0.0.1:$port
Q='avg(nvidia_gpu_utilization{job="kubernetes-pods"}) by (pod)'

status 0 "utilisation by pod" "$W" trace fetch prometheus --url "$U" --query "$Q" --start 2025-03-04T00:00:00Z \
    --end 2025-03-04T02:59:45Z --step 15s -o pods.json
is_empty err
says out "series         2"
status 0 "trace info reads it" "$W" trace info --json pods.json
cp out info.json
status 0 "  every value is that of the series" python3 - <<'PYTHON'
import json
from series import *
result = json.load(open("pods.json"))["data"]["result"]
by_pod = {s["metric"]["pod"]: [(t, float(v)) for t, v in s["values"]] for s in result}
assert sorted(by_pod) == ["trainer-0", "trainer-1"] and all(list(s["metric"]) == ["pod"] for s in result)
def mean(i, pod):
    return (value(i, 0, pod) + value(i, 1, pod)) / 2
assert by_pod["trainer-0"] == [(START + 15 * i, mean(i, 0)) for i in range(SAMPLES)]
bridged = [(t, v) for t, v in by_pod["trainer-1"] if START + 15 * 240 <= t < START + 15 * 300]
assert len(bridged) in (19, 20) and all(v == mean(239, 1) for _, v in bridged), bridged  # to 5 min after sample 239
rest = [sample for sample in by_pod["trainer-1"] if sample not in bridged]
assert rest == [(START + 15 * i, mean(i, 1)) for i in range(SAMPLES) if not is_missing(i, 1)]
info = json.load(open("info.json"))
assert info["samples"] == SAMPLES + SAMPLES - 60 + len(bridged)
assert info["first_s"] == START and info["last_s"] == START + 15 * (SAMPLES - 1)
assert info["holes"] == 1 and info["holes_s"] == 15 * (60 - len(bridged)), info
PYTHON

status 0 "10,786 points of the server come in two answers" "$W" trace fetch prometheus --url "$U/" --query "$Q" \
    --start 1741046400 --end 1741057185 --step 1s --json -o seconds.json
cp out fetched.json
status 0 "  without a gap or a point twice" python3 - <<'PYTHON'
import json
from series import *
fetched = json.load(open("fetched.json"))
assert fetched["answers"] == 2 and fetched["repeated"] == 0
first, = [s["values"] for s in json.load(open("seconds.json"))["data"]["result"] if s["metric"]["pod"] == "trainer-0"]
assert [t for t, _ in first] == list(range(START, START + 10786))
assert all(float(v) == (value((t - START) // 15, 0, 0) + value((t - START) // 15, 1, 0)) / 2 for t, v in first)
PYTHON

status 0 "times between milliseconds are cut" "$W" trace fetch prometheus --url "$U" --query 'count(nvidia_gpu_utilization)' \
    --start 1741046400.5004 --end 1741046402.5 --step 500ms -o half.json
says half.json '{"metric":{},"values":[[1741046400.50,"5"],[1741046401,"5"],[1741046401.50,"5"],[1741046402,"5"],[1741046402.50,"5"]]}'
status 0 "a query that meets nothing" "$W" trace fetch prometheus --url "$U" --query 'nvidia_gpu_utilization{job="x"}' \
    --start 1741046400 --end 1741046500 --step 15s -o none.json
says err "warning[WS6184]: \`$U\` holds no sample"
status 3 "a query that is none" "$W" trace fetch prometheus --url "$U" --query 'avg(' --start now-1h --step 15s -o no.json
says err "error[WS6180]: Prometheus could not answer the query: bad_data: "
status 3 "a path that leads nowhere" "$W" trace fetch prometheus --url "$U/nowhere" --query 'up' --start now-1h --step 15s -o no.json
says err "error[WS6402]: \`$U/nowhere\` answers with status 404"
[ ! -e no.json ] || fault "a file in spite of the error"
finish

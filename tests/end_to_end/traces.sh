#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# `trace info`. The four jobs are those of tests/traces/test_summary.c, where the numbers are worked out.
. "$(dirname "$0")/support.sh"
W=$WS_PROGRAM

cat >four.csv <<'CSV'
id,arrival_s,gpus,duration_s,outcome,user,queue,start_s,zone
a,0,1,100,completed,ann,q1,0,UTC
b,50,2,100,completed,bob,q1,60,UTC
c,50,4,60,failed,ann,q2,100,UTC
d,86400,3,10,cancelled,ann,q1,86400,UTC
CSV
status 0 "trace info" "$W" trace info four.csv
is_empty err
says out "four.csv   worldsize: "
says out "jobs           4 of 4 rows"
says out "window         1970-01-01T00:00:00Z, arrivals for 1 d, the last end after 1.00 d"
says out "arrivals       0.17 /h, 24 x the mean in the busiest hour of the day"
says out "at a time      0.01 GPUs on average, 6 at most, after 100 s; at most 2 jobs"
says out "  by weekday      93    Monday to Sunday"
says out "powers of two  75.0% of the jobs ask for one"
tr -s ' ' <out >squeezed
says squeezed "GPUs 1.30 2.50 3.70 3.97 4 2.50"
says squeezed "run time 25.0 s 80.0 s 100 s 100 s 100 s 67.5 s"
says squeezed "wait 0 s 5.00 s 38.0 s 48.8 s 50.0 s 15.0 s"
says squeezed "completed 2 50.0 0.08 52.6"
says squeezed "q1 3 75.0 0.09 57.9"
says out "lower bounds"
[ "$(wc -L <out)" -le 80 ] || fault "wider than 80 columns"
status 0 "bars where characters allow them" env LC_ALL=C.UTF-8 "$W" trace info four.csv
says out "  by weekday      █▃    Monday to Sunday"

status 0 "trace info --json" "$W" trace info --json four.csv
is_empty err
says out '"schema": "worldsize.trace-info/v1"'
if command -v python3 >/dev/null 2>&1; then
    cp out four.json
    status 0 "  the numbers" python3 - <<'PYTHON'
import json
info = json.load(open("four.json"))
assert info["format"] == "worldsize" and info["clock"] == "utc" and info["zone"] == "UTC"
assert info["rows_read"] == 4 and info["jobs"] == 4 and info["found"] == []
assert info["first_arrival"] == "1970-01-01T00:00:00Z" and info["end_s"] == 86410
assert info["arrivals_by_weekday"] == [0, 0, 0, 3, 1, 0, 0] and sum(info["arrivals_by_hour"]) == 4
assert info["gpus"]["p50"] == 2.5 and info["duration_s"]["p50"] == 80 and info["wait_s"]["mean"] == 15
assert abs(info["gpu_h"] - 570 / 3600) < 1e-12
assert [size["gpus"] for size in info["sizes"]["items"]] == [1, 2, 3, 4]
assert {row["name"]: row["jobs"] for row in info["outcomes"]} == {"completed": 2, "failed": 1, "cancelled": 1}
assert info["queues"]["distinct"] == 2 and info["queues"]["items"][0]["name"] == "q1"
course = info["course"]
assert course["step_s"] == 600 and len(course["steps"]) == 145 and course["gpus_peak"] == 6
assert abs(course["steps"][0]["gpus_mean"] - 0.9) < 1e-12 and course["steps"][144]["gpus_mean"] == 3
assert info["diagnostics"] == []
PYTHON
fi

sed '3s/^b,50,2/b,50,two/' four.csv >bad.csv
status 0 "a row that cannot be used is told and counted" "$W" trace info bad.csv
says err "WS6115"
says out "jobs           3 of 4 rows"
says out "  rejected     1 "
status 0 "-q leaves the warning out" "$W" trace info -q bad.csv
is_empty err
says out "  rejected     1 "
status 0 "--json has it, standard error nothing" "$W" trace info --json bad.csv
is_empty err
says out '"code": "WS6115"'
says out '"name": "bad_gpus"'
status 2 "--strict makes it an error" "$W" trace info --strict bad.csv
is_empty out
sed '3s/^b,50,2/b,50,1.5/' four.csv >shares.csv
status 2 "a share of a GPU is an error" "$W" trace info shares.csv
says err "WS6116"
status 0 "  unless it is rounded up" "$W" trace info --ceil-gpus shares.csv
says out "  kept         1 "
printf 'id,arrival_s,gpus,duration_s,zone\na,1767225600000,1,60000,UTC\n' >ms.csv
status 2 "milliseconds are an error" "$W" trace info ms.csv
says err "WS6103"
status 0 "  unless they are said to be" "$W" trace info --time-unit ms ms.csv
says out "2026-01-01T00:00:00Z"
status 2 "a unit that is none" "$W" trace info --time-unit m ms.csv
says err '`--time-unit` is s, ms or us, not `m`'

status 0 "a format by its name" "$W" trace info --format worldsize four.csv
status 2 "one that does not fit" "$W" trace info --format philly-csv four.csv
says err "WS6101"
status 2 "one that is none" "$W" trace info --format philly-cvs four.csv
says err 'did you mean `philly-csv`?'
echo "colour,taste" >other.csv
status 2 "no known format" "$W" trace info other.csv
says err "WS6107"
status 2 "no such file" "$W" trace info nosuch.csv
says err "WS6001"
: >empty.csv
status 2 "an empty file" "$W" trace info empty.csv
says err "WS6100"
head -n 1 four.csv >bare.csv
status 0 "a header alone: no jobs, a warning" "$W" trace info bare.csv
says err "WS6109"
says out "jobs           0 of 0 rows"
status 0 "  and in JSON what is missing is null" "$W" trace info --json bare.csv
says out '"first_arrival": null'
status 2 "no file" "$W" trace info
says err "missing FILE"
status 0 "help lists the formats" "$W" help trace info
says out "  philly-csv "
says out "  prometheus-json "
# Series: a blank sample leaves a hole of 20 s, where the step is 10 s. The values are 1 2 3 4 50 60.
cat >u.prom <<'PROM'
# TYPE DCGM_FI_DEV_GPU_UTIL gauge
DCGM_FI_DEV_GPU_UTIL{gpu="0"} 50 1600000000000
DCGM_FI_DEV_GPU_UTIL{gpu="0"} 60 1600000010000
DCGM_FI_DEV_GPU_UTIL{gpu="1"} 1 1600000000000
DCGM_FI_DEV_GPU_UTIL{gpu="1"} 2 1600000010000
DCGM_FI_DEV_GPU_UTIL{gpu="1"} 9223372036854776000 1600000020000
DCGM_FI_DEV_GPU_UTIL{gpu="1"} 3 1600000030000
DCGM_FI_DEV_GPU_UTIL{gpu="1"} 4 1600000040000
PROM
status 0 "trace info of series" "$W" trace info u.prom
says err "WS6173"
says out "u.prom   prometheus-text: "
says out "samples        6 of 7"
says out "  left out     1 is blank"
says out "series         2 of 1 metric"
says out "window         2020-09-13T12:26:40Z, for 40.0 s"
says out "holes          1 (gaps of more than 1.50 steps), samples missing for 10.0 s"
tr -s ' ' <out >squeezed
says squeezed "DCGM_FI_DEV_GPU_UTIL % 2 10.0 s 1 3.50 59.5 60 20"
status 0 "trace info --json of series" "$W" trace info --json --format prometheus-text u.prom
is_empty err
says out '"schema": "worldsize.trace-series-info/v1"'
says out '"unit": "%"'
says out '"labels": "{gpu=\"1\"}"'
printf '{"status":"success","data":{"resultType":"scalar","result":[1,"2"]}}' >scalar.json
status 2 "a scalar is no series" "$W" trace info scalar.json
says err "WS6181"
is_empty out

# Outages: three nodes over ten days. One is down from day 1 to 3 (two faults that overlap) and for no time at day 10, one for
# no time at day 4 and from day 8 on. Of 30 days of nodes 4 are lost; three outages ended, after 2, 0 and 0 days.
cat >faults.json <<'JSON'
[{"node_id":"a","event_time":1,"event_type":"fault_start","fault_type":{"Class":"GPU"}},
 {"node_id":"a","event_time":2,"event_type":"fault_start","fault_type":{"Class":"NIC"}},
 {"node_id":"a","event_time":2.5,"event_type":"fault_end"},
 {"node_id":"a","event_time":3,"event_type":"fault_end"},
 {"node_id":"b","event_time":4,"event_type":"fault_start","fault_type":{"Class":"GPU"}},
 {"node_id":"b","event_time":4,"event_type":"fault_end"},
 {"node_id":"b","event_time":8,"event_type":"fault_start"},
 {"node_id":"c","event_time":9,"event_type":"fault_end"},
 {"node_id":"a","event_time":10,"event_type":"fault_start"}, {"node_id":"a","event_time":10,"event_type":"fault_end"}]
JSON
status 0 "trace info of outages" "$W" trace info faults.json
says err "WS6192"
says out "faults.json   infinitehbd: "
says out "events         9 of 10"
says out "  rejected     1 ends what has not begun"
says out "faults         5 on 3 nodes, 4 outages"
says out "nodes          2.60 on average, 2 to 3"
tr -s ' ' <out >squeezed
says squeezed "GPU 2"
says squeezed "NIC 1"
status 0 "trace info --json of outages" "$W" trace info --json faults.json
is_empty err
says out '"schema": "worldsize.trace-outage-info/v1"'
says out '"mttr_s": 57600,'
says out '"open": 1,'
printf '0,add,n1\n1000,add,n2\n3000,remove,n1\n4000,remove,n9\n5000,add,n3\n' >spot.csv
status 0 "trace info of availability" "$W" trace info spot.csv
says err "WS6192"
says out "preemptions    1, and 3 nodes added"
says out "nodes          1.40 on average, 1 to 2"
status 2 "  and strictly" "$W" trace info --strict spot.csv
minute=0
for step in 1 2 3 2; do
    minute=$((minute + 1))
    echo " [2024-04-06 02:0$minute:00] iteration $step/ 9 | elapsed time per iteration (ms): 1500.0 | global batch size: 6 |"
done >train.log
status 0 "a log of training" "$W" trace info train.log
says err "note[WS6422]: 1 of 4 reports of steps falls back to an earlier step: a restart from a checkpoint"
says out "train.log   megatron: "
says out "steps          1 to 2 of 9"
says out "restarts       1, and 2 steps done again"
tr -s ' ' <out >squeezed
says squeezed "step, s 1.50 1.50 1.50 1.50 1.50"
says squeezed "samples/s 4 4 4 4 4"
status 0 "  as JSON" "$W" trace info --json train.log
says out '"schema": "worldsize.trace-steps-info/v1"'
says out '"lost_steps": 2'
cat >pods.json <<'JSON'
{"apiVersion": "v1", "kind": "List", "items": [
 {"kind": "Pod", "metadata": {"uid": "a", "name": "w-0", "creationTimestamp": "2025-03-04T09:00:00Z"},
  "status": {"conditions": [{"type": "PodScheduled", "status": "True", "lastTransitionTime": "2025-03-04T09:00:30Z"},
                            {"type": "Ready", "status": "True", "lastTransitionTime": "2025-03-04T09:02:00Z"}],
             "containerStatuses": [{"restartCount": 0, "state": {"running": {"startedAt": "2025-03-04T09:01:00Z"}}}]}},
 {"kind": "Event", "reason": "FailedScheduling", "count": 3, "firstTimestamp": "2025-03-04T09:00:01Z",
  "involvedObject": {"kind": "Pod", "uid": "a", "name": "w-0"}}]}
JSON
status 0 "pods and events of Kubernetes" "$W" trace info pods.json
is_empty err
says out "pods.json   kubernetes: "
says out "scheduling     failed 3 times"
tr -s ' ' <out >squeezed
says squeezed "start 1 30.0 s 30.0 s 30.0 s 30.0 s 30.0 s"
says squeezed "ready 1 60.0 s 60.0 s"
says squeezed "FailedScheduling 3"
status 0 "  as JSON" "$W" trace info --json pods.json
says out '"schema": "worldsize.trace-pods-info/v1"'
says out '"failed_scheduling": 3'
printf 'apiVersion: v1\nkind: List\nitems: []\n' >pods.yaml
status 2 "  not YAML" "$W" trace info pods.yaml
says err "error[WS6434]: \`pods.yaml\` is YAML, not JSON"
says err "kubectl get pods,events -o json"
finish

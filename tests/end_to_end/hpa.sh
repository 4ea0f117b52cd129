#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The autoscaler's scenario as its user meets it: what is said before, and the sizes in events.jsonl and timeline.csv.
# test_hpa_on_gpu_utilization.c works the sizes out by hand.
. "$(dirname "$0")/support.sh"
W=$WS_PROGRAM
SCENARIO=$WS_SOURCE/scenarios/hpa-on-gpu-utilization.yaml

# sizes FOLDER POLICY: the sizes that the policy gives the job, from events.jsonl.
sizes()
{
    grep '"type":"scale"' "$1/events.jsonl" | grep -F "\"policy\":\"$2\"" | grep -F '"job":"pytorch-worker"' |
        sed 's/.*"to":\([0-9]*\),.*/\1/' | tr '\n' ' '
}
# course WANTED FOLDER POLICY
course()
{
    got=$(sizes "$2" "$3")
    [ "$got" = "$1" ] || fault "$3 in $2: sizes $got, not $1"
}
# peak WANTED FOLDER POLICY: the most GPUs that are busy, from timeline.csv.
peak()
{
    got=$(awk -F, -v policy="$3" 'NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i }
        $column["policy"] == policy && $column["gpus_busy"] > most { most = $column["gpus_busy"] }
        END { print most + 0 }' "$2/timeline.csv")
    [ "$got" = "$1" ] || fault "$3 in $2: at most $got GPUs busy, not $1"
}

status 0 "check says what will happen" "$W" check "$SCENARIO"
says err "warning[WS5101]: clusters of today do not take \`autoscaling/v2beta2\`"
says err "warning[WS5303]: \`gpu_utilization\` is above its target at every size: the autoscaler runs to 10 replicas"
says err "warning[WS5303]: \`gpu_utilization\` never asks for more than 2 replicas"
says err "\`sm_active\` would settle, with one value for each replica: it goes from 92 at 2 to 74.4 at 10 replicas"
says out "3 warnings"

status 0 "from 2 replicas" "$W" run "$SCENARIO" -q -o from-2
course "3 4 5 6 8 10 " from-2 per-replica
course "" from-2 one-average
course "3 4 " from-2 sm-active
peak 80 from-2 per-replica
peak 16 from-2 one-average
peak 32 from-2 sm-active
grep '"type":"scale"' from-2/events.jsonl | grep -qF '"reason":""' && fault "a decision without a reason"

status 0 "from 10 replicas" "$W" run "$SCENARIO" -q -o from-10 --set 'workload.jobs[0].replicas.initial=10' \
    --set 'cluster.pools[0].nodes.initial=10'
course "" from-10 per-replica
course "2 " from-10 one-average
course "" from-10 sm-active
finish

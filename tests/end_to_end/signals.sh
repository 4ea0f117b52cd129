#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Interrupts: what is finished is kept; a second one ends at once; old results stay whole.
. "$(dirname "$0")/support.sh"
W=$WS_PROGRAM

status 0 "results from before" "$W" run tiny.yaml -q -o kept
status 130 "an interrupt after some runs" timeout --preserve-status -s INT 1 "$W" run tiny.yaml --replications 10000 -j 2 -o part
says err "stopping after the runs that are under way"
says out "INCOMPLETE"
says part/summary.json '"complete": false'
(cd part && sha256sum --quiet -c SHA256SUMS) || fault "sums of the partial results differ"
runs=$(($(wc -l <part/summary.csv) - 1))
{ [ "$runs" -gt 0 ] && [ "$runs" -lt 30000 ]; } || fault "$runs runs in summary.csv"

status 143 "termination" timeout --preserve-status -s TERM 1 "$W" run tiny.yaml --replications 10000 -j 2 -q -o part2

echo "a second signal ends at once, and leaves nothing"
# One run that takes long and little memory, ten years of a failure a minute: the first signal waits for it, the second does not.
"$W" run tiny.yaml -q -o kept --replications 1 --policy four -s horizon=3650d -s 'workload.jobs[side].submit.rate=1/d' \
    -s 'cluster.pools[pool].failures={node_mtbf: 1m, repair: 1m}' -s outputs.timeline_step=365d >long.out 2>long.err &
pid=$!
sleep 1
status 3 "another program may not write the same folder meanwhile" "$W" run tiny.yaml -q -o kept
says err "WS8102"
kill -TERM "$pid"
sleep 0.5
kill -0 "$pid" 2>/dev/null || fault "it did not wait for its run: $(cat long.err)"
kill -TERM "$pid"
got=0
wait "$pid" || got=$?
[ "$got" -eq 143 ] || fault "status $got, not 143"
(cd kept && sha256sum --quiet -c SHA256SUMS) || fault "the old results are damaged"
[ -z "$(ls -A | grep '^\.')" ] || fault "something was left behind: $(ls -A | grep '^\.')"

echo "an ignored hang-up stays ignored"
nohup "$W" run tiny.yaml -q -j 1 --replications 1000 -o hup >out 2>err &
pid=$!
sleep 0.3
kill -HUP "$pid" 2>/dev/null || fault "it was over too soon"
got=0
wait "$pid" || got=$?
[ "$got" -eq 0 ] || fault "status $got, not 0"
finish

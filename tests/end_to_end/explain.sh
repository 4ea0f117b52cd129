#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# `explain`: of every code of the manual, and of names.
. "$(dirname "$0")/support.sh"
W=$WS_PROGRAM
PAGE=$WS_SOURCE/docs/diagnostics.md

# COLUMNS as wide as it gets, so that a short answer is one line. Sanitizers slow each start down: every tenth there.
echo "every code of the manual is explained with its line there"
codes=0
step=1
[ -z "${WS_SANITIZED-}" ] || step=10
grep '^| WS' "$PAGE" >rows
while IFS= read -r row; do
    codes=$((codes + 1))
    [ $((codes % step)) -eq 0 ] || continue
    code=${row#| }
    code=${code%% *}
    meaning=${row#"| $code | "}
    meaning=${meaning% |}
    COLUMNS=100 "$W" explain "$code" >out
    answer=
    while IFS= read -r line && [ -n "$line" ]; do
        answer="$answer$line "
    done <out
    [ "$answer" = "$code: $meaning " ] || fault "$code: $answer"
done <rows
[ "$codes" -gt 150 ] || fault "only $codes codes"
for code in $(sed -n 's/^### //p' "$PAGE"); do
    grep -q "^| $code | " "$PAGE" || fault "$code has a section, and no line"
done

status 0 "a code with a section" "$W" explain WS3101
says out "WS3101: a number without the unit that it needs"
says out "    horizon: 7d            times: ns us ms s m h d w, sums such as 1h30m"
says out "Codes 3xxx are about units, numbers and distributions."
lacks out "WS3104"
[ "$(wc -L <out)" -le 80 ] || fault "wider than 80 columns"
mv out first
status 0 "its number is enough" "$W" explain 3101
same out first
status 0 "the last section ends with the page" "$W" explain WS8201
says out "summary.csv."
status 2 "a code that is none" "$W" explain WS1234
is_empty out
says err '`WS1234` is no code'
status 2 "a long number" "$W" explain WS31011
status 0 "a column in two files" "$W" explain cost_usd
says out "a column of summary.csv, in USD"
says out "a column of jobs.csv, in USD"
status 0 "a metric that policies see" "$W" explain gpu_util
says out "in percent"
status 0 "an event" "$W" explain node_drain
says out "a type of event in events.jsonl"
status 2 "a near name" "$W" explain cost_usdd
says err 'did you mean `cost_usd`?'
status 2 "nothing" "$W" explain
says err "missing NAME"
status 2 "an empty name" "$W" explain ''
status 2 "a very long name" "$W" explain "$(printf '%100000s' x | tr ' ' x)"
[ "$(wc -c <err)" -lt 1000 ] || fault "the message repeats all of it"
finish

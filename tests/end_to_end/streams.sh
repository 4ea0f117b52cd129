#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Streams: full, closed and broken ones; colour, characters, width.
. "$(dirname "$0")/support.sh"
W=$WS_PROGRAM
escape=$(printf '\033')

status 3 "standard output is closed" sh -c "\"$W\" run tiny.yaml -q -o a >&-"
says err "standard output"
status 3 "standard output is full" sh -c "\"$W\" run tiny.yaml -q -o b >/dev/full"
says err "space"
echo "the reader of standard output goes away"
{ sleep 0.2; "$W" run tiny.yaml --json -o c; echo $? >status; } 2>err | true
[ "$(cat status)" -eq 141 ] || fault "status $(cat status), not 141"
is_empty err
status 0 "standard error is closed" sh -c "\"$W\" run tiny.yaml -o d 2>&-"
status 0 "standard input is closed" sh -c "\"$W\" run tiny.yaml -q -o e <&-"
status 0 "all but standard output are closed" sh -c "\"$W\" run tiny.yaml -q -o e2 <&- 2>&-"
(cd e2 && sha256sum --quiet -c SHA256SUMS) || fault "a result file became a stream"

status 0 "no colour in a file" "$W" run tiny.yaml -o f
lacks out "$escape"
status 0 "CLICOLOR_FORCE" env CLICOLOR_FORCE=1 "$W" run tiny.yaml -o g
says out "$escape"
status 0 "NO_COLOR beats it" env CLICOLOR_FORCE=1 NO_COLOR=1 "$W" run tiny.yaml -o h
lacks out "$escape"
status 0 "an empty NO_COLOR does not count" env CLICOLOR_FORCE=1 NO_COLOR= "$W" run tiny.yaml -o i
says out "$escape"
status 0 "--color=always beats NO_COLOR" env NO_COLOR=1 "$W" run --color always tiny.yaml -o j
says out "$escape"
status 0 "--color=never beats CLICOLOR_FORCE" env CLICOLOR_FORCE=1 "$W" run --color=never tiny.yaml -o k
lacks out "$escape"

status 0 "ASCII without a UTF-8 locale" env LC_ALL=C "$W" run tiny.yaml -o l
LC_ALL=C grep -q '[^ -~]' out && fault "something else than ASCII"
says out "+-"
status 0 "more with one" env LC_ALL=en_GB.UTF-8 "$W" run tiny.yaml -o m
says out "±"
status 0 "LC_ALL beats LANG" env LC_ALL=C LANG=en_GB.UTF-8 "$W" run tiny.yaml -o n
lacks out "±"

status 0 "80 columns" "$W" run tiny.yaml -o o
[ "$(awk '{ if (length($0) > n) n = length($0) } END { print n }' out)" -le 80 ] || fault "a line is longer"
says out "ETTR"
status 0 "40 columns: columns go, names stay" env COLUMNS=40 "$W" run tiny.yaml -o p
says out "columns hidden (time to finish, JCT p95, ETTR)"
says out "use --wide or --json"
says out "four-again"
status 0 "1 column" env COLUMNS=1 "$W" run tiny.yaml -o q
says out "four-again"
status 0 "--wide" env COLUMNS=40 "$W" run --wide tiny.yaml -o r
lacks out "hidden"
status 0 "no thousands separators in files, dots in both" env LC_ALL=de_DE.UTF-8 "$W" run tiny.yaml -o s
says out "57.20"

echo "few descriptors, little stack, little memory: the same bytes or a clean failure"
for limit in "-n 8" "-s 64" "-v 200000"; do
    if [ -n "${WS_SANITIZED-}" ] && [ "$limit" != "-n 8" ]; then
        continue # the sanitizers need more
    fi
    got=0
    sh -c "ulimit $limit; \"$W\" run tiny.yaml -q -o limited" >out 2>err || got=$?
    case $got in
    0) same l/SHA256SUMS limited/SHA256SUMS ;;
    3) [ -s err ] || fault "ulimit $limit: nothing said" ;;
    *) fault "ulimit $limit: status $got: $(head -n 3 err)" ;;
    esac
done
finish

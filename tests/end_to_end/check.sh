#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# `check`, and what an invalid scenario does to `run`.
. "$(dirname "$0")/support.sh"
W=$WS_PROGRAM

status 0 "a sound scenario" "$W" check tiny.yaml
says out "tiny.yaml  ok  3 arms, "
says out " jobs, 6 replications of 4h"
is_empty err
sed 's/^policies:/polices:/' tiny.yaml >wrong.yaml
line=$(grep -n '^polices' wrong.yaml | cut -d : -f 1)
status 1 "a scenario with a mistake" "$W" check tiny.yaml wrong.yaml
says out "tiny.yaml  ok"
says out "wrong.yaml  1 error"
says err "WS2101"
says err "wrong.yaml:$line:1"
says err 'did you mean `policies`?'
status 1 "check --json" "$W" check --json tiny.yaml wrong.yaml
is_empty err
says out '"code": "WS2101"'
says out "\"line\": $line"
if command -v python3 >/dev/null 2>&1; then
    python3 -m json.tool out >/dev/null || fault "it is no JSON"
fi
status 2 "run does not start" "$W" run wrong.yaml -o none
is_empty out
says err "1 error"
[ ! -e none ] || fault "a folder was made"
status 2 "run --json prints nothing then" "$W" run --json wrong.yaml
is_empty out
status 1 "a file that is not there" "$W" check nosuch.yaml
: >empty.yaml
status 1 "an empty file" "$W" check empty.yaml
says err "WS2002"
printf 'schema: worldsize.scenario/v1\n' >bare.yaml
status 1 "a bare file" "$W" check bare.yaml
{ cat tiny.yaml; i=0; while [ $i -lt 30 ]; do echo "key-$i: 1"; i=$((i + 1)); done; } >many.yaml
status 1 "thirty mistakes: twenty shown, the rest counted" "$W" check many.yaml
[ "$(grep -c '^error\[' err)" -eq 20 ] || fault "not twenty: $(grep -c '^error\[' err)"
says err "10 more"
says err "30 errors"
sed 's/^replications: 6/replications: 1/' tiny.yaml >one.yaml
status 0 "a warning" "$W" check one.yaml
says out "1 warning"
says err "WS4302"
status 0 "-q hides it" "$W" check -q one.yaml
is_empty err
status 1 "--strict makes it an error" "$W" check --strict one.yaml
status 2 "  and run does not start" "$W" run --strict one.yaml
finish

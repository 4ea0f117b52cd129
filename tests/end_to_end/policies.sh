#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Commands of two words, and `policy list`.
. "$(dirname "$0")/support.sh"
W=$WS_PROGRAM

status 0 "policy list" "$W" policy list
is_empty err
for name in fixed hpa predictive stage-aware; do
    says out "$name "
done
says out "tolerance=10%"
[ "$(wc -L <out)" -le 80 ] || fault "wider than 80 columns: $(wc -L <out)"
status 0 "a wider terminal takes fewer lines" env COLUMNS=100 "$W" policy list
[ "$(wc -L <out)" -gt 80 ] || fault "not wider than 80 columns"
status 0 "policy list NAME: what each key takes" "$W" policy list hpa
says out "scale_up.policies[].period: a time (\`30m\`); required"
says out "asked      on its period"
lacks out "lead"
status 0 "several" "$W" policy list hpa stage-aware
says out "lead: a percentage"
status 2 "a policy that is none" "$W" policy list hpaa
is_empty out
says err 'there is no policy `hpaa`'
says err 'did you mean `hpa`?'
status 2 "a flag of another command" "$W" policy list --force
status 0 "policy list --json" "$W" policy list --json
is_empty err
says out '"schema": "worldsize.policies/v1"'
if command -v python3 >/dev/null 2>&1; then
    cp out all.json
    status 0 "  keys of fixed and hpa as they are documented" python3 - <<'PYTHON'
import json
policies = {policy["name"]: policy for policy in json.load(open("all.json"))["policies"]}
fixed = policies["fixed"]
assert fixed["deployable"] is True and fixed["needs_future"] is False
assert fixed["targets"] == ["pool", "job", "jobs"]
assert [key["key"] for key in fixed["parameters"]] == ["nodes", "replicas"]
hpa = {key["key"]: key for key in policies["hpa"]["parameters"]}
assert policies["hpa"]["asked_on"] == ["period"]
assert hpa["sync_period"]["default"] == "15s" and not hpa["sync_period"]["required"]
assert hpa["max"]["default"] is None
assert hpa["scale_down.policies[].period"]["required"] is True
assert all(key["help"] and key["takes"] for policy in policies.values() for key in policy["parameters"])
PYTHON
fi

status 2 "a family needs a second word" "$W" policy
says err "the commands of \`worldsize policy\` are \`list\`"
status 2 "that is one" "$W" policy frobnicate
says err 'there is no command `policy frobnicate`'
status 2 "near names of both words" "$W" polcy lst
says err 'did you mean `worldsize policy list`?'
status 0 "help of a family" "$W" policy --help
says out "policy list"
status 0 "help policy is the same" "$W" help policy
status 0 "help policy list" "$W" help policy list
says out "usage: worldsize policy list"
status 0 "policy list --help is the same" "$W" policy list --help
says out "usage: worldsize policy list"
status 2 "help of half a name and something else" "$W" help policy lisst
finish

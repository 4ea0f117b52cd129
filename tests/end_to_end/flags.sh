#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Flags, usage errors, help and version.
. "$(dirname "$0")/support.sh"
W=$WS_PROGRAM

status 0 "no arguments: help" "$W"
says out "usage: worldsize COMMAND"
status 0 "--help" "$W" --help
is_empty err
status 0 "help of a command has its flags and statuses" "$W" run --help
says out "--replications N"
says out "Exit status"
status 0 "help COMMAND is the same" "$W" help run
status 2 "help of what is none" "$W" help frobnicate
status 0 "version" "$W" version
says out "worldsize "
[ "$(wc -l <out)" -eq 1 ] || fault "version is not one line"
status 0 "-V" "$W" -V
status 0 "version --json" "$W" version --json
says out '"schema": "worldsize.version/v1"'

status 2 "a command that is none" "$W" runn tiny.yaml
says err 'did you mean `worldsize run`?'
is_empty out
status 2 "a scenario in the command's place" "$W" tiny.yaml
says err 'did you mean `worldsize run tiny.yaml`?'
status 2 "no scenario" "$W" run
says err "missing SCENARIO"
status 2 "two scenarios" "$W" run tiny.yaml tiny.yaml
status 2 "an unknown flag has a near name" "$W" run tiny.yaml --replication 3
says err 'did you mean `--replications`?'
status 2 "an abbreviated flag is an error" "$W" run tiny.yaml --repl 3
status 2 "a flag of another command" "$W" check tiny.yaml --force
says err 'is a flag of other commands'
status 2 "a flag without its value" "$W" run tiny.yaml --seed
says err "needs a value"
status 2 "a value for a flag that takes none" "$W" run tiny.yaml --json=yes
status 2 "an unknown letter" "$W" run tiny.yaml -z
status 2 "hidden characters are shown escaped" "$W" run tiny.yaml "--a$(printf '\033')[31m"
says err '\x1b'
lacks err "$(printf '\033')"
status 2 "an empty operand is a file that is not there" "$W" run ""
status 2 "a very long argument" "$W" run "--$(printf '%100000s' x | tr ' ' x)"
[ "$(wc -c <err)" -lt 1000 ] || fault "the message repeats all of it"

for jobs in 0 -1 1.5 x ''; do
    status 2 "-j '$jobs'" "$W" run tiny.yaml -j "$jobs"
done
status 0 "a million threads are cut down with a note" "$W" run tiny.yaml -j 1000000 -o many
says err "threads were asked for"
status 2 "--color takes three words" "$W" run tiny.yaml --color=maybe

status 0 "-- ends the flags" "$W" run -o dash --policy four -- tiny.yaml
status 2 "behind -- a flag is a file" "$W" run -- --json
status 0 "letters together, values attached" "$W" run -qj2 -o letters tiny.yaml
is_empty err
status 0 "--set, --seed and --replications" "$W" run --print-resolved tiny.yaml --seed 99 --replications=3 -s horizon=2h
says out "seed: 99"
says out "replications: 3"
says out "horizon: 2h"
says out "# --set #1"
status 2 "--seed is read as the scenario's key would be" "$W" run tiny.yaml --seed 1.5
says err "<--seed>"
status 2 "an override without a value" "$W" run tiny.yaml --set horizon
says err "<--set #1>"
for override in =x a..b=1 'policies[999].nodes=1' 'policies[-1].nodes=1' 'nosuchkey.x=1' 'a=b=c'; do
    status 2 "--set '$override'" "$W" run tiny.yaml --set "$override"
done
status 0 "--unset" "$W" run --print-resolved tiny.yaml --unset 'cluster.pools[pool].failures'
lacks out "node_mtbf"
status 0 "--policy keeps the baseline" "$W" run --policy six -o two tiny.yaml
says out "four"
says out "six"
lacks out "four-again"
status 2 "--policy that is none" "$W" run tiny.yaml --policy sixx
says err 'did you mean `six`?'
status 0 "--dry-run runs nothing" "$W" run --dry-run -o dry tiny.yaml
says out "3 x 6 = 18 runs"
[ ! -e dry ] || fault "it wrote a folder"
finish

# SPDX-License-Identifier: GPL-3.0-or-later
# What every script here begins with: the program, an empty folder to work in, and a count of what is wrong.
# WS_PROGRAM is the program, WS_SOURCE the source tree, WS_SCRATCH a folder to work in.
set -u

: "${WS_PROGRAM:?the program to test}" "${WS_SOURCE:?the source tree}" "${WS_SCRATCH:?a folder to work in}"
unset NO_COLOR CLICOLOR CLICOLOR_FORCE COLUMNS LC_ALL LC_CTYPE LANG
faults=0

rm -rf "$WS_SCRATCH"
mkdir -p "$WS_SCRATCH"
cd "$WS_SCRATCH" || exit 1
cp "$WS_SOURCE/tests/end_to_end/tiny.yaml" .

fault()
{
    echo "  WRONG: $*"
    faults=$((faults + 1))
}

# status WANTED WHAT COMMAND...: runs it with its outputs in ./out and ./err.
status()
{
    wanted=$1
    echo "$2"
    shift 2
    got=0
    "$@" >out 2>err || got=$?
    [ "$got" -eq "$wanted" ] || fault "status $got, not $wanted: $*; stderr: $(head -n 5 err)"
}

# says FILE TEXT: the text is in it; lacks FILE TEXT: it is not.
says()
{
    grep -qF -e "$2" "$1" || fault "$1 lacks: $2"
}
lacks()
{
    ! grep -qF -e "$2" "$1" || fault "$1 has: $2"
}
is_empty()
{
    [ ! -s "$1" ] || fault "$1 is not empty: $(head -n 3 "$1")"
}
same()
{
    cmp -s "$1" "$2" || fault "$1 and $2 differ"
}

finish()
{
    [ "$faults" -eq 0 ] || { echo "$faults wrong"; exit 1; }
    cd / && rm -rf "$WS_SCRATCH"
    exit 0
}

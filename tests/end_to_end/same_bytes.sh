#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The same inputs give the same bytes: for every program given (compilers, optimisation levels), for one thread and two, in
# another locale and time zone; and an arm's rows do not depend on which other arms there are.
#
#   same_bytes.sh SCENARIO PROGRAM [PROGRAM...]
#
# Without arguments: the quickstart and $WS_PROGRAM, as a test of the build.
set -eu

[ "$#" -gt 0 ] || set -- "${WS_SOURCE:?}/scenarios/quickstart.yaml" "${WS_PROGRAM:?}"
scenario=$1
shift
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
passed=0

fail()
{
    printf 'FAIL  %s\n' "$*"
    exit 1
}

# sums NAME PROGRAM [ARG...]: runs and leaves the folder's sums in $folder/NAME.sums
sums()
{
    name=$1
    program=$2
    shift 2
    "$program" run "$scenario" -q --replications 3 -o "$folder/$name" "$@" >"$folder/$name.out" || fail "$program does not run"
    [ -s "$folder/$name/SHA256SUMS" ] || fail "$program wrote no sums"
    (cd "$folder/$name" && sha256sum --quiet -c SHA256SUMS) || fail "the sums of $program do not match its files"
    cp "$folder/$name/SHA256SUMS" "$folder/$name.sums"
}

same()
{
    cmp -s "$folder/first.sums" "$folder/$1.sums" || {
        diff "$folder/first.sums" "$folder/$1.sums" || true
        fail "$2"
    }
    passed=$((passed + 1))
    printf 'ok    %s\n' "$2"
}

first=$1
sums first "$first" -j 1
sums again "$first" -j 1
same again "the same program twice"
sums threads "$first" -j 2
same threads "one thread and two"
LC_ALL=de_DE.UTF-8 TZ=Asia/Kathmandu sums elsewhere "$first" -j 2
same elsewhere "another locale and time zone"
number=0
for program in "$@"; do
    [ "$program" != "$first" ] || continue
    number=$((number + 1))
    sums "other$number" "$program" -j 2
    same "other$number" "$first and $program"
done

# The first arm alone, and among the others: the same rows.
arm=$(awk -F, 'NR == 2 { print $2 }' "$folder/first/summary.csv")
sums alone "$first" -j 1 --policy "$arm"
for file in summary.csv jobs.csv timeline.csv; do
    column=$(head -n 1 "$folder/first/$file" | tr , '\n' | grep -n '^policy$' | cut -d: -f1)
    for run in first alone; do
        awk -F, -v c="$column" -v arm="$arm" '$c == arm' "$folder/$run/$file" >"$folder/$run.rows"
    done
    [ -s "$folder/alone.rows" ] || fail "$file has no row of $arm"
    cmp -s "$folder/first.rows" "$folder/alone.rows" || fail "rows of $arm in $file depend on the other arms"
    passed=$((passed + 1))
    printf 'ok    rows of %s in %s, alone and among others\n' "$arm" "$file"
done
printf '%d passed, 0 failed\n' "$passed"

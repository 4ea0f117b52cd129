#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The door of worldsize: ./ws help
set -eu

# What a build needs, and what the tests need more (Debian and Ubuntu names).
build_packages="gcc libc6-dev cmake ninja-build pkg-config libgsl-dev libyaml-dev libcairo2-dev libjansson-dev
    libsmartcols-dev librandom123-dev zlib1g-dev libzstd-dev libcurl4-openssl-dev"
test_packages="libcriterion-dev"
# Its files are unpacked into build/tools, not installed: an installed package would start a service and keep it.
server_package=prometheus

cd -- "$(dirname -- "$0")"

say()
{
    printf 'ws: %s\n' "$*" >&2
}

usage()
{
    cat <<'TEXT'
usage: ./ws COMMAND

  build                    builds the program: build/release/worldsize
  demo                     builds it and runs scenarios/quickstart.yaml: results/quickstart
  test [PRESET [ARG...]]   builds and runs the tests of a CMake preset: dev (the default) or sanitize;
                           ARG... goes to ctest, as in ./ws test dev -R kernel
  help                     this text

Debian packages that are missing are installed when that needs no password; otherwise the command
that installs them is printed. Exit status: 0 done, 1 tests failed, 2 not started, 3 not built;
of demo that of the program.
TEXT
}

# Tools may come from elsewhere than a package; libraries are looked up by their package.
is_installed()
{
    case $1 in
    gcc) command -v cc >/dev/null 2>&1 ;;
    cmake | pkg-config) command -v "$1" >/dev/null 2>&1 ;;
    ninja-build) command -v ninja >/dev/null 2>&1 ;;
    libcurl4-openssl-dev) pkg-config --exists libcurl 2>/dev/null ;; # its flavours exclude each other
    *) [ "$(dpkg-query -W -f='${db:Status-Status}' "$1" 2>/dev/null)" = installed ] ;;
    esac
}

# Runs a command with its output kept in a file; its end is shown when the command fails.
quietly()
{
    mkdir -p build
    if "$@" >"$log" 2>&1 </dev/null; then
        return 0
    fi
    tail -n 100 "$log" >&2
    return 1
}

# install PREFIX PACKAGE...: PREFIX is what makes apt-get run as root, or empty.
install()
{
    prefix=$1
    shift
    # The lists of a fresh machine are empty, those of an old one may name files that are gone.
    quietly $prefix env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends "$@" || {
        quietly $prefix apt-get update &&
            quietly $prefix env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends "$@"
    }
}

# need PACKAGE...: returns when all are there, or ends with status 2.
need()
{
    missing=
    for package in "$@"; do
        is_installed "$package" || missing="$missing $package"
    done
    [ -n "$missing" ] || return 0
    if ! command -v apt-get >/dev/null 2>&1 || ! command -v dpkg-query >/dev/null 2>&1; then
        return 0 # not Debian: CMake names what it does not find
    fi
    if [ "$(id -u)" -eq 0 ]; then
        say "installing$missing"
        install "" $missing && return 0
    elif command -v sudo >/dev/null 2>&1 && sudo -n true 2>/dev/null; then
        say "installing$missing"
        install "sudo -n" $missing && return 0
    fi
    say "these packages are missing; install them with:"
    printf 'sudo apt-get install -y%s\n' "$missing"
    exit 2
}

# Fetches and unpacks the package of the server.
unpack_server()
{
    cd build/tools && rm -f "$server_package"_*.deb &&
        { apt-get download "$server_package" || { apt-get update && apt-get download "$server_package"; }; } &&
        dpkg-deb -x "$server_package"_*.deb . && rm -f "$server_package"_*.deb
}

# The server that one test asks. Without it that test is skipped, and says so.
want_server()
{
    if command -v "$server_package" >/dev/null 2>&1 || [ -x "build/tools/usr/bin/$server_package" ]; then
        return 0
    fi
    command -v apt-get >/dev/null 2>&1 && command -v dpkg-deb >/dev/null 2>&1 || return 0
    say "unpacking $server_package into build/tools"
    mkdir -p build/tools
    (unpack_server) >build/tools/log 2>&1 </dev/null ||
        say "no $server_package to be had (build/tools/log): the test that asks it will be skipped"
}

# compile PRESET
compile()
{
    [ -f "build/$1/build.ninja" ] || say "building in build/$1 for the first time: a minute or two"
    quietly cmake --preset "$1" && quietly cmake --build --preset "$1" && return 0
    say "the build failed (build/$1)"
    return 1
}

build()
{
    need $build_packages
    compile release || exit 3
    if [ ! -x build/release/worldsize ]; then
        say "the build left no build/release/worldsize"
        exit 3
    fi
}

demo()
{
    build
    exec build/release/worldsize run scenarios/quickstart.yaml --out results/quickstart
}

# Counts the cases of a ctest report in JUnit's form: one line "N passed, N failed[, N skipped]"; false when one
# failed. Criterion names each case; any other program is one case. A program that fails without a failing case
# (it leaked, or took too long) is one failed case.
count()
{
    awk '
        { sub(/^.*<system-out>/, "") }
        /<testcase / { is_run = /status="run"/; ok = bad = left = 0 }
        /^\[PASS\] / { ok++ }
        /^\[FAIL\] / { bad++ }
        /^\[SKIP\] / || /<skipped message="SKIP_/ { left++ }
        /<\/testcase>/ {
            if (ok + bad + left == 0 && is_run) ok = 1
            if (bad == 0 && !is_run && left == 0) bad = 1
            if (bad == 0 && !is_run && ok > 0) bad = 1
            passed += ok; failed += bad; skipped += left
        }
        END {
            if (passed + failed + skipped == 0) failed = 1
            printf "%d passed, %d failed%s\n", passed, failed, skipped ? ", " skipped " skipped" : ""
            exit failed > 0
        }' "$1"
}

# run_tests PRESET CTEST-ARG...
run_tests()
{
    preset=$1
    shift
    need $build_packages $test_packages
    want_server
    report=$PWD/build/$preset/tests.xml
    rm -f "$report"
    if ! compile "$preset"; then
        echo "0 passed, 1 failed"
        exit 3
    fi
    status=0
    ctest --preset "$preset" --parallel "$(getconf _NPROCESSORS_ONLN)" --output-junit "$report" \
        --test-output-size-passed 100000000 --test-output-size-failed 100000000 "$@" \
        >"$log" 2>&1 </dev/null || status=1
    if grep -q '^No tests were found' "$log"; then
        say "no test has such a name"
    fi
    if [ "$status" -ne 0 ]; then
        grep -vE '^\[(PASS|RUN )\]' "$log" | tail -n 300 >&2
    fi
    if [ ! -f "$report" ]; then
        say "ctest wrote no report"
        echo "0 passed, 1 failed"
        exit 1
    fi
    count "$report" || status=1
    exit "$status"
}

command=${1-help}
[ "$#" -eq 0 ] || shift
log=build/ws-$command.log
case $command in
build) build ;;
demo) demo ;;
test)
    case ${1--} in
    -*) run_tests dev "$@" ;;
    *) run_tests "$@" ;;
    esac
    ;;
help | -h | --help) usage ;;
*)
    say "no such command: $command"
    usage >&2
    exit 2
    ;;
esac

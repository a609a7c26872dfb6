#!/bin/sh
# Golden tests of the program: sh tests/support/cli.sh FOLDER_OF_PROGRAM [--update] [NAME...]
# Each tests/cli/NAME.cmd is a shell script, run in a scratch folder of its own with `taskfit` on PATH, nothing on standard
# input and $EXAMPLES and $DATA (tests/data) set. What it prints must be NAME.out and NAME.err (missing: nothing) and its
# exit status NAME.rc (missing: 0), with the project's folder as ROOT. --update writes these files instead.
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
PATH=$(cd "$1" && pwd):$PATH
shift
update=
[ "${1:-}" != --update ] || { update=1 && shift; }
if ! command -v taskfit >/dev/null; then
    echo "cli: no taskfit on PATH=$PATH" >&2
    exit 1
fi
for variable in $(env | sed -n 's/^\(TASKFIT_[A-Z_]*\)=.*/\1/p'); do
    unset "$variable"
done
EXAMPLES=$root/examples DATA=$root/tests/data LC_ALL=C TERM=dumb NO_COLOR=1
export PATH EXAMPLES DATA LC_ALL TERM NO_COLOR

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
passed=0
failed=0

fail() {
    echo "cli: $1" >&2
    failed=$((failed + 1))
}

# expect NAME.SUFFIX FILE: the golden file holds what FILE holds; missing is empty
expect() {
    if [ -n "$update" ]; then
        if [ -s "$2" ]; then cp "$2" "$1"; else rm -f "$1"; fi
    else
        if [ -e "$1" ]; then wanted=$1; else wanted=/dev/null; fi
        diff -u --label "${1##*/} wanted" --label "${1##*/} got" "$wanted" "$2" >&2
    fi
}

run() {
    rm -rf "$scratch/work"
    mkdir -p "$scratch/work/home"
    rc=0
    (cd "$scratch/work" && HOME=$scratch/work/home XDG_CONFIG_HOME=$scratch/work/home/.config sh "$1.cmd" </dev/null) \
        >"$scratch/out" 2>"$scratch/err" || rc=$?
    : >"$scratch/rc"
    [ "$rc" -eq 0 ] || echo "$rc" >"$scratch/rc"
    sed -i "s|$root|ROOT|g" "$scratch/out" "$scratch/err"
    good=1
    for suffix in out err rc; do
        expect "$1.$suffix" "$scratch/$suffix" || good=0
    done
    if [ "$good" -eq 1 ]; then passed=$((passed + 1)); else fail "${1##*/} failed"; fi
}

if [ $# -eq 0 ]; then
    for golden in "$root"/tests/cli/*; do
        [ -e "${golden%.*}.cmd" ] || fail "${golden##*/} belongs to no .cmd"
    done
    for command in "$root"/tests/cli/*.cmd; do
        run "${command%.cmd}"
    done
else
    for name in "$@"; do
        for command in "$root"/tests/cli/$name.cmd; do # a pattern
            [ -e "$command" ] || { fail "no test $name" && continue; }
            run "${command%.cmd}"
        done
    done
fi
echo "cli: $passed passed, $failed failed"
[ "$failed" -eq 0 ]

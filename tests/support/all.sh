#!/bin/sh
# Runs make targets that test something and adds up: sh tests/support/all.sh MAKE TARGET...
# A target that counts ends with "NAME: N passed, N failed[, N skipped]"; any other is one test.
set -u
make=$1
shift
passed=0
failed=0
skipped=0
output=$(mktemp)
trap 'rm -f "$output"' EXIT
# add EXIT_STATUS PASSED FAILED [SKIPPED]; a target that fails without a failed test counts as one
add() {
    passed=$((passed + $2))
    skipped=$((skipped + ${4:-0}))
    if [ "$1" -ne 0 ] && [ "$3" -eq 0 ]; then failed=$((failed + 1)); else failed=$((failed + $3)); fi
}

for target in "$@"; do
    echo "== $target"
    { $make -s "$target" 2>&1; echo $? >"$output.rc"; } | tee "$output"
    read -r rc <"$output.rc"
    rm -f "$output.rc"
    counts=$(sed -n 's/^[a-z]*: \([0-9]*\) passed, \([0-9]*\) failed\(, \([0-9]*\) skipped\)\{0,1\}$/\1 \2 \4/p' "$output" | tail -n 1)
    if [ -z "$counts" ]; then
        if [ "$rc" -eq 0 ]; then counts="1 0"; else counts="0 1"; fi
    fi
    add "$rc" $counts
done
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ]

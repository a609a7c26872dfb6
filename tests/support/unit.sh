#!/bin/sh
# Runs cmocka binaries: sh tests/support/unit.sh BINARY...   Shows only what fails; the last line counts.
set -u
passed=0
failed=0
skipped=0
output=$(mktemp)
trap 'rm -f "$output"' EXIT
for binary in "$@"; do
    rc=0
    CMOCKA_MESSAGE_OUTPUT=TAP "$binary" >"$output" 2>&1 || rc=$?
    bad=$(grep -c '^not ok' "$output")
    passed=$((passed + $(grep '^ok' "$output" | grep -cv '# SKIP')))
    skipped=$((skipped + $(grep -c '^ok.*# SKIP' "$output")))
    # a binary that dies, or fails without a failed test (a leak), is a failure of its own
    if [ "$rc" -ne 0 ] && [ "$bad" -eq 0 ]; then bad=1; fi
    if [ "$bad" -ne 0 ]; then
        echo "unit: $binary" >&2
        grep -v '^ok' "$output" >&2
    fi
    failed=$((failed + bad))
done
echo "unit: $passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ]

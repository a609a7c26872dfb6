#!/bin/sh
# Runs fuzz targets over their corpora: sh tests/support/replay.sh BINARY...   One process a file, so that a crash
# names its file; a target without a corpus is a failure. The last line counts.
set -u
passed=0
failed=0
for binary in "$@"; do
    for input in "tests/fuzz/corpus/${binary##*/fuzz_}"/*; do
        if "$binary" "$input"; then
            passed=$((passed + 1))
        else
            echo "replay: $binary $input" >&2
            failed=$((failed + 1))
        fi
    done
done
echo "replay: $passed passed, $failed failed"
[ "$failed" -eq 0 ]

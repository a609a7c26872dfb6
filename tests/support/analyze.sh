#!/bin/sh
# Static analysis of src/: sh tests/support/analyze.sh COMPILER_FLAG...   Prints every finding; exit 1 if there is one.
# Off: leaks, since neither analyzer follows the cleanup attribute (the sanitizer builds find them); sizeof of pointers,
# which arrays of pointers need; narrowing, which -Wconversion tells better; checks of out of memory that cppcheck
# takes for null checks.
set -eu
command -v clang-tidy >/dev/null && command -v cppcheck >/dev/null || { echo "analyze: needs clang-tidy and cppcheck" >&2; exit 1; }
FLAGS=$*
CHECKS='-*,bugprone-*,-bugprone-easily-swappable-parameters,-bugprone-implicit-widening-of-multiplication-result,-bugprone-sizeof-expression,-bugprone-narrowing-conversions,clang-analyzer-*,-clang-analyzer-unix.Malloc,-clang-analyzer-security.insecureAPI.DeprecatedOrUnsafeBufferHandling,readability-function-size'
# clang-tidy counts the braces of the function as a level of nesting
CONFIG='{CheckOptions: [{key: readability-function-size.LineThreshold, value: 60}, {key: readability-function-size.ParameterThreshold, value: 6}, {key: readability-function-size.NestingThreshold, value: 5}]}'
export FLAGS CHECKS CONFIG
bad=0
# shellcheck disable=SC2016 # expanded by the inner shell
find src -name '*.c' | sort | xargs -P "$(nproc)" -n 1 sh -c '
    bad=0
    gcc $FLAGS -O1 -fanalyzer -Wno-analyzer-malloc-leak -Werror -include src/base/banned.h -c -o /dev/null "$1" || bad=1
    clang-tidy --quiet --warnings-as-errors="*" --checks="$CHECKS" --config="$CONFIG" "$1" -- $FLAGS 2>/dev/null || bad=1
    exit $bad' check || bad=1
cppcheck --quiet --error-exitcode=1 --std=c11 --enable=warning,portability --suppress=nullPointerRedundantCheck --inline-suppr \
    -Iinclude -Isrc -Ibuild/gen src || bad=1
exit $bad

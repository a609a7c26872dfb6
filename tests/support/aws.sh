#!/bin/sh
# Hands rendered files to the real AWS command line and to a second reader of YAML:
#     tests/support/aws.sh PROGRAM
# Any refusal, and a missing client, fails.
set -eu
program=$1
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
for format in yaml json; do
    "$program" render -q examples/pcp1.yaml -d "$scratch/pcp1" --format $format
    "$program" render -q tests/data/render/everything.yaml -d "$scratch/everything" --format $format
    "$program" render -q tests/data/render/rebase.yaml --base tests/data/render/bases -d "$scratch/rebase" --format $format
done
rm "$scratch"/rebase/unknown.* # has keys that no client knows

find "$scratch" -name '*.yaml' -o -name '*.json' | sort | sed 's/^/ecs register-task-definition /' |
    /usr/bin/python3 tests/support/aws.py

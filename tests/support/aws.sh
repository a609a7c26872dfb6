#!/bin/sh
# Hands rendered task definitions to the real AWS command line, which checks every key and type offline:
#     tests/support/aws.sh PROGRAM
# Any refusal, and a missing client, fails.
set -eu
program=$1
export AWS="${AWS:-/usr/bin/aws}" AWS_DEFAULT_REGION=us-east-1 AWS_CONFIG_FILE=/dev/null AWS_SHARED_CREDENTIALS_FILE=/dev/null
if [ ! -x "$AWS" ]; then
    echo "aws: no AWS command line at $AWS (Debian package awscli)" >&2
    exit 1
fi

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
"$program" render -q examples/pcp1.yaml -d "$scratch/pcp1"
"$program" render -q tests/data/render/everything.yaml -d "$scratch/everything"
"$program" render -q tests/data/render/everything.yaml -d "$scratch/everything" --format json

find "$scratch" -name '*.yaml' -o -name '*.json' | sort >"$scratch/files"
# shellcheck disable=SC2016 # expanded by the inner shell
xargs -P "$(nproc)" -I FILE sh -c '
    "$AWS" ecs register-task-definition "--cli-input-${1##*.}" "file://$1" --generate-cli-skeleton output >"$1.log" 2>&1 ||
        { mv "$1.log" "$1.refused"; cat "$1" "$1.refused" >&2; }' check FILE <"$scratch/files"
total=$(wc -l <"$scratch/files")
refused=$(find "$scratch" -name '*.refused' | wc -l)
echo "aws: $((total - refused)) passed, $refused failed"
[ "$refused" -eq 0 ]

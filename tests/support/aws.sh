#!/bin/sh
# Hands rendered task definitions to the real AWS command line, which checks every key and type offline:
#     tests/support/aws.sh PROGRAM DEPLOYMENT...
# Each DEPLOYMENT is rendered as YAML and as JSON. Any refusal, and a missing client, fails.
set -eu
program=$1
shift
export AWS="${AWS:-/usr/bin/aws}" AWS_DEFAULT_REGION=us-east-1 AWS_CONFIG_FILE=/dev/null AWS_SHARED_CREDENTIALS_FILE=/dev/null
if [ ! -x "$AWS" ]; then
    echo "aws.sh: no AWS command line at $AWS (Debian package awscli)" >&2
    exit 1
fi

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
for deployment; do
    name=$(basename "$deployment" .yaml)
    "$program" render "$deployment" -d "$scratch/$name-yaml" >"$scratch/log" 2>&1 || { cat "$scratch/log" >&2; exit 1; }
    "$program" render "$deployment" --format json -d "$scratch/$name-json" >"$scratch/log" 2>&1 || { cat "$scratch/log" >&2; exit 1; }
done

# shellcheck disable=SC2016 # expanded by the inner shell
find "$scratch" -name '*.yaml' -o -name '*.json' | sort >"$scratch/files"
xargs -P "$(nproc)" -I FILE sh -c '
    format=$(echo "$1" | sed "s/.*\.//")
    "$AWS" ecs register-task-definition "--cli-input-$format" "file://$1" --generate-cli-skeleton output >"$1.log" 2>&1 ||
        { echo "aws.sh: $1 refused:" >&2; cat "$1" "$1.log" >&2; exit 1; }' check FILE <"$scratch/files"
echo "aws.sh: $(wc -l <"$scratch/files") task definitions accepted"

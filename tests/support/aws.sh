#!/bin/sh
# Hands rendered files to the real AWS command line and to a second reader of YAML, scripts to shellcheck:
#     tests/support/aws.sh PROGRAM
# Any refusal, and a missing client, fails.
set -eu
program=$1
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
"$program" size -q tests/data/render/groups.yaml --no-ladder -o json --out "$scratch/plan"
for format in yaml json; do
    render() {
        "$program" render -q --format "$format" "$@"
    }
    render examples/pcp1.yaml -d "$scratch/$format/pcp1"
    render tests/data/render/everything.yaml -d "$scratch/$format/everything"
    render tests/data/render/rebase.yaml --base tests/data/render/bases -d "$scratch/$format/rebase"
    render "$scratch/plan" --az-rebalancing -d "$scratch/$format/groups"
    rm "$scratch/$format/rebase/unknown.$format" "$scratch/$format"/*/taskfit.index.* # keys that no client knows
done

shellcheck "$scratch"/*/*/deploy.sh
find "$scratch" -name '*.yaml' -o -name '*.json' | sort | sed '
    s/.*\.\(create-service\|update-service\)\.[a-z]*$/ecs \1 &/; t
    s/.*\.update-auto-scaling-group\.[a-z]*$/autoscaling update-auto-scaling-group &/; t
    s/^/ecs register-task-definition /' | /usr/bin/python3 tests/support/aws.py

#!/bin/sh
# Renders templates and manifests and checks every field of them with a reader of YAML that is not taskfit's:
#     tests/support/forms.sh PROGRAM
set -eu
program=$1
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
"$program" size -q tests/data/render/groups.yaml --no-ladder -o json --out "$scratch/plan"
for form in cloudformation kubernetes; do
    "$program" render -q examples/pcp1.yaml -d "$scratch/$form/pcp1" --format $form
    "$program" render -q examples/eureka-release.yaml -d "$scratch/$form/eureka" --format $form
    "$program" render -q tests/data/render/everything.yaml -d "$scratch/$form/everything" --format $form
    "$program" render -q "$scratch/plan" --az-rebalancing -d "$scratch/$form/groups" --format $form
done
"$program" render -q tests/data/render/rebase.yaml --base tests/data/render/bases -d "$scratch/cloudformation/rebase" \
    --format cloudformation
rm "$scratch"/*/*/taskfit.index.yaml "$scratch/cloudformation/rebase/unknown.yaml" # has fields that nothing knows

/usr/bin/python3 -B tests/support/forms.py "$scratch"/cloudformation/*/*.yaml "$scratch"/kubernetes/*/*.yaml

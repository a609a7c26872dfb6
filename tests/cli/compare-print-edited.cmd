# the edited deployment needs no scenario any more, and keeps its order
cat >in.yaml <<'END'
# comments are lost
taskfit: 1
services:
  zeta: {image: z:1, memory: 512, sidecar: s}
  alpha: {image: a:1, memory: 1Gi}
sidecars: {s: {memory: 128}}
defaults: {desiredCount: 2}
cluster: {instanceGroups: [{name: main, types: [m6i.large]}]}
scenarios:
  more: [{set: "*.desiredCount", scale: 1.5}, {set: sidecar.memory, add: 64}]
END
taskfit compare in.yaml --print-edited more | tee edited.yaml
for file in in.yaml edited.yaml; do
    scenario=$([ $file = in.yaml ] && echo --scenario=more)
    taskfit size $file $scenario -o json | grep -v '"file"\|"sha256"\|"name":.*"in"\|"name":.*edited\|"scenario"' | sed '/"resolved"/,/^\t}/d' >$file.json
done
cmp in.yaml.json edited.yaml.json
taskfit compare in.yaml --print-edited more --out edited.json -o json && head -2 edited.json

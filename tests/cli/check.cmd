# Findings of a deployment, as text, JSON, YAML and CSV; --strict; a plan; a silenced rule.
cat > shop.yaml <<'END'
taskfit: 1
cluster: {name: shop, availabilityZones: [a, b], instanceGroups: [{name: main, types: [m6i.large]}]}
sidecars: {proxy: {memory: 256, memoryReservation: 128, jvm: {xmx: 256m, xms: 256m}}}
defaults: {sidecar: proxy}
services:
  - {name: web, desiredCount: 2, memory: 3000, memoryReservation: 2600, jvm: {xmx: 2048m, metaspace: 384m, maxMetaspace: 512m}}
  - {name: job, memory: 512, sidecar: null, observed: {cpu: 300}, ignore: [{rule: ECS017, reason: runs alone at night}]}
END
for style in table wide json yaml csv; do
    taskfit check shop.yaml -o $style; echo "exit $?"
done
echo "-- without the sidecar"
taskfit check shop.yaml --set web.sidecar=null | sed -n 1,3p; taskfit check shop.yaml --set web.sidecar=null >/dev/null; echo "exit $?"
taskfit check shop.yaml --set web.sidecar=null --strict >/dev/null; echo "exit $?"
echo "-- nothing"
taskfit check "$EXAMPLES/minimal.yaml" --strict; echo "exit $?"
echo "-- a plan"
taskfit size shop.yaml --set 'services.web.observed={cpu: 1600, memory: 2000}' --set 'services.web.sidecar=null' -o json --out plan.json
taskfit check plan.json -o csv; echo "exit $?"
grep -o '"code":.*' plan.json
echo "-- in a pipe, to a file"
taskfit check - --out found.csv -o csv < shop.yaml; echo "exit $?"; wc -l < found.csv

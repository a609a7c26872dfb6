# what differs between two deployments, two plans, or one of each
cp "$DATA/tasks-of-200.yaml" old.yaml
sed 's/memoryReservation: 896/memoryReservation: 256/' old.yaml >new.yaml
run() { echo "\$ $*"; taskfit "$@" 2>&1; echo "exit $?"; }
run diff old.yaml new.yaml
run diff old.yaml old.yaml --exit-code
taskfit size old.yaml -o json --out old.json
taskfit size new.yaml -o json --out new.json
run diff old.json new.json --exit-code | tail -1
run diff old.json new.yaml | head -3
cat >a.yaml <<'END'
taskfit: 1
cluster: {instanceGroups: [{name: main, types: [m6i.large]}, {name: gone, types: [r7g.large]}]}
services:
  - {name: same, memory: 512}
  - {name: changed, image: "x:1", memory: 512, desiredCount: 2, jvm: {xmx: 200m}}
  - {name: gone, memory: 512}
END
cat >b.yaml <<'END'
taskfit: 1
cluster: {instanceGroups: [{name: main, types: [m6i.xlarge], max: 5}, {name: new, types: [r7g.large]}]}
services:
  - {name: new, memory: 512, desiredCount: 3}
  - {name: changed, image: "x:2", memory: 1024, memoryReservation: 700, cpu: 128, desiredCount: 3, sidecar: {memory: 64}}
  - {name: same, memory: 512}
policy: {spread: preferred, headroom: {memoryPercent: 10}}
END
run diff a.yaml b.yaml
run diff a.yaml b.yaml -o csv
run diff a.yaml b.yaml -o json
run diff a.yaml missing.yaml
run diff a.yaml

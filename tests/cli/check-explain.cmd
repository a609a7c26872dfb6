# The memory of one task, region by region, in every form; the worked example of the memory calculator.
cat > shop.yaml <<'END'
taskfit: 1
cluster: {instanceGroups: [{name: main, types: [m6i.xlarge]}]}
services:
  - name: example
    memory: 15605568Ki
    jvm: {threads: 250, loadedClasses: 19692}
    sidecar: {name: proxy, memory: 256, memoryReservation: 128, jvm: {xmx: 256m}}
  - {name: long, task: {memory: 1000}, containerDefinitions: [{name: a, jvm: {xmx: 300m}}, {name: b, memory: 100}, {name: c, jvm: {}}]}
  - {name: free, memoryReservation: 100, jvm: {maxRamPercentage: 50}}
END
for style in table json yaml csv; do
    taskfit check shop.yaml --explain example -o $style; echo "exit $?"
done
taskfit check shop.yaml --explain long
taskfit check shop.yaml --explain free
taskfit check shop.yaml --explain exmple; echo "exit $?"
taskfit check shop.yaml --explain example --set example.memory=0; echo "exit $?"

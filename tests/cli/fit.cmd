six='taskfit: 1
cluster:
  instanceTypes: [{type: m5.large, registeredMemory: 7680}]
  instanceGroups: [{name: main, types: [m5.large]}]
policy: {spread: preferred, rollingDeployment: none}
services:
  - {name: a, memory: 7000, desiredCount: 2}
  - {name: b, memory: 2048}
  - {name: c, memory: 768, desiredCount: 2}
  - {name: d, memory: 768, desiredCount: 2}
  - {name: e, memory: 128, desiredCount: 2}
  - {name: f, memory: 512}'
echo "$six" >six.yaml
taskfit fit six.yaml --instances 7 | head -3
taskfit fit six.yaml --instances 3 | tail -3; echo $?
taskfit fit six.yaml --instances main=2; echo $?
taskfit fit six.yaml --instances 2 -o json; echo $?
taskfit fit six.yaml --instances 2 -o yaml | head -4
taskfit fit six.yaml --instances 2 -o csv
taskfit fit six.yaml --instances 4 -o json --out plan.json && taskfit verify plan.json
taskfit fit six.yaml; echo $?
taskfit fit six.yaml --instances mian=2; echo $?
taskfit fit six.yaml --instances 3 --time-limit 0 | head -1
# Case 9: a task that never fits
echo '{taskfit: 1, cluster: {instanceGroups: [{name: main, types: [c5.large]}]}, services: {web: {memory: 4096}}}' >web.yaml
taskfit fit web.yaml --instances 4 -o wide; echo $?

# Case 1 (aws/containers-roadmap#105): six services on m5.large, which 3 instances hold and greedy placement fills badly
cat >six.yaml <<'END'
taskfit: 1
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
  - {name: f, memory: 512}
END
taskfit simulate six.yaml
taskfit simulate six.yaml --instances 6 -o csv
taskfit simulate six.yaml --instances 7 -o wide
taskfit simulate six.yaml --instances main=4 -o yaml --out worst.yaml
taskfit simulate six.yaml --instances 4 --order-list worst.yaml --orders 1 -o json
taskfit size six.yaml -o json --out plan.json
taskfit simulate plan.json --order largest-first --ties first

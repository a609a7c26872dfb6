# a fleet may cost more than the dearest instance, and its plan reads back
cat >dear.yaml <<'END'
taskfit: 1
cluster:
  instanceTypes: [{type: dear, vcpu: 4, registeredMemory: 1000, architecture: x86_64, usdPerHour: 1000000}]
  instanceGroups: [{name: main, types: [dear]}]
policy: {rollingDeployment: none}
services: [{name: a, memory: 600, desiredCount: 4}]
END
taskfit size dear.yaml --no-ladder -o json > plan.json
taskfit verify plan.json
taskfit compare dear.yaml --no-ladder -o csv

cat >shop.yaml <<'END'
taskfit: 1
cluster:
  availabilityZones: [us-east-1a, us-east-1b]
  instanceTypes: [{type: box, vcpu: 1, registeredMemory: 1000, architecture: arm64, usdPerHour: 1}]
  instanceGroups: [{name: main, types: [box]}]
policy: {rollingDeployment: none}
services:
  - {name: web, memory: 300, cpu: 100, desiredCount: 4}
  - {name: job, memory: 250, desiredCount: 2, placementConstraints: [{type: distinctInstance}]}
  - {name: edge, memory: 10, portMappings: [{containerPort: 80, hostPort: 80}]}
END
taskfit size shop.yaml -o json --out plan.json
taskfit explain plan.json
taskfit explain plan.json web
taskfit explain plan.json edge
taskfit explain shop.yaml main-2
taskfit explain shop.yaml -o csv
taskfit explain plan.json job -o json
taskfit explain plan.json main-1 -o yaml | head -12
taskfit explain plan.json wbe; echo $?
taskfit explain shop.yaml --set web.memory=2000 | head -2; echo $?
sed 's/"count":.*1$/"count": 2/' plan.json >broken.json
taskfit explain broken.json; echo $?

# Case 15 (convox/rack#429): a fixed host port, three tasks on three instances; then what else may happen
cat >port.yaml <<'END'
taskfit: 1
cluster:
  availabilityZones: [us-east-1a, us-east-1b]
  instanceGroups: [{name: main, types: [m5.large], min: 3}]
policy: {spread: preferred, rollingDeployment: none}
services:
  - {name: web, memory: 512, desiredCount: 3, portMappings: [{containerPort: 80, hostPort: 8080}]}
  - {name: once, memory: 6000, deploymentConfiguration: {maximumPercent: 134}}
  - {name: blue, memory: 1024, desiredCount: 2, deploymentConfiguration: {strategy: BLUE_GREEN}}
END
taskfit simulate port.yaml --deploy web --grow main=4 --deploy web --deploy all --lose instance
taskfit simulate port.yaml --deploy web --set web.deploymentConfiguration.minimumHealthyPercent=66 -o wide
taskfit simulate port.yaml --lose main-1 --scale blue=1 --deploy web -o csv
echo '[{drain: main-1}, {scale: {web: 2}}]' >events.yaml
taskfit simulate port.yaml --events events.yaml --deploy each -o json
taskfit simulate port.yaml --instances 3 --orders 10 --lose main-3 -o yaml
taskfit simulate port.yaml --lose main-7; echo $?
echo '[[]]' >events.yaml
taskfit simulate port.yaml --events events.yaml; echo $?

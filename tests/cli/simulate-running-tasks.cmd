# runningTasksCount in memberOf: a plan cannot promise it, the simulation follows it
cat >few.yaml <<'END'
taskfit: 1
cluster:
  instanceTypes: [{type: t, vcpu: 2, registeredMemory: 1000, architecture: arm64, usdPerHour: 1}]
  instanceGroups: [{name: main, types: [t], min: 2}]
  daemons: [{name: agent, memory: 10}]
policy: {rollingDeployment: none}
services:
  - {name: large, memory: 300, desiredCount: 2}
  - name: lonely
    memory: 100
    desiredCount: 3
    placementConstraints: [{type: memberOf, expression: "not (runningTasksCount >= 3)"}]
END
taskfit size few.yaml; echo $?
taskfit check few.yaml; echo $?
taskfit simulate few.yaml --orders 100
taskfit simulate few.yaml --order largest-first --instances 3 --orders 1
echo
sed 's/, expression: "not (runningTasksCount >= 3)"/, expression: "attribute:ecs.os-type == linux"/' few.yaml > free.yaml
taskfit size free.yaml -o json --no-ladder | sed 's/attribute:ecs.os-type == linux/runningTasksCount < 3/' > plan.json
taskfit simulate plan.json --orders 100 | sed -n 2p
taskfit verify plan.json; echo $?

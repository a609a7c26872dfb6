# Goals in order, each with its own bound: two sizes of instances, one of each is cheapest; what comes after balance is not fixed for it.
cat > mix.yaml <<'YAML'
taskfit: 1
cluster:
  availabilityZones: [a]
  instanceTypes:
    - {type: r6a.large, vcpu: 2, registeredMemory: 15600, architecture: x86_64, usdPerHour: 0.1134}
    - {type: r6a.xlarge, vcpu: 4, registeredMemory: 31382, architecture: x86_64, usdPerHour: 0.2268}
  instanceGroups: [{name: main, types: [r6a.large, r6a.xlarge], mixed: true}]
services:
  - {name: s0, desiredCount: 8, memory: 2575, cpu: 360, placementStrategy: [{type: binpack, field: memory}]}
  - {name: s1, desiredCount: 8, memory: 2575, cpu: 360, placementStrategy: [{type: binpack, field: memory}]}
policy: {rollingDeployment: none, spread: preferred}
YAML
for objective in '[cost, count, balance]' '[count, cost, balance]' '[cost, balance]' '[count, balance]' '[balance, count]'; do
    echo "$objective"
    taskfit size mix.yaml --no-ladder --policy "objective=$objective" -o json | tr -d '\t\n' | grep -o '"goals":\[[^]]*\]'
done
taskfit size mix.yaml --no-ladder --objective balance,count | head -4
taskfit size mix.yaml --no-ladder --objective balance,count --require-optimal -q >/dev/null; echo $?

# what all kinds share: the merge of files, --into, --type, the use of the verb
printf '{"mod-a": {"HardLimit": 1024, "SoftLimit": 896, "CPUUnits": 128, "Version": "mod-a:1.0.0"}}' >limits.json
printf '{"mod-a": {"desiredCount": 2, "CPUUnits": 128, "HardLimit": 1024, "Version": "folioorg/mod-a:1.0.0"}}' >counts.json
echo '--- merged'
taskfit import ecs-check limits.json counts.json --type m6i.large
echo '--- a folder, sizes'
mkdir both && cp limits.json counts.json both
taskfit import auto both -q | taskfit size - --set 'cluster.instanceGroups=[{name: main, types: [m6i.large]}]' --no-ladder | head -2
echo '--- no group'
taskfit import auto both -q | taskfit size -; echo $?
echo '--- conflict'
sed 's/1024/2048/; s/folioorg/other/' counts.json >other.json
taskfit import ecs-check counts.json other.json; echo $?
echo '--- into'
cat >base.yaml <<'END'
taskfit: 1
cluster: {name: shop, instanceGroups: [{name: main, types: [{type: m6i.large, max: 4}], current: 3}]}
defaults: {placementStrategy: [{type: spread, field: instanceId}]}
sidecars: {eureka: {memory: 512, memoryReservation: 256}}
services:
- name: by-hand
  memory: 64
- name: mod-a
  image: registry.example.org/folio/mod-a:0.9.0
  memory: 1Gi
  memoryReservation: 512
  sidecar: eureka
  placementConstraints: [{type: distinctInstance}]
policy: {surviveLoss: instance}
END
taskfit import ecs-check limits.json --into base.yaml --count 2 | tee first.yaml
taskfit import ecs-check limits.json --into first.yaml >second.yaml
cmp first.yaml second.yaml && echo 'a second import changes nothing'
echo '--- type'
taskfit import ecs-check limits.json --into base.yaml --type m6i.large -q | sed -n '/instanceGroups/,/current/p'
taskfit import ecs-check limits.json --into base.yaml --type m6i.xlarge -q | sed -n '/instanceGroups/,/current/p'
echo '--- use'
taskfit import; echo $?
taskfit import limits.json; echo $?
taskfit import ecs-chek limits.json; echo $?
taskfit import ecs-check missing.json; echo $?
taskfit import ecs-check limits.json --into counts.json; echo $?
mkdir empty
taskfit import auto empty; echo $?
taskfit import ecs-check limits.json --out out.yaml -q; head -1 out.yaml
taskfit import ecs-check counts.json --out out.yaml -q; echo $?

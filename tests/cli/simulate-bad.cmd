printf '%s\n' 'taskfit: 1' 'cluster: {instanceGroups: [{name: main, types: [m5.large]}]}' 'services: {web: {memory: 512}, big: {memory: 64Gi}}' >big.yaml
taskfit simulate big.yaml >big.out; echo $?; head -2 big.out
taskfit simulate big.yaml --instances 2 --orders 1; echo $?
taskfit simulate big.yaml --instances two; echo $?
echo '{web: 1}' >order.yaml
taskfit simulate big.yaml --order-list order.yaml --instances 2; echo $?
echo '[web, {}]' >order.yaml
taskfit simulate big.yaml --order-list order.yaml --instances 2; echo $?
echo '[wbe]' >order.yaml
taskfit simulate big.yaml --order-list order.yaml --instances 2; echo $?
taskfit simulate big.yaml --order biggest; echo $?
taskfit size "$EXAMPLES/minimal.yaml" -o json | sed 's/"count":.*1$/"count": 2/' >broken.json
taskfit simulate broken.json; echo $?

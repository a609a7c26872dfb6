# what makes no deployment or no plan
cp -r "$DATA/import/ecs-cluster" folder && chmod -R u+w folder
rm folder/taskdef-mod-users.json
taskfit import ecs-cluster folder; echo $?
taskfit import ecs-cluster "$DATA/import/ecs-cluster" --type m6i.large --plan plan.json; echo $?
taskfit import ecs-cluster "$DATA/import/ecs-cluster/services-1.json" "$DATA/import/ecs-cluster"/taskdef-mod-*.json --plan plan.json; echo $?
taskfit import table "$DATA/import/pcp1-table.txt" --plan plan.json -q; echo $?
sed 's/r7g.2xlarge/r7g.huge/' "$DATA/import/ecs-cluster/container-instances.json" >folder/container-instances.json
cp "$DATA/import/ecs-cluster/taskdef-mod-users.json" folder
taskfit import ecs-cluster folder --plan plan.json -q; echo $?
echo '{"containerInstances": [{"containerInstanceArn": "x", "clusterArn": 1}], "services": [{"clusterArn": "a"}]}' >odd.json
taskfit import ecs-cluster odd.json; echo $?
taskfit import auto "$DATA/import/ecs-cluster" "$DATA/import/ecs-cluster-groups" -q; echo $?
ls plan.json

# a plan renders as the deployment inside it, as it is
sed 's/"name": "\(agent\|api\|batch\|db\|pay\|web\)",/&"image": "x:1",/' "$DATA/plans/shop.json" >plan.json
taskfit render plan.json -d of-plan
taskfit render "$DATA/plans/shop.yaml" -d of-deployment --set '*.image=x:1' --set 'cluster.daemons.agent.image=x:1'
diff -r -x taskfit.index.yaml of-plan of-deployment
cat of-plan/*group.yaml of-plan/taskfit.index.yaml
taskfit render plan.json -d other --set web.memory=64; echo $?
taskfit render plan.json -d other --scenario x; echo $?
ls

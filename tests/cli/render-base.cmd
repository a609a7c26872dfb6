# the numbers of task definitions that exist, and nothing else of them
taskfit render "$DATA/render/rebase.yaml" --base "$DATA/render/bases" -n >changes 2>notes; echo $?
grep -v '^---' changes
sed "s|$DATA|DATA|g" notes
ls
# as files: register form, in the form that is asked for; a second run changes nothing
taskfit render "$DATA/render/rebase.yaml" --base "$DATA/render/bases" -d out -q
cat out/described.yaml
taskfit render "$DATA/render/rebase.yaml" --base "$DATA/render/bases" -qd out && echo the same again
taskfit render "$DATA/render/rebase.yaml" --base out -n 2>&1
# one file, several of them, JSON, a plan
cat >one.yaml <<'END'
taskfit: 1
cluster: {instanceGroups: [{name: main, types: [m6i.large]}]}
services: [{name: described, memory: 100}, {name: nothing, memory: 64}]
END
taskfit render one.yaml --base "$DATA/render/bases/described.json" --base "$DATA/render/bases/list.json" -d json --format json
cat json/described.json
taskfit size one.yaml -o json --out plan.json -q
taskfit render plan.json --base "$DATA/render/bases" -d of-plan -q && cat of-plan/nothing.yaml
# what is wrong
taskfit render one.yaml --base nowhere -d no; echo $?
taskfit render one.yaml --base one.yaml -d no; echo $?
echo '{"family": "described", "containerDefinitions": [{"name": "described", "image": "x", "memoryReservation": 200}]}' >base.json
taskfit render one.yaml --set described.memoryReservation=100 --base base.json -d no; echo $?
echo '{"family": "nothing", "containerDefinitions": [{"name": "other", "image": "x", "memory": 3}]}' >bad.json
taskfit render one.yaml --base base.json --base bad.json -d no; echo $?
ls

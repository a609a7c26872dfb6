# task definitions in the forms that people have: to register, described, a template, a bare array of containers
taskfit import taskdef "$DATA/import/taskdef-register.json"
taskfit import auto "$DATA/import/taskdef-described.json" --type r7g.2xlarge >described.yaml
cat described.yaml
taskfit render described.yaml -d out -q; cat out/mod-inventory-storage.yaml
taskfit import auto "$DATA/import/taskdef-template.yaml"
taskfit import auto "$DATA/import/taskdef-containers.json"
echo '--- what was rendered, imported'
rm out/*.*.yaml out/deploy.sh # what is no task definition
taskfit import taskdef out --into described.yaml -q | cmp - described.yaml

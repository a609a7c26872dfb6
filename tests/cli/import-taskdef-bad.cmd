# what is no task definition
echo '{"family": "a"}' >a.json
taskfit import taskdef a.json; echo $?
echo '{"family": "a", "containerDefinitions": []}' >b.json
taskfit import taskdef b.json; echo $?
echo '{"family": "a", "containerDefinitions": [1, {"name": "a", "memory": {"Ref": "x"}, "cpu": "lots"}]}' >c.json
taskfit import auto c.json; echo $?
echo '[{"family": "a"}, 2]' >d.json
taskfit import taskdef d.json; echo $?
printf 'family: a\ncontainerDefinitions:\n- name: a\n  name: b\n' >e.yaml
taskfit import taskdef e.yaml; echo $?
printf 'Resources:\n  X:\n    Type: AWS::ECS::TaskDefinition\n    Properties: {ContainerDefinitions: !Ref Y}\n' >f.yaml
taskfit import auto f.yaml; echo $?
printf '{"family": "a", "containerDefinitions": [{"name": "a",}]}' >g.json
taskfit import taskdef g.json; echo $?

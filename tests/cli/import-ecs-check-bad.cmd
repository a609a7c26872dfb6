# every defect with its place
printf '{"mod-a": {"HardLimit": "lots", "SoftLimit": "-5", "CPUUnits": "many", "desiredCount": "2.5"}, "mod-b": 7}' >bad.json
taskfit import ecs-check bad.json; echo $?
printf '[1, {"mod-a": []}]' >list.json
taskfit import ecs-check list.json; echo $?
printf '{"mod-a": {"HardLimit": 1024,' >cut.json
taskfit import ecs-check cut.json; echo $?
taskfit import auto cut.json; echo $?
printf 'mod-a 1024' >scalar.txt
taskfit import ecs-check scalar.txt; echo $?
printf '{}' >empty.json
taskfit import ecs-check empty.json; echo $?
taskfit import auto empty.json; echo $?
printf '{"mod-a": {"HardLimit": 1024, "SoftLimit": 2048}}' >strict.json
taskfit import ecs-check strict.json --strict; echo $?

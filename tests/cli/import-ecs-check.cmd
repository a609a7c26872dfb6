# the JSON of a resource check: suffixes -b, sidecars in both forms, a service counted by hand
taskfit import ecs-check "$DATA/import/ecs-check-plain.json"
taskfit import auto "$DATA/import/ecs-check-sidecars.json"
taskfit import ecs-check "$DATA/import/ecs-check-ugly.json" --comments --count 3

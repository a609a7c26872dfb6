# a folder with gaps: what is missing, over, draining, on Fargate or in the middle of a deployment is told
taskfit import ecs-cluster "$DATA/import/ecs-cluster-ugly" --plan today.json
taskfit verify today.json; echo $?
taskfit import ecs-cluster "$DATA/import/ecs-cluster-ugly" --strict --plan strict.json >/dev/null 2>&1; echo $?
ls

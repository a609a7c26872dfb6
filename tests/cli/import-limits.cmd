# limits lines: of a cluster whose name stands before every module, with bullets and CPU, and as people paste them
taskfit import limits "$DATA/import/limits-ecs.txt" --type m5.large --count 2
taskfit import auto "$DATA/import/limits-kubernetes.txt"
taskfit import limits "$DATA/import/limits-ugly.txt"; echo $?
taskfit import auto "$DATA/import/limits-ecs.txt" --type m5.xlarge 2>/dev/null | taskfit size - --set '*.desiredCount=2' | head -1

# ranges of numbers
cp "$EXAMPLES/minimal.yaml" .
size() { taskfit size minimal.yaml "$@" >out || echo "exit $?"; }
size --time-limit 0.5 --work-limit 1000000 --gap 2.5 --seed 7
size --time-limit -1
size --time-limit 1e3
size --time-limit 1000001
size --gap 101
size --gap 1,5
size --work-limit many
size --seed -1
size --seed 1.5
size --color blue
size --solver cplex
size --prices p.csv
size --from plan.json
size -v -q -o json
TASKFIT_TIME_LIMIT=soon size
TASKFIT_NO_LADDER=true size -o json && grep -c '"rung"' out
TASKFIT_NO_LADDER=true size -o json --no-ladder=false && grep -c '"rung"' out

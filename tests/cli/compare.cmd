# scenarios, values and ranges; the exit status is the worst of the rows
cp "$DATA/tasks-of-200.yaml" "$EXAMPLES/pcp1.yaml" .
file=tasks-of-200.yaml
run() { echo "\$ $*"; taskfit compare "$@"; echo "exit $?"; }
run "$file"
run "$file" --scenario tuned
run "$file" --vary sidecar.memoryReservation=256..1024
run "$file" --vary sidecar.memoryReservation=896,256 --vary type=r7g.2xlarge,r7g.4xlarge -o wide
run "$file" --scenario tuned --vary sidecar.cpu=0,1024 -o csv
run "$file" pcp1.yaml --vary 'policy.spread=preferred'
run "$file" --scenario tuned -o json
run "$file" --vary sidecar.memoryReservation=256..300 -o yaml
run pcp1.yaml --vary '*.desiredCount=1..3' --vary 'policy.spread=required,preferred'

# what cannot be compared
file=$DATA/tasks-of-200.yaml
try() { taskfit compare "$@" 2>&1; echo "exit $?"; }
try "$file" --scenario tunde
try "$file" --vary sidecar.memoryReservation
try "$file" --vary sidecar.memoryReservation=
try "$file" --vary sidecar.memoryReservation=1,,2
try "$file" --vary sidecar.memoryReservation=9..9
try "$file" --vary sidecar.memoryReservation=1..9 --vary sidecar.cpu=1..9
try "$file" --vary sidecar.cpu=1 --vary sidecar.cpu=2
try "$file" --vary sidecar.memoryReservation=256..2000
try "$file" --vary sidekar.cpu=1,2
try "$EXAMPLES/two-groups.yaml" --vary type=r7g.large
try "$file" missing.yaml
try "$file" --print-edited tuned "$file"
taskfit size "$file" -o json >plan.json
try plan.json

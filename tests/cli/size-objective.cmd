# edits, policy and objective on the command line
instances() { taskfit size "$EXAMPLES/pcp1.yaml" -o json "$@" | sed -n 's/^\t"instances":\t\([0-9]*\),/\1/p'; }
instances
instances --set '*.memory=30Gi' --set '*.memoryReservation=null'
instances --policy spread=preferred
instances --policy=spread=preferred --no-ladder
taskfit size "$EXAMPLES/pcp1.yaml" --objective cost,count -o json | grep -A1 '"goals"'
taskfit size "$EXAMPLES/pcp1.yaml" --objective nonsense; echo "exit $?"

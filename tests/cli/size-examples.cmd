# two groups, Kubernetes nodes, and expected CPU with and without its cap (6 instances would be at 95 %)
for name in two-groups lotus-kubernetes expected-cpu; do
    taskfit size "$EXAMPLES/$name.yaml" --policy rollingDeployment=none --no-ladder | head -3
done
taskfit size "$EXAMPLES/expected-cpu.yaml" --scenario memory-only --policy rollingDeployment=none --no-ladder |
    sed -n -e 1p -e '/^CPU001/,$p'

# proved that nothing fits: exit 4, and the answer says why
taskfit size "$EXAMPLES/minimal.yaml" --set web.memory=100Gi
echo "exit $?"
taskfit size "$EXAMPLES/minimal.yaml" --set web.memory=100Gi -o json >plan.json
echo "exit $?"
sed -n '/"reason"/,/}/p' plan.json
taskfit verify plan.json
taskfit size "$EXAMPLES/minimal.yaml" --set web.memory=100Gi --require-optimal >plan.txt
echo "exit $?"

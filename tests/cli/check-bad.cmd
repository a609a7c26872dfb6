# What other verbs refuse with exit 3 are findings; what is no deployment at all, too.
for file in several-defects.yaml syntax.yaml json-syntax.json; do
    cp "$DATA/bad/$file" .
    taskfit check $file -o csv; echo "exit $?"
done
taskfit check several-defects.yaml | sed -n 1,8p
printf '{"schema": "taskfit.plan/1", "instances": "many"}' > plan.json
taskfit check plan.json -o csv; echo "exit $?"
taskfit check none.yaml; echo "exit $?"
taskfit check; echo "exit $?"
taskfit check "$EXAMPLES/minimal.yaml" --set nothing; echo "exit $?"
taskfit check "$EXAMPLES/minimal.yaml" --catalogue none.csv; echo "exit $?"
printf 'x,y\n' > bad.csv
taskfit check "$EXAMPLES/minimal.yaml" --catalogue bad.csv; echo "exit $?"

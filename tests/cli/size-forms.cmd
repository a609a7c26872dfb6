# the same answer in each form: instances and their ids
for form in json yaml csv; do
    taskfit size "$EXAMPLES/pcp1.yaml" -o $form --out plan.$form
done
grep -m 1 -o 'instances":[^,]*' plan.json
grep -m 1 '^instances' plan.yaml
tail -n +2 plan.csv | cut -d, -f1 | sort -u
grep -c '"id"' plan.json
grep -c -e '- id:' plan.yaml
taskfit size "$EXAMPLES/pcp1.yaml" -o wide | wc -l >wide
taskfit size "$EXAMPLES/pcp1.yaml" | wc -l >table
[ "$(cat wide)" -gt "$(cat table)" ] && echo wide says more
# what it writes verifies and renders
taskfit verify plan.json
taskfit verify plan.yaml
taskfit render plan.yaml -d out

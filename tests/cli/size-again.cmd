# the same bytes on every run
for form in table wide json yaml csv; do
    taskfit size "$EXAMPLES/relc.yaml" -o $form >one
    taskfit size "$EXAMPLES/relc.yaml" -o $form | cmp - one
done

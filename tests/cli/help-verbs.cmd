# every listed verb has a help text, and --help is the same
taskfit help | sed -n '/^verbs:/,/^$/s/^  \([a-z]*\) .*/\1/p' | while read -r verb; do
    taskfit help "$verb" >one
    taskfit "$verb" --help >two
    cmp one two
    taskfit "$verb" -h | cmp one
    cat one
    echo ----
done

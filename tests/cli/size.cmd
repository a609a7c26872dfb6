# the answer for people; standard input is the same but for its name
taskfit size "$EXAMPLES/minimal.yaml"
taskfit size - <"$EXAMPLES/minimal.yaml" | sed 's/^deployment:/minimal:/' >two
taskfit size "$EXAMPLES/minimal.yaml" | diff - two

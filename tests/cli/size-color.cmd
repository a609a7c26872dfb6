# colours only when asked for, or on a terminal
taskfit size "$EXAMPLES/minimal.yaml" | grep -c "$(printf '\033')"
taskfit size "$EXAMPLES/minimal.yaml" --color always | grep -q "$(printf '\033')" && echo coloured
taskfit size "$EXAMPLES/minimal.yaml" --color always | sed 's/\x1b\[[0-9;]*m//g' >plain
taskfit size "$EXAMPLES/minimal.yaml" --color never | cmp - plain

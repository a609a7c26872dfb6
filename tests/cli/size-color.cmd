# colours only when asked for, or on a terminal
taskfit size "$EXAMPLES/minimal.yaml" | grep -c "$(printf '\033')"
taskfit size "$EXAMPLES/minimal.yaml" --color always | grep -q "$(printf '\033')" && echo coloured
taskfit size "$EXAMPLES/minimal.yaml" --color always | sed 's/\x1b\[[0-9;]*m//g' >plain
taskfit size "$EXAMPLES/minimal.yaml" --color never | cmp - plain
export TERM=xterm NO_COLOR=
script -qec 'taskfit size "$EXAMPLES/minimal.yaml"' log >/dev/null
grep -q "$(printf '\033')" log && echo coloured on a terminal
script -qec 'NO_COLOR=1 taskfit size "$EXAMPLES/minimal.yaml"' log >/dev/null
grep -c "$(printf '\033')" log
script -qec 'TASKFIT_COLOR=never taskfit size "$EXAMPLES/minimal.yaml"' log >/dev/null
grep -c "$(printf '\033')" log

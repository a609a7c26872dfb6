# what is no plan is bad input: exit 3
taskfit verify "$EXAMPLES/minimal.yaml" 2>&1 | sed "s|$EXAMPLES|EXAMPLES|"
taskfit verify "$EXAMPLES/minimal.yaml" 2>/dev/null; echo $?
echo '{"schema": "taskfit.plan/1"' | taskfit verify -; echo $?
head -c 300 "$DATA/plans/shop.json" >cut.json
taskfit verify cut.json; echo $?
taskfit verify none.json; echo $?

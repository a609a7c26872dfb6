# what cannot be come from, and where --from does not apply
cp "$EXAMPLES/minimal.yaml" minimal.yaml
taskfit size minimal.yaml -o json --out plan.json
run() { echo "\$ taskfit $*"; taskfit "$@" 2>&1 >/dev/null; echo "exit $?"; }
run size minimal.yaml --objective count,moves
run compare minimal.yaml --objective count,moves
run simulate minimal.yaml --objective moves
run size minimal.yaml --moves-front
run size minimal.yaml --from minimal.yaml
head -c 300 plan.json >cut.json
run size minimal.yaml --from cut.json
run size minimal.yaml --from none.json
run size - --from - <minimal.yaml
sed '/"fleet"/,/"services"/s/"type":.*/"type": "m6i.metal",/' plan.json >strange.json
run size minimal.yaml --from strange.json
sed '/"fleet"/,/"services"/s/"id":.*/"id": "spare",/' plan.json >spare.json
run size minimal.yaml --from spare.json
sed '/"fleet"/,/"services"/{/"id":/d}' plan.json >nameless.json
run size minimal.yaml --from nameless.json
sed 's/memory: [0-9]*/memory: 6000000/' minimal.yaml >large.yaml
taskfit size large.yaml -o json --out large.json
run size minimal.yaml --from large.json
run compare minimal.yaml --from plan.json
run render minimal.yaml -d out --from plan.json
run explain plan.json --from plan.json
run size minimal.yaml --from plan.json --objective moves,count --certificate proof.yaml
run verify plan.json --from plan.json
taskfit size minimal.yaml --from plan.json -o json --out moved.json
sed 's/"kept":[^,]*/"kept": 9/' moved.json >wrong.json
taskfit verify wrong.json
echo "exit $?"
taskfit verify moved.json --from large.json
echo "exit $?"

# the proof of a bound, written and checked
taskfit size "$EXAMPLES/relc.yaml" --no-ladder -o json --out plan.json --certificate proof.yaml; echo "exit $?"
taskfit verify plan.json --certificate proof.yaml; echo "exit $?"
taskfit verify - --certificate proof.yaml <plan.json | tail -n 1
# any change of it, or of the plan, is refused with its reason
sed 's/^bound: 6/bound: 7/' proof.yaml >other.yaml
taskfit verify plan.json --certificate other.yaml | sed 's/[0-9a-f]\{64\}/HASH/g'; echo "exit $?"
sed '$d' proof.yaml >short.yaml
taskfit verify plan.json --certificate short.yaml; echo "exit $?"
sed 's/"name":\t"relc"/"name":\t"relb"/' plan.json >renamed.json
taskfit verify renamed.json --certificate proof.yaml | grep certificate: | sed 's/[0-9a-f]\{64\}/HASH/g'
echo 'no: certificate' | taskfit verify plan.json --certificate - | sed 's/[0-9a-f]\{64\}/HASH/g'
taskfit verify plan.json --certificate none.yaml; echo "exit $?"
# it is an output like others: not replaced when it differs
echo other >proof.yaml
taskfit size "$EXAMPLES/relc.yaml" --no-ladder --out plan.txt --certificate proof.yaml; echo "exit $?"
# no plan, no certificate
taskfit size "$EXAMPLES/relc.yaml" --no-ladder --set cluster.instanceGroups.main.max=1 --out none.txt --certificate never.yaml; echo "exit $?"
test -e never.yaml || echo 'not written'

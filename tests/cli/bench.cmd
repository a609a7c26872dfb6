# a small folder through the benchmark: packings and deployments, and what is known of them; times are not looked at
mkdir some
printf '1\n10\n2\n6 4\n5 2\n' >some/one.vbp
printf '2 x\n' >some/bad.vbp
cp "$EXAMPLES/minimal.yaml" some
sed '/services/,$d' some/minimal.yaml >some/bad.yaml
echo '{"cap": [1000, 8192], "price": 1.5, "services": [{"name": "a", "mem": 400, "cpu": 0, "replicas": 2}, {"name": "b", "mem": 700, "cpu": 0, "replicas": 1}]}' >some/own.json
taskfit size some/minimal.yaml -o json --no-ladder | sed -n '/"resolved"/,/^		}/p' | sed '1s/.*/{/' >some/deployment.json
printf 'file,lower_bound,best_known\none.vbp,6,6\n' >some/known.csv
bench() { sh "$DATA/../bench/bench.sh" "$(dirname "$(command -v taskfit)")" "$@" 2>err; }
bench some | cut -d, -f1-3,8
grep -v -E 'CPU seconds|^bench: some' err | sed "s|$PWD|HERE|"
ONLY='^F_1_|^CT_01_025' bench | cut -d, -f1-3,8
ONLY='^F_60_r7g_low_r2_1$' PEERS=1 bench | cut -d, -f1-3,9,10,12,13
grep -o '.* of 1 proved' err
generate folio 60 menu4 mix mixed 7 | taskfit size - --no-ladder -o json | grep '^	"outcome"'
bench none || echo "exit $?"
cat err
meter cost 60 sh -c 'exit 3' || echo "exit $?"
grep -E -c '^[0-9]+\.[0-9]{3},[0-9]+$' cost
meter cost 0.2 sh -c 'while :; do :; done' || echo "exit $?"

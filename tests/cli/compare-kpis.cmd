# measured values stand beside cost; regressions above the tolerance are marked
cp "$EXAMPLES"/relc*.yaml "$EXAMPLES"/*.csv "$EXAMPLES/expected-cpu.yaml" .
taskfit compare relc.yaml --scenario before-tuning --kpi-tolerance 8 | sed -n '/^Measured/,/^$/p'
taskfit compare expected-cpu.yaml | sed -n '/^Measured/,/^$/p'
taskfit compare expected-cpu.yaml -o json | sed -n '/"kpis"/,/"unbeaten"/p' | tail -12
sed -i 's/^m6g,Check-In,2000,ms/m6h,Check-In,2000,ms/' expected-cpu-kpis.csv
taskfit compare expected-cpu.yaml 2>&1; echo "exit $?"
sed -i 's/^m6h,Check-In,2000,ms/m6g,Check-In,fast,ms/' expected-cpu-kpis.csv
taskfit compare expected-cpu.yaml 2>&1; echo "exit $?"
rm expected-cpu-kpis.csv
taskfit compare expected-cpu.yaml 2>&1; echo "exit $?"

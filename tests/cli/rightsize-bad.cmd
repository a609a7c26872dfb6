# Metrics that are none.
shop=$DATA/metrics/shop.yaml
run() { taskfit rightsize "$shop" "$@"; echo "exit $?"; }
run
run --metrics none.csv
printf '{"MetricDataResults": 5}' > bad.json && run --metrics bad.json
printf '{"MetricDataResults": [' > bad.json && run --metrics bad.json
printf 'a,b\n1,2\n' > bad.csv && run --metrics bad.csv
printf 'nothing at all\n' > bad.txt && run --metrics bad.txt
: > empty && run --metrics empty
run --metrics "$DATA/metrics/load-test.csv" --cpu-percentile 0
printf 'x' > there.yaml && run --metrics "$DATA/metrics/load-test.csv" --apply there.yaml

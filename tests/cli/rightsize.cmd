# Limits from each format of metrics; what is left alone; --apply.
for metrics in cloudwatch.json insights.csv docker-stats.txt load-test.csv; do
    echo "-- $metrics"
    taskfit rightsize "$DATA/metrics/shop.yaml" --metrics "$DATA/metrics/$metrics"; echo "exit $?"
done
echo "-- every form"
taskfit rightsize "$DATA/metrics/shop.yaml" --metrics "$DATA/metrics/load-test.csv" -o wide | sed -n '/^mod-.*:/,$p'
taskfit rightsize "$DATA/metrics/shop.yaml" --metrics "$DATA/metrics/load-test.csv" -o json
taskfit rightsize "$DATA/metrics/shop.yaml" --metrics "$DATA/metrics/load-test.csv" -o csv
echo "-- applied"
cat "$DATA/metrics/shop.yaml" | taskfit rightsize - --metrics "$DATA/metrics/docker-stats.txt" --min-samples 1 --margin 0 --apply new.yaml > /dev/null; echo "exit $?"
sed -n '/mod-search/,/mod-light/p' new.yaml
taskfit check new.yaml --strict | sed -n 1,4p

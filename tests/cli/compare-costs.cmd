# items beside the instances, Fargate, prices of the user's own, prices that nobody knows
cp "$DATA/costs.yaml" .
run() { echo "\$ $*"; taskfit compare "$@"; echo "exit $?"; }
run costs.yaml --fargate
run costs.yaml --vary costs.items.kafka.type=kafka.m9.large 2>&1
printf '%s\n' 'item,usd,per,confidence,source' 'kafka.m9.large,0.5,hour,given,me' 'db.r6g.xlarge postgresql,0.4,hour,given,me' >prices.csv
run costs.yaml --vary costs.items.kafka.type=kafka.m9.large --prices prices.csv
run costs.yaml --scenario split --max-cost 2690.30 >/dev/null 2>&1
taskfit compare costs.yaml --scenario split --fargate -o json | sed -n '/"costs"/,/]/p;/"fargate"/,$p'
printf '%s\n' 'item,usd' 'rds storage,much' >bad.csv
run costs.yaml --prices bad.csv 2>&1
printf '%s\n' 'item' 'rds storage' >bad.csv
run costs.yaml --prices bad.csv 2>&1
printf '%s\n' 'item,usd,per' 'rds storage,1,hour' >bad.csv
run costs.yaml --prices bad.csv 2>&1

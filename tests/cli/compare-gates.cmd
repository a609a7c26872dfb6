# --max-instances, --max-cost (USD per month), --max-increase (percent of the first row): exit 6; the file as it is,
# which scenarios are compared with, passes no gate
file=$DATA/tasks-of-200.yaml
try() { taskfit compare "$file" "$@" 2>&1 >/dev/null; echo "exit $?: $*"; }
try --scenario tuned --max-instances 8
try --scenario tuned --max-instances 7
try --max-instances 8
try --scenario tuned --max-cost 2501.86
try --scenario tuned --max-cost 2501.85
try --vary sidecar.memoryReservation=896,256 --max-increase 0
try --vary sidecar.memoryReservation=256,896 --max-increase 25
try --vary sidecar.memoryReservation=256,896 --max-increase 24.9
try --scenario huge --max-instances 7

# the smallest cuts; 10 become 8 by 317 MiB for each sidecar, by 220 where a deployment needs room
file=$DATA/tasks-of-200.yaml
run() { echo "\$ $*"; shift; taskfit reach "$file" "$@" 2>&1; echo "exit $?"; }
run FILE --instances 8
run FILE --instances 8 --policy rollingDeployment=oneService
run FILE --instances 8 --pairs --services 's0*' -o wide
run FILE --instances 8 --set 'sidecar.jvm.xmx=300m' -o csv
run FILE --instances 8 -o json | sed -n '1,20p'
run FILE --instances 10
run FILE --instances 1
run FILE
run FILE --instances 0
run FILE --instances main=3
run FILE --instances 8 --services 'nobody*'

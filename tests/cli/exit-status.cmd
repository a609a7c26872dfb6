# each status of the table
is() { wanted=$1; shift; "$@" >out 2>err; got=$?; [ $got -eq $wanted ] && echo "$got" || { echo "$got, not $wanted: $*"; cat err; }; }
sh "$DATA/cli/hard.sh" 60 >hard.yaml
sh "$DATA/cli/hard.sh" 60 23 >tight.yaml
is 0 taskfit size "$EXAMPLES/minimal.yaml"
is 0 taskfit size hard.yaml --require-optimal
is 0 taskfit size hard.yaml --work-limit 1
is 1 taskfit size none.yaml
is 1 taskfit size "$EXAMPLES/minimal.yaml" --out no/where
is 2 taskfit size
is 2 taskfit size a b
is 3 taskfit size /dev/null
is 3 taskfit size "$DATA/plans/shop.json"
is 4 taskfit size "$EXAMPLES/minimal.yaml" --set web.memory=1024Gi
is 4 taskfit size "$EXAMPLES/minimal.yaml" --set web.memory=1024Gi --require-optimal
is 5 taskfit size hard.yaml --work-limit 1 --require-optimal
is 5 taskfit size tight.yaml --work-limit 1
is 0 taskfit verify "$DATA/plans/shop.json"
sed 's/"instances": 5/"instances": 4/' "$DATA/plans/shop.json" >broken.json
is 6 taskfit verify broken.json

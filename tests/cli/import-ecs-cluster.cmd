# a running cluster: its deployment, and its placement of today as a plan that verify accepts
taskfit import auto "$DATA/import/ecs-cluster" --plan today.json --out relc.yaml
cat relc.yaml
taskfit verify today.json
sed -n '/"fleet"/,/"services"/p' today.json | tr -d ' \t\n' | sed 's/,"capacity[^]]*]/ ... /g'; echo
taskfit size relc.yaml --no-ladder -q | head -2
taskfit import ecs-cluster "$DATA/import/ecs-cluster" --into relc.yaml -q | cmp - relc.yaml
echo '--- capacity providers with attributes of their own, pages that overlap'
taskfit import ecs-cluster "$DATA/import/ecs-cluster-groups" --plan groups.json
taskfit verify groups.json

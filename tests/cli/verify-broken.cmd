# each broken rule is a line of the answer, and the exit status is 6
sed 's/"lowerBound": [0-9]*/"lowerBound": 99/; s/"costUsdPerMonth": "[0-9.]*"/"costUsdPerMonth": "1.00"/' "$DATA/plans/shop.json" >plan.json
taskfit verify plan.json
echo "exit $?"
cmp -s plan.json "$DATA/plans/shop.json" && echo 'nothing was broken'
sed 's/memory: [0-9]*/memory: 60000/' "$DATA/plans/shop.yaml" >other.yaml
taskfit verify "$DATA/plans/shop.json" --deployment other.yaml >told
echo "exit $?"
tail -n 1 told | sed "s|$DATA|DATA|; s/[0-9][0-9]* broken/N broken/"

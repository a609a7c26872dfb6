# a sound plan, on standard input too, and against the deployment it was made for
taskfit verify "$DATA/plans/shop.json" | sed "s|$DATA|DATA|"
taskfit verify - <"$DATA/plans/shop.json"
taskfit verify "$DATA/plans/shop.json" --deployment "$DATA/plans/shop.yaml" | sed "s|$DATA|DATA|"

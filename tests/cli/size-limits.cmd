# What ends a search early: the same work leaves the same bytes, in the plan and in the log; a gap is respected; when time runs
# out there is a plan, which verifies
sh "$DATA/cli/hard.sh" 300 >hard.yaml
size() { taskfit size hard.yaml --no-ladder -o json "$@"; }
field() { sed -n "s/^	\"$1\":	\"*\([a-z0-9]*\)\"*,/\1/p" "$2"; }
for run in 1 2; do size -v --work-limit 30000000 >plan$run.json 2>log$run || echo "exit $?"; done
cmp plan1.json plan2.json && cmp log1 log2 && echo "same bytes"
grep -v -E "^taskfit: ([0-9]+ instances: [a-z ]+|plan of [0-9]+ instances by [a-z]+|rung '[a-z]+' (closed|left open) by [a-z]+), bound [0-9]+(, plan [0-9]+)?, work [0-9]+(, GLPK restarted [0-9]+ times)?$" log1
awk -F ', work ' 'NF > 1 && $2 + 0 < last { print "work falls: " $0 } { last = $2 + 0 }' log1
[ "$(field lowerBound plan1.json)" -lt "$(field instances plan1.json)" ] && field outcome plan1.json
size --work-limit 30000000 --require-optimal >/dev/null || echo "exit $?"
size --gap 20 >gap.json
[ $((100 * ($(field instances gap.json) - $(field lowerBound gap.json)))) -le $((20 * $(field instances gap.json))) ] && field outcome gap.json
size --time-limit 0.1 >late.json || echo "exit $?"
field outcome late.json
for plan in plan1 gap late; do taskfit verify $plan.json >/dev/null || echo "exit $?"; done
# one refutation speaks of all fleets up to what the linear program needs
sh "$DATA/cli/hard.sh" 100 >hard.yaml
size -v 2>&1 >all.json | grep -c 'refuted by colgen'
[ "$(field instances all.json)" = "$(field lowerBound all.json)" ] && field outcome all.json

# from what runs to what shall run: who stays, what moves, in which order
deployment() { # AZS TYPES POLICY, services on standard input
    cat <<END
taskfit: 1
cluster:
  name: demo
  availabilityZones: [$1]
  instanceTypes:
    - {type: box, vcpu: 4, registeredMemory: 1000, architecture: x86_64, usdPerHour: 0.5}
    - {type: crate, vcpu: 4, registeredMemory: 2000, architecture: x86_64, usdPerHour: 0.9}
  instanceGroups: [{name: main, types: [$2]}]
policy: {rollingDeployment: none, spread: preferred$3}
services:
$(cat)
END
}
run() { echo "\$ taskfit $*"; taskfit "$@" 2>&1; echo "exit $?"; }
moves() { echo "\$ taskfit $*"; taskfit "$@" 2>&1 | sed -n '/^Moves/,$p'; }
deployment us-east-1a,us-east-1b box >old.yaml <<'END'
  - {name: a, memory: 600, desiredCount: 2}
  - {name: b, memory: 600, desiredCount: 2}
  - {name: c, memory: 300, desiredCount: 4}
END
taskfit size old.yaml -o json --out old.json
taskfit size old.yaml -o yaml --out old-plan.yaml

echo '== smaller tasks: fewer instances'
sed 's/memory: 600/memory: 350/' old.yaml >smaller.yaml
run size smaller.yaml --from old.json --moves-front
moves size smaller.yaml --from old-plan.yaml
taskfit size smaller.yaml --from old.json -o json --out new.json
taskfit size smaller.yaml --from - -o json <old.json | sed 's/"file":\t"-"/"file":\t"old.json"/' | cmp - new.json
sed -n '/"moves":/,/"services":/p' new.json
run verify new.json --from old.json
run diff old.json new.json -o csv
taskfit size smaller.yaml --from old.json -o csv | cut -d, -f 1-5,13
taskfit size smaller.yaml --from old.json -o yaml >new.yaml; taskfit verify new.yaml --from old.json

echo '== the plan of a plan keeps its names'
moves size smaller.yaml --from new.json

echo '== more and fewer tasks, services gone and new'
deployment us-east-1a,us-east-1b box >other.yaml <<'END'
  - {name: a, memory: 600, desiredCount: 4}
  - {name: c, memory: 300, desiredCount: 1}
  - {name: d, memory: 300, desiredCount: 2}
END
moves size other.yaml --from old.json

echo '== the type is gone, then an AZ'
sed 's/types: \[box\]/types: [crate]/' old.yaml >crates.yaml
moves size crates.yaml --from old.json
sed 's/us-east-1a,us-east-1b/us-east-1b/' old.yaml >one-az.yaml
moves size one-az.yaml --from old.json

echo '== goals in another order'
moves size smaller.yaml --from old.json --objective moves,count
taskfit size smaller.yaml --from old.json --objective moves,count | head -4
moves size smaller.yaml --from old.json --objective count,balance,moves | head -3

echo '== what runs does not fit at the new sizes'
sed 's/memory: 300/memory: 450/' old.yaml >larger.yaml
moves size larger.yaml --from old.json

echo '== two that change places, and no room for either'
swap() { # GROUP_OF_A GROUP_OF_B
    cat <<END
taskfit: 1
cluster:
  instanceTypes: [{type: box, vcpu: 4, registeredMemory: 1000, architecture: x86_64, usdPerHour: 0.5}]
  instanceGroups: [{name: left, types: [box]}, {name: right, types: [box]}]
policy: {rollingDeployment: none, spread: preferred}
services:
  - {name: a, memory: 600, group: $1}
  - {name: b, memory: 600, group: $2}
END
}
swap left right >left.yaml
swap right left >right.yaml
taskfit size left.yaml -o json --out left.json
moves size right.yaml --from left.json
taskfit size right.yaml --from left.json -o json --out right.json
sed -n '/"spareInstance"/,/}/p' right.json
run verify right.json --from left.json

echo '== the same, beside an instance that goes'
sed 's/{name: right, types: \[box\]}/&, {name: more, types: [box]}/; $a\  - {name: c, memory: 300, group: more}' left.yaml >left-more.yaml
sed 's/{name: right, types: \[box\]}/&, {name: more, types: [box]}/; s/group: left/group: [left, more]/; $a\  - {name: c, memory: 300, group: left}' right.yaml >right-more.yaml
taskfit size left-more.yaml -o json --out left-more.json
moves size right-more.yaml --from left-more.json
taskfit size right-more.yaml --from left-more.json -o json --out right-more.json
sed -n '/"waitingOn"/,/]/p' right-more.json
run verify right-more.json --from left-more.json

echo '== fit, on as many as run now'
moves fit smaller.yaml --instances 4 --from old.json

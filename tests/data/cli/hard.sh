# A deployment that greedy placement does not solve: sh hard.sh SERVICES [MAX_INSTANCES] prints one of that many services whose
# memory is 25 to 50 % of an instance's, drawn by a fixed linear congruence.
awk -v n="$1" -v max="${2:-10000}" 'BEGIN {
    print "taskfit: 1\ncluster:"
    print "  instanceTypes: [{type: own.one, vcpu: 4, registeredMemory: 10000, architecture: x86_64, usdPerHour: 1}]"
    print "  instanceGroups: [{name: main, types: [own.one], max: " max "}]\nservices:"
    for (x = i = 1; i <= n; i++) {
        x = (x * 1103 + 12345) % 65536
        print "  - {name: s" i ", memory: " 2500 + x % 2501 "}"
    }
}'

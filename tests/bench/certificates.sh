#!/bin/sh
# tests/bench/certificates.sh BUILD: a table of FOLIO-like sets (plans proved exact, with a certificate, refused by the
# check, the largest certificate, the slowest check) from build/certificates, whose lines go to standard error.
set -eu
build=$1
run() { # name, services, menus, rungs, goals, seeds
    for n in $2; do for menu in $3; do for cpu in low mix; do for replicas in 2 3 mixed; do for rung in $4; do for goal in $5; do
        "$build/certificates" "$n" "$menu" "$cpu" "$replicas" "$rung" "$goal" $6
    done; done; done; done; done; done | tee /dev/stderr | awk -F, -v name="$1" '
        $4 == "exact" { exact++; n += $5 == "yes" }
        $5 == "refused" { refused++ }
        { runs++ }
        $7 > bytes { bytes = $7 }
        $9 > found { found = $9 }
        $10 > slowest { slowest = $10 }
        END { printf "| %s | %d | %d | %d | %d | %.1f | %.2f | %.0f |\n", name, runs, exact, n, refused, bytes / 1000, found, slowest }'
}
echo "| set | plans | proved exact | with certificate | refused | kB at most | found in s at most | checked in ms at most |"
echo "|---|---|---|---|---|---|---|---|"
one="m6i r7g"
run "one type, spread" "60 100 150" "$one" spread count "1 2 3"
run "one type, rolling" "60 150" "$one" rolling count "1 2"
run "one type, rolling, 5 % headroom" "60 150" "$one" headroom count 1
run "one type, allServices" 60 "$one" all count "1 2"
run "one type, surviveLoss: instance" "60 150" "$one" survive count 1
run "one type, surviveLoss: availabilityZone" "60 150" "$one" az count 1
run "3, 4, 7 types in a mix, cheapest" "60 100 150" "three four seven" spread cost 1
run "7 types, one of them; two groups of two" "60 150" "single groups" spread "cost count" 1
run "4 types in a mix, rolling, surviving" 60 four "rolling survive az" cost 1

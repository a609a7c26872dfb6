#!/bin/sh
# make bench [BENCH_DIR=folder]: FOLIO-like deployments and every .vbp file of the folder through the stages of solve/.
# CSV on standard output: instance,instances,lower_bound,stage,cpu_seconds,peak_mib; then, on standard error, what differs
# from tests/bench/baseline.csv: another number of instances, another bound, or more than twice the time (and over 0.1 s).
set -eu
build=$1
folder=${2:-}
here=$(dirname "$0")
out=$(mktemp)
trap 'rm -f "$out"' EXIT
{
    echo "instance,instances,lower_bound,stage,cpu_seconds,peak_mib"
    for services in 60 100 150 400 1000; do
        for type in m6i r7g; do
            for cpu in low mix; do
                "$build/folio" $services $type $cpu 2 1 2 3
                "$build/folio" $services $type $cpu 3 1 2
            done
        done
    done
    for type in m6i r7g; do
        for cpu in low mix; do
            "$build/folio" 150 $type $cpu mixed 1 2 3
        done
    done
    "$build/folio" 10000 r7g low 20 1
    if [ -n "$folder" ]; then
        find "$folder" -name '*.vbp' | sort | xargs -r "$build/vbp"
    fi
} | tee "$out"
awk -F, 'NR == FNR { n[$1] = $2; bound[$1] = $3; time[$1] = $5; next }
    $1 in n && n[$1] != $2 { print "bench: " $1 ": " $2 " instances, were " n[$1] }
    $1 in n && bound[$1] != $3 { print "bench: " $1 ": bound " $3 ", was " bound[$1] }
    FNR > 1 && $1 in n && $5 > 2 * time[$1] && $5 > 0.1 { print "bench: " $1 ": " $5 " s, were " time[$1] }' \
    "$here/baseline.csv" "$out" >&2

#!/bin/sh
# sh tests/bench/bench.sh FOLDER_OF_PROGRAMS [BENCH_DIR]: see README.md. CSV on standard output, differences from baseline.csv and a
# summary on standard error. ONLY=REGEX: only instances whose names match. Limits are CPU time: LIMIT seconds for taskfit (default 60),
# and for glpsol and cbc where PEERS=1.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
PATH=$(cd "$1" && pwd):$PATH
folder=${2:-}
limit=${LIMIT:-60}
peers=${PEERS:-}
only=${ONLY:-}
LC_ALL=C
export PATH LC_ALL
for variable in $(env | sed -n 's/^\(TASKFIT_[A-Z_]*\)=.*/\1/p'); do
    unset "$variable"
done
if [ -n "$folder" ] && [ ! -d "$folder" ]; then
    echo "bench: '$folder' is no folder" >&2
    exit 2
fi
for program in ${peers:+glpsol cbc}; do
    command -v "$program" >/dev/null || { echo "bench: no $program (.ci/packages test installs it)" >&2 && exit 1; }
done
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

# ---- one instance, one line: instance,plan,bound,stage,cpu_seconds,peak_mib ----

# failed NAME: no plan, and why
failed() {
    grep -v '^taskfit: read ' log | sed "s/^/bench: $1: /;q" >&2
    echo "$1,,,failed,,"
}

# field NAME: of the plan's document
field() { sed -n "s/^	\"$1\":	\"\{0,1\}\([0-9.]*\)\"\{0,1\},\{0,1\}\$/\1/p" plan.json; }

# deployment NAME FILE
deployment() {
    meter cost "$limit" taskfit size "$2" --no-ladder --time-limit 100000 -v -o json >plan.json 2>log || true
    stage=$(sed -n "s/^taskfit: rung .* by \([^,]*\),.*/\1/p" log | tail -n 1)
    [ -s plan.json ] || { failed "$1" && return; }
    if grep -q 'objective: \[cost' "$2"; then
        echo "$1,$(field costUsdPerHour),$(field lowerBoundUsdPerHour),$stage,$(cat cost)"
    else
        echo "$1,$(field instances),$(field lowerBound),$stage,$(cat cost)"
    fi
}

# packing NAME FILE
packing() {
    vbp "$2" --time-limit "$limit" >line 2>log || { failed "$1" && return; }
    echo "$1,$(cut -d, -f2- line)"
}

# ---- the compact model by other solvers: plan,bound,cpu_seconds each ----

by_glpsol() {
    rm -f solution
    meter cost "$limit" glpsol --lp model.lp -o solution >log 2>&1 || true
    [ -e solution ] || : >solution # interrupted: the last line of its search tells
    awk -v cpu="$(cut -d, -f1 cost)" '
        /mip =/ { n = $0; sub(/.*(mip =|>>>>>) */, "", n); plan = n ~ /^not/ ? "" : n + 0; sub(/.*>= */, "", n); bound = n ~ /^[-0-9]/ ? n : bound }
        />>>>>/ { n = $0; sub(/.*>>>>> */, "", n); plan = n + 0 }
        /^Status: *INTEGER OPTIMAL/ { proved = 1 }
        /^Objective:/ && proved { sub(/.*= */, ""); plan = bound = $1 + 0 }
        END { printf "%s,%s,%s", plan, bound == "" ? "" : bound + 0, cpu }' log solution
}

by_cbc() {
    meter cost "$((limit + 5))" cbc model.lp -timeMode cpu -sec "$limit" -solve >log 2>&1 || true
    awk -v cpu="$(cut -d, -f1 cost)" '
        /^Result - Optimal/ { proved = 1 }
        /^No feasible solution found/ { none = 1 }
        /^Objective value:/ { plan = $3 + 0 }
        /^Lower bound:/ { bound = $3 + 0 }
        END { if (none) plan = ""; if (proved) bound = plan; printf "%s,%s,%s", plan, bound, cpu }' log
}

# others FILE: what glpsol and cbc make of it
others() {
    case $2 in
        *.vbp) "$here/deployment.py" "$2" >other.yaml ;;
        *) cp "$2" other.yaml ;;
    esac
    taskfit model other.yaml --write lp >model.lp 2>log || { failed "$1" >/dev/null && echo ",,,,," && return; }
    echo "$(by_glpsol),$(by_cbc)"
}

# ---- the sets ----

wanted() { [ -z "$only" ] || echo "$1" | grep -q -E -e "$only"; }

# row SET KIND NAME FILE: the line with its set, and the peers where the instance is in the sample
row() {
    line=$("$2" "$3" "$4")
    compared=
    if [ -n "$peers" ] && grep -qx "$3" "$here/sample"; then
        compared=$(others "$3" "$4")
    fi
    echo "$line,$1,${compared:-,,,,,}" | finish
}

folio() { # SET SERVICES MENU CPU REPLICAS SEED
    name=F_$2_$3_$4_r$5_$6
    wanted "$name" || return 0
    generate folio "$2" "$3" "$4" "$5" "$6" >"$work/it.yaml"
    row "$1" deployment "$name" "$work/it.yaml"
}

folios() {
    for services in 60 100 150 400 1000; do
        size="60-150"
        [ "$services" -le 150 ] || size="400-1000"
        for type in m6i r7g; do
            for cpu in low mix; do
                for seed in 1 2 3; do
                    folio "FOLIO-like $size services of 2" "$services" "$type" "$cpu" 2 "$seed"
                done
                for seed in 1 2; do
                    folio "FOLIO-like $size services of 3" "$services" "$type" "$cpu" 3 "$seed"
                done
            done
        done
    done
    for type in m6i r7g; do
        for cpu in low mix; do
            for seed in 1 2 3; do
                folio "FOLIO-like 150 services of 1 to 6" 150 "$type" "$cpu" mixed "$seed"
            done
        done
    done
    folio "FOLIO-like 1 service" 1 r7g low 2 1
    folio "FOLIO-like 10000 services" 10000 r7g low 20 1
    folio "FOLIO-like 10000 services" 10000 r7g mix mixed 1
    for menu in menu3 menu4 menu7; do
        for cpu in low mix; do
            for services in 60 100 150; do
                folio "FOLIO-like cheapest of 3 to 7 types" "$services" "$menu" "$cpu" 2 1
            done
        done
        folio "FOLIO-like cheapest of 3 to 7 types 400" 400 "$menu" low 2 1
    done
}

caprara_toth() {
    for class in 1 2 3 4 5 6 7 8 9 10; do
        for items in 25 50 100 200; do
            [ "$class" -ne 10 ] || items=$((items / 3 * 3 + 3 * (items % 3 / 2)))
            name=$(printf 'CT_%02d_%03d_s1' "$class" "$items")
            wanted "$name" || continue
            generate caprara-toth "$class" "$items" 1 >"$work/it.vbp"
            row "Caprara-Toth generated" packing "$name" "$work/it.vbp"
        done
    done
}

examples() {
    for file in "$root"/examples/*.yaml; do
        wanted "${file##*/}" || continue
        row examples deployment "${file##*/}" "$file"
    done
}

given() {
    find "$folder" -name '*.vbp' -o -name '*.json' -o -name '*.yaml' -o -name '*.yml' | sort | while read -r file; do
        name=${file##*/}
        wanted "$name" || continue
        set="${file%/*}" && set="${set##*/} .${name##*.}"
        case $name in
            *.vbp) row "$set" packing "$name" "$file" ;;
            *.json)
                if "$here/deployment.py" "$file" >"$work/it.yaml"; then
                    row "$set" deployment "$name" "$work/it.yaml"
                else
                    row "$set" deployment "$name" "$file"
                fi
                ;;
            *) row "$set" deployment "$name" "$file" ;;
        esac
    done
}

known=
if [ -n "$folder" ]; then
    folder=$(cd "$OLDPWD" && cd "$folder" && pwd)
    known=$(find "$folder" -name known.csv)
fi
calibration=$(meter --calibrate)

# rows as they come, then the summary
finish() { KNOWN=$known awk -v baseline="$here/baseline.csv" -v calibration="$calibration" -f "$here/row.awk"; }
{
    echo "instance,plan,bound,stage,cpu_seconds,peak_mib,ratio,set,glpsol_plan,glpsol_bound,glpsol_cpu_seconds,cbc_plan,cbc_bound,cbc_cpu_seconds"
    echo "calibration,,,,$calibration,,,,,,,," | finish
    if [ -n "$folder" ]; then
        given
    else
        folios
        caprara_toth
        examples
    fi
} | tee rows
awk -v limit="$limit" -f "$here/summary.awk" rows >&2

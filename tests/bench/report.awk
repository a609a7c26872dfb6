# Lines of bench.sh (instance,plan,bound,stage,cpu_seconds,peak_mib,set and six columns of the peers), the first a calibration,
# become the CSV that `make bench` prints: with a ratio of CPU seconds to the baseline, both in units of their calibration.
# Differences and a summary go to standard error. Never fails on a time.
BEGIN {
    FS = OFS = ","
    LEAST_S = 0.05 # below, ratios are noise
    print "instance,plan,bound,stage,cpu_seconds,peak_mib,ratio,set,glpsol_plan,glpsol_bound,glpsol_cpu_seconds,cbc_plan,cbc_bound,cbc_cpu_seconds"
    while ((getline line < baseline) > 0) {
        split(line, at, ",")
        was_plan[at[1]] = at[2]
        was_bound[at[1]] = at[3]
        was_time[at[1]] = at[5]
    }
    n_files = split(known, files, "\n")
    for (i = 1; i <= n_files; i++) {
        while ((getline line < files[i]) > 0) {
            split(line, at, ",")
            known_bound[at[1]] = at[2]
            known_plan[at[1]] = at[3]
        }
    }
}

function tell(text) { print "bench: " text > "/dev/stderr" }
function larger(a, b) { return a > b ? a : b }

# A peer that reached the limit counts with it, so the ratio says at least so much.
function compare(peer, plan, bound, cpu) {
    n_compared[peer]++
    n_proved_by[peer] += plan != "" && plan == bound
    n_best_by[peer] += plan != "" && plan + 0 <= $2 + 0
    log_sum[peer] += log(larger(cpu, 0.001) / larger($5, 0.001))
    if (plan != "" && plan + 0 < $3 + 0) {
        tell($1 ": " peer " has a plan of " plan " below our bound " $3)
    }
    if (bound != "" && bound > $2 + 1e-6) {
        tell($1 ": " peer " has a bound of " bound " above our plan " $2)
    }
}

$1 == "calibration" {
    speed = was_time[$1] > 0 ? $5 / was_time[$1] : 1
    print $1, "", "", "", $5, "", sprintf("%.2f", speed), "", "", "", "", "", "", ""
    next
}

{
    ratio = ""
    if ($1 in was_time) {
        if ($2 != was_plan[$1] || $3 != was_bound[$1]) {
            tell($1 ": plan " $2 ", bound " $3 "; were " was_plan[$1] ", " was_bound[$1])
        }
        if (larger($5, was_time[$1]) >= LEAST_S) {
            ratio = sprintf("%.2f", larger($5, 0.001) / larger(was_time[$1], 0.001) / speed)
            ratios[++n_ratios] = ratio
            ratio_log += log(larger(ratio, 0.001))
            if (ratio > 2 || ratio < 0.5) {
                tell($1 ": " $5 " s, were " was_time[$1] " (ratio " ratio ")")
            }
        }
    }
    if ($1 in known_plan && ($3 > known_plan[$1] || ($2 != "" && $2 < known_bound[$1]))) {
        tell($1 ": plan " $2 ", bound " $3 " contradict the known " known_plan[$1] ", " known_bound[$1])
    }
    print $1, $2, $3, $4, $5, $6, ratio, $7, $8, $9, $10, $11, $12, $13
    fflush()
    if (!($7 in n)) {
        sets[++n_sets] = $7
    }
    times[$7, ++n[$7]] = $5 + 0
    n_proved[$7] += $2 != "" && $2 == $3
    n_second[$7] += $2 != "" && $2 == $3 && $5 <= 1
    peak[$7] = larger(peak[$7] + 0, $6 + 0)
    total += $5
    if ($10 != "") {
        compare("glpsol", $8, $9, $10)
        compare("cbc", $11, $12, $13)
    }
}

function sort_times(set,    i, j, t) {
    for (i = 2; i <= n[set]; i++) {
        t = times[set, i]
        for (j = i - 1; j > 0 && times[set, j] > t; j--) {
            times[set, j + 1] = times[set, j]
        }
        times[set, j + 1] = t
    }
}

END {
    if (n_sets == 0) {
        tell("nothing to pack")
        exit
    }
    tell("set: proved of all, of these within 1 s; CPU seconds median, worst; peak MiB")
    for (i = 1; i <= n_sets; i++) {
        set = sets[i]
        sort_times(set)
        tell(sprintf("%s: %d of %d, %d; %.3f, %.3f; %d", set, n_proved[set], n[set], n_second[set], times[set, int((n[set] + 1) / 2)],
                     times[set, n[set]], peak[set]))
    }
    tell(sprintf("%.1f CPU seconds in all", total))
    if (n_ratios > 0) {
        tell(sprintf("CPU seconds to the baseline, geometric mean of %d that take %g s and more: %.2f", n_ratios, LEAST_S, exp(ratio_log / n_ratios)))
    }
    for (i = split("glpsol cbc", peers, " "); i > 0; i--) {
        peer = peers[i]
        if (n_compared[peer] == 0) {
            continue
        }
        tell(sprintf("%s on the compact model, limit %d s: %d of %d proved, %d plans as good as ours; CPU seconds to ours, geometric mean, at least: %.1f", peer,
                     limit, n_proved_by[peer], n_compared[peer], n_best_by[peer], exp(log_sum[peer] / n_compared[peer])))
    }
}

# Sums up the CSV of bench.sh, set by set. Variable: limit (CPU seconds of each peer).
BEGIN { FS = "," }

function tell(text) { print "bench: " text }
function larger(a, b) { return a > b ? a : b }

# A peer that reached the limit counts with it, so the ratio says at least so much.
function compare(peer, plan, bound, cpu) {
    n_compared[peer]++
    n_proved_by[peer] += plan != "" && plan == bound
    n_as_good[peer] += plan != "" && plan <= $2 + 1e-6
    log_sum[peer] += log(larger(cpu, 0.001) / larger($5, 0.001))
}

$1 == "instance" || $1 == "calibration" { next }

{
    if (!($8 in n)) {
        sets[++n_sets] = $8
    }
    times[$8, ++n[$8]] = $5 + 0
    n_proved[$8] += $2 != "" && $2 == $3
    n_second[$8] += $2 != "" && $2 == $3 && $5 <= 1
    peak[$8] = larger(peak[$8] + 0, $6 + 0)
    total += $5
    if ($7 != "") {
        n_ratios++
        ratio_log += log(larger($7, 0.001))
    }
    if ($11 != "") {
        compare("glpsol", $9, $10, $11)
        compare("cbc", $12, $13, $14)
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
        tell(sprintf("CPU seconds to the baseline, geometric mean of the %d with a ratio: %.2f", n_ratios, exp(ratio_log / n_ratios)))
    }
    for (i = split("glpsol cbc", peers, " "); i > 0; i--) {
        peer = peers[i]
        if (n_compared[peer] > 0) {
            tell(sprintf("%s on the compact model, limit %d s: %d of %d proved, %d plans as good as ours; CPU seconds to ours, geometric mean, at least: %.1f", peer,
                         limit, n_proved_by[peer], n_compared[peer], n_as_good[peer], exp(log_sum[peer] / n_compared[peer])))
        }
    }
}

# A line of bench.sh (instance,plan,bound,stage,cpu_seconds,peak_mib,set and six columns of the peers) becomes a row of the CSV: with a ratio
# of its CPU seconds to the baseline's, both in units of their calibration. Differences go to standard error; no time is ever an error.
# Variables: baseline, calibration (CPU seconds of this run); environment: KNOWN, files of known results, one on a line.
BEGIN {
    FS = OFS = ","
    LEAST_S = 0.05 # below, ratios are noise
    while ((getline line < baseline) > 0) {
        split(line, at, ",")
        was_plan[at[1]] = at[2]
        was_bound[at[1]] = at[3]
        was_time[at[1]] = at[5]
    }
    n_files = split(ENVIRON["KNOWN"], files, "\n")
    for (i = 1; i <= n_files; i++) {
        while ((getline line < files[i]) > 0) {
            split(line, at, ",")
            known_bound[at[1]] = at[2]
            known_plan[at[1]] = at[3]
        }
    }
    speed = was_time["calibration"] > 0 ? calibration / was_time["calibration"] : 1
}

function tell(text) { print "bench: " text > "/dev/stderr" }
function larger(a, b) { return a > b ? a : b }

function check_peer(peer, plan, bound) {
    if (plan != "" && plan + 1e-6 < $3) {
        tell($1 ": " peer " has a plan of " plan " below our bound " $3)
    }
    if (bound != "" && bound > $2 + 1e-6) {
        tell($1 ": " peer " has a bound of " bound " above our plan " $2)
    }
}

{
    ratio = $1 == "calibration" ? sprintf("%.2f", speed) : ""
    if ($1 in was_time && $1 != "calibration") {
        if ($2 != was_plan[$1] || $3 != was_bound[$1]) {
            tell($1 ": plan " $2 ", bound " $3 "; were " was_plan[$1] ", " was_bound[$1])
        }
        if (larger($5 + 0, was_time[$1] + 0) >= LEAST_S) {
            ratio = sprintf("%.2f", larger($5, 0.001) / larger(was_time[$1], 0.001) / speed)
            if (ratio > 2 || ratio < 0.5) {
                tell($1 ": " $5 " s, were " was_time[$1] " (ratio " ratio ")")
            }
        }
    }
    if ($1 in known_plan && ($3 + 0 > known_plan[$1] + 0 || ($2 != "" && $2 + 0 < known_bound[$1] + 0))) {
        tell($1 ": plan " $2 ", bound " $3 " contradict the known " known_plan[$1] ", " known_bound[$1])
    }
    check_peer("glpsol", $8, $9)
    check_peer("cbc", $11, $12)
    print $1, $2, $3, $4, $5, $6, ratio, $7, $8, $9, $10, $11, $12, $13
}

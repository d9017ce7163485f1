# Turns the measurements that scripts/bench stored into one row per application.
#
# Standard output: tab-separated, with a heading. The file named in `table`: the
# same for people, with geometric means and maxima. `from` is the first iteration
# that counts as steady, `heading` the first line of the table.
#
# A time is the median over all runs; a slowdown is the agent's median divided by
# the plain one. "wall" is time by the clock, "cpu" processor time of all threads,
# which is steadier on a machine that does other things too.

BEGIN { FS = "\t" }

$1 == "iteration" || $1 == "process" || $1 == "profile" || $1 == "fault" {
    if (!($2 in position)) {
        position[$2] = ++apps
        name[apps] = $2
    }
}
$1 == "iteration" && $5 >= from { add($2 SUBSEP $4 SUBSEP "steady", $6, $7) }
$1 == "process" { add($2 SUBSEP $4 SUBSEP "process", $6, $7) }
$1 == "profile" {
    # Runs of one application may differ by a few contexts; the last one stands
    # for all of them.
    contexts[$2] = $4
    sites[$2] = $5
    recording[$2] = $6
    file[$2] = $7
}
$1 == "fault" { faults[$2]++ }

function add(key, wall, cpu) {
    count[key]++
    times[key, "wall", count[key]] = wall
    times[key, "cpu", count[key]] = cpu
}

# Median of the collected times in milliseconds, or "" if there are none.
function median(key, clock, n, i, j, value, sorted) {
    n = count[key]
    for (i = 1; i <= n; i++) {
        value = times[key, clock, i] + 0
        for (j = i - 1; j >= 1 && sorted[j] > value; j--) {
            sorted[j + 1] = sorted[j]
        }
        sorted[j + 1] = value
    }
    if (n == 0) {
        return ""
    }
    return n % 2 ? sorted[(n + 1) / 2] : (sorted[n / 2] + sorted[n / 2 + 1]) / 2
}

function ratio(over, under) {
    return over == "" || under == "" || under == 0 ? "" : over / under
}

# Remembers a slowdown for the last lines of the table.
function note(column, value) {
    if (value != "") {
        logarithms[column] += log(value)
        noted[column]++
        if (value > maximum[column]) {
            maximum[column] = value
        }
    }
    return value
}

function shown(format, value) {
    return value == "" ? "-" : sprintf(format, value)
}

function geometric_mean(column) {
    return noted[column] ? exp(logarithms[column] / noted[column]) : ""
}

END {
    print "app\tsteady_plain_ms\tsteady_agent_ms\tsteady_slowdown\tsteady_cpu_slowdown" \
        "\tprocess_plain_ms\tprocess_agent_ms\tprocess_slowdown\tprocess_cpu_slowdown" \
        "\tcontexts\tcontexts_call_sites\tbytes_per_context_running\tbytes_per_context_on_disk\tfile_bytes\tfaults"
    print heading > table
    printf "%-14s %27s %6s %25s %6s %11s %11s %6s %6s %8s  %s\n", "", "steady, ms per iteration", "",
        "whole process, ms", "", "", "with call", "bytes", "per", "file", "" > table
    printf "%-14s %9s %9s %7s %6s %9s %7s %7s %6s %11s %11s %6s %6s %8s  %s\n", "app", "plain", "agent", "times",
        "cpu", "plain", "agent", "times", "cpu", "contexts", "sites", "run", "disk", "MB", "outputs" > table
    for (i = 1; i <= apps; i++) {
        app = name[i]
        plain = median(app SUBSEP "plain" SUBSEP "steady", "wall")
        agent = median(app SUBSEP "agent" SUBSEP "steady", "wall")
        steady = note("steady", ratio(agent, plain))
        steady_cpu = note("steady cpu", ratio(median(app SUBSEP "agent" SUBSEP "steady", "cpu"),
            median(app SUBSEP "plain" SUBSEP "steady", "cpu")))
        process_plain = median(app SUBSEP "plain" SUBSEP "process", "wall")
        process_agent = median(app SUBSEP "agent" SUBSEP "process", "wall")
        process = note("process", ratio(process_agent, process_plain))
        process_cpu = note("process cpu", ratio(median(app SUBSEP "agent" SUBSEP "process", "cpu"),
            median(app SUBSEP "plain" SUBSEP "process", "cpu")))
        running = ratio(recording[app], sites[app])
        disk = ratio(file[app], sites[app])
        print app "\t" plain "\t" agent "\t" steady "\t" steady_cpu "\t" process_plain "\t" process_agent "\t" process \
            "\t" process_cpu "\t" contexts[app] "\t" sites[app] "\t" running "\t" disk "\t" file[app] "\t" faults[app] + 0
        printf "%-14s %9s %9s %7s %6s %9s %7s %7s %6s %11s %11s %6s %6s %8s  %s\n", app,
            shown("%.0f", plain), shown("%.0f", agent), shown("%.2f", steady), shown("%.2f", steady_cpu),
            shown("%.0f", process_plain), shown("%.0f", process_agent), shown("%.2f", process), shown("%.2f", process_cpu),
            shown("%d", contexts[app]), shown("%d", sites[app]), shown("%.1f", running), shown("%.1f", disk),
            shown("%.1f", file[app] == "" ? "" : file[app] / 1e6), faults[app] ? "WRONG" : "equal" > table
    }
    printf "%-14s %9s %9s %7s %6s %9s %7s %7s %6s\n", "geometric mean", "", "",
        shown("%.2f", geometric_mean("steady")), shown("%.2f", geometric_mean("steady cpu")), "", "",
        shown("%.2f", geometric_mean("process")), shown("%.2f", geometric_mean("process cpu")) > table
    printf "%-14s %9s %9s %7s %6s %9s %7s %7s %6s\n", "maximum", "", "",
        shown("%.2f", maximum["steady"]), shown("%.2f", maximum["steady cpu"]), "", "",
        shown("%.2f", maximum["process"]), shown("%.2f", maximum["process cpu"]) > table
}

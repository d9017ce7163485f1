# Collects the measurements that bench/programs stored, for the programs that make
# tables of them (awk -f times.awk -f TABLE).
#
# A time is told by application, variant (how the JVM was started), moment and
# clock. Moments are "first" and "fifth", the iterations of that number; "steady",
# the mean of the middle half of a run's last window of iterations; "ten", the
# whole process as if it had ended behind its tenth iteration. Clocks are "wall"
# and "cpu", processor time of all threads. What is told is the median over runs.

BEGIN { FS = "\t" }

/^#/ { next }

# What is said of a variant, and of no application.
$2 != "-" && !($2 in position) {
    position[$2] = ++apps
    name[apps] = $2
}
$1 == "iteration" {
    run_key = $2 SUBSEP $3 SUBSEP $4
    number = $5
    iterations[run_key] = number
    wall[run_key, number] = $6
    cpu[run_key, number] = $7
    compilers[run_key, number] = $9
}
# Comes behind the iterations of its run.
$1 == "window" {
    run_key = $2 SUBSEP $3 SUBSEP $4
    variant_key = $2 SUBSEP $4
    runs[variant_key]++
    if ($6 != "steady") {
        unsteady[variant_key]++
    }
    add(variant_key, "from", "wall", $5)
    end = iterations[run_key]
    for (number = 1; number <= 5; number += 4) {
        if (number <= end) {
            add(variant_key, number == 1 ? "first" : "fifth", "wall", wall[run_key, number])
            add(variant_key, number == 1 ? "first" : "fifth", "cpu", cpu[run_key, number])
        }
    }
    delete walls
    delete cpus
    window = 0
    compiled = all = 0
    for (number = $5; number <= end; number++) {
        walls[++window] = wall[run_key, number]
        cpus[window] = cpu[run_key, number]
        compiled += compilers[run_key, number]
        all += cpu[run_key, number]
    }
    add(variant_key, "steady", "wall", middle_half(walls, window))
    add(variant_key, "steady", "cpu", middle_half(cpus, window))
    if (all > 0) {
        add(variant_key, "compilers", "cpu", 100 * compiled / all)
    }
}
# Comes behind the window of its run.
$1 == "process" {
    run_key = $2 SUBSEP $3 SUBSEP $4
    ten_wall = $6
    ten_cpu = $7
    for (number = 11; number <= iterations[run_key]; number++) {
        ten_wall -= wall[run_key, number]
        ten_cpu -= cpu[run_key, number]
    }
    if (iterations[run_key] >= 10) {
        add($2 SUBSEP $4, "ten", "wall", ten_wall)
        add($2 SUBSEP $4, "ten", "cpu", ten_cpu)
    }
}
$1 == "fault" { faults[$2]++ }

function add(key, moment, clock, value, n) {
    n = ++count[key, moment, clock]
    values[key, moment, clock, n] = value + 0
}

# Sorts elements 1 to n.
function sort(list, n, i, j, value) {
    for (i = 2; i <= n; i++) {
        value = list[i]
        for (j = i - 1; j >= 1 && list[j] > value; j--) {
            list[j + 1] = list[j]
        }
        list[j + 1] = value
    }
}

# The interquartile mean, as in tests/apps/harness/Steadiness.java.
function middle_half(list, n, i, left, sum) {
    sort(list, n)
    left = int(n / 4)
    for (i = left + 1; i <= n - left; i++) {
        sum += list[i]
    }
    return sum / (n - 2 * left)
}

# The median over the runs of an application's variant, or "" if there are none.
function at(app, variant, moment, clock, key, n, i, sorted) {
    key = app SUBSEP variant SUBSEP moment SUBSEP clock
    n = count[key]
    if (n == 0) {
        return ""
    }
    for (i = 1; i <= n; i++) {
        sorted[i] = values[key, i]
    }
    sort(sorted, n)
    return n % 2 ? sorted[(n + 1) / 2] : (sorted[n / 2] + sorted[n / 2 + 1]) / 2
}

function ratio(over, under) {
    return over == "" || under == "" || under == 0 ? "" : over / under
}

# How many times as long one variant takes as another; remembered for the last
# lines of a table.
function slowdown(app, variant, base, moment, clock, value, column) {
    value = ratio(at(app, variant, moment, clock), at(app, base, moment, clock))
    column = variant SUBSEP moment SUBSEP clock
    if (value > 0) {
        logarithms[column] += log(value)
        noted[column]++
        if (value > maxima[column]) {
            maxima[column] = value
        }
    }
    return value
}

function geometric_mean(variant, moment, clock, column) {
    column = variant SUBSEP moment SUBSEP clock
    return noted[column] ? exp(logarithms[column] / noted[column]) : ""
}

function maximum(variant, moment, clock) {
    return maxima[variant, moment, clock]
}

function shown(format, value) {
    return value == "" ? "-" : sprintf(format, value)
}

# A star where a run was never steady.
function star(app, variant) {
    if (unsteady[app, variant]) {
        stars[variant] = stars[variant] (stars[variant] == "" ? "" : ", ") app \
            " (" unsteady[app, variant] " of " runs[app, variant] ")"
        return "*"
    }
    return " "
}

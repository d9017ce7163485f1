# Tables of two variants, one row for each application (with times.awk).
#
# Standard output: tab-separated, with a heading. The file named in `table`: the
# same for people, with geometric means and maxima. The file named in `markdown`:
# the table of docs/reference/costs.md. `base` is the variant that the other one, "recorded", is
# compared with, `heading` the first line of the table.

$1 == "profile" && $4 == "recorded" {
    # Runs of one application may differ by a few contexts; the last one stands
    # for all of them.
    contexts[$2] = $5
    sites[$2] = $6
    recording[$2] = $7
    file[$2] = $8
}

END {
    split("first fifth steady ten", moments, " ")
    write_rows()
    write_table()
    write_markdown()
}

function write_rows(i, m, app, moment, line) {
    line = "app"
    for (m = 1; m <= 4; m++) {
        moment = moments[m]
        line = line "\t" moment "_base_ms\t" moment "_recorded_ms\t" moment "_slowdown\t" moment "_cpu_slowdown"
    }
    print line "\tsteady_from_base\tsteady_from_recorded\tunsteady_runs_base\tunsteady_runs_recorded" \
        "\tcompilers_percent_base\tcompilers_percent_recorded" \
        "\tcontexts\tcontexts_call_sites\tbytes_per_context_running\tbytes_per_context_on_disk\tfile_bytes\tfaults"
    for (i = 1; i <= apps; i++) {
        app = name[i]
        line = app
        for (m = 1; m <= 4; m++) {
            moment = moments[m]
            line = line "\t" at(app, base, moment, "wall") "\t" at(app, "recorded", moment, "wall") \
                "\t" slowdown(app, "recorded", base, moment, "wall") "\t" slowdown(app, "recorded", base, moment, "cpu")
        }
        print line "\t" at(app, base, "from", "wall") "\t" at(app, "recorded", "from", "wall") \
            "\t" unsteady[app, base] + 0 "\t" unsteady[app, "recorded"] + 0 \
            "\t" at(app, base, "compilers", "cpu") "\t" at(app, "recorded", "compilers", "cpu") \
            "\t" contexts[app] "\t" sites[app] "\t" ratio(recording[app], sites[app]) \
            "\t" ratio(file[app], sites[app]) "\t" file[app] "\t" faults[app] + 0
    }
}

# What a row says of a moment: "times" for the variants' slowdown over all.
function cells(app, moment, marks) {
    return sprintf(" %7s%s %8s%s %6s %6s", shown("%.0f", at(app, base, moment, "wall")), marks ? star(app, base) : "",
        shown("%.0f", at(app, "recorded", moment, "wall")), marks ? star(app, "recorded") : "",
        shown("%.2f", ratio(at(app, "recorded", moment, "wall"), at(app, base, moment, "wall"))),
        shown("%.2f", ratio(at(app, "recorded", moment, "cpu"), at(app, base, moment, "cpu"))))
}

function last_cells(moment, wall_value, cpu_value, marks) {
    return sprintf(" %7s%s %8s%s %6s %6s", "", marks ? " " : "", "", marks ? " " : "", shown("%.2f", wall_value),
        shown("%.2f", cpu_value))
}

function write_table(i, m, app, line, mean, most) {
    print heading > table
    printf "%-14s %30s %30s %32s %11s %9s %28s\n", "", "first iteration, ms", "fifth iteration, ms",
        "steady, ms an iteration", "steady from", "compilers", "process with ten iter., ms" > table
    line = sprintf("%-14s", "app")
    for (m = 1; m <= 4; m++) {
        line = line sprintf(m == 3 ? " %7s  %8s  %6s %6s" : " %7s %8s %6s %6s", base, "recorded", "times", "cpu")
        if (m == 3) {
            line = line sprintf(" %5s %5s %4s %4s", (base == "plain" ? base : "base"), "rec.", "%", "%")
        }
    }
    print line "  outputs" > table
    for (i = 1; i <= apps; i++) {
        app = name[i]
        printf "%-14s%s%s%s %5s %5s %4s %4s%s  %s\n", app, cells(app, "first"), cells(app, "fifth"),
            cells(app, "steady", 1), shown("%d", at(app, base, "from", "wall")),
            shown("%d", at(app, "recorded", "from", "wall")), shown("%.0f", at(app, base, "compilers", "cpu")),
            shown("%.0f", at(app, "recorded", "compilers", "cpu")), cells(app, "ten"),
            faults[app] ? "WRONG" : "equal" > table
    }
    mean = sprintf("%-14s", "geometric mean")
    most = sprintf("%-14s", "maximum")
    for (m = 1; m <= 4; m++) {
        mean = mean last_cells(moments[m], geometric_mean("recorded", moments[m], "wall"),
            geometric_mean("recorded", moments[m], "cpu"), m == 3) (m == 3 ? sprintf("%22s", "") : "")
        most = most last_cells(moments[m], maximum("recorded", moments[m], "wall"),
            maximum("recorded", moments[m], "cpu"), m == 3) (m == 3 ? sprintf("%22s", "") : "")
    }
    print mean "\n" most > table
    for (m in stars) {
        print "* never steady, so these are the last iterations, " m ": " stars[m] > table
    }
    printf "\n%-14s %11s %16s %15s %8s %8s\n", "app", "contexts", "with call sites", "bytes each, run", "disk",
        "file, MB" > table
    for (i = 1; i <= apps; i++) {
        app = name[i]
        printf "%-14s %11s %16s %15s %8s %8s\n", app, shown("%d", contexts[app]), shown("%d", sites[app]),
            shown("%.1f", ratio(recording[app], sites[app])), shown("%.1f", ratio(file[app], sites[app])),
            shown("%.1f", file[app] == "" ? "" : file[app] / 1e6) > table
    }
}

function write_markdown(i, app, unsure) {
    print "| application | " base ", ms | recorded, ms | ratio | ratio, processor time | ratio, first iteration" \
        " | ratio, fifth iteration | ratio, process with ten iterations | contexts | bytes while running" \
        " | bytes on disk |" > markdown
    print "|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|" > markdown
    for (i = 1; i <= apps; i++) {
        app = name[i]
        unsure = unsteady[app, base] + unsteady[app, "recorded"] ? "*" : ""
        printf "| %s | %s | %s | %s%s | %s | %s | %s | %s | %s | %s | %s |\n", app,
            shown("%.0f", at(app, base, "steady", "wall")), shown("%.0f", at(app, "recorded", "steady", "wall")),
            times(app, "steady", "wall"), unsure, times(app, "steady", "cpu"), times(app, "first", "wall"),
            times(app, "fifth", "wall"), times(app, "ten", "wall"), grouped(contexts[app]),
            shown("%.0f", ratio(recording[app], sites[app])), shown("%.1f", ratio(file[app], sites[app])) > markdown
    }
    markdown_row("geometric mean", "mean")
    markdown_row("worst", "worst")
}

function times(app, moment, clock) {
    return shown("%.2f", ratio(at(app, "recorded", moment, clock), at(app, base, moment, clock)))
}

function markdown_row(title, what) {
    printf "| %s | | | %s | %s | %s | %s | %s | | | |\n", title, overall(what, "steady", "wall"),
        overall(what, "steady", "cpu"), overall(what, "first", "wall"), overall(what, "fifth", "wall"),
        overall(what, "ten", "wall") > markdown
}

function overall(what, moment, clock) {
    return shown("%.2f", what == "mean" ? geometric_mean("recorded", moment, clock) : maximum("recorded", moment, clock))
}

# A whole number with commas.
function grouped(number, text) {
    if (number == "") {
        return "-"
    }
    text = sprintf("%d", number)
    while (text ~ /[0-9][0-9][0-9][0-9]/) {
        match(text, /^[0-9]+/)
        text = substr(text, 1, RLENGTH - 3) "," substr(text, RLENGTH - 2)
    }
    return text
}

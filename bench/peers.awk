# The table of bench/programs --peers: a row for each application and each way to see
# its calls (with times.awk).
#
# Standard output: tab-separated, with a heading. The file named in `table`: the same
# for people, with geometric means. `heading` is the first line of the table.

$1 == "variant" {
    variant_of[++variants] = $4
    title[$4] = $5
    tells[$4] = $6
}
$1 == "peer" { outcome[$2, $4] = $5 }

END {
    print "app\tvariant\tsteady_ms\tsteady_cpu_ms\tfirst_slowdown\tfifth_slowdown\tsteady_slowdown" \
        "\tsteady_cpu_slowdown\tunsteady_runs\toutcome"
    print heading > table
    printf "%-14s %-36s %9s %7s %7s %7s %7s  %s\n", "app", "", "steady,ms", "times", "cpu", "first", "fifth",
        "what came of it" > table
    for (i = 1; i <= apps; i++) {
        app = name[i]
        for (v = 1; v <= variants; v++) {
            variant = variant_of[v]
            steady = slowdown(app, variant, "plain", "steady", "wall")
            steady_cpu = slowdown(app, variant, "plain", "steady", "cpu")
            first = slowdown(app, variant, "plain", "first", "wall")
            fifth = slowdown(app, variant, "plain", "fifth", "wall")
            print app "\t" variant "\t" at(app, variant, "steady", "wall") "\t" at(app, variant, "steady", "cpu") \
                "\t" first "\t" fifth "\t" steady "\t" steady_cpu "\t" unsteady[app, variant] + 0 \
                "\t" outcome[app, variant]
            printf "%-14s %-36s %8s%s %7s %7s %7s %7s  %s\n", v == 1 ? app : "", title[variant],
                shown("%.0f", at(app, variant, "steady", "wall")), star(app, variant), shown("%.2f", steady),
                shown("%.2f", steady_cpu), shown("%.2f", first), shown("%.2f", fifth), outcome[app, variant] > table
        }
    }
    print "* never steady, so these are the last iterations\n" > table
    printf "%-36s %7s %7s  %s\n", "geometric means", "times", "cpu", "what it tells" > table
    for (v = 1; v <= variants; v++) {
        variant = variant_of[v]
        over = noted[variant, "steady", "wall"] + 0
        printf "%-36s %7s %7s  %s%s\n", title[variant], shown("%.2f", geometric_mean(variant, "steady", "wall")),
            shown("%.2f", geometric_mean(variant, "steady", "cpu")), tells[variant],
            over == apps ? "" : " (over " over " of " apps ")" > table
    }
}

"""Whether the runs after cost more than the runs before, beyond chance."""

from subsume_fleet.answers import contexts
from subsume_fleet.answers.documents import SELECTED, VERSION, group, name, one_table
from subsume_fleet.condition import Pattern
from subsume_fleet.errors import FleetError
from subsume_fleet.questions import ask
from subsume_fleet.selection import are_sampled, metric_of, whole


def gate(engine, before, after, *, metric=None, floor=0.01, false_alarms=1.0, classes=None,
         by_context=False, top=0):
    """What ``subsume fleet gate --json`` prints; runs that are not whole are left out.

    ``by_context`` compares calling contexts, paths of methods, in place of methods; then the
    first ``top`` of each list, or all, say by which path they are called.
    """
    if not 0.0 <= floor <= 100.0:
        raise FleetError("--floor is a share in per cent, from 0 to 100")
    if not false_alarms >= 0.0:
        raise FleetError("--false-alarms is a number of methods, 0 or more")
    left_out = 0
    whole_runs = []
    for side, option in ((before, "--from"), (after, "--to")):
        kept, flaws = whole(side)
        left_out += len(side) - len(kept)
        if len(kept) < 2:
            number = "1 run that is" if len(kept) == 1 else f"{len(kept)} runs that are"
            flaws = f" (left out: {flaws})" if flaws else ""
            raise FleetError(
                f"{option} selects {number} whole, where a gate takes two at least{flaws}")
        whole_runs.append(kept)
    before, after = whole_runs
    sampled = are_sampled(before + after)
    metric = metric_of(before + after, metric)
    runs = before + after
    if by_context:
        contexts.check(engine, runs)
    sides = ["before"] * len(before) + ["after"] * len(after)
    selected = [(run["run_id"], side, at) for at, (run, side) in enumerate(zip(runs, sides))]
    engine.table("selected", {**SELECTED, "place": "int"}, selected)
    one_table(engine, "parameters", {
        "metric": ("text", metric),
        "floor": ("real", floor / 100.0),
        "sampled": ("int", int(sampled)),
    })
    rows = ask(engine, "gate_contexts" if by_context else "gate")
    totals = {row["side"]: row for row in engine.rows("select * from totals")}
    of = {verdict: [] for verdict in ("constant", "below", "above", "little", "varying")}
    for row in rows:
        of[row["verdict"]].append(row)
    varying = len(of["above"]) + len(of["little"]) + len(of["varying"])
    expected = varying * chance(len(before), len(after))
    is_tested = expected <= false_alarms
    # By all, shown or not.
    worse = (is_tested and bool(of["above"])) or any(
        row["difference"] > 0 for row in of["constant"])
    if classes is not None:
        wanted = Pattern(classes)
        for listed in ("constant", "above"):
            of[listed] = [row for row in of[listed] if wanted.matches(row["class"])]
    above = [_row(row, len(before), len(after)) for row in of["above"]]
    constant = [_row(row, len(before), len(after)) for row in of["constant"]]
    if by_context:
        for listed, verdict in ((above, "above"), (constant, "constant")):
            shown = of[verdict][: top or None]
            paths = contexts.callers(engine, runs, [row["first"] for row in shown])
            for row, path in zip(listed, paths):
                row["path"] = path
    return {
        **({"by_context": True} if by_context else {}),
        "version": VERSION,
        "metric": metric,
        "before": _total(totals["before"]),
        "after": _total(totals["after"]),
        "runs_left_out": left_out,
        "sampled": sampled,
        "worse": worse,
        "constant": constant,
        "below_floor": len(of["below"]),
        "varying": varying,
        "above": above if is_tested else None,
        "above_below_floor": len(of["little"]) if is_tested else 0,
        "expected_false_alarms": expected,
    }


def chance(before, after):
    """How likely chance alone puts all runs after above all runs before."""
    result = 1.0
    for run in range(1, after + 1):
        result = result * run / (before + run)
    return result


def _total(row):
    return group(row["runs"], row["mean"], row["least"], row["greatest"])


def _row(row, before, after):
    return {
        **name(row),
        "before": group(before, row["mean_before"], row["least_before"], row["greatest_before"]),
        "after": group(after, row["mean_after"], row["least_after"], row["greatest_after"]),
        "difference": row["difference"],
    }

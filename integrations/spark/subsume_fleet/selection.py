"""Which runs of a fleet take part, and on which side."""

from subsume_fleet.errors import FleetError


def in_order(runs):
    """Runs by program and start, as ``subsume fleet`` has them."""
    return sorted(runs, key=lambda run: (run["program"], run["start_millis"], run["run_id"]))


def chosen(runs, conditions):
    """The runs for which all conditions hold, at least one."""
    found = [run for run in runs if all(condition.holds(run) for condition in conditions)]
    if not found:
        raise FleetError("no such run is there" + _unknown(runs, conditions))
    return found


def _unknown(runs, conditions):
    """Names a label that no run has."""
    for condition in conditions:
        if all(condition.value(run) is None for run in runs):
            return f": none has a label '{condition.key}'"
    return ""


def one_program(runs):
    """Refuses runs of several programs, whose costs say nothing of each other."""
    for run in runs:
        if run["program"] != runs[0]["program"]:
            raise FleetError(f"the runs are of {runs[0]['program']} and {run['program']}: "
                             "select one with --where program=NAME")


def sides(runs, conditions, before, after):
    """The runs of two selections, at least one in each and none in both."""
    runs = [run for run in runs if all(condition.holds(run) for condition in conditions)]
    both = []
    for side, option in ((before, "--from"), (after, "--to")):
        found = [run for run in runs if all(condition.holds(run) for condition in side)]
        if not found:
            raise FleetError(f"{option} selects no run" + _unknown(runs, side))
        both.append(found)
    known = {run["run_id"] for run in both[0]}
    for run in both[1]:
        if run["run_id"] in known:
            raise FleetError(f"run {run['run_id']} is on both sides")
    return both


def is_whole(run):
    """Whether nothing is missing, so that its counts can be compared with others."""
    return run["completeness"] == "complete" and run["contexts_lost"] == 0


def whole(runs):
    """The whole runs, and what the others lack, with how many of them do."""
    kinds = {}
    for run in runs:
        flaws = [] if run["completeness"] == "complete" else [
            run["completeness"].replace("_", " ")]
        if run["contexts_lost"] > 0:
            flaws.append("contexts lost")
        if flaws:
            kinds[", ".join(flaws)] = kinds.get(", ".join(flaws), 0) + 1
    lacks = "; ".join(f"{count} {kind}" for kind, count in sorted(kinds.items()))
    return [run for run in runs if is_whole(run)], lacks


METRICS = ("calls", "bytecodes", "allocations")


def metric_of(runs, metric):
    """The cost that is compared: the one that is asked for, or that of the first run."""
    metric = metric or (runs[0]["metric"] if runs else "")
    for run in runs:
        has_it = run[metric] is not None if metric in METRICS else run["metric"] == metric
        if not has_it:
            raise FleetError(f"run {run['run_id']} has no costs of {metric}")
    return metric


SAMPLED = ("Flight Recorder", "pprof", "folded stacks", "thread dumps", "JProfiler's call tree")


def are_sampled(runs):
    """Whether runs are sampled. Samples and counts say nothing of each other."""
    sampled = [run for run in runs if run["origin"] in SAMPLED]
    counted = [run for run in runs if run["origin"] not in SAMPLED]
    if sampled and counted:
        raise FleetError(
            f"runs of {sampled[0]['origin']} are sampled, those of {counted[0]['origin']} are "
            f"counted: select one with --where origin='{counted[0]['origin']}'")
    return bool(sampled)

"""Which value of a label sets runs apart."""

from subsume_fleet.answers.documents import SELECTED, VERSION, group, name, one_table
from subsume_fleet.errors import FleetError
from subsume_fleet.questions import ask
from subsume_fleet.selection import are_sampled, metric_of, whole

# It says of which program runs are, which are not compared.
NOT_COMPARED = "program"


def outliers(engine, runs, *, metric=None):
    """What ``subsume fleet outliers --json`` prints; runs that are not whole are left out."""
    kept, flaws = whole(runs)
    if not kept:
        raise FleetError(f"outliers needs at least one complete run: {flaws}")
    for run in kept:
        if run["program"] != kept[0]["program"]:
            raise FleetError(
                f"the runs are of {kept[0]['program']} and {run['program']}: "
                "select one with --where program=NAME"
            )
    are_sampled(kept)
    metric = metric_of(kept, metric)
    engine.table("selected", SELECTED, [(run["run_id"], "all") for run in kept])
    one_table(engine, "parameters", {"metric": ("text", metric)})
    labels = [
        (run["run_id"], label, value)
        for run in kept
        for label, value in run["labels"].items()
        if label != NOT_COMPARED
    ]
    engine.table("labels", {"run_id": "text", "label": "text", "value": "text"}, labels)
    return {
        "version": VERSION,
        "metric": metric,
        "runs": len(kept),
        "runs_left_out": len(runs) - len(kept),
        "outliers": [_row(row) for row in ask(engine, "outliers")],
    }


def _row(row):
    method = None
    if row["difference"] is not None:
        method = {**name(row), "difference": row["difference"]}
    side = lambda which: group(*(row[f"{part}_{which}"]
                                 for part in ("runs", "mean", "least", "greatest")))
    return {
        "key": row["label"],
        "value": row["value"],
        "with": side("with"),
        "without": side("without"),
        "share": row["share"],
        "apart": bool(row["apart"]),
        "method": method,
    }

"""The subsuming methods of many runs."""

from subsume_fleet.answers.documents import SELECTED, VERSION, name, one_table, whole
from subsume_fleet.condition import Pattern
from subsume_fleet.errors import FleetError
from subsume_fleet.questions import ask
from subsume_fleet.selection import are_sampled

# By its nature it is called from everywhere and calls anything.
REFLECTION = "java.lang.reflect.Method.invoke"
VIRTUAL_ROOT = {"class": "", "name": "<root>", "descriptor": ""}


def methods(engine, runs, *, height=4, distance=4, never=(), every=False, classes=None,
            induced=None):
    """What ``subsume fleet methods --json`` prints of these runs.

    ``induced`` has what methods induce, and what the virtual root does; without it, the
    document is that of ``--summaries``.
    """
    are_sampled(runs)
    for run in runs:
        if run["metric"] != runs[0]["metric"]:
            raise FleetError(
                f"costs are {runs[0]['metric']} in run {runs[0]['run_id']} and "
                f"{run['metric']} in run {run['run_id']}: select runs of one cost"
            )
    engine.table("selected", SELECTED, [(run["run_id"], "all") for run in runs])
    one_table(engine, "parameters", {"height": ("int", height), "distance": ("int", distance)})
    pattern = Pattern(";".join([REFLECTION, *never]))
    names = engine.rows("select distinct m.class, m.name from methods m")
    names = [(row["class"], row["name"]) for row in names]
    engine.table("never", {"class": "text", "name": "text"},
                 [pair for pair in names if pattern.matches(".".join(pair))])
    rows = ask(engine, "methods")
    by_root = 0
    if induced is not None:
        of_method, by_root = induced
        for row in rows:
            row["induced"] = of_method[row["class"], row["name"], row["descriptor"]]
        # What induces most comes first, and before what does not subsume.
        rows.sort(key=lambda row: (
            (0, -row["induced"]) if row["subsuming"] else (1, -whole(row["inclusive"])),
            row["place"],
        ))
    wanted = Pattern(classes) if classes is not None else None
    total = sum(run["total"] for run in runs)
    listed = [
        _method(row, induced is not None)
        for row in rows
        if (every or row["subsuming"]) and (wanted is None or wanted.matches(row["class"]))
    ]
    if by_root > 0 and wanted is None:
        root = {
            **VIRTUAL_ROOT, "height": None, "distance": None, "dominator": None,
            "induced": by_root, "inclusive": total, "exclusive": 0, "calls": None,
            "contexts": 0, "runs": len(runs), "subsuming": True,
        }
        at = sum(1 for row in listed if row["subsuming"] and row["induced"] >= by_root)
        listed.insert(at, root)
    return {
        "version": VERSION,
        "metric": runs[0]["metric"],
        "total": total,
        "runs": len(runs),
        "thresholds": {"height": height, "distance": distance},
        "all": {"methods": len(rows)},
        "subsuming": {"methods": sum(1 for row in rows if row["subsuming"])},
        "methods": listed,
    }


def _method(row, with_induced):
    dominator = (None, name(row, "dominator_"), VIRTUAL_ROOT)[row["dominated_by"]]
    return {
        **name(row),
        "height": row["height"],
        "distance": row["distance"],
        "dominator": dominator,
        "induced": row["induced"] if with_induced else None,
        "inclusive": whole(row["inclusive"]),
        "exclusive": whole(row["exclusive"]),
        "calls": whole(row["calls"]),
        "contexts": whole(row["contexts"]),
        "runs": whole(row["runs"]),
        "subsuming": bool(row["subsuming"]),
    }


def induced_of(native, merged, metric, options):
    """What methods induce in the merged profile, by method, and what the virtual root does."""
    never = [word for method in options.never for word in ("--never", method)]
    document = native.json(
        "methods", merged, "--all", "--metric", metric, "--height", str(options.height),
        "--distance", str(options.distance), *never)
    of_method = {}
    by_root = 0
    for row in document["methods"]:
        if row["name"] == VIRTUAL_ROOT["name"]:
            by_root = row["induced"]
        else:
            of_method[row["class"], row["name"], row["descriptor"]] = row["induced"]
    return of_method, by_root

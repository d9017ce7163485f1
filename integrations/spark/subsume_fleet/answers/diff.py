"""Own and inclusive costs of methods, before and after."""

from math import lcm

from subsume_fleet.answers.documents import SELECTED, VERSION, name, one_table, whole
from subsume_fleet.questions import ask
from subsume_fleet.selection import are_sampled, metric_of


def times(before, after):
    """By what the costs of each side are multiplied, so that both stand for as many runs."""
    runs = lcm(len(before), len(after))
    return runs // len(before), runs // len(after)


def diff(engine, before, after, *, metric=None):
    """Methods whose costs differ. Beside this, ``subsume fleet diff`` says what explains
    the difference, which takes whole profiles."""
    are_sampled(before + after)
    metric = metric_of(before + after, metric)
    selected = [(run["run_id"], "before") for run in before]
    selected += [(run["run_id"], "after") for run in after]
    engine.table("selected", SELECTED, selected)
    times_before, times_after = times(before, after)
    one_table(engine, "parameters", {
        "metric": ("text", metric),
        "times_before": ("int", times_before),
        "times_after": ("int", times_after),
    })
    return {
        "version": VERSION,
        "metric": metric,
        "runs": times_before * len(before),
        "methods": [
            {
                **name(row),
                "exclusive": {"before": whole(row["before"]), "after": whole(row["after"])},
                "inclusive": {
                    "before": whole(row["inclusive_before"]),
                    "after": whole(row["inclusive_after"]),
                },
            }
            for row in ask(engine, "diff")
        ],
    }

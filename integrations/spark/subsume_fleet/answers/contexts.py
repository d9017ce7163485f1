"""Where contexts are: their places in runs, and the methods on their paths."""

from subsume_fleet.answers.documents import name
from subsume_fleet.errors import FleetError
from subsume_fleet.questions import sql

# What `first` multiplies the places of runs by.
RUN = 1 << 32


def check(engine, runs):
    """Fails if the contexts of a run are not in the table."""
    known = {row["run_id"] for row in
             engine.rows("select c.run_id from contexts c where c.place = 0")}
    for run in runs:
        if run["run_id"] not in known:
            raise FleetError(
                f"run {run['run_id']} was added without its contexts, "
                "which 'subsume fleet add --contexts' keeps")


def callers(engine, runs, firsts):
    """The paths of the contexts that first appear at these places, methods from the root.

    It reads what the steps `chosen` and `named` have made of these runs.
    """
    if not firsts:
        return []
    wanted = [(number, runs[first // RUN]["run_id"], first % RUN)
              for number, first in enumerate(firsts)]
    engine.table("wanted", {"number": "int", "run_id": "text", "place": "int"}, wanted)
    paths = [[] for _ in firsts]
    for row in engine.rows(sql("callers")):
        paths[row["number"]].append(name(row))
    return paths

"""Contexts merged by SQL, and the profile that they make."""

from subsume_fleet.answers import contexts
from subsume_fleet.questions import prepare


def query(engine, runs):
    """The SQL that merges the contexts of these runs, in their order."""
    contexts.check(engine, runs)
    selected = [(run["run_id"], at) for at, run in enumerate(runs)]
    engine.table("selected", {"run_id": "text", "place": "int"}, selected)
    return prepare(engine, "merge")


def profile(native, head, table, out):
    """Makes a profile of merged contexts, a Parquet file, and of what the runs' profiles say
    beside theirs, folded."""
    native.run("merge", "--normalise", head, "--contexts", table, "-o", out)

"""The questions: SQL files, and which one reads the results of which others.

An engine has the tables of a fleet and those that a question reads beside them; each step
makes a table of its own name, and the last one is the answer. Only that may have a `with`:
Spark would not know the results of other steps again, and compute them at each use.
"""

from importlib import resources

STEPS = {
    "methods": ("chosen", "named", "facts", "places", "dominated", "methods"),
    "gate": ("chosen", "named", "totals", "spreads", "gate"),
    "diff": ("chosen", "named", "spreads", "diff"),
    "outliers": ("chosen", "named", "outliers"),
    "merge": ("chosen", "named", "merge"),
    "gate_contexts": ("chosen", "named", "totals", ("spreads", "context_spreads"), "gate"),
}


def sql(step):
    """The text of a step."""
    return resources.files("subsume_fleet").joinpath("sql", f"{step}.sql").read_text("utf-8")


def prepare(engine, question):
    """Makes the tables of all steps before the last one; the SQL of that."""
    *before, last = STEPS[question]
    for step in before:
        # What a step makes may stand in for another one.
        name, file = step if isinstance(step, tuple) else (step, step)
        engine.keep(name, sql(file))
    return sql(last)


def ask(engine, question):
    """The rows that answer a question, as dictionaries."""
    return engine.rows(prepare(engine, question))

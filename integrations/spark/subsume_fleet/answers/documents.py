"""Parts of documents that several answers have."""

# Version of the JSON of `subsume`, of which these documents are.
VERSION = 1


def whole(number):
    """An engine's number as a whole one; sums are decimals in some engines."""
    return None if number is None else int(number)


def group(runs, mean, least, greatest):
    """Costs of a group of runs."""
    return {
        "runs": whole(runs),
        "mean": mean,
        "least": whole(least),
        "greatest": whole(greatest),
    }


def name(row, prefix=""):
    """A method."""
    return {part: row[prefix + part] for part in ("class", "name", "descriptor")}


def one_table(engine, table, columns):
    """Gives an engine a table of one row."""
    engine.table(table, {key: kind for key, (kind, _) in columns.items()},
                 [tuple(value for _, value in columns.values())])


def select(engine, runs, side):
    """Rows of the table `selected`."""
    return [(run["run_id"], side) for run in runs]


SELECTED = {"run_id": "text", "side": "text"}

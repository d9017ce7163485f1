"""Where the files of a fleet are: the folders that docs/reference/fleet-tables.md lists."""

import json


def partition(key, value):
    """The name of a partition's folder."""
    if not value:
        return f"{key}=__HIVE_DEFAULT_PARTITION__"
    plain = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_."
    return f"{key}=" + "".join(
        chr(byte) if byte in plain else f"%{byte:02X}" for byte in value.encode()
    )


def folder(root, table, run):
    """The folder of a run's file in a table; that of `methods` has those of its program."""
    path = f"{root}/{table}/{partition('program', run['program'])}"
    return path if table == "methods" else f"{path}/{partition('date', run['run_date'])}"


def folders(root, table, runs):
    """The folders that have the files of these runs, each once."""
    return sorted({folder(root, table, run) for run in runs})


def profile(root, run, table="trees"):
    """The file of a run's profile, or of what is in `heads` of it."""
    return f"{folder(root, table, run)}/{run['run_id']}.subsume.gz"


def with_labels(row):
    """A row of the table `runs`, its labels as a dictionary."""
    return {**row, "labels": json.loads(row["labels"])}

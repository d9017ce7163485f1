"""Whole profiles, folded into one on executors.

Each task folds its share of the archive; then groups of what came out are folded, until
one is left. What lies beside each other stays so, therefore the result is the one that
``subsume merge`` makes of all files in their order.
"""

import gzip
import math
import os
import shutil
import tempfile

from subsume_fleet import dataset, storage
from subsume_fleet.errors import FleetError

# How many partial results are folded at a time.
FAN_IN = 8


def fold(spark, native, root, runs, out, table="trees"):
    """Folds the profiles of these runs into the file `out`; from `heads` they have no contexts."""
    for run in runs:
        if table == "trees" and not run["has_tree"]:
            raise FleetError(f"run {run['run_id']} was added without its profile")
    context = spark.sparkContext
    slices = min(len(runs), max(context.defaultParallelism, math.ceil(len(runs) / 64)))
    paths = [dataset.profile(root.rstrip("/"), run, table) for run in runs]
    if storage.is_store(root):
        store = storage.Store(root.rstrip("/"))
        parts = context.parallelize([path[len(store.address) + 1:] for path in paths], slices)
        read = store.read
    elif "://" in root or root.startswith("file:"):
        place = {path.rsplit("/", 1)[1]: at for at, path in enumerate(paths)}
        files = spark.read.format("binaryFile").load(paths).select("path", "content").rdd
        numbered = files.map(lambda row: (place[row[0].rsplit("/", 1)[1]], bytes(row[1])))
        parts = numbered.sortByKey(numPartitions=slices).values()
        read = lambda content: content
    else:
        parts = context.parallelize(paths, slices)
        read = _read
    parts = parts.mapPartitions(lambda items: _folded(native, map(read, items), True))
    count = slices
    while count > 1:
        groups = math.ceil(count / FAN_IN)
        numbered = parts.mapPartitionsWithIndex(
            lambda at, items: ((at // FAN_IN, (at, item)) for item in items))
        # The number of a group is that of its partition.
        grouped = numbered.partitionBy(groups, lambda group: group)
        parts = grouped.mapPartitions(
            lambda items: _folded(native, (i[1] for i in sorted(v for _, v in items)), False))
        count = groups
    [content] = parts.collect()
    # For the user alone, as the command writes profiles.
    with open(os.open(out, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
        file.write(content)


def _read(path):
    with open(path, "rb") as file:
        return file.read()


def _folded(native, contents, is_archive):
    """The profiles of a task as one, if there are any."""
    folder = tempfile.mkdtemp(prefix="subsume-fleet-")
    try:
        files = []
        for content in contents:
            files.append(os.path.join(folder, f"{len(files)}.subsume"))
            with open(files[-1], "wb") as file:
                file.write(gzip.decompress(content) if is_archive else content)
        if files:
            out = os.path.join(folder, "folded.subsume")
            native.run("merge", "--normalise", *files, "-o", out)
            yield _read(out)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def multiplied(native, file, times, folder):
    """The profile with all costs so many times: it is merged with itself."""
    result = None
    power = file
    made = 0
    while times:
        if times & 1:
            result = power if result is None else _merged(native, [result, power], folder, made)
        times >>= 1
        if times:
            power = _merged(native, [power, power], folder, made + 1)
        made += 2
    return result


def _merged(native, files, folder, number):
    out = os.path.join(folder, f"merged-{number}-{os.path.basename(files[-1])}")
    native.run("merge", *files, "-o", out)
    return out

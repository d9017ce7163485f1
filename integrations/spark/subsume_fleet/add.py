"""Adding profiles to a fleet, on executors."""

import json
import os

from subsume_fleet import storage

# Profiles that one start of the command adds.
BATCH = 16


def add(spark, native, root, files, options):
    """Adds files that executors see by the same paths; what ``subsume fleet add --json``
    prints of them, by file."""
    context = spark.sparkContext
    # The first one makes the table of names that others can share.
    answer = {"added": [], "known": [], "refused": []}
    rest = list(files)
    while rest and not answer["added"]:
        _collect(answer, _add(native, root, [rest.pop(0)], options))
    if rest:
        slices = max(context.defaultParallelism, -(-len(rest) // BATCH))
        parts = context.parallelize(rest, min(slices, len(rest)))
        for part in parts.mapPartitions(
            lambda some: [_add(native, root, list(some), options)]
        ).collect():
            _collect(answer, part)
    return answer


def _collect(answer, part):
    for key in ("added", "known", "refused"):
        answer[key].extend(part.get(key, []))


def _add(native, root, files, options):
    if not files:
        return {}
    if storage.is_store(root):
        return storage.Store(root.rstrip("/")).add(lambda work: _add(native, work, files, options))
    done = native.start("fleet", "add", root, *files, *options, "--json")
    if done.stdout:
        return json.loads(done.stdout)
    lines = done.stderr.strip().splitlines() or [f"exit code {done.returncode}"]
    reason = lines[-1].removeprefix("subsume: ")
    return {"refused": [{"file": file, "reason": reason} for file in files]}


def absolute(path):
    """A path that means the same in any working directory; an address is one."""
    return path if storage.is_store(path) else os.path.abspath(path)

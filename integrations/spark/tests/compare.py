"""Compares what engines answer with what the command says, document by document."""

import gzip
import json
import os
import struct
import subprocess
import tempfile

from subsume_fleet import dataset, merge
from subsume_fleet.answers.diff import diff
from subsume_fleet.answers.gate import gate
from subsume_fleet.answers.methods import methods
from subsume_fleet.answers.outliers import outliers
from subsume_fleet.native import Native


def same(ours, native, where="answer"):
    """Fails where two documents differ. Whose code a method is, tables do not tell."""
    if isinstance(native, dict):
        assert isinstance(ours, dict), f"{where}: {ours!r} is not {native!r}"
        native = {key: value for key, value in native.items() if key in ours or key != "owner"}
        assert ours.keys() == native.keys(), (
            f"{where}: {sorted(ours)} is not {sorted(native)}")
        for key, value in native.items():
            same(ours[key], value, f"{where}.{key}")
    elif isinstance(native, list):
        for at, (one, other) in enumerate(zip(ours, native)):
            same(one, other, f"{where}[{at}]")
        assert len(ours) == len(native), f"{where}: {len(ours)} instead of {len(native)}"
    else:
        assert ours == native and isinstance(ours, bool) == isinstance(native, bool), (
            f"{where}: {ours!r} is not {native!r}")


def same_diff(ours, native, before, after):
    """Compares differences by method with those of ``subsume fleet diff --exclusive``."""
    metric = native["metric"]
    assert ours["metric"] == metric
    assert ours["runs"] % len(before) == 0 and ours["runs"] % len(after) == 0
    expected = {}
    for row in native["methods"]:
        # Methods whose descriptor changed are one there, and two here.
        names = {"before": row["descriptor_before"] or row["descriptor"],
                 "after": row["descriptor"]}
        for side, descriptor in names.items():
            costs = expected.setdefault((row["class"], row["name"], descriptor), {
                "exclusive": {"before": 0, "after": 0}, "inclusive": {"before": 0, "after": 0}})
            costs["exclusive"][side] = row[side]["exclusive"][metric]
            costs["inclusive"][side] = row[side]["inclusive"]
    if any(row["inclusive"]["before"] is None for row in ours["methods"]):
        # The tables have inclusive costs of one metric only.
        for costs in expected.values():
            costs["inclusive"] = {"before": None, "after": None}
    # Others differ in their code or in other costs only.
    expected = {
        method: costs for method, costs in expected.items()
        if any(cost["before"] != cost["after"] for cost in costs.values())}
    found = {
        (row["class"], row["name"], row["descriptor"]):
            {key: row[key] for key in ("exclusive", "inclusive")}
        for row in ours["methods"]}
    assert found.keys() == expected.keys(), (
        f"methods: {sorted(found.keys() ^ expected.keys())[:5]}")
    same([found[method] for method in sorted(found)],
         [expected[method] for method in sorted(found)], "methods")
    by_size = [abs(row["exclusive"]["after"] - row["exclusive"]["before"])
               for row in ours["methods"]]
    assert by_size == sorted(by_size, reverse=True)


def _profiles(root, runs, folder, table):
    """Files of runs, uncompressed."""
    files = []
    for run in runs:
        files.append(os.path.join(folder, f"{table}-{len(files)}.subsume"))
        with gzip.open(dataset.profile(root, run, table)) as packed, open(files[-1], "wb") as file:
            file.write(packed.read())
    return files


def merged(subsume, root, runs, folder):
    """The profiles of runs, merged by the command."""
    out = os.path.join(folder, "merged.subsume")
    Native(subsume).run("merge", "--normalise", *_profiles(root, runs, folder, "trees"), "-o", out)
    return out


def merged_by_sql(engine, subsume, root, runs, folder):
    """The profiles of runs, merged with the contexts by an engine."""
    head, table, out = (os.path.join(folder, file)
                        for file in ("head.subsume", "merged.parquet", "by-sql.subsume"))
    heads = _profiles(root, runs, folder, "heads")
    Native(subsume).run("merge", "--normalise", *heads, "-o", head)
    engine.save(merge.query(engine, runs), table)
    merge.profile(Native(subsume), head, table, out)
    return out


ANSWERS = (("methods", "--all"), ("methods", "--all", "--thread", "main"), ("summary",), ("info",),
           ("tree", "--top", "0"), ("tree", "--call-sites", "--min-percent", "0", "--top", "0"))


def same_profiles(subsume, one, other):
    """Fails where profiles give other answers, or hold other contexts in another order."""
    for question in ANSWERS:
        ours, theirs = (
            _told(subsume, *question, file, each=_without_file) for file in (one, other))
        # Where `same` goes through a document of megabytes, it takes longer than the command.
        if json.dumps(ours) != json.dumps(theirs):
            same(ours, theirs, " ".join(question))
            raise AssertionError(f"{question}: other documents")
    folded = []
    for file in (one, other):
        out = f"{file}.folded"
        Native(subsume).run("export", "--format", "folded", file, "-o", out)
        with open(out, "rb") as lines:
            folded.append(lines.read())
    assert folded[0] == folded[1], "other contexts"
    sizes = [_sizes(file, len(_writer(subsume, file))) for file in (one, other)]
    assert sizes[0] == sizes[1], f"other sizes: {sizes}"


def _told(subsume, *arguments, each=None):
    """What the command says, as JSON, what `each` makes of its objects, or as an error."""
    done = subprocess.run([subsume, *arguments, "--json"], capture_output=True, text=True,
                          check=False)
    if done.returncode:
        return done.stderr.split(": ")[-1]
    return json.loads(done.stdout, object_hook=each)


def _sizes(path, writer):
    """Kinds and sizes of a profile's sections, as docs/reference/format.md describes them: that of the
    run as it is before it is compressed, without the name of the writer."""
    sizes = []
    with open(path, "rb") as file:
        file.seek(16)
        while header := file.read(16):
            kind, _, size = struct.unpack("<IIQ", header)
            payload = file.read(size)
            if kind == 1:
                length = next(at for at, byte in enumerate(payload) if byte < 128) + 1
                size = sum((byte & 127) << 7 * at for at, byte in enumerate(payload[:length]))
                size -= writer
            sizes.append((kind, size))
    return sizes


def _writer(subsume, file):
    return _told(subsume, "info", file)["files"][0]["writer"]


def _without_file(answer):
    """A part of an answer without what it says of a file, rather than of what is in it."""
    for key in ("file", "writer", "bytes"):
        answer.pop(key, None)
    return answer


def contexts_of(answer):
    """The contexts that a gate tells of, by their paths."""
    rows = lambda listed: sorted(
        ([f"{one['class']}.{one['name']}{one['descriptor']}" for one in row["path"]],
         row["difference"]) for row in listed)
    return {"constant": rows(answer["constant"]), "above": rows(answer["above"]),
            "varying": answer["varying"]}


def gate_by_paths(subsume, root, before, after, metric):
    """What a gate says of contexts by its definition, from the costs of paths in each
    profile."""
    sides = [[_paths(subsume, root, run, metric) for run in side] for side in (before, after)]
    answer = {"constant": [], "above": [], "varying": 0}
    for path in set().union(*(run.keys() for side in sides for run in side)):
        ours = [[run.get(path, 0) for run in side] for side in sides]
        means = [sum(costs) / len(costs) for costs in ours]
        difference = means[1] - means[0]
        if all(min(costs) == max(costs) for costs in ours):
            if difference:
                answer["constant"].append((list(path), difference))
            continue
        answer["varying"] += 1
        if (min(ours[1]) > max(ours[0]) and difference >= 0.02 * means[0]):
            answer["above"].append((list(path), difference))
    return {key: sorted(rows) if key != "varying" else rows for key, rows in answer.items()}


def _paths(subsume, root, run, metric):
    """Own costs of the paths of methods of a run."""
    with tempfile.TemporaryDirectory() as folder:
        [file] = _profiles(root, [run], folder, "trees")
        out = os.path.join(folder, "merged.subsume")
        Native(subsume).run("merge", "--normalise", file, "-o", out)
        tree = _told(subsume, "tree", "--metric", metric, "--min-percent", "0", "--top", "0", out)
    paths = []
    for node in tree["nodes"]:
        above = () if node["parent"] is None else paths[node["parent"]]
        paths.append((*above, f"{node['class']}.{node['name']}{node['descriptor']}"))
    return {path: node["exclusive"] for path, node in zip(paths, tree["nodes"])
            if node["exclusive"]}


QUESTIONS = {"methods": methods, "gate": gate, "outliers": outliers, "diff": diff}

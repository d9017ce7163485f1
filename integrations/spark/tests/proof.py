"""Compares every answer about a fleet of real recordings: the command, DuckDB, DataFusion
and Spark.

usage: proof.py SUBSUME FOLDER

FOLDER/profiles has the recordings, named APPLICATION,LIBRARY,VERSION,THREADS,RUN; the
fleet is made beside it.
"""

import contextlib
import io
import json
import os
import subprocess
import sys
import tempfile
import time

import compare
import engines
from subsume_fleet import cli, selection
from subsume_fleet.condition import Condition
from subsume_fleet.spark import SparkEngine, session

SUBSUME, FOLDER = sys.argv[1:]
FLEET = os.path.join(FOLDER, "fleet")


def native(*arguments):
    """What the command says, as JSON."""
    done = subprocess.run([SUBSUME, "fleet", *arguments, "--json"], capture_output=True, text=True,
                          check=False)
    if done.returncode not in (0, 1):
        sys.exit(done.stderr)
    return json.loads(done.stdout)


def add():
    """Adds the recordings, each with its labels."""
    for name in sorted(os.listdir(os.path.join(FOLDER, "profiles"))):
        program, _, version, threads, run = name.removesuffix(".subsume").split(",")
        labels = {"program": program, "host": f"h{int(run) % 3}", "half": "ab"[int(run) % 2]}
        labels |= {key: value for key, value in (("version", version), ("threads", threads))
                   if value != "-"}
        words = [word for key, value in labels.items() for word in ("--label", f"{key}={value}")]
        native("add", FLEET, os.path.join(FOLDER, "profiles", name), *words, "--contexts")


def questions(runs):
    """For each program its versions, oldest first."""
    versions = {}
    for run in runs:
        versions.setdefault(run["program"], set()).add(run["labels"].get("version"))
    for program, of_program in versions.items():
        known = sorted((version for version in of_program if version),
                       key=lambda version: [int(part) for part in version.split(".")])
        sides = [("half=a", "half=b")]
        if len(known) > 1:
            sides.append((f"version={known[0]}", f"version={known[-1]}"))
        yield program, sides


def answers(runs):
    """What the command says, and how an engine is asked the same."""
    runs = selection.in_order(runs)
    everything = [((), runs)]
    for program, sides in questions(runs):
        where = ("--where", f"program={program}")
        of_program = selection.chosen(runs, [Condition(where[1])])
        everything.append((where, of_program))
        yield (f"outliers {program}", native("outliers", FLEET, *where),
               lambda engine, chosen=of_program: compare.outliers(engine, chosen), compare.same)
        for one, other in sides:
            both = selection.sides(of_program, [], [Condition(one)], [Condition(other)])
            words = (*where, "--from", one, "--to", other)
            if min(sum(map(selection.is_whole, side)) for side in both) > 1:
                yield (f"gate {program} {other}", native("gate", FLEET, *words, "--floor", "0"),
                       lambda engine, both=both: compare.gate(engine, *both, floor=0.0),
                       compare.same)
            yield (f"diff {program} {other}", native("diff", FLEET, *words, "--exclusive"),
                   lambda engine, both=both: compare.diff(engine, *both),
                   lambda ours, told, both=both: compare.same_diff(ours, told, *both))
    for where, chosen in everything:
        yield (f"methods {' '.join(where)}",
               native("methods", FLEET, *where, "--summaries", "--all"),
               lambda engine, chosen=chosen: compare.methods(engine, chosen, every=True),
               compare.same)


def contexts(all_engines, runs):
    """Compares merged trees, and what engines say of contexts; how many answers."""
    count = 0
    for program, sides in questions(runs):
        of_program = selection.chosen(runs, [Condition(f"program={program}")])
        with tempfile.TemporaryDirectory(dir=FOLDER) as folder:
            told = compare.merged(SUBSUME, FLEET, of_program, folder)
            for at in all_engines.values():
                ours = compare.merged_by_sql(at, SUBSUME, FLEET, of_program, folder)
                compare.same_profiles(SUBSUME, ours, told)
        one, other = sides[-1]
        both = selection.sides(of_program, [], [Condition(one)], [Condition(other)])
        if min(sum(map(selection.is_whole, side)) for side in both) > 1:
            first, *others = (compare.gate(at, *both, by_context=True, top=20)
                              for at in all_engines.values())
            for document in others:
                compare.same(document, first)
            print(f"{program}, {other}: {len(first['constant'])} contexts changed, "
                  f"{first['varying']} vary, {first['expected_false_alarms']:.2f} false alarms "
                  f"expected, {len(first['above'] or [])} above")
            count += 1
        count += 1
        print(f"merge of contexts, {program}: equal", flush=True)
    return count


def on_spark(*arguments):
    """What `subsume-fleet` says on Spark, as JSON."""
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        cli.main([*arguments, "--master", "local[2]", "--subsume", SUBSUME, "--json"])
    return json.loads(out.getvalue())


def main():
    start = time.monotonic()
    add()
    print(f"added in {time.monotonic() - start:.0f} s", flush=True)
    # Merged trees have some million rows; they come to the driver, which computes them, too.
    os.environ["PYSPARK_SUBMIT_ARGS"] = (
        "--driver-memory 6g --conf spark.ui.enabled=false --conf spark.sql.shuffle.partitions=8 "
        "--conf spark.ui.showConsoleProgress=false pyspark-shell")
    spark = session("local[2]")
    spark.sparkContext.setLogLevel("ERROR")
    on = SparkEngine(spark, FLEET)
    runs = on.runs()
    on.open(runs)
    on.open(runs, ("contexts",))
    all_engines = {"duckdb": engines.DuckDb(FLEET), "datafusion": engines.DataFusion(FLEET),
                   "spark": on}
    seconds = dict.fromkeys(all_engines, 0.0)
    count = 0
    for name, told, ask, compared in answers(runs):
        for engine, at in all_engines.items():
            begun = time.monotonic()
            ours = ask(at)
            seconds[engine] += time.monotonic() - begun
            try:
                compared(ours, told)
            except AssertionError as error:
                sys.exit(f"{name} by {engine}: {error}")
        count += 1
        print(f"{name}: equal", flush=True)
    count += contexts(all_engines, selection.in_order(runs))
    spark.stop()
    for program, sides in questions(runs):
        where = ("--where", f"program={program}")
        for one, other in sides[1:]:
            words = (*where, "--from", one, "--to", other)
            compare.same(on_spark("diff", FLEET, *words), native("diff", FLEET, *words))
            compare.same(on_spark("methods", FLEET, *where), native("methods", FLEET, *where))
            count += 2
            print(f"diff and methods of whole profiles, {program}: equal", flush=True)
    rows = sum(run["contexts"] for run in runs)
    print(f"{count} answers about {len(runs)} runs with {rows:,} contexts are equal; "
          + ", ".join(f"{engine} {taken:.0f} s" for engine, taken in seconds.items()))


if __name__ == "__main__":
    main()

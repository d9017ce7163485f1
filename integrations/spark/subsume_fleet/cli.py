"""The command ``subsume-fleet``: what ``subsume fleet`` does, on Spark."""

import argparse
import contextlib
import json
import os
import re
import shutil
import sys
import tempfile
import warnings

from subsume_fleet import __version__, add, merge, selection, storage, trees
from subsume_fleet.answers import diff, gate, methods, outliers
from subsume_fleet.condition import OF_EVERY_RUN, Condition
from subsume_fleet.errors import FleetError
from subsume_fleet.native import Native
from subsume_fleet.text import TOP, print_added, print_document

FAILURE = 2
WORSE = 1


def arguments():
    """The options; they have the names of those of ``subsume fleet``."""
    parser = argparse.ArgumentParser(
        prog="subsume-fleet", description="Ask a fleet of subsume's profiles, on Apache Spark.",
        epilog="Where Spark runs is told by spark-submit, or by --master.")
    parser.add_argument("--version", action="version", version=f"subsume-fleet {__version__}")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")

    def command(name, text):
        found = commands.add_parser(name, help=text, description=text)
        found.add_argument("fleet", metavar="DIR", help="folder of the fleet, or its address")
        found.add_argument("--master", metavar="URL", help="Spark's master, such as local[4]")
        found.add_argument("--verbose", action="store_true", help="show what Spark prints, too")
        return found

    def native(found):
        found.add_argument("--subsume", metavar="PATH",
                           help="the command subsume on executors [default: that on the path]")
        found.add_argument("--ship", action="store_true",
                           help="send the driver's command subsume to executors")

    def where(found):
        found.add_argument("--where", metavar="KEY=VALUE", action="append", default=[],
                           help="only runs with this label; may be repeated")

    def sides(found):
        where(found)
        found.add_argument("--from", dest="before", metavar="KEY=VALUE", action="append",
                           required=True, help="the runs before; may be repeated")
        found.add_argument("--to", dest="after", metavar="KEY=VALUE", action="append",
                           required=True, help="the runs after; may be repeated")

    def output(found):
        found.add_argument("--class", dest="classes", metavar="PATTERN",
                           help="only classes whose name matches")
        listing(found)

    def listing(found):
        found.add_argument("--top", type=int, metavar="N", help="only the first N; 0 for all")
        found.add_argument("--json", action="store_true", help="print JSON for programs")

    one = command("add", "Add profiles, which executors see by the same paths.")
    one.add_argument("files", nargs="+", metavar="FILE")
    one.add_argument("--label", metavar="KEY=VALUE", action="append", default=[],
                     help="a label of these runs; may be repeated")
    one.add_argument("--no-trees", action="store_true", help="keep no whole profiles")
    one.add_argument("--contexts", action="store_true",
                     help="also keep a table of all calling contexts")
    one.add_argument("--json", action="store_true", help="print JSON for programs")
    native(one)

    one = command("methods", "List the subsuming methods of many runs.")
    where(one)
    one.add_argument("--height", type=int, default=4, metavar="H")
    one.add_argument("--distance", type=int, default=4, metavar="D")
    one.add_argument("--never", action="append", default=[], metavar="METHOD",
                     help="another method that never subsumes; may be repeated")
    one.add_argument("--all", dest="every", action="store_true",
                     help="list all executed methods")
    one.add_argument("--summaries", action="store_true",
                     help="leave induced costs out, which take whole profiles")
    output(one)
    native(one)

    one = command("diff", "Explain the difference between two selections of runs. "
                          "Other options are those of 'subsume diff'.")
    sides(one)
    one.add_argument("--summaries", action="store_true",
                     help="only which methods' costs differ; no whole profiles are read")
    one.add_argument("--metric", metavar="NAME", help="cost to compare")
    listing(one)
    native(one)

    one = command("gate", "Check whether the runs after cost more than the runs before, beyond chance.")
    sides(one)
    one.add_argument("--metric", metavar="NAME", help="cost to compare")
    one.add_argument("--floor", type=float, default=0.01, metavar="P")
    one.add_argument("--false-alarms", type=float, default=1.0, metavar="N")
    one.add_argument("--contexts", action="store_true",
                     help="compare calling contexts in place of methods")
    output(one)

    one = command("outliers", "Find the labels whose runs differ from the others.")
    where(one)
    one.add_argument("--metric", metavar="NAME", help="cost to compare")
    listing(one)

    one = command("merge", "Merge the profiles of runs into one.")
    where(one)
    one.add_argument("--contexts", action="store_true",
                     help="merge the table of contexts by SQL; whole profiles are not read")
    one.add_argument("-o", "--output", dest="out", required=True, metavar="OUT.subsume",
                     help="profile to write, on the driver")
    native(one)
    return parser


def main(argv=None):
    """Runs the command; its exit code."""
    parser = arguments()
    args, args.options = parser.parse_known_args(argv)
    if args.options and (args.command != "diff" or args.summaries):
        parser.error(f"unknown option {args.options[0]}")
    log = None
    try:
        # Conditions that are none are told before Spark starts.
        for key in ("where", "before", "after"):
            if hasattr(args, key):
                setattr(args, key, [Condition(text) for text in getattr(args, key)])
        for label in getattr(args, "label", []):
            if Condition(label).key in OF_EVERY_RUN and not label.startswith("program="):
                raise FleetError(f"every run has '{label.partition('=')[0]}' by itself; "
                                 "name the label otherwise")
        from subsume_fleet import spark

        if not args.verbose:
            warnings.filterwarnings("ignore", module="pyspark")
            log = tempfile.TemporaryFile("w+", prefix="subsume-fleet-")
        tell("starting Spark")
        with contextlib.closing(_Stopping(spark.session(args.master, log))) as stopping:
            session = stopping.session
            return RUN[args.command](args, session, spark.SparkEngine(session, args.fleet))
    except FleetError as error:
        print(f"subsume-fleet: {error}", file=sys.stderr)
        return FAILURE
    except Exception as error:
        # What an executor says is within what Spark says of its task.
        told = re.search(r"FleetError: (.*)", str(error))
        if told is None:
            if log is not None:
                log.seek(0)
                sys.stderr.write(log.read())
            raise
        print(f"subsume-fleet: {told[1]}", file=sys.stderr)
        return FAILURE
    finally:
        if log is not None:
            log.close()


def tell(doing):
    """Says what is being done, in a line that the next one replaces, if somebody watches."""
    if sys.stderr.isatty():
        sys.stderr.write(f"\r\x1b[K{doing} ..." if doing else "\r\x1b[K")
        sys.stderr.flush()


def _native(args, session):
    shipped = None
    if args.ship:
        path = Native(args.subsume).command()
        session.sparkContext.addFile(path)
        shipped = os.path.basename(path)
    return Native(args.subsume, shipped)


def _print(args, document, key):
    if args.json and args.top and key in document:
        document[key] = document[key][: args.top]
    tell(None)
    if args.json:
        print(json.dumps(document))
    else:
        limits = {key: getattr(args, key) for key in ("floor", "false_alarms") if hasattr(args, key)}
        print_document(args.command, document, args.top, **limits)


def _chosen(args, engine):
    tell("choosing runs")
    return selection.in_order(selection.chosen(engine.runs(), args.where))


def _sides(args, engine):
    tell("choosing runs")
    runs = selection.in_order(engine.runs())
    return selection.sides(runs, args.where, args.before, args.after)


def _add(args, session, engine):
    if "://" in args.fleet and not storage.is_store(args.fleet):
        schemes = ", ".join(f"{scheme}://" for scheme in storage.SCHEMES[:-1])
        raise FleetError(f"{args.fleet}: profiles are added to a folder that is mounted, or to an "
                         f"address that begins with one of {schemes}")
    options = [word for label in args.label for word in ("--label", label)]
    options += ["--no-trees"] if args.no_trees else []
    options += ["--contexts"] if args.contexts else []
    native = _native(args, session)
    files = [add.absolute(file) for file in args.files]
    tell(f"adding {len(files):,} files")
    answer = add.add(session, native, add.absolute(args.fleet), files, options)
    tell(None)
    if args.json:
        print(json.dumps({"version": 1, **answer}))
    else:
        print_added(answer)
    return FAILURE if answer["refused"] else 0


def _methods(args, session, engine):
    runs = _chosen(args, engine)
    tell(f"asking {len(runs):,} runs")
    engine.open(runs)
    induced = None
    if not args.summaries:
        tell(f"reading {len(runs):,} profiles")
        native = _native(args, session)
        with _Scratch() as folder:
            merged = os.path.join(folder, "merged.subsume")
            trees.fold(session, native, engine.root, runs, merged)
            induced = methods.induced_of(native, merged, runs[0]["metric"], args)
    document = methods.methods(
        engine, runs, height=args.height, distance=args.distance, never=args.never,
        every=args.every, classes=args.classes, induced=induced)
    _print(args, document, "methods")
    return 0


def _diff(args, session, engine):
    before, after = _sides(args, engine)
    if args.summaries:
        engine.open(before + after)
        _print(args, diff.diff(engine, before, after, metric=args.metric), "methods")
        return 0
    native = _native(args, session)
    options = list(args.options)
    for option in ("metric", "top"):
        if getattr(args, option) is not None:
            options += [f"--{option}", str(getattr(args, option))]
    options += ["--json"] if args.json else []
    with _Scratch() as folder:
        files = []
        for runs, times in zip((before, after), diff.times(before, after)):
            file = os.path.join(folder, f"{len(files)}.subsume")
            tell(f"reading the {len(runs):,} runs {'after' if files else 'before'}")
            trees.fold(session, native, engine.root, runs, file)
            files.append(trees.multiplied(native, file, times, folder))
        done = native.start("diff", *options, *files)
    tell(None)
    sys.stdout.write(done.stdout)
    sys.stderr.write(done.stderr)
    return done.returncode


def _gate(args, session, engine):
    before, after = _sides(args, engine)
    selection.one_program(before + after)
    table = "contexts" if args.contexts else "method_runs"
    tell(f"comparing {len(before):,} runs with {len(after):,}")
    engine.open(before + after, ("methods", table))
    document = gate.gate(engine, before, after, metric=args.metric, floor=args.floor,
                         false_alarms=args.false_alarms, classes=args.classes,
                         by_context=args.contexts,
                         top=TOP if args.top is None else args.top)
    _print(args, document, "constant")
    return WORSE if document["worse"] else 0


def _outliers(args, session, engine):
    runs = _chosen(args, engine)
    selection.one_program(runs)
    tell(f"comparing {len(runs):,} runs")
    engine.open(runs, ("methods", "method_runs"))
    _print(args, outliers.outliers(engine, runs, metric=args.metric), "outliers")
    return 0


def _merge(args, session, engine):
    runs = _chosen(args, engine)
    native = _native(args, session)
    tell(f"merging {len(runs):,} runs")
    if not args.contexts:
        trees.fold(session, native, engine.root, runs, args.out)
    else:
        engine.open(runs, ("methods", "contexts"))
        merging = merge.query(engine, runs)
        with _Scratch() as folder:
            head, table = (os.path.join(folder, file) for file in ("head.subsume", "merged.parquet"))
            trees.fold(session, native, engine.root, runs, head, "heads")
            engine.save(merging, table)
            merge.profile(native, head, table, args.out)
    tell(None)
    print(f"{args.out}: {len(runs):,} profiles merged")
    return 0


RUN = {
    "add": _add, "methods": _methods, "diff": _diff, "gate": _gate, "outliers": _outliers,
    "merge": _merge,
}


class _Stopping:
    """A session that is closed by a stop."""

    def __init__(self, session):
        self.session = session

    def close(self):
        tell(None)
        self.session.stop()


class _Scratch:
    """A folder of the driver's, gone afterwards."""

    def __enter__(self):
        self.path = tempfile.mkdtemp(prefix="subsume-fleet-")
        return self.path

    def __exit__(self, *_):
        shutil.rmtree(self.path, ignore_errors=True)

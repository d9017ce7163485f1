"""The commands on Spark, and their SQL on DuckDB and DataFusion, beside `subsume fleet`.

$FLEET_TEST names a JSON file: `subsume`, the command, and `profiles`, a list of files with
their labels. Every answer is compared with the native one as a whole document.
"""

import contextlib
import glob
import io
import json
import logging
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

import duckdb
from pyarrow import parquet

import cluster
import compare
import engines
from subsume_fleet import add, cli, selection, storage, text, trees
from subsume_fleet.condition import Condition
from subsume_fleet.errors import FleetError
from subsume_fleet.native import Native
from subsume_fleet.questions import STEPS, sql
from subsume_fleet.spark import SparkEngine, session

with open(os.environ["FLEET_TEST"]) as file:
    GIVEN = json.load(file)
SUBSUME = GIVEN["subsume"]
FOLDER = tempfile.mkdtemp(prefix="fleet-", dir=os.path.dirname(os.environ["FLEET_TEST"]))
NATIVE = os.path.join(FOLDER, "native")
SIDES = ("--from", "version=1", "--to", "version=2")
OF_ONE = ("--where", "program=p")


def native(*arguments):
    """What the command says."""
    done = subprocess.run(
        [SUBSUME, *arguments], capture_output=True, text=True, check=False)
    assert done.returncode in (0, 1), f"{arguments}: {done.stderr}"
    return done.stdout


def document(*arguments):
    """What the command says, as JSON."""
    return json.loads(native(*arguments, "--json"))


def on_spark(*arguments, code=0):
    """What `subsume-fleet` says, as JSON if it is."""
    out = io.StringIO()
    err = io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        ended = cli.main(list(arguments))
    assert ended == code, f"{arguments}: {ended} {err.getvalue()}"
    if "--json" in arguments:
        return json.loads(out.getvalue())
    return out.getvalue() or err.getvalue()


def setUpModule():
    start_store()
    for profile in GIVEN["profiles"]:
        labels = [f"{key}={value}" for key, value in profile["labels"].items()]
        options = [word for label in labels for word in ("--label", label)]
        native("fleet", "add", NATIVE, profile["file"], *options, "--contexts")


def start_store():
    """An object store, as moto imitates S3. It is there before Spark's JVM starts, because tasks
    have the environment of this JVM."""
    from moto.server import ThreadedMotoServer

    logging.getLogger("werkzeug").setLevel(logging.ERROR)
    server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    server.start()
    unittest.addModuleCleanup(server.stop)
    host, port = server.get_host_and_port()
    os.environ.update({
        "AWS_ENDPOINT_URL": f"http://{host}:{port}", "AWS_ACCESS_KEY_ID": "a",
        "AWS_SECRET_ACCESS_KEY": "b", "AWS_DEFAULT_REGION": "us-east-1",
        "AWS_EC2_METADATA_DISABLED": "true"})


def tearDownModule():
    shutil.rmtree(FOLDER)


class Steps(unittest.TestCase):
    """What all of them have to keep to."""

    def test_kept_ones_are_known_again(self):
        for question, (*kept, _) in STEPS.items():
            for step in kept:
                name = step if isinstance(step, str) else step[1]
                code = re.sub(r"--.*", "", sql(name))
                self.assertIsNone(re.search(r"\bwith\b", code), f"{name} of {question}")


class Questions(unittest.TestCase):
    """SQL by each engine: the whole documents are those of the command."""

    def check(self, engine, runs, metrics=(None, "calls", "allocations")):
        runs = selection.in_order(runs)
        for conditions in ([], ["program=p", "host=a*;b"]):
            where = [word for condition in conditions for word in ("--where", condition)]
            chosen = selection.chosen(runs, [Condition(text) for text in conditions])
            compare.same(compare.methods(engine, chosen),
                         document("fleet", "methods", NATIVE, *where, "--summaries"))
            low = {"height": 0, "distance": 1, "never": ["java.lang.*"], "every": True}
            compare.same(
                compare.methods(engine, chosen, **low),
                document("fleet", "methods", NATIVE, *where, "--summaries", "--all", "--height",
                         "0", "--distance", "1", "--never", "java.lang.*"))
        of_one = selection.chosen(runs, [Condition("program=p")])
        for metric in metrics:
            option = ["--metric", metric] if metric else []
            compare.same(compare.outliers(engine, of_one, metric=metric),
                         document("fleet", "outliers", NATIVE, *OF_ONE, *option))
            before, after = selection.sides(
                runs, [Condition("program=p")], [Condition("version=1")], [Condition("version=2")])
            for floor, alarms in ((0.01, 1.0), (0.0, 1e9)):
                compare.same(
                    compare.gate(engine, before, after, metric=metric, floor=floor,
                                 false_alarms=alarms),
                    document("fleet", "gate", NATIVE, *OF_ONE, *SIDES, *option, "--floor",
                             str(floor), "--false-alarms", str(alarms)))
            told = document("fleet", "diff", NATIVE, *OF_ONE, *SIDES, *option, "--exclusive")
            ours = compare.diff(engine, before, after, metric=metric)
            self.assertNotEqual(ours["methods"], [])
            compare.same_diff(ours, told, before, after)

        self.check_contexts(engine, runs, metrics)

    def check_contexts(self, engine, runs, metrics):
        for conditions in ([], ["program=p"]):
            chosen = selection.chosen(runs, [Condition(text) for text in conditions])
            with tempfile.TemporaryDirectory(dir=FOLDER) as folder:
                merged = compare.merged_by_sql(engine, SUBSUME, NATIVE, chosen, folder)
                told = compare.merged(SUBSUME, NATIVE, chosen, folder)
                compare.same_profiles(SUBSUME, merged, told)
        # What the programs of the second two sides have in common does not matter: the
        # first one's own contexts are in both of its runs, and in none of the other.
        versions = (["program=p", "version=1"], ["program=p", "version=2"])
        programs = (["program=r;s"], ["program=p", "version=2"])
        for sides, is_certain in ((versions, False), (programs, True)):
            before, after = selection.sides(
                runs, [], *([Condition(text) for text in side] for side in sides))
            for metric in metrics[:2]:
                answer = compare.gate(engine, before, after, metric=metric, floor=0.0,
                                      false_alarms=1e9, by_context=True)
                expected = compare.gate_by_paths(
                    SUBSUME, NATIVE, before, after, answer["metric"])
                self.assertEqual(compare.contexts_of(answer), expected)
                self.assertTrue(expected["constant"] or not is_certain)

    def test_duckdb(self):
        engine = engines.DuckDb(NATIVE)
        self.check(engine, engines.runs(engine))

    def test_datafusion(self):
        engine = engines.DataFusion(NATIVE)
        self.check(engine, engines.runs(engine))

    def test_spark(self):
        spark = session("local[2]")
        try:
            engine = SparkEngine(spark, NATIVE)
            runs = engine.runs()
            engine.open(runs)
            engine.open(runs, ("contexts",))
            # An answer takes three seconds. Both ways of a metric are asked for: with
            # inclusive costs in the tables, and without.
            self.check(engine, runs, metrics=(None, "allocations"))
            self.check_older_files(spark)
        finally:
            spark.stop()

    def check_older_files(self, spark):
        """Files of contexts without the column of bytes are read as if nothing was counted."""
        with tempfile.TemporaryDirectory(dir=FOLDER) as folder:
            older = os.path.join(folder, "older")
            shutil.copytree(NATIVE, older)
            [file] = glob.glob(f"{older}/contexts/program=s/**/*.parquet", recursive=True)
            table = parquet.ParquetFile(file).read()
            self.assertEqual(table["bytes"].null_count, len(table))
            parquet.write_table(table.drop_columns(["bytes"]), file)
            old = SparkEngine(spark, older)
            for conditions in (["program=s"], []):
                chosen = selection.chosen(
                    selection.in_order(old.runs()), [Condition(text) for text in conditions])
                old.open(chosen)
                old.open(chosen, ("contexts",))
                merged = compare.merged_by_sql(old, SUBSUME, older, chosen, folder)
                told = compare.merged(SUBSUME, NATIVE, chosen, folder)
                compare.same_profiles(SUBSUME, merged, told)


class Documents(unittest.TestCase):
    """What docs/ shows is run as it stands, by DuckDB and pandas."""

    DOCS = os.path.join(os.path.dirname(__file__), "..", "..", "..", "docs")

    def blocks(self, document_, language):
        with open(os.path.join(self.DOCS, document_)) as file:
            found = re.findall(f"```{language}\n(.*?)```", file.read(), re.DOTALL)
        self.assertNotEqual(found, [])
        return [block.replace("'fleet/", f"'{NATIVE}/").replace('"fleet/', f'"{NATIVE}/')
                for block in found]

    def test_duckdb(self):
        connection = duckdb.connect()
        first, second = self.blocks("how-to/spark.md", "sql")
        self.assertIn("version = '1.2'", first)
        first = first.replace("version = '1.2'", "version = '1'")
        first = re.sub(r"-- (\w+)\.sql", lambda step: sql(step[1]) + ";", first)
        answer = connection.execute(first)
        names = [column[0] for column in answer.description]
        rows = [dict(zip(names, row)) for row in answer.fetchall()]
        ours = [[row["class"], row["name"], int(row["inclusive"])]
                for row in rows if row["subsuming"]]
        told = document("fleet", "methods", NATIVE, "--where", "version=1", "--summaries")
        self.assertEqual(
            ours, [[row["class"], row["name"], row["inclusive"]] for row in told["methods"]])

        by_method = re.sub(r"(?s)order by.*", "", second)
        sums = [connection.execute(f"select sum(allocations) from ({rows})").fetchall()
                for rows in (by_method, "select allocations from runs")]
        self.assertEqual(sums[0], sums[1])
        connection.execute(second)

        # That of the tables' description; its block is indented.
        with open(os.path.join(self.DOCS, "reference", "fleet-tables.md")) as file:
            [query] = re.findall(r"(?m)((?:^    (?!subsume|runs/).*\n)+)", file.read())[-1:]
        self.assertTrue(query.strip().startswith("select"))
        rows = connection.execute(query).fetchall()
        [[count]] = connection.execute("select count(*) from method_runs").fetchall()
        self.assertEqual(len(rows), count)

    def test_pandas(self):
        [block] = self.blocks("how-to/spark.md", "python")
        names = {}
        exec(block, names)
        self.assertEqual(len(names["runs"]), len(GIVEN["profiles"]))


class Texts(unittest.TestCase):
    """What people read has the words and columns of the command, without those on owners."""

    def check(self, command, ours, *options, **limits):
        """Both say the same lines; in tables, spaces and the columns on owners do not count."""
        told = native("fleet", command, NATIVE, *OF_ONE, *options, "--top", "0", "--wide")
        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            text.print_document(command, ours, 0, **limits)

        def lines(said):
            for line in said.splitlines():
                words = [word for word in line.split() if word not in ("Code", "own", "jdk", "library")]
                # Names have parameters where several of those shown have one name.
                yield re.sub(r"\([^()]*\)(: [\w\[\]]+)?", "", " ".join(words))

        # A renamed method and runs that are left out are told by the command in more words.
        kept = [line for line in lines(told) if "renamed?" not in line and "Left out" not in line]
        self.assertEqual([line for line in lines(out.getvalue()) if "Left out" not in line], kept)

    def test_texts(self):
        engine = engines.DuckDb(NATIVE)
        runs = selection.in_order(engines.runs(engine))
        of_one = selection.chosen(runs, [Condition("program=p")])
        self.check("methods", compare.methods(engine, of_one), "--summaries")
        self.check("outliers", compare.outliers(engine, of_one, metric=None))
        before, after = selection.sides(
            runs, [Condition("program=p")], [Condition("version=1")], [Condition("version=2")])
        self.check("gate", compare.gate(engine, before, after, metric=None), *SIDES)
        limits = {"floor": 0.0, "false_alarms": 1e9}
        self.check("gate", compare.gate(engine, before, after, metric=None, **limits), *SIDES,
                   "--floor", "0", "--false-alarms", "1e9", **limits)


class Stores(unittest.TestCase):
    """A fleet in an object store, as moto imitates S3 on this machine."""

    @classmethod
    def setUpClass(cls):
        import boto3

        boto3.client("s3").create_bucket(Bucket="fleets")
        cls.root = "s3://fleets/a/fleet"
        cls.store = storage.Store(cls.root)
        for profile in GIVEN["profiles"]:
            labels = [word for key, value in profile["labels"].items()
                      for word in ("--label", f"{key}={value}")]
            added = add._add(Native(SUBSUME), cls.root, [profile["file"]], [*labels, "--contexts"])
            assert len(added["added"]) == 1, added

    def test_files_are_those_of_a_folder(self):
        def kept(folder):
            return {os.path.relpath(os.path.join(path, name), folder)
                    for path, _, names in os.walk(folder) for name in names}

        with tempfile.TemporaryDirectory(dir=FOLDER) as copy:
            self.store.fetch("", copy)
            self.assertEqual(kept(copy), {name for name in kept(NATIVE) if name[0] != "_"})
            compare.same(document("fleet", "list", copy), document("fleet", "list", NATIVE))
            compare.same(document("fleet", "methods", copy), document("fleet", "methods", NATIVE))

    def test_a_run_keeps_its_labels(self):
        names = set(self.store.files())
        profile = GIVEN["profiles"][0]
        again = add._add(Native(SUBSUME), self.root, [profile["file"]], ["--label", "version=9"])
        self.assertEqual([row["file"] for row in again["known"]], [profile["file"]])
        self.assertEqual(again["added"], [])
        self.assertEqual(set(self.store.files()), names)

    def test_spark_reads_it(self):
        spark = session("local[2]")
        try:
            engine = SparkEngine(spark, self.root)
            runs = selection.chosen(selection.in_order(engine.runs()), [Condition("program=p")])
            engine.open(runs)
            compare.same(compare.methods(engine, runs),
                         document("fleet", "methods", NATIVE, *OF_ONE, "--summaries"))
            out = os.path.join(FOLDER, "of-store.subsume")
            trees.fold(spark, Native(SUBSUME), self.root, runs, out)
            with tempfile.TemporaryDirectory(dir=FOLDER) as folder:
                told = compare.merged(SUBSUME, NATIVE, runs, folder)
                compare.same_profiles(SUBSUME, out, told)
        finally:
            spark.stop()

    def test_what_is_wrong_is_said_in_a_line(self):
        for address in ("s3://none/fleet", "s3://fleets/empty"):
            spark = session("local[1]")
            try:
                with self.assertRaises(FleetError) as raised:
                    SparkEngine(spark, address).runs()
            finally:
                spark.stop()
            self.assertEqual(str(raised.exception).count("\n"), 0)


class Quiet(unittest.TestCase):
    """Only the answer is printed, as by the command; Spark's words come with --verbose."""

    def ask(self, *options):
        line = [sys.executable, "-m", "subsume_fleet", "outliers", NATIVE, *OF_ONE, *options]
        package = os.path.dirname(os.path.dirname(cli.__file__))
        return subprocess.run(
            line, capture_output=True, text=True, check=False,
            env={**os.environ, "PYTHONPATH": package})

    def test_quiet_and_verbose(self):
        quiet = self.ask("--master", "local[1]")
        self.assertEqual((quiet.returncode, quiet.stderr), (0, ""))
        verbose = self.ask("--master", "local[1]", "--verbose")
        self.assertIn("WARN", verbose.stderr)
        self.assertEqual(verbose.stdout, quiet.stdout)


class Commands(unittest.TestCase):
    """`subsume-fleet` beside `subsume fleet`."""

    def test_local(self):
        options = ("--master", "local[2]", "--subsume", SUBSUME)
        folder, fleet = self.check(*options)
        self.check_more(folder, fleet, options)

    def test_standalone_cluster(self):
        with cluster.Cluster() as started:
            # Executors find the command among the files that the driver sends.
            self.check("--master", started.url, "--subsume", SUBSUME, "--ship")
            done = subprocess.run(
                [sys.executable, "-m", "pyspark.find_spark_home"], capture_output=True, text=True,
                check=True)
            submit = os.path.join(done.stdout.strip(), "bin", "spark-submit")
            package = os.path.dirname(cli.__file__)
            done = subprocess.run(
                [submit, "--master", started.url, os.path.join(package, "__main__.py"), "gate",
                 NATIVE, *OF_ONE, *SIDES, "--json"],
                capture_output=True, text=True, check=False)
            compare.same(json.loads(done.stdout),
                         document("fleet", "gate", NATIVE, *OF_ONE, *SIDES))

    def check(self, *options):
        """What is asked in both; each is an application of its own on the cluster."""
        folder = tempfile.mkdtemp(dir=FOLDER)
        fleet = os.path.join(folder, "fleet")
        self.check_add(folder, fleet, options)
        compare.same(on_spark("methods", fleet, *options, "--json"),
                     document("fleet", "methods", NATIVE))
        compare.same(on_spark("diff", fleet, *OF_ONE, *SIDES, *options, "--contexts", "--json"),
                     document("fleet", "diff", NATIVE, *OF_ONE, *SIDES, "--contexts"))
        # By an address that Spark opens.
        self.check_merge(folder, f"file://{fleet}", options)
        return folder, fleet

    def check_add(self, folder, fleet, options):
        by_labels = {}
        for profile in GIVEN["profiles"]:
            by_labels.setdefault(tuple(profile["labels"].items()), []).append(profile["file"])
        largest = max(by_labels, key=lambda labels: len(by_labels[labels]))
        for labels, files in by_labels.items():
            words = [word for key, value in labels for word in ("--label", f"{key}={value}")]
            if labels != largest:
                native("fleet", "add", fleet, *files, *words, "--contexts")
                continue
            broken = os.path.join(folder, "broken.subsume")
            with open(broken, "w") as file:
                file.write("this is no profile")
            some = [files[0], broken, *files[1:]]
            answer = on_spark("add", fleet, *some, *words, "--contexts", *options, "--json",
                              code=2)
            self.assertEqual(sorted(row["file"] for row in answer["added"]), sorted(files))
            [refused] = answer["refused"]
            self.assertEqual(refused["file"], broken)
            self.assertIn("broken.subsume", refused["reason"])
        compare.same(document("fleet", "list", fleet), document("fleet", "list", NATIVE))

    def check_merge(self, folder, root, options):
        files = []
        for run in document("fleet", "list", NATIVE)["runs"]:
            files.append(os.path.join(folder, f"{len(files)}.subsume"))
            native("fleet", "get", NATIVE, run["run"], "-o", files[-1])
        merged = os.path.join(folder, "native.subsume")
        native("merge", "--normalise", *files, "-o", merged)
        out = os.path.join(folder, "spark.subsume")
        for contexts in ([], ["--contexts"]):
            on_spark("merge", root, *contexts, *options, "-o", out)
            compare.same_profiles(SUBSUME, out, merged)

    def check_more(self, folder, fleet, options):
        spark = options[:2]
        again = on_spark("add", fleet, GIVEN["profiles"][0]["file"], *options, "--json")
        self.assertEqual([row["file"] for row in again["known"]],
                         [GIVEN["profiles"][0]["file"]])
        low = ("--height", "0", "--distance", "1", "--all", "--where", "version=2")
        compare.same(on_spark("methods", fleet, *low, *options, "--json"),
                     document("fleet", "methods", NATIVE, *low))
        told = document("fleet", "gate", NATIVE, *OF_ONE, *SIDES)
        worse = int(told["worse"])
        compare.same(on_spark("gate", fleet, *OF_ONE, *SIDES, *spark, "--json", code=worse), told)
        compare.same(on_spark("outliers", fleet, *OF_ONE, *spark, "--json"),
                     document("fleet", "outliers", NATIVE, *OF_ONE))
        for command in (("methods", "--summaries"), ("gate", *SIDES),
                        ("gate", *SIDES, "--contexts"), ("outliers",),
                        ("diff", *SIDES, "--summaries")):
            code = worse if command[0] == "gate" else 0
            self.assertIn(" runs", on_spark(command[0], fleet, *command[1:], *OF_ONE, *spark,
                                            code=code))
        self.check_merge(folder, fleet, options)

        # What is wrong is said in a line.
        for arguments in (
            ("methods", os.path.join(folder, "none")),
            ("methods", fleet, "--where", "version"),
            ("methods", fleet, "--where", "version=none"),
            ("gate", fleet, "--from", "host=a1", "--to", "version=2"),
            ("outliers", fleet, "--metric", "time", *OF_ONE),
            ("merge", fleet, "--subsume", "/no/such/command", "-o", "out.subsume"),
            ("add", "hdfs://host/fleet", "0.subsume"),
        ):
            said = on_spark(*arguments, *spark, code=2)
            self.assertEqual(said.count("\n"), 1, said)
            self.assertTrue(said.startswith("subsume-fleet: "), said)


if __name__ == "__main__":
    unittest.main()

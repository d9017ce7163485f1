"""A fleet as Spark's tables."""

import os
import tempfile
import zipfile
from pathlib import Path

from pyspark.errors import AnalysisException
from pyspark.sql import SparkSession

from subsume_fleet import dataset
from subsume_fleet.errors import FleetError

# Tables up to this size are sent to all executors, and unpacked in the driver's memory for
# that. Rows of dominators take 1.1 bytes in Parquet, and a hundred times that there.
BROADCAST = "512k"
# Results of a join's side are sent up to this size, which is known then.
BROADCAST_RESULTS = "64m"
# What Spark does unless it is told otherwise: 10 MB.
SPARKS_BROADCAST = "10485760b"

KINDS = {"text": "string", "int": "int", "real": "double"}


def session(master=None):
    """The session of spark-submit, or one of its own; executors get this package."""
    builder = SparkSession.builder.appName("subsume-fleet")
    if master:
        builder = builder.master(master)
    spark = builder.getOrCreate()
    if spark.conf.get("spark.sql.autoBroadcastJoinThreshold") == SPARKS_BROADCAST:
        spark.conf.set("spark.sql.autoBroadcastJoinThreshold", BROADCAST)
        spark.conf.set("spark.sql.adaptive.autoBroadcastJoinThreshold", BROADCAST_RESULTS)
    spark.sparkContext.addPyFile(_archive())
    return spark


def _archive():
    """This package as an archive, so that it need not be installed on executors."""
    here = Path(__file__).parent
    path = os.path.join(tempfile.mkdtemp(prefix="subsume-fleet-"), "subsume_fleet.zip")
    with zipfile.ZipFile(path, "w") as archive:
        for file in sorted(here.rglob("*")):
            if file.suffix in (".py", ".sql"):
                archive.write(file, Path(here.name) / file.relative_to(here))
    return path


class SparkEngine:
    """Runs the questions' SQL on Spark."""

    def __init__(self, spark, root):
        self.spark = spark
        self.root = root.rstrip("/")

    def runs(self):
        """All runs: the rows of the table `runs`, labels as dictionaries."""
        table = self._read("runs", [f"{self.root}/runs"])
        rows = [dataset.with_labels(row.asDict()) for row in table.collect()]
        seen = set()
        for row in rows:
            if row["run_id"] in seen:
                raise FleetError(
                    f"{self.root}: run {row['run_id']} is there twice, by two programs or dates")
            seen.add(row["run_id"])
        if len({row["run_key"] for row in rows}) < len(rows):
            raise FleetError(f"{self.root}: two runs have one run_key, so that rows are mixed up")
        return rows

    def open(self, runs, tables=("methods", "method_runs", "dominators")):
        """Makes tables of the files that these runs have."""
        for table in tables:
            self._read(table, dataset.folders(self.root, table, runs))

    def _read(self, table, paths):
        # Partitions are known from the runs; their values would have guessed types.
        reader = self.spark.read.option("recursiveFileLookup", "true")
        reader = reader.option("pathGlobFilter", "*.parquet")
        try:
            frame = reader.parquet(*paths)
        except AnalysisException as error:
            if error.getCondition() not in ("PATH_NOT_FOUND", "UNABLE_TO_INFER_SCHEMA"):
                raise
            raise FleetError(
                f"{self.root}: there is no fleet; 'subsume-fleet add' makes one"
                if table != "contexts" else
                f"{self.root}: it has no contexts; 'subsume fleet add --contexts' keeps them"
            ) from error
        frame.createOrReplaceTempView(table)
        return frame

    def table(self, name, columns, rows):
        """Makes a table of rows."""
        schema = ", ".join(f"`{column}` {KINDS[kind]}" for column, kind in columns.items())
        self.spark.createDataFrame(rows, schema).createOrReplaceTempView(name)

    def keep(self, name, sql):
        """Makes a table of an answer, computed once."""
        self.spark.sql(sql).persist().createOrReplaceTempView(name)

    def save(self, sql, path):
        """Writes an answer to a Parquet file of the driver's."""
        from pyarrow import parquet

        parquet.write_table(self.spark.sql(sql).toArrow(), path)

    def rows(self, sql):
        """The rows of an answer, as dictionaries."""
        return [row.asDict() for row in self.spark.sql(sql).collect()]

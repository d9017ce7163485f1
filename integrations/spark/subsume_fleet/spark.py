"""A fleet as Spark's tables."""

import contextlib
import os
import sys
import tempfile
import zipfile
from pathlib import Path

from pyspark.errors import AnalysisException
from pyspark.sql import SparkSession

from subsume_fleet import dataset, storage
from subsume_fleet.errors import FleetError

# Tables up to this size are sent to all executors, and unpacked in the driver's memory for
# that. Rows of dominators take 1.1 bytes in Parquet, and a hundred times that there.
BROADCAST = "512k"
# Results of a join's side are sent up to this size, which is known then.
BROADCAST_RESULTS = "64m"
# What Spark does unless it is told otherwise: 10 MB.
SPARKS_BROADCAST = "10485760b"

# The column of contexts that older files lack.
BYTES = "bytes"

KINDS = {"text": "string", "int": "int", "real": "double"}


def session(master=None, log=None):
    """The session of spark-submit, or one of its own; executors get this package. What Spark's JVM
    prints goes to the file `log`, if it is given and this process starts the JVM."""
    builder = SparkSession.builder.appName("subsume-fleet")
    if master:
        builder = builder.master(master)
    if (master or "local").startswith("local"):
        # The same as the driver's, which has pyarrow.
        os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    with _printing_to(log):
        spark = builder.getOrCreate()
    if spark.conf.get("spark.sql.autoBroadcastJoinThreshold") == SPARKS_BROADCAST:
        spark.conf.set("spark.sql.autoBroadcastJoinThreshold", BROADCAST)
        spark.conf.set("spark.sql.adaptive.autoBroadcastJoinThreshold", BROADCAST_RESULTS)
    spark.sparkContext.addPyFile(_archive())
    return spark


@contextlib.contextmanager
def _printing_to(file):
    """What processes that start here print to the standard error goes to a file; they keep it."""
    if file is None:
        yield
        return
    sys.stderr.flush()
    kept = os.dup(2)
    os.dup2(file.fileno(), 2)
    try:
        yield
    finally:
        os.dup2(kept, 2)
        os.close(kept)


def _archive():
    """This package as an archive, so that it need not be installed on executors."""
    here = Path(__file__).parent
    path = os.path.join(tempfile.mkdtemp(prefix="subsume-fleet-"), "subsume_fleet.zip")
    with zipfile.ZipFile(path, "w") as archive:
        for file in sorted(here.rglob("*")):
            if file.suffix in (".py", ".sql"):
                archive.write(file, Path(here.name) / file.relative_to(here))
    return path


def _lacks(table, columns):
    """Whether a file of this table, with these columns, is older than the column of bytes."""
    return table == "contexts" and BYTES not in columns


class SparkEngine:
    """Runs the questions' SQL on Spark."""

    def __init__(self, spark, root):
        self.spark = spark
        self.root = root.rstrip("/")
        self.store = storage.Store(self.root) if storage.is_store(self.root) else None

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
        if self.store is not None:
            frame = self._read_store(table, paths)
            frame.createOrReplaceTempView(table)
            return frame
        # Partitions are known from the runs; their values would have guessed types.
        reader = self.spark.read.option("recursiveFileLookup", "true")
        reader = reader.option("pathGlobFilter", "*.parquet")
        try:
            frame = reader.parquet(*paths)
            if _lacks(table, frame.columns):
                frame = reader.schema(frame.schema.add(BYTES, "long")).parquet(*paths)
        except AnalysisException as error:
            if error.getCondition() not in ("PATH_NOT_FOUND", "UNABLE_TO_INFER_SCHEMA"):
                raise
            raise self._nothing(table) from error
        frame.createOrReplaceTempView(table)
        return frame

    def _nothing(self, table):
        return FleetError(
            f"{self.root}: there is no fleet; 'subsume-fleet add' makes one"
            if table != "contexts" else
            f"{self.root}: it has no contexts; 'subsume fleet add --contexts' keeps them")

    def _read_store(self, table, paths):
        """The table's files, read by executors with Arrow."""
        import pyarrow
        from pyarrow import BufferReader, parquet
        from pyspark.sql.pandas.types import from_arrow_schema

        store = self.store
        names = [name for path in paths for name in store.files(path[len(self.root) + 1:])
                 if name.endswith(".parquet")]
        if not names:
            raise self._nothing(table)
        schema = parquet.read_schema(BufferReader(store.read(names[0]))).remove_metadata()
        if _lacks(table, schema.names):
            schema = schema.append(pyarrow.field(BYTES, pyarrow.int64()))

        def rows(batches):
            for batch in batches:
                for name in batch.column("name").to_pylist():
                    read = parquet.read_table(BufferReader(store.read(name)))
                    if _lacks(table, read.column_names):
                        nothing = pyarrow.nulls(read.num_rows, pyarrow.int64())
                        read = read.append_column(BYTES, nothing)
                    yield from read.select(schema.names).cast(schema).to_batches()

        slices = min(len(names), self.spark.sparkContext.defaultParallelism * 4)
        files = self.spark.createDataFrame([(name,) for name in names], "name string")
        return files.repartition(slices).mapInArrow(rows, from_arrow_schema(schema))

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

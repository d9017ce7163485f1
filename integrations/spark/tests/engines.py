"""The engines beside Spark that run the same SQL."""

import os

import datafusion
import duckdb
import pyarrow
from pyarrow import parquet

from subsume_fleet import dataset

ARROW = {"text": pyarrow.string(), "int": pyarrow.int32(), "real": pyarrow.float64()}


TABLES = ("runs", "methods", "method_runs", "dominators", "contexts")


def tables(root):
    """The tables that a fleet has; that of contexts is there on request."""
    return [table for table in TABLES if os.path.isdir(f"{root}/{table}")]


def as_arrow(columns, rows):
    """A table of rows."""
    values = zip(*rows) if rows else ([] for _ in columns)
    arrays = [
        pyarrow.array(list(some), ARROW[kind]) for some, kind in zip(values, columns.values())]
    return pyarrow.table(arrays, names=list(columns))


class DuckDb:
    """DuckDB."""

    def __init__(self, root):
        self.connection = duckdb.connect()
        for table in tables(root):
            self.connection.execute(
                f"create view {table} as select * from read_parquet('{root}/{table}/**/*.parquet', "
                "hive_partitioning = false)")

    def table(self, name, columns, rows):
        """Makes a table of rows."""
        given = as_arrow(columns, rows)
        self.connection.register("given", given)
        self.connection.execute(f"create or replace table {name} as select * from given")
        self.connection.unregister("given")

    def keep(self, name, sql):
        """Makes a table of an answer."""
        self.connection.execute(f"create or replace table {name} as {sql}")

    def save(self, sql, path):
        """Writes an answer to a Parquet file."""
        self.connection.execute(f"copy ({sql}) to '{path}'")

    def rows(self, sql):
        """The rows of an answer, as dictionaries."""
        answer = self.connection.execute(sql)
        names = [column[0] for column in answer.description]
        return [dict(zip(names, row)) for row in answer.fetchall()]


class DataFusion:
    """DataFusion."""

    def __init__(self, root):
        self.context = datafusion.SessionContext()
        for table in tables(root):
            self.context.register_parquet(table, f"{root}/{table}/")

    def table(self, name, columns, rows):
        """Makes a table of rows."""
        self._register(name, as_arrow(columns, rows).to_batches() or
                       [pyarrow.RecordBatch.from_pylist([], as_arrow(columns, rows).schema)])

    def keep(self, name, sql):
        """Makes a table of an answer."""
        answer = self.context.sql(sql)
        batches = answer.collect()
        self._register(name, batches or [pyarrow.RecordBatch.from_pylist([], answer.schema())])

    def save(self, sql, path):
        """Writes an answer to a Parquet file."""
        parquet.write_table(self.context.sql(sql).to_arrow_table(), path)

    def _register(self, name, batches):
        if self.context.table_exist(name):
            self.context.deregister_table(name)
        self.context.register_record_batches(name, [batches])

    def rows(self, sql):
        """The rows of an answer, as dictionaries."""
        return [row for batch in self.context.sql(sql).collect() for row in batch.to_pylist()]


def runs(engine):
    """The rows of the table `runs`."""
    return [dataset.with_labels(row) for row in engine.rows("select * from runs")]

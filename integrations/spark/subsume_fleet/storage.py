"""Folders in object stores, through the file systems of Arrow.

Spark opens addresses such as ``s3a://`` and ``hdfs://`` itself, if it has the connector. Those of
:data:`SCHEMES` need no connector: driver and executors read and write them with pyarrow.
"""

import os
import shutil
import tempfile

from subsume_fleet.errors import FleetError

# The schemes of Arrow's own file systems. With fsspec, pyarrow opens others, too.
SCHEMES = ("s3", "gs", "abfs", "abfss", "memory")
# The table whose row makes a run part of the fleet is written last.
LAST = "runs"


def is_store(address):
    """Whether an address is read through Arrow."""
    return address.partition("://")[0] in SCHEMES and "://" in address


class Store:
    """A folder in an object store. Tasks get its address and open it themselves."""

    def __init__(self, address):
        self.address = address
        self.opened = None

    def __getstate__(self):
        return {"address": self.address, "opened": None}

    def _open(self):
        if self.opened is None:
            from pyarrow import fs

            try:
                files, root = fs.FileSystem.from_uri(self.address)
            except (OSError, ValueError) as error:
                files, root = self._by_fsspec(error)
            self.opened = fs, files, root.rstrip("/")
        return self.opened

    def _by_fsspec(self, refused):
        from pyarrow import fs

        try:
            import fsspec

            files, root = fsspec.core.url_to_fs(self.address)
        except (ImportError, ValueError) as error:
            raise FleetError(f"{self.address}: {_line(refused)}") from error
        return fs.PyFileSystem(fs.FSSpecHandler(files)), root

    def files(self, folder=""):
        """The files below a folder, by their paths in the store's folder."""
        fs, files, root = self._open()
        chosen = fs.FileSelector(f"{root}/{folder}".rstrip("/"), recursive=True, allow_not_found=True)
        try:
            found = files.get_file_info(chosen)
        except OSError as error:
            raise FleetError(f"{self.address}: {_line(error)}") from error
        return [one.path[len(root) + 1:] for one in found if one.type == fs.FileType.File]

    def read(self, name):
        """The bytes of a file."""
        _, files, root = self._open()
        try:
            with files.open_input_stream(f"{root}/{name}", compression=None) as stream:
                return stream.read()
        except OSError as error:
            raise FleetError(f"{self.address}/{name}: {_line(error)}") from error

    def write(self, name, path):
        """Puts a file into the store, complete or not at all."""
        _, files, root = self._open()
        try:
            # File systems with folders need them; in object stores these are marks of no size.
            if files.type_name in ("local", "py::fsspec+memory"):
                files.create_dir(os.path.dirname(f"{root}/{name}"))
            with open(path, "rb") as source:
                content = source.read()
            with files.open_output_stream(f"{root}/{name}", compression=None) as stream:
                stream.write(content)
        except OSError as error:
            raise FleetError(f"{self.address}/{name}: {_line(error)}") from error

    def fetch(self, folder, into):
        """Copies the files below a folder to the same places in another one of this machine."""
        for name in self.files(folder):
            path = os.path.join(into, name)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "wb") as file:
                file.write(self.read(name))

    def add(self, add):
        """Has `add` add runs to a folder of this machine, and puts what is new into the store.

        `add` gets the folder and the runs that the store has, by their numbers."""
        work = tempfile.mkdtemp(prefix="subsume-fleet-")
        try:
            # So that runs share the tables of names that are there; `runs` makes it a fleet.
            self.fetch("methods", work)
            os.mkdir(os.path.join(work, LAST))
            there = set(self.files())
            answer = add(work)
            runs = {_run(name) for name in there if name.startswith(f"{LAST}/")}
            new = [name for name in _files(work) if name not in there and _run(name) not in runs]
            # A run that is there may be of another program there, whose names need no table here.
            programs = {_program(name) for name in new if name.startswith(f"{LAST}/")}
            new = [name for name in new if _program(name) in programs]
            for name in sorted(new, key=lambda name: (name.startswith(f"{LAST}/"), name)):
                self.write(name, os.path.join(work, name))
        finally:
            shutil.rmtree(work, ignore_errors=True)
        # A run that was there keeps its labels, as in a folder.
        known = [row for row in answer.get("added", []) if row["run"] in runs]
        answer["added"] = [row for row in answer.get("added", []) if row["run"] not in runs]
        answer["known"] = answer.get("known", []) + known
        return answer


def _run(name):
    """The number of the run that a file belongs to."""
    return name.rpartition("/")[2].partition(".")[0]


def _program(name):
    """The folder of the program that a file belongs to."""
    return name.split("/")[1]


def _files(folder):
    for path, _, names in os.walk(folder):
        for name in names:
            found = os.path.relpath(os.path.join(path, name), folder)
            if not found.startswith("_"):
                yield found


def _line(error):
    lines = str(error).strip().splitlines()
    return lines[0] if lines else type(error).__name__

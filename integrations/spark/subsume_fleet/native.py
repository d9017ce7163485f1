"""The command ``subsume`` on the machine that calls this, driver or executor."""

import json
import os
import shutil
import subprocess

from subsume_fleet.errors import FleetError


class Native:
    """How the command is found: a path, or the file that the driver sent to executors."""

    def __init__(self, path=None, shipped=None):
        self.path = path
        self.shipped = shipped

    def command(self):
        """Its path here."""
        if self.shipped is not None:
            from pyspark import SparkFiles

            path = SparkFiles.get(self.shipped)
            if os.path.exists(path):
                os.chmod(path, 0o755)
                return path
        path = self.path or shutil.which("subsume")
        if path is None or not os.path.exists(path):
            raise FleetError(
                f"{path or 'subsume'}: the command is not on this machine; "
                "--subsume says where it is, --ship sends it along"
            )
        return path

    def start(self, *arguments):
        """Runs it; what comes out, with the exit code."""
        return subprocess.run(
            [self.command(), *arguments], capture_output=True, text=True, check=False)

    def run(self, *arguments):
        """Runs it, and fails with what it says."""
        done = self.start(*arguments)
        if done.returncode != 0:
            raise FleetError(done.stderr.strip().splitlines()[-1].removeprefix("subsume: ")
                             if done.stderr.strip() else f"exit code {done.returncode}")
        return done.stdout

    def json(self, *arguments):
        """Runs it with --json; the document."""
        return json.loads(self.run(*arguments, "--json"))

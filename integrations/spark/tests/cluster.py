"""A standalone cluster of Spark on loopback: a master and two workers."""

import os
import re
import subprocess
import tempfile
import time

import pyspark


class Cluster:
    """Runs while it is entered."""

    def __enter__(self):
        self.folder = tempfile.mkdtemp(prefix="cluster-")
        self.processes = []
        self.logs = []
        environment = {
            **os.environ,
            "SPARK_HOME": os.path.dirname(pyspark.__file__),
            "SPARK_LOCAL_IP": "127.0.0.1",
            "SPARK_WORKER_DIR": self.folder,
            "SPARK_DAEMON_MEMORY": "256m",
        }
        start = os.path.join(environment["SPARK_HOME"], "bin", "spark-class")
        deploy = "org.apache.spark.deploy"

        def begin(name, *arguments):
            log = os.path.join(self.folder, f"{name}.log")
            self.logs.append(log)
            with open(log, "w") as file:
                self.processes.append(subprocess.Popen(
                    [start, *arguments], stdout=file, stderr=file, env=environment))
            return log

        try:
            log = begin("master", f"{deploy}.master.Master", "--host", "127.0.0.1", "--port", "0",
                        "--webui-port", "0")
            self.url = self._wait(log, r"Starting Spark master at (spark://\S+)")
            for number in (1, 2):
                log = begin(f"worker-{number}", f"{deploy}.worker.Worker", self.url, "--host",
                            "127.0.0.1", "--cores", "1", "--memory", "1g", "--webui-port", "0")
                self._wait(log, "(Successfully registered)")
        except BaseException:
            self.__exit__()
            raise
        return self

    @staticmethod
    def _wait(log, pattern):
        for _ in range(1200):
            with open(log) as file:
                found = re.search(pattern, file.read())
            if found:
                return found[1]
            time.sleep(0.1)
        with open(log) as file:
            raise AssertionError(f"the cluster does not start: {file.read()}")

    def __exit__(self, *_):
        for process in reversed(self.processes):
            process.terminate()
        for process in self.processes:
            process.wait()

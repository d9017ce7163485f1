"""Questions to a fleet of subsume's profiles, on Apache Spark.

The questions are SQL files in ``sql``, which other engines run unchanged. Whole profiles
are folded by the command ``subsume``, which executors start.
"""

__version__ = "0.1.0"

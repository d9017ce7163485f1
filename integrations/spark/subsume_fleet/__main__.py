"""For spark-submit, and for python -m."""

import sys

from subsume_fleet.cli import main

if __name__ == "__main__":
    sys.exit(main())

"""Which runs are meant: conditions on labels, by the rules of ``subsume fleet``."""

import re

from subsume_fleet.errors import FleetError

# What counts as a label of every run, and the column that has it.
OF_EVERY_RUN = {
    "program": "program",
    "date": "run_date",
    "run": "run_id",
    "jvm": "jvm",
    "completeness": "completeness",
    "origin": "origin",
}


class Pattern:
    """One or several patterns, ``;`` between them; ``*`` stands for any characters."""

    def __init__(self, text):
        alternatives = [part for part in text.split(";") if part]
        self.regex = "|".join(
            ".*".join(re.escape(piece) for piece in part.split("*")) for part in alternatives
        )
        self._compiled = re.compile(self.regex, re.DOTALL) if alternatives else None

    def matches(self, name):
        """Whether one of the patterns matches the whole name."""
        return self._compiled is not None and self._compiled.fullmatch(name) is not None


class Condition:
    """``key=pattern``."""

    def __init__(self, text):
        key, _, value = text.partition("=")
        if not value or not re.fullmatch(r"[A-Za-z0-9_.-]+", key):
            raise FleetError(f"'{text}' is not KEY=VALUE, such as version=1.2")
        self.key = key
        if key == "run":
            # By their first digits, as `subsume fleet get` takes them.
            value = ";".join(f"{part}*" for part in value.split(";") if part)
        self.pattern = Pattern(value)

    def holds(self, run):
        """Whether the run, a row of the table ``runs``, has such a label."""
        value = self.value(run)
        return value is not None and self.pattern.matches(value)

    def value(self, run):
        """What the run has there, if it has such a label."""
        if self.key in OF_EVERY_RUN:
            return run[OF_EVERY_RUN[self.key]]
        return run["labels"].get(self.key)

"""Asks the command about the profiles that scripts/bugs has recorded, and prints
tables in Markdown: at which place each answer names the culprit.

usage: bugs.py SUBSUME SOURCES PROFILES NAME...
"""

import json
import os
import re
import subprocess
import sys

SUBSUME, SOURCES, PROFILES = sys.argv[1:4]
NAMES = sys.argv[4:]


def table(file):
    """The lines of a table of tests/bugs that are wanted, as lists of fields."""
    with open(os.path.join(SOURCES, file), encoding="utf-8") as lines:
        rows = [line.rstrip("\n").split("\t") for line in lines if line.strip() and not line.startswith("#")]
    return [row for row in rows if row[0] in NAMES]


def ask(*arguments):
    """The lines of an answer, as wide as they are."""
    answer = subprocess.run([SUBSUME, *arguments], capture_output=True, text=True, check=False)
    if answer.returncode not in (0, 1):
        sys.exit(f"{' '.join(arguments)}: {answer.stderr}")
    return answer.stdout.splitlines()


def ask_json(*arguments):
    return json.loads("\n".join(ask(*arguments, "--json")))


def names(text, culprits):
    """Whether a text has the name of a culprit, and not only the beginning of another one."""
    return any(re.search(re.escape(culprit) + r"(?![\w$])", text) for culprit in culprits)


def rank(lines, entry, culprits):
    """The number of the first entry that names a culprit; entries begin where `entry`
    matches and go on until the next one, an empty line, or a command to type next."""
    number = 0
    inside = False
    for line in lines:
        if re.match(entry, line):
            number += 1
            inside = True
        elif not line.strip() or line.startswith("  subsume "):
            inside = False
        if inside and names(line, culprits):
            return number
    return None


def method_name(row):
    return f"{row.get('class') or ''}.{row['name']}" if row else ""


def blame_rank(answer, culprits):
    """The place of the first row with a culprit: the method, or the callee that it is
    mostly about. Rows of changed code come first, as the command prints them."""
    rows = answer["explanation"]["rows"]
    rows = [r for r in rows if r["code"] != "same"] + [r for r in rows if r["code"] == "same"]
    for number, row in enumerate(rows, 1):
        callee = (row.get("mostly_by") or {}).get("callee")
        if method_name(row) in culprits or method_name(callee) in culprits:
            return number
    return None


def candidate_rank(which, culprits):
    """The place of the first culprit among the candidates for a cache, or that it is a
    cache already."""
    answer = ask_json("repeats", "--top", "0", which)
    for number, entry in enumerate(answer["candidates"], 1):
        if method_name(entry["method"]) in culprits:
            return str(number)
    return "a cache" if any(method_name(entry["method"]) in culprits for entry in answer["caches"]) else "-"


def totals(answer):
    total = answer["totals"]["bytecodes"]
    return total["before"], total["after"]


def share_of(profile, culprits):
    """The cost of the first culprit that was executed, with all that it calls."""
    for culprit in culprits:
        answer = subprocess.run([SUBSUME, "methods", "--top", "0", "--all", "--json", profile],
                                capture_output=True, text=True, check=False)
        if answer.returncode:
            return None
        document = json.loads(answer.stdout)
        found = [m["inclusive"] for m in document["methods"] if method_name(m) in culprits]
        return max(found, default=0) / document["total"] if found else None
    return None


def shown(place):
    return "-" if place is None else str(place)


def profile(name, which):
    return os.path.join(PROFILES, f"{name}-{which}.subsume")


def case(row):
    name, kind, artifact, old, new, culprit, tracker = row[:7]
    culprits = culprit.split(";")
    buggy, fixed = profile(name, "old"), profile(name, "new")
    difference = ask_json("diff", buggy, fixed)
    before, after = totals(difference)
    again = ask_json("diff", buggy, profile(name, "again"))
    summary = ask("summary", "--wide", buggy)
    methods = ask_json("methods", "--top", "0", buggy)["methods"]
    subsuming = [m for m in methods if m["subsuming"]]
    places = [n for n, m in enumerate(subsuming, 1) if method_name(m) in culprits]
    special = {"copying": "copies", "loops": "loops"}.get(kind)
    by_mode = ""
    if kind == "repeats":
        places_of_cache = [candidate_rank(profile(name, which), culprits) for which in ("results", "results-new")]
        by_mode = "repeats " + ", mended ".join(places_of_cache)
    elif special:
        lines = ask(special, "--wide", "--top", "0", profile(name, special))
        entry = r"^[\d,]+ wasted" if special == "loops" else r"^\s*[\d,]+\s+[\d.]+%"
        by_mode = f"{special} {shown(rank(lines, entry, culprits))}"
    steady = "no" if not again["explanation"]["rows"] else f"{len(again['explanation']['rows'])} rows"
    share = share_of(buggy, culprits)
    return [
        tracker, kind, f"{artifact.split(':')[1]} {old}, {new}", f"{before / 1e6:.0f}",
        "-" if share is None else f"{100 * share:.1f} %", f"{100 * (after - before) / before:+.1f} %",
        shown(rank(summary, r"^\s*[\d.]+%  ", culprits)),
        shown(places[0] if places else None),
        shown(rank(ask("search", "--auto", "--wide", "--top", "0", buggy), r"^\s*\d+\s+\S+%", culprits)),
        shown(blame_rank(difference, culprits)),
        shown(rank(ask("search", "--auto", "--wide", "--top", "0", buggy, "--against", fixed),
                   r"^\s*\d+\s+\S+%", culprits)),
        by_mode, steady,
    ]


def upgrade(row):
    name, artifact, old, new, what = row[:5]
    difference = ask_json("diff", profile(name, "old"), profile(name, "new"))
    before, after = totals(difference)
    rows = difference["explanation"]["rows"]
    changed = [r for r in rows if r["code"] != "same"]
    less = [r for r in changed if r["difference"] < 0]
    more = [r for r in changed if r["difference"] > 0]
    by_code = sum(r["difference"] for r in changed)
    first = min(changed, key=lambda r: r["difference"], default=None)
    total = sum(r["difference"] for r in rows) + difference["explanation"]["below"]["difference"]
    exact = "yes" if total == after - before else f"no, {total - (after - before):+d}"
    return [
        f"{artifact.split(':')[1]} {old}, {new}", what, f"{before / 1e6:.0f}",
        f"{100 * (after - before) / before:+.1f} %", f"{100 * by_code / before:+.1f} %",
        str(len(less)), str(len(more)),
        f"{method_name(first)} ({100 * first['difference'] / before:+.1f} %)" if first else "-", exact,
    ]


def told(finding):
    """All names of methods that a finding shows."""
    methods = [finding["method"], *finding["below"], *(one["method"] for one in finding["evidence"])]
    methods += finding["way_in"]
    return {method_name(method) for method in methods}


def diagnosis(row):
    """Place and sentence of the culprit among the findings, and what is left of it in the
    mended version."""
    name, tracker, culprits = row[0], row[6], set(row[5].split(";"))
    folders = [os.path.join(PROFILES, f"{name}-{side}.diagnosis") for side in ("old", "new")]
    if not all(map(os.path.isdir, folders)):
        return None
    before, after = (ask_json("diagnose", folder) for folder in folders)
    place, found = next(
        ((n, f) for n, f in enumerate(before["findings"], 1) if culprits & told(f)), (None, None)
    )
    left = "-"
    if found:
        lead = (found["kind"], method_name(found["method"]))
        rest = [f for f in after["findings"] if (f["kind"], method_name(f["method"])) == lead]
        left = f"{100 * rest[0]['share']:.1f} %" if rest else "gone"
    likely = [f for f in before["findings"] if f["likely"] >= 0.005 * before["total"]]
    return [
        tracker, shown(place), found["kind"] if found else "-",
        f"{100 * found['share']:.1f} %" if found else "-", left, str(len(likely)),
        found["evidence"][0]["sentence"] if found else "-",
    ]


def print_table(titles, rows):
    if not rows:
        return
    print("| " + " | ".join(titles) + " |")
    print("|" + "---|" * len(titles))
    for row in rows:
        print("| " + " | ".join(row) + " |", flush=True)
    print()


print_table(
    ["bug", "kind", "versions", "million bytecodes", "culprit", "difference", "summary", "methods", "search --auto",
     "diff", "--against", "mode", "run again differs"],
    [case(row) for row in table("cases.tsv")],
)
print_table(
    ["versions", "program", "million bytecodes", "difference", "by changed code", "changed, less", "changed, more",
     "greatest gain", "adds up"],
    [upgrade(row) for row in table("upgrades.tsv")],
)
print_table(
    ["bug", "place", "kind", "at most", "mended", "findings", "sentence"],
    [row for row in map(diagnosis, table("cases.tsv")) if row],
)

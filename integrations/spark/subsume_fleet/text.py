"""Answers for people: tables of plain text."""

import math

from subsume_fleet.names import names, qualified

# Rows shown unless the user says otherwise.
TOP = 20


def print_document(command, document, top):
    """Prints an answer."""
    for title, columns, rows in TABLES[command](document):
        print(title)
        shown = rows if top == 0 else rows[: top or TOP]
        if shown:
            print()
            _print_table(columns, shown)
        if len(shown) < len(rows):
            print(f"... and {len(rows) - len(shown):,} more")
        print()


def _print_table(columns, rows):
    cells = [[_cell(value) for value in row] for row in rows]
    widths = [max(len(row[at]) for row in [columns, *cells]) for at in range(len(columns))]
    for row, values in zip([columns, *cells], [rows[0], *rows]):
        line = "  ".join(
            text.ljust(width) if isinstance(value, str) else text.rjust(width)
            for text, value, width in zip(row, values, widths))
        print(line.rstrip())


def _cell(value):
    if value is None:
        return "-"
    if isinstance(value, float):
        return f"{value:,.1f}"
    return f"{value:,}" if isinstance(value, int) else value


def _whole(mean):
    """Halves upwards, as the command has them."""
    return math.floor(mean + 0.5)


def _methods(document):
    title = (f"{document['total']:,} {document['metric']} in {document['runs']:,} runs; "
             f"{document['subsuming']['methods']:,} of {document['all']['methods']:,} "
             "methods subsume")
    name = names(document["methods"])
    columns = ["Induced", "Inclusive", "Exclusive", "Runs", "Height", "Distance", "Method"]
    yield title, columns, [
        [row["induced"], row["inclusive"], row["exclusive"], row["runs"], row["height"],
         row["distance"], name(row)] for row in document["methods"]]


def _diff(document):
    name = names(document["methods"])
    yield f"{document['metric']} of {document['runs']:,} runs each", \
        ["Before", "After", "Difference", "Method"], [
            [own["before"], own["after"], own["after"] - own["before"], name(row)]
            for row in document["methods"] for own in [row["exclusive"]]]


def _range(group):
    least, greatest = group["least"], group["greatest"]
    return f"{least:,}" if least == greatest else f"{least:,}..{greatest:,}"


def _called(row, name):
    # The nearest callers; JSON has all.
    callers = [qualified(one) for one in row.get("path", [])[-4:-1]]
    return " < ".join([name(row), *reversed(callers)])


def _explanation(document, listed, name):
    """What explains the difference, in a sentence."""
    more = sorted((row for row in listed if row["difference"] > 0),
                  key=lambda row: -row["difference"])
    if not more:
        return ("Costs more: methods of other classes than these" if document["worse"] else
                "No method costs more, beyond chance")
    share = lambda difference: f"{100 * difference / max(document['before']['mean'], 1):+.2f}%"
    rest = more[1:]
    others = (f", and {len(rest):,} other method{'s' if len(rest) > 1 else ''} "
              f"({share(sum(row['difference'] for row in rest))} of all together)" if rest else "")
    return f"Costs more: {name(more[0])} ({share(more[0]['difference'])} of all){others}"


def _gate(document):
    before, after = document["before"], document["after"]
    columns = ["Before", "After", "Difference", "Method"]
    listed = [*document["constant"], *(document["above"] or [])]
    name = names(listed)
    yield _explanation(document, listed, name), [], []
    rows = lambda key: [[_range(row["before"]), _range(row["after"]), row["difference"],
                         _called(row, name)] for row in document[key] or []]
    yield (f"{document['metric']}: {_whole(before['mean']):,} on average of {before['runs']:,} runs "
           f"before, {_whole(after['mean']):,} of {after['runs']:,} after; one cost in all runs "
           "before, another one in all after:"), columns, rows("constant")
    what = ("not tested" if document["above"] is None else
            "those above in each run after:")
    what_varies = "contexts" if document.get("by_context") else "methods"
    yield (f"Varying: {document['varying']:,} {what_varies}, "
           f"{document['expected_false_alarms']:.2f} false alarms expected at most; {what}"), \
        columns, rows("above")
    for key, what in (("below_floor", ""), ("above_below_floor", ", of those above")):
        if document[key]:
            yield f"... and {document[key]:,} with differences below the floor{what}", [], []


def _outliers(document):
    name = names([row["method"] for row in document["outliers"] if row["method"]])
    columns = ["Label", "Runs", "Mean", "Others", "Apart", "By", "Mostly by"]
    yield f"{document['metric']} of {document['runs']:,} runs", columns, [
        [f"{row['key']}={row['value']}", row["with"]["runs"], row["with"]["mean"],
         row["without"]["mean"], "yes" if row["apart"] else "-",
         row["method"] and row["method"]["difference"],
         name(row["method"]) if row["method"] else "-"] for row in document["outliers"]]


TABLES = {"methods": _methods, "diff": _diff, "gate": _gate, "outliers": _outliers}

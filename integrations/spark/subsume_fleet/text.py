"""Answers for people, in the sentences and columns of ``subsume fleet``; the column Code is missing."""

import math
import sys

from subsume_fleet.names import names, qualified

# Rows shown unless the user says otherwise.
TOP = 20
# The least rise of varying methods that the gate lists, as in the command.
LEAST_SHARE = "2.00%"
# Columns with text; all others have numbers.
TEXT = ("Method", "Dominating method", "Label", "Apart", "Mostly by", "Subsumes")


def print_document(command, document, top, floor=0.01, false_alarms=1.0):
    """Prints an answer."""
    top = TOP if top is None else top
    if command == "gate":
        _gate(document, top, floor, false_alarms)
    else:
        {"methods": _methods, "diff": _diff, "outliers": _outliers}[command](document, top)


def print_added(answer):
    """Prints what became of files that were to be added."""
    for row in answer["added"]:
        print(f"{row['file']}: run {row['run']}")
    for row in answer["known"]:
        print(f"{row['file']}: run {row['run']}, which was there")
    for row in answer["refused"]:
        print(f"subsume-fleet: {row['reason']}", file=sys.stderr)
    parts = [f"{_counted(len(answer['added']), 'run')} added"]
    parts += [f"{len(answer[key])} {what}"
              for key, what in (("known", "there before"), ("refused", "refused")) if answer[key]]
    print(", ".join(parts))


def _table(columns, rows, top):
    shown = rows if top == 0 else rows[:top]
    if shown:
        cells = [columns, *([str(cell) for cell in row] for row in shown)]
        widths = [max(len(row[at]) for row in cells) for at in range(len(columns))]
        for row in cells:
            line = "  ".join(
                text.ljust(width) if column in TEXT else text.rjust(width)
                for text, width, column in zip(row, widths, columns))
            print(line.rstrip())
    if len(shown) < len(rows):
        print(f"... and {len(rows) - len(shown):,} more (--top 0 shows all)")


def _counted(number, unit):
    return f"{number:,} {unit}{'' if number == 1 else 's'}"


def _percent(part, whole):
    return "-" if not whole else _percent_of(part / whole)


def _percent_of(share):
    text = f"{100.0 * share:.2f}%"
    return "0.00%" if text == "-0.00%" else text


def _signed_percent_of(share):
    text = _percent_of(share)
    return text if share < 0 or text == "0.00%" else f"+{text}"


def _signed(difference):
    return f"{difference:+,}" if difference else "0"


def _number(value):
    return "-" if value is None else f"{value:,}"


def _whole(mean):
    """Halves away from zero, as the command has them."""
    return math.floor(mean + 0.5) if mean >= 0 else math.ceil(mean - 0.5)


def _methods(document, top):
    total, rows, bounds = document["total"], document["methods"], document["thresholds"]
    print(f"{total:,} {document['metric']} in {_counted(document['runs'], 'run')} of "
          f"{_counted(document['all']['methods'], 'method')}")
    count = document["subsuming"]["methods"]
    print(f"Subsuming: {_counted(count, 'method')} ({_percent(count, document['all']['methods'])}), "
          f"with height > {bounds['height']} and distance > {bounds['distance']}\n")
    if not rows:
        print("No method subsumes")
        return
    has_induced = any(row["induced"] is not None for row in rows)
    has_others = any(not row["subsuming"] for row in rows)
    name = names([*rows, *(row["dominator"] for row in rows if row["dominator"])])
    columns = ["Induced", "Ind.%"] if has_induced else []
    columns += ["Incl.%", "Excl.%", "Calls", "Runs", "Height", "Dist."]
    columns += ["Subsumes"] if has_others else []
    columns += ["Method", "Dominating method"]

    def cells(row):
        if has_induced:
            induced = row["induced"]
            yield _number(induced)
            yield "-" if induced is None else _percent(induced, total)
        yield _percent(row["inclusive"], total)
        yield _percent(row["exclusive"], total)
        for key in ("calls", "runs", "height", "distance"):
            yield _number(row[key])
        if has_others:
            yield "yes" if row["subsuming"] else "-"
        yield name(row)
        yield name(row["dominator"]) if row["dominator"] else "-"

    _table(columns, [list(cells(row)) for row in rows], top)


def _diff(document, top):
    metric, rows = document["metric"], document["methods"]
    runs = _counted(document["runs"], "run")
    print(f"{metric} of {runs} on each side, the methods' own\n")
    name = names(rows)
    columns = [f"{metric} (exclusive)", "%", "Method"]
    listed = []
    for row in rows:
        own = row["exclusive"]
        difference = own["after"] - own["before"]
        change = _signed_percent_of(difference / own["before"]) if own["before"] else "-"
        listed.append([_signed(difference), change, name(row)])
    _table(columns, listed, top)


def _range(group):
    least, greatest = group["least"], group["greatest"]
    return f"{least:,}" if least == greatest else f"{least:,}..{greatest:,}"


def _explanation(document, listed, name):
    """What explains the difference, in a sentence: the methods that cost more, the costliest first."""
    more = sorted((row for row in listed if row["difference"] > 0),
                  key=lambda row: -row["difference"])
    if not more:
        return ("Costs more: methods of other classes than these" if document["worse"] else
                "No method costs more, beyond chance")
    share = lambda difference: _signed_percent_of(difference / max(document["before"]["mean"], 1))
    rest = more[1:]
    others = (f", and {_counted(len(rest), 'other method')} "
              f"({share(sum(row['difference'] for row in rest))} of all together)" if rest else "")
    return f"Costs more: {name(more[0])} ({share(more[0]['difference'])} of all){others}"


def _gate(document, top, floor, false_alarms):
    before, after = document["before"], document["after"]
    unit = "context" if document.get("by_context") else "method"
    listed = [*document["constant"], *(document["above"] or [])]
    name = names(listed)
    print(_explanation(document, listed, name))
    difference = after["mean"] - before["mean"]
    change = _signed_percent_of(difference / before["mean"]) if before["mean"] else "-"
    runs = [_counted(side["runs"], "run") for side in (before, after)]
    print(f"{document['metric']} by {runs[0]} before and {runs[1]} after: "
          f"{_whole(before['mean']):,} on average before, {_whole(after['mean']):,} after ({change})")
    if document["runs_left_out"]:
        print(f"Left out, as not whole: {_counted(document['runs_left_out'], 'run')}")
    print()

    def rows(of):
        for row in of:
            # The nearest callers of a context; JSON has all.
            callers = [qualified(one) for one in row.get("path", [])[-4:-1]]
            called = " < ".join([name(row), *reversed(callers)])
            is_one_sided = {(True, False): " (new)", (False, True): " (gone)"}
            sides = tuple(row[side]["greatest"] == 0 for side in ("before", "after"))
            yield [_range(row["before"]), _range(row["after"]), _signed(_whole(row["difference"])),
                   _signed_percent_of(row["difference"] / max(before["mean"], 1)),
                   called + is_one_sided.get(sides, "")]

    columns = ["Before", "After", "Difference", "Of all %", "Method"]
    if document.get("sampled"):
        print("Costs are samples, which differ from run to run: methods are tested by ranks only")
    elif document["constant"]:
        print(f"One cost in all runs before, another one in all runs after: "
              f"{_counted(len(document['constant']), unit)}\n")
        _table(columns, list(rows(document["constant"])), top)
    else:
        print(f"No {unit} has one cost in all runs before and another one in all after")
    if document["below_floor"]:
        print(f"... and {_counted(document['below_floor'], unit)} with differences below {floor:g}% of all")
    print()
    chance = document["expected_false_alarms"]
    few = f"{chance:.1e}" if 0 < chance < 0.01 else f"{chance:.2f}"
    expected = f"at most {few} false alarms are to be expected"
    varying = f"Varying from run to run: {_counted(document['varying'], unit)}"
    if document["above"] is None:
        print(f"{varying}, not tested: with so few runs {expected}, more than {false_alarms:g}")
        return
    print(f"{varying}; {len(document['above'])} cost more in each run after than in any run before, "
          f"and at least {LEAST_SHARE} by the mean ({expected})")
    if document["above"]:
        print()
        _table(columns, list(rows(document["above"])), top)
    if document["above_below_floor"]:
        print(f"\n... and {_counted(document['above_below_floor'], unit)} by less than {floor:g}% of all")


def _outliers(document, top):
    rows = document["outliers"]
    print(f"{document['metric']} of {_counted(document['runs'], 'run')}")
    if document["runs_left_out"]:
        print(f"Left out, as not whole: {_counted(document['runs_left_out'], 'run')}")
    print()
    if not rows:
        print("No label has values that tell these runs apart")
        return
    name = names([row["method"] for row in rows if row["method"]])
    columns = ["Label", "Runs", "Mean", "Others", "Difference", "Apart", "By", "Mostly by"]
    _table(columns, [
        [f"{row['key']}={row['value']}", f"{row['with']['runs']:,}", f"{_whole(row['with']['mean']):,}",
         f"{_whole(row['without']['mean']):,}", _signed_percent_of(row["share"]),
         "yes" if row["apart"] else "-",
         _signed(_whole(row["method"]["difference"])) if row["method"] else "",
         name(row["method"]) if row["method"] else ""] for row in rows], top)

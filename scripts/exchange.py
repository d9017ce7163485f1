"""The comparisons of scripts/exchange, which calls this."""

import collections
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time

SUBSUME, PROFILE, TOOLS = sys.argv[1:4]
FINDINGS = sys.argv[4:]
PROGRAMS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "tests", "end-to-end", "programs")


def run(*command, **more):
    done = subprocess.run(command, check=False, capture_output=True, text=True, **more)
    if done.returncode:
        sys.exit(f"{' '.join(map(str, command))}: exit code {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout


def export(form, out, *options):
    run(SUBSUME, "export", "--format", form, *options, PROFILE, "-o", out)
    return out


class Truth:
    """What `subsume methods` says by one metric."""

    def __init__(self, metric):
        answer = json.loads(run(SUBSUME, "methods", "--all", "--json", "--metric", metric, PROFILE))
        self.metric = metric
        self.total = answer["total"]
        self.contexts = answer["all"]["contexts"]
        # The root above several roots is not a method of the program.
        self.methods = [method for method in answer["methods"] if method["class"] or method["name"] != "<root>"]

    def by(self, name, *costs):
        """Sums of costs of methods that share a name."""
        sums = collections.defaultdict(lambda: [0] * len(costs))
        for method in self.methods:
            for at, cost in enumerate(costs):
                sums[name(method)][at] += method[cost]
        return {name: sums for name, sums in sums.items() if any(sums)}


def qualified(method):
    return ".".join(part for part in (method["class"], method["name"]) if part)


def whole(method):
    return qualified(method) + method["descriptor"]


def agree(tool, found, expected):
    """Compares tables; says what differs and gives up if anything does."""
    different = [name for name in found.keys() | expected.keys() if found.get(name) != expected.get(name)]
    if different or not expected:
        print(f"scripts/exchange: {tool}: {len(different)} of {len(expected)} rows differ", file=sys.stderr)
        for name in sorted(different)[:5]:
            print(f"{name}: {found.get(name)} instead of {expected.get(name)}", file=sys.stderr)
        sys.exit(1)
    print(f"{tool}: agrees (rows: {len(expected)})")


def callgrind(truths):
    out = export("callgrind", "callgrind.out")
    text = run("callgrind_annotate", "--threshold=100", "--show-percs=no", "--auto=no", out)
    head = re.search(r"^Events shown: +(.*)$", text, re.M).group(1).split()
    numbers = r"((?:[\d,]+ +)+)"
    totals = re.search(rf"^ *{numbers}PROGRAM TOTALS", text, re.M).group(1)
    agree("callgrind_annotate, totals", dict(zip(head, map(plain, totals.split()))), {t.metric: t.total for t in truths})
    found = collections.defaultdict(dict)
    for line in text[text.index("file:function") :].splitlines()[2:]:
        row = re.match(rf" *{numbers}[^:]*:(.*)$", line)
        if row:
            found[re.sub(r" \[\]$", "", row.group(2))] = list(map(plain, row.group(1).split()))
    expected = collections.defaultdict(lambda: [0] * len(head))
    for at, name in enumerate(head):
        truth = next(truth for truth in truths if truth.metric == name)
        for method, (cost,) in truth.by(whole, "exclusive").items():
            expected[method][at] = cost
    # The tool's threshold is of the first event; what has none of it is not listed.
    expected = {name: costs for name, costs in expected.items() if costs[0]}
    agree("callgrind_annotate, methods", {name: found[name] for name in found if found[name][0]}, expected)
    # A function of which the callers name another file is listed twice.
    text = run("callgrind_annotate", "--threshold=100", "--show-percs=no", "--auto=no", "--inclusive=yes", out)
    rows = re.findall(rf"^ *{numbers}[^:]*:(.*)$", text[text.index("file:function") :], re.M)
    times = collections.Counter(re.sub(r" \[\]$", "", name) for _, name in rows)
    twice = {name: count for name, count in times.items() if count > 1}
    if twice or not expected.keys() <= times.keys():
        sys.exit(f"scripts/exchange: callgrind_annotate lists {len(twice)} functions several times")
    print(f"callgrind_annotate, inclusive: each function once (rows: {len(times)})")


def plain(number):
    return int(number.replace(",", ""))


def pprof(truths):
    out = export("pprof", "profile.pb.gz")
    for truth in truths:
        # Tables end where a node has less than this share.
        limits = ["-nodecount=10000000", "-nodefraction=0", "-edgefraction=0", "-unit=count"]
        text = run("go", "tool", "pprof", "-top", *limits, f"-sample_index={truth.metric}", out)
        found = {}
        for line in text.splitlines():
            row = re.match(r" *(\d+) +\S+% +\S+% +(\d+) +\S+% +(.*?)(?: \(inline\))?$", line)
            if row:
                found[row.group(3)] = [int(row.group(1)), int(row.group(2))]
        agree(f"pprof, {truth.metric}", *without_totals_of_overloads(truth, found))


def otlp(truths):
    """OpenTelemetry's own messages, which are generated from its definition."""
    from opentelemetry.proto.collector.profiles.v1development import profiles_service_pb2

    request = profiles_service_pb2.ExportProfilesServiceRequest()
    with open(export("otlp", "profile.otlp"), "rb") as file:
        request.ParseFromString(file.read())
    tables = request.dictionary
    text = tables.string_table

    def own(sample):
        leaf = tables.location_table[tables.stack_table[sample.stack_index].location_indices[0]]
        return text[tables.function_table[leaf.lines[0].function_index].system_name_strindex]

    profiles = request.resource_profiles[0].scope_profiles[0].profiles
    for truth, profile in zip(truths, profiles, strict=True):
        if text[profile.sample_type.type_strindex] != truth.metric:
            sys.exit(f"scripts/exchange: OTLP has another metric than {truth.metric}")
        found = collections.Counter()
        for sample in profile.samples:
            found[own(sample)] += sum(sample.values)
        costs = {name: [cost] for name, cost in found.items()}
        agree(f"OTLP, {truth.metric}", costs, truth.by(whole, "exclusive"))


def mission_control(truths):
    """The parser of JDK Mission Control: samples in proportion, allocations as they are."""
    home = os.environ.get("JAVA_HOME")
    java = os.path.join(home, "bin", "java") if home else "java"
    classes = os.path.join(TOOLS, "jmc", "*")

    def read(recording):
        """Events, frames and weights by kind, thread and innermost method."""
        text = run(java, "-cp", classes, os.path.join(PROGRAMS, "jmc", "Totals.java"), recording)
        rows = [line.split("\t") for line in text.splitlines()]
        return [(kind, method, int(events), int(weight)) for kind, _, method, events, _, weight in rows]

    rows = read(export("jfr", "samples.jfr"))
    found = collections.Counter()
    for kind, _, events, _ in rows:
        found[kind] += events
    agree("Mission Control, samples", found, {"jdk.ExecutionSample": 10_000})
    truth = next(truth for truth in truths if truth.metric == "allocations")
    found = collections.Counter()
    for kind, method, _, weight in read(export("jfr", "allocations.jfr", "--metric", "allocations")):
        found[method] += weight if kind == "jdk.ObjectAllocationSample" else 0
    costs = {name: [cost] for name, cost in found.items()}
    agree("Mission Control, allocations", costs, truth.by(whole, "exclusive"))


def speedscope(truth):
    import jsonschema

    folder = os.path.join(TOOLS, "node_modules", "speedscope", "dist", "release")
    schemas = [name for name in os.listdir(folder) if name.startswith("file-format-schema")]
    with open(os.path.join(folder, schemas[0])) as file:
        schema = json.load(file)
    with open(export("speedscope", "profile.speedscope.json")) as file:
        document = json.load(file)
    jsonschema.validate(document, schema)
    frames = [frame["name"] for frame in document["shared"]["frames"]]
    found, stack, last = collections.Counter(), [], 0
    for event in document["profiles"][0]["events"]:
        if stack:
            found[frames[stack[-1]]] += event["at"] - last
        last = event["at"]
        if event["type"] == "O":
            stack.append(event["frame"])
        elif stack.pop() != event["frame"]:
            sys.exit("scripts/exchange: speedscope: a frame is closed that is not the last one")
    found = {name: [cost] for name, cost in found.items() if cost}
    agree("speedscope's schema and events", found, truth.by(qualified, "exclusive"))


def duckdb(truths):
    import duckdb as tool

    for form in ("parquet", "csv"):
        out = export(form, f"profile.{form}")
        source = f"'{out}'" if form == "parquet" else f"read_csv('{out}', nullstr = '')"
        contexts = tool.sql(f"select count(*) from {source}").fetchall()[0][0]
        agree(f"DuckDB, {form}, contexts", {"": contexts}, {"": truths[0].contexts})
        for truth in truths:
            rows = tool.sql(
                f"select concat_ws('.', nullif(class, ''), method) || coalesce(descriptor, '') as name, "
                f'sum("{truth.metric}")::bigint from {source} group by name'
            ).fetchall()
            found = {name: [cost] for name, cost in rows if cost}
            agree(f"DuckDB, {form}, {truth.metric}", found, truth.by(whole, "exclusive"))


def load(program, own):
    """Starts the daemon. It gives itself half a second, too little beside other work."""
    for _ in range(20):
        done = subprocess.run([program, "load", "profile.json"], capture_output=True, env=own)
        if done.returncode == 0:
            return
        subprocess.run([program, "stop", "--all"], capture_output=True, env=own)
        time.sleep(1)
    run(program, "load", "profile.json", env=own)


def firefox(truth):
    program = os.path.join(TOOLS, "node_modules", ".bin", "profiler-cli")
    export("firefox", "profile.json")
    # It keeps its sessions in the home folder.
    own = dict(os.environ, HOME=os.getcwd())
    try:
        load(program, own)
        answer = json.loads(run(program, "thread", "functions", "--limit", "0", "--json", env=own))
    finally:
        subprocess.run([program, "stop", "--all"], capture_output=True, env=own)
    found = {row["name"]: [row["selfSamples"], row["totalSamples"]] for row in answer["functions"]}
    agree("Firefox Profiler", *without_totals_of_overloads(truth, found))


def without_totals_of_overloads(truth, found):
    """Tools that know no overloads show one method, and nobody knows which of
    its calls are of itself."""
    expected = truth.by(qualified, "exclusive", "inclusive")
    names = collections.Counter(map(qualified, truth.methods))
    for table in found, expected:
        for name in table:
            if names[name] > 1:
                table[name] = table[name][:1]
    rows = lambda table: {name: costs for name, costs in table.items() if any(costs)}
    return rows(found), rows(expected)


def folded(truth):
    found = collections.Counter()
    with open(export("folded", "profile.folded")) as file:
        for line in file:
            stack, cost = line.rsplit(" ", 1)
            found[stack.rsplit(";", 1)[-1]] += int(cost)
    agree("folded stacks", {name: [cost] for name, cost in found.items()}, truth.by(qualified, "exclusive"))


def sarif(validator):
    """Findings: the standard's schema and rules, GitHub's, and what another program reads."""
    from sarif import loader

    with open("findings.sarif", "w") as file:
        file.write(run(SUBSUME, "repeats", "--sarif", *FINDINGS))
    # Beside what is wrong there are warnings; that subsume has no home page is known.
    run(validator, "validate", "findings.sarif", "--rule-kind", "Sarif;Gh", "-o", "validated.sarif")
    with open("validated.sarif") as file:
        wrong = [one for one in json.load(file)["runs"][0]["results"] if one["ruleId"] != "SARIF2005"]
    if wrong:
        sys.exit(f"scripts/exchange: SARIF: {json.dumps(wrong)[:2000]}")
    with open("findings.sarif") as file:
        results = json.load(file)["runs"][0]["results"]
    expected = collections.defaultdict(list)
    for one in results:
        place = one["locations"][0]["physicalLocation"]
        row = (one["ruleId"], place["artifactLocation"]["uri"], str(place["region"]["startLine"]))
        expected[row].append(one["level"])
    found = collections.defaultdict(list)
    for one in loader.load_sarif_file("findings.sarif").get_records():
        found[(one["Code"].split(" ")[0], one["Location"], str(one["Line"]))].append(one["Severity"])
    agree("SARIF", found, expected)


def has_module(name):
    import importlib.util

    return importlib.util.find_spec(name) is not None


def main():
    # The first metric is the one that formats of a single metric have.
    tree = json.loads(run(SUBSUME, "tree", "--json", "--depth", "0", PROFILE))
    info = json.loads(run(SUBSUME, "info", "--json", PROFILE))
    names = [tree["metric"]] + [t["metric"] for t in info["totals"] if t["metric"] != tree["metric"]]
    truths = [Truth(name) for name in names]
    if (truths[0].total, truths[0].contexts) != (tree["total"], tree["contexts"]):
        sys.exit("scripts/exchange: tree and methods do not agree")
    modules = os.path.join(TOOLS, "node_modules")
    validator = os.path.join(modules, "@microsoft", "sarif-multitool-linux", "Sarif.Multitool")
    reads_sarif = has_module("sarif") and os.path.isfile(validator)
    for needed, is_there, check in [
        ("", True, lambda: folded(truths[0])),
        ("callgrind_annotate (package valgrind)", shutil.which("callgrind_annotate"), lambda: callgrind(truths)),
        ("go", shutil.which("go"), lambda: pprof(truths)),
        ("OpenTelemetry's messages", has_module("opentelemetry"), lambda: otlp(truths)),
        ("Mission Control's parser", os.path.isdir(os.path.join(TOOLS, "jmc")), lambda: mission_control(truths)),
        ("DuckDB", has_module("duckdb"), lambda: duckdb(truths)),
        ("speedscope's schema", os.path.isdir(os.path.join(modules, "speedscope")) and has_module("jsonschema"), lambda: speedscope(truths[0])),
        ("the Firefox Profiler's program", os.path.isdir(os.path.join(modules, "@firefox-devtools")), lambda: firefox(truths[0])),
        ("findings, or programs for SARIF", FINDINGS and reads_sarif, lambda: sarif(validator)),
    ]:
        if is_there:
            check()
        else:
            print(f"left out, because it is not there: {needed}")


with tempfile.TemporaryDirectory() as work:
    os.chdir(work)
    main()

use serde_json::{Value, json};

use super::arguments::{arguments, command_of, keys, tool};
use super::tools::{ARGUMENTS, READ, TOOLS, WRITTEN};
use super::*;
use crate::cli::is_answer;

/// Most tools, and most bytes that their descriptions may take of an assistant's memory.
const MOST_TOOLS: usize = 12;
const MOST_BYTES: usize = 12_000;

fn served() -> Served {
    Served::new(None, true)
}

fn call(name: &str, given: Value) -> std::result::Result<Call, String> {
    let served = served();
    let Value::Object(given) = given else { panic!("{given} is not an object") };
    let tool = served.tool(name).map_err(|error| error.message.into_owned())?;
    Call::new(&served.cli, tool, given, None).map_err(|error| error.to_string())
}

#[test]
fn calls_are_command_lines() {
    for (name, given, expected) in [
        ("ask", json!({"question": "summary", "files": ["a"]}), "subsume summary a"),
        ("ask", json!({"files": "a"}), "subsume summary a"),
        (
            "ask",
            json!({"question": "methods", "files": ["a", "b"], "top": 3, "callers": true, "all": false}),
            "subsume methods --callers --top=3 a b",
        ),
        (
            "ask",
            json!({"question": "search", "files": ["a"], "against": ["b"]}),
            "subsume search --auto --against=b a",
        ),
        ("compare", json!({"before": ["a"], "after": ["b"]}), "subsume diff a -- b"),
        ("compare", json!({"files": ["a", "b"]}), "subsume history a b"),
        ("open", json!({"files": ["a"], "method": "x.Y.z"}), "subsume methods --inside=x.Y.z a"),
        (
            "open",
            json!({"show": "callers", "files": ["a"], "method": "x.Y.z"}),
            "subsume callers a x.Y.z",
        ),
        (
            "open",
            json!({"show": "cost-of", "files": ["a"], "line": "Main:3", "hops": 2}),
            "subsume cost-of --hops=2 a Main:3",
        ),
        (
            "lines",
            json!({"files": ["a"], "method": "z"}),
            "subsume lines --given-sources --method=z a",
        ),
        ("findings", json!({"folder": "/"}), "subsume diagnose /"),
        (
            "fleet",
            json!({"question": "list", "fleet": "/", "where": ["version=1"]}),
            "subsume fleet list --where=version=1 /",
        ),
        (
            "record",
            json!({"command": ["java", "-jar", "a.jar"], "mode": "copies", "output": "a"}),
            "subsume run --mode=copies --output=a -- java -jar a.jar",
        ),
        ("record", json!({"process": 12, "for": "5s"}), "subsume attach --for=5s 12"),
        (
            "convert",
            json!({"how": "report", "files": ["a"], "output": "a.html"}),
            "subsume report --given-sources --output=a.html a",
        ),
    ] {
        let mut line = call(name, given).unwrap().words;
        let mut expected: Vec<String> = expected.split(' ').map(str::to_owned).collect();
        // Options come in the order of the call.
        line[2..].sort();
        expected[2..].sort();
        assert_eq!(line, expected);
    }
}

#[test]
fn wrong_calls_say_what_is_right() {
    for (name, given, says) in [
        (
            "ask",
            json!({"question": "info", "files": ["a"], "file": "a"}),
            "ask with question info takes no argument 'file'; it takes question, class, files, own, \
             skipped, top",
        ),
        ("ask", json!({"question": "sumary", "files": ["a"]}), "is one of summary, methods"),
        ("ask", json!({"question": "info"}), "ask with question info needs 'files'"),
        ("open", json!({"show": "inside", "files": ["a"]}), "needs 'method'"),
        ("ask", json!({"files": ["--json"]}), "cannot begin with '-'"),
        ("ask", json!({"files": ["a"], "json": true}), "no argument 'json'"),
        ("ask", json!({"question": "methods", "all": "yes"}), "takes boolean, not \"yes\""),
        ("ask", json!({"files": ["a"], "top": [1]}), "'top' of ask with question summary takes"),
        ("run", json!({}), "there is no tool 'run'; there are ask, open, lines"),
    ] {
        let error = call(name, given).unwrap_err();
        assert!(error.contains(says), "{error}");
    }
    let error = Served::new(None, false).tool("record").unwrap_err();
    assert!(error.message.contains("without --allow-record"), "{error}");
}

/// Arguments that no tool has: other formats, what reads standard input, what writes a file
/// beside the answer or sends it, what assistants hardly need, and settings of machines.
const OTHERS: &str = "json sarif markdown wide help script auto write_baseline html dot descriptors \
    label samples to waiting redact normalise agent_options agent async_profiler options timeout \
    attach given_sources compare call_sites exit_code fail_above height distance never shape match paths sites length summaries false_alarms floor \
    fail_if inclusive exclusive with_start";

/// When you add a command or an option, say whether an assistant may give it: in `TOOLS`, in
/// `OTHERS` here, or among the commands that are no answers.
#[test]
fn everything_is_decided() {
    let served = served();
    let commands = served.cli.get_subcommands().flat_map(|command| {
        let name = command.get_name();
        let inner = command.get_subcommands();
        let inner = inner.map(move |part| (format!("{name}-{}", part.get_name()), part));
        std::iter::once((name.to_owned(), command)).chain(inner)
    });
    let is_help = |name: &str| name.split('-').any(|part| part == "help");
    let mut decided = 0;
    for (name, command) in commands.filter(|(name, c)| !c.has_subcommands() && !is_help(name)) {
        let choices = TOOLS.iter().flat_map(|tool| tool.choices.iter());
        let choices: Vec<_> = choices.filter(|choice| choice.command == name).collect();
        assert!(!is_answer(&name) || !choices.is_empty(), "is {name} a question of a tool?");
        for argument in command.get_arguments().filter(|_| is_answer(&name)) {
            for key in keys(&name, argument) {
                let as_inside = key == "method" && name == "methods";
                let is_allowed =
                    choices.iter().any(|choice| arguments::is_in(choice.allowed, &key));
                let mut others = OTHERS.split_whitespace().chain([
                    "time", "sources", "own", "metric", "thread", "under", "without", "class",
                ]);
                let is_other = others.any(|other| other == key);
                assert!(is_allowed || is_other || as_inside, "may one give {key} of {name}?");
            }
        }
        decided += choices.len();
    }
    let all: usize = TOOLS.iter().map(|tool| tool.choices.len()).sum();
    assert_eq!(decided, all, "a choice stands for no command");
}

/// What is allowed is there, has a description, and is checked if it is a path.
#[test]
fn allowed_arguments_exist() {
    let served = served();
    for choice in TOOLS.iter().flat_map(|tool| tool.choices) {
        let (command, _) = command_of(&served.cli, choice.command).unwrap();
        let known: Vec<_> = arguments(choice, command).collect();
        for key in choice.allowed.split(' ') {
            let found = known.iter().find(|(known, _)| known == key);
            let Some((_, argument)) = found else { panic!("{} has no {key}", choice.command) };
            assert!(ARGUMENTS.iter().any(|(known, _)| known == &key), "{key} is not described");
            let takes_path = argument.of_command.get_value_parser().type_id()
                == clap::value_parser!(PathBuf).type_id();
            let is_checked = READ.contains(&key) || WRITTEN.contains(&key);
            assert!(!takes_path || is_checked, "{key} of {}", choice.command);
        }
    }
    for (key, _) in ARGUMENTS {
        let mut choices = TOOLS.iter().flat_map(|tool| tool.choices);
        assert!(choices.any(|choice| arguments::is_in(choice.allowed, key)), "{key} is not used");
    }
}

#[test]
fn tools_are_few_and_short() {
    let served = served();
    let tools: Vec<_> = TOOLS.iter().map(|definition| tool(&served.cli, definition)).collect();
    assert!(tools.len() <= MOST_TOOLS);
    let text = serde_json::to_string(&tools).unwrap();
    assert!(text.len() < MOST_BYTES, "{} bytes: {text}", text.len());
    // Options of the command line are not what an assistant gives.
    assert!(!text.contains("--"), "{text}");
    for tool in &tools {
        for (key, schema) in tool.input_schema["properties"].as_object().unwrap() {
            let is_choice = schema["enum"].is_array();
            let about = schema["description"].as_str().unwrap_or_default();
            assert!(is_choice || !about.is_empty(), "{key} of {}", tool.name);
        }
    }
    let ask = &tools[0];
    assert_eq!(ask.input_schema["properties"]["top"]["type"], "integer");
    assert_eq!(ask.input_schema["properties"]["files"]["type"], "array");
    assert_eq!(ask.input_schema["required"], json!(["files"]));
    assert_eq!(ask.annotations.as_ref().unwrap().read_only_hint, Some(true));
    let record = tools.iter().find(|tool| tool.name == "record").unwrap();
    let hints = record.annotations.as_ref().unwrap();
    assert_eq!((hints.read_only_hint, hints.destructive_hint), (Some(false), Some(true)));
}

#[test]
fn command_lines_become_calls() {
    let call = call("ask", json!({"question": "copies", "files": ["my file.subsume"]})).unwrap();
    for (served, line, expected) in [
        (
            Served::new(None, false),
            "    subsume methods --without-start --inside 'x.Y.z(int)' 'a b.subsume'",
            Some(
                "    open {\"files\":[\"a b.subsume\"],\"method\":\"x.Y.z(int)\",\"show\":\"inside\",\
                 \"without_start\":true}",
            ),
        ),
        (
            Served::new(None, false),
            "  subsume callers a.subsume 'A$B.<init>'    who does",
            Some(
                "  open {\"files\":[\"a.subsume\"],\"method\":\"A$B.<init>\",\"show\":\"callers\"}    \
                 who does",
            ),
        ),
        (
            Served::new(None, false),
            "Next: 'subsume graph FILE CLASS:LINE' shows more (--top 0 shows all)",
            Some(
                "Next: open {\"files\":[\"my file.subsume\"],\"line\":\"CLASS:LINE\",\"show\":\
                 \"graph\"} shows more (top 0 shows all)",
            ),
        ),
        (
            Served::new(None, false),
            "'subsume chains' shows more",
            Some("ask {\"files\":[\"my file.subsume\"],\"question\":\"chains\"} shows more"),
        ),
        (
            Served::new(None, false),
            "    subsume diff a b",
            Some("    compare {\"after\":[\"b\"],\"before\":[\"a\"],\"how\":\"difference\"}"),
        ),
        (Served::new(None, false), "    subsume run --time -- java A", None),
        (
            Served::new(None, true),
            "    subsume run --time -- java A",
            Some("    record {\"command\":[\"java\",\"A\"],\"how\":\"run\",\"time\":true}"),
        ),
        (
            Served::new(None, false),
            "subsume: it is 'subsumed' --by",
            Some("subsume: it is 'subsumed' --by"),
        ),
        (Served::new(None, false), "it's --by and 'subsume ", Some("it's --by and 'subsume ")),
    ] {
        let mut found = Vec::new();
        let translated = served.translator(&call).line(line, &mut found);
        assert_eq!(translated.as_deref(), expected, "{line}");
        assert!(found.len() <= 1);
    }
}

#[test]
fn commands_in_json_become_calls() {
    let call = call("findings", json!({"folder": "/"})).unwrap();
    let served = Served::new(None, false);
    let mut answer = json!({
        "command": ["java", "A"],
        "findings": [{"command": "subsume loops 'a b.subsume'"}, {"command": "subsume report a"}],
    });
    served.translator(&call).json(&mut answer);
    let loops = json!({
        "tool": "ask",
        "arguments": {"question": "loops", "files": ["a b.subsume"]},
    });
    let expected = json!({"command": ["java", "A"], "findings": [{"call": loops}, {}]});
    assert_eq!(answer, expected);
}

/// Nothing stands below a title that says what comes next, if no tool does that.
#[test]
fn titles_of_nothing_are_left_out() {
    let call = call("findings", json!({"folder": "/"})).unwrap();
    let served = Served::new(None, false);
    let translator = served.translator(&call);
    for (lines, expected) in [
        ("a\nNext:\n    subsume report a\n", "a\n"),
        (
            "Next:\n    subsume report a\n    subsume info a\n",
            "Next:\n    ask {\"files\":[\"a\"],\"question\":\"info\"}\n",
        ),
    ] {
        let mut out = next::Calls::new(Vec::new(), &translator);
        out.write_all(lines.as_bytes()).unwrap();
        let (written, _) = out.finish().unwrap();
        assert_eq!(String::from_utf8(written).unwrap(), expected);
    }
}

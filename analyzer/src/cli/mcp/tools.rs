//! Commands as tools: a command's arguments as a JSON schema, and the other way
//! round the arguments of a call as words of a command line.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use clap::builder::ValueParser;
use clap::{Arg, ArgAction, Command};
use rmcp::model::{JsonObject, Tool, ToolAnnotations};
use serde_json::{Value, json};
use tree::error::{Error, Result};

/// Tools and their arguments. What a command or an option does besides answering, such as
/// to write a file, is nothing that an assistant is asked to judge: only what stands here is
/// a tool.
const ALLOWED: [(&str, &str); 29] = [
    ("diagnose", "against baseline class fail_above folder own sources top"),
    (
        "summary",
        "class distance files height metric never own sources thread top under without with_start",
    ),
    (
        "methods",
        "all callers class distance files height inside metric never own sort sources thread time top under without without_start",
    ),
    ("info", "class files metric own shape skipped sources thread top under without"),
    (
        "tree",
        "call_sites class depth files metric min_percent own sources thread top under without without_start",
    ),
    (
        "callers",
        "call_sites class depth files_and_method metric min_percent own sources thread top under without without_start",
    ),
    ("lines", "class files method sources top"),
    (
        "search",
        "against distance files height metric never own sources thread top under without with_start",
    ),
    (
        "diff",
        "after class contexts exclusive fail_if files inclusive metric own sources thread top under without",
    ),
    ("history", "class files metric own sources thread top under without"),
    ("fleet-list", "fleet where"),
    ("fleet-methods", "all class distance fleet height never own sources summaries top where"),
    (
        "fleet-diff",
        "class contexts exclusive fail_if fleet from inclusive metric own sources thread to top under where without",
    ),
    ("fleet-gate", "class false_alarms fleet floor from metric own sources to top where"),
    ("fleet-outliers", "class fleet metric own sources top where"),
    ("copies", "class files match sort thread top with_start"),
    ("chains", "class files length paths sites top"),
    ("clones", "class files sites top"),
    ("temporaries", "class files sites sort top with_start"),
    ("useless", "class files sites top"),
    ("graph", "dot edges files_and_place hops sites"),
    ("costs", "class file height top"),
    ("dead", "class files top"),
    ("cost-of", "file_and_place hops"),
    ("nulls", "class files top"),
    ("growth", "all class files top"),
    ("typestate", "all class files top"),
    ("repeats", "class files min_percent own sources top with_start"),
    ("loops", "all baseline class files own sources top"),
];

/// Arguments that name files or folders; of those that end in something else, all words but
/// the last one do.
const PATHS: [&str; 9] =
    ["folder", "files", "file", "after", "against", "baseline", "fleet", "sources", "time"];
const PATHS_FIRST: [&str; 3] = ["files_and_method", "files_and_place", "file_and_place"];

/// Arguments without which a tool has nothing to answer of, by its name: what a person may give
/// instead, such as a program to run, is no argument of the tool.
const NEEDED: [(&str, &str); 1] = [("diagnose", "folder")];

/// Arguments that are always given, by the command's name.
const ALWAYS: [(&str, &str); 1] = [("search", "--auto")];

/// The tools of the command.
pub fn tools(cli: &Command) -> Vec<Tool> {
    let mut cli = cli.clone();
    // Positions of arguments are known afterwards.
    cli.build();
    let known = ALLOWED.iter().filter_map(|(name, _)| Some((name, found(&cli, name)?.0)));
    known.map(|(name, command)| tool((*name).to_owned(), command)).collect()
}

/// The command that a tool stands for, and its words: `fleet-list` stands for the command
/// `list` of `fleet`.
fn found<'c>(cli: &'c Command, name: &str) -> Option<(&'c Command, Vec<String>)> {
    if let Some(command) = cli.find_subcommand(name) {
        return Some((command, vec![name.to_owned()]));
    }
    let (outer, inner) = name.split_once('-')?;
    let command = cli.find_subcommand(outer)?.find_subcommand(inner)?;
    Some((command, vec![outer.to_owned(), inner.to_owned()]))
}

fn tool(name: String, command: &Command) -> Tool {
    let about = command.get_long_about().or(command.get_about());
    let description = about.map(ToString::to_string).unwrap_or_default();
    let mut properties = JsonObject::new();
    let mut required = Vec::new();
    for argument in arguments(&name, command) {
        let key = key(argument);
        properties.insert(key.clone(), schema(argument));
        if argument.is_required_set() || NEEDED.contains(&(name.as_str(), key.as_str())) {
            required.push(key);
        }
    }
    let schema = json!({
        "type": "object",
        "properties": properties,
        "required": required,
        "additionalProperties": false,
    });
    let Value::Object(schema) = schema else { unreachable!("an object was written") };
    Tool::new(name, description, Arc::new(schema))
        .with_annotations(ToolAnnotations::new().read_only(true).open_world(false))
}

/// The arguments of a tool.
fn arguments<'c>(tool: &str, command: &'c Command) -> impl Iterator<Item = &'c Arg> + use<'c> {
    let allowed = ALLOWED.iter().find(|(name, _)| *name == tool).map_or("", |(_, keys)| keys);
    command.get_arguments().filter(move |argument| is_in(allowed, argument))
}

fn is_in(allowed: &str, argument: &Arg) -> bool {
    let key = key(argument);
    allowed.split(' ').any(|known| known == key)
}

/// The name of a property: the option's, or that of the value of a positional argument.
fn key(argument: &Arg) -> String {
    argument.get_long().unwrap_or(argument.get_id().as_str()).replace('-', "_")
}

fn is_list(argument: &Arg) -> bool {
    let takes_several =
        argument.get_num_args().is_some_and(|range| range.takes_values() && range.max_values() > 1);
    takes_several || matches!(argument.get_action(), ArgAction::Append)
}

fn schema(argument: &Arg) -> Value {
    let mut one = json!({ "type": type_name(argument) });
    let possible = argument.get_possible_values();
    if !possible.is_empty() && type_name(argument) == "string" {
        let names: Vec<&str> = possible.iter().map(|value| value.get_name()).collect();
        one["enum"] = json!(names);
    }
    let mut schema = if is_list(argument) { json!({ "type": "array", "items": one }) } else { one };
    let help = argument.get_help().map(ToString::to_string).unwrap_or_default();
    schema["description"] = help.into();
    schema
}

fn type_name(argument: &Arg) -> &'static str {
    if matches!(argument.get_action(), ArgAction::SetTrue) {
        return "boolean";
    }
    let kind = argument.get_value_parser().type_id();
    let is_one_of = |parsers: &[ValueParser]| parsers.iter().any(|p| p.type_id() == kind);
    if is_one_of(&[
        clap::value_parser!(usize).into(),
        clap::value_parser!(u64).into(),
        clap::value_parser!(u32).into(),
    ]) {
        "integer"
    } else if is_one_of(&[clap::value_parser!(f64).into()]) {
        "number"
    } else {
        "string"
    }
}

/// The command line of a call. Files are read below `root`, if there is one.
///
/// # Errors
/// If an argument is unknown, is of another type, or names what is no file or not below
/// the root.
pub fn words(
    cli: &Command,
    name: &str,
    given: &JsonObject,
    root: Option<&Path>,
) -> Result<Vec<String>> {
    let mut cli = cli.clone();
    cli.build();
    let (command, called) =
        found(&cli, name).ok_or_else(|| Error::new(format!("there is no command '{name}'")))?;
    let mut words = vec!["subsume".to_owned()];
    words.extend(called);
    let always = ALWAYS.iter().filter(|(of, _)| *of == name);
    words.extend(always.map(|(_, option)| (*option).to_owned()));
    let mut positional = Vec::new();
    for (key, value) in given {
        let argument = arguments(name, command).find(|argument| self::key(argument) == *key);
        let argument =
            argument.ok_or_else(|| Error::new(format!("'{name}' has no argument '{key}'")))?;
        let values = values(argument, value)
            .ok_or_else(|| Error::new(format!("'{key}' of '{name}' cannot be {value}")))?;
        for path in paths(key, &values) {
            check(path, root)?;
        }
        match argument.get_long() {
            Some(long) => words.extend(values.into_iter().map(|value| match value {
                None => format!("--{long}"),
                Some(value) => format!("--{long}={value}"),
            })),
            None => positional.push((argument, values)),
        }
    }
    positional.sort_by_key(|(argument, _)| argument.get_index());
    for (argument, values) in positional {
        let values: Vec<String> = values.into_iter().flatten().collect();
        if values.iter().any(|value| value.starts_with('-')) {
            return Err(Error::new(format!("'{}' cannot begin with '-'", key(argument))));
        }
        if argument.is_last_set() && !values.is_empty() {
            words.push("--".to_owned());
        }
        words.extend(values);
    }
    Ok(words)
}

/// Those of the values of an argument that name files.
fn paths<'v>(key: &str, values: &'v [Option<String>]) -> impl Iterator<Item = &'v Path> {
    let count = match key {
        _ if PATHS.contains(&key) => values.len(),
        _ if PATHS_FIRST.contains(&key) => values.len().saturating_sub(1),
        _ => 0,
    };
    values[..count].iter().flatten().map(Path::new)
}

/// Refuses what has no end or never answers, such as a device or a pipe, and what is not
/// below the root. What is not there the command tells.
fn check(path: &Path, root: Option<&Path>) -> Result<()> {
    let shown = base::shown(path);
    if let Some(root) = root {
        let real = fs::canonicalize(path).map_err(|error| Error::io(path, &error));
        // Of what is elsewhere not even that it is there is told.
        if !real.is_ok_and(|real| real.starts_with(root)) {
            return Err(Error::new(format!("{shown}: there is no such file below the root")));
        }
    }
    let Ok(found) = fs::metadata(path) else { return Ok(()) };
    if !found.is_dir() && !found.is_file() {
        return Err(Error::new(format!("{shown}: this is no file, but a device or a pipe")));
    }
    // Files of the system, whose reader may wait for ever, have none either.
    if found.is_file() && found.len() == 0 {
        return Err(Error::new(format!("{shown}: the file is empty")));
    }
    Ok(())
}

/// The values of an argument, `None` for an option that takes none; nothing if they
/// are of the wrong type.
fn values(argument: &Arg, value: &Value) -> Option<Vec<Option<String>>> {
    let text = |value: &Value| match value {
        Value::String(text) => Some(Some(text.clone())),
        Value::Number(number) => Some(Some(number.to_string())),
        _ => None,
    };
    let is_switch = matches!(argument.get_action(), ArgAction::SetTrue);
    match value {
        Value::Null => Some(Vec::new()),
        Value::Bool(is_set) if is_switch => Some(is_set.then_some(None).into_iter().collect()),
        _ if is_switch => None,
        Value::Array(values) if is_list(argument) => values.iter().map(text).collect(),
        value => Some(vec![text(value)?]),
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;
    use crate::cli::{Cli, is_answer};

    fn line(name: &str, given: Value) -> std::result::Result<String, String> {
        let Value::Object(given) = given else { panic!("{given} is no object") };
        words(&Cli::command(), name, &given, None)
            .map(|words| words.join(" "))
            .map_err(|error| error.to_string())
    }

    #[test]
    fn calls_are_command_lines() {
        for (name, given, expected) in [
            ("summary", json!({"files": ["a"]}), "subsume summary a"),
            (
                "methods",
                json!({"files": ["a", "b"], "top": 3, "callers": true, "all": false}),
                "subsume methods --callers --top=3 a b",
            ),
            ("diff", json!({"files": ["a"], "after": ["b"]}), "subsume diff a -- b"),
            (
                "search",
                json!({"files": ["a"], "against": ["b"]}),
                "subsume search --auto --against=b a",
            ),
            (
                "fleet-list",
                json!({"fleet": "a", "where": ["version=1"]}),
                "subsume fleet --where=version=1 a list",
            ),
        ] {
            let mut line: Vec<String> =
                line(name, given).unwrap().split(' ').map(str::to_owned).collect();
            let mut expected: Vec<String> = expected.split(' ').map(str::to_owned).collect();
            // Options come in the order of the call.
            line[2..].sort();
            expected[2..].sort();
            assert_eq!(line, expected);
        }
    }

    #[test]
    fn wrong_calls_say_what_is_wrong() {
        for (name, given, says) in [
            ("summary", json!({"no_such": 1}), "no argument 'no_such'"),
            ("summary", json!({"files": ["--json"]}), "cannot begin with '-'"),
            ("summary", json!({"files": ["a"], "json": true}), "no argument 'json'"),
            ("methods", json!({"all": "yes"}), "cannot be"),
            ("methods", json!({"top": [1]}), "cannot be"),
        ] {
            let error = line(name, given).unwrap_err();
            assert!(error.contains(says), "{error}");
        }
    }

    /// Arguments that no tool has: other formats, what reads standard input, what writes a
    /// file, and what runs a program.
    const OTHERS: &str = "json markdown wide help script auto write_baseline html output \
        continue within for once exit_code test benchmark attach agent_options agent async_profiler command";

    /// Whoever adds a command or an option says whether an assistant may give it: in
    /// `ALLOWED`, in `OTHERS` here, or among the commands that are no answers.
    #[test]
    fn everything_is_decided() {
        let mut cli = Cli::command();
        cli.build();
        let mut seen = Vec::new();
        let commands = cli.get_subcommands().flat_map(|command| {
            let name = command.get_name();
            let inner = command.get_subcommands();
            let inner = inner.map(move |part| (format!("{name}-{}", part.get_name()), part));
            std::iter::once((name.to_owned(), command)).chain(inner)
        });
        let is_help = |name: &str| name.split('-').any(|part| part == "help");
        let commands =
            commands.filter(|(name, command)| !command.has_subcommands() && !is_help(name));
        for (name, command) in commands {
            let allowed = ALLOWED.iter().find(|(known, _)| *known == name).map(|(_, keys)| *keys);
            assert_eq!(allowed.is_some(), is_answer(&name), "is {name} a tool?");
            let Some(allowed) = allowed else { continue };
            for argument in command.get_arguments() {
                let (is_allowed, is_other) = (is_in(allowed, argument), is_in(OTHERS, argument));
                assert!(
                    is_allowed != is_other,
                    "may an assistant give {} of {name}?",
                    key(argument)
                );
                let takes_path = argument.get_value_parser().type_id()
                    == clap::value_parser!(std::path::PathBuf).type_id();
                let is_checked = PATHS.contains(&key(argument).as_str());
                assert!(is_other || takes_path == is_checked, "{} of {name}", key(argument));
            }
            seen.push(name);
        }
        assert_eq!(seen.len(), ALLOWED.len(), "{seen:?}");
    }

    #[test]
    fn every_answer_is_a_tool() {
        let tools = tools(&Cli::command());
        let names: Vec<&str> = tools.iter().map(|tool| &*tool.name).collect();
        for name in [
            "summary",
            "methods",
            "diff",
            "search",
            "callers",
            "info",
            "copies",
            "cost-of",
            "fleet-list",
        ] {
            assert!(names.contains(&name), "{name} in {names:?}");
        }
        for name in ["run", "report", "export", "start", "man", "mcp", "help", "fleet", "fleet-add"]
        {
            assert!(!names.contains(&name), "{name} in {names:?}");
        }
        for tool in &tools {
            let properties = tool.input_schema["properties"].as_object().unwrap();
            let required = tool.input_schema["required"].as_array().unwrap();
            assert!(!required.is_empty(), "{} asks for no profile", tool.name);
            assert!(!tool.description.as_deref().unwrap_or_default().is_empty());
            for (key, schema) in properties {
                let help = schema["description"].as_str().unwrap();
                assert!(!help.is_empty(), "{key} of {}", tool.name);
            }
        }
    }
}

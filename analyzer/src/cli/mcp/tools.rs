//! Commands as tools: a command's arguments as a JSON schema, and the other way
//! round the arguments of a call as words of a command line.

use std::sync::Arc;

use analyzer::error::{Error, Result};
use clap::builder::ValueParser;
use clap::{Arg, ArgAction, Command};
use rmcp::model::{JsonObject, Tool, ToolAnnotations};
use serde_json::{Value, json};

use crate::cli::is_answer;

/// Arguments that make no sense here: other formats, what reads standard input, and what
/// writes a file.
const HIDDEN: [&str; 8] =
    ["json", "markdown", "wide", "help", "script", "auto", "write_baseline", "html"];

/// Arguments that are always given, by the command's name.
const ALWAYS: [(&str, &str); 1] = [("search", "--auto")];

/// All commands that print answers.
pub fn tools(cli: &Command) -> Vec<Tool> {
    let mut cli = cli.clone();
    // Positions of arguments are known afterwards.
    cli.build();
    let mut tools = Vec::new();
    for command in cli.get_subcommands().filter(|command| is_answer(command.get_name())) {
        let name = command.get_name();
        if !command.has_subcommands() {
            tools.push(tool(name.to_owned(), command));
        }
        for part in command.get_subcommands() {
            let name = format!("{name}-{}", part.get_name());
            if is_answer(&name) {
                tools.push(tool(name, part));
            }
        }
    }
    tools
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
    for argument in arguments(command) {
        let key = key(argument);
        properties.insert(key.clone(), schema(argument));
        if argument.is_required_set() {
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

fn arguments(command: &Command) -> impl Iterator<Item = &Arg> {
    command.get_arguments().filter(|argument| !HIDDEN.contains(&argument.get_id().as_str()))
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

/// The command line of a call.
///
/// # Errors
/// If an argument is unknown, or is of another type.
pub fn words(cli: &Command, name: &str, given: &JsonObject) -> Result<Vec<String>> {
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
        let argument = arguments(command).find(|argument| self::key(argument) == *key);
        let argument =
            argument.ok_or_else(|| Error::new(format!("'{name}' has no argument '{key}'")))?;
        let values = values(argument, value)
            .ok_or_else(|| Error::new(format!("'{key}' of '{name}' cannot be {value}")))?;
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
    use crate::cli::Cli;

    fn line(name: &str, given: Value) -> std::result::Result<String, String> {
        let Value::Object(given) = given else { panic!("{given} is no object") };
        words(&Cli::command(), name, &given)
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

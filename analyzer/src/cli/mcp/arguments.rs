//! Options of commands as arguments of tools, and their schemas.

use std::sync::Arc;

use clap::builder::ValueParser;
use clap::{Arg, ArgAction, Command};
use rmcp::model::{JsonObject, Tool, ToolAnnotations};
use serde_json::{Value, json};

use super::tools::{ARGUMENTS, Choice, Definition, Effect, PAIRS, RENAMED};

/// What an argument of a tool is for its command.
#[derive(Debug, Clone, Copy)]
pub struct Argument<'c> {
    /// The command's argument.
    pub of_command: &'c Arg,
    /// Whether it stands behind files in one list.
    pub is_behind_files: bool,
}

impl Argument<'_> {
    /// True if it takes a list.
    pub fn is_list(self) -> bool {
        let range = self.of_command.get_num_args();
        let takes_several =
            range.is_some_and(|range| range.takes_values() && range.max_values() > 1);
        // A command that takes one file is given it as the others are.
        let is_file = self.of_command.get_id() == "file";
        let is_list =
            takes_several || is_file || matches!(self.of_command.get_action(), ArgAction::Append);
        is_list && !self.is_behind_files
    }

    /// True if it takes no value.
    pub fn is_switch(self) -> bool {
        matches!(self.of_command.get_action(), ArgAction::SetTrue)
    }

    /// The type of its values, as a schema names it.
    pub fn type_name(self) -> &'static str {
        if self.is_switch() {
            return "boolean";
        }
        let kind = self.of_command.get_value_parser().type_id();
        let is_one_of = |parsers: &[ValueParser]| parsers.iter().any(|p| p.type_id() == kind);
        if is_one_of(&[
            clap::value_parser!(usize).into(),
            clap::value_parser!(u64).into(),
            clap::value_parser!(u32).into(),
            clap::value_parser!(u8).into(),
            clap::value_parser!(i32).into(),
        ]) {
            "integer"
        } else if is_one_of(&[clap::value_parser!(f64).into()]) {
            "number"
        } else {
            "string"
        }
    }
}

/// The command that a choice stands for, and its words.
pub fn command_of<'c>(cli: &'c Command, name: &str) -> Option<(&'c Command, Vec<String>)> {
    if let Some(command) = cli.find_subcommand(name) {
        return Some((command, vec![name.to_owned()]));
    }
    let (outer, inner) = name.split_once('-')?;
    let command = cli.find_subcommand(outer)?.find_subcommand(inner)?;
    Some((command, vec![outer.to_owned(), inner.to_owned()]))
}

/// The names that a command's argument has for tools: one, or two for files with something
/// behind them.
pub fn keys(command: &str, argument: &Arg) -> Vec<String> {
    let id = argument.get_id().as_str();
    if let Some((_, _, beside)) = PAIRS.iter().find(|(of, pair, _)| *of == command && *pair == id) {
        return vec!["files".to_owned(), (*beside).to_owned()];
    }
    let key = argument.get_long().unwrap_or(id).replace('-', "_");
    let renamed = RENAMED.iter().find(|(of, from, _)| *of == command && *from == key);
    vec![renamed.map_or(key, |(_, _, to)| (*to).to_owned())]
}

/// The arguments of a choice by their names, in the order of the command.
pub fn arguments<'c>(
    choice: &'static Choice,
    command: &'c Command,
) -> impl Iterator<Item = (String, Argument<'c>)> + use<'c> {
    command.get_arguments().flat_map(move |argument| {
        let keys = keys(choice.command, argument).into_iter().enumerate();
        let allowed = keys.filter(|(_, key)| is_in(choice.allowed, key));
        allowed.map(move |(position, key)| {
            (key, Argument { of_command: argument, is_behind_files: position > 0 })
        })
    })
}

/// True if the word is in a list.
pub fn is_in(list: &str, word: &str) -> bool {
    list.split(' ').any(|known| known == word)
}

/// True if a choice cannot be answered without this argument.
pub fn is_needed(choice: &Choice, key: &str, argument: Argument<'_>) -> bool {
    argument.of_command.is_required_set() || is_in(choice.needs, key)
}

/// The names of all arguments that a choice takes, in alphabetical order, with the one that
/// chooses it in front.
pub fn known(definition: &Definition, choice: &Choice) -> String {
    let key = (!definition.key.is_empty()).then_some(definition.key);
    key.into_iter().chain(choice.allowed.split(' ')).collect::<Vec<_>>().join(", ")
}

/// A tool as clients see it.
pub fn tool(cli: &Command, definition: &'static Definition) -> Tool {
    let mut properties = JsonObject::new();
    let mut needed: Option<Vec<String>> = None;
    if !definition.key.is_empty() {
        let values: Vec<&str> = definition.choices.iter().map(|choice| choice.value).collect();
        properties.insert(definition.key.to_owned(), json!({ "type": "string", "enum": values }));
    }
    for choice in definition.choices {
        let Some((command, _)) = command_of(cli, choice.command) else { continue };
        let mut of_this = Vec::new();
        for (key, argument) in arguments(choice, command) {
            if is_needed(choice, &key, argument) {
                of_this.push(key.clone());
            }
            properties.entry(key.clone()).or_insert_with(|| schema(&key, argument, definition));
        }
        match &mut needed {
            None => needed = Some(of_this),
            Some(needed) => needed.retain(|key| of_this.contains(key)),
        }
    }
    let schema = json!({
        "type": "object",
        "properties": properties,
        "required": needed.unwrap_or_default(),
        "additionalProperties": false,
    });
    let Value::Object(schema) = schema else { unreachable!("an object was written") };
    let reads = definition.effect == Effect::Reads;
    let annotations = ToolAnnotations::with_title(definition.title)
        .read_only(reads)
        .open_world(definition.effect == Effect::Records);
    let annotations = if reads {
        annotations
    } else {
        // A program may do anything; a file is not written over a profile.
        annotations.destructive(definition.effect == Effect::Records)
    };
    Tool::new(definition.name, description(definition), Arc::new(schema))
        .with_annotations(annotations)
}

/// What a tool does, and what each choice is for.
fn description(definition: &Definition) -> String {
    let mut text = definition.about.to_owned();
    if !definition.key.is_empty() {
        let choices = definition.choices.iter();
        let choices: Vec<String> =
            choices.map(|choice| format!("{}: {}", choice.value, choice.about)).collect();
        text += &format!(" {} is {}.", definition.key, choices.join("; "));
    }
    text
}

fn schema(key: &str, argument: Argument<'_>, definition: &Definition) -> Value {
    let mut one = json!({ "type": argument.type_name() });
    let possible = argument.of_command.get_possible_values();
    // Choices of one tool have different values for one name, such as columns.
    if !possible.is_empty() && argument.type_name() == "string" && key != "sort" && key != "from" {
        let names: Vec<&str> = possible.iter().map(|value| value.get_name()).collect();
        one["enum"] = json!(names);
    }
    let mut schema =
        if argument.is_list() { json!({ "type": "array", "items": one }) } else { one };
    let about = ARGUMENTS.iter().find(|(known, _)| *known == key).map_or("", |(_, about)| about);
    let is_of_one = definition.choices.iter().filter(|c| is_in(c.allowed, key)).count() == 1;
    let of = definition.choices.iter().find(|choice| is_in(choice.allowed, key));
    schema["description"] = match of {
        Some(of) if is_of_one && definition.choices.len() > 1 => {
            format!("{}: {about}", of.value).into()
        }
        _ => about.into(),
    };
    schema
}

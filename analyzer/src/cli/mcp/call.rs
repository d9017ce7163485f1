//! A call of a tool as the words of a command line.

use std::fs;
use std::path::{Path, PathBuf};

use clap::Command;
use rmcp::model::JsonObject;
use serde_json::Value;
use tree::error::{Error, Result};

use super::arguments::{Argument, arguments, command_of, is_needed, known};
use super::tools::{Choice, Definition, READ, WRITTEN};

/// A call that a command can carry out.
#[derive(Debug)]
pub struct Call {
    /// The tool.
    pub definition: &'static Definition,
    /// What of it was chosen.
    pub choice: &'static Choice,
    /// The command line.
    pub words: Vec<String>,
    /// What was given, without the argument that chooses.
    pub given: JsonObject,
}

impl Call {
    /// Understands a call. Files are read and written below `root`, if there is one.
    ///
    /// # Errors
    /// If an argument is unknown, missing or of another type, or names what is not a file, or
    /// not one below the root.
    pub fn new(
        cli: &Command,
        definition: &'static Definition,
        mut given: JsonObject,
        root: Option<&Path>,
    ) -> Result<Self> {
        let choice = choose(cli, definition, &mut given)?;
        let name = named(definition, choice);
        let (command, called) = command_of(cli, choice.command)
            .ok_or_else(|| Error::new(format!("{name} is not there")))?;
        let mut words = vec!["subsume".to_owned()];
        words.extend(called);
        words.extend(choice.always.map(str::to_owned));
        let mut positional = Vec::new();
        for (key, value) in &given {
            let found = arguments(choice, command).find(|(known, _)| known == key);
            let Some((_, argument)) = found else {
                let known = known(definition, choice);
                return Err(Error::new(format!(
                    "{name} takes no argument '{key}'; it takes {known}"
                )));
            };
            let values = values(argument, value).ok_or_else(|| {
                let kind = argument.type_name();
                let list = if argument.is_list() { "a list of values of type " } else { "" };
                Error::new(format!("'{key}' of {name} takes {list}{kind}, not {value}"))
            })?;
            for path in values.iter().flatten().map(Path::new) {
                if READ.contains(&key.as_str()) {
                    check_read(path, root)?;
                }
                if WRITTEN.contains(&key.as_str()) {
                    check_written(path, root)?;
                }
            }
            match argument.of_command.get_long() {
                Some(long) => words.extend(values.into_iter().map(|value| match value {
                    None => format!("--{long}"),
                    Some(value) => format!("--{long}={value}"),
                })),
                None => positional.push((key, argument, values)),
            }
        }
        let needed = arguments(choice, command).find(|(key, argument)| {
            let is_given = given.get(key).is_some_and(|value| !value.is_null());
            is_needed(choice, key, *argument) && !is_given
        });
        if let Some((key, _)) = needed {
            return Err(Error::new(format!("{name} needs '{key}'")));
        }
        positional.sort_by_key(|(_, argument, _)| {
            (argument.of_command.get_index(), argument.is_behind_files)
        });
        for (key, argument, values) in positional {
            let values: Vec<String> = values.into_iter().flatten().collect();
            if argument.of_command.is_last_set() {
                words.push("--".to_owned());
            } else if values.iter().any(|value| value.starts_with('-')) {
                return Err(Error::new(format!("'{key}' cannot begin with '-'")));
            }
            words.extend(values);
        }
        Ok(Self { definition, choice, words, given })
    }
}

/// How a tool with its choice is called in messages.
fn named(definition: &Definition, choice: &Choice) -> String {
    match definition.key {
        "" => definition.name.to_owned(),
        key => format!("{} with {key} {}", definition.name, choice.value),
    }
}

/// The choice that a call names; without one, the first that its arguments fit. Takes the
/// argument that names it out.
fn choose(
    cli: &Command,
    definition: &'static Definition,
    given: &mut JsonObject,
) -> Result<&'static Choice> {
    let choices = definition.choices;
    let wanted = if definition.key.is_empty() { None } else { given.remove(definition.key) };
    if let Some(wanted) = wanted.filter(|wanted| !wanted.is_null()) {
        let found = choices.iter().find(|choice| wanted.as_str() == Some(choice.value));
        return found.ok_or_else(|| {
            let known: Vec<&str> = choices.iter().map(|choice| choice.value).collect();
            let known = known.join(", ");
            Error::new(format!("'{}' is one of {known}; not {wanted}", definition.key))
        });
    }
    let fits = |choice: &&'static Choice| {
        let Some((command, _)) = command_of(cli, choice.command) else { return false };
        let known: Vec<(String, Argument<'_>)> = arguments(choice, command).collect();
        given.keys().all(|key| known.iter().any(|(known, _)| known == key))
            && known.iter().all(|(key, argument)| {
                !is_needed(choice, key, *argument) || given.contains_key(key)
            })
    };
    Ok(choices.iter().find(fits).unwrap_or(&choices[0]))
}

/// The values of an argument, `None` for an option that takes none; nothing if they are of the
/// wrong type.
fn values(argument: Argument<'_>, value: &Value) -> Option<Vec<Option<String>>> {
    let text = |value: &Value| match value {
        Value::String(text) => Some(Some(text.clone())),
        Value::Number(number) => Some(Some(number.to_string())),
        _ => None,
    };
    match value {
        Value::Null => Some(Vec::new()),
        Value::Bool(is_set) if argument.is_switch() => {
            Some(is_set.then_some(None).into_iter().collect())
        }
        _ if argument.is_switch() => None,
        Value::Array(values) if argument.is_list() => values.iter().map(text).collect(),
        value => Some(vec![text(value)?]),
    }
}

/// Refuses what has no end or never answers, such as a device or a pipe, and what is not
/// below the root. What is not there the command tells.
fn check_read(path: &Path, root: Option<&Path>) -> Result<()> {
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
        return Err(Error::new(format!("{shown}: this is a device or a pipe, not a file")));
    }
    // Files of the system, whose reader may wait for ever, have none either.
    if found.is_file() && found.len() == 0 {
        return Err(Error::new(format!("{shown}: the file is empty")));
    }
    Ok(())
}

/// Refuses to write what is not below the root, and what is a device.
fn check_written(path: &Path, root: Option<&Path>) -> Result<()> {
    let shown = base::shown(path);
    if let Some(root) = root {
        // What is there may be a link; of what is not, the folder counts.
        let real = fs::canonicalize(path).or_else(|_| {
            let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
            fs::canonicalize(folder.unwrap_or(Path::new(".")))
        });
        let is_link = fs::symlink_metadata(path).is_ok_and(|found| found.is_symlink());
        let is_below = |real: PathBuf| real.starts_with(root);
        if !real.is_ok_and(is_below) || (is_link && !path.exists()) {
            return Err(Error::new(format!("{shown}: this is not below the root")));
        }
    }
    match fs::metadata(path) {
        Ok(found) if !found.is_dir() && !found.is_file() => {
            Err(Error::new(format!("{shown}: this is a device or a pipe, not a file")))
        }
        _ => Ok(()),
    }
}

//! Command lines in an answer as calls of tools: what an assistant can do next.

use std::ffi::OsString;
use std::io::{self, Write};

use clap::parser::ValueSource;
use clap::{ArgMatches, Command};
use rmcp::model::JsonObject;
use serde_json::{Value, json};

use super::arguments::{Argument, arguments, command_of, is_in};
use super::tools::{Choice, Definition};
use crate::cli::by_line::ByLine;
use crate::cli::files_and;

/// What stands for a profile in general advice.
const ANY_FILE: &str = "FILE";
/// What stands above command lines; above none it stands for nothing.
const NEXT: &str = "Next:";

/// Writes the lines of an answer, with calls where command lines were.
pub struct Calls<'a, W: Write> {
    out: W,
    line: Vec<u8>,
    translator: &'a Translator,
    /// The calls, each once.
    found: Vec<Value>,
    /// Whether [`NEXT`] is still to be written.
    is_next: bool,
}

impl<'a, W: Write> Calls<'a, W> {
    /// An answer in `out`.
    pub fn new(out: W, translator: &'a Translator) -> Self {
        Self { out, line: Vec::new(), translator, found: Vec::new(), is_next: false }
    }

    /// Ends the answer: what it was written to, and the calls in it.
    ///
    /// # Errors
    /// If the writer fails.
    pub fn finish(mut self) -> io::Result<(W, Vec<Value>)> {
        self.end()?;
        Ok((self.out, self.found))
    }
}

impl<W: Write> ByLine for Calls<'_, W> {
    fn begun(&mut self) -> &mut Vec<u8> {
        &mut self.line
    }

    fn end_of_line(&mut self) -> io::Result<()> {
        let line = std::mem::take(&mut self.line);
        let line = String::from_utf8_lossy(&line);
        if line == NEXT {
            self.is_next = true;
            return Ok(());
        }
        let Some(line) = self.translator.line(&line, &mut self.found) else { return Ok(()) };
        if std::mem::take(&mut self.is_next) {
            writeln!(self.out, "{NEXT}")?;
        }
        writeln!(self.out, "{line}")
    }
}

impl<W: Write> Write for Calls<'_, W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.take(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

/// Makes calls of command lines.
pub struct Translator {
    /// All commands, none of whose arguments is required.
    cli: Command,
    tools: Vec<&'static Definition>,
    /// The files that the answer is about.
    files: Vec<Value>,
    /// The arguments that the answer was made with.
    allowed: &'static str,
}

impl Translator {
    /// For the answer to a call that was given these arguments.
    pub fn new(
        cli: &Command,
        tools: &[&'static Definition],
        choice: &'static Choice,
        given: &JsonObject,
    ) -> Self {
        // A recording is what its answer is about.
        let files = ["files", "before", "output"].iter().find_map(|key| given.get(*key));
        let files = match files {
            Some(Value::Array(files)) => files.clone(),
            Some(file @ Value::String(_)) => vec![file.clone()],
            _ => Vec::new(),
        };
        let mut cli = relaxed(cli.clone());
        cli.build();
        Self { cli, tools: tools.to_vec(), files, allowed: choice.allowed }
    }

    /// Puts calls in place of command lines in an answer in JSON.
    pub fn json(&self, answer: &mut Value) {
        match answer {
            Value::Array(list) => list.iter_mut().for_each(|value| self.json(value)),
            Value::Object(fields) => {
                let line = fields.get("command").and_then(Value::as_str);
                if let Some(line) = line.filter(|line| line.starts_with("subsume ")) {
                    let call = self.call(words(line).0);
                    fields.remove("command");
                    fields.extend(call.map(|call| ("call".to_owned(), call)));
                }
                fields.values_mut().for_each(|value| self.json(value));
            }
            _ => {}
        }
    }

    /// The line with calls where command lines were; nothing if it was a command line that no
    /// tool stands for.
    pub fn line(&self, line: &str, found: &mut Vec<Value>) -> Option<String> {
        let text = line.trim_start();
        if text.starts_with("| ") {
            return Some(line.to_owned());
        }
        if text.starts_with("subsume ") {
            let (words, comment) = words(text);
            let call = self.call(words)?;
            let indent = &line[..line.len() - text.len()];
            let written = format!("{indent}{}{comment}", shown(&call));
            keep(call, found);
            return Some(written);
        }
        let mut written = String::with_capacity(line.len());
        let mut rest = line;
        while let Some((before, behind)) = rest.split_once("'subsume ") {
            written += before;
            let Some((command, behind)) = behind.split_once('\'') else {
                written += "'subsume ";
                rest = behind;
                continue;
            };
            let (words, _) = words(&format!("subsume {command}"));
            match self.call(words) {
                Some(call) => {
                    written += &shown(&call);
                    keep(call, found);
                }
                None => written += &format!("'subsume {command}'"),
            }
            rest = behind;
        }
        written += rest;
        Some(self.without_dashes(&written))
    }

    /// A text in which options of the command that has answered are the arguments of the tool.
    fn without_dashes(&self, line: &str) -> String {
        let mut written = String::with_capacity(line.len());
        let mut rest = line;
        while let Some((before, behind)) = rest.split_once("--") {
            let end = behind.find(|c: char| !c.is_ascii_lowercase() && c != '-');
            let (option, more) = behind.split_at(end.unwrap_or(behind.len()));
            let key = option.replace('-', "_");
            written += before;
            if is_in(self.allowed, &key) && !key.is_empty() {
                written += &key;
            } else {
                written += "--";
                written += option;
            }
            rest = more;
        }
        written + rest
    }

    /// The call that a command line stands for, if there is one.
    fn call(&self, words: Vec<OsString>) -> Option<Value> {
        let matches = self.cli.clone().try_get_matches_from(words).ok()?;
        let (mut name, mut of_command) = matches.subcommand()?;
        let inner;
        if let Some((of_outer, of_inner)) = of_command.subcommand() {
            inner = format!("{name}-{of_outer}");
            (name, of_command) = (&inner, of_inner);
        }
        let (command, _) = command_of(&self.cli, name)?;
        let choices =
            self.tools.iter().flat_map(|tool| tool.choices.iter().map(move |c| (*tool, c)));
        let mut of_this = choices.filter(|(_, choice)| choice.command == name);
        of_this.find_map(|(tool, choice)| self.call_of(tool, choice, command, of_command))
    }

    /// The call of a tool with this choice, if it has all arguments that are given.
    fn call_of(
        &self,
        tool: &Definition,
        choice: &'static Choice,
        command: &Command,
        matches: &ArgMatches,
    ) -> Option<Value> {
        let mut call = JsonObject::new();
        if !tool.key.is_empty() {
            call.insert(tool.key.to_owned(), choice.value.into());
        }
        let mut known: Vec<(String, Argument<'_>)> = arguments(choice, command).collect();
        known.sort_by_key(|(_, argument)| argument.is_behind_files);
        for argument in command.get_arguments() {
            let id = argument.get_id().as_str();
            if matches.value_source(id) != Some(ValueSource::CommandLine) {
                continue;
            }
            if choice.always.is_some_and(|option| argument.get_long() == option.strip_prefix("--"))
            {
                continue;
            }
            let of_this: Vec<&(String, Argument<'_>)> =
                known.iter().filter(|(_, known)| known.of_command.get_id() == id).collect();
            let values: Vec<OsString> =
                matches.get_raw(id).into_iter().flatten().map(OsString::from).collect();
            match of_this.as_slice() {
                [] => return None,
                [(key, argument)] => {
                    call.insert(key.clone(), value(*argument, &values));
                }
                [(files, _), (beside, argument), ..] => {
                    let (of_files, other) = files_and::split(&values, "", "").ok()?;
                    let of_files = of_files.iter().map(|file| Value::from(file.to_string_lossy()));
                    call.insert(files.clone(), of_files.collect::<Vec<_>>().into());
                    call.insert(beside.clone(), value(*argument, &[other.into()]));
                }
            }
        }
        let files = if choice.command == "diff" { "before" } else { "files" };
        // Of two files, the second one is the version after.
        if choice.command == "diff"
            && !call.contains_key("after")
            && let Some(both) = call.get_mut(files).and_then(Value::as_array_mut)
            && both.len() == 2
        {
            let after = both.split_off(1);
            call.insert("after".to_owned(), after.into());
        }
        let is_any = |files: &Value| *files == json!([ANY_FILE]);
        if is_in(choice.allowed, files) && call.get(files).is_none_or(is_any) {
            call.insert(files.to_owned(), self.files.clone().into());
        }
        if call.get(files).is_some_and(|files| *files == json!([])) {
            return None;
        }
        let needs: Vec<&str> = choice.needs.split(' ').filter(|key| !key.is_empty()).collect();
        let has_all = needs.iter().all(|key| call.contains_key(*key));
        has_all.then(|| json!({ "tool": tool.name, "arguments": call }))
    }
}

/// The value of an argument from its words.
fn value(argument: Argument<'_>, words: &[OsString]) -> Value {
    if argument.is_switch() {
        return true.into();
    }
    let one = |word: &OsString| {
        let text = word.to_string_lossy();
        match argument.type_name() {
            "integer" | "number" => serde_json::from_str(&text).unwrap_or_else(|_| text.into()),
            _ => Value::from(text),
        }
    };
    match words {
        [word] if !argument.is_list() => one(word),
        words => words.iter().map(one).collect(),
    }
}

/// Keeps a call that can be made as it stands.
fn keep(call: Value, found: &mut Vec<Value>) {
    let is_general = ["METHOD", "CLASS:LINE"].iter().any(|any| {
        call["arguments"].as_object().is_some_and(|given| given.values().any(|value| value == any))
    });
    if !is_general && !found.contains(&call) {
        found.push(call);
    }
}

/// A call as text.
fn shown(call: &Value) -> String {
    let name = call["tool"].as_str().unwrap_or_default();
    format!("{name} {}", call["arguments"])
}

/// The commands, none of whose arguments is required.
fn relaxed(command: Command) -> Command {
    let names: Vec<String> =
        command.get_subcommands().map(|inner| inner.get_name().to_owned()).collect();
    let command = command.subcommand_required(false).mut_args(|argument| argument.required(false));
    names.into_iter().fold(command, |command, name| command.mut_subcommand(name, relaxed))
}

/// The words of a command line in a shell, up to what explains it; and that, with the blanks
/// before it.
fn words(line: &str) -> (Vec<OsString>, &str) {
    let mut words = vec![String::new()];
    let mut is_quoted = false;
    let mut characters = line.char_indices().peekable();
    let mut end = line.len();
    while let Some((at, c)) = characters.next() {
        match c {
            '\'' => is_quoted = !is_quoted,
            '\\' if !is_quoted => words.extend_last(characters.next().map(|(_, c)| c)),
            ' ' if !is_quoted => {
                if characters.peek().is_some_and(|(_, next)| *next == ' ') {
                    end = at;
                    break;
                }
                words.push(String::new());
            }
            c => words.extend_last(Some(c)),
        }
    }
    words.retain(|word| !word.is_empty());
    (words.into_iter().map(OsString::from).collect(), &line[end..])
}

/// Words that grow at the end.
trait ExtendLast {
    fn extend_last(&mut self, c: Option<char>);
}

impl ExtendLast for Vec<String> {
    fn extend_last(&mut self, c: Option<char>) {
        if let Some(last) = self.last_mut() {
            last.extend(c);
        }
    }
}

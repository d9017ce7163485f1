//! The prompt on a terminal, with history and completion.

use std::io::Write;

use analysis::search::command::{Command, USAGE};
use analysis::search::interface::ProfileInterface;
use analysis::search::suggester::Suggester;
use rustyline::completion::Completer;
use rustyline::error::ReadlineError;
use rustyline::highlight::Highlighter;
use rustyline::hint::Hinter;
use rustyline::history::DefaultHistory;
use rustyline::validate::Validator;
use rustyline::{CompletionType, Config, Context, Editor, Helper};
use tree::error::{Error, Result};

use super::Talk;
use super::answer::Answer;

/// Asks for commands and answers them until the user has enough.
///
/// # Errors
/// If the terminal or `out` fails.
pub fn run<P: ProfileInterface, W: Write>(talk: &mut Talk<'_, P, W>) -> Result<()> {
    let config = Config::builder().completion_type(CompletionType::List).build();
    let terminal = |error| Error::new(format!("the terminal cannot be used: {error}"));
    let mut editor: Editor<Completion, DefaultHistory> =
        Editor::with_config(config).map_err(terminal)?;
    editor.set_helper(Some(Completion { labels: Vec::new() }));
    writeln!(talk.out, "suggest lists where to start; help lists all commands; quit ends.")?;
    talk.out.flush()?;
    loop {
        if let Some(completion) = editor.helper_mut() {
            completion.labels = talk.session.label_names().map(str::to_owned).collect();
        }
        let line = match editor.readline("> ") {
            Ok(line) => line,
            // Control-C gives up the line, Control-D the search.
            Err(ReadlineError::Interrupted) => continue,
            Err(ReadlineError::Eof) => return Ok(()),
            Err(error) => return Err(terminal(error)),
        };
        // The search goes on, also if the line cannot be kept for recall.
        let _ = editor.add_history_entry(line.as_str());
        let answer = match Command::parse(&line) {
            Ok(None) => continue,
            Ok(Some(command)) => talk.execute(command)?,
            Err(what) => Err(what),
        };
        match answer {
            Ok(Answer::Quit) => return Ok(()),
            Ok(answer) => talk.print(&answer)?,
            Err(what) => {
                writeln!(talk.out, "{what}")?;
                talk.out.flush()?;
            }
        }
    }
}

/// Completes commands, suggesters and labels.
struct Completion {
    labels: Vec<String>,
}

impl Completion {
    /// What a line that begins like this may become.
    fn lines(&self) -> Vec<String> {
        let of_usage = |usage: &str| match usage.split_once(" NAME") {
            Some(("set suggester", _)) => {
                Suggester::ALL.map(|s| format!("set suggester {s}")).to_vec()
            }
            Some((verb, _)) => self.labels.iter().map(|label| format!("{verb} {label}")).collect(),
            None => Vec::new(),
        };
        let mut lines: Vec<String> = Vec::new();
        for (usage, _) in USAGE {
            let fixed = usage.trim_end_matches(|c: char| c.is_uppercase());
            lines.push(fixed.to_owned());
            lines.extend(of_usage(usage));
        }
        lines
    }
}

impl Completer for Completion {
    type Candidate = String;

    fn complete(
        &self,
        line: &str,
        at: usize,
        _: &Context<'_>,
    ) -> rustyline::Result<(usize, Vec<String>)> {
        let typed = &line[..at];
        let mut fitting = self.lines();
        fitting.retain(|line| line.starts_with(typed) && line != typed);
        Ok((0, fitting))
    }
}

impl Hinter for Completion {
    type Hint = String;
}
impl Highlighter for Completion {}
impl Validator for Completion {}
impl Helper for Completion {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn completes_commands_suggesters_and_labels() {
        let history = DefaultHistory::new();
        let context = Context::new(&history);
        let completion = Completion { labels: vec!["costly".into()] };
        for (typed, expected) in [
            ("sug", &["suggest"][..]),
            ("set suggester HighB", &["set suggester HighBase"]),
            ("label c", &["label costly"]),
            ("zoom", &["zoom on", "zoom off"]),
            ("labels", &[]),
        ] {
            let (start, found) = completion.complete(typed, typed.len(), &context).unwrap();
            assert_eq!((start, found), (0, expected.iter().map(|&s| s.to_owned()).collect()));
        }
    }
}

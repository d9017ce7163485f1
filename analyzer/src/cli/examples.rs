//! What stands at the end of every command's help: examples, and notes.

/// A paragraph at the end of a help text.
#[derive(Debug, PartialEq, Eq)]
pub enum Part {
    /// Command lines.
    Examples(Vec<String>),
    /// Anything else.
    Note(String),
}

/// The paragraphs at the end of the command's help.
pub fn parts(command: &clap::Command) -> Vec<Part> {
    let text = command.get_after_help().map(ToString::to_string).unwrap_or_default();
    let paragraphs = text.split("\n\n").filter(|paragraph| !paragraph.trim().is_empty());
    let part = |paragraph: &str| match paragraph.split_once('\n') {
        Some(("Examples:" | "Example:", lines)) => {
            Part::Examples(lines.lines().map(|line| line.trim().to_owned()).collect())
        }
        _ => Part::Note(paragraph.trim().to_owned()),
    };
    paragraphs.map(part).collect()
}

#[cfg(test)]
mod tests {
    use std::ffi::OsString;

    use clap::error::ErrorKind;
    use clap::{CommandFactory, Parser};

    use super::{Part, parts};
    use crate::cli::Cli;
    use crate::cli::slips::with_separator;

    /// The calls of `subsume` in a line of a shell, split into words.
    fn calls(line: &str) -> Vec<Vec<String>> {
        let mut calls = vec![vec![String::new()]];
        let mut quote = None;
        // What a shell does with the words behind these is not for the command.
        let mut is_redirected = false;
        for c in line.chars() {
            let words = calls.last_mut().unwrap();
            match (c, quote) {
                (_, Some(open)) if c == open => quote = None,
                (_, Some(_)) => words.last_mut().unwrap().push(c),
                ('\'' | '"', None) => quote = Some(c),
                ('|' | '&', None) => {
                    is_redirected = false;
                    calls.push(vec![String::new()]);
                }
                ('>', None) => is_redirected = true,
                (' ', None) => words.push(String::new()),
                _ if is_redirected => {}
                _ => words.last_mut().unwrap().push(c),
            }
        }
        for words in &mut calls {
            words.retain(|word| !word.is_empty());
            // Variables that are set for the command alone.
            let first = words.iter().position(|word| !word.contains('='));
            words.drain(..first.unwrap_or(0));
        }
        calls.retain(|words| words.first().is_some_and(|word| word == "subsume"));
        calls
    }

    #[test]
    fn lines_of_a_shell() {
        let found = calls("subsume a 'b c' | x && V=w subsume d > e &");
        assert_eq!(found, [vec!["subsume", "a", "b c"], vec!["subsume", "d"]]);
    }

    #[test]
    fn arguments_are_well_defined() {
        Cli::command().debug_assert();
    }

    /// Every command has an example that begins with it, and every example is
    /// taken by the parser of arguments.
    #[test]
    fn every_command_has_examples_that_parse() {
        let all = Cli::command();
        let mut commands = vec![(&all, "subsume".to_owned())];
        let mut at = 0;
        while let Some((command, name)) = commands.get(at).cloned() {
            let inner = command.get_subcommands();
            commands.extend(inner.map(|inner| (inner, format!("{name} {}", inner.get_name()))));
            at += 1;
        }
        assert!(commands.len() > 20);
        for (command, name) in commands {
            assert!(command.get_about().is_some(), "{name} does not say what it does");
            let mut of_it = 0;
            for part in parts(command) {
                let Part::Examples(lines) = part else { continue };
                for line in lines {
                    // What a shell puts there is the number of a process.
                    for words in calls(&line.replace("$!", "4711")) {
                        let line = words.join(" ") + " ";
                        of_it += u32::from(line.starts_with(&format!("{name} ")));
                        let words = words.into_iter().map(OsString::from).collect();
                        let words = with_separator(&all, words);
                        match Cli::try_parse_from(&words).map_err(|error| error.kind()) {
                            Ok(_) | Err(ErrorKind::DisplayHelp) => {}
                            Err(kind) => panic!("{name}: {line}: {kind}"),
                        }
                    }
                }
            }
            assert!(of_it > 0, "{name} has no example");
        }
    }
}

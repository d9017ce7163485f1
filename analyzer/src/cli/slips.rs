//! Command lines that are meant well: a program without `--` before it, and what is said of
//! a wrong command, option or value.

use std::ffi::{OsStr, OsString};
use std::path::Path;

use clap::error::{ContextKind, ContextValue};
use clap::{ArgAction, Command, Error};

use super::run::quoted;

/// Commands that run a program, which stands behind `--`.
const RUNNING: [&str; 2] = ["run", "diagnose"];

/// What Rust says of arguments that are no numbers, and what users are told.
const NUMBERS: [(&str, &str); 4] = [
    (": invalid float literal", ": not a number"),
    (": cannot parse float from empty string", ": not a number"),
    (": invalid digit found in string", ": not a whole number"),
    (": cannot parse integer from empty string", ": not a whole number"),
];

/// The words, with `--` before the program that is to be run, where the user left it out: the
/// first word that is not an option begins the program's command line.
pub fn with_separator(definition: &Command, mut words: Vec<OsString>) -> Vec<OsString> {
    if let Some(at) = program(definition, &words) {
        words.insert(at, OsString::from("--"));
    }
    words
}

/// Where the command line of the program begins that is to be run.
fn program(definition: &Command, words: &[OsString]) -> Option<usize> {
    let is_option = |word: &OsStr| word.as_encoded_bytes().starts_with(b"-");
    let named = (1..words.len()).find(|&at| !is_option(&words[at]))?;
    let name = words[named].to_str().filter(|name| RUNNING.contains(name))?;
    let command = definition.find_subcommand(name)?;
    let mut at = named + 1;
    while is_option(words.get(at)?) {
        let word = words[at].to_string_lossy();
        if word == "--" {
            return None;
        }
        at += if takes_next_word(command, &word) { 2 } else { 1 };
    }
    // `diagnose` takes a folder of recordings, too.
    (name == "run" || is_program(&words[at])).then_some(at)
}

/// True if the value of an option is the word behind it.
fn takes_next_word(command: &Command, option: &str) -> bool {
    let known = command.get_arguments().find(|argument| match option.strip_prefix("--") {
        Some(long) => argument.get_long() == Some(long),
        None => argument.get_short().is_some_and(|short| option == format!("-{short}")),
    });
    known.is_some_and(|known| matches!(known.get_action(), ArgAction::Set | ArgAction::Append))
}

/// True if a shell would start a program of this name.
pub fn is_program(word: &OsStr) -> bool {
    let is_executable = |path: &Path| {
        let found = path.metadata().ok().filter(std::fs::Metadata::is_file);
        #[cfg(unix)]
        let found = found.filter(|file| {
            std::os::unix::fs::PermissionsExt::mode(&file.permissions()) & 0o111 != 0
        });
        found.is_some()
    };
    let path = Path::new(word);
    if path.is_dir() {
        return false;
    }
    if path.components().count() > 1 {
        return is_executable(path);
    }
    let folders = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&folders).any(|folder| is_executable(&folder.join(path)))
}

/// What is wrong with a command line, in one line: with what was meant, if that is clear, and
/// where to read on.
pub fn refusal(error: &Error, definition: &Command, words: &[OsString]) -> String {
    let (names, command) = named(definition, words);
    let mut line = one_line(error);
    let wrong = match error.get(ContextKind::InvalidSubcommand) {
        Some(ContextValue::String(word)) => Some(word.as_str()),
        _ => None,
    };
    if let Some(word) = wrong
        && let Some(meant) = meant(words, word, command)
    {
        line = format!("there is no command '{word}'; did you mean {meant}?");
    }
    format!("{line} (see '{names} --help')")
}

/// A command line that begins with what `word` is, if that is a profile or a program.
fn meant(words: &[OsString], word: &str, command: &Command) -> Option<String> {
    if command.get_name() != "subsume" {
        return None;
    }
    let with = match word {
        _ if Path::new(word).is_file() && word.ends_with(".subsume") => "summary",
        "java" | "mvn" | "gradle" => "run",
        _ => return None,
    };
    let rest = words.iter().skip_while(|known| **known != *word);
    let rest: Vec<String> = rest.map(|word| quoted(&word.to_string_lossy())).collect();
    Some(format!("subsume {with} {}", rest.join(" ")))
}

/// The command that the words name, and its name with those of the commands that it is in.
fn named<'c>(definition: &'c Command, words: &[OsString]) -> (String, &'c Command) {
    let mut names = definition.get_name().to_owned();
    let mut command = definition;
    for word in words.iter().skip(1).filter_map(|word| word.to_str()) {
        if let Some(inner) = command.find_subcommand(word) {
            command = inner;
            names = format!("{names} {word}");
        } else if !word.starts_with('-') {
            break;
        }
    }
    (names, command)
}

/// What is said where `subsume help` is asked for what is not a command; `of` is the command
/// that `word` is looked for in.
pub fn no_command(of: &str, word: &str, command: &Command) -> String {
    let quiet = command.clone().subcommand_required(true);
    let line = match quiet.try_get_matches_from([of, word]) {
        Err(error) if !command.get_subcommands().all(Command::is_hide_set) => one_line(&error),
        _ => format!("{of} has no command '{word}'"),
    };
    format!("{line} (see '{of} --help')")
}

/// What clap says is wrong, and what it takes for meant, without its other hints.
pub fn one_line(error: &Error) -> String {
    let text = error.to_string();
    let first = text.split("\n\n").next().unwrap_or_default();
    let mut line = first.split_whitespace().collect::<Vec<_>>().join(" ");
    for (of_rust, in_words) in NUMBERS {
        if let Some(rest) = line.strip_suffix(of_rust) {
            line = format!("{rest}{in_words}");
        }
    }
    let line = line.strip_prefix("error: ").unwrap_or(&line);
    let line = line.replace("unrecognized subcommand", "there is no command");
    match suggestion(error) {
        Some(meant) => format!("{line}; did you mean '{meant}'?"),
        None => line,
    }
}

/// What clap takes for meant.
fn suggestion(error: &Error) -> Option<&str> {
    let kinds =
        [ContextKind::SuggestedSubcommand, ContextKind::SuggestedArg, ContextKind::SuggestedValue];
    kinds.into_iter().find_map(|kind| match error.get(kind)? {
        ContextValue::String(meant) => Some(meant.as_str()),
        // The most similar one comes last.
        ContextValue::Strings(several) => several.last().map(String::as_str),
        _ => None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::help;

    fn words(line: &str) -> Vec<OsString> {
        line.split(' ').map(OsString::from).collect()
    }

    #[test]
    fn programs_need_no_separator() {
        for (line, expected) in [
            ("subsume run java Hello", "subsume run -- java Hello"),
            ("subsume run java -cp a Main --top 3", "subsume run -- java -cp a Main --top 3"),
            ("subsume run -o a --mode copies java A", "subsume run -o a --mode copies -- java A"),
            ("subsume run --mode=copies --lines sh", "subsume run --mode=copies --lines -- sh"),
            ("subsume run -oa --top 3 sh -c x", "subsume run -oa --top 3 -- sh -c x"),
            ("subsume run -- java Hello", "subsume run -- java Hello"),
            ("subsume --wide run sh", "subsume --wide run -- sh"),
            ("subsume run -o a", "subsume run -o a"),
            ("subsume run", "subsume run"),
            ("subsume diagnose --within 2m sh -c x", "subsume diagnose --within 2m -- sh -c x"),
            ("subsume diagnose / --json", "subsume diagnose / --json"),
            ("subsume diagnose no-such-folder --json", "subsume diagnose no-such-folder --json"),
            ("subsume methods run", "subsume methods run"),
        ] {
            assert_eq!(with_separator(&help::command(), words(line)), words(expected), "{line}");
        }
    }

    #[test]
    fn slips_are_answered_by_what_was_meant() {
        for (line, expected) in [
            (
                "subsume sumary a",
                "there is no command 'sumary'; did you mean 'summary'? (see 'subsume --help')",
            ),
            (
                "subsume run --mod copies -- java",
                "unexpected argument '--mod' found; did you mean '--mode'? (see 'subsume run --help')",
            ),
            (
                "subsume run --mode copis -- java",
                "did you mean 'copies'? (see 'subsume run --help')",
            ),
            (
                "subsume fleet lst a",
                "there is no command 'lst'; did you mean 'list'? (see 'subsume fleet --help')",
            ),
            (
                "subsume java -jar a.jar",
                "there is no command 'java'; did you mean subsume run java -jar a.jar? (see \
                 'subsume --help')",
            ),
            (
                "subsume methods --height x a",
                "invalid value 'x' for '--height <H>': not a whole number (see 'subsume methods \
                 --help')",
            ),
        ] {
            let definition = help::command();
            let words = with_separator(&definition, words(line));
            let error = definition.clone().try_get_matches_from(&words).unwrap_err();
            let said = refusal(&error, &definition, &words);
            assert!(said.ends_with(expected), "{said}");
            assert_eq!(said.lines().count(), 1, "{said}");
        }
    }

    #[test]
    fn help_of_what_there_is_not() {
        let mut definition = help::command();
        definition.build();
        let said = no_command("subsume", "sumary", &definition);
        assert!(said.ends_with("did you mean 'summary'? (see 'subsume --help')"), "{said}");
        let methods = definition.find_subcommand("methods").unwrap();
        let said = no_command("subsume methods", "x", methods);
        assert_eq!(said, "subsume methods has no command 'x' (see 'subsume methods --help')");
    }
}

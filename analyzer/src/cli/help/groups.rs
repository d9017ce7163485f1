//! The commands in groups, as `subsume --help` shows them.

use std::fmt::Write;

use clap::Command;
use clap::builder::styling::Styles;

use crate::cli::terminal;

/// Commands under a heading, in the order in which they are shown.
struct Group {
    heading: &'static str,
    commands: &'static [&'static str],
}

/// All commands. A test fails for a command that is in no group.
const GROUPS: [Group; 7] = [
    Group { heading: "Start here", commands: &["run", "diagnose", "attach"] },
    Group {
        heading: "Look at a profile",
        commands: &["report", "open", "summary", "methods", "tree", "callers", "search", "lines"],
    },
    Group { heading: "Compare", commands: &["diff", "history", "fleet"] },
    Group {
        heading: "One question each, of recordings in the mode named ('subsume help modes')",
        commands: &[
            "copies",
            "chains",
            "clones",
            "temporaries",
            "useless",
            "graph",
            "costs",
            "dead",
            "cost-of",
            "nulls",
            "loops",
            "growth",
            "typestate",
            "repeats",
        ],
    },
    Group {
        heading: "Exchange with other tools",
        commands: &["export", "import", "merge", "time", "blueprint"],
    },
    Group { heading: "Running JVMs", commands: &["detach", "start", "stop", "dump"] },
    Group { heading: "More", commands: &["info", "completions", "man", "mcp", "help"] },
];

/// The mode whose recordings a command reads, for those that read one mode only.
pub const MODE_OF: [(&str, &str); 14] = [
    ("copies", "copies"),
    ("chains", "copies"),
    ("clones", "copies"),
    ("temporaries", "copies"),
    ("useless", "copies"),
    ("graph", "copies"),
    ("costs", "costs"),
    ("dead", "costs"),
    ("cost-of", "costs"),
    ("nulls", "nulls"),
    ("loops", "loops"),
    ("growth", "growth"),
    ("typestate", "typestate"),
    ("repeats", "results"),
];

/// Widest a help text gets.
const WIDEST: usize = 100;

/// A template for clap's help with the commands in groups.
pub fn template(cli: &Command) -> String {
    let width = terminal::width().min(WIDEST);
    let styles = Styles::styled();
    let (header, literal) = (styles.get_header(), styles.get_literal());
    let mut text = String::from("{about-with-newline}\n{usage-heading} {usage}\n");
    for group in &GROUPS {
        let _ = write!(text, "\n{header}{}:{header:#}\n", group.heading);
        for name in group.commands {
            let Some(command) = cli.find_subcommand(name) else { continue };
            let about = command.get_about().map(ToString::to_string).unwrap_or_default();
            let mode = MODE_OF.iter().find(|(of, _)| of == name);
            let about = match mode {
                Some((_, mode)) => format!("[{mode}] {about}"),
                None => about,
            };
            let _ = write!(text, "  {literal}{name:<13}{literal:#}");
            text += &wrapped(&about, 15, width);
        }
    }
    let _ = write!(text, "\n{header}Options:{header:#}\n{{options}}{{after-help}}");
    text
}

/// A text in lines of at most `width` characters, those behind the first indented.
fn wrapped(text: &str, indent: usize, width: usize) -> String {
    let mut lines = String::new();
    let mut column = indent;
    for (number, word) in text.split_whitespace().enumerate() {
        let length = word.chars().count();
        if number > 0 && column + 1 + length > width {
            let _ = write!(lines, "\n{:indent$}", "");
            column = indent;
        } else if number > 0 {
            lines.push(' ');
            column += 1;
        }
        lines += word;
        column += length;
    }
    lines.push('\n');
    lines
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;
    use crate::cli::Cli;

    #[test]
    fn every_command_is_in_one_group() {
        let grouped: Vec<&str> = GROUPS.iter().flat_map(|group| group.commands).copied().collect();
        let cli = Cli::command();
        for command in cli.get_subcommands() {
            let name = command.get_name();
            let times = grouped.iter().filter(|grouped| **grouped == name).count();
            assert_eq!(times, 1, "{name} is in {times} groups of cli/help/groups.rs");
        }
        assert_eq!(grouped.len(), cli.get_subcommands().count(), "{grouped:?}");
    }

    #[test]
    fn help_shows_the_groups() {
        let cli = Cli::command();
        let text = template(&cli);
        for shown in ["Start here:", "Compare:", "[results] Show methods that compute the same"] {
            assert!(text.contains(shown), "{shown}\n{text}");
        }
        for (command, _) in MODE_OF {
            assert!(cli.find_subcommand(command).is_some(), "{command}");
        }
    }

    #[test]
    fn lines_are_no_longer_than_allowed() {
        assert_eq!(wrapped("one two three", 2, 9), "one two\n  three\n");
        assert_eq!(wrapped("", 2, 9), "\n");
    }
}

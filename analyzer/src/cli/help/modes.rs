//! `subsume help modes`: what the agent can record, what that costs, and what reads it.

use std::io::Write;

use base::number::counted;
use tree::error::Result;

use super::groups::MODE_OF;

/// A mode of the agent.
struct Mode {
    name: &'static str,
    /// What it answers.
    question: &'static str,
    /// How long a program takes, compared with an uninstrumented run.
    takes: &'static str,
}

/// The modes, with the times that `docs/how-to/diagnose.md` and `docs/reference/costs.md` give.
const MODES: [Mode; 10] = [
    Mode {
        name: "calls",
        question: "Which methods are worth changing? (the default)",
        takes: "2.5 times as long",
    },
    Mode {
        name: "copies",
        question: "Which data is copied from place to place, and which objects are temporary?",
        takes: "6 to 8 times as long",
    },
    Mode {
        name: "costs",
        question: "Which data structures and values cost more than they bring?",
        takes: "10 to 13 times as long",
    },
    Mode {
        name: "nulls",
        question: "Where did the null behind a NullPointerException come from?",
        takes: "less than costs",
    },
    Mode {
        name: "loops",
        question: "Which loops read the same data again in each iteration?",
        takes: "14 times as long",
    },
    Mode {
        name: "growth",
        question: "Which loops grow faster than their input? (with what loops records)",
        takes: "15 times as long",
    },
    Mode {
        name: "typestate",
        question: "Which objects are never closed, or used after they were closed?",
        takes: "3 times as long",
    },
    Mode {
        name: "results",
        question: "Which methods compute the same result again?",
        takes: "6 times as long",
    },
    Mode {
        name: "calls+costs",
        question: "The questions of calls and costs, in one run",
        takes: "10 to 13 times as long",
    },
    Mode {
        name: "calls+nulls",
        question: "The questions of calls and nulls, in one run",
        takes: "less than costs",
    },
];

/// Prints the modes.
///
/// # Errors
/// If `out` fails.
pub fn print(out: &mut impl Write) -> Result<()> {
    let number = counted(MODES.len() as u64, "mode");
    writeln!(out, "The agent has {number}: subsume run --mode NAME java ...")?;
    writeln!(
        out,
        "Times are rough factors over an uninstrumented run. They depend on the program: small\n\
         methods that are called often cost more."
    )?;
    for mode in &MODES {
        writeln!(out, "\n{}: {}", mode.name, mode.takes)?;
        writeln!(out, "  {}", mode.question)?;
        writeln!(out, "  read by: {}", commands(mode.name).join(", "))?;
    }
    writeln!(
        out,
        "\n--lines counts source lines, too, for 'subsume lines'; it takes a tenth to two fifths \
         longer.\n'subsume diagnose' records most modes in turn, and gives one list.\n'subsume \
         attach' records calls only; the other modes need the agent from the start of the JVM."
    )?;
    Ok(())
}

/// The commands that read a mode's recordings; of calls only the first ones.
fn commands(mode: &str) -> Vec<&'static str> {
    const OF_CALLS: [&str; 3] = ["summary", "methods", "callers"];
    let own = mode.strip_prefix("calls+").unwrap_or(mode);
    let reads = |of: &str| of == own || (own == "growth" && of == "loops");
    let special = MODE_OF.iter().filter(|(_, of)| reads(of)).map(|(command, _)| *command);
    let has_tree = !matches!(mode, "costs" | "nulls");
    special.chain(OF_CALLS.into_iter().filter(|_| has_tree)).chain(["report"]).collect()
}

#[cfg(test)]
mod tests {
    use clap::ValueEnum;

    use super::*;
    use crate::cli::run::Mode as Recorded;

    #[test]
    fn every_mode_is_explained() {
        let known: Vec<&str> = MODES.iter().map(|mode| mode.name).collect();
        let recorded: Vec<&str> =
            Recorded::value_variants().iter().map(|mode| mode.name()).collect();
        assert_eq!(known.len(), recorded.len());
        for name in recorded {
            assert!(known.contains(&name), "{name} is missing in cli/help/modes.rs");
        }
        for (command, mode) in MODE_OF {
            assert!(commands(mode).contains(&command), "{command}");
        }
    }

    #[test]
    fn the_topic_names_costs_and_commands() {
        let mut text = Vec::new();
        print(&mut text).unwrap();
        let text = String::from_utf8(text).unwrap();
        assert!(text.contains("growth: 15 times as long\n"), "{text}");
        assert!(
            text.contains("read by: loops, growth, summary, methods, callers, report\n"),
            "{text}"
        );
        assert!(text.lines().all(|line| line.chars().count() <= 100), "{text}");
    }
}

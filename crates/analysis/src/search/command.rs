//! The commands of a search.

use std::path::PathBuf;

use super::suggester::Suggester;

/// A command.
#[derive(Debug, Clone, PartialEq)]
pub enum Command {
    /// `set suggester NAME`.
    SetSuggester(Suggester),
    /// `suggest`.
    Suggest,
    /// `select N`.
    Select(usize),
    /// `zoom on`, `zoom off`.
    Zoom(bool),
    /// `cutoff RATIO`.
    Cutoff(f64),
    /// `label NAME`.
    Label(String),
    /// `labels`.
    Labels,
    /// `coverage`.
    Coverage,
    /// `save FILE`.
    Save(PathBuf),
    /// `back`.
    Back,
    /// `help`.
    Help,
    /// `quit`.
    Quit,
}

/// The commands with what they do, in the order in which help lists them.
pub const USAGE: [(&str, &str); 13] = [
    (
        "set suggester NAME",
        "choose where suggestions come from: HighCum (from the top down), HighBase (from the bottom up), HighInduced (subsuming methods)",
    ),
    ("suggest", "list summaries to start from"),
    ("select N", "go to the summary numbered N in the last list"),
    ("back", "go back to the summary selected before"),
    (
        "zoom on",
        "go through longer and shorter sequences that keep the cost, list only those that matter",
    ),
    ("zoom off", "list all sequences that are one method longer or shorter"),
    ("cutoff R", "the share of the cost that zooming keeps (0.95)"),
    (
        "label NAME",
        "give the selected summary a label; overlaps with labels are shown from then on",
    ),
    ("labels", "list what has labels"),
    ("coverage", "say what the labels cost, by themselves and together"),
    ("save FILE", "write the labels to a file, as JSON"),
    ("help", "print this"),
    ("quit", "end the search"),
];

impl Command {
    /// Reads a line. `None` for one that is empty or a comment after `#`.
    ///
    /// # Errors
    /// In words, if it is not a command.
    pub fn parse(line: &str) -> Result<Option<Self>, String> {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            return Ok(None);
        }
        let (verb, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim();
        let needed = |what: &str| {
            if rest.is_empty() { Err(format!("{verb} needs {what}")) } else { Ok(rest) }
        };
        let command = match verb {
            "set" => match rest.split_once(char::is_whitespace) {
                Some(("suggester", name)) => Self::SetSuggester(name.trim().parse()?),
                _ => return Err("the only setting is: set suggester NAME".to_owned()),
            },
            "select" => {
                let number = needed("the number of a summary")?;
                let number = number.parse();
                Self::Select(
                    number.map_err(|_| format!("'{rest}' is not the number of a summary"))?,
                )
            }
            "zoom" => match rest {
                "on" => Self::Zoom(true),
                "off" => Self::Zoom(false),
                _ => return Err("zoom is on or off".to_owned()),
            },
            "cutoff" => {
                let ratio = needed("a ratio, such as 0.95")?.parse().ok();
                let ratio = ratio.filter(|ratio: &f64| ratio.is_finite() && *ratio > 0.0);
                Self::Cutoff(ratio.ok_or_else(|| format!("'{rest}' is not a ratio above 0"))?)
            }
            "label" => Self::Label(unquoted(needed("a name")?).to_owned()),
            "save" => Self::Save(unquoted(needed("the name of a file")?).into()),
            _ => {
                let command = match verb {
                    "suggest" => Self::Suggest,
                    "labels" => Self::Labels,
                    "coverage" => Self::Coverage,
                    "back" => Self::Back,
                    "help" => Self::Help,
                    "quit" | "exit" => Self::Quit,
                    _ => return Err(format!("no command '{verb}' (help lists them)")),
                };
                if !rest.is_empty() {
                    return Err(format!("{verb} takes nothing after it"));
                }
                command
            }
        };
        Ok(Some(command))
    }
}

fn unquoted(text: &str) -> &str {
    let inner = text.strip_prefix('"').and_then(|text| text.strip_suffix('"'));
    inner.filter(|inner| !inner.is_empty()).unwrap_or(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines() {
        for (line, expected) in [
            ("set suggester highbase", Command::SetSuggester(Suggester::HighBase)),
            (" suggest ", Command::Suggest),
            ("select 12", Command::Select(12)),
            ("zoom off", Command::Zoom(false)),
            ("cutoff 0.5", Command::Cutoff(0.5)),
            ("label \"two words\"", Command::Label("two words".into())),
            ("save out.json", Command::Save("out.json".into())),
            ("exit", Command::Quit),
        ] {
            assert_eq!(Command::parse(line), Ok(Some(expected)), "{line}");
        }
        for line in ["", "  ", "# a comment"] {
            assert_eq!(Command::parse(line), Ok(None), "{line}");
        }
        for line in [
            "select",
            "select -1",
            "zoom",
            "cutoff 0",
            "cutoff nan",
            "label",
            "set x",
            "hop",
            "back 2",
        ] {
            assert!(Command::parse(line).is_err(), "{line}");
        }
    }

    #[test]
    fn help_names_commands_that_exist() {
        for (usage, _) in USAGE {
            let line = usage.replace("NAME", "HighCum").replace(" N", " 0").replace('R', "1");
            assert!(Command::parse(&line).is_ok(), "{line}");
        }
    }
}

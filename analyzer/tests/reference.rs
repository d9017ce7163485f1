//! Pages of `docs/reference` that are made from the source of `--help`: the commands from the
//! command's own definitions, the agent's options from the agent's help.
//!
//! In a page, what is made stands between two comments; the text around it is written by
//! hand. `BLESS=1` renews it.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::fs;
use std::path::Path;

use instrument::options::HELP;

use crate::fixture::command::subsume;

const BEGIN: &str = "<!-- made from the help; BLESS=1 renews it -->\n";
const END: &str = "<!-- end of what is made -->\n";

#[test]
fn the_page_of_commands_is_current() {
    compare("commands.md", &commands());
}

#[test]
fn the_page_of_agent_options_is_current() {
    compare("agent-options.md", &agent_options());
}

/// Compares what is made with what stands in a page, or puts it there.
fn compare(page: &str, made: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/reference").join(page);
    let text = fs::read_to_string(&path).expect("the page is part of the repository");
    let (head, rest) = text.split_once(BEGIN).expect("the page has a place for it");
    let (shown, tail) = rest.split_once(END).expect("the place has an end");
    if std::env::var_os("BLESS").is_some() {
        fs::write(&path, format!("{head}{BEGIN}{made}{END}{tail}")).expect("it can be written");
    } else {
        assert_eq!(shown, made, "{page} is not current (BLESS=1 renews it)");
    }
}

/// What the command says to `help` and the words behind it.
fn help(words: &[&str]) -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let output = subsume(folder, &[&["help"], words].concat());
    assert!(output.status.success(), "{words:?}: {output:?}");
    String::from_utf8(output.stdout).expect("help is text")
}

/// The words of all commands, in the order of their names: the manual has a page for each.
fn names() -> Vec<Vec<String>> {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("reference");
    if folder.exists() {
        fs::remove_dir_all(&folder).expect("pages of before can be removed");
    }
    let output = subsume(Path::new("."), &["man", folder.to_str().expect("it is text")]);
    assert!(output.status.success(), "{output:?}");
    let entries = fs::read_dir(&folder).expect("the pages are there");
    let pages = entries.map(|entry| entry.expect("it is there").file_name());
    let pages = pages.map(|page| page.into_string().expect("it is text"));
    let names: BTreeSet<String> = pages
        .filter_map(|page| Some(page.strip_prefix("subsume-")?.strip_suffix(".1")?.to_owned()))
        .collect();
    let words = |name: &String| match name.split_once('-') {
        Some((above, below)) if names.contains(above) => vec![above.to_owned(), below.to_owned()],
        _ => vec![name.clone()],
    };
    names.iter().map(words).collect()
}

/// A table of the commands, and a section for each.
fn commands() -> String {
    let names = names();
    assert!(names.len() > 40, "{names:?}");
    let (mut table, mut sections) = (String::new(), String::new());
    for name in names {
        let words: Vec<&str> = name.iter().map(String::as_str).collect();
        let help = help(&words);
        let about = help.split("\n\n").next().unwrap_or_default().replace('\n', " ");
        row(&mut table, &words.join(" "), about.trim_end_matches('.'));
        section(&mut sections, &words.join(" "), &help);
    }
    format!("\n| Command | What it does |\n|---|---|\n{table}{sections}\n")
}

fn row(text: &mut String, name: &str, about: &str) {
    let about = escaped(about);
    writeln!(text, "| [`{name}`](#{}) | {about} |", anchor(name)).expect("memory takes it");
}

fn anchor(name: &str) -> String {
    format!("subsume-{}", name.replace(' ', "-"))
}

fn section(text: &mut String, name: &str, help: &str) {
    let (about, rest) = help.split_once("\nUsage: ").expect("help says how to call it");
    write!(text, "\n## subsume {name}\n\n").expect("memory takes it");
    for paragraph in about.trim_end().split("\n\n") {
        write!(text, "{}\n\n", escaped(&paragraph.replace('\n', " "))).expect("memory takes it");
    }
    let rest = without_common_options(rest);
    write!(text, "```text\n{}\n```\n", rest.trim_end()).expect("memory takes it");
}

/// The rest of a help without what every command says: the options that all have.
fn without_common_options(rest: &str) -> String {
    const COMMON: [&str; 4] =
        ["      --wide", "      --markdown", "  -h, --help", "  -V, --version"];
    let mut kept: Vec<&str> = Vec::new();
    let mut is_common = false;
    for line in rest.lines() {
        let is_option = line.trim_start().starts_with('-') && line.starts_with("  ");
        let ends = is_option || !line.is_empty() && !line.starts_with("          ");
        if ends {
            is_common = COMMON.contains(&line);
        }
        if !is_common {
            kept.push(line);
        }
    }
    let text = kept.join("\n");
    text.replace("Options:\n\nExamples:", "Examples:").trim_end_matches("\n\nOptions:").to_owned()
}

/// A table of the options, of the agent's help.
fn agent_options() -> String {
    let (_, table) = HELP.split_once("\n\n").expect("the usage stands first");
    let (table, _) = table.split_once("\n\n").expect("an example stands last");
    let mut options: Vec<(String, String)> = Vec::new();
    for line in table.lines() {
        let text = line.trim_start();
        let is_new = line.len() - text.len() == 2;
        match (is_new, options.last_mut()) {
            (true, _) => {
                // A name has a space only behind a comma: "mode=a, mode=b".
                let mut spaces = text.match_indices(' ').map(|(at, _)| at);
                let end = spaces.find(|at| !text[..*at].ends_with(',')).unwrap_or(text.len());
                let (name, meaning) = text.split_at(end);
                options.push((name.to_owned(), meaning.trim_start().to_owned()));
            }
            (false, Some((_, meaning))) => *meaning = format!("{meaning} {text}"),
            (false, None) => unreachable!("the first line has a name"),
        }
    }
    assert!(options.len() > 25, "{options:?}");
    assert!(options.iter().all(|(name, meaning)| !name.is_empty() && !meaning.is_empty()));
    let mut made = String::from("\n| Option | Meaning |\n|---|---|\n");
    for (name, meaning) in options {
        let name = name.replace(", ", "`, `");
        writeln!(made, "| `{name}` | {} |", escaped(meaning.trim())).expect("memory takes it");
    }
    made.push('\n');
    made
}

/// Text in which Markdown sees no marks.
fn escaped(text: &str) -> String {
    text.replace('*', "\\*").replace('<', "\\<").replace('|', "\\|")
}

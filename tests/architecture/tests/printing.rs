//! The command prints paths in one way: made printable. Otherwise the name of a file, which
//! others may have chosen, could control the terminal. The prefix of messages is written once.

use std::fs;
use std::path::{Path, PathBuf};

fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("the sources are part of the repository") {
        let path = entry.expect("the folder can be listed").path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
}

#[test]
fn the_command_shows_no_path_as_it_is() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../analyzer/src/cli");
    let mut files = Vec::new();
    sources(&folder, &mut files);
    assert!(files.len() > 50, "{files:?}");
    for file in files {
        let text = fs::read_to_string(&file).expect("it is text");
        let line = text.lines().position(|line| line.contains(".display()"));
        assert_eq!(line, None, "{}: base::shown makes it printable", file.display());
    }
}

/// `base::tell!` writes the prefix, in the command and in the agent.
#[test]
fn no_message_has_the_prefix_twice() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut files = Vec::new();
    for folder in ["analyzer/src", "agent/src", "crates"] {
        sources(&root.join(folder), &mut files);
    }
    assert!(files.len() > 500, "{}", files.len());
    let mut calls = 0;
    for file in files {
        let text = fs::read_to_string(&file).expect("it is text");
        for (at, _) in text.match_indices("tell!(") {
            calls += 1;
            let message = text[at + "tell!(".len()..].trim_start();
            let has_prefix = message.starts_with("\"subsume: ");
            assert!(!has_prefix, "{}: {:.60}", file.display(), message);
        }
    }
    assert!(calls > 50, "{calls}");
}

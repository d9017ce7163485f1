//! The command prints paths in one way: made printable. Otherwise the name of a file, which
//! others may have chosen, could control the terminal.

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

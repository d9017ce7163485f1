//! The pages of the repository: all files with Markdown.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

pub fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Every page by its path from the top, with its text.
pub fn all() -> BTreeMap<PathBuf, String> {
    let mut found = BTreeMap::new();
    collect(&repository(), Path::new(""), "md", &mut found);
    found
}

/// Every file below a folder with this extension, or without one for "", with its text.
pub fn collect(root: &Path, at: &Path, ending: &str, found: &mut BTreeMap<PathBuf, String>) {
    const LEFT: [&str; 4] = ["target", "bench-results", ".git", "node_modules"];
    for entry in fs::read_dir(root.join(at)).expect("the folder can be listed") {
        let entry = entry.expect("it is there");
        let name = entry.file_name().into_string().expect("it is text");
        let path = at.join(&name);
        let kind = entry.file_type().expect("it is there");
        if kind.is_dir() && !LEFT.contains(&&*name) {
            collect(root, &path, ending, found);
        } else if kind.is_file() && path.extension().unwrap_or_default() == ending {
            found.insert(path, fs::read_to_string(entry.path()).expect("it is text"));
        }
    }
}

//! The pages that say where things are name files that exist, and leave no crate out.
//!
//! A path is text in backquotes or in a code block that begins with a top-level folder, text
//! in backquotes that ends in `.rs` or `.md`, or the target of a link. In a section whose
//! heading names a folder, paths may be relative to that folder or to its `src`, and
//! folders may end in a slash instead of beginning at the top.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn page(name: &str) -> String {
    fs::read_to_string(repository().join(name)).expect("the page is part of the repository")
}

/// Names of folders in a folder, without what builds leave.
fn folders(folder: &Path) -> BTreeSet<String> {
    let entries = fs::read_dir(folder).expect("the folder can be listed");
    let entries = entries.map(|entry| entry.expect("it is there"));
    let folders = entries.filter(|entry| entry.path().is_dir());
    let names = folders.map(|entry| entry.file_name().into_string().expect("it is text"));
    names.filter(|name| !["target", "bench-results", ".git"].contains(&&**name)).collect()
}

/// What stands in backquotes in a line.
fn quoted(line: &str) -> impl Iterator<Item = &str> {
    line.split('`').skip(1).step_by(2)
}

/// Where the links of a line lead within the repository, without the place on the page.
fn links(line: &str) -> impl Iterator<Item = &str> {
    let targets = line.split("](").skip(1).filter_map(|rest| rest.split_once(')'));
    let paths = targets.map(|(target, _)| target.split('#').next().unwrap_or_default());
    paths.filter(|path| !path.is_empty() && !path.contains("://"))
}

fn is_heading(line: &str) -> bool {
    line.starts_with('#')
}

fn is_code(line: &str) -> bool {
    line.starts_with("    ")
}

/// Whether text can be a path: it has no pattern, no option and no gap.
fn may_be_path(text: &str) -> bool {
    let is_part = |c: char| c.is_ascii_alphanumeric() || "/._-".contains(c);
    !text.is_empty() && !text.starts_with(['/', '-']) && text.chars().all(is_part)
}

/// The paths of a page that lead nowhere, each with its line.
fn lost(root: &Path, text: &str) -> Vec<String> {
    let top = folders(root);
    let begins_at_top =
        |path: &str| path.split_once('/').is_some_and(|(first, _)| top.contains(first));
    let mut section: Option<&str> = None;
    let mut lost = Vec::new();
    for (number, line) in text.lines().enumerate() {
        if is_heading(line) {
            section = quoted(line).next();
        }
        let paths: Vec<&str> = if is_code(line) {
            let words =
                line.split_whitespace().map(|word| word.trim_matches([',', ':', ';', '(', ')']));
            words.filter(|path| may_be_path(path) && begins_at_top(path)).collect()
        } else {
            let is_named = |path: &&str| {
                let is_file = [".rs", ".md"].iter().any(|end| path.ends_with(end));
                let is_folder = section.is_some() && path.ends_with('/');
                may_be_path(path) && (begins_at_top(path) || is_file || is_folder)
            };
            quoted(line).filter(is_named).chain(links(line)).collect()
        };
        let exists = |path: &str| {
            let mut places = vec![root.to_owned()];
            if let Some(section) = section {
                places.extend([root.join(section), root.join(section).join("src")]);
            }
            places.iter().any(|place| place.join(path).exists())
        };
        let wrong = paths.into_iter().filter(|path| !exists(path));
        lost.extend(wrong.map(|path| format!("line {}: {path}", number + 1)));
    }
    lost
}

#[test]
fn paths_on_the_pages_exist() {
    let pages = ["ARCHITECTURE.md", "CONTRIBUTING.md"];
    let on = |name: &str| {
        let lost = lost(&repository(), &page(name));
        lost.into_iter().map(|path| format!("{name}, {path}")).collect::<Vec<_>>()
    };
    let lost: Vec<String> = pages.into_iter().flat_map(on).collect();
    assert!(lost.is_empty(), "the pages name what is not there:\n{}", lost.join("\n"));
}

#[test]
fn every_crate_has_a_section() {
    let page = page("ARCHITECTURE.md");
    let sections: BTreeSet<&str> =
        page.lines().filter(|line| is_heading(line)).flat_map(quoted).collect();
    let crates = folders(&repository().join("crates"));
    assert!(crates.len() > 8, "{crates:?}");
    for name in crates {
        let folder = format!("crates/{name}");
        assert!(sections.contains(&*folder), "ARCHITECTURE.md has no section on {folder}");
    }
}

#[test]
fn wrong_paths_are_found_wherever_they_stand() {
    let text = "\
See `crates/base/src/calendar.rs`, `crates/base/src/clock.rs` and [a page](docs/no-page.md#top).
A file alone: `nothing.rs`. No paths: `a/b`, `/tmp/x.rs`, `*_natives.rs`, `in/`, `-p x`.
    agent/src/lib.rs, agent/src/library.rs: drawn
### `crates/base`
- `leb128.rs`, `leb129.rs`, `read/`
## Others
- `leb128.rs`
";
    assert_eq!(
        lost(&repository(), text),
        [
            "line 1: crates/base/src/clock.rs",
            "line 1: docs/no-page.md",
            "line 2: nothing.rs",
            "line 3: agent/src/library.rs",
            "line 5: leb129.rs",
            "line 5: read/",
            "line 7: leb128.rs",
        ]
    );
}

//! Profiles and something in them, such as a method, in one list of words.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use tree::error::{Error, Result};

/// What a profile's name usually ends in.
const ENDING: &str = ".subsume";

/// The files among the words, and the word that is not a file. That is the last one, or
/// wherever the only word stands that is not a file. `what` is what `command` needs beside
/// files.
///
/// # Errors
/// If there are fewer than two words.
pub fn split(words: &[OsString], command: &str, what: &str) -> Result<(Vec<PathBuf>, String)> {
    let [_, _, ..] = words else {
        return Err(Error::new(format!(
            "{command} needs a file and {what} (see 'subsume {command} --help')"
        )));
    };
    let mut others = (0..words.len()).filter(|&at| !is_file(&words[at]));
    let at = match (others.next(), others.next()) {
        (Some(only), None) => only,
        _ => words.len() - 1,
    };
    let files = (0..words.len()).filter(|&file| file != at).map(|file| (&words[file]).into());
    Ok((files.collect(), words[at].to_string_lossy().into_owned()))
}

/// True if the word names a file, or looks like a profile that is missing.
fn is_file(word: &OsStr) -> bool {
    Path::new(word).is_file() || word.to_string_lossy().ends_with(ENDING)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn either_order_is_understood() {
        for (line, files, other) in [
            ("a.subsume x.Y.z", "a.subsume", "x.Y.z"),
            ("x.Y.z a.subsume", "a.subsume", "x.Y.z"),
            ("a.subsume b.subsume x.Y.z", "a.subsume b.subsume", "x.Y.z"),
            ("x.Y.z a.subsume b.subsume", "a.subsume b.subsume", "x.Y.z"),
            ("a.subsume x.Y.z b.subsume", "a.subsume b.subsume", "x.Y.z"),
            // Neither is a file here: what is said of the first one is that it is missing.
            ("a.folded x.Y.z", "a.folded", "x.Y.z"),
            ("a.subsume b.subsume", "a.subsume", "b.subsume"),
        ] {
            let words: Vec<OsString> = line.split(' ').map(OsString::from).collect();
            let files: Vec<PathBuf> = files.split(' ').map(PathBuf::from).collect();
            assert_eq!(split(&words, "callers", "").unwrap(), (files, other.to_owned()), "{line}");
        }
        let error = split(&["a.subsume".into()], "callers", "a method").unwrap_err();
        assert!(error.to_string().starts_with("callers needs a file and a method"));
    }
}

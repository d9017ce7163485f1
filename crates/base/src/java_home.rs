//! Where a `java` command lies.

use std::path::{Path, PathBuf};
use std::{env, fs};

/// The folder of the JDK, or of another image of Java, that has the command that a shell would
/// run.
pub fn home_of(java: &Path) -> Option<PathBuf> {
    let file = match java.components().count() {
        1 => {
            let folders = env::var_os("PATH")?;
            env::split_paths(&folders)
                .map(|folder| folder.join(java))
                .find(|file| file.is_file())?
        }
        _ => java.to_owned(),
    };
    // HOME/bin/java
    Some(fs::canonicalize(file).ok()?.parent()?.parent()?.to_owned())
}

//! Where the agent's library is.

use std::path::{Path, PathBuf};

use base::shown;
use tree::error::{Error, Result};

const LIBRARY: &str = "libsubsume.so";

/// The library that the user names, or the one that was installed with this
/// command.
///
/// # Errors
/// If there is no library where it should be.
pub fn find(named: Option<&Path>) -> Result<PathBuf> {
    if !cfg!(target_os = "linux") {
        return Err(Error::new(super::ONLY_ON_LINUX));
    }
    let named = named.map(Path::to_path_buf);
    if let Some(path) = named.or_else(|| std::env::var_os("SUBSUME_AGENT").map(PathBuf::from)) {
        return if path.is_file() {
            std::path::absolute(&path).map_err(|e| Error::io(&path, &e))
        } else {
            Err(Error::new(format!("{}: there is no such library", shown(&path))))
        };
    }
    let own = std::env::current_exe().map_err(|e| Error::io(Path::new("subsume"), &e))?;
    // A link on the path leads to where both files are.
    let own = own.canonicalize().unwrap_or(own);
    let folder = own.parent().unwrap_or(Path::new("."));
    let places = [folder.join(LIBRARY), folder.join("../lib").join(LIBRARY)];
    places.into_iter().find(|path| path.is_file()).ok_or_else(|| {
        Error::new(format!(
            "{} is not in {}; copy it there, or say where it is by --agent",
            LIBRARY,
            shown(folder)
        ))
    })
}

//! The files that the JVMs of a run write.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use base::shown;
use base::whole_file::WholeFile;
use tree::error::{Error, Result};

/// Where profiles will be.
#[derive(Debug)]
pub struct Profiles {
    /// What the user asked for.
    out: PathBuf,
    /// For several JVMs: the folder, and what stands before and behind the
    /// process id in the names of files there.
    family: Option<(PathBuf, String, String)>,
    /// Files of such names from before, which are no answer to this run.
    old: BTreeMap<PathBuf, Version>,
}

/// What changes with a file's content: its number, length and time of change.
type Version = (u64, u64, i64, i64);

#[cfg(unix)]
fn version(path: &Path) -> Option<Version> {
    use std::os::unix::fs::MetadataExt;
    let file = path.metadata().ok()?;
    Some((file.ino(), file.len(), file.ctime(), file.ctime_nsec()))
}

/// No program is run here.
#[cfg(not(unix))]
fn version(_: &Path) -> Option<Version> {
    None
}

impl Profiles {
    /// Of a single JVM at `out`, or of several at places with the process id
    /// in their names.
    pub fn expected(out: &Path, single: bool) -> Self {
        let family = (!single).then(|| {
            let folder = out.parent().unwrap_or(Path::new("/")).to_path_buf();
            let stem = out.file_stem().unwrap_or_default().to_string_lossy();
            let extension = out.extension().map_or("subsume".into(), |e| e.to_string_lossy());
            (folder, format!("{stem}-"), format!(".{extension}"))
        });
        let mut profiles = Self { out: out.to_path_buf(), family, old: BTreeMap::new() };
        let old = profiles.present().into_iter();
        profiles.old = old.filter_map(|path| Some((path.clone(), version(&path)?))).collect();
        profiles
    }

    /// Refuses a place where no profile can be written, before the program has
    /// done its work in vain.
    ///
    /// # Errors
    /// If it is such a place.
    pub fn check(&self) -> Result<()> {
        let out = &self.out;
        WholeFile::create(out).map(drop).map_err(|e| Error::io(out, &e))
    }

    /// For the agent's option `out`.
    ///
    /// # Errors
    /// If the agent's options cannot hold the path.
    pub fn template(&self) -> Result<String> {
        let (path, id) = match &self.family {
            None => (self.out.clone(), String::new()),
            Some((folder, before, behind)) => (folder.join(before), format!("%p{behind}")),
        };
        let refused = |what| Error::new(format!("{}: {what}", shown(&path)));
        let text = path.to_str().ok_or_else(|| refused("the agent takes no such name"))?;
        if text.contains(',') {
            return Err(refused("the agent takes no name with a comma"));
        }
        Ok(text.replace('%', "%%") + &id)
    }

    /// Files that this run has written until now.
    fn written(&self) -> Vec<PathBuf> {
        let is_new = |path: &PathBuf| self.old.get(path).copied() != version(path);
        self.present().into_iter().filter(is_new).collect()
    }

    /// Files that are there now.
    fn present(&self) -> Vec<PathBuf> {
        let Some((folder, before, behind)) = &self.family else {
            return Some(self.out.clone()).filter(|path| path.is_file()).into_iter().collect();
        };
        let is_ours = |path: &PathBuf| {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            name.strip_prefix(before.as_str())
                .and_then(|rest| rest.strip_suffix(behind.as_str()))
                .is_some_and(|id| !id.is_empty() && id.bytes().all(|byte| byte.is_ascii_digit()))
        };
        let entries = fs::read_dir(folder).into_iter().flatten().flatten();
        let mut files: Vec<PathBuf> = entries.map(|entry| entry.path()).filter(is_ours).collect();
        files.sort();
        files
    }

    /// How large they are now.
    pub fn bytes(&self) -> u64 {
        self.written().iter().filter_map(|path| path.metadata().ok()).map(|m| m.len()).sum()
    }

    /// Those that were written; a single one has the name that was asked for.
    ///
    /// # Errors
    /// If the only profile cannot be renamed.
    pub fn collect(&self) -> Result<Vec<PathBuf>> {
        let files = self.written();
        if let [only] = files.as_slice()
            && *only != self.out
        {
            fs::rename(only, &self.out).map_err(|e| Error::io(&self.out, &e))?;
            return Ok(vec![self.out.clone()]);
        }
        Ok(files)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn templates() {
        let template = |out: &str, single| {
            Profiles::expected(Path::new(out), single).template().map_err(|e| e.to_string())
        };
        assert_eq!(template("/a/b.subsume", true).unwrap(), "/a/b.subsume");
        assert_eq!(template("/a/50%.subsume", true).unwrap(), "/a/50%%.subsume");
        assert_eq!(template("/a/b.subsume", false).unwrap(), "/a/b-%p.subsume");
        assert_eq!(template("/a/b", false).unwrap(), "/a/b-%p.subsume");
        assert!(template("/a,b/c", true).unwrap_err().contains("comma"));
    }
}

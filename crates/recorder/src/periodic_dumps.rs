//! Profiles that are written again and again while the program runs (`dump-every`).

use std::collections::VecDeque;
use std::io;
use std::path::{Path, PathBuf};

use crate::recording::Recorder;
use instrument::options::utc;

/// The profiles that were written, oldest first.
#[derive(Debug)]
pub struct PeriodicDumps {
    keep: usize,
    written: VecDeque<PathBuf>,
}

impl PeriodicDumps {
    /// None yet; so many stay.
    pub fn new(keep: usize) -> Self {
        Self { keep, written: VecDeque::new() }
    }

    /// Writes what was recorded until now, under the name of a time, and removes those of
    /// before that are too many.
    ///
    /// # Errors
    /// When the file cannot be written; then those of before stay.
    pub fn write(&mut self, recorder: &Recorder, millis: u64) -> io::Result<()> {
        let path = path_at(&recorder.path(), millis);
        recorder.dump(&path)?;
        // After the clock was put back, it may have taken the place of one of before.
        self.written.retain(|before| *before != path);
        self.written.push_back(path);
        while self.written.len() > self.keep
            && let Some(oldest) = self.written.pop_front()
        {
            // If somebody else has taken it away, that is as good.
            let _ = std::fs::remove_file(oldest);
        }
        Ok(())
    }
}

/// `fop.subsume` at a time: `fop-20260131-120000.subsume`.
fn path_at(profile: &Path, millis: u64) -> PathBuf {
    let mut name = profile.file_stem().unwrap_or_default().to_owned();
    name.push(format!("-{}", utc(millis)));
    if let Some(extension) = profile.extension() {
        name.push(".");
        name.push(extension);
    }
    profile.with_file_name(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_say_when() {
        let at = |path| path_at(Path::new(path), 1_769_860_800_000);
        assert_eq!(at("/d/fop.subsume"), Path::new("/d/fop-20260131-120000.subsume"));
        assert_eq!(at("profile"), Path::new("profile-20260131-120000"));
    }
}

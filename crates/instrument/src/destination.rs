//! Where a profile goes.

use std::io;
use std::path::{Path, PathBuf};

use base::whole_file::create_private;

use crate::options::{Options, expand};

/// More profiles in one folder are more than anybody has asked for.
const MOST_NAMES: u32 = 10_000;

/// A path for a profile.
#[derive(Debug)]
pub struct Destination {
    /// Where it goes. What is there is overwritten.
    pub path: PathBuf,
    /// Where it would have gone by default, if another run's is there.
    pub instead_of: Option<PathBuf>,
    /// Whether there is a file only to hold the place.
    is_held: bool,
}

impl Destination {
    /// The path that the options name, or the first free one of `PID.subsume`,
    /// `PID-2.subsume` and so on: in containers the process id is always the same, and
    /// nobody has asked for another run's profile to be overwritten. That one is free for
    /// nobody else from here on.
    ///
    /// # Errors
    /// The path at which no file can be created, and why.
    pub fn of(options: &Options, start_millis: u64) -> Result<Self, (PathBuf, io::Error)> {
        let id = std::process::id();
        match &options.out {
            Some(template) => {
                let path = absolute(expand(template, id, start_millis));
                Ok(Self { path, instead_of: None, is_held: false })
            }
            None => free(&absolute(String::new()), &id.to_string()),
        }
    }

    /// The profile is there: its place need not be held any more.
    pub fn is_taken(&mut self) {
        self.is_held = false;
    }
}

impl Drop for Destination {
    fn drop(&mut self) {
        if self.is_held {
            // An empty file; if it stays, the name is not used again.
            let _ = std::fs::remove_file(&self.path);
        }
    }
}

/// The program may change its folder; the profile stays where it was meant.
fn absolute(path: String) -> PathBuf {
    let path = if path.is_empty() { ".".into() } else { path };
    std::path::absolute(&path).unwrap_or(PathBuf::from(path))
}

/// Takes the first name in a folder that is free.
fn free(folder: &Path, stem: &str) -> Result<Destination, (PathBuf, io::Error)> {
    let first = folder.join(format!("{stem}.subsume"));
    for number in 1..=MOST_NAMES {
        let path = match number {
            1 => first.clone(),
            _ => folder.join(format!("{stem}-{number}.subsume")),
        };
        match create_private(&path) {
            Ok(_) => {
                let instead_of = (number > 1).then_some(first);
                return Ok(Destination { path, instead_of, is_held: true });
            }
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err((path, error)),
        }
    }
    Err((first, io::Error::other(format!("there are {MOST_NAMES} of such names"))))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nobody_gets_the_place_of_another() {
        let folder = std::env::temp_dir().join(format!("subsume-places-{}", std::process::id()));
        std::fs::create_dir(&folder).expect("a new name");
        std::os::unix::fs::symlink("nowhere", folder.join("1-2.subsume")).expect("a new name");
        let taken: Vec<_> = std::thread::scope(|scope| {
            let takes = || free(&folder, "1").expect("the folder can be written");
            let threads: Vec<_> = (0..8).map(|_| scope.spawn(takes)).collect();
            threads.into_iter().map(|thread| thread.join().expect("it takes one")).collect()
        });
        let mut names: Vec<_> = taken
            .iter()
            .map(|taken| taken.path.file_name().expect("a file").to_string_lossy().into_owned())
            .collect();
        names.sort();
        let expected = ["1-3", "1-4", "1-5", "1-6", "1-7", "1-8", "1-9", "1"];
        assert_eq!(names, expected.map(|stem| format!("{stem}.subsume")));
        assert_eq!(taken.iter().filter(|taken| taken.instead_of.is_none()).count(), 1);
        drop(taken);
        let left = std::fs::read_dir(&folder).expect("it is there").count();
        assert_eq!(left, 1, "places are held no longer than they are wanted");
        std::fs::remove_dir_all(&folder).expect("it is ours");
    }
}

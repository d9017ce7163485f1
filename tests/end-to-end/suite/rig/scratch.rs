//! A folder for the files of one test.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

/// An empty folder that goes away with this value, unless the test fails.
#[derive(Debug)]
pub struct Scratch(PathBuf);

impl Scratch {
    /// A new folder below the build's own temporary one.
    pub fn new(name: &str) -> Self {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        // The JDK looks at every character of its working folder: names of the
        // same length let runs be compared to the last bytecode.
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR"))
            .join(format!("{name}-{:07}-{number:04}", std::process::id()));
        fs::create_dir_all(&folder).expect("the build's temporary folder can be written");
        Self(folder)
    }

    /// A file in it.
    pub fn file(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    /// The folder.
    pub fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        if std::thread::panicking() {
            eprintln!("files of the failed test are in {}", self.0.display());
        } else {
            // What cannot be removed is of no harm below the build's folder.
            let _ = fs::remove_dir_all(&self.0);
        }
    }
}

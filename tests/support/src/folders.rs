//! Folders for the files of tests, all below cargo's own one.

use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};
use std::{env, fs};

/// Cargo's target folder, in which the running test lies.
///
/// # Panics
/// If the test was not built by cargo.
pub fn target() -> &'static Path {
    static FOUND: OnceLock<PathBuf> = OnceLock::new();
    FOUND.get_or_init(|| {
        // TARGET/PROFILE/deps/this-test
        let this = env::current_exe().expect("a running test has a path");
        this.ancestors().nth(3).expect("cargo puts tests two folders deep").to_path_buf()
    })
}

/// The folder of the suite that runs.
pub(crate) fn suite() -> &'static Path {
    static FOUND: OnceLock<PathBuf> = OnceLock::new();
    FOUND.get_or_init(|| {
        env::var_os("CARGO_MANIFEST_DIR").expect("tests are started by `cargo test`").into()
    })
}

/// Copies a folder with all in it but what builds have made, `target`.
///
/// # Panics
/// If a file cannot be read or written.
pub fn copy_folder(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("a folder can be made");
    for entry in fs::read_dir(from).expect("the folder can be read") {
        let path = entry.expect("and to its end").path();
        let name = path.file_name().expect("entries have names");
        if !path.is_dir() {
            fs::copy(&path, to.join(name)).expect("a file can be copied");
        } else if name != "target" {
            copy_folder(&path, &to.join(name));
        }
    }
}

/// An empty folder for this process, emptied by nobody.
///
/// # Panics
/// If it cannot be made.
pub fn scratch(name: &str) -> PathBuf {
    let folder = target().join("tmp").join(format!("{name}-{}", std::process::id()));
    if folder.exists() {
        fs::remove_dir_all(&folder).expect("files of an earlier process can be removed");
    }
    fs::create_dir_all(&folder).expect("the build's temporary folder can be written");
    folder
}

/// An empty folder that goes away with this value, unless the test fails.
#[derive(Debug)]
pub struct Scratch(PathBuf);

impl Scratch {
    /// A new folder below the build's own temporary one.
    ///
    /// # Panics
    /// If it cannot be made.
    pub fn new(name: &str) -> Self {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        // The JDK looks at every character of its working folder: names of the
        // same length let runs be compared to the last bytecode.
        let folder =
            target().join("tmp").join(format!("{name}-{:07}-{number:04}", std::process::id()));
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

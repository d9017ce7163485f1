//! What holds for every importer: any file is an error of one line, or a
//! profile that keeps all rules and reads again as it was written.

use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use profile::Profile;
use tree::error::Result;

/// Reads these bytes as a file of another tool.
pub fn check(bytes: &[u8], read: impl Fn(&[&Path]) -> Result<Profile>) {
    let path = file(bytes);
    let profile = match read(&[path]) {
        Ok(profile) => profile,
        Err(error) => {
            assert_eq!(error.to_string().lines().count(), 1, "{error}");
            return;
        }
    };
    profile.validate().expect("what was imported keeps all rules");
    let mut written = Vec::new();
    profile::write(&profile, &mut written).expect("what was imported can be written");
    let again = profile::read(&written).expect("what was written can be read");
    assert_eq!(profile.nodes.parent, again.nodes.parent);
    assert_eq!(profile.nodes.metrics, again.nodes.metrics);
}

/// One file in memory, rewritten for each input.
fn file(bytes: &[u8]) -> &'static Path {
    static PATH: OnceLock<PathBuf> = OnceLock::new();
    let path =
        PATH.get_or_init(|| PathBuf::from(format!("/dev/shm/subsume-fuzz-{}", std::process::id())));
    let mut file: File = OpenOptions::new()
        .write(true)
        .create(true)
        .truncate(true)
        .open(path)
        .expect("there is room in memory");
    file.write_all(bytes).expect("there is room in memory");
    path
}

//! The Java programs, compiled.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;

use super::jdks;

/// Class folders by the source folder they were compiled from.
static COMPILED: Mutex<BTreeMap<PathBuf, PathBuf>> = Mutex::new(BTreeMap::new());

/// Class folder of the sources in and below a folder of `programs`.
pub fn compiled(folder: &str) -> PathBuf {
    compile(&Path::new(env!("CARGO_MANIFEST_DIR")).join("programs").join(folder), folder)
}

/// Class folder of the programs that the rules of data flow are tried on, with
/// what runs them many times.
pub fn rules_programs() -> PathBuf {
    let programs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../rules/programs");
    let classes = compile(&programs, "rules");
    let repeat = compiled("pathologies");
    fs::copy(repeat.join("Repeatedly.class"), classes.join("Repeatedly.class"))
        .expect("classes can be copied");
    classes
}

/// Class folder of the API as programs ship it.
pub fn api_classes() -> PathBuf {
    compile(&api_sources(), "api")
}

fn api_sources() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../java-shim/src/api")
}

fn compile(sources: &Path, name: &str) -> PathBuf {
    // A panicking test leaves the map as it was, so a poisoned lock is as good.
    let mut compiled = COMPILED.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    if let Some(classes) = compiled.get(sources) {
        return classes.clone();
    }
    let classes = Path::new(env!("CARGO_TARGET_TMPDIR")).join("classes").join(name);
    if classes.exists() {
        fs::remove_dir_all(&classes).expect("classes of an earlier run can be removed");
    }
    fs::create_dir_all(&classes).expect("the build's temporary folder can be written");
    // The oldest JDK, so that the class files run on all of them.
    let output = Command::new(jdks()[0].command("javac"))
        .args(["--release", "17", "-implicit:none", "-Xlint:-options", "-sourcepath"])
        .arg(api_sources())
        .arg("-d")
        .arg(&classes)
        .args(java_files(sources))
        .output()
        .expect("javac can be started");
    assert!(
        output.status.success(),
        "{} does not compile: {}",
        sources.display(),
        String::from_utf8_lossy(&output.stderr)
    );
    compiled.insert(sources.to_path_buf(), classes.clone());
    classes
}

fn java_files(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).expect("the sources are part of the repository") {
        let path = entry.expect("the folder can be listed").path();
        if path.is_dir() {
            files.extend(java_files(&path));
        } else if path.extension().is_some_and(|extension| extension == "java") {
            files.push(path);
        }
    }
    files
}

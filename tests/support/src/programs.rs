//! The Java programs of the suites, compiled.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs::{self, File};
use std::hash::Hasher;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Mutex, PoisonError};

use rustc_hash::FxHasher;

use crate::folders::suite;
use crate::{Jdk, compiler, succeed, target};

/// Class folders by the source folders they were compiled from.
static COMPILED: Mutex<BTreeMap<Vec<PathBuf>, PathBuf>> = Mutex::new(BTreeMap::new());

/// Class folder of the sources in and below a folder of the suite's `programs`.
///
/// # Panics
/// If they do not compile.
pub fn compiled(folder: &str) -> PathBuf {
    once(&[suite().join("programs").join(folder)], folder)
}

/// Class folder of the programs that the rules of data flow are tried on, with
/// what runs them many times.
///
/// # Panics
/// If they do not compile.
pub fn rules_programs() -> PathBuf {
    let rules = repository().join("tests/interpreter");
    let classes = once(&[rules.join("programs"), rules.join("support")], "rules");
    let repeat = compiled("pathologies");
    let copy = classes.join("Repeatedly.class");
    if !copy.exists() {
        fs::copy(repeat.join("Repeatedly.class"), copy).expect("classes can be copied");
    }
    classes
}

/// Class folder of the API as programs ship it.
///
/// # Panics
/// If it does not compile.
pub fn api_classes() -> PathBuf {
    once(&[api_sources()], "api")
}

/// A class path with `AfterCommand` behind what is there, which runs a command and then a
/// program in the same JVM.
///
/// # Panics
/// If it does not compile.
pub fn after_command(class_path: &Path) -> PathBuf {
    let mut whole = class_path.as_os_str().to_owned();
    whole.push(":");
    whole.push(once(&[repository().join("tests/support/programs")], "kit"));
    whole.into()
}

fn api_sources() -> PathBuf {
    repository().join("java-shim/src/api")
}

/// The folder of the repository.
pub fn repository() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
}

fn once(folders: &[PathBuf], name: &str) -> PathBuf {
    // A panicking test leaves the map as it was, so a poisoned lock is as good.
    let mut compiled = COMPILED.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(classes) = compiled.get(folders) {
        return classes.clone();
    }
    let of_suite = suite().file_name().unwrap_or_default();
    let api = api_sources();
    let options = ["-implicit:none", "-Xlint:-options", "-sourcepath"].map(OsStr::new);
    let sources: Vec<_> = folders.iter().flat_map(|folder| java_files(folder)).collect();
    let key = key_of(&[&sources[..], &java_files(&api)].concat());
    let classes = target().join("tmp/classes").join(of_suite).join(format!("{name}-{key:016x}"));
    // Test programs that run at the same time share them: the first one compiles.
    let parent = classes.parent().expect("it lies in a folder of the suite's");
    fs::create_dir_all(parent).expect("the build's temporary folder can be written");
    let lock = File::create(classes.with_extension("lock")).expect("a file can be made");
    lock.lock().expect("the build's folder lets itself be locked");
    if !classes.exists() {
        let unnamed = classes.with_extension("new");
        compile(&sources, &[&options[..], &[api.as_os_str()]].concat(), &unnamed);
        fs::rename(unnamed, &classes).expect("a new folder can be named");
    }
    compiled.insert(folders.to_vec(), classes.clone());
    classes
}

/// A number that depends on all of the sources and on who compiles them.
fn key_of(sources: &[PathBuf]) -> u64 {
    let mut hasher = FxHasher::default();
    hasher.write(compiler().home().as_os_str().as_encoded_bytes());
    for source in sources {
        hasher.write(source.as_os_str().as_encoded_bytes());
        hasher.write(&fs::read(source).expect("sources can be read"));
    }
    hasher.finish()
}

/// Compiles sources into a folder, which is emptied before, for Java 17, by the
/// [`compiler`].
///
/// # Panics
/// If they do not compile.
pub fn compile(sources: &[PathBuf], options: &[&OsStr], classes: &Path) {
    if classes.exists() {
        fs::remove_dir_all(classes).expect("classes of an earlier run can be removed");
    }
    fs::create_dir_all(classes).expect("the build's temporary folder can be written");
    let mut javac = compiler().program("javac");
    // Names of classes are names of files.
    javac.env("LC_ALL", "C.UTF-8");
    javac.args(["--release", "17"]).args(options).arg("-d").arg(classes).args(sources);
    succeed(&mut javac);
}

/// Compiles native methods, in C, to a library.
///
/// # Panics
/// If they do not compile.
pub fn compile_native(jdk: &Jdk, source: &Path, library: &Path) {
    let include = jdk.command("java").with_file_name("../include");
    let mut cc = Command::new("cc");
    cc.args(["-shared", "-fPIC", "-pthread", "-O1", "-o"]).arg(library);
    cc.arg("-I").arg(&include).arg("-I").arg(include.join("linux")).arg(source);
    succeed(&mut cc);
}

/// The Java sources in and below a folder, in a fixed order.
///
/// # Panics
/// If the folder cannot be read.
pub fn java_files(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).expect("the sources are part of the repository") {
        let path = entry.expect("the folder can be listed").path();
        if path.is_dir() {
            files.extend(java_files(&path));
        } else if path.extension().is_some_and(|extension| extension == "java") {
            files.push(path);
        }
    }
    files.sort();
    files
}

//! Running fixtures before and after instrumentation.

use crate::instrument::{Plan, Refused, instrument};
use crate::probe_pool::ProbeOwner;
use crate::toolchain::{build_folder, class_files};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use support::{Jdk, run};

/// The folder of this package, where the fixtures' sources lie.
pub fn package_folder() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// An empty folder for one test.
///
/// # Errors
/// The folder that cannot be made.
pub fn fresh_folder(base: &Path, name: &str) -> Result<PathBuf, String> {
    let folder = base.join(name);
    if folder.exists() {
        fs::remove_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    }
    fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    Ok(folder)
}

/// The Java sources of a folder below `fixtures/`, with their class names.
///
/// # Errors
/// The folder that cannot be read.
pub fn sources(folder: &str) -> Result<(Vec<PathBuf>, Vec<String>), String> {
    let folder = package_folder().join("fixtures").join(folder);
    let entries =
        fs::read_dir(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let mut files: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    files.sort();
    let names = files.iter().filter_map(|file| file.file_stem()?.to_str()).map(str::to_owned);
    Ok((files.clone(), names.collect()))
}

/// Instruments all classes of a folder into another.
///
/// # Errors
/// The class that cannot be read or written.
pub fn instrument_folder(classes: &Path, out: &Path, plan: Plan) -> Result<Vec<Refused>, String> {
    let mut refused = Vec::new();
    for file in class_files(classes)? {
        let describe = |error: &dyn std::fmt::Display| format!("{}: {error}", file.display());
        let bytes = fs::read(&file).map_err(|error| describe(&error))?;
        let result = instrument(&bytes, plan, ProbeOwner::Counting);
        let result = result.map_err(|error| describe(&error))?;
        let inside = file.strip_prefix(classes).unwrap_or(&file);
        let target = out.join(inside);
        if let Some(parent) = target.parent() {
            fs::create_dir_all(parent).map_err(|error| describe(&error))?;
        }
        fs::write(&target, &result.bytes).map_err(|error| describe(&error))?;
        refused.extend(result.refused);
    }
    Ok(refused)
}

/// What one fixture printed and what its probes counted.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ran {
    /// The fixture's class.
    pub name: String,
    /// Its standard output.
    pub output: String,
    /// Activations that began.
    pub entries: u64,
    /// Activations that ended.
    pub exits: u64,
    /// Calls announced.
    pub calls: u64,
    /// Calls that returned normally.
    pub returns: u64,
    /// Handlers that began.
    pub caught: u64,
    /// Bytecodes executed.
    pub bytecodes: u64,
    /// What the probes found wrong.
    pub mistakes: u64,
}

/// Runs fixtures in one JVM with every class verified.
///
/// # Errors
/// Anything printed by a JVM in which a fixture failed.
pub fn run_fixtures(jdk: &Jdk, classes: &Path, names: &[String]) -> Result<Vec<Ran>, String> {
    let harness = harness()?;
    let path = std::env::join_paths([harness, classes]).map_err(|error| error.to_string())?;
    let mut java = jdk.program("java");
    java.args(["-Xverify:all", "-cp"]).arg(path);
    java.arg("RunFixture").args(names);
    let printed = run(&mut java)?;
    let mut outputs = printed.out.split("== ").skip(1);
    let mut counts = printed.err.lines().filter_map(|line| line.strip_prefix("PROBES "));
    names
        .iter()
        .map(|name| {
            let output = outputs.next().and_then(|output| output.strip_prefix(name.as_str()));
            let counts = counts.next().and_then(|line| line.strip_prefix(name.as_str()));
            match (output, counts) {
                (Some(output), Some(counts)) => Ok(ran(name, output, counts)),
                _ => Err(format!("{name} is missing in\n{}\n{}", printed.out, printed.err)),
            }
        })
        .collect()
}

fn ran(name: &str, output: &str, counts: &str) -> Ran {
    let count = |key: &str| {
        let value = counts.split(' ').find_map(|word| word.strip_prefix(key)?.strip_prefix('='));
        value.and_then(|value| value.parse().ok()).unwrap_or(u64::MAX)
    };
    Ran {
        name: name.to_owned(),
        output: output.to_owned(),
        entries: count("entries"),
        exits: count("exits"),
        calls: count("calls"),
        returns: count("returns"),
        caught: count("caught"),
        bytecodes: count("bytecodes"),
        mistakes: count("mistakes"),
    }
}

/// The folder with the compiled `RunFixture` and `Probes`.
fn harness() -> Result<&'static Path, String> {
    static HARNESS: OnceLock<Result<PathBuf, String>> = OnceLock::new();
    let harness = HARNESS.get_or_init(|| {
        // Test programs that run at the same time must not share the folder.
        let program = std::env::current_exe().map_err(|error| error.to_string())?;
        let name = program.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let out = fresh_folder(&build_folder().join("harness"), &name)?;
        let java = package_folder().join("java");
        let sources = [java.join("Probes.java"), java.join("RunFixture.java")];
        Jdk::find(17)?.compile(&sources, &out, &out)?;
        Ok(out)
    });
    harness.as_deref().map_err(Clone::clone)
}

/// Turns version 50 into version 51 in all classes of a folder.
///
/// When the frames of a version 50 class are wrong, HotSpot silently falls
/// back to the verifier that needs none; from version 51 on it does not.
///
/// # Errors
/// The file that cannot be read or written.
pub fn forbid_fallback(classes: &Path) -> Result<(), String> {
    for file in class_files(classes)? {
        let describe = |error: std::io::Error| format!("{}: {error}", file.display());
        let mut bytes = fs::read(&file).map_err(describe)?;
        if let Some(major @ [0, 50]) = bytes.get_mut(6..8) {
            major.copy_from_slice(&[0, 51]);
            fs::write(&file, bytes).map_err(describe)?;
        }
    }
    Ok(())
}

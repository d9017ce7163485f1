//! The Eclipse compiler, from Maven Central, and the class files of a folder.
//!
//! A proof that silently skips itself proves nothing, so a missing program
//! is an error that says what to install or which variable to set.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use support::{Jdk, run};

/// The last release of the Eclipse compiler line that was tried with `-target 1.1`.
const ECJ: &str = "org.eclipse.jdt:ecj:3.26.0";
const ECJ_JAR: &str = "ecj-3.26.0.jar";

/// Compiles Java sources with the Eclipse compiler. Its targets reach back to
/// Java 1.1, where `finally` blocks become subroutines (`jsr` and `ret`).
///
/// # Errors
/// What went wrong: Maven is missing, or what the compiler printed.
pub fn compile_with_ecj(
    jdk: &Jdk,
    sources: &[PathBuf],
    source_level: &str,
    target: &str,
    out: &Path,
) -> Result<(), String> {
    let mut compiler = jdk.program("java");
    compiler.arg("-jar").arg(ecj_jar()?);
    compiler.args(["-source", source_level, "-target", target, "-g", "-nowarn", "-d"]);
    compiler.arg(out).args(sources);
    run(&mut compiler).map(drop)
}

/// The Eclipse compiler's jar: `ECJ_JAR`, or fetched once by Maven into the
/// build folder.
fn ecj_jar() -> Result<&'static Path, String> {
    static JAR: OnceLock<Result<PathBuf, String>> = OnceLock::new();
    let jar = JAR.get_or_init(|| {
        if let Some(jar) = std::env::var_os("ECJ_JAR") {
            return Ok(jar.into());
        }
        let folder = build_folder().join("ecj");
        let jar = folder.join(ECJ_JAR);
        if !jar.exists() {
            let mut maven = Command::new("mvn");
            maven.args(["-q", "-B", "org.apache.maven.plugins:maven-dependency-plugin:3.6.1:copy"]);
            maven.arg(format!("-Dartifact={ECJ}"));
            maven.arg(format!("-DoutputDirectory={}", folder.display()));
            run(&mut maven)?;
        }
        Ok(jar)
    });
    jar.as_deref().map_err(Clone::clone)
}

/// The folder for files that are kept between runs.
pub fn build_folder() -> PathBuf {
    support::target().join("verifier")
}

/// The class files below a folder, in a fixed order.
///
/// # Errors
/// The folder that cannot be read.
pub fn class_files(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(folder) = folders.pop() {
        let entries =
            fs::read_dir(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
        for path in entries.flatten().map(|entry| entry.path()) {
            if path.is_dir() {
                folders.push(path);
            } else if path.extension() == Some(OsStr::new("class")) {
                found.push(path);
            }
        }
    }
    found.sort();
    Ok(found)
}

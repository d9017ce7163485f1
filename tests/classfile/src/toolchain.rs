//! The outside programs of the proofs: two JDKs, and the Eclipse compiler from Maven Central.
//!
//! A proof that silently skips itself proves nothing, so a missing program
//! is an error that says what to install or which variable to set.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

/// The last release of the Eclipse compiler line that was tried with `-target 1.1`.
const ECJ: &str = "org.eclipse.jdt:ecj:3.26.0";
const ECJ_JAR: &str = "ecj-3.26.0.jar";

/// One installed JDK.
#[derive(Clone, Debug)]
pub struct Jdk {
    home: PathBuf,
}

impl Jdk {
    /// Finds the JDK of a feature release such as 17: in `JDK17_HOME`, in
    /// `JAVA_HOME`, or where Linux distributions install JDKs.
    ///
    /// # Errors
    /// A sentence that names the variable to set.
    pub fn find(release: u32) -> Result<Jdk, String> {
        let variable = format!("JDK{release}_HOME");
        if let Some(home) = std::env::var_os(&variable) {
            return Ok(Jdk { home: home.into() });
        }
        let mut homes: Vec<PathBuf> =
            std::env::var_os("JAVA_HOME").into_iter().map(PathBuf::from).collect();
        let installed = fs::read_dir("/usr/lib/jvm").into_iter().flatten().flatten();
        homes.extend(installed.map(|entry| entry.path()));
        homes
            .into_iter()
            .find(|home| has_release(home, release) && home.join("bin/javac").exists())
            .map(|home| Jdk { home })
            .ok_or_else(|| format!("no JDK {release} found: install one or set {variable}"))
    }

    /// A command for one of the JDK's programs.
    pub fn program(&self, name: &str) -> Command {
        Command::new(self.home.join("bin").join(name))
    }

    /// The file that holds the JDK's classes, for `jimage`.
    pub fn image(&self) -> PathBuf {
        self.home.join("lib/modules")
    }

    /// Compiles Java sources with this JDK's compiler, with all debug tables.
    ///
    /// # Errors
    /// What the compiler printed.
    pub fn compile(
        &self,
        sources: &[PathBuf],
        class_path: &Path,
        out: &Path,
    ) -> Result<(), String> {
        let mut javac = self.program("javac");
        javac.args(["-g", "-nowarn", "-d"]).arg(out);
        javac.arg("-cp").arg(class_path).args(sources);
        run(javac).map(drop)
    }
}

/// JDKs describe themselves in a file `release`: `JAVA_VERSION="17.0.15"`.
fn has_release(home: &Path, release: u32) -> bool {
    let description = fs::read_to_string(home.join("release")).unwrap_or_default();
    let version = description.lines().find_map(|line| line.strip_prefix("JAVA_VERSION=\""));
    let feature = version.and_then(|version| version.split(['.', '"', '-', '+']).next());
    feature == Some(release.to_string().as_str())
}

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
    run(compiler).map(drop)
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
            run(maven)?;
        }
        Ok(jar)
    });
    jar.as_deref().map_err(Clone::clone)
}

/// The folder that cargo builds this package in, for files kept between runs.
pub fn build_folder() -> PathBuf {
    // A test binary lies in <target>/<profile>/deps.
    let program = std::env::current_exe().unwrap_or_default();
    let target = program.ancestors().nth(3).unwrap_or(Path::new("target"));
    target.join("classfile-proofs")
}

/// Runs a command to its end.
///
/// # Errors
/// The command line with all that it printed, when it fails.
pub fn run(mut command: Command) -> Result<Printed, String> {
    let output = command
        .output()
        .map_err(|error| format!("{:?} does not start: {error}", command.get_program()))?;
    let printed = Printed {
        out: String::from_utf8_lossy(&output.stdout).into_owned(),
        err: String::from_utf8_lossy(&output.stderr).into_owned(),
    };
    if output.status.success() {
        return Ok(printed);
    }
    let line: Vec<&OsStr> = command.get_args().collect();
    Err(format!(
        "{:?} {line:?} ended with {}\n{}\n{}",
        command.get_program(),
        output.status,
        printed.out,
        printed.err
    ))
}

/// What a program printed.
#[derive(Debug)]
pub struct Printed {
    /// Standard output.
    pub out: String,
    /// Standard error.
    pub err: String,
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

//! The JDKs of this machine.

use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;
use std::{env, fs};

use crate::run;

/// Oldest release that the agent supports.
const OLDEST: u32 = 17;

/// A JDK with a compiler, or a runtime without one.
#[derive(Clone, Debug)]
pub struct Jdk {
    /// Feature release, as 17.
    pub release: u32,
    home: PathBuf,
}

impl Jdk {
    /// Path of one of its commands.
    pub fn command(&self, name: &str) -> PathBuf {
        self.home.join("bin").join(name)
    }

    /// One of its commands, to be started.
    pub fn program(&self, name: &str) -> Command {
        Command::new(self.command(name))
    }

    /// The file that holds the JDK's classes, for `jimage`.
    pub fn image(&self) -> PathBuf {
        self.home.join("lib/modules")
    }

    /// A runtime image, such as `jlink` makes, in this folder.
    pub fn runtime(home: &Path) -> Option<Self> {
        let home = home.canonicalize().ok()?;
        // JDKs describe themselves: JAVA_VERSION="17.0.15"
        let description = fs::read_to_string(home.join("release")).ok()?;
        let version = description.lines().find_map(|line| line.strip_prefix("JAVA_VERSION=\""))?;
        let release = version.split(['.', '"', '-', '+']).next()?.parse().ok()?;
        Some(Self { release, home })
    }

    fn with_compiler(home: &Path) -> Option<Self> {
        Self::runtime(home).filter(|jdk| jdk.command("javac").exists())
    }

    /// The JDK of a feature release such as 17: in `JDK17_HOME`, or where
    /// [`jdks`] are found.
    ///
    /// # Errors
    /// A sentence that names the variable to set: a proof that skips itself proves
    /// nothing.
    pub fn find(release: u32) -> Result<Self, String> {
        let variable = format!("JDK{release}_HOME");
        let named = env::var_os(&variable).map(PathBuf::from);
        let homes = named.into_iter().chain(named_homes()).chain(usual_homes());
        homes
            .filter_map(|home| Self::with_compiler(&home))
            .find(|jdk| jdk.release == release)
            .ok_or_else(|| format!("no JDK {release} found: install one or set {variable}"))
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
        run(&mut javac).map(drop)
    }
}

impl fmt::Display for Jdk {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "JDK {} in {}", self.release, self.home.display())
    }
}

/// The JDKs to test on, oldest first: those that `SUBSUME_JDKS` names (homes,
/// `:` between several), or else those that lie where JDKs usually lie, one for
/// each release from 17 on.
///
/// # Panics
/// If there is none, since then no test can say anything.
pub fn jdks() -> &'static [Jdk] {
    static FOUND: OnceLock<Vec<Jdk>> = OnceLock::new();
    FOUND.get_or_init(|| {
        let mut homes = named_homes();
        if homes.is_empty() {
            homes = usual_homes();
        }
        let mut by_release = BTreeMap::new();
        for jdk in homes.iter().filter_map(|home| Jdk::with_compiler(home)) {
            by_release.entry(jdk.release).or_insert(jdk);
        }
        let found: Vec<_> = by_release.into_values().filter(|jdk| jdk.release >= OLDEST).collect();
        assert!(!found.is_empty(), "no JDK of release {OLDEST} or later found; set SUBSUME_JDKS");
        for jdk in &found {
            eprintln!("testing on {jdk}");
        }
        found
    })
}

fn named_homes() -> Vec<PathBuf> {
    env::var_os("SUBSUME_JDKS").map_or_else(Vec::new, |named| env::split_paths(&named).collect())
}

fn usual_homes() -> Vec<PathBuf> {
    let mut homes: Vec<PathBuf> = env::var_os("JAVA_HOME").map(PathBuf::from).into_iter().collect();
    for folder in env::split_paths(&env::var_os("PATH").unwrap_or_default()) {
        // The command is often a link into the JDK: HOME/bin/javac.
        if let Ok(javac) = folder.join("javac").canonicalize() {
            homes.extend(javac.ancestors().nth(2).map(Path::to_path_buf));
        }
    }
    if let Ok(installed) = fs::read_dir("/usr/lib/jvm") {
        homes.extend(installed.flatten().map(|entry| entry.path()));
    }
    homes
}

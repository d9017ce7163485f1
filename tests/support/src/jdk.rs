//! The JDKs of this machine.

use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;
use std::{env, fs, thread};

use crate::ways::hashed;
use crate::{number, run};

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
    /// Path of one of its commands; of the [`compiler`]'s if it is a runtime that
    /// lacks it, as `jar`.
    pub fn command(&self, name: &str) -> PathBuf {
        let own = self.bin().join(name);
        if own.exists() { own } else { compiler().bin().join(name) }
    }

    /// This one, or the [`compiler`] for a runtime that lacks modules of a JDK.
    pub fn whole(&self) -> &Self {
        if self.has_compiler() { self } else { compiler() }
    }

    /// Its folder.
    pub fn home(&self) -> &Path {
        &self.home
    }

    fn bin(&self) -> PathBuf {
        self.home.join("bin")
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
        Self::runtime(home).filter(Self::has_compiler)
    }

    fn has_compiler(&self) -> bool {
        self.bin().join("javac").exists()
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

/// The JDKs to test on, oldest first: those that `SUBSUME_JDKS` names (homes of
/// JDKs or runtimes, `:` between several), or else the JDKs that lie where they
/// usually lie, one for each release from 17 on.
///
/// If `SUBSUME_ROTATION` is set to a number, only one of them, by the test's name and that
/// number: what a change may break is tried somewhere, and with each number elsewhere.
///
/// # Panics
/// If there is none, since then no test can say anything.
pub fn jdks() -> &'static [Jdk] {
    let thread = thread::current();
    match (env::var_os("SUBSUME_ROTATION"), thread.name()) {
        (Some(_), Some(test)) if test != "main" => turn_of(test),
        _ => all(),
    }
}

/// The oldest of all JDKs that there are, for what is the same on each.
///
/// # Panics
/// As [`jdks`].
pub fn oldest() -> &'static Jdk {
    &all()[0]
}

/// The newest of them.
///
/// # Panics
/// As [`jdks`].
pub fn newest() -> &'static Jdk {
    &all()[all().len() - 1]
}

fn all() -> &'static [Jdk] {
    static FOUND: OnceLock<Vec<Jdk>> = OnceLock::new();
    FOUND.get_or_init(|| {
        let named = named_homes();
        let found = if named.is_empty() {
            by_release(usual_homes().iter().filter_map(|home| Jdk::with_compiler(home)))
        } else {
            by_release(named.iter().filter_map(|home| Jdk::runtime(home)))
        };
        assert!(!found.is_empty(), "no JDK of release {OLDEST} or later found; set SUBSUME_JDKS");
        for jdk in &found {
            eprintln!("testing on {jdk}");
        }
        found
    })
}

/// The JDK, of [`jdks`], of a test that does not depend on what differs between releases.
/// The tests take turns by their names, so that each release has its share of them. All
/// with `SUBSUME_EVERY_JDK` in the environment, or on a thread that has no test's name.
pub fn in_turn() -> &'static [Jdk] {
    let thread = thread::current();
    match thread.name() {
        Some(test) if test != "main" && env::var_os("SUBSUME_EVERY_JDK").is_none() => turn_of(test),
        _ => all(),
    }
}

/// The JDK of a test: the same in every run with the same rotation.
fn turn_of(test: &str) -> &'static [Jdk] {
    let turn = hashed(test) + number("SUBSUME_ROTATION", 0);
    let all = all();
    let at = usize::try_from(turn % all.len() as u64).expect("it is less than their number");
    std::slice::from_ref(&all[at])
}

/// The JDK that compiles what the tests need, and has the commands that runtimes
/// lack: the oldest of [`jdks`] with a compiler, so that class files run on all of
/// them, or else one that lies where JDKs usually lie.
///
/// # Panics
/// If there is none.
pub fn compiler() -> &'static Jdk {
    static FOUND: OnceLock<Jdk> = OnceLock::new();
    FOUND.get_or_init(|| {
        let tested = all().iter().find(|jdk| jdk.has_compiler()).cloned();
        let installed =
            || by_release(usual_homes().iter().filter_map(|home| Jdk::with_compiler(home)));
        tested
            .or_else(|| installed().into_iter().next())
            .expect("a JDK with a compiler is installed, or named in SUBSUME_JDKS or JAVA_HOME")
    })
}

/// One JDK for each release that the agent supports, oldest first.
fn by_release(jdks: impl Iterator<Item = Jdk>) -> Vec<Jdk> {
    let mut by_release = BTreeMap::new();
    for jdk in jdks.filter(|jdk| jdk.release >= OLDEST) {
        by_release.entry(jdk.release).or_insert(jdk);
    }
    by_release.into_values().collect()
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

//! The JDKs of this machine.

use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::{env, fs};

/// Oldest release that the agent supports.
const OLDEST: u32 = 17;

/// A JDK with a compiler, or a runtime without one.
#[derive(Debug)]
pub struct Jdk {
    /// Feature release, as 17.
    pub release: u32,
    home: PathBuf,
}

impl Jdk {
    /// One of its commands.
    pub fn command(&self, name: &str) -> PathBuf {
        self.home.join("bin").join(name)
    }

    fn at(home: &Path) -> Option<Self> {
        Self::runtime(home).filter(|jdk| jdk.release >= OLDEST && jdk.command("javac").exists())
    }

    /// A runtime image, such as `jlink` makes, in this folder.
    pub fn runtime(home: &Path) -> Option<Self> {
        let home = home.canonicalize().ok()?;
        let description = fs::read_to_string(home.join("release")).ok()?;
        let version = description.lines().find_map(|line| line.strip_prefix("JAVA_VERSION=\""))?;
        let release = version.split(['.', '"', '-', '+']).next()?.parse().ok()?;
        Some(Self { release, home })
    }
}

impl fmt::Display for Jdk {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "JDK {} in {}", self.release, self.home.display())
    }
}

/// The JDKs to test on, oldest first.
///
/// Panics if there is none, since then no test can say anything.
pub fn jdks() -> &'static [Jdk] {
    static FOUND: OnceLock<Vec<Jdk>> = OnceLock::new();
    FOUND.get_or_init(|| {
        let mut by_release = BTreeMap::new();
        for jdk in candidates().iter().filter_map(|home| Jdk::at(home)) {
            by_release.entry(jdk.release).or_insert(jdk);
        }
        let found: Vec<_> = by_release.into_values().collect();
        assert!(!found.is_empty(), "no JDK of release {OLDEST} or later found; set SUBSUME_JDKS");
        for jdk in &found {
            eprintln!("testing on {jdk}");
        }
        found
    })
}

fn candidates() -> Vec<PathBuf> {
    if let Some(named) = env::var_os("SUBSUME_JDKS") {
        return env::split_paths(&named).collect();
    }
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

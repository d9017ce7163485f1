//! The agent and the command, as users get them.

use std::env;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use crate::target;

/// Builds in the target folder of the running test.
#[derive(Debug)]
pub struct Artifacts {
    /// `libsubsume.so`, or the library that `SUBSUME_AGENT` names.
    pub agent: PathBuf,
    /// The `subsume` command.
    pub command: PathBuf,
}

/// Builds both, which does nothing if they are up to date, and says where they
/// are. They are built by the profile that `SUBSUME_PROFILE` names, or else by
/// the one that the running test was built by. If `SUBSUME_ARTIFACTS` names a folder,
/// they are there.
///
/// # Panics
/// If they do not build.
pub fn artifacts() -> &'static Artifacts {
    static BUILT: OnceLock<Artifacts> = OnceLock::new();
    BUILT.get_or_init(|| {
        let folder = build(&["subsume-agent", "subsume-analyzer"]);
        Artifacts {
            agent: env::var_os("SUBSUME_AGENT")
                .map_or_else(|| folder.join("libsubsume.so"), PathBuf::from),
            command: folder.join("subsume"),
        }
    })
}

/// The agent of `tests/witness`, built once.
///
/// # Panics
/// If it does not build.
pub fn witness_agent() -> &'static Path {
    static BUILT: OnceLock<PathBuf> = OnceLock::new();
    BUILT.get_or_init(|| build(&["witness-agent"]).join("libwitness_agent.so"))
}

/// The JVM's option that loads an agent. Ours has the compilers work as without it: tests are
/// short, and are to see code of C2.
pub fn agent_option(library: &Path, options: &str) -> OsString {
    let mut option = OsString::from("-agentpath:");
    option.push(library);
    option.push("=");
    option.push(options);
    if library.ends_with("libsubsume.so") && !options.contains("compilers=") {
        option.push(",compilers=both");
    }
    option
}

/// Builds packages and gives the folder with what came out.
fn build(packages: &[&str]) -> PathBuf {
    if let Some(folder) = env::var_os("SUBSUME_ARTIFACTS") {
        return folder.into();
    }
    // TARGET/PROFILE/deps/this-test
    let this = env::current_exe().expect("a running test has a path");
    let own = this.ancestors().nth(2).and_then(Path::file_name).and_then(|name| name.to_str());
    let folder = env::var("SUBSUME_PROFILE").unwrap_or_else(|_| own.unwrap_or("debug").to_owned());
    let profile = if folder == "debug" { "dev" } else { &folder };
    let built = Command::new(env!("CARGO"))
        .args(["build", "--quiet", "--profile", profile])
        .args(packages.iter().flat_map(|package| ["--package", package]))
        .arg("--target-dir")
        .arg(target())
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .status()
        .expect("cargo can be started");
    assert!(built.success(), "{packages:?} do not build");
    target().join(folder)
}

//! The agent and the command, as users get them.

use std::env;
use std::path::PathBuf;
use std::process::Command;
use std::sync::OnceLock;

/// Release builds in the target folder of the running test.
#[derive(Debug)]
pub struct Artifacts {
    /// `libsubsume.so`.
    pub agent: PathBuf,
    /// The `subsume` command.
    pub command: PathBuf,
}

/// Builds both, which does nothing if they are up to date, and says where they
/// are.
pub fn artifacts() -> &'static Artifacts {
    static BUILT: OnceLock<Artifacts> = OnceLock::new();
    BUILT.get_or_init(|| {
        // TARGET/PROFILE/deps/this-test
        let this = env::current_exe().expect("a running test has a path");
        let target = this.ancestors().nth(3).expect("cargo puts tests two folders deep");
        let built = Command::new(env!("CARGO"))
            .args(["build", "--quiet", "--release", "--package", "agent", "--package", "analyzer"])
            .arg("--target-dir")
            .arg(target)
            .current_dir(env!("CARGO_MANIFEST_DIR"))
            .status()
            .expect("cargo can be started");
        assert!(built.success(), "the agent and the command do not build");
        let release = target.join("release");
        Artifacts { agent: release.join("libsubsume.so"), command: release.join("subsume") }
    })
}

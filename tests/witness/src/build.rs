//! The two agents.

use std::env;
use std::path::PathBuf;
use std::process::Command;
use std::sync::OnceLock;

/// Release builds in the target folder of the running test.
#[derive(Debug)]
pub struct Built {
    /// The profiler's agent.
    pub profiler: PathBuf,
    /// The witness.
    pub witness: PathBuf,
    /// Where tests may keep files, emptied by nobody.
    pub folder: PathBuf,
}

/// Builds both, which does nothing if they are up to date, and says where they
/// are. `SUBSUME_AGENT` names another profiler library to be tested.
pub fn built() -> &'static Built {
    static BUILT: OnceLock<Built> = OnceLock::new();
    BUILT.get_or_init(|| {
        // TARGET/PROFILE/deps/this-test
        let this = env::current_exe().expect("a running test has a path");
        let target = this.ancestors().nth(3).expect("cargo puts tests two folders deep");
        let ours = env::var_os("SUBSUME_AGENT").is_none();
        let built = Command::new(env!("CARGO"))
            .args(["build", "--quiet", "--release", "--package", "witness-agent"])
            .args(if ours { &["--package", "agent"][..] } else { &[] })
            .arg("--target-dir")
            .arg(target)
            .current_dir(env!("CARGO_MANIFEST_DIR"))
            .status()
            .expect("cargo can be started");
        assert!(built.success(), "the agents do not build");
        let release = target.join("release");
        Built {
            profiler: env::var_os("SUBSUME_AGENT")
                .map_or_else(|| release.join("libsubsume.so"), PathBuf::from),
            witness: release.join("libwitness_agent.so"),
            folder: target.join("tmp").join("witness"),
        }
    })
}

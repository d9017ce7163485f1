//! A container with little memory: a control group with a limit.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use profile::Completeness;

use crate::limits::{assert_says_what_is_missing, assert_undisturbed};
use support::{artifacts, compiled, in_turn};

/// Enough for the JVM, but not for the JVM and all contexts.
const LIMIT: u64 = 160 << 20;
/// Two to the power of this are contexts, of 40 bytes at least.
const LEVELS: &str = "21";

/// A control group, removed when it is dropped.
struct Group(PathBuf);

impl Group {
    /// Needs the right to make one, in either version of control groups.
    fn create() -> io::Result<Self> {
        let name = format!("subsume-test-{}", std::process::id());
        let root = Path::new("/sys/fs/cgroup");
        let (parent, limit) = if root.join("memory").is_dir() {
            (root.join("memory"), "memory.limit_in_bytes")
        } else {
            (root.to_path_buf(), "memory.max")
        };
        let group = Self(parent.join(name));
        fs::create_dir(&group.0)?;
        fs::write(group.0.join(limit), LIMIT.to_string())?;
        // Where it is mounted as no control group, such a file has just been made.
        let told = fs::read_to_string(group.0.join(limit))?;
        if told.trim() != LIMIT.to_string() || !group.0.join("cgroup.procs").exists() {
            return Err(io::Error::other("no control group for memory"));
        }
        Ok(group)
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        // May not exist. If it stays, it holds no process and no memory.
        let _ = fs::remove_dir(&self.0);
    }
}

/// A file in memory; removed when it is dropped.
struct InMemory(PathBuf);

impl Drop for InMemory {
    fn drop(&mut self) {
        // May not exist.
        let _ = fs::remove_file(&self.0);
    }
}

#[test]
fn a_profile_in_memory_leaves_the_container_its_memory() {
    let group = match Group::create() {
        Ok(group) => group,
        Err(error) => {
            eprintln!("not tested: control groups cannot be made here ({error})");
            return;
        }
    };
    let file = InMemory(Path::new("/dev/shm").join(format!("{}.subsume", std::process::id())));
    for jdk in in_turn() {
        let run = |agent: Option<String>| -> Output {
            let mut command = Command::new("bash");
            let join = format!("echo $$ >{}/cgroup.procs && exec \"$@\"", group.0.display());
            command.args(["-c", &join, "-"]).arg(jdk.command("java"));
            command.args(["-Xmx32m", "-XX:+UseSerialGC"]).args(agent);
            command.arg("-cp").arg(compiled("main")).args(["ManyContexts", LEVELS]);
            command.env_remove("JAVA_TOOL_OPTIONS").stdin(Stdio::null());
            command.output().expect("bash can be started")
        };
        let what = format!("a container of {LIMIT} bytes on {jdk}");
        let plain = run(None);
        assert_eq!(plain.status.code(), Some(0), "{what}: {plain:?}");
        let library = artifacts().agent.display();
        let recorded = run(Some(format!("-agentpath:{library}=out={}", file.0.display())));
        let stderr = assert_undisturbed(&recorded, &plain, 1, &what);
        assert!(stderr.contains("lies in memory"), "{what}: {stderr}");
        let profile = assert_says_what_is_missing(&file.0, "lies in memory", &what);
        assert_eq!(profile.run.completeness, Completeness::Complete, "{what}");
    }
}

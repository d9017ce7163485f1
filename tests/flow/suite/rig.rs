//! Programs, compiled once, and recordings of them.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};
use std::{env, fs};

use profile::Profile;
use witness::{Jdk, built, jdks};

/// A program of a folder of `programs`, to be recorded.
#[derive(Debug)]
pub struct Recording<'a> {
    jdk: &'a Jdk,
    program: &'a str,
    agent: &'a str,
    jvm: &'a [&'a str],
}

/// What came of it.
#[derive(Debug)]
pub struct Recorded {
    /// Lines that the program printed.
    pub lines: Vec<String>,
    /// All that it printed, on both streams.
    pub output: String,
    /// The profile.
    pub profile: Profile,
}

impl<'a> Recording<'a> {
    /// With these options of the agent.
    pub fn new(jdk: &'a Jdk, program: &'a str, agent: &'a str) -> Self {
        Self { jdk, program, agent, jvm: &[] }
    }

    /// And these of the JVM.
    pub fn with(self, jvm: &'a [&'a str]) -> Self {
        Self { jvm, ..self }
    }

    /// Runs the program, which must end well, and reads its profile.
    pub fn run(&self) -> Recorded {
        self.record(|output| output.status.success() && is_quiet(output))
    }

    /// Runs the program, which must end by an exception, without the agent and
    /// with it. Gives what it printed without.
    pub fn run_to_failure(&self) -> (String, Recorded) {
        let plain = self.java(&[]);
        let is_as_expected = |output: &Output| output.status.code() == Some(1);
        assert!(is_as_expected(&plain), "{self:?}: {plain:?}");
        (printed(&plain), self.record(is_as_expected))
    }

    fn record(&self, is_as_expected: impl Fn(&Output) -> bool) -> Recorded {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let file = scratch().join(format!("{}-{number}.subsume", self.program));
        let agent = format!(
            "-agentpath:{}={},out={}",
            built().profiler.display(),
            self.agent,
            file.display()
        );
        let output = self.java(&[&agent]);
        assert!(is_as_expected(&output), "{self:?}: {}", printed(&output));
        let profile = profile::read_file(&file).unwrap_or_else(|error| panic!("{self:?}: {error}"));
        // Below the build's own folder it is of no harm if it stays.
        let _ = fs::remove_file(&file);
        Recorded { lines: lines(&output), output: printed(&output), profile }
    }

    fn java(&self, options: &[&str]) -> Output {
        Command::new(self.jdk.command("java"))
            .args(options)
            .args(self.jvm)
            .arg("-cp")
            .arg(compiled())
            .arg(self.program)
            // Options from outside would change what is compared.
            .env_remove("JAVA_TOOL_OPTIONS")
            .env_remove("JDK_JAVA_OPTIONS")
            .env_remove("_JAVA_OPTIONS")
            .output()
            .expect("the JDK's java can be started")
    }
}

/// True if nothing is on standard error but that the JVM's own options are old.
fn is_quiet(output: &Output) -> bool {
    let text = String::from_utf8_lossy(&output.stderr);
    text.lines().all(|line| line.contains("VM warning: Option") && line.contains("deprecated"))
}

/// Standard output and standard error, one behind the other.
fn printed(output: &Output) -> String {
    let [out, err] = [&output.stdout, &output.stderr].map(|text| String::from_utf8_lossy(text));
    format!("{out}{err}")
}

fn lines(output: &Output) -> Vec<String> {
    String::from_utf8_lossy(&output.stdout).lines().map(str::to_owned).collect()
}

fn scratch() -> &'static Path {
    static MADE: OnceLock<PathBuf> = OnceLock::new();
    MADE.get_or_init(|| {
        let folder =
            Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("flow-{}", std::process::id()));
        fs::create_dir_all(&folder).expect("the build's temporary folder can be written");
        folder
    })
}

/// The folder with all programs' classes.
fn compiled() -> &'static Path {
    static COMPILED: OnceLock<PathBuf> = OnceLock::new();
    COMPILED.get_or_init(|| {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        let out = scratch().join("classes");
        let sources = [
            "programs/arrays",
            "programs/costs",
            "programs/nulls",
            "programs/tags",
            "../../java-shim/src/api/subsume",
        ];
        let sources = sources.map(|folder| root.join(folder));
        let files = sources.iter().flat_map(|folder| {
            let files = fs::read_dir(folder).expect("the sources are part of the repository");
            files.map(|file| file.expect("a folder can be listed").path())
        });
        // The oldest JDK, so that the class files run on all of them.
        let output = Command::new(jdks()[0].command("javac"))
            .args(["--release", "17", "-g", "-nowarn", "-Xlint:-options", "-d"])
            .arg(&out)
            .args(files)
            .output()
            .expect("javac can be started");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        out
    })
}

//! Runs a program in a JVM, under one of the agents or none.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use std::{fs, thread};

use support::{Jdk, agent_option, artifacts, java, witness_agent};

/// What makes the class library do the same in every run, under any agent.
pub const REPEATABLE: &[&str] = &[
    // A young generation that the programs do not fill, so that no collection
    // clears weak tables.
    "-Xmx1500m",
    "-Xmn1g",
    "-XX:+UseSerialGC",
    // The same identity hash for all objects; otherwise the chains of hash tables
    // whose keys are classes depend on which thread asked first.
    "-XX:+UnlockExperimentalVMOptions",
    "-XX:hashCode=2",
    // The profiler's agent has the JVM do without the archive, too, so that both
    // initialise all classes from scratch.
    "-Xshare:off",
];

/// Nothing here takes a tenth of this; a program that does hangs.
const LIMIT: Duration = Duration::from_secs(300);

/// A program and how its JVM is started.
#[derive(Debug, Clone)]
pub struct Program<'a> {
    /// The JVM.
    pub jdk: &'a Jdk,
    /// Class with `main`.
    pub main_class: &'a str,
    /// Where the classes are.
    pub class_path: OsString,
    /// Options of the JVM, besides [`REPEATABLE`].
    pub options: Vec<String>,
    /// Arguments of the program.
    pub arguments: Vec<String>,
    /// Where it runs, and where files of the run go.
    pub folder: PathBuf,
}

/// How a run ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ended {
    /// Exit status; `None` if a signal ended the JVM.
    pub status: Option<i32>,
    /// Everything on standard output.
    pub stdout: String,
    /// Everything on standard error.
    pub stderr: String,
}

impl Program<'_> {
    /// Runs it without an agent.
    ///
    /// # Errors
    /// It does not start or does not end.
    pub fn plain(&self) -> Result<Ended, String> {
        self.run(&[], "plain")
    }

    /// Records it with these options, too; the profile goes to `profile`.
    ///
    /// # Errors
    /// It does not start or does not end.
    pub fn recorded(&self, profile: &Path, options: &str) -> Result<Ended, String> {
        let clock = agent_option(witness_agent(), "clock-only");
        let agent =
            agent_option(&artifacts().agent, &format!("out={}{options}", profile.display()));
        self.run(&[clock, agent], "recorded")
    }

    /// Has the witness watch it and write to `dump`, with the steps of these programs' classes.
    ///
    /// # Errors
    /// It does not start or does not end.
    pub fn watched(&self, dump: &Path, programs: &[&str]) -> Result<Ended, String> {
        let (main, programs) = (self.main_class, programs.join(":"));
        let options = format!("main={main},programs={programs},out={}", dump.display());
        // Nothing compiled could be stepped through anyway. With `-Xint` the JVM would
        // lack the property `sun.management.compiler`, and so another property could lie
        // at another place of its chain in the table of properties.
        let interpreted = "-XX:TieredStopAtLevel=0".into();
        self.run(&[interpreted, agent_option(witness_agent(), &options)], "watched")
    }

    fn run(&self, agents: &[OsString], name: &str) -> Result<Ended, String> {
        // Files instead of pipes, which a program could fill.
        let file = |kind: &str| self.folder.join(format!("{name}.{kind}"));
        let create = |path: &Path| {
            fs::File::create(path).map_err(|error| format!("{}: {error}", path.display()))
        };
        let (stdout, stderr) = (file("stdout"), file("stderr"));
        let mut child = java(self.jdk)
            .args(REPEATABLE)
            .args(&self.options)
            .args(agents)
            .arg("-cp")
            .arg(&self.class_path)
            .arg(self.main_class)
            .args(&self.arguments)
            .current_dir(&self.folder)
            .stdout(create(&stdout)?)
            .stderr(create(&stderr)?)
            .spawn()
            .map_err(|error| format!("java does not start: {error}"))?;
        let deadline = Instant::now() + LIMIT;
        let status = loop {
            match child.try_wait().map_err(|error| error.to_string())? {
                Some(status) => break status,
                None if Instant::now() < deadline => thread::sleep(Duration::from_millis(10)),
                None => {
                    // It may have ended just now.
                    let _ = child.kill();
                    return Err(format!("{} does not end ({name})", self.main_class));
                }
            }
        };
        let read = |path: &Path| {
            let bytes = fs::read(path).unwrap_or_default();
            String::from_utf8_lossy(&bytes).into_owned()
        };
        Ok(Ended { status: status.code(), stdout: read(&stdout), stderr: read(&stderr) })
    }
}

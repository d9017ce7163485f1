//! A JVM, started and waited for.

use std::ffi::{OsStr, OsString};
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use crate::programs::after_command;
use crate::{Jdk, agent_option, artifacts, compiled, java};

/// No program here takes a tenth of this; one that does hangs.
const LIMIT: Duration = Duration::from_secs(240);

/// How a JVM is started.
#[derive(Debug)]
pub struct Launch<'a> {
    jdk: &'a Jdk,
    options: Vec<OsString>,
    environment: Vec<(String, OsString)>,
    class_path: PathBuf,
    module: Option<(Option<PathBuf>, String)>,
    before: Option<Vec<OsString>>,
    main_class: &'a str,
    arguments: Vec<OsString>,
    folder: PathBuf,
}

/// What came of it.
#[derive(Debug, PartialEq, Eq)]
pub struct Run {
    /// Exit status; `None` if a signal ended the JVM.
    pub status: Option<i32>,
    /// Everything on standard output.
    pub stdout: String,
    /// Everything on standard error.
    pub stderr: String,
}

impl<'a> Launch<'a> {
    /// A program of the suite's folder `programs/main` in the working folder
    /// `folder`.
    pub fn new(jdk: &'a Jdk, main_class: &'a str, folder: &Path) -> Self {
        Self {
            jdk,
            options: Vec::new(),
            environment: Vec::new(),
            class_path: compiled("main"),
            module: None,
            before: None,
            main_class,
            arguments: Vec::new(),
            folder: folder.to_path_buf(),
        }
    }

    /// Another class path.
    pub fn class_path(mut self, class_path: PathBuf) -> Self {
        self.class_path = class_path;
        self
    }

    /// Takes the main class from a module, which lies in this modular jar or in
    /// the runtime image, instead of from the class path.
    pub fn module(mut self, jar: Option<PathBuf>, module: &str) -> Self {
        self.module = Some((jar, format!("{module}/{}", self.main_class)));
        self
    }

    /// Adds JVM options.
    pub fn options(mut self, options: &[&str]) -> Self {
        self.options.extend(options.iter().map(OsString::from));
        self
    }

    /// Sets a variable of the environment.
    pub fn environment(mut self, name: &str, value: impl Into<OsString>) -> Self {
        self.environment.push((name.to_owned(), value.into()));
        self
    }

    /// Loads the agent with these options.
    pub fn agent(mut self, options: &str) -> Self {
        self.options.push(agent_option(&artifacts().agent, options));
        self
    }

    /// Loads the agent and has it write to `profile`.
    pub fn profiled(self, profile: &Path) -> Self {
        self.agent(&format!("out={}", profile.display()))
    }

    /// Has the JVM run a command to its end before the program begins; `%p` in it stands
    /// for the JVM's process. The program comes from the class path.
    ///
    /// Agents may be loaded meanwhile: JVMs from JDK 21 on would warn of it.
    pub fn after(mut self, command: &[&OsStr]) -> Self {
        self.before = Some(command.iter().map(OsString::from).collect());
        self.options(&["-XX:+EnableDynamicAgentLoading"])
    }

    /// Brings the agent into the JVM by `subsume attach` before the program begins, to
    /// write to `profile`.
    pub fn attached(self, profile: &Path) -> Self {
        self.after(&attach(profile, None).iter().map(OsString::as_os_str).collect::<Vec<_>>())
    }

    /// Adds an argument of the program.
    pub fn argument(mut self, argument: impl Into<OsString>) -> Self {
        self.arguments.push(argument.into());
        self
    }

    /// Starts the JVM with its output piped and nothing to read.
    ///
    /// # Panics
    /// If the JDK has no `java`.
    pub fn start(&self) -> Child {
        self.start_with(Stdio::null())
    }

    /// Starts the JVM with its output piped and this to read.
    ///
    /// # Panics
    /// If the JDK has no `java`.
    pub fn start_with(&self, stdin: Stdio) -> Child {
        let mut command = java(self.jdk);
        command.args(&self.options);
        match (&self.before, &self.module) {
            (Some(before), _) => {
                command.arg("-cp").arg(after_command(&self.class_path)).arg("AfterCommand");
                command.arg(before.len().to_string()).args(before).arg(self.main_class)
            }
            (None, None) => command.arg("-cp").arg(&self.class_path).arg(self.main_class),
            (None, Some((Some(jar), main))) => command.arg("-p").arg(jar).arg("-m").arg(main),
            (None, Some((None, main))) => command.arg("-m").arg(main),
        };
        command
            .args(&self.arguments)
            .current_dir(&self.folder)
            .envs(self.environment.iter().map(|(name, value)| (name, value)))
            .stdin(stdin)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the JDK's java can be started")
    }

    /// Runs the program to its end.
    ///
    /// # Panics
    /// If it does not end.
    pub fn run(&self) -> Run {
        let mut child = self.start();
        let stdout = collect(child.stdout.take().expect("standard output is piped"));
        let stderr = collect(child.stderr.take().expect("standard error is piped"));
        let deadline = Instant::now() + LIMIT;
        let status = loop {
            match child.try_wait().expect("a started child can be waited for") {
                Some(status) => break status,
                None if Instant::now() < deadline => thread::sleep(Duration::from_millis(10)),
                None => {
                    child.kill().expect("a running child can be killed");
                    panic!("{self:?} does not end");
                }
            }
        };
        let text =
            |reader: thread::JoinHandle<String>| reader.join().expect("reading cannot panic");
        Run { status: status.code(), stdout: text(stdout), stderr: text(stderr) }
    }

    /// Runs the program, which must end well and print nothing to standard
    /// error.
    ///
    /// # Panics
    /// If it does otherwise.
    pub fn run_well(&self) -> String {
        let run = self.run();
        assert_eq!((run.status, run.stderr.as_str()), (Some(0), ""), "{self:?}: {}", run.stdout);
        run.stdout
    }
}

/// The command that brings the agent into the JVM that runs it, with these options.
pub fn attach(profile: &Path, options: Option<&str>) -> Vec<OsString> {
    let artifacts = artifacts();
    let mut command = vec![artifacts.command.clone().into_os_string()];
    command.extend(["attach", "%p", "-o"].map(OsString::from));
    command.push(profile.into());
    command.push("--agent".into());
    command.push(artifacts.agent.clone().into_os_string());
    if let Some(options) = options {
        command.extend(["--options", options].map(OsString::from));
    }
    command
}

/// Reads a pipe while the program runs, since it stops when the pipe is full.
fn collect(mut pipe: impl Read + Send + 'static) -> thread::JoinHandle<String> {
    thread::spawn(move || {
        let mut bytes = Vec::new();
        // A pipe that breaks has given what it had.
        let _ = pipe.read_to_end(&mut bytes);
        String::from_utf8_lossy(&bytes).into_owned()
    })
}

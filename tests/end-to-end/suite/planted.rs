//! Files of others at names that everybody knows: in `/tmp`, anybody can be there first.
//!
//! Only root can become other users, so elsewhere these tests say that they were not made.

use std::fs::{self, Permissions};
use std::io::{BufRead, BufReader, ErrorKind, Read};
use std::os::unix::fs::{PermissionsExt, chown};
use std::os::unix::net::UnixListener;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, Output, Stdio};

use support::{Jdk, artifacts, compiled, in_turn, java};

/// Who runs programs.
const ALICE: u32 = 44_001;
/// Who plants things.
const BOB: u32 = 44_002;

/// True for root; others are told that the test is left out.
fn is_root() -> bool {
    let is_root = fs::read_to_string("/proc/self/status")
        .is_ok_and(|status| status.lines().any(|line| line.starts_with("Uid:\t0\t0\t")));
    if !is_root {
        eprintln!("not tested: only root can become another user");
    }
    is_root
}

/// What both users can read: the agent, the command and the program. Removed at the end.
struct Shared(PathBuf);

impl Shared {
    fn new(name: &str) -> Self {
        // The build's folder may be closed to others.
        let folder = std::env::temp_dir().join(format!("planted-{name}-{}", std::process::id()));
        fs::create_dir(&folder).expect("a new name");
        let shared = Self(folder);
        shared.open(&shared.0, 0o777);
        shared.copy(&artifacts().command, "subsume");
        shared.copy(&artifacts().agent, "libsubsume.so");
        shared.copy(&compiled("main").join("Serves.class"), "Serves.class");
        shared
    }

    fn copy(&self, from: &Path, name: &str) {
        let to = self.0.join(name);
        fs::copy(from, &to).expect("there is room");
        self.open(&to, 0o755);
    }

    fn open(&self, path: &Path, mode: u32) {
        fs::set_permissions(path, Permissions::from_mode(mode)).expect("it is ours");
    }

    /// A command of a user that ends in time; a JVM whose thread for requests is blocked
    /// does not answer.
    fn run_as(&self, user: u32, program: &Path, arguments: &[&str]) -> Output {
        let mut command = Command::new("timeout");
        command.arg("40").arg(program).args(arguments).current_dir(&self.0);
        command.uid(user).gid(user).stdin(Stdio::null());
        command.output().expect("timeout can be started")
    }

    fn subsume(&self, user: u32, arguments: &[&str]) -> Output {
        self.run_as(user, &self.0.join("subsume"), arguments)
    }
}

impl Drop for Shared {
    fn drop(&mut self) {
        // What stays is small.
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// A file that is removed at the end.
struct Planted(PathBuf);

impl Planted {
    fn at(path: String) -> Self {
        Self(PathBuf::from(path))
    }

    fn pipe(path: String) -> Self {
        let planted = Self::at(path);
        let made = Command::new("mkfifo").args(["-m", "666"]).arg(&planted.0).status();
        assert!(made.expect("mkfifo can be started").success());
        planted.give()
    }

    fn file(path: String) -> Self {
        let planted = Self::at(path);
        fs::write(&planted.0, "").expect("a new file");
        planted.give()
    }

    fn give(self) -> Self {
        chown(&self.0, Some(BOB), Some(BOB)).expect("root gives files away");
        self
    }
}

impl Drop for Planted {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.0);
    }
}

/// A program of Alice's that runs until it is told to end.
struct Program {
    child: Child,
    stdout: BufReader<ChildStdout>,
    end: PathBuf,
}

impl Program {
    fn start(jdk: &Jdk, shared: &Shared, options: &[String]) -> Self {
        let end = shared.0.join("end");
        let mut command = java(jdk);
        command.arg("-XX:+EnableDynamicAgentLoading").args(options).arg("-cp").arg(&shared.0);
        command.arg("Serves").arg(&end).arg("unobserved");
        command.uid(ALICE).gid(ALICE).current_dir(&shared.0);
        let mut child = command
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the JDK's java can be started");
        let mut stdout = BufReader::new(child.stdout.take().expect("it is piped"));
        let mut line = String::new();
        stdout.read_line(&mut line).expect("the program prints a line");
        assert_eq!(line, "ready\n");
        Self { child, stdout, end }
    }

    fn id(&self) -> String {
        self.child.id().to_string()
    }

    /// Has it end well; what it printed on both outputs.
    fn end(mut self) -> [String; 2] {
        fs::write(&self.end, "").expect("the folder is ours");
        let mut printed = String::new();
        self.stdout.read_to_string(&mut printed).expect("the program prints UTF-8");
        let status = self.child.wait().expect("a started child can be waited for");
        let mut told = String::new();
        let mut stderr = self.child.stderr.take().expect("it is piped");
        stderr.read_to_string(&mut told).expect("the program prints UTF-8");
        fs::remove_file(&self.end).expect("it was made above");
        assert_eq!(status.code(), Some(0));
        [printed, told]
    }
}

impl Drop for Program {
    /// Of a test that failed nothing is left.
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn refused(output: &Output, words: &str) {
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!((output.status.code(), output.stdout.len()), (Some(2), 0), "{stderr}");
    assert!(stderr.contains(words) && stderr.lines().count() == 1, "{stderr}");
}

/// The thread that serves requests would wait until somebody reads the pipe.
#[test]
fn a_pipe_for_the_refusal_blocks_nobody() {
    if !is_root() {
        return;
    }
    for jdk in in_turn() {
        let shared = Shared::new("pipe");
        let program = Program::start(jdk, &shared, &[]);
        let id = &program.id();
        let _pipe = Planted::pipe(format!("/tmp/.subsume-{id}.refusal"));
        let attach = ["attach", id, "-o", "x.subsume", "--timeout", "20", "--options", "bogus=1"];
        refused(
            &shared.subsume(ALICE, &attach),
            "takes no agent, and says why on its standard error",
        );
        let version = shared.run_as(ALICE, &jdk.command("jcmd"), &[id, "VM.version"]);
        assert!(version.status.success(), "{jdk}: {version:?}");
        let [printed, told] = program.end();
        assert_eq!(printed, "threads []\n", "{jdk}");
        assert!(told.contains("unknown option 'bogus'"), "{jdk}: {told}");
        assert!(told.contains("is not its own") && told.lines().count() == 1, "{jdk}: {told}");
    }
}

/// To the signal, HotSpot would print all stacks into the program's output.
#[test]
fn a_trigger_of_another_user_causes_no_thread_dump() {
    if !is_root() {
        return;
    }
    for jdk in in_turn() {
        let shared = Shared::new("trigger");
        let program = Program::start(jdk, &shared, &[]);
        let id = &program.id();
        let planted = Planted::file(format!("/tmp/.attach_pid{id}"));
        for user in [ALICE, 0] {
            let attach = ["attach", id, "-o", "x.subsume", "--timeout", "5"];
            refused(&shared.subsume(user, &attach), "is not its own");
        }
        assert!(planted.0.exists(), "it is not ours to remove");
        drop(planted);
        // Where HotSpot looks first.
        let planted = Planted::file(format!("{}/.attach_pid{id}", shared.0.display()));
        let attach = ["attach", id, "-o", "x.subsume", "--timeout", "5"];
        refused(&shared.subsume(ALICE, &attach), "is not its own");
        drop(planted);
        assert_eq!(program.end(), ["threads []\n", ""], "{jdk}");

        let library = shared.0.join("libsubsume.so");
        let agent = format!("-agentpath:{}=start=off,out=y.subsume", library.display());
        let program = Program::start(jdk, &shared, &[agent]);
        let id = &program.id();
        let _planted = Planted::file(format!("/tmp/.attach_pid{id}"));
        for command in ["start", "stop"] {
            let output = shared.subsume(ALICE, &[command, id]);
            assert!(output.status.success(), "{jdk}: {output:?}");
        }
        assert_eq!(program.end(), ["threads []\n", ""], "{jdk}");
    }
}

/// The user who owns the socket would get the request of root's command, and answer it.
#[test]
fn a_socket_of_another_user_is_not_taken_for_the_jvms() {
    if !is_root() {
        return;
    }
    for jdk in in_turn() {
        let shared = Shared::new("socket");
        let program = Program::start(jdk, &shared, &[]);
        let id = &program.id();
        let planted = Planted::at(format!("/tmp/.java_pid{id}"));
        let listener = UnixListener::bind(&planted.0).expect("a new name");
        listener.set_nonblocking(true).expect("a socket can be made so");
        let attach = ["attach", id, "-o", "x.subsume", "--timeout", "5"];
        // As another user makes it, as one makes it who gives it away, and as another
        // process of the same user does.
        for (owner, mode) in [(BOB, 0o666), (BOB, 0o600), (ALICE, 0o666), (ALICE, 0o600)] {
            chown(&planted.0, Some(owner), Some(owner)).expect("root gives files away");
            shared.open(&planted.0, mode);
            for user in [ALICE, 0] {
                refused(&shared.subsume(user, &attach), "is not its own");
            }
            let asked = listener.accept();
            let is_connected = (owner, mode) == (ALICE, 0o600);
            match asked {
                // The kernel tells who it is only then.
                Ok((mut connection, _)) if is_connected => {
                    let mut received = Vec::new();
                    connection.read_to_end(&mut received).expect("it is closed");
                    assert!(received.is_empty(), "{jdk}: {received:?}");
                }
                asked => {
                    let error = asked.expect_err("nobody may ask it");
                    assert_eq!(error.kind(), ErrorKind::WouldBlock, "{jdk}: {owner} {mode:o}");
                }
            }
        }
        drop(planted);
        let attach = ["attach", id, "-o", "x.subsume", "--for", "1s"];
        let output = shared.subsume(0, &attach);
        assert!(output.status.success(), "{jdk}: {output:?}");
        assert_eq!(program.end(), ["threads []\n", ""], "{jdk}");
    }
}

/// Control goes on under the next name, which the command finds.
#[test]
fn what_is_planted_for_the_agents_socket_is_left_alone() {
    if !is_root() {
        return;
    }
    for jdk in in_turn() {
        let shared = Shared::new("control");
        let program = Program::start(jdk, &shared, &[]);
        let id = &program.id();
        let _pipe = Planted::pipe(format!("/tmp/.subsume-{id}"));
        let _file = Planted::file(format!("/tmp/.subsume-{id}.2"));
        for arguments in [
            &["attach", id, "-o", "x.subsume"][..],
            &["dump", "-o", "y.subsume", id],
            &["detach", id],
        ] {
            let output = shared.subsume(ALICE, arguments);
            assert!(output.status.success(), "{jdk} {arguments:?}: {output:?}");
        }
        assert_eq!(program.end(), ["threads []\n", ""], "{jdk}");
    }
}

/// Root's command brings the agent into the JVM of another user, and hears why not.
#[test]
fn root_attaches_to_others() {
    if !is_root() {
        return;
    }
    for jdk in in_turn() {
        let shared = Shared::new("root");
        let program = Program::start(jdk, &shared, &[]);
        let id = &program.id();
        let attach = ["attach", id, "-o", "x.subsume", "--options", "bogus=1"];
        refused(&shared.subsume(0, &attach), "unknown option 'bogus'");
        let output = shared.subsume(0, &["attach", id, "-o", "x.subsume", "--for", "1s"]);
        assert!(output.status.success(), "{jdk}: {output:?}");
        assert_eq!(program.end(), ["threads []\n", ""], "{jdk}");
        assert!(profile::read_file(&shared.0.join("x.subsume")).is_ok(), "{jdk}");
    }
}

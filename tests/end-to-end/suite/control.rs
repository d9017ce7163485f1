//! `subsume start`, `stop` and `dump`, and whom they refuse.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::os::unix::fs::{FileTypeExt, PermissionsExt};
use std::os::unix::net::UnixStream;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output};
use std::thread::sleep;
use std::time::{Duration, Instant};

use support::{Jdk, Launch, Scratch, artifacts, in_turn, methods, oldest};

/// Runs the command, which must not take longer than this.
fn command(arguments: &[&str]) -> Output {
    let started = Instant::now();
    let output = Command::new(&artifacts().command).args(arguments).output();
    assert!(started.elapsed() < Duration::from_secs(50), "{arguments:?} takes too long");
    output.expect("the built command can be started")
}

/// What the command prints when it succeeds.
fn said(arguments: &[&str]) -> String {
    let output = command(arguments);
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{arguments:?}: {stderr}");
    assert_eq!(stderr, "", "{arguments:?}");
    String::from_utf8(output.stdout).expect("the command prints UTF-8")
}

/// Checks that the command fails with one line, and returns it.
fn refused(output: &Output) -> String {
    let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!((output.status.code(), output.stdout.len()), (Some(2), 0), "{stderr}");
    assert_eq!(stderr.lines().count(), 1, "{stderr}");
    assert!(stderr.starts_with("subsume: "), "{stderr}");
    stderr
}

/// A JVM that works until it is told to end.
struct Server {
    child: Child,
    stdout: BufReader<std::process::ChildStdout>,
    end: PathBuf,
}

impl Server {
    fn start(jdk: &Jdk, scratch: &Scratch, options: &str) -> Self {
        let launch = Launch::new(jdk, "Serves", scratch.path());
        Self::launched(launch.agent(options).argument(scratch.file("end")), scratch)
    }

    /// One that does not list its threads, with an option of the JVM.
    fn unobserved(jdk: &Jdk, scratch: &Scratch, options: &str, flag: &str) -> Self {
        let launch = Launch::new(jdk, "Serves", scratch.path()).options(&[flag]).agent(options);
        Self::launched(launch.argument(scratch.file("end")).argument("unobserved"), scratch)
    }

    fn launched(launch: Launch, scratch: &Scratch) -> Self {
        let end = scratch.file("end");
        let mut child = launch.start();
        let mut stdout = BufReader::new(child.stdout.take().expect("standard output is piped"));
        let mut line = String::new();
        stdout.read_line(&mut line).expect("the program prints a line");
        assert_eq!(line, "ready\n");
        Self { child, stdout, end }
    }

    fn id(&self) -> String {
        self.child.id().to_string()
    }

    fn socket(&self) -> PathBuf {
        PathBuf::from(format!("/tmp/.subsume-{}", self.child.id()))
    }

    /// Has the program end, and returns what it printed.
    fn end(mut self) -> String {
        fs::write(&self.end, "").expect("the folder of the test can be written");
        let mut rest = String::new();
        self.stdout.read_to_string(&mut rest).expect("the program prints UTF-8");
        let output = self.child.wait_with_output().expect("a started child can be waited for");
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!((output.status.code(), stderr.as_ref()), (Some(0), ""));
        rest
    }
}

fn steps(profile: &Path) -> u64 {
    let methods = methods(profile, "Serves", &[]);
    methods.get("count").map_or(0, |count| count["calls"].as_u64().expect("calls is a number"))
}

#[test]
fn starts_stops_and_dumps_a_running_program() {
    for jdk in in_turn() {
        let scratch = Scratch::new("control");
        let profile = scratch.file("whole.subsume");
        let dump = |name: &str, id: &str| {
            let file = scratch.file(name);
            let path = file.to_str().expect("test folders have plain names").to_owned();
            assert_eq!(
                said(&["dump", "-o", &path, id]),
                format!("process {id}: written to {path}\n")
            );
            file
        };
        let server = Server::start(jdk, &scratch, &format!("start=off,out={}", profile.display()));
        let id = &server.id();
        let to = format!("to {}", profile.display());
        assert_eq!(said(&["stop", id]), format!("process {id}: recording was off already\n"));
        assert_eq!(steps(&dump("empty.subsume", id)), 0, "{jdk}");
        assert_eq!(said(&["start", id]), format!("process {id}: recording is on, {to}\n"));
        assert_eq!(said(&["start", id]), format!("process {id}: recording was on already, {to}\n"));
        sleep(Duration::from_millis(300));
        let first = dump("first.subsume", id);
        sleep(Duration::from_millis(100));
        assert_eq!(said(&["stop", id]), format!("process {id}: recording is off\n"));
        let second = dump("second.subsume", id);
        sleep(Duration::from_millis(200));
        // Nothing is added while recording is off.
        let third = dump("third.subsume", id);
        assert!(steps(&first) > 0, "{jdk}");
        assert!(steps(&second) > steps(&first), "{jdk}");
        assert_eq!(steps(&third), steps(&second), "{jdk}");
        said(&["start", id]);
        sleep(Duration::from_millis(200));
        said(&["stop", id]);
        let mode = fs::metadata(&first).expect("it was written").permissions().mode();
        assert_eq!(mode & 0o777, 0o600);

        let socket = server.socket();
        assert!(socket.exists());
        let printed = server.end();
        assert!(!socket.exists(), "the socket outlives the JVM on {jdk}");
        // No thread of ours is ever the JVM's; what switches is.
        let is_program = |name: &str| !name.contains("ubsume");
        assert!(printed.contains("main") && printed.contains("Attach Listener"), "{printed}");
        assert!(is_program(&printed), "{printed}");
        assert!(steps(&profile) > steps(&third), "{jdk}");
        let recorded = profile::read_file(&profile).expect("the profile was written");
        assert!(recorded.threads.iter().all(|thread| is_program(&thread.name)), "{jdk}");
        assert!(recorded.validate().is_ok(), "{jdk}");
        // Who reads it must not take the end of the run for the end of the recording.
        let (stopped, end) = (recorded.run.stopped_millis, recorded.run.end_millis);
        assert!(0 < stopped && stopped < end, "{jdk}: {stopped} and {end}");
        let running = profile::read_file(&first).expect("the dump was written").run;
        assert_eq!(running.stopped_millis, 0, "{jdk}");
    }
}

/// How much is known of data flow: edges of copies, nodes of costs.
fn flows(profile: &Path) -> usize {
    let profile = profile::read_file(profile).expect("the dump is a profile");
    assert!(profile.validate().is_ok());
    let copies = profile.dataflow.copies.map_or(0, |copies| copies.edges.len());
    copies + profile.dataflow.costs.map_or(0, |costs| costs.nodes.len())
}

#[test]
fn starts_and_stops_following_data() {
    for jdk in in_turn() {
        for mode in ["copies", "costs", "calls+costs"] {
            let scratch = Scratch::new("control-of-flows");
            let profile = scratch.file("whole.subsume");
            let options = format!("mode={mode},start=off,out={}", profile.display());
            let server = Server::start(jdk, &scratch, &options);
            let id = &server.id();
            let dump = |name: &str| {
                let file = scratch.file(name);
                said(&["dump", "-o", file.to_str().expect("test folders have plain names"), id]);
                file
            };
            let what = format!("mode={mode} on {jdk}");
            let has_calls = mode != "costs";
            let steps = |file| if has_calls { steps(file) } else { 0 };
            assert_eq!(flows(&dump("before.subsume")), 0, "{what}");
            said(&["start", id]);
            sleep(Duration::from_millis(300));
            said(&["stop", id]);
            let first = dump("first.subsume");
            assert!(flows(&first) > 0, "{what}");
            assert_eq!(steps(&first) > 0, has_calls, "{what}");
            sleep(Duration::from_millis(100));
            // Nothing is added while recording is off.
            let second = dump("second.subsume");
            assert_eq!((flows(&second), steps(&second)), (flows(&first), steps(&first)), "{what}");
            said(&["start", id]);
            sleep(Duration::from_millis(200));
            server.end();
            assert!(flows(&profile) >= flows(&first), "{what}");
            assert_eq!(steps(&profile) > steps(&first), has_calls, "{what}");
        }
    }
}

/// Compiles an agent for whose JVM no classes can be listed until a file exists.
fn agent_that_lists_no_classes(scratch: &Scratch) -> PathBuf {
    let library = scratch.file("liblists_no_classes.so");
    // The header of JVM TI is the same in every JDK.
    let include = oldest().command("java").with_file_name("../include");
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("programs/native/lists_no_classes.c");
    let compiled = Command::new("cc")
        .args(["-shared", "-fPIC", "-o"])
        .arg(&library)
        .arg("-I")
        .arg(&include)
        .arg("-I")
        .arg(include.join("linux"))
        .arg(source)
        .output()
        .expect("a C compiler can be started");
    assert!(compiled.status.success(), "{}", String::from_utf8_lossy(&compiled.stderr));
    library
}

#[test]
fn a_start_that_fails_leaves_recording_off() {
    for jdk in in_turn() {
        let scratch = Scratch::new("failing-start");
        let profile = scratch.file("whole.subsume");
        let other = agent_that_lists_no_classes(&scratch);
        let can_list = scratch.file("can-list");
        let other = format!("-agentpath:{}={}", other.display(), can_list.display());
        let options = format!("start=off,out={}", profile.display());
        let server = Server::unobserved(jdk, &scratch, &options, &other);
        let id = &server.id();
        let said_no = refused(&command(&["start", id]));
        assert!(said_no.contains("does not let classes be rewritten now"), "{jdk}: {said_no}");
        assert_eq!(said(&["stop", id]), format!("process {id}: recording was off already\n"));
        fs::write(&can_list, "").expect("the folder of the test can be written");
        let to = format!("to {}", profile.display());
        assert_eq!(said(&["start", id]), format!("process {id}: recording is on, {to}\n"));
        sleep(Duration::from_millis(200));
        said(&["stop", id]);
        server.end();
        assert!(steps(&profile) > 0, "{jdk}");
    }
}

/// Without the JVM's thread for requests the agent's own attaches itself. A
/// program that lists its threads could meet it half made, so this one does not.
#[test]
fn switches_where_nobody_may_attach() {
    for jdk in in_turn() {
        for flag in ["-XX:+DisableAttachMechanism", "-Xrs"] {
            let scratch = Scratch::new("detached");
            let profile = scratch.file("whole.subsume");
            let options = format!("start=off,out={}", profile.display());
            let server = Server::unobserved(jdk, &scratch, &options, flag);
            let to = format!("to {}", profile.display());
            let id = &server.id();
            assert_eq!(said(&["start", id]), format!("process {id}: recording is on, {to}\n"));
            sleep(Duration::from_millis(200));
            assert_eq!(said(&["stop", id]), format!("process {id}: recording is off\n"));
            assert_eq!(server.end(), "threads []\n", "{jdk} {flag}");
            assert!(steps(&profile) > 0, "{jdk} {flag}");
            let recorded = profile::read_file(&profile).expect("the profile was written");
            assert!(recorded.threads.iter().all(|thread| thread.name != "subsume"), "{jdk}");
        }
    }
}

/// A request of somebody else finds the thread at work that switches.
#[test]
fn others_may_ask_the_jvm_meanwhile() {
    for jdk in in_turn() {
        let scratch = Scratch::new("others");
        let server = Server::start(jdk, &scratch, "out=whole.subsume");
        let id = server.id();
        let jcmd = |arguments: &[&str]| {
            let output = Command::new(jdk.command("jcmd")).arg(&id).args(arguments).output();
            let output = output.expect("jcmd can be started");
            assert!(output.status.success(), "{jdk}: {output:?}");
            String::from_utf8_lossy(&output.stdout).into_owned()
        };
        std::thread::scope(|scope| {
            let asking = scope.spawn(|| {
                for _ in 0..3 {
                    assert!(jcmd(&["Thread.print"]).contains("worker"));
                    jcmd(&["JVMTI.data_dump"]);
                }
            });
            for _ in 0..3 {
                said(&["stop", &id]);
                said(&["start", &id]);
            }
            asking.join().expect("jcmd works");
        });
        let printed = server.end();
        assert!(printed.contains("Attach Listener") && !printed.contains("ubsume"), "{printed}");
        let recorded = profile::read_file(&scratch.file("whole.subsume")).expect("it was written");
        assert!(recorded.validate().is_ok(), "{jdk}");
    }
}

#[test]
fn dumps_of_a_program_at_work_are_whole() {
    for jdk in in_turn() {
        let scratch = Scratch::new("dumps");
        let server = Server::start(jdk, &scratch, "out=whole.subsume");
        let mut least = 0;
        for number in 0..10 {
            let file = scratch.file(&format!("{number}.subsume"));
            said(&["dump", "-o", file.to_str().expect("plain"), &server.id()]);
            let profile = profile::read_file(&file).expect("the dump is a profile");
            assert!(profile.validate().is_ok(), "{jdk}");
            assert_eq!(profile.run.contexts_lost, 0, "{jdk}");
            let now = steps(&file);
            assert!(now >= least, "{now} steps after {least} on {jdk}");
            least = now;
        }
        server.end();
        assert!(steps(&scratch.file("whole.subsume")) >= least, "{jdk}");
    }
}

#[test]
fn a_dump_replaces_nothing_but_files() {
    let jdk = oldest();
    let scratch = Scratch::new("replaces");
    let (pipe, target, link) = (scratch.file("pipe"), scratch.file("target"), scratch.file("link"));
    let made = Command::new("mkfifo").arg(&pipe).status();
    assert!(made.expect("mkfifo can be started").success());
    fs::write(&target, "data").expect("a new file");
    std::os::unix::fs::symlink("target", &link).expect("a new name");
    let server = Server::start(jdk, &scratch, "out=whole.subsume");
    for (path, words) in [(&pipe, "a pipe"), (&link, "a symbolic link")] {
        let path = path.to_str().expect("plain");
        let line = refused(&command(&["dump", "-o", path, &server.id()]));
        assert!(line.contains(path) && line.contains(words), "{line}");
    }
    said(&["dump", "-o", target.to_str().expect("plain"), &server.id()]);
    assert!(profile::read_file(&target).is_ok(), "a file is replaced");
    server.end();
    assert!(!pipe.is_file() && link.is_symlink());
}

#[test]
fn who_cannot_be_commanded_is_said_in_one_line() {
    let jdk = oldest();
    let scratch = Scratch::new("refusals");
    // A process that is not a JVM.
    let me = std::process::id().to_string();
    assert!(refused(&command(&["start", &me])).contains("is not a JVM"));
    // One that has ended, by a kill, with its socket left behind.
    let mut server = Server::start(jdk, &scratch, "out=killed.subsume");
    let (id, socket) = (server.id(), server.socket());
    server.child.kill().expect("a running child can be killed");
    // Until somebody asks for its exit code, it is in the system's list of processes.
    let killed = Instant::now();
    let state = || fs::read_to_string(format!("/proc/{id}/stat")).expect("it is in the list");
    while !state().contains(") Z ") {
        assert!(killed.elapsed() < Duration::from_secs(20), "a killed process goes on");
    }
    assert!(socket.exists(), "a killed JVM cannot clean up");
    assert!(refused(&command(&["start", &id])).contains("there is no process"));
    server.child.wait().expect("a killed child can be waited for");
    for name in ["start", "stop", "dump"] {
        assert!(refused(&command(&[name, &id])).contains("there is no process"));
    }
    assert!(!socket.exists(), "what it left behind is removed");
    // One that does not listen.
    let server = Server::start(jdk, &scratch, "control=off,out=deaf.subsume");
    assert!(!server.socket().exists());
    assert!(refused(&command(&["stop", &server.id()])).contains("control=off"));
    server.end();
    // One that has a foreign socket in its place.
    fs::remove_file(scratch.file("end")).expect("the program was told to end");
    let server = Server::start(jdk, &scratch, "control=off,out=foreign.subsume");
    let socket = server.socket();
    let foreign = std::os::unix::net::UnixListener::bind(&socket).expect("/tmp can be written");
    assert!(refused(&command(&["stop", &server.id()])).contains("is not its own"));
    drop(foreign);
    fs::remove_file(&socket).expect("it was made above");
    server.end();
    // Nonsense.
    for arguments in [&["start"][..], &["start", "x"], &["dump", "-o", "/", "1"], &["stop", "-1"]] {
        refused(&command(arguments));
    }
}

#[test]
fn a_stopped_program_is_not_waited_for() {
    let jdk = oldest();
    let scratch = Scratch::new("stopped");
    let server = Server::start(jdk, &scratch, "out=stopped.subsume");
    let id = server.id();
    let signal = |name: &str| {
        let sent = Command::new("kill").args([name, &id]).status();
        assert!(sent.expect("kill can be started").success());
    };
    signal("-STOP");
    let started = Instant::now();
    let line = refused(&command(&["dump", "--timeout", "1", &id]));
    assert!(started.elapsed() < Duration::from_secs(20));
    assert!(line.contains("does not advance within 1 s"), "{line}");
    signal("-CONT");
    said(&["stop", &id]);
    server.end();
    let left = fs::read_dir(scratch.path()).expect("it is there").flatten();
    let partial = left.filter(|file| file.file_name().to_string_lossy().ends_with(".tmp")).count();
    assert_eq!(partial, 0);
}

#[test]
fn a_silent_connection_blocks_nobody() {
    let jdk = oldest();
    let scratch = Scratch::new("silent");
    let server = Server::start(jdk, &scratch, "out=silent.subsume");
    let metadata = fs::symlink_metadata(server.socket()).expect("the agent has made it");
    assert!(metadata.file_type().is_socket());
    assert_eq!(metadata.permissions().mode() & 0o777, 0o600);
    let _silent = UnixStream::connect(server.socket()).expect("same user");
    let mut talker = UnixStream::connect(server.socket()).expect("same user");
    talker.write_all(&[b'x'; 500]).expect("there is a buffer");
    said(&["stop", &server.id()]);
    server.end();
}

/// Only root can become another user.
#[test]
fn other_users_are_refused() {
    let is_root = fs::metadata("/proc/self").is_ok_and(|me| {
        use std::os::unix::fs::MetadataExt;
        me.uid() == 0
    });
    if !is_root {
        eprintln!("not tested: only root can become another user");
        return;
    }
    let nobody = 65_534;
    let jdk = oldest();
    let scratch = Scratch::new("users");
    let server = Server::start(jdk, &scratch, "out=mine.subsume");
    // The build's folder may be closed to others.
    let command = std::env::temp_dir().join(format!("subsume-{}", std::process::id()));
    fs::copy(&artifacts().command, &command).expect("the temporary folder can be written");
    fs::set_permissions(&command, fs::Permissions::from_mode(0o755)).expect("it is ours");
    let mut as_nobody = Command::new(&command);
    as_nobody.args(["stop", &server.id()]).uid(nobody).gid(nobody).current_dir("/");
    let output = as_nobody.output().expect("the command can be started");
    assert!(refused(&output).contains("belongs to another user"));
    fs::remove_file(&command).expect("it was made above");
    // Even if the socket could be opened, the agent would close it unheard.
    fs::set_permissions(server.socket(), fs::Permissions::from_mode(0o666)).expect("it is ours");
    let script = "import socket, sys\n\
        s = socket.socket(socket.AF_UNIX); s.settimeout(20); s.connect(sys.argv[1])\n\
        s.sendall(b'stop\\n'); sys.stdout.write('got %d' % len(s.recv(100)))";
    let mut as_nobody = Command::new("python3");
    as_nobody.args(["-c", script]).arg(server.socket()).uid(nobody).gid(nobody).current_dir("/");
    if let Ok(output) = as_nobody.output() {
        // An end of the stream, or a reset, but never a byte.
        let stdout = String::from_utf8_lossy(&output.stdout);
        assert!(stdout.is_empty() || stdout == "got 0", "{output:?}");
    }
    assert!(said(&["stop", &server.id()]).contains("recording is off"));
    server.end();
}

//! Containers: JVMs that all have process id 1 and share a folder, `/tmp` among others.

use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, Output, Stdio};

use support::{
    Jdk, Scratch, agent_option, api_classes, artifacts, compiled, in_turn, java, methods,
};

/// Whether namespaces can be made here; others are told that the test is left out.
fn has_namespaces() -> bool {
    let tried = unshared().arg("true").output();
    let can = tried.is_ok_and(|output| output.status.success());
    if !can {
        eprintln!("not tested: this user cannot make namespaces of processes");
    }
    can
}

/// What is added is executed as process 1 of a namespace.
fn unshared() -> Command {
    let mut command = Command::new("unshare");
    command.args(["--pid", "--fork", "--mount-proc", "--kill-child"]);
    command
}

/// A JVM in a namespace of its own, in a folder.
fn jvm(jdk: &Jdk, folder: &Path, options: &str) -> Command {
    let java = java(jdk);
    let mut command = unshared();
    for (name, value) in java.get_envs() {
        match value {
            Some(value) => command.env(name, value),
            None => command.env_remove(name),
        };
    }
    command.arg(java.get_program()).args(java.get_args()).arg("-Xmx64m");
    // JVMs of one process id share the file for it, which JDK 25 prints a warning about.
    command.arg("-XX:-UsePerfData");
    let class_path = std::env::join_paths([compiled("main"), api_classes()]);
    command.arg(agent_option(&artifacts().agent, options)).arg("-cp");
    command.arg(class_path.expect("the build's folder has no colon in its name"));
    command.current_dir(folder).stdin(Stdio::null());
    command
}

fn run(mut command: Command) -> [String; 2] {
    let output = command.output().expect("unshare was there before");
    let text = |bytes| String::from_utf8_lossy(bytes).into_owned();
    let printed = [text(&output.stdout), text(&output.stderr)];
    assert_eq!(output.status.code(), Some(0), "{printed:?}");
    printed
}

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).expect("it is there").flatten();
    let mut names: Vec<_> =
        entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

/// What was left of a dump in the midst of which a container was killed.
#[test]
fn dumps_go_on_after_a_container_was_killed() {
    if !has_namespaces() {
        return;
    }
    for jdk in in_turn() {
        let scratch = Scratch::new("left-over");
        fs::write(scratch.file("dump.subsume.1.tmp"), "half").expect("a new file");
        for _ in 0..2 {
            let mut java = jvm(jdk, scratch.path(), "out=whole.subsume");
            java.args(["UsesProfile", "dump.subsume"]);
            let [printed, told] = run(java);
            assert!(printed.contains("dump nowhere falsefalse\ndump true\n"), "{jdk}: {printed}");
            // Of the dump to nowhere.
            assert_eq!(told.lines().count(), 1, "{jdk}: {told}");
            assert!(told.contains("/no/such/folder/x.subsume: No such file"), "{jdk}: {told}");
            assert!(profile::read_file(&scratch.file("dump.subsume")).is_ok(), "{jdk}");
        }
        let left = ["dump.subsume", "dump.subsume.1.tmp", "emoji-\u{1f600}.subsume"];
        assert_eq!(names(scratch.path()), [&left[..], &["whole.subsume"]].concat(), "{jdk}");
    }
}

/// A run for which no file is named gets one that no other run has.
#[test]
fn runs_without_a_name_overwrite_nobody() {
    if !has_namespaces() {
        return;
    }
    for jdk in in_turn() {
        let scratch = Scratch::new("no-name");
        for time in 0..3 {
            let mut java = jvm(jdk, scratch.path(), "");
            java.arg("HandCounted");
            let [_, told] = run(java);
            assert_eq!(told.lines().count(), usize::from(time > 0), "{jdk}: {told}");
        }
        // At one time, too.
        let at_once: Vec<Child> = (0..2)
            .map(|_| {
                let mut java = jvm(jdk, scratch.path(), "");
                java.arg("HandCounted").stdout(Stdio::null()).stderr(Stdio::null());
                java.spawn().expect("unshare was there before")
            })
            .collect();
        for mut child in at_once {
            assert!(child.wait().expect("it can be waited for").success(), "{jdk}");
        }
        let expected = ["1-2", "1-3", "1-4", "1-5", "1"].map(|stem| format!("{stem}.subsume"));
        assert_eq!(names(scratch.path()), expected, "{jdk}");
        for name in expected {
            let read = profile::read_file(&scratch.file(&name)).expect("each has its own");
            assert_eq!(read.run.completeness, profile::Completeness::Complete, "{jdk}: {name}");
        }
    }
}

/// A program in a namespace that works until it is told to end.
struct Server {
    child: Child,
    stdout: BufReader<ChildStdout>,
    end: PathBuf,
}

impl Server {
    fn start(jdk: &Jdk, scratch: &Scratch, name: &str) -> Self {
        let end = scratch.file(&format!("{name}.end"));
        let options = format!("start=off,out={name}.subsume");
        let mut java = jvm(jdk, scratch.path(), &options);
        java.arg("Serves").arg(&end).arg("unobserved");
        let java = java.stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = java.spawn().expect("unshare was there before");
        let mut stdout = BufReader::new(child.stdout.take().expect("it is piped"));
        let mut line = String::new();
        stdout.read_line(&mut line).expect("the program prints a line");
        assert_eq!(line, "ready\n");
        Self { child, stdout, end }
    }

    /// Its id outside: the only child of `unshare`.
    fn id(&self) -> String {
        let unshare = self.child.id();
        let children = fs::read_to_string(format!("/proc/{unshare}/task/{unshare}/children"));
        children.expect("Linux tells it").trim().to_owned()
    }

    fn end(mut self) {
        fs::write(&self.end, "").expect("the folder of the test can be written");
        let mut rest = String::new();
        self.stdout.read_to_string(&mut rest).expect("the program prints UTF-8");
        let status = self.child.wait().expect("it can be waited for");
        let mut told = String::new();
        let mut stderr = self.child.stderr.take().expect("it is piped");
        stderr.read_to_string(&mut told).expect("the program prints UTF-8");
        assert_eq!((status.code(), told.as_str()), (Some(0), ""));
    }
}

impl Drop for Server {
    /// Of a test that failed nothing is left; the JVM ends with `unshare`.
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn command(arguments: &[&str]) -> Output {
    let output = Command::new(&artifacts().command).args(arguments).output();
    output.expect("the built command can be started")
}

fn said(arguments: &[&str]) -> String {
    let output = command(arguments);
    assert!(output.status.success(), "{arguments:?}: {output:?}");
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// All of them are process 1, so their sockets would have one name.
#[test]
fn each_of_several_containers_takes_commands() {
    if !has_namespaces() {
        return;
    }
    for jdk in in_turn() {
        let scratch = Scratch::new("shared-tmp");
        let [first, second] = ["first", "second"].map(|name| Server::start(jdk, &scratch, name));
        let dump = |server: &Server, name: &str| {
            let file = scratch.file(name);
            said(&[
                "dump",
                "-o",
                file.to_str().expect("test folders have plain names"),
                &server.id(),
            ]);
            methods(&file, "Serves", &[]).contains_key("step")
        };
        // Each does what it is told, and the other one does not.
        assert!(said(&["start", &first.id()]).contains("first.subsume"), "{jdk}");
        std::thread::sleep(std::time::Duration::from_millis(200));
        assert!(dump(&first, "a") && !dump(&second, "b"), "{jdk}");
        assert!(said(&["start", &second.id()]).contains("second.subsume"), "{jdk}");
        // The end of one is none of the other's business, nor is a third one.
        let third = Server::start(jdk, &scratch, "third");
        first.end();
        said(&["stop", &second.id()]);
        said(&["start", &third.id()]);
        // Here there is no process of the number that one has in its container.
        let unused = "4194304";
        let live = std::os::unix::net::UnixListener::bind(format!("/tmp/.subsume-{unused}"));
        let output = command(&["start", unused]);
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert!(stderr.contains("there is no process"), "{stderr}");
        if live.is_ok() {
            let path = PathBuf::from(format!("/tmp/.subsume-{unused}"));
            assert!(path.exists(), "somebody listens there");
            drop(live);
            command(&["start", unused]);
            assert!(!path.exists(), "nobody does any more");
        }
        said(&["stop", &second.id()]);
        second.end();
        third.end();
    }
}

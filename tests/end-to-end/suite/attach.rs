//! `subsume attach` and `detach`: JVMs that were started without the agent.

use std::collections::BTreeMap;
use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, Output, Stdio};
use std::thread::sleep;
use std::time::Duration;

use support::{
    Jdk, Launch, Scratch, artifacts, contexts, fetched, jdks, methods, oldest, rules_programs,
};

/// Programs whose counts depend on nothing but their code.
const PROGRAMS: [&str; 24] = [
    "ArrayCopies",
    "Arrays",
    "Boxing",
    "Bridges",
    "Builders",
    "Calls",
    "Clones",
    "Concatenations",
    "ConstructorChains",
    "Duplicates",
    "Enums",
    "Exceptions",
    "FailingConstructors",
    "Fields",
    "HashedAgain",
    "Inheritance",
    "Initialisers",
    "InnerClasses",
    "InheritedStatics",
    "JdkCollections",
    "ListForItsSize",
    "LongsAndDoubles",
    "ManyArguments",
    "Merges",
];

fn command(arguments: &[&str]) -> Output {
    let mut command = Command::new(&artifacts().command);
    command.args(arguments).env("SUBSUME_AGENT", &artifacts().agent);
    command.output().expect("the built command can be started")
}

pub(crate) fn said(arguments: &[&str]) -> String {
    let output = command(arguments);
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{arguments:?}: {stderr}");
    assert_eq!(stderr, "", "{arguments:?}");
    String::from_utf8(output.stdout).expect("the command prints UTF-8")
}

fn refused(arguments: &[&str]) -> String {
    let output = command(arguments);
    let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!((output.status.code(), output.stdout.len()), (Some(2), 0), "{stderr}");
    assert_eq!(stderr.lines().count(), 1, "{stderr}");
    stderr
}

/// A JVM that says when it is ready.
pub(crate) struct Program {
    child: Child,
    stdout: BufReader<ChildStdout>,
}

impl Program {
    /// Started without the agent, unless the launch says otherwise. JVMs from JDK 21 on
    /// warn of agents that are loaded later, unless they were asked for.
    pub(crate) fn start(launch: Launch) -> Self {
        let launch = launch.options(&["-XX:+EnableDynamicAgentLoading"]);
        let mut child = launch.start();
        let stdout = BufReader::new(child.stdout.take().expect("standard output is piped"));
        let mut program = Self { child, stdout };
        assert_eq!(program.until("ready"), "");
        program
    }

    /// What it prints before this line.
    pub(crate) fn until(&mut self, last: &str) -> String {
        let mut printed = String::new();
        loop {
            let mut line = String::new();
            let read = self.stdout.read_line(&mut line).expect("the program prints UTF-8");
            assert!(read > 0, "the program ended, and printed {printed}");
            if line.trim_end() == last {
                return printed;
            }
            printed += &line;
        }
    }

    pub(crate) fn id(&self) -> String {
        self.child.id().to_string()
    }

    /// Waits for its end, which must be as it would be alone; the rest of its output.
    pub(crate) fn end(mut self) -> String {
        let mut rest = String::new();
        self.stdout.read_to_string(&mut rest).expect("the program prints UTF-8");
        let mut said = String::new();
        let mut stderr = self.child.stderr.take().expect("standard error is piped");
        stderr.read_to_string(&mut said).expect("the program prints UTF-8");
        let status = self.child.wait().expect("a started child can be waited for");
        assert_eq!((status.code(), &*said), (Some(0), ""));
        rest
    }
}

impl Drop for Program {
    /// Of a test that failed nothing is left.
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

pub(crate) fn text(path: &Path) -> &str {
    path.to_str().expect("test folders have plain names")
}

/// Runs the programs twice, the second time while something is recorded: `begin` and
/// `end` are told the process. What they printed then.
fn run_later(
    launch: Launch,
    scratch: &Scratch,
    begin: impl Fn(&str),
    end: impl Fn(&str),
) -> String {
    let (go, stop) = (scratch.file("go"), scratch.file("stop"));
    for file in [&go, &stop] {
        // Left from the run before, or not there.
        let _ = fs::remove_file(file);
    }
    let mut launch =
        launch.class_path(both_class_paths()).argument(go.clone()).argument(stop.clone());
    for program in PROGRAMS {
        launch = launch.argument(program);
    }
    let mut program = Program::start(launch);
    let id = program.id();
    begin(&id);
    fs::write(&go, "").expect("the folder of the test can be written");
    let printed = program.until("worked");
    end(&id);
    fs::write(&stop, "").expect("the folder of the test can be written");
    assert_eq!(program.end(), "ends\n");
    printed
}

fn both_class_paths() -> PathBuf {
    let mut both = support::compiled("main").into_os_string();
    both.push(":");
    both.push(rules_programs());
    PathBuf::from(both)
}

/// What does not depend on the code alone, and is used by no program itself. Where the JDK
/// looks up what it links calls by: rewritten classes link theirs again, and how long it looks
/// depends on identity hashes and on a random number of the JVM. And how a soft reference is
/// read depends on when memory was collected last.
const VARIES: [&str; 4] = [
    "java.util.concurrent.ConcurrentHashMap.",
    "java.util.ImmutableCollections$",
    "jdk.internal.util.ReferencedKey",
    "java.lang.ref.SoftReference.get",
];

/// Counts of the contexts below each program's `main`, by path from there on, without the
/// frames of hidden classes and what these would have counted for others.
fn below_mains(profile: &Path, metric: &str) -> BTreeMap<String, u64> {
    let mut below = BTreeMap::new();
    for (path, count) in contexts(profile, metric) {
        let frames: Vec<&str> = path.split(';').collect();
        let is_main = |frame: &&str| {
            PROGRAMS.iter().any(|program| frame.starts_with(&format!("{program}.main")))
        };
        let Some(main) = frames.iter().position(is_main) else { continue };
        let is_hidden = |frame: &&str| frame.contains("$$Lambda");
        let varies = |frame: &str| VARIES.iter().any(|class| frame.starts_with(class));
        let of_hidden = match frames[main..] {
            [.., above, "java.lang.Object.<init>"] => is_hidden(&above),
            [.., last] => is_hidden(&last),
            [] => false,
        };
        if of_hidden || frames.iter().any(|frame| varies(frame)) {
            continue;
        }
        let own: Vec<&str> =
            frames[main..].iter().copied().filter(|frame| !is_hidden(frame)).collect();
        *below.entry(own.join(";")).or_default() += count;
    }
    below
}

/// Bytes of addresses that a process has taken.
fn addresses(id: &str) -> u64 {
    let status = fs::read_to_string(format!("/proc/{id}/status")).expect("the program runs");
    let size = status.lines().find_map(|line| line.strip_prefix("VmSize:"));
    let kilobytes = size.and_then(|size| size.trim().strip_suffix(" kB")).expect("Linux tells");
    kilobytes.trim().parse::<u64>().expect("a number") * 1024
}

#[test]
fn a_failing_attach_keeps_no_addresses() {
    for jdk in support::in_turn() {
        let scratch = Scratch::new("failing-attach");
        let (go, stop) = (scratch.file("go"), scratch.file("stop"));
        let launch = Launch::new(jdk, "WorksLater", scratch.path());
        let mut program = Program::start(
            launch.argument(go.clone()).argument(stop.clone()).argument("HandCounted"),
        );
        let id = program.id();
        let nowhere = scratch.file("nowhere/x.subsume");
        let failing = || drop(refused(&["attach", &id, "-o", text(&nowhere)]));
        failing();
        let before = addresses(&id);
        for _ in 0..3 {
            failing();
        }
        // One reserves some 30 GB.
        let grown = addresses(&id).saturating_sub(before);
        assert!(grown < 1 << 34, "{jdk}: {grown} bytes");
        for file in [go, stop] {
            fs::write(file, "").expect("the folder of the test can be written");
        }
        program.until("worked");
        program.end();
    }
}

#[test]
fn counts_below_a_method_are_those_of_an_agent_from_the_start() {
    for jdk in jdks() {
        let scratch = Scratch::new("attach-counts");
        let profile = |name: &str| scratch.file(name);
        let (late, early) = (profile("late.subsume"), profile("early.subsume"));
        // With the agent there is no archive of classes that were initialised before.
        let plain = Launch::new(jdk, "WorksLater", scratch.path()).options(&["-Xshare:off"]);
        let printed = run_later(
            plain,
            &scratch,
            |id| drop(said(&["attach", id, "-o", text(&late)])),
            |id| drop(said(&["detach", id])),
        );
        let options = format!("start=off,out={}", scratch.file("live.subsume").display());
        let with_agent = Launch::new(jdk, "WorksLater", scratch.path()).agent(&options);
        let expected = run_later(
            with_agent,
            &scratch,
            |id| drop(said(&["start", id])),
            |id| drop(said(&["dump", "-o", text(&early), id])),
        );
        assert_eq!(printed, expected, "{jdk}");
        for metric in ["calls", "bytecodes", "allocations", "moved"] {
            let (late, early) = (below_mains(&late, metric), below_mains(&early, metric));
            assert!(metric == "moved" || late.len() > 150, "{jdk}: {} contexts", late.len());
            let differ: Vec<_> = early
                .iter()
                .filter(|(path, count)| late.get(*path) != Some(count))
                .map(|(path, count)| format!("{path}: {count}, attached {:?}", late.get(path)))
                .collect();
            assert!(
                differ.is_empty(),
                "{jdk}, {metric}: {} differ\n{}",
                differ.len(),
                differ.join("\n")
            );
            assert_eq!(late.len(), early.len(), "{jdk}, {metric}");
        }
        let read = profile::read_file(&late).expect("the profile was written");
        assert!(read.validate().is_ok() && read.run.is_attached, "{jdk}");
    }
}

fn steps(profile: &Path) -> u64 {
    let methods = methods(profile, "Serves", &[]);
    methods.get("count").map_or(0, |count| count["calls"].as_u64().expect("calls is a number"))
}

pub(crate) fn serves(jdk: &Jdk, scratch: &Scratch) -> Program {
    let launch = Launch::new(jdk, "Serves", scratch.path());
    Program::start(launch.argument(scratch.file("end")))
}

#[test]
fn comes_and_goes_again_and_again() {
    for jdk in jdks() {
        let scratch = Scratch::new("attach-again");
        let program = serves(jdk, &scratch);
        let id = &program.id();
        let mut counts = Vec::new();
        for time in 0..20 {
            let profile = scratch.file(&format!("{time}.subsume"));
            let to = text(&profile);
            // The first one is the longest, so that what comes later would be seen to be
            // added to it.
            let pause = if time == 0 { 2000 } else { 100 };
            let on = said(&["attach", id, "-o", to]);
            assert_eq!(on, format!("process {id}: recording is on, to {to}\n"));
            sleep(Duration::from_millis(pause));
            let off = said(&["detach", id]);
            let words = format!("process {id}: written to {to}; the program runs without probes\n");
            assert_eq!(off, words);
            let read = profile::read_file(&profile).expect("the profile was written");
            assert!(read.validate().is_ok(), "{jdk}");
            counts.push(steps(&profile));
        }
        assert!(counts.iter().all(|&steps| steps > 0), "{jdk}: {counts:?}");
        assert!(counts[19] < counts[0] / 2, "{jdk}: {counts:?}");
        for [command, says] in [
            ["detach", "nothing is recorded: the agent was detached"],
            ["start", "use subsume attach"],
        ] {
            let words = refused(&[command, id]);
            assert!(words.contains(says), "{words}");
        }
        let again =
            refused(&["attach", id, "-o", text(&scratch.file("x")), "--options", "lines=on"]);
        assert!(again.contains("without options; leave out --options"), "{again}");
        fs::write(scratch.file("end"), "").expect("the folder of the test can be written");
        let printed = program.end();
        // No thread of ours is ever the JVM's.
        assert!(printed.contains("main") && !printed.contains("ubsume"), "{printed}");
    }
}

/// What the JVM answers to `jcmd`, which comes the same way as `subsume attach`.
pub(crate) fn jcmd(jdk: &Jdk, id: &str, request: &str) -> String {
    let output = Command::new(jdk.command("jcmd")).args([id, request]).output();
    let output = output.expect("jcmd can be started");
    assert!(output.status.success(), "{jdk}: {output:?}");
    String::from_utf8_lossy(&output.stdout).into_owned()
}

#[test]
fn starts_stops_and_dumps_while_attached() {
    for jdk in jdks() {
        let scratch = Scratch::new("attach-control");
        let program = serves(jdk, &scratch);
        let id = &program.id();
        let (profile, dump) = (scratch.file("p.subsume"), scratch.file("d.subsume"));
        let steps_by_now = || {
            said(&["dump", "-o", text(&dump), id]);
            let read = profile::read_file(&dump).expect("the dump is a profile");
            assert!(read.validate().is_ok() && read.run.is_attached, "{jdk}");
            steps(&dump)
        };
        said(&["attach", id, "-o", text(&profile)]);
        sleep(Duration::from_millis(200));
        let first = steps_by_now();
        assert!(first > 0, "{jdk}");
        sleep(Duration::from_millis(200));
        assert!(steps_by_now() > first, "{jdk}");
        assert_eq!(said(&["stop", id]), format!("process {id}: recording is off\n"));
        assert_eq!(said(&["stop", id]), format!("process {id}: recording was off already\n"));
        let stopped = steps_by_now();
        sleep(Duration::from_millis(200));
        assert_eq!(steps_by_now(), stopped, "{jdk}");
        let on = said(&["start", id]);
        assert_eq!(on, format!("process {id}: recording is on, to {}\n", profile.display()));
        sleep(Duration::from_millis(200));
        said(&["detach", id]);
        assert!(steps(&profile) > stopped, "{jdk}");
        fs::write(scratch.file("end"), "").expect("the folder of the test can be written");
        program.end();
    }
}

/// Requests of somebody else come while classes get their probes and lose them.
#[test]
fn others_may_ask_while_the_agent_comes_and_goes() {
    for jdk in jdks() {
        let scratch = Scratch::new("attach-others");
        let program = serves(jdk, &scratch);
        let id = &program.id();
        let profile = scratch.file("p.subsume");
        std::thread::scope(|scope| {
            let asking = scope.spawn(|| {
                for _ in 0..3 {
                    assert!(jcmd(jdk, id, "Thread.print").contains("worker"));
                    jcmd(jdk, id, "JVMTI.data_dump");
                }
            });
            for _ in 0..3 {
                said(&["attach", id, "-o", text(&profile)]);
                said(&["detach", id]);
            }
            asking.join().expect("jcmd works");
        });
        fs::write(scratch.file("end"), "").expect("the folder of the test can be written");
        let printed = program.end();
        assert!(!printed.contains("ubsume"), "{jdk}: {printed}");
        let read = profile::read_file(&profile).expect("the profile was written");
        assert!(read.validate().is_ok(), "{jdk}");
    }
}

#[test]
fn the_end_of_the_program_ends_the_recording() {
    let jdk = oldest();
    let scratch = Scratch::new("attach-end");
    let program = serves(jdk, &scratch);
    let profile = scratch.file("p.subsume");
    said(&["attach", &program.id(), "-o", text(&profile)]);
    assert!(refused(&["attach", &program.id(), "-o", "x.subsume"]).contains("is on already"));
    sleep(Duration::from_millis(200));
    fs::write(scratch.file("end"), "").expect("the folder of the test can be written");
    program.end();
    assert!(steps(&profile) > 0);
    let read = profile::read_file(&profile).expect("the profile was written");
    assert_eq!(read.run.completeness, profile::Completeness::Complete);
}

#[test]
fn records_for_a_time() {
    let jdk = oldest();
    let scratch = Scratch::new("attach-for");
    let program = serves(jdk, &scratch);
    let profile = scratch.file("p.subsume");
    let lines = said(&["attach", &program.id(), "-o", text(&profile), "--for", "1s"]);
    let next = format!("Recorded in {0}\nNext:\n    subsume summary {0}\n", text(&profile));
    assert!(lines.contains(&next) && lines.contains("bytecodes"), "{lines}");
    assert!(steps(&profile) > 0);
    fs::write(scratch.file("end"), "").expect("the folder of the test can be written");
    program.end();
}

/// Starts an attach that ends by itself after a time.
fn attach_for(id: &str, profile: &Path, time: &str) -> Child {
    let mut command = Command::new(&artifacts().command);
    command.args(["attach", id, "-o", text(profile), "--for", time]);
    command.env("SUBSUME_AGENT", &artifacts().agent);
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let child = command.spawn().expect("the built command can be started");
    // The file is there before anything is recorded.
    while !profile.exists() {
        sleep(Duration::from_millis(10));
    }
    child
}

#[test]
fn a_time_ends_its_own_recording_only() {
    let jdk = oldest();
    let scratch = Scratch::new("attach-for-own");
    let program = serves(jdk, &scratch);
    let id = &program.id();
    let [first, second] = ["a", "b"].map(|name| scratch.file(&format!("{name}.subsume")));
    // Long enough for the second recording to begin on a machine with other work.
    let timed = attach_for(id, &first, "12s");
    // Until it is recorded, too.
    while !command(&["detach", id]).status.success() {
        sleep(Duration::from_millis(50));
    }
    said(&["attach", id, "-o", text(&second)]);
    let timed = timed.wait_with_output().expect("it can be waited for");
    let stderr = String::from_utf8_lossy(&timed.stderr);
    assert_eq!(timed.status.code(), Some(2), "{stderr}");
    let words = format!("that recording has ended; one to {} is on", second.display());
    assert!(stderr.contains(&words), "{stderr}");
    said(&["detach", id]);
    assert!(steps(&second) > 0);
    let words = refused(&["dump", "-o", text(&scratch.file("d.subsume")), id]);
    assert!(words.contains("nothing is recorded"), "{words}");
    fs::write(scratch.file("end"), "").expect("the folder of the test can be written");
    program.end();
}

#[test]
fn who_records_for_a_time_is_told_of_the_end_of_the_program() {
    let jdk = oldest();
    let scratch = Scratch::new("attach-for-end");
    let program = serves(jdk, &scratch);
    let profile = scratch.file("p.subsume");
    let mut timed = attach_for(&program.id(), &profile, "60s");
    let mut lines = BufReader::new(timed.stdout.take().expect("standard output is piped"));
    lines.read_line(&mut String::new()).expect("the command prints UTF-8");
    fs::write(scratch.file("end"), "").expect("the folder of the test can be written");
    program.end();
    let mut rest = String::new();
    lines.read_to_string(&mut rest).expect("the command prints UTF-8");
    assert!(timed.wait().expect("it can be waited for").success(), "{rest}");
    assert!(rest.contains("has ended; ") && rest.contains("p.subsume has"), "{rest}");
    assert!(steps(&profile) > 0);
}

/// A loader that is asked for the runtime class and has none must not end the program.
#[test]
fn classes_whose_loader_does_not_know_the_runtime_class_stay_plain() {
    for jdk in jdks() {
        let scratch = Scratch::new("attach-strict");
        let launch = Launch::new(jdk, "AsksStrictLoaders", scratch.path());
        let program = Program::start(launch.argument(scratch.file("end")));
        let profile = scratch.file("p.subsume");
        said(&["attach", &program.id(), "-o", text(&profile), "--for", "1s"]);
        fs::write(scratch.file("end"), "").expect("the folder of the test can be written");
        assert_eq!(program.end(), "worked\n", "{jdk}");
        let read = profile::read_file(&profile).expect("the profile was written");
        let listed = read.skipped.iter().any(|skipped| {
            skipped.class == "AsksStrictLoaders$Worker" && skipped.reason.contains("its loader")
        });
        assert!(listed, "{jdk}: {:?}", read.skipped);
        assert!(methods(&profile, "AsksStrictLoaders", &[]).contains_key("worker"), "{jdk}");
    }
}

/// Under `-Xcheck:jni` the JVM tells the program's output of local references that pile up.
#[test]
fn local_references_do_not_pile_up() {
    const CLASSES: &str = "6000";
    for jdk in support::in_turn() {
        let scratch = Scratch::new("local-references");
        let end = scratch.file("end");
        let launch = || {
            let launch = Launch::new(jdk, "ManyClasses", scratch.path()).options(&["-Xcheck:jni"]);
            launch.argument(end.clone()).argument(CLASSES)
        };
        let late = Program::start(launch());
        let profile = scratch.file("late.subsume");
        said(&["attach", &late.id(), "-o", text(&profile)]);
        said(&["detach", &late.id()]);
        let options = format!("start=off,out={}", scratch.file("early.subsume").display());
        let early = Program::start(launch().agent(&options));
        said(&["start", &early.id()]);
        said(&["stop", &early.id()]);
        let profile = scratch.file("from-start.subsume");
        let from_start = Program::start(launch().profiled(&profile));
        said(&["stop", &from_start.id()]);
        fs::write(&end, "").expect("the folder of the test can be written");
        for program in [late, early, from_start] {
            assert_eq!(program.end(), format!("{CLASSES}\n"), "{jdk}");
        }
    }
}

#[test]
fn refusals_are_one_line() {
    let jdk = oldest();
    let scratch = Scratch::new("attach-refusals");
    let program = serves(jdk, &scratch);
    let id = &program.id();
    let words = refused(&["attach", id, "-o", "/no/such/folder/p.subsume"]);
    assert!(words.contains("there is no folder /no/such/folder"), "{words}");
    let words = refused(&["attach", id, "-o", "p.subsume", "--options", "mode=copies"]);
    assert!(words.contains("only mode=calls"), "{words}");
    let words = refused(&["attach", id, "-o", "p.subsume", "--options", "lines=maybe"]);
    assert!(words.contains("unknown value 'maybe' for lines"), "{words}");
    let words = refused(&["attach", id, "-o", "p.subsume", "--options", "compilers=c1"]);
    assert!(words.contains("for JVMs that start with the agent"), "{words}");
    let words = refused(&["attach", id, "-o", "a,b.subsume"]);
    assert!(words.contains("no path with a comma"), "{words}");
    let words = refused(&["attach", id, "--agent", "/no/such/libsubsume.so"]);
    assert!(words.contains("there is no such library"), "{words}");
    let words = refused(&["detach", id]);
    assert!(words.contains("has no agent") && words.contains("subsume attach"), "{words}");
    // After these refusals, the right options still work.
    said(&["attach", id, "-o", text(&scratch.file("p.subsume"))]);
    fs::write(scratch.file("end"), "").expect("the folder of the test can be written");
    program.end();

    let mut sleeps = Command::new("sleep").arg("60").spawn().expect("sleep is everywhere");
    let words = refused(&["attach", &sleeps.id().to_string(), "-o", "p.subsume"]);
    assert!(words.contains("is not a JVM"), "{words}");
    assert!(sleeps.try_wait().expect("it can be asked").is_none(), "it was ended");
    sleeps.kill().and_then(|()| sleeps.wait()).expect("it can be ended");

    let _ = fs::remove_file(scratch.file("end"));
    let options = format!("start=off,out={}", scratch.file("own.subsume").display());
    let launch = Launch::new(jdk, "Serves", scratch.path()).agent(&options);
    let program = Program::start(launch.argument(scratch.file("end")));
    let words = refused(&["attach", &program.id(), "-o", text(&scratch.file("q.subsume"))]);
    assert!(words.contains("was there from the start of the JVM"), "{words}");
    fs::write(scratch.file("end"), "").expect("the folder of the test can be written");
    program.end();
    let forbids = "-XX:+DisableAttachMechanism";
    let _ = fs::remove_file(scratch.file("end"));
    let launch = Launch::new(jdk, "Serves", scratch.path()).options(&[forbids]);
    let program = Program::start(launch.argument(scratch.file("end")).argument("unobserved"));
    let words = refused(&["attach", &program.id(), "--timeout", "2"]);
    assert!(words.contains("does not let others attach"), "{words}");
    fs::write(scratch.file("end"), "").expect("the folder of the test can be written");
    let mut rest = program;
    let mut printed = String::new();
    rest.stdout.read_to_string(&mut printed).expect("the program prints UTF-8");
    assert!(!printed.contains("thread dump"), "{printed}");
    assert!(rest.child.wait().expect("it can be waited for").success());
}

/// A Spring Boot server with two clients, while the agent comes and goes.
#[test]
fn a_server_from_maven_answers_as_always() {
    let class_path = PathBuf::from(fetched::drivers_class_path("server"));
    for jdk in jdks() {
        let scratch = Scratch::new("attach-server");
        let launch = |class| Launch::new(jdk, class, scratch.path()).class_path(class_path.clone());
        let mut server = launch("apps.server.Serving")
            .options(&["-Xmx512m", "-XX:+EnableDynamicAgentLoading"])
            .argument("--server.port=0")
            .start();
        let mut said_by_server =
            BufReader::new(server.stdout.take().expect("standard output is piped")).lines();
        let port = said_by_server
            .find_map(|line| {
                let line = line.expect("the server prints UTF-8");
                let port = line.split_once("started on port ")?.1;
                Some(port.split(' ').next()?.to_owned())
            })
            .expect("the server says where it listens");
        // What it prints from now on is of no interest, but has to be taken.
        let rest = std::thread::spawn(move || said_by_server.for_each(drop));
        let end = scratch.file("end");
        let clients =
            Program::start(launch("apps.server.Asking").argument(port).argument(end.clone()));
        let id = server.id().to_string();
        let profile = scratch.file("p.subsume");
        for _ in 0..4 {
            said(&["attach", &id, "-o", text(&profile), "--for", "1s"]);
        }
        fs::write(&end, "").expect("the folder of the test can be written");
        let answers = clients.end();
        let expected = answers.ends_with(" different 0\n") && !answers.contains("answers 0 ");
        assert!(expected, "{jdk}: {answers}");
        let found = methods(&profile, "apps.server.Serving", &[]);
        assert!(found.contains_key("invoice"), "{jdk}: {found:?}");
        server.kill().and_then(|()| server.wait()).expect("it can be ended");
        rest.join().expect("it reads to the end");
    }
}

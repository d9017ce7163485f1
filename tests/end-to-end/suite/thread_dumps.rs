//! Thread dumps that users ask for with `kill -QUIT` arrive whole, also while
//! recording is being switched, and nothing else is printed.

use std::io::Read;
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use support::{Jdk, Launch, Scratch, artifacts, jdks};

const DUMPS: usize = 60;
const LIMIT: Duration = Duration::from_secs(120);

/// Commands that the process carries out, one after the other.
fn subsume(commands: &[&str], id: &str) {
    for command in commands {
        let output = Command::new(&artifacts().command).args([command, id]).output();
        let output = output.expect("the built command can be started");
        assert!(output.status.success(), "{command}: {output:?}");
    }
}

fn quit(id: &str) {
    let sent = Command::new("kill").args(["-QUIT", id]).status();
    assert!(sent.is_ok_and(|status| status.success()), "the process has ended");
}

/// What a process has printed until now.
#[derive(Clone, Default)]
struct Printed(Arc<Mutex<Vec<u8>>>);

impl Printed {
    fn follow(mut stream: impl Read + Send + 'static) -> Self {
        let printed = Self::default();
        let followed = printed.clone();
        thread::spawn(move || {
            let mut piece = [0; 1 << 16];
            while let Ok(count @ 1..) = stream.read(&mut piece) {
                let mut all = followed.0.lock().expect("nobody panics with it");
                all.extend_from_slice(&piece[..count]);
            }
        });
        printed
    }

    fn text(&self) -> String {
        let all = self.0.lock().expect("nobody panics with it");
        String::from_utf8_lossy(&all).into_owned()
    }

    fn count(&self, what: &str) -> usize {
        self.text().matches(what).count()
    }

    /// Waits until a text was printed so often.
    fn wait_for(&self, what: &str, times: usize, jdk: &Jdk) {
        let until = Instant::now() + LIMIT;
        while self.count(what) < times {
            assert!(Instant::now() < until, "{jdk}: {what:?} {} of {times}", self.count(what));
            thread::sleep(Duration::from_millis(2));
        }
    }
}

#[test]
fn thread_dumps_arrive_while_recording_is_switched() {
    for jdk in jdks() {
        for mode in ["calls", "costs"] {
            let scratch = Scratch::new("thread-dumps");
            let out = scratch.file("whole.subsume");
            let launch = Launch::new(jdk, "Serves", scratch.path())
                .agent(&format!("mode={mode},start=off,out={}", out.display()))
                .argument(scratch.file("end"))
                .argument("unobserved");
            let mut child = launch.start();
            let stdout = Printed::follow(child.stdout.take().expect("standard output is piped"));
            let stderr = Printed::follow(child.stderr.take().expect("standard error is piped"));
            let id = child.id().to_string();
            stdout.wait_for("ready\n", 1, jdk);
            // While the JVM starts its thread for requests, which it does once, it
            // ignores the signal.
            subsume(&["start", "stop"], &id);
            let is_over = AtomicBool::new(false);
            let switches = thread::scope(|scope| {
                let switches = scope.spawn(|| {
                    let mut switches = 0;
                    while !is_over.load(Ordering::Relaxed) {
                        subsume(&["start", "stop"], &id);
                        switches += 1;
                    }
                    switches
                });
                for sent in 1..=DUMPS {
                    quit(&id);
                    // Its last line.
                    stdout.wait_for("class space    used", sent, jdk);
                }
                is_over.store(true, Ordering::Relaxed);
                switches.join().expect("commands succeed")
            });
            assert!(switches > 0, "{jdk}");
            std::fs::write(scratch.file("end"), "").expect("the folder can be written");
            assert!(child.wait().expect("a started child ends").success(), "{jdk}");
            for part in ["Full thread dump", "\"Signal Dispatcher\"", "JNI global ref", "Heap\n"] {
                assert_eq!(stdout.count(part), DUMPS, "{jdk}, {part}: {}", stdout.text());
            }
            assert_eq!(stdout.count("intrinsic"), 0, "{jdk}: {}", stdout.text());
            assert_eq!(stderr.text(), "", "{jdk}");
        }
    }
}

/// The JVM prints nothing of its own about what the agent has changed, when it
/// parses classes that are there and when it loads others.
#[test]
fn nothing_is_said_about_intrinsics() {
    for jdk in jdks() {
        let scratch = Scratch::new("intrinsics");
        let program = || Launch::new(jdk, "LanguageFeatures", scratch.path());
        let plain = program().run();
        let options = ["-XX:+UnlockDiagnosticVMOptions", "-XX:+DisplayVMOutputToStderr"];
        for options in [&[][..], &options] {
            let recorded = program().options(options).profiled(&scratch.file("x.subsume")).run();
            recorded.assert_same_as(&plain, format_args!("{jdk}, {options:?}"));
        }
    }
}

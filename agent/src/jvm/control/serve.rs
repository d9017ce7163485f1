//! What commands do, and how they are answered.
//!
//! A command is a line: `start`, `stop` or `dump`, or where the agent came into a JVM that
//! was running, `attach` with a path, and `detach`, which may name the path of the only
//! recording that it is to end; `options` asks for those that the agent was given. The
//! answer is a line that begins with `ok` or `no` and goes on with words for the user.
//! Before it may come lines that begin with `at` and say how far the command is. Behind the
//! `ok` of a dump come pieces of the profile, each with its length in four bytes
//! (little-endian) in front; length 0 ends it.

use std::io::{self, Read, Write};
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use parking_lot::Mutex;

use super::attach_listener::{self, Task};
use super::is_closing;
use crate::jvm::session::Session;
use crate::jvm::{advance, native_thread, recording};

/// Start of the command `attach`, in front of its path.
const ATTACH: &str = "attach ";
/// Start of the command `detach`, where it names a path.
const DETACH: &str = "detach ";
/// Why there is nothing to attach to.
const FROM_THE_START: &str =
    "the agent was there from the start of the JVM; use subsume start, stop and dump";
/// Why there is nothing to detach from, and nothing to dump.
const DETACHED: &str = "nothing is recorded: the agent was detached";
/// Longer than any command.
const LONGEST: usize = 1 << 13;
/// Name of this thread where the JVM has to know it.
const THREAD: &std::ffi::CStr = c"subsume";

/// Carries out the command that arrives, and answers.
pub fn answer(session: &'static Session, mut connection: UnixStream) {
    let Some(command) = read_line(&mut connection) else { return };
    let reporter = Reporter::new(&connection);
    let answer = match command.as_str() {
        _ if is_closing() => Err("the JVM is ending".to_owned()),
        "start" => start(session),
        "stop" => stop(session),
        "detach" => detach(session),
        "options" => Ok(session.options.clone()),
        detach_from if detach_from.starts_with(DETACH) => {
            let (meant, path) = (Path::new(&detach_from[DETACH.len()..]), session.recorder.path());
            match meant == path {
                true => detach(session),
                false => Err(format!("that recording has ended; one to {} is on", path.display())),
            }
        }
        attach if attach.starts_with(ATTACH) => {
            attach_to(session, Path::new(&attach[ATTACH.len()..]))
        }
        "dump" => {
            // A dump that breaks off has no end, which tells the reader.
            let _ = dump(session, &mut connection);
            return;
        }
        _ => Err(format!("the agent does not know the command '{command}'")),
    };
    let line = match answer {
        Ok(text) => format!("ok {text}\n"),
        Err(text) => format!("no {text}\n"),
    };
    if let Some(reporter) = reporter {
        reporter.end();
    }
    // Who does not wait for the answer does not get it.
    let _ = connection.write_all(line.as_bytes());
}

/// Says from time to time how far the rewriting of classes is.
struct Reporter(Arc<Mutex<Option<UnixStream>>>);

/// How often.
const INTERVAL: Duration = Duration::from_millis(250);

impl Reporter {
    /// Begins to, in a thread of its own.
    fn new(connection: &UnixStream) -> Option<Self> {
        let connection = Arc::new(Mutex::new(Some(connection.try_clone().ok()?)));
        let reporter = Self(Arc::clone(&connection));
        let report = move || {
            loop {
                std::thread::sleep(INTERVAL);
                let mut connection = connection.lock();
                let Some(open) = connection.as_mut() else { return };
                let line = advance::now().map(|(done, of)| format!("at {done} of {of} classes\n"));
                // Who does not listen any more has no need of the next line either.
                if line.is_some_and(|line| open.write_all(line.as_bytes()).is_err()) {
                    return;
                }
            }
        };
        native_thread::spawn(report).then_some(reporter)
    }

    /// Says nothing from now on.
    fn end(self) {
        self.0.lock().take();
    }
}

#[allow(clippy::disallowed_methods, reason = "no name of the JVM")]
fn read_line(connection: &mut UnixStream) -> Option<String> {
    let mut line = Vec::new();
    let mut byte = [0];
    while line.len() < LONGEST {
        connection.read_exact(&mut byte).ok()?;
        if byte == *b"\n" {
            return String::from_utf8(line).ok();
        }
        line.push(byte[0]);
    }
    None
}

fn start(session: &'static Session) -> Result<String, String> {
    if let Some(reason) = session.recorder.idle_reason() {
        return Err(reason.to_owned());
    }
    let path = session.recorder.path();
    let path = path.display();
    if session.recorder.is_recording() {
        return Ok(format!("recording was on already, to {path}"));
    }
    if !session.recorder.owes() {
        return Err("the agent was detached; use subsume attach, which says where to".to_owned());
    }
    match carry_out(session, recording::start) {
        Some(true) => Ok(format!("recording is on, to {path}")),
        Some(false) => Err("the JVM does not let classes be rewritten now".to_owned()),
        None => Err("the JVM is ending".to_owned()),
    }
}

/// Records into a file, in a JVM that the agent came into.
fn attach_to(session: &'static Session, path: &Path) -> Result<String, String> {
    let recorder = &session.recorder;
    if !recorder.is_attached() {
        return Err(FROM_THE_START.to_owned());
    }
    if recorder.is_recording() {
        return Err(format!("recording is on already, to {}", recorder.path().display()));
    }
    recorder.aim(path).map_err(|error| format!("cannot create {}: {error}", path.display()))?;
    start(session)
}

/// Switches recording off and writes the profile, in a JVM that the agent came into.
pub(super) fn detach(session: &'static Session) -> Result<String, String> {
    let recorder = &session.recorder;
    if !recorder.is_attached() {
        return Err(FROM_THE_START.to_owned());
    }
    if !recorder.owes() {
        return Err(DETACHED.to_owned());
    }
    let stopped = stop(session);
    let path = recorder.path();
    let path = path.display();
    recorder.deliver().map_err(|error| format!("cannot write {path}: {error}"))?;
    stopped.map(|_| format!("written to {path}; the program runs without probes"))
}

pub(super) fn stop(session: &'static Session) -> Result<String, String> {
    // First, so that what is executed for it is not recorded.
    let Some(_one_at_a_time) = recording::begin_stop(session) else {
        return Ok("recording was off already".to_owned());
    };
    match carry_out(session, recording::complete_stop) {
        Some(true) => Ok("recording is off".to_owned()),
        Some(false) => Err("recording is off, but classes keep their probes".to_owned()),
        None => Err("the JVM is ending".to_owned()),
    }
}

/// `None` if the JVM is ending.
fn carry_out(session: &'static Session, task: Task) -> Option<bool> {
    attach_listener::run(task).or_else(|| session.vm.attached(THREAD, |jni| task(session, jni)))
}

fn dump(session: &Session, connection: &mut UnixStream) -> io::Result<()> {
    if let Some(reason) = session.recorder.idle_reason() {
        return connection.write_all(format!("no {reason}\n").as_bytes());
    }
    if !session.recorder.owes() {
        return connection.write_all(format!("no {DETACHED}\n").as_bytes());
    }
    connection.write_all(b"ok \n")?;
    session.recorder.write_snapshot(Pieces(connection))?;
    connection.write_all(&0_u32.to_le_bytes())
}

/// Puts a length in front of whatever is written.
struct Pieces<'a>(&'a mut UnixStream);

impl Write for Pieces<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let length = u32::try_from(bytes.len()).unwrap_or(u32::MAX);
        if length > 0 {
            self.0.write_all(&length.to_le_bytes())?;
            self.0.write_all(&bytes[..length as usize])?;
        }
        Ok(length as usize)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

//! Has a running JVM load the agent, as `jcmd PID JVMTI.agent_load` does.
//!
//! HotSpot waits for requests at a socket in `/tmp`. The thread that serves it is started
//! when the JVM gets `SIGQUIT` while the file `.attach_pidPID` exists. A request is a
//! version, a command and three arguments, each ended by a zero byte; the answer is a
//! number, and then text.

use std::fs::{File, OpenOptions};
use std::io::{self, Read, Write};
use std::os::unix::fs::{OpenOptionsExt, fchown};
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::sync::mpsc::RecvTimeoutError;
use std::time::{Duration, Instant};

use base::shown;
use rustix::process::{Pid, Signal, kill_process};
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::iterator::Signals;
use tree::error::{Error, Result};

use super::process::{NO_JVM, Process};
use crate::cli::progress::Progress;

/// Longest answer of a JVM that is read.
const LONGEST: u64 = 1 << 16;
/// Longest reason of an agent that is read.
const LONGEST_REFUSAL: u64 = 4096;

/// Has the JVM load the library with these options.
///
/// # Errors
/// If the process is not a JVM, its JVM cannot be attached to, or the agent does not work in
/// it.
pub fn load(process: &Process, library: &Path, options: &str, timeout: Duration) -> Result<()> {
    let id = process.id;
    let refuse = |words: String| Error::new(format!("process {id} {words}"));
    if !process.maps("libjvm.so") {
        return Err(refuse(NO_JVM.to_owned()));
    }
    let Some(text) = library.to_str() else {
        return Err(Error::new(format!("{}: not UTF-8", shown(library))));
    };
    if !process.sees(library) {
        return Err(refuse(format!(
            "does not see {text}: it is in a container; copy the library there, to the same path"
        )));
    }
    let listener = connect(process, timeout)
        .map_err(|error| refuse(format!("does not let others attach to it: {error}")))?;
    let mut refusal = Refusal::make(process);
    let answer = answer(listener, ["load", text, "true", options], timeout)
        .map_err(|error| refuse(format!("does not answer: {error}")))?;
    let mut lines = answer.lines().map(str::trim).filter(|line| !line.is_empty());
    let status = lines.next().unwrap_or_default();
    let rest: Vec<&str> = lines.collect();
    let returned = rest.iter().find_map(|line| line.strip_prefix("return code: "));
    if status == "0" && matches!(returned, Some("0")) {
        return Ok(());
    }
    let words = refusal.text();
    Err(match (words.is_empty(), rest.is_empty()) {
        (false, _) => refuse(format!("takes no agent: {words}")),
        // The agent says it there, if the JVM has loaded it.
        (true, _) if !refusal.is_made() && returned.is_some() => refuse(format!(
            "takes no agent, and says why on its standard error: {} is another user's",
            shown(process.refusal())
        )),
        (true, false) => refuse(format!("takes no agent: {}", rest.join(" "))),
        (true, true) => refuse("takes no agent, and does not say why".to_owned()),
    })
}

/// Has the JVM carry out a diagnostic command, such as `JFR.start`, and gives what it says.
///
/// # Errors
/// If the process is not a JVM, or its JVM cannot be attached to or refuses.
pub fn diagnose(process: &Process, command: &str, timeout: Duration) -> Result<String> {
    let id = process.id;
    let refuse = |words: String| Error::new(format!("process {id} {words}"));
    if !process.maps("libjvm.so") {
        return Err(refuse(NO_JVM.to_owned()));
    }
    let listener = connect(process, timeout)
        .map_err(|error| refuse(format!("does not let others attach to it: {error}")))?;
    let answer = answer(listener, ["jcmd", command, "", ""], timeout)
        .map_err(|error| refuse(format!("does not answer: {error}")))?;
    match answer.split_once('\n') {
        Some(("0", said)) => Ok(said.trim().to_owned()),
        _ => {
            let said = answer.lines().skip(1).map(str::trim).collect::<Vec<_>>().join(" ");
            Err(refuse(format!("refuses {command}: {said}")))
        }
    }
}

/// Sends a request, a command and its three arguments, and reads the answer.
fn answer(
    mut listener: UnixStream,
    [command, one, two, three]: [&str; 4],
    timeout: Duration,
) -> io::Result<String> {
    let request = format!("1\0{command}\0{one}\0{two}\0{three}\0");
    listener.set_read_timeout(Some(timeout))?;
    listener.write_all(request.as_bytes())?;
    let mut answer = Vec::new();
    (&mut listener).take(LONGEST).read_to_end(&mut answer)?;
    Ok(String::from_utf8_lossy(&answer).into_owned())
}

/// Connects to the thread that serves requests, and has it started first if need be.
fn connect(process: &Process, timeout: Duration) -> io::Result<UnixStream> {
    match process.connect_to_jvm() {
        Err(error) if is_missing(&error) => {}
        connected => return connected,
    }
    if !process.handles_quit() {
        return Err(io::Error::other(
            "it does not handle SIGQUIT (-Xrs or -XX:+ReduceSignalUsage)",
        ));
    }
    if process.was_started_with("-XX:+DisableAttachMechanism") {
        // To such a JVM the signal would mean to print all stacks.
        return Err(io::Error::other("it was started with -XX:+DisableAttachMechanism"));
    }
    let _trigger = process.trigger()?;
    wake(process, timeout)
}

/// Whether nobody serves requests yet. A socket may be left of another JVM that had this id.
fn is_missing(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::ConnectionRefused)
}

/// Has the JVM look for the file, and waits for its thread.
fn wake(process: &Process, timeout: Duration) -> io::Result<UnixStream> {
    let id = i32::try_from(process.id).ok().and_then(Pid::from_raw);
    kill_process(id.ok_or(io::ErrorKind::NotFound)?, Signal::QUIT)?;
    let until = Instant::now() + timeout;
    loop {
        match process.connect_to_jvm() {
            Err(error) if !is_missing(&error) => return Err(error),
            Err(_) if Instant::now() > until => {
                return Err(io::Error::other(
                    "it does not react (it may be stopped, or run with \
                     -XX:+DisableAttachMechanism)",
                ));
            }
            Err(_) => std::thread::sleep(Duration::from_millis(10)),
            connected => return connected,
        }
    }
}

/// While a process is recorded or sampled, as `doing` says: waits so long, or until somebody
/// interrupts, or the process ends. True if it has waited so long.
pub fn wait(process: u32, doing: &str, duration: Duration) -> Result<bool> {
    let mut signals = Signals::new([SIGINT, SIGTERM, SIGHUP])?;
    let handle = signals.handle();
    let (sender, interrupted) = std::sync::mpsc::channel();
    std::thread::spawn(move || {
        // Who waits may have stopped.
        for _ in signals.forever().take(1) {
            let _ = sender.send(());
        }
    });
    let progress = Progress::of_long_work();
    let end = Instant::now() + duration;
    loop {
        let left = end.saturating_duration_since(Instant::now());
        if left.is_zero() || Process::find(process).is_err() {
            break;
        }
        progress.say(&format!("process {process}: {doing}, {} s left", left.as_secs() + 1));
        match interrupted.recv_timeout(left.min(Duration::from_secs(1))) {
            Err(RecvTimeoutError::Timeout) => {}
            _ => break,
        }
    }
    handle.close();
    Ok(end <= Instant::now())
}

/// A file that the agent writes into why it does not work.
struct Refusal(Option<(PathBuf, File)>);

impl Refusal {
    /// An empty one that the process may write, and nobody else. Without it, the reason is not
    /// told.
    fn make(process: &Process) -> Self {
        let path = process.refusal();
        // Left by a command that was killed. What another user has put there may stay; then
        // there is none.
        let _ = std::fs::remove_file(&path);
        let mut options = OpenOptions::new();
        let made = options.read(true).write(true).create_new(true).mode(0o600).open(&path);
        Self(made.ok().map(|file| {
            // The process may run as another user, if this is root's command.
            let _ = fchown(&file, Some(process.user), None);
            (path, file)
        }))
    }

    /// Whether the agent can say anything.
    fn is_made(&self) -> bool {
        self.0.is_some()
    }

    /// What the agent has written into this file, whatever has its name by now.
    fn text(&mut self) -> String {
        let mut text = String::new();
        if let Some((_, file)) = &mut self.0 {
            // A reason that is not UTF-8 is left out: the caller then says that none was given.
            let _ = file.take(LONGEST_REFUSAL).read_to_string(&mut text);
        }
        text.trim().replace('\n', " ")
    }
}

impl Drop for Refusal {
    fn drop(&mut self) {
        if let Some((path, _)) = &self.0 {
            let _ = std::fs::remove_file(path);
        }
    }
}

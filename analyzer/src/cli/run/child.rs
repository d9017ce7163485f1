//! The program as a child of this command: waits for it, and passes signals on to it.

use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Child, Command, ExitStatus};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::iterator::Signals;
use tree::error::{Error, Result};

use super::title::Title;

/// How often the terminal's title changes.
const TICK: Duration = Duration::from_millis(500);

/// Whether a signal that asks a process to end has reached this command, and not only the program.
static IS_TO_END: AtomicBool = AtomicBool::new(false);

/// Runs the program to its end, or asks it to end after some time; the title says how much it
/// has recorded.
///
/// # Errors
/// If it cannot be started or waited for.
pub fn run(
    mut command: Command,
    limit: Option<Duration>,
    bytes: impl Fn() -> u64,
) -> Result<ExitStatus> {
    // From now on an interrupt is for the program alone; what it recorded until then
    // is shown.
    let signals = Signals::new([SIGINT, SIGTERM, SIGHUP])
        .map_err(|error| Error::new(format!("cannot wait for signals: {error}")))?;
    let child = command.spawn().map_err(|e| Error::io(Path::new(command.get_program()), &e))?;
    wait(child, signals, limit, bytes)
}

/// Whether this command was asked to end while it ran a program. The signal was passed on, so
/// the program has probably ended, too; a command that runs several has to start no other.
pub fn is_to_end() -> bool {
    IS_TO_END.load(Ordering::Relaxed)
}

/// The signal that has ended the program, if one has.
pub fn signal(status: ExitStatus) -> Option<i32> {
    status.signal()
}

/// Waits for the program; passes on to it what would have ended this command,
/// except for an interrupt, which the terminal sends to both.
fn wait(
    mut child: Child,
    mut signals: Signals,
    limit: Option<Duration>,
    bytes: impl Fn() -> u64,
) -> Result<ExitStatus> {
    let process = i32::try_from(child.id()).ok().and_then(Pid::from_raw);
    let handle = signals.handle();
    let forwarding = thread::spawn(move || {
        for signal in signals.forever() {
            let passed_on = match signal {
                SIGTERM => Some(Signal::TERM),
                SIGHUP => Some(Signal::HUP),
                _ => None,
            };
            if passed_on.is_some() {
                IS_TO_END.store(true, Ordering::Relaxed);
            }
            if let Some((process, signal)) = process.zip(passed_on) {
                // It may have ended by itself.
                let _ = kill_process(process, signal);
            }
        }
    });
    let (done, ended) = mpsc::channel();
    let waiting = thread::spawn(move || {
        let status = child.wait();
        // The receiver lives until this arrives.
        let _ = done.send(());
        status
    });
    let mut title = Title::new();
    let since = Instant::now();
    let mut is_asked = false;
    while ended.recv_timeout(TICK) == Err(mpsc::RecvTimeoutError::Timeout) {
        title.show(bytes());
        if let Some(process) = process
            && !is_asked
            && limit.is_some_and(|limit| since.elapsed() >= limit)
        {
            is_asked = true;
            // It may have ended by itself.
            let _ = kill_process(process, Signal::TERM);
        }
    }
    drop(title);
    handle.close();
    let _ = forwarding.join();
    match waiting.join() {
        Ok(status) => status.map_err(Error::from),
        Err(_) => Err(Error::new("the program cannot be waited for")),
    }
}

//! Has a thread of the JVM carry out what only such a thread can.
//!
//! A foreign thread that attaches itself is shown in thread dumps before it has
//! a name. A program that lists its threads at that moment meets a null
//! (JDK 17), or the JVM's own listing fails (JDK 25, `Thread.holder`). The
//! thread that serves `jcmd` and `jstack` has no such moment: the JVM makes it
//! whole before it shows it. So the agent does what `jcmd PID JVMTI.data_dump`
//! does, from inside: the JVM then raises the event `DataDumpRequest` in that
//! thread. HotSpot starts the thread when it first gets `SIGQUIT` while the
//! file `.attach_pidPID` exists.

use std::io::{self, Read, Write};
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::sync::mpsc::{SyncSender, sync_channel};
use std::time::{Duration, Instant};

use base::known_names::{FOLDER, Trigger, attach_socket, is_private_socket, not_own};
use parking_lot::Mutex;

use super::socket::{own_user, peer};
use crate::jvm::jni::Jni;
use crate::jvm::own_work::as_own_thread;
use crate::jvm::session::Session;
use crate::jvm::{flags, guard};

/// What is to be done; true if it succeeded.
pub type Task = fn(&'static Session, Jni) -> bool;

/// Protocol version 1, the command and its three arguments.
const REQUEST: &[u8] = b"1\0jcmd\0JVMTI.data_dump\0\0\0";
/// How long the JVM may take to start its thread.
const STARTING: Duration = Duration::from_secs(8);
/// How long it may be busy with others' requests, and with ours.
const WORKING: Duration = Duration::from_secs(40);

/// The task that waits for the event, and where its result goes.
static PENDING: Mutex<Option<(Task, SyncSender<bool>)>> = Mutex::new(None);

/// Has the JVM's thread do it. `None` if it cannot be had (the user has
/// forbidden to attach, or the JVM ends); then the task was not begun.
pub fn run(task: Task) -> Option<bool> {
    if !flags::lets_attach() {
        return None;
    }
    let mut listener = match connect() {
        Err(error) if is_missing(&error) => start().ok()?,
        connected => connected.ok()?,
    };
    let (sender, result) = sync_channel(1);
    *PENDING.lock() = Some((task, sender));
    // The answer ends when the event has been handled. Whether it was is seen
    // from the task alone.
    let _ = ask(&mut listener);
    match PENDING.lock().take() {
        Some(_) => None,
        // It was begun.
        None => Some(result.recv().unwrap_or(false)),
    }
}

/// Does what waits for it, if anything does: users ask for dumps, too.
pub fn data_dump_requested(session: &'static Session, jni: Jni) {
    let Some((task, sender)) = PENDING.lock().take() else { return };
    carry_out(&sender, || session.unrecorded(jni, || task(session, jni)));
}

/// Carries out the task and sends its result to [`run`]. A task that a defect of the agent
/// ends has failed; it is not repeated, since it had begun.
fn carry_out(sender: &SyncSender<bool>, task: impl FnOnce() -> bool) {
    let succeeded = guard(false, || as_own_thread(task));
    // Sending cannot fail: once the task was taken, `run` waits for its result.
    let _ = sender.send(succeeded);
}

fn ask(listener: &mut UnixStream) -> io::Result<()> {
    listener.set_read_timeout(Some(WORKING))?;
    listener.set_write_timeout(Some(WORKING))?;
    listener.write_all(REQUEST)?;
    io::copy(&mut listener.take(1 << 16), &mut io::sink())?;
    Ok(())
}

/// Connects to the JVM's thread; `NotFound` if it is not there yet. Another one of that name,
/// of another user or of a container that shares `/tmp`, is not asked.
fn connect() -> io::Result<UnixStream> {
    let path = Path::new(FOLDER).join(attach_socket(std::process::id()));
    if !is_private_socket(&path, own_user())? {
        return Err(io::ErrorKind::NotFound.into());
    }
    let listener = UnixStream::connect(&path)?;
    let is_own =
        |peer: libc::ucred| u32::try_from(peer.pid).is_ok_and(|id| id == std::process::id());
    match peer(&listener).is_some_and(is_own) {
        true => Ok(listener),
        false => Err(not_own(&path)),
    }
}

/// True if the JVM's thread is not there, and may be started.
fn is_missing(error: &io::Error) -> bool {
    // A socket may be left of another JVM that had this id.
    matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::ConnectionRefused)
}

/// Has the JVM start its thread, and connects to it.
fn start() -> io::Result<UnixStream> {
    // Without the JVM's handler the signal would end the process, and without
    // the file it would print a thread dump.
    if !handles_quit() {
        return Err(io::ErrorKind::Unsupported.into());
    }
    let _trigger =
        Trigger::make(Path::new(FOLDER), Path::new("."), std::process::id(), own_user())?;
    // SAFETY: signals this process; takes no pointers.
    unsafe { libc::kill(libc::getpid(), libc::SIGQUIT) };
    let until = Instant::now() + STARTING;
    loop {
        match connect() {
            Err(error) if is_missing(&error) && Instant::now() < until => {}
            connected => return connected,
        }
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// True if `SIGQUIT` goes to the JVM.
fn handles_quit() -> bool {
    // SAFETY: the results are filled in before they are read; a file name ends
    // with a zero byte and lives as long as the library.
    unsafe {
        let mut action: libc::sigaction = std::mem::zeroed();
        let mut found: libc::Dl_info = std::mem::zeroed();
        libc::sigaction(libc::SIGQUIT, std::ptr::null(), &mut action) == 0
            && action.sa_sigaction != libc::SIG_DFL
            && action.sa_sigaction != libc::SIG_IGN
            && libc::dladdr(action.sa_sigaction as *const _, &mut found) != 0
            && !found.dli_fname.is_null()
            && std::ffi::CStr::from_ptr(found.dli_fname).to_bytes().ends_with(b"libjvm.so")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::jvm::own_work::is_own_thread;

    #[test]
    fn a_task_that_panics_has_failed_and_is_over() {
        let (sender, result) = sync_channel(1);
        carry_out(&sender, || panic!("injected"));
        assert_eq!((result.recv(), is_own_thread()), (Ok(false), false));
        carry_out(&sender, is_own_thread);
        assert_eq!((result.recv(), is_own_thread()), (Ok(true), false));
    }
}

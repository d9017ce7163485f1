//! Threads of the agent that the JVM does not know.

/// Starts a thread with all signals blocked but those that its own faults
/// raise: signals to the process are for the JVM's threads. Without the thread,
/// what it would do is not done.
pub fn spawn(body: impl FnOnce() + Send + 'static) -> bool {
    // SAFETY: both sets are filled in before they are read, and the mask of this
    // thread is put back.
    unsafe {
        let mut blocked: libc::sigset_t = std::mem::zeroed();
        let mut before: libc::sigset_t = std::mem::zeroed();
        libc::sigfillset(&mut blocked);
        for fault in [libc::SIGSEGV, libc::SIGBUS, libc::SIGFPE, libc::SIGILL, libc::SIGTRAP] {
            libc::sigdelset(&mut blocked, fault);
        }
        // The new thread inherits the mask.
        libc::pthread_sigmask(libc::SIG_SETMASK, &blocked, &mut before);
        let spawned = std::thread::Builder::new().name("subsume".to_owned()).spawn(body);
        libc::pthread_sigmask(libc::SIG_SETMASK, &before, std::ptr::null_mut());
        spawned.is_ok()
    }
}

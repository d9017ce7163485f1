//! Threads as the system knows them: those of the agent, which the JVM does not know, and
//! the stack of the current one.

use std::ops::Range;

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

/// The addresses of the current thread's stack, if the system tells them.
pub fn stack() -> Option<Range<u64>> {
    let (mut start, mut bytes) = (std::ptr::null_mut(), 0);
    // SAFETY: the attributes are filled in before they are read, and given back after that.
    let is_known = unsafe {
        let mut attributes: libc::pthread_attr_t = std::mem::zeroed();
        if libc::pthread_getattr_np(libc::pthread_self(), &mut attributes) != 0 {
            return None;
        }
        let told = libc::pthread_attr_getstack(&attributes, &mut start, &mut bytes);
        libc::pthread_attr_destroy(&mut attributes);
        told == 0
    };
    let start = start as u64;
    is_known.then(|| start..start + bytes as u64)
}

//! What to do when pages of the mapped file disappear.
//!
//! If somebody truncates the file, or the disk fails, the next access to a
//! page that is gone raises SIGBUS. The JVM would throw an `InternalError` in
//! the middle of the program or give up. Instead, memory that holds zeros takes
//! the place of what is gone: the counts in it are lost, and the program runs
//! on. Everything that follows links in the arena can deal with zeros.

use std::ops::Range;
use std::os::raw::{c_int, c_void};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, AtomicUsize, Ordering};

/// Bytes replaced at the first fault; doubled each time, because a truncated
/// file lacks many pages and every replacement costs a mapping.
const FIRST_PIECE: usize = 1 << 16;

/// Bytes of a page. [`super::page_obstacle`] refuses systems with others.
const PAGE: usize = super::PAGE as usize;

/// Start and end of the views. Zero until pages are watched.
static RANGES: [[AtomicUsize; 2]; 2] = [const { [const { AtomicUsize::new(0) }; 2] }; 2];
static FAULTS: AtomicU32 = AtomicU32::new(0);
static PREVIOUS: OnceLock<libc::sigaction> = OnceLock::new();

/// True if pages were lost, and counts with them.
pub fn any() -> bool {
    FAULTS.load(Ordering::Relaxed) > 0
}

/// Notes that the file is shorter than it was made, though nobody has met that yet.
pub fn note_truncation() {
    FAULTS.fetch_add(1, Ordering::Relaxed);
}

/// Installs the handler, in front of the JVM's own, for one pair of views, by
/// their addresses, that
/// lives as long as the process. All other faults go on to the JVM's handler.
pub fn watch(views: [Range<usize>; 2]) {
    for (range, [start, end]) in views.into_iter().zip(&RANGES) {
        start.store(range.start, Ordering::Release);
        end.store(range.end, Ordering::Release);
    }
    // SAFETY: the structure is plain data, for which zeros are valid; the handler
    // has the signature that SA_SIGINFO asks for. It takes over the flags and the
    // mask of the handler before it, on whose behalf it may be called.
    unsafe {
        let mut action: libc::sigaction = std::mem::zeroed();
        if libc::sigaction(libc::SIGBUS, std::ptr::null(), &mut action) != 0 {
            return;
        }
        if PREVIOUS.set(action).is_err() {
            return;
        }
        action.sa_flags |= libc::SA_SIGINFO;
        action.sa_sigaction = on_bus_error as *const () as usize;
        libc::sigaction(libc::SIGBUS, &action, std::ptr::null_mut());
    }
}

/// The views are about to go: faults there are none of ours any more.
pub fn forget(views: [Range<usize>; 2]) {
    for (range, [start, end]) in views.into_iter().zip(&RANGES) {
        if start.load(Ordering::Acquire) == range.start {
            // First what ends the range, so that it is empty in between.
            end.store(0, Ordering::Release);
            start.store(0, Ordering::Release);
        }
    }
}

extern "C" fn on_bus_error(signal: c_int, info: *mut libc::siginfo_t, context: *mut c_void) {
    // SAFETY: the kernel passes a siginfo for SA_SIGINFO handlers; SIGBUS has an
    // address.
    let address = unsafe { (*info).si_addr() } as usize;
    if !replace(address) {
        pass_on(signal, info, context);
    }
}

/// Puts zeros where a page of ours is gone. Uses nothing but atomics and one
/// system call, as it runs in a signal handler.
fn replace(address: usize) -> bool {
    let range = RANGES.iter().find_map(|[start, end]| {
        let range = start.load(Ordering::Acquire)..end.load(Ordering::Acquire);
        range.contains(&address).then_some(range)
    });
    let Some(range) = range else { return false };
    let faults = FAULTS.fetch_add(1, Ordering::Relaxed).min(20);
    let start = address & !(PAGE - 1);
    let end = (start + (FIRST_PIECE << faults)).min(range.end);
    // SAFETY: the range lies in a view of ours. Memory is replaced by memory with
    // the same access, so that the thread that faulted can go on.
    let at = unsafe {
        libc::mmap(
            start as *mut c_void,
            end - start,
            libc::PROT_READ | libc::PROT_WRITE,
            libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_FIXED | libc::MAP_NORESERVE,
            -1,
            0,
        )
    };
    at != libc::MAP_FAILED
}

/// Calls the handler that was there before, or what the system would do.
fn pass_on(signal: c_int, info: *mut libc::siginfo_t, context: *mut c_void) {
    let Some(previous) = PREVIOUS.get() else { return };
    // SAFETY: what the previous action says is a handler is one, with the
    // signature that its flags say.
    unsafe {
        match previous.sa_sigaction {
            libc::SIG_IGN => {}
            libc::SIG_DFL => {
                // The instruction is executed again and the signal then ends the process.
                libc::sigaction(signal, previous, std::ptr::null_mut());
            }
            handler if previous.sa_flags & libc::SA_SIGINFO != 0 => {
                let handler: extern "C" fn(c_int, *mut libc::siginfo_t, *mut c_void) =
                    std::mem::transmute(handler);
                handler(signal, info, context);
            }
            handler => {
                let handler: extern "C" fn(c_int) = std::mem::transmute(handler);
                handler(signal);
            }
        }
    }
}

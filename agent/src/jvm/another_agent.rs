//! Another agent of ours in the same JVM: two would both rewrite each class.

use std::ffi::{CStr, CString, c_int, c_void};
use std::ptr;
use std::sync::atomic::{AtomicBool, Ordering};

/// Whether the JVM has loaded this library as an agent. A copy of the library has its own one,
/// and finds this one by its name.
#[unsafe(no_mangle)]
pub static SUBSUME_AGENT_IS_LOADED: AtomicBool = AtomicBool::new(false);
const NAME: &CStr = c"SUBSUME_AGENT_IS_LOADED";

/// Notes that this library is an agent of the JVM; true if it was before, or another copy is.
pub fn is_second() -> bool {
    SUBSUME_AGENT_IS_LOADED.swap(true, Ordering::Relaxed) || libraries().iter().any(is_other)
}

/// The paths of all libraries of the process.
fn libraries() -> Vec<CString> {
    unsafe extern "C" fn add(info: *mut libc::dl_phdr_info, _: usize, found: *mut c_void) -> c_int {
        // SAFETY: the loader passes its description of a library, whose name ends with a zero
        // byte, and what `libraries` has given it, a vector that nobody else uses meanwhile.
        unsafe {
            let name = (*info).dlpi_name;
            if !name.is_null() && *name != 0 {
                (*found.cast::<Vec<CString>>()).push(CStr::from_ptr(name).to_owned());
            }
        }
        0
    }
    let mut found: Vec<CString> = Vec::new();
    // SAFETY: the callback is called before this returns, with `found` behind the pointer.
    unsafe { libc::dl_iterate_phdr(Some(add), (&raw mut found).cast()) };
    found
}

/// Whether a library is a copy of this one that the JVM has loaded as an agent.
fn is_other(path: &CString) -> bool {
    // SAFETY: a path that ends with a zero byte; the library is there already, or nothing
    // happens, so no code of it runs. A symbol of this name is only in our libraries, all of
    // which have an `AtomicBool` there for as long as they are loaded: the handle keeps it so.
    unsafe {
        let library = libc::dlopen(path.as_ptr(), libc::RTLD_NOLOAD | libc::RTLD_LAZY);
        if library.is_null() {
            return false;
        }
        let found = libc::dlsym(library, NAME.as_ptr()).cast::<AtomicBool>();
        let is_other = !found.is_null()
            && !ptr::eq(found, &raw const SUBSUME_AGENT_IS_LOADED)
            && (*found).load(Ordering::Relaxed);
        libc::dlclose(library);
        is_other
    }
}

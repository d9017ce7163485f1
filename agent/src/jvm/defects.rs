//! Defects of the agent: what panics costs the profile, never the program.
//!
//! Rust prints panics on the standard error of the process, which is the program's.
//! A hook prints one line in the agent's own form instead, for the first one. The
//! hook belongs to this library alone, because it has a copy of Rust's standard
//! library of its own; panics of other libraries in the process are not touched.

use std::panic::{self, AssertUnwindSafe, PanicHookInfo, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};

use base::tell;

/// From now on panics are reported in one line.
pub fn tell_in_one_line() {
    panic::set_hook(Box::new(tell));
}

/// Runs the body of an entry point; a panic in it becomes `otherwise`, so that
/// a defect of the agent costs the profile and not the program.
pub fn guard<R>(otherwise: R, body: impl FnOnce() -> R) -> R {
    catch_unwind(AssertUnwindSafe(body)).unwrap_or(otherwise)
}

fn tell(panic: &PanicHookInfo<'_>) {
    static TOLD: AtomicBool = AtomicBool::new(false);
    if TOLD.swap(true, Ordering::Relaxed) {
        return;
    }
    let payload = panic.payload();
    let text = payload.downcast_ref::<String>().map(String::as_str);
    let text = text.or_else(|| payload.downcast_ref::<&str>().copied());
    let what = text.unwrap_or("a panic").replace('\n', " ");
    let place = panic.location().map_or(String::new(), |place| format!(" at {place}"));
    tell!("the profile lacks something because of a defect of the agent{place}: {what}");
}

#[cfg(test)]
mod tests {
    use std::process::Command;

    use super::*;

    /// What the process prints that the other test starts.
    #[test]
    #[ignore = "for the test below"]
    fn panics_twice() {
        tell_in_one_line();
        assert_eq!(guard(1, || panic!("one\ntwo")), 1);
        let thread = std::thread::spawn(|| panic!("three"));
        assert!(thread.join().is_err());
    }

    #[test]
    #[allow(clippy::disallowed_methods, reason = "no name of the JVM")]
    fn panics_are_told_of_once_and_in_one_line() {
        let this = std::env::current_exe().expect("a running test has a path");
        let output = Command::new(this)
            .args(["--exact", "jvm::defects::tests::panics_twice", "--ignored", "--nocapture"])
            .env("RUST_BACKTRACE", "1")
            .output()
            .expect("a test can be started");
        let stderr = String::from_utf8(output.stderr).expect("it is text");
        assert!(output.status.success(), "{stderr}");
        let start = "subsume: the profile lacks something because of a defect of the agent at ";
        assert!(stderr.starts_with(start) && stderr.ends_with(": one two\n"), "{stderr}");
        assert_eq!(stderr.lines().count(), 1, "{stderr}");
    }
}

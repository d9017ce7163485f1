//! How a JVM ends: in order, or because somebody halts it in the middle of all that runs.
//!
//! HotSpot tells of both by the same event. The thread in which it does has the methods on
//! its stack that end the JVM. `Shutdown.exit` runs what is to be run at the end and then
//! calls `Shutdown.halt`; `Runtime.halt` calls that alone. A JVM whose last thread has ended
//! has none of them there.

use super::jvmti::Name;

/// True if a stack, innermost method first, is that of a halt. Methods of the program may
/// have any name, those of JDK classes not.
pub fn is_halt(stack: &[(Name, Name)]) -> bool {
    let is_any = |wanted: &[u8]| {
        stack.iter().any(|(class, name)| **class == *b"Ljava/lang/Shutdown;" && **name == *wanted)
    };
    is_any(b"halt") && !is_any(b"exit")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_jdk_halts() {
        let stack = |frames: &[&str]| -> Vec<(Name, Name)> {
            let parts = frames.iter().map(|frame| frame.split_once('.').expect("a method"));
            let named = |(class, name): (&str, &str)| {
                (format!("L{class};").into_bytes().into(), name.as_bytes().into())
            };
            parts.map(named).collect()
        };
        let (halt0, halt) = ("java/lang/Shutdown.halt0", "java/lang/Shutdown.halt");
        let of_runtime = "java/lang/Runtime.halt";
        for own in ["Main.leave", "Main.exit", "Main.shutdown", "Main.runHooks", "Shutdown.exit"] {
            assert!(is_halt(&stack(&[halt0, halt, of_runtime, own, "Main.main"])), "{own}");
        }
        let exit = ["java/lang/Shutdown.exit", "java/lang/Runtime.exit", "java/lang/System.exit"];
        assert!(!is_halt(&stack(&[halt0, halt, exit[0], exit[1], exit[2], "Main.halt"])));
        assert!(!is_halt(&stack(&["Main.halt", "Main.main"])));
        assert!(!is_halt(&[]));
    }
}

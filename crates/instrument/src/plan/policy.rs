//! What gets probes and what does not, and why.
//!
//! Whatever is left alone here is listed in the profile. Frames without
//! probes are transparent: what they call hangs below the last call site that
//! has one.

use classfile::Member;

use crate::modified_utf8;

/// Marks methods that the compilers may replace by code of their own.
pub const INTRINSIC: &[u8] = b"Ljdk/internal/vm/annotation/IntrinsicCandidate;";

/// True for a method that has no probes, as all of method handles, but calls
/// methods that have, and no longer does when it is compiled: their counts
/// would be left to chance, so it loses its intrinsic.
pub fn calls_less_when_compiled(class: &str, method: &[u8]) -> bool {
    method == b"profileBoolean" && class == "java/lang/invoke/MethodHandleImpl"
}

/// Marks methods in which the current thread is not what it seems.
const SWITCHES_THREADS: [&[u8]; 3] = [
    b"Ljdk/internal/vm/annotation/ChangesCurrentThread;",
    b"Ljdk/internal/vm/annotation/JvmtiHideEvents;",
    b"Ljdk/internal/vm/annotation/JvmtiMountTransition;",
];

/// What the agent does with a class.
#[derive(Debug, PartialEq, Eq)]
pub enum ClassPolicy {
    /// Its methods get probes.
    Instrument,
    /// It stays as it is, for a reason that the user is told.
    Plain(&'static str),
    /// It belongs to the agent.
    Ours,
}

/// Decides about a class by its internal name.
pub fn class_policy(name: &str) -> ClassPolicy {
    use ClassPolicy::{Instrument, Ours, Plain};
    if name.starts_with("java/lang/Subsume") || name.starts_with("subsume/") {
        return Ours;
    }
    // One look at the package spares the comparisons for most classes.
    if !name.starts_with("java/lang/") && !name.starts_with("jdk/internal/") {
        return Instrument;
    }
    if name.starts_with("java/lang/invoke/") {
        return Plain("method handles are compiled by rules of their own");
    }
    if name.starts_with("java/lang/VirtualThread")
        || name.starts_with("java/lang/ThreadBuilders$BoundVirtualThread")
        || name.starts_with("jdk/internal/vm/Continuation")
    {
        return Plain("it switches between virtual threads");
    }
    if name.starts_with("jdk/internal/vm/") {
        return Plain("the JVM has rules of its own for it");
    }
    if name == "jdk/internal/misc/Unsafe" {
        return Plain("its methods are single machine instructions");
    }
    Instrument
}

/// Why an event of the class library has no probes where the agent came into a running JVM.
pub const FLIGHT_RECORDER: &str =
    "the JVM would load its flight recorder to retransform it, or the recorder would warn";

/// True for the events of the class library and of the flight recorder itself. To retransform one
/// of the library that is loaded, JVMs from JDK 21 on load the flight recorder's classes, and
/// events that are loaded afterwards have fields of other types. If the recorder is there, that
/// of JDK 25 warns on the program's output when its own are retransformed. Nothing of that may
/// happen in a program that does not know of the agent.
pub fn is_own_event(class: &[u8]) -> bool {
    class.starts_with(b"jdk/internal/event/") || class.starts_with(b"jdk/jfr/events/")
}

/// What the agent does with a method that has bytecodes.
#[derive(Debug, PartialEq, Eq)]
pub enum MethodPolicy {
    /// It gets probes.
    Instrument,
    /// It gets probes; its annotation must go, or compiled code may replace it.
    InstrumentIntrinsic,
    /// It keeps its body and its intrinsic; its callers count it as one step.
    Opaque,
    /// It stays as it is, for a reason that the user is told.
    Plain(&'static str),
    /// It stays as it is and needs no mention: its callers account for it exactly.
    Derived,
}

/// Decides about a method of a class that is to be instrumented.
pub fn method_policy(class: &str, method: &Member<'_>, bytecode: &[u8]) -> MethodPolicy {
    use MethodPolicy::{Derived, Instrument, InstrumentIntrinsic, Opaque, Plain};
    const RETURN: u8 = 0xb1;
    if method.name() == b"finalize" && method.descriptor() == b"()V" && bytecode == [RETURN] {
        // With a probe in it the JVM would take it for a finalizer that does
        // something, and every object of the class would wait for it.
        return Plain("an empty finalizer must stay empty");
    }
    if class == "org/openjdk/jmh/infra/Blackhole" && bytecode == [RETURN] {
        // -XX:CompileCommand=blackhole asks for empty methods, and the JVM says so of others.
        return Plain("an empty method that swallows values must stay empty");
    }
    if class == "java/lang/Object" && method.name() == b"<init>" {
        return Derived;
    }
    if !class.starts_with("java/") && !class.starts_with("jdk/") && !is_kernel_package(class) {
        return Instrument;
    }
    if SWITCHES_THREADS.iter().any(|annotation| method.has_annotation(annotation)) {
        return Plain("the current thread changes in it");
    }
    if !method.has_annotation(INTRINSIC) {
        return Instrument;
    }
    if is_opaque(class, method.name()) { Opaque } else { InstrumentIntrinsic }
}

fn is_kernel_package(class: &str) -> bool {
    class.starts_with("sun/security/provider/") || class.starts_with("com/sun/crypto/provider/")
}

/// Intrinsics that stay: the interpreter replaces their bodies too, or the
/// body is a kernel that is many times slower than its machine code.
fn is_opaque(class: &str, method: &[u8]) -> bool {
    match class {
        "java/lang/Math" | "java/lang/StrictMath" => matches!(
            method,
            b"sin"
                | b"cos"
                | b"tan"
                | b"tanh"
                | b"sinh"
                | b"cbrt"
                | b"exp"
                | b"log"
                | b"log10"
                | b"pow"
                | b"sqrt"
                | b"abs"
                | b"fma"
        ),
        "java/lang/ref/Reference" | "java/lang/ref/PhantomReference" => true,
        "java/lang/ref/SoftReference" => true,
        "java/lang/Thread" => true,
        "java/lang/Float" | "java/lang/Double" => {
            // Float.float16ToFloat and such are replaced by the interpreter.
            method.starts_with(b"float") || method.ends_with(b"Bits")
        }
        "java/util/zip/CRC32" | "java/util/zip/CRC32C" | "java/util/zip/Adler32" => true,
        "java/math/BigInteger" | "java/math/MutableBigInteger" => true,
        _ => is_kernel_package(class),
    }
}

/// True for natives, and opaque methods, that never call back into Java: a
/// counter in the caller's node is enough for them.
pub fn never_calls_back(class: &str, method: &[u8]) -> bool {
    match class {
        "jdk/internal/misc/Unsafe" => !matches!(
            method,
            b"allocateInstance"
                | b"ensureClassInitialized0"
                | b"ensureClassInitialized"
                | b"defineClass"
                | b"defineClass0"
                | b"throwException"
        ),
        "java/lang/Object" => {
            method == b"getClass"
                || method == b"hashCode"
                || method == b"notify"
                || method == b"notifyAll"
        }
        "java/lang/System" => {
            matches!(
                method,
                b"arraycopy" | b"identityHashCode" | b"nanoTime" | b"currentTimeMillis"
            )
        }
        "java/lang/Class" => matches!(
            method,
            b"isInstance"
                | b"isAssignableFrom"
                | b"isInterface"
                | b"isArray"
                | b"isPrimitive"
                | b"isHidden"
                | b"getModifiers"
                | b"getSuperclass"
                | b"desiredAssertionStatus0"
        ),
        "java/lang/Thread" => !matches!(method, b"start0" | b"ensureMaterializedForStackWalk"),
        "java/lang/Math"
        | "java/lang/StrictMath"
        | "java/lang/Float"
        | "java/lang/Double"
        | "java/lang/Runtime"
        | "java/lang/String"
        | "java/lang/ref/Reference"
        | "java/lang/ref/PhantomReference"
        | "java/lang/ref/SoftReference"
        | "java/util/zip/CRC32"
        | "java/util/zip/CRC32C"
        | "java/util/zip/Adler32"
        | "java/math/BigInteger"
        | "java/math/MutableBigInteger" => true,
        _ => is_kernel_package(class),
    }
}

/// The class's name for the user: dots, and without the numbers that differ
/// from run to run in names of generated classes.
pub fn display_name(internal: &[u8]) -> String {
    let name = modified_utf8::decode(internal).replace('/', ".");
    for marker in ["$$Lambda", "GeneratedMethodAccessor", "GeneratedConstructorAccessor"] {
        if let Some(at) = name.find(marker) {
            let (stem, rest) = name.split_at(at + marker.len());
            let generated = rest.trim_start_matches('$');
            if generated.bytes().all(|b| b.is_ascii_digit()) {
                return stem.to_owned();
            }
        }
    }
    name
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events_of_the_class_library() {
        assert!(is_own_event(b"jdk/internal/event/ProcessStartEvent"));
        assert!(is_own_event(b"jdk/jfr/events/ActiveRecordingEvent"));
        assert!(!is_own_event(b"jdk/jfr/Event") && !is_own_event(b"jdk/internal/misc/VM"));
    }

    #[test]
    fn generated_names_lose_their_numbers() {
        for (internal, shown) in [
            ("a/B$$Lambda$14", "a.B$$Lambda"),
            ("a/B$$Lambda", "a.B$$Lambda"),
            ("a/B$$LambdaLike$x", "a.B$$LambdaLike$x"),
            (
                "jdk/internal/reflect/GeneratedMethodAccessor7",
                "jdk.internal.reflect.GeneratedMethodAccessor",
            ),
            ("a/B$1", "a.B$1"),
        ] {
            assert_eq!(display_name(internal.as_bytes()), shown);
        }
    }

    #[test]
    fn special_classes() {
        assert_eq!(class_policy("java/util/HashMap"), ClassPolicy::Instrument);
        assert_eq!(class_policy("subsume/Callback"), ClassPolicy::Ours);
        assert!(matches!(
            class_policy("java/lang/VirtualThread$VThreadContinuation"),
            ClassPolicy::Plain(_)
        ));
        assert!(matches!(class_policy("jdk/internal/vm/Continuation"), ClassPolicy::Plain(_)));
        assert_eq!(class_policy("java/lang/Thread"), ClassPolicy::Instrument);
    }
}

//! Methods with code that is not followed, as the agent does not follow it
//! either, and methods that the machine has its own way to do.

use classfile::Member;

const INTRINSIC: &[u8] = b"Ljdk/internal/vm/annotation/IntrinsicCandidate;";

/// True for classes of which the machine does some methods in its own way,
/// though they are Java code that a recording follows.
pub fn is_stand_in(class: &str) -> bool {
    const CLASSES: [&str; 13] = [
        "java/util/EnumMap",
        "java/util/EnumSet",
        "Reflected",
        "java/io/PrintStream",
        "java/lang/Class",
        "java/lang/System",
        "java/lang/Thread",
        "java/util/concurrent/locks/LockSupport",
        "jdk/internal/misc/CDS",
        "jdk/internal/misc/VM",
        "jdk/internal/reflect/AccessorUtils",
        "jdk/internal/reflect/ReflectionFactory",
        "jdk/internal/util/Preconditions",
    ];
    CLASSES.contains(&class)
}

/// True for a method that the rules see as native.
pub fn is_opaque(class: &str, method: &Member<'_>) -> bool {
    let name = method.name();
    match class {
        // Intrinsics that keep their machine code.
        "java/lang/Math" | "java/lang/StrictMath" => {
            const KEPT: [&[u8]; 13] = [
                b"sin", b"cos", b"tan", b"tanh", b"sinh", b"cbrt", b"exp", b"log", b"log10",
                b"pow", b"sqrt", b"abs", b"fma",
            ];
            KEPT.contains(&name) && method.has_annotation(INTRINSIC)
        }
        "java/lang/Float" | "java/lang/Double" => {
            method.has_annotation(INTRINSIC)
                && (name.starts_with(b"float") || name.ends_with(b"Bits"))
        }
        "java/lang/ref/Reference" | "java/lang/ref/SoftReference" => {
            // What it starts when the JVM starts is never needed.
            method.has_annotation(INTRINSIC) || name == b"<clinit>"
        }
        "jdk/internal/misc/Unsafe" => !matches!(name, b"<init>" | b"<clinit>" | b"getUnsafe"),
        // Output, and questions to a JVM that was never started.
        "java/io/PrintStream" => matches!(name, b"println" | b"print"),
        "jdk/internal/misc/VM" => matches!(name, b"getSavedProperty" | b"isBooted" | b"initLevel"),
        "jdk/internal/misc/CDS" => true,
        "java/lang/Class" => matches!(
            name,
            b"desiredAssertionStatus"
                | b"getClassLoader"
                | b"getClassLoader0"
                | b"getEnumConstantsShared"
                | b"getName"
                | b"getSimpleName"
                | b"isArray"
                | b"isPrimitive"
                | b"getComponentType"
                | b"isEnum"
                | b"isRecord"
        ),

        "java/lang/System" => matches!(
            name,
            b"getSecurityManager"
                | b"getProperty"
                | b"allowSecurityManager"
                | b"load"
                | b"<clinit>"
        ),
        "java/lang/Thread" => {
            matches!(
                name,
                b"start"
                    | b"join"
                    | b"genThreadName"
                    | b"currentThread"
                    | b"setDaemon"
                    | b"setName"
            )
        }
        "java/util/concurrent/locks/LockSupport" | "Reflected" => true,
        "jdk/internal/util/Preconditions" => name == b"outOfBoundsMessage",
        "java/util/EnumMap" => name == b"getKeyUniverse",
        "java/util/EnumSet" => name == b"getUniverse",
        "jdk/internal/reflect/ReflectionFactory" => name == b"inflationThreshold",
        "jdk/internal/reflect/AccessorUtils" => name == b"isIllegalArgument",
        _ => false,
    }
}

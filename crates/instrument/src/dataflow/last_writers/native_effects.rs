//! Native methods, and methods like them, that leave everything as it was.

/// All of these classes.
const CLASSES: [&[u8]; 8] = [
    b"java/lang/Math",
    b"java/lang/StrictMode",
    b"java/lang/Float",
    b"java/lang/Double",
    b"java/lang/StringLatin1",
    b"java/lang/StringUTF16",
    b"java/lang/StringCoding",
    b"jdk/internal/util/ArraysSupport",
];

/// Those of other classes; what is not named may have effects.
const METHODS: [(&[u8], &[&[u8]]); 9] = [
    (b"java/lang/Object", &[b"<init>", b"getClass", b"hashCode", b"clone"]),
    (b"java/lang/String", &[b"intern"]),
    (b"java/lang/System", &[b"identityHashCode", b"nanoTime", b"currentTimeMillis", b"arraycopy"]),
    (b"java/lang/Thread", &[b"currentThread", b"currentCarrierThread", b"holdsLock"]),
    (b"java/lang/Runtime", &[b"availableProcessors", b"freeMemory", b"totalMemory"]),
    (
        b"java/lang/Class",
        &[
            b"isInstance",
            b"isAssignableFrom",
            b"isInterface",
            b"isArray",
            b"isPrimitive",
            b"isHidden",
            b"getSuperclass",
            b"getInterfaces0",
            b"getModifiers",
            b"getPrimitiveClass",
        ],
    ),
    (b"java/lang/reflect/Array", &[b"getLength", b"get", b"newArray"]),
    (b"jdk/internal/reflect/Reflection", &[b"getCallerClass", b"getClassAccessFlags"]),
    (b"java/util/Arrays", &[b"equals", b"copyOf", b"copyOfRange"]),
];

/// Whether a method is known to leave everything as it was. `System.arraycopy`, which
/// does not, tells what it writes.
pub fn has_none(class: &[u8], name: &[u8]) -> bool {
    // Methods of method handles do what the methods that they call tell.
    let reads_memory = class == b"jdk/internal/misc/Unsafe"
        && (name.starts_with(b"get") && !is_exchange(name)
            || matches!(name, b"allocateUninitializedArray" | b"allocateInstance"));
    class == b"java/lang/invoke/MethodHandle"
        || CLASSES.contains(&class)
        || reads_memory
        || METHODS.iter().any(|(of, names)| *of == class && names.contains(&name))
}

/// `getAndSet` and its like also write.
fn is_exchange(name: &[u8]) -> bool {
    name.starts_with(b"getAnd")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_known_may_have_effects() {
        assert!(has_none(b"java/lang/Math", b"sin"));
        assert!(has_none(b"jdk/internal/misc/Unsafe", b"getLongUnaligned"));
        assert!(!has_none(b"jdk/internal/misc/Unsafe", b"getAndAddInt"));
        assert!(!has_none(b"jdk/internal/misc/Unsafe", b"putInt"));
        assert!(!has_none(b"java/io/FileOutputStream", b"writeBytes"));
        assert!(!has_none(b"java/lang/Object", b"notifyAll"));
    }
}

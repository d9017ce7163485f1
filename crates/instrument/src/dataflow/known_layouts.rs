//! Classes whose objects HotSpot accesses by a layout that it does not read from the class.
//!
//! HotSpot looks most fields that it needs up by name when it starts (`javaClasses.cpp`), so
//! that fields beside them do no harm: those of `String`, `Class`, `Thread`, `Throwable`,
//! `Reference`, `MemberName`, call sites, `Module`, stack walking, reflection and
//! continuations. Here are the others. `tests/side-effects` has the whole list as a program
//! (`KnownToTheJvm`).

/// What is to be heeded when a class gets fields.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Layout {
    /// The class's own fields follow those that are added, by the JVM's rule that larger
    /// fields come first, and those of one size in the order of the class file.
    ValueLast,
    /// It may have no other fields.
    Fixed,
    /// Any field does.
    Any,
}

/// The boxes of values of at most four bytes. HotSpot looks up where `Integer` has its value
/// and takes that for all of these (`java_lang_boxing_object`): when it boxes and unboxes
/// for reflection and `Array`, and when it makes boxes that compiled code had left out. So
/// all of them have the added field of four bytes first, and then the value. `Long` and
/// `Double` have the value first in any case; it is larger.
const BOXES: [&[u8]; 6] = [
    b"java/lang/Boolean",
    b"java/lang/Byte",
    b"java/lang/Character",
    b"java/lang/Short",
    b"java/lang/Integer",
    b"java/lang/Float",
];

/// Fillers of the heap, whose size the collectors rely on.
const FILLER: &[u8] = b"jdk/internal/vm/FillerObject";

/// Vectors, masks and shuffles of the Vector API extend `VectorSupport.VectorPayload`. C2
/// holds them in registers and describes each to deoptimisation as an object of one field
/// (`PhaseVector::scalarize_vbox_node`).
const VECTORS: [&[u8]; 2] = [b"jdk/internal/vm/vector/VectorSupport", b"jdk/incubator/vector/"];

/// What is to be heeded for the class of this internal name.
pub fn layout_of(class: &[u8]) -> Layout {
    if class == FILLER || VECTORS.iter().any(|vectors| class.starts_with(vectors)) {
        Layout::Fixed
    } else if BOXES.contains(&class) {
        Layout::ValueLast
    } else {
        Layout::Any
    }
}

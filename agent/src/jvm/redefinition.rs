//! Redefinitions, by us and by others, within which no class can be redefined.
//!
//! HotSpot verifies the new version of a class in the thread that redefines it. For old class
//! files it does so with a verifier that asks the JVM for constants by class, and means the
//! new version. That the JVM takes it so is noted in one place for each thread, which the
//! next redefinition of that thread overwrites and empties. So a redefinition while an old
//! class is verified makes the verifier read constants of the version before: it refuses
//! the class, or the JVM crashes.
//!
//! There may be one, since the verifier loads classes: their loader, and the hooks of other
//! agents, are Java code, which links classes that we have [left](super::unlinked).

use std::cell::Cell;

use jvmti_bindings::sys::jni::{jclass, jint};

use super::jvmti::Jvmti;

/// HotSpot verifies class files up to this version with its old verifier, those of the
/// last one where the new verifier fails.
const LAST_OLD: u16 = 50;

/// Where a thread is that redefines an old class.
#[derive(Debug, Clone, Copy)]
struct Place {
    /// Frames on its stack.
    frames: jint,
    /// The innermost method, which is native; `None` if there is none.
    method: Option<usize>,
}

thread_local! {
    static PLACE: Cell<Option<Place>> = const { Cell::new(None) };
}

/// For the hook: this thread redefines a class, which the JVM verifies next.
pub fn begins(jvmti: Jvmti, class: &[u8]) {
    let place = || {
        let frames = jvmti.frame_count().ok()?;
        Some(Place { frames, method: jvmti.method_at(0).ok() })
    };
    PLACE.set(if is_old(class) { place() } else { None });
}

/// This thread has redefined what it was to.
pub fn ends() {
    PLACE.set(None);
}

/// Whether this thread may be verifying an old class that is redefined, if Java code runs in
/// it now.
pub fn is_under_way(jvmti: Jvmti) -> bool {
    let Some(place) = PLACE.get() else { return false };
    let is_within = || {
        let frames = jvmti.frame_count().ok()?;
        // What the JVM calls while it redefines lies above the native method that asked.
        let above = frames - place.frames;
        Some(above > 0 && place.method == jvmti.method_at(above).ok())
    };
    let is_within = is_within().unwrap_or(false);
    if !is_within {
        ends();
    }
    is_within
}

/// Whether HotSpot may verify a class with its old verifier.
pub fn is_of_old_version(jvmti: Jvmti, class: jclass) -> bool {
    jvmti.major_version(class).is_ok_and(|major| major <= jint::from(LAST_OLD))
}

fn is_old(class: &[u8]) -> bool {
    // Magic number, minor version, major version.
    matches!(class.get(6..8), Some(&[high, low]) if u16::from_be_bytes([high, low]) <= LAST_OLD)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn old_class_files_are_known_by_their_version() {
        let of = |major: u16| [&[0xCA, 0xFE, 0xBA, 0xBE, 0, 3], &major.to_be_bytes()[..]].concat();
        assert_eq!(
            [45, 49, 50, 51, 69, 306].map(|major| is_old(&of(major))),
            [true, true, true, false, false, false]
        );
        assert!(!is_old(b"short"));
    }
}

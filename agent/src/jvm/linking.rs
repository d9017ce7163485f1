//! Linking classes before they are retransformed.
//!
//! Of a class that no agent has changed yet, HotSpot does not have the class
//! file any more. A retransformation makes one up from what the JVM has parsed,
//! and at that moment another thread may be linking the class: then some or all
//! instructions hold places in the JVM's own tables instead of numbers of
//! constants. What the hook returns cannot mend that, since the JVM keeps what
//! it made up for the next retransformation; and where the hook returns nothing,
//! the JVM parses it, and does something else or crashes (JDK-8277444, mended
//! in newer JVMs). What is linked already is made up right.
//!
//! The JVM would also keep class files if the hook gave it a copy of each as it
//! is loaded. But JDK 17 goes on with what it has kept when somebody redefines
//! the class, and a switch would undo the redefinition.
//!
//! A retransformation links what is not linked, but only after all that, and
//! JVM TI has no function that does nothing else. One that must fail has no
//! other effect, however: the JVM reads what the hook returns, links the class,
//! compares both, and refuses other modifiers of the class. By then it has not
//! looked at any instruction of what it has read. (Agents whose hooks come after
//! ours see the modifier, and right afterwards the class as it is.)
//!
//! In the same way the JVM can be had to show a class: what it cannot even read ends the
//! retransformation at once.

use std::cell::Cell;

use classfile::ClassFile;
use jvmti_bindings::sys::jni::jclass;

use super::jvmti::Jvmti;
use super::redefinition;
use super::session::Session;
use instrument::modified_utf8;
use instrument::rewrite::class_load::LoadRequest;

/// What a retransformation is for that must fail.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Purpose {
    Link,
    Show,
}

/// No class file.
const NONSENSE: &[u8] = &[0];

thread_local! {
    /// Signature of the class that this thread is linking or is shown; empty, none.
    static ASKED: Cell<(Vec<u8>, Purpose)> = const { Cell::new((Vec::new(), Purpose::Link)) };
}

/// Has the JVM link a class that is loaded, if it is not linked; true if it is
/// linked afterwards.
pub fn link(jvmti: Jvmti, class: jclass) -> bool {
    if !jvmti.is_linked(class) {
        retransform_in_vain(jvmti, class, Purpose::Link);
    }
    jvmti.is_linked(class)
}

/// Has the JVM show a loaded class to the recorder, which leaves it as it is.
pub fn show(jvmti: Jvmti, class: jclass) {
    retransform_in_vain(jvmti, class, Purpose::Show);
}

fn retransform_in_vain(jvmti: Jvmti, class: jclass, purpose: Purpose) {
    let Ok(signature) = jvmti.class_signature(class) else { return };
    ASKED.set((signature.into(), purpose));
    // Why it fails does not matter; it always does.
    let _ = jvmti.retransform(&[class]);
    redefinition::ends();
    ASKED.set((Vec::new(), Purpose::Link));
}

/// For the hook, when a class is redefined: what to return if that class is
/// only to be linked or to be shown.
pub fn instead_of(session: &Session, request: &LoadRequest<'_>) -> Option<Vec<u8>> {
    let purpose = purpose_of(request.name.unwrap_or_default())?;
    Some(match purpose {
        Purpose::Link => with_another_modifier(request.bytes),
        Purpose::Show => {
            session.recorder.transform(request);
            NONSENSE.to_vec()
        }
    })
}

/// What this thread has asked the class for, if it has; that is over then.
fn purpose_of(name: &[u8]) -> Option<Purpose> {
    let (signature, purpose) = ASKED.replace((Vec::new(), Purpose::Link));
    if modified_utf8::class_in(&signature) == Some(name) {
        return Some(purpose);
    }
    // Another agent's hook, called before, redefines classes itself.
    ASKED.set((signature, purpose));
    None
}

/// The class as one that the JVM reads, but does not accept in place of it.
fn with_another_modifier(class: &[u8]) -> Vec<u8> {
    const ACC_SYNTHETIC_HIGH: u8 = 0x10;
    let mut bytes = class.to_vec();
    let modifiers = ClassFile::parse(class).ok().map(|class| class.constant_pool().range().end);
    match modifiers.and_then(|at| bytes.get_mut(at)) {
        Some(high) => *high ^= ACC_SYNTHETIC_HIGH,
        // The JVM does not even read this, so the class stays as it is.
        None => bytes.truncate(1),
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_modifier_of_the_class_differs() {
        let class = crate::shim::PROFILE_API;
        let changed = with_another_modifier(class);
        let differs = |at: &usize| class[*at] != changed[*at];
        let at: Vec<usize> = (0..class.len()).filter(differs).collect();
        let pool = ClassFile::parse(class).expect("javac made it").constant_pool().range();
        assert_eq!((changed.len(), at), (class.len(), vec![pool.end]));
        assert_eq!(with_another_modifier(&changed), class);
        assert_eq!(with_another_modifier(b"nonsense"), b"n");
    }
}

//! Having the JVM ask for loaded classes again.

use jvmti_bindings::sys::jni::jclass;

use super::session::Session;
use super::{advance, linking};
use recorder::modified_utf8;
use recorder::plan::policy;

/// All classes that are loaded and may be rewritten; of a JVM that was attached to, without
/// the events of the class library. So many local references are worth a frame of their own
/// ([`Session::in_frame`]).
pub fn modifiable_classes(session: &Session) -> Option<Vec<jclass>> {
    let mut classes = session.jvmti.loaded_classes().ok()?.as_slice().to_vec();
    let is_attached = session.recorder.is_attached();
    classes.retain(|&class| {
        session.jvmti.is_modifiable(class) && !(is_attached && is_own_event(session, class))
    });
    Some(classes)
}

/// False for a class that is the same with and without recording: an interface without code.
pub fn may_have_probes(session: &Session, class: jclass) -> bool {
    !session.jvmti.is_interface_without_code(class)
}

/// Lists the loaded events of the class library as not instrumented.
pub fn list_events(session: &Session) {
    session.in_frame(|| {
        let Ok(loaded) = session.jvmti.loaded_classes() else { return };
        for &class in loaded.as_slice() {
            if is_own_event(session, class) {
                skip(session, class, policy::FLIGHT_RECORDER);
            }
        }
    });
}

fn is_own_event(session: &Session, class: jclass) -> bool {
    policy::is_own_event(&session.jvmti.class_name(class).unwrap_or_default())
}

/// Links the classes, and then retransforms those that are linked: if another
/// thread linked one meanwhile, the JVM would take it for another class, see
/// [`linking`]. One that cannot be linked stays as it is and is listed.
pub fn retransform_all(session: &Session, classes: &[jclass]) {
    let (linked, others) = linked_classes(session, classes);
    advance::begin(linked.len());
    retransform(session, &linked);
    advance::end();
    for class in others {
        skip(session, class, "the JVM does not link the class");
    }
}

/// Links the classes; those that are linked, and the others.
pub fn linked_classes(session: &Session, classes: &[jclass]) -> (Vec<jclass>, Vec<jclass>) {
    classes.iter().partition(|&&class| linking::link(session.jvmti, class))
}

/// Lists a class as one that was not instrumented.
pub fn skip(session: &Session, class: jclass, reason: &str) {
    let name = session.jvmti.class_name(class).unwrap_or_default();
    session.recorder.writer.skip(&modified_utf8::decode(&name).replace('/', "."), "", reason);
}

/// Retransforms the classes; one that the JVM refuses stays as it is and is
/// listed, the others do not suffer.
pub fn retransform(session: &Session, classes: &[jclass]) {
    let Err(error) = session.jvmti.retransform(classes) else { return };
    match classes {
        [] => {}
        [class] => {
            let reason = format!("the JVM refuses the rewritten class ({error:?})");
            skip(session, *class, &reason);
        }
        _ => {
            let (left, right) = classes.split_at(classes.len() / 2);
            retransform(session, left);
            retransform(session, right);
        }
    }
}

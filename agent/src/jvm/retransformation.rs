//! Having the JVM ask for loaded classes again.

use jvmti_bindings::sys::jni::jclass;
use parking_lot::Mutex;

use super::global_class::GlobalClass;
use super::jni::Jni;
use super::session::Session;
use super::{advance, linking, redefinition};
use instrument::modified_utf8;
use instrument::plan::policy;

/// Classes that were linked where nothing could be retransformed.
static PUT_OFF: Mutex<Vec<GlobalClass>> = Mutex::new(Vec::new());

/// All classes that are loaded and may be rewritten; of a JVM that was attached to, without
/// the events of the class library. These are many local references, so they get a frame of
/// their own ([`Session::in_frame`]).
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
    skip_named(session, &name, reason);
}

/// Lists the class of this internal name as one that was not instrumented. It is known from
/// now on, and not listed as unseen.
pub fn skip_named(session: &Session, name: &[u8], reason: &str) {
    session.recorder.noticed.note(name, true);
    session.recorder.writer.skip(&modified_utf8::decode(name).replace('/', "."), "", reason);
}

/// Retransforms a class that the current thread has just linked, or puts that off where it
/// would end badly.
pub fn retransform_linked(session: &Session, jni: Jni, class: jclass) {
    if redefinition::is_under_way(session.jvmti) {
        skip(
            session,
            class,
            "it was linked while an old class was redefined: what it did first is missing",
        );
        if let Some(class) = jni.global(class) {
            PUT_OFF.lock().push(GlobalClass::new(class));
        }
        return;
    }
    session.unrecorded(jni, || retransform(session, &[class]));
}

/// Retransforms the classes for which that was put off, if this thread can.
pub fn make_up_for(session: &Session) {
    while !PUT_OFF.lock().is_empty() && !redefinition::is_under_way(session.jvmti) {
        let Some(jni) = session.vm.current() else { return };
        let classes = std::mem::take(&mut *PUT_OFF.lock());
        let references: Vec<jclass> = classes.iter().map(GlobalClass::reference).collect();
        session.unrecorded(jni, || retransform_in_order(session, &references));
        for class in classes {
            jni.forget_global(class.reference());
        }
    }
}

/// Retransforms the classes; one that the JVM refuses stays as it is and is
/// listed, the others do not suffer.
pub fn retransform(session: &Session, classes: &[jclass]) {
    retransform_in_order(session, classes);
    make_up_for(session);
}

fn retransform_in_order(session: &Session, classes: &[jclass]) {
    // What is linked while an old class is verified has to wait, so these come last.
    let is_old = |&&class: &&jclass| redefinition::is_of_old_version(session.jvmti, class);
    let (old, others): (Vec<jclass>, Vec<jclass>) = classes.iter().partition(is_old);
    retransform_together(session, &others);
    retransform_together(session, &old);
}

fn retransform_together(session: &Session, classes: &[jclass]) {
    if classes.is_empty() {
        return;
    }
    let result = session.jvmti.retransform(classes);
    redefinition::ends();
    let Err(error) = result else { return };
    if let [class] = classes {
        let reason = format!("the JVM refuses the rewritten class ({error:?})");
        skip(session, *class, &reason);
        return;
    }
    let (left, right) = classes.split_at(classes.len() / 2);
    retransform_together(session, left);
    retransform_together(session, right);
}

//! Which loader defines a class, and from what.
//!
//! Of a class that the JVM is about to define there is no more than its loader and its
//! protection domain. What they say is read from the fields of objects, so that no code in
//! Java is executed. Fields are looked up in the classes of the JDK that declare them: JNI
//! initialises the class that it looks in, or waits until another thread has done that. Of
//! these there is an object, so they are initialised; of a subclass there may be one while
//! its initialiser waits for the class that is being defined.

use std::ffi::CStr;

use jvmti_bindings::sys::jni::{jclass, jobject};
use profile::{Definition, Loader};

use super::jni::Jni;
use super::session::Session;

/// Classes of the loaders that come with the JDK, by their internal names.
const BUILT_IN: [(&[u8], Loader); 2] = [
    (b"jdk/internal/loader/ClassLoaders$AppClassLoader", Loader::Application),
    (b"jdk/internal/loader/ClassLoaders$PlatformClassLoader", Loader::Platform),
];

/// The number of local references that are made, unless subclasses lie deep.
const REFERENCES: usize = 32;

/// The number of characters of a location that are kept.
const LONGEST: usize = 2048;

/// Who defines a class; null is the boot loader, and no protection domain.
pub fn definition(session: &Session, loader: jobject, domain: jobject) -> Definition {
    if loader.is_null() {
        return Definition::BOOT;
    }
    let Some(jni) = session.vm.current() else { return Definition::UNKNOWN };
    // The agent itself may have the class rewritten, while it has references to many: these are
    // counted when the frame ends.
    jni.reserve_references();
    jni.in_frame(REFERENCES, || Definition {
        loader: kind(session, jni, loader),
        location: location(session, jni, domain).unwrap_or_default(),
    })
}

fn kind(session: &Session, jni: Jni, loader: jobject) -> Loader {
    let name = jni.class_of(loader).and_then(|class| session.jvmti.class_name(class).ok());
    let Some(name) = name else { return Loader::Unknown };
    let built_in = BUILT_IN.iter().find(|(known, _)| **known == *name);
    built_in.map_or(Loader::Other, |&(_, loader)| loader)
}

/// The URL of the code source, as it would print itself, without its host and its query, in
/// which there may be secrets.
fn location(session: &Session, jni: Jni, domain: jobject) -> Option<String> {
    if domain.is_null() {
        return None;
    }
    let read = |object, class: &[u8], name: &CStr, signature: &CStr| {
        let is_it = |&of: &jclass| session.jvmti.class_name(of).is_ok_and(|name| *name == *class);
        let declaring = jni.with_superclasses(jni.class_of(object)?).find(is_it)?;
        jni.get_object(object, jni.field(declaring, name, signature)?)
    };
    const DOMAIN: &[u8] = b"java/security/ProtectionDomain";
    let source = read(domain, DOMAIN, c"codesource", c"Ljava/security/CodeSource;")?;
    let url = read(source, b"java/security/CodeSource", c"location", c"Ljava/net/URL;")?;
    let text = |name| jni.string(read(url, b"java/net/URL", name, c"Ljava/lang/String;")?.cast());
    let location = format!("{}:{}", text(c"protocol")?, text(c"path")?);
    Some(location.chars().take(LONGEST).collect())
}

//! Which loader defines a class, and from what.
//!
//! Of a class that the JVM is about to define there is no more than its loader and its
//! protection domain. What they say is read from the fields of objects, so that no code in
//! Java is executed, and no class is initialised that was not: there is an object of it.

use std::ffi::CStr;

use jvmti_bindings::sys::jni::jobject;
use profile::{Definition, Loader};

use super::jni::Jni;
use super::session::Session;

/// Classes of the loaders that come with the JDK, by their internal names.
const BUILT_IN: [(&[u8], Loader); 2] = [
    (b"jdk/internal/loader/ClassLoaders$AppClassLoader", Loader::Application),
    (b"jdk/internal/loader/ClassLoaders$PlatformClassLoader", Loader::Platform),
];

/// So many local references are made at most.
const REFERENCES: usize = 12;

/// Who defines a class; null is the boot loader, and no protection domain.
pub fn definition(session: &Session, loader: jobject, domain: jobject) -> Definition {
    if loader.is_null() {
        return Definition::BOOT;
    }
    let Some(jni) = session.vm.current() else { return Definition::UNKNOWN };
    jni.in_frame(REFERENCES, || Definition {
        loader: kind(session, jni, loader),
        location: location(jni, domain).unwrap_or_default(),
    })
}

fn kind(session: &Session, jni: Jni, loader: jobject) -> Loader {
    let name = jni.class_of(loader).and_then(|class| session.jvmti.class_name(class).ok());
    let Some(name) = name else { return Loader::Unknown };
    let built_in = BUILT_IN.iter().find(|(known, _)| **known == *name);
    built_in.map_or(Loader::Other, |&(_, loader)| loader)
}

/// The URL of the code source, as it would print itself, without its host.
fn location(jni: Jni, domain: jobject) -> Option<String> {
    if domain.is_null() {
        return None;
    }
    let read = |object, name: &CStr, signature: &CStr| {
        let field = jni.field(jni.class_of(object)?, name, signature)?;
        jni.get_object(object, field)
    };
    let source = read(domain, c"codesource", c"Ljava/security/CodeSource;")?;
    let url = read(source, c"location", c"Ljava/net/URL;")?;
    let text = |name| jni.string(read(url, name, c"Ljava/lang/String;")?.cast());
    Some(format!("{}:{}", text(c"protocol")?, text(c"file")?))
}

//! The natives that the agent binds are those that the runtime classes declare.

use std::collections::BTreeSet;

use classfile::{ClassFile, access};

use super::jni::Native;
use super::{
    allocation_natives, clock_cache_natives, cost_natives, dataflow_natives, identity_natives,
    input_natives, intrinsic_natives, invalidation_natives, loop_natives, natives, null_natives,
    result_natives, slot_natives, static_natives, structure_natives, tag_natives, text_natives,
    typestate_natives,
};
use crate::shim::RUNTIME_CLASSES;
use instrument::modified_utf8;

/// The native that the JVM finds by its exported name; it binds the others.
const BINDS: (&str, &str) = ("bindNatives", "()V");

/// Each class with what is bound in it. The path leads to the function that the JVM
/// finds; without one it does not compile.
macro_rules! bound {
    ($($class:ident: $module:ident::$binds:ident,)*) => {
        [$((stringify!($class), stringify!($binds), $module::$binds as *const (), $module::natives().to_vec()),)*]
    };
}

/// Name and descriptor of natives.
type Names = BTreeSet<(String, String)>;

#[allow(clippy::disallowed_methods, reason = "names of our own")]
fn names(natives: &[Native]) -> Names {
    let text = |text: &std::ffi::CStr| text.to_str().expect("is UTF-8").to_owned();
    let named = natives.iter().map(|&(name, descriptor, _)| (text(name), text(descriptor)));
    let names: Names = named.collect();
    assert_eq!(names.len(), natives.len(), "something is bound twice among {names:?}");
    names
}

/// The natives that a class file declares.
fn declared(class: &[u8]) -> Names {
    let class = ClassFile::parse(class).expect("the build has compiled it");
    let text = |bytes: &[u8]| modified_utf8::decode(bytes).into_owned();
    let natives = class.methods().iter().filter(|m| m.access_flags() & access::NATIVE != 0);
    natives.map(|method| (text(method.name()), text(method.descriptor()))).collect()
}

#[test]
fn what_is_declared_is_bound_and_what_is_bound_is_declared() {
    let bound = bound! {
        SubsumeAllocations: allocation_natives::Java_java_lang_SubsumeAllocations_bindNatives,
        SubsumeCosts: cost_natives::Java_java_lang_SubsumeCosts_bindNatives,
        SubsumeDataflow: dataflow_natives::Java_java_lang_SubsumeDataflow_bindNatives,
        SubsumeIdentities: identity_natives::Java_java_lang_SubsumeIdentities_bindNatives,
        SubsumeInputs: input_natives::Java_java_lang_SubsumeInputs_bindNatives,
        SubsumeResultTables: result_natives::Java_java_lang_SubsumeResultTables_bindNatives,
        SubsumeLoops: loop_natives::Java_java_lang_SubsumeLoops_bindNatives,
        SubsumeNulls: null_natives::Java_java_lang_SubsumeNulls_bindNatives,
        SubsumeInvalidation: invalidation_natives::Java_java_lang_SubsumeInvalidation_bindNatives,
        SubsumeClockCache: clock_cache_natives::Java_java_lang_SubsumeClockCache_bindNatives,
        SubsumeRuntime: natives::Java_java_lang_SubsumeRuntime_bindNatives,
        SubsumeStructures: structure_natives::Java_java_lang_SubsumeStructures_bindNatives,
        SubsumeSlots: slot_natives::Java_java_lang_SubsumeSlots_bindNatives,
        SubsumeStatics: static_natives::Java_java_lang_SubsumeStatics_bindNatives,
        SubsumeTags: tag_natives::Java_java_lang_SubsumeTags_bindNatives,
        SubsumeTexts: text_natives::Java_java_lang_SubsumeTexts_bindNatives,
        SubsumeTypestate: typestate_natives::Java_java_lang_SubsumeTypestate_bindNatives,
        SubsumeIntrinsics: intrinsic_natives::Java_java_lang_SubsumeIntrinsics_bindNatives,
    };
    for (class, binds, code, natives) in &bound {
        assert_eq!(*binds, format!("Java_java_lang_{class}_{}", BINDS.0));
        assert!(!code.is_null() && natives.iter().all(|native| !native.2.is_null()));
    }
    for (class, bytes) in RUNTIME_CLASSES {
        let known = bound.iter().find(|(name, ..)| name == class);
        let mut expected = known.map(|(.., natives)| names(natives)).unwrap_or_default();
        if known.is_some() {
            expected.insert((BINDS.0.to_owned(), BINDS.1.to_owned()));
        }
        assert_eq!(
            declared(bytes),
            expected,
            "declared in {class} on the left, bound on the right"
        );
    }
    let built = |class: &str| RUNTIME_CLASSES.iter().any(|(name, _)| *name == class);
    assert!(bound.iter().all(|(class, ..)| built(class)));
}

//! The Java classes that the agent brings along, compiled by the build from
//! `java-shim`.

use instrument::probe::Shim;

/// The runtime classes in `java.lang`, which the build finds in `java-shim`: names without
/// the package, and class files.
pub(crate) static RUNTIME_CLASSES: &[(&str, &[u8])] =
    include!(concat!(env!("OUT_DIR"), "/runtime_classes.rs"));

/// The class file of a runtime class, by its name without the package.
pub fn runtime_class(name: &str) -> Option<&'static [u8]> {
    let known = RUNTIME_CLASSES.iter().find(|(known, _)| *known == name);
    known.map(|&(_, bytes)| bytes)
}

/// `subsume.Profile` with the agent behind it.
pub const PROFILE_API: &[u8] =
    include_bytes!(concat!(env!("OUT_DIR"), "/shim/agent/subsume/Profile.class"));

/// What the recorder needs of all these.
pub const SHIM: Shim = Shim { profile_api: PROFILE_API, runtime_class };

/// `subsume.Callback` for the DaCapo harness of 2006.
pub const CALLBACK_2006: &[u8] =
    include_bytes!(concat!(env!("OUT_DIR"), "/shim/callback-2006/subsume/Callback.class"));

/// `subsume.Callback` for the DaCapo harnesses since 9.12.
pub const CALLBACK_9_12: &[u8] =
    include_bytes!(concat!(env!("OUT_DIR"), "/shim/callback-9.12/subsume/Callback.class"));

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use classfile::{ClassEditor, ClassFile, opcode};
    use instrument::dataflow::modes;
    use instrument::probe::members;

    use super::*;
    use instrument::modified_utf8;

    /// Methods of the JDK that have no probes: natives, and the empty constructor.
    const WITHOUT_PROBES: &[(&[u8], &[u8])] = &[
        (b"java/lang/Double", b"doubleToRawLongBits"),
        (b"java/lang/Float", b"floatToRawIntBits"),
        (b"java/lang/Object", b"<init>"),
        (b"java/lang/Object", b"getClass"),
        (b"java/lang/Object", b"hashCode"),
        (b"java/lang/System", b"identityHashCode"),
        (b"java/lang/Thread", b"currentThread"),
        (b"java/lang/Thread", b"holdsLock"),
        (b"java/lang/reflect/Array", b"getLength"),
    ];

    /// Run before anything is recorded, or never, or by reflection.
    const APART: &[&[u8]] = &[
        b"<clinit>",
        b"<init>",
        b"install",
        b"withoutOurs",
        b"logOfPlaces",
        b"bitsOfTable",
        b"worker",
    ];

    /// What a probe calls would be in the profile, as if the program had called it.
    #[test]
    fn probes_call_nothing_that_has_probes() {
        let mut calls = 0;
        for (_, class) in RUNTIME_CLASSES {
            let class = ClassFile::parse(class).unwrap();
            for method in class.methods().iter().filter(|m| !APART.contains(&m.name())) {
                let Some(code) = method.code().unwrap() else { continue };
                for instruction in code.instructions().filter(|i| opcode::is_invoke(i.opcode)) {
                    let index = instruction.pool_index().unwrap();
                    let called = code.constant_pool().member_ref(index).unwrap();
                    let is_ours = called.owner.starts_with(b"java/lang/Subsume")
                        || called.owner == b"jdk/internal/misc/Unsafe";
                    let by = modified_utf8::decode(method.name());
                    let owner = modified_utf8::decode(called.owner);
                    let name = modified_utf8::decode(called.name);
                    assert!(
                        is_ours || WITHOUT_PROBES.contains(&(called.owner, called.name)),
                        "{by} calls {owner}.{name}"
                    );
                    calls += 1;
                }
            }
        }
        assert!(calls > 100);
    }

    /// Probes do not name what is private, so that `Object` can have copies of them.
    #[test]
    fn probes_are_copied_to_object() {
        let class = ClassFile::parse(PROFILE_API).unwrap();
        for mode in modes::ALL {
            let mut editor = ClassEditor::new(&class);
            let families = [&[members::FAMILY, members::texts::FAMILY], mode.families()].concat();
            let added = members::add_probes(&families, &SHIM, &mut editor);
            assert_eq!(added, Ok(()), "{}", mode.name());
            let bytes = editor.finish();
            let edited = ClassFile::parse(&bytes).unwrap();
            let length = |class: &ClassFile<'_>, name: &str, descriptor: &str| {
                let named = (name.as_bytes(), descriptor.as_bytes());
                let mut methods = class.methods().iter();
                let found = methods.find(|method| (method.name(), method.descriptor()) == named);
                let method = found.unwrap_or_else(|| panic!("{name} is there"));
                method.code().unwrap().unwrap().length()
            };
            for probe in families.iter().flat_map(|family| family.probes) {
                let name = members::name_in_object(probe);
                let file = runtime_class(probe.owner.strip_prefix("java/lang/").unwrap());
                let original = ClassFile::parse(file.unwrap()).unwrap();
                let copied = length(&edited, &name, probe.descriptor);
                assert_eq!(copied, length(&original, probe.name, probe.descriptor), "{name}");
            }
        }
    }

    /// Each runtime class of each mode is there, and each that is there is of use.
    #[test]
    fn modes_and_the_build_know_the_same_runtime_classes() {
        let mut named: BTreeSet<&str> = modes::ALL
            .iter()
            .flat_map(|mode| mode.runtime_classes().iter().copied().flatten())
            .map(|class| class.name)
            .collect();
        named.extend(["SubsumeRuntime", "SubsumeTexts", crate::attached_runtime::SLOTS]);
        let built: BTreeSet<&str> = RUNTIME_CLASSES.iter().map(|(name, _)| *name).collect();
        assert_eq!(named, built);
    }
}

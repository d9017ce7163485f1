//! The Java classes that the agent brings along, compiled by the build from
//! `java-shim`.

/// `java.lang.SubsumeRuntime`: what probes call.
pub const RUNTIME: &[u8] =
    include_bytes!(concat!(env!("OUT_DIR"), "/shim/java.base/java/lang/SubsumeRuntime.class"));

/// `java.lang.SubsumeTags`: reads tags of objects.
pub const TAGS: &[u8] =
    include_bytes!(concat!(env!("OUT_DIR"), "/shim/java.base/java/lang/SubsumeTags.class"));

/// `java.lang.SubsumeMark`: the first word of headers, where tags are.
pub const MARK: &[u8] =
    include_bytes!(concat!(env!("OUT_DIR"), "/shim/java.base/java/lang/SubsumeMark.class"));

/// `java.lang.SubsumeHashes`: identity hashes that tell tags.
pub const HASHES: &[u8] =
    include_bytes!(concat!(env!("OUT_DIR"), "/shim/java.base/java/lang/SubsumeHashes.class"));

/// `java.lang.SubsumeArrays`: how arrays lie in memory.
pub const ARRAYS: &[u8] =
    include_bytes!(concat!(env!("OUT_DIR"), "/shim/java.base/java/lang/SubsumeArrays.class"));

/// `java.lang.SubsumeUntracked`: tags of objects that nobody saw being made.
pub const UNTRACKED: &[u8] =
    include_bytes!(concat!(env!("OUT_DIR"), "/shim/java.base/java/lang/SubsumeUntracked.class"));

/// `java.lang.SubsumeBirths`: gives new objects their tags.
pub const BIRTHS: &[u8] =
    include_bytes!(concat!(env!("OUT_DIR"), "/shim/java.base/java/lang/SubsumeBirths.class"));

/// `java.lang.SubsumeFlow`: what code calls that is instrumented for data flow.
pub const FLOW: &[u8] =
    include_bytes!(concat!(env!("OUT_DIR"), "/shim/java.base/java/lang/SubsumeFlow.class"));

/// `java.lang.SubsumeStack`: the tracking stack.
pub const STACK: &[u8] =
    include_bytes!(concat!(env!("OUT_DIR"), "/shim/java.base/java/lang/SubsumeStack.class"));

/// `java.lang.SubsumeUnseen`: values that move without a bytecode.
pub const UNSEEN: &[u8] =
    include_bytes!(concat!(env!("OUT_DIR"), "/shim/java.base/java/lang/SubsumeUnseen.class"));

/// `java.lang.SubsumeCosts`: what code calls that is instrumented for costs.
pub const COSTS: &[u8] =
    include_bytes!(concat!(env!("OUT_DIR"), "/shim/java.base/java/lang/SubsumeCosts.class"));

/// `java.lang.SubsumeActivation`: contexts of methods, and their counters.
pub const ACTIVATION: &[u8] =
    include_bytes!(concat!(env!("OUT_DIR"), "/shim/java.base/java/lang/SubsumeActivation.class"));

/// `java.lang.SubsumeEncounters`: what accesses to the heap meet.
pub const ENCOUNTERS: &[u8] =
    include_bytes!(concat!(env!("OUT_DIR"), "/shim/java.base/java/lang/SubsumeEncounters.class"));

/// `java.lang.SubsumeOwnFields`: accesses to fields of `this`.
pub const OWN_FIELDS: &[u8] =
    include_bytes!(concat!(env!("OUT_DIR"), "/shim/java.base/java/lang/SubsumeOwnFields.class"));

/// `java.lang.SubsumeStatics`: the last writers of static fields.
pub const STATICS: &[u8] =
    include_bytes!(concat!(env!("OUT_DIR"), "/shim/java.base/java/lang/SubsumeStatics.class"));

/// `java.lang.SubsumeWeak`: what stands beside objects in tables by identity.
pub const WEAK: &[u8] =
    include_bytes!(concat!(env!("OUT_DIR"), "/shim/java.base/java/lang/SubsumeWeak.class"));

/// `java.lang.SubsumeFields`: the fields of classes whose objects are cloned.
pub const FIELDS: &[u8] =
    include_bytes!(concat!(env!("OUT_DIR"), "/shim/java.base/java/lang/SubsumeFields.class"));

/// `java.lang.SubsumeRing`: places for what is known of arrays.
pub const RING: &[u8] =
    include_bytes!(concat!(env!("OUT_DIR"), "/shim/java.base/java/lang/SubsumeRing.class"));

/// `java.lang.SubsumeBlocks`: memory for it.
pub const BLOCKS: &[u8] =
    include_bytes!(concat!(env!("OUT_DIR"), "/shim/java.base/java/lang/SubsumeBlocks.class"));

/// `java.lang.SubsumeStray`: arrays without a place in the ring.
pub const STRAY: &[u8] =
    include_bytes!(concat!(env!("OUT_DIR"), "/shim/java.base/java/lang/SubsumeStray.class"));

/// `java.lang.SubsumeElements`: the last writers of an array's elements.
pub const ELEMENTS: &[u8] =
    include_bytes!(concat!(env!("OUT_DIR"), "/shim/java.base/java/lang/SubsumeElements.class"));

/// `java.lang.SubsumeNulls`: what code calls in which nulls are followed.
pub const NULLS: &[u8] =
    include_bytes!(concat!(env!("OUT_DIR"), "/shim/java.base/java/lang/SubsumeNulls.class"));

/// `java.lang.SubsumeNullElements`: who stored null in arrays.
pub const NULL_ELEMENTS: &[u8] =
    include_bytes!(concat!(env!("OUT_DIR"), "/shim/java.base/java/lang/SubsumeNullElements.class"));

/// `java.lang.SubsumeReplaced`: stores that nobody sees.
pub const REPLACED: &[u8] =
    include_bytes!(concat!(env!("OUT_DIR"), "/shim/java.base/java/lang/SubsumeReplaced.class"));

/// `java.lang.SubsumeCompanions`: where last writers of fields are, by offset.
pub const COMPANIONS: &[u8] =
    include_bytes!(concat!(env!("OUT_DIR"), "/shim/java.base/java/lang/SubsumeCompanions.class"));

/// `subsume.Profile` with the agent behind it.
pub const PROFILE_API: &[u8] =
    include_bytes!(concat!(env!("OUT_DIR"), "/shim/agent/subsume/Profile.class"));

/// `subsume.Callback` for the DaCapo harness of 2006.
pub const CALLBACK_2006: &[u8] =
    include_bytes!(concat!(env!("OUT_DIR"), "/shim/callback-2006/subsume/Callback.class"));

/// `subsume.Callback` for the DaCapo harnesses since 9.12.
pub const CALLBACK_9_12: &[u8] =
    include_bytes!(concat!(env!("OUT_DIR"), "/shim/callback-9.12/subsume/Callback.class"));

#[cfg(test)]
mod tests {
    use classfile::{ClassFile, opcode};

    use super::*;

    /// Methods of the JDK that have no probes: natives, and the empty constructor.
    const WITHOUT_PROBES: &[(&[u8], &[u8])] = &[
        (b"java/lang/Object", b"<init>"),
        (b"java/lang/Object", b"getClass"),
        (b"java/lang/Object", b"hashCode"),
        (b"java/lang/System", b"identityHashCode"),
        (b"java/lang/Thread", b"currentThread"),
        (b"java/lang/reflect/Array", b"getLength"),
    ];

    /// Run before anything is recorded, or never, or by reflection.
    const APART: &[&[u8]] =
        &[b"<clinit>", b"<init>", b"install", b"withoutOurs", b"logOfPlaces", b"bitsOfTable"];

    /// What a probe calls would be in the profile, as if the program had called it.
    #[test]
    fn probes_call_nothing_that_has_probes() {
        let classes = [
            RUNTIME,
            TAGS,
            MARK,
            HASHES,
            ARRAYS,
            UNTRACKED,
            BIRTHS,
            FLOW,
            STACK,
            UNSEEN,
            COSTS,
            ACTIVATION,
            ENCOUNTERS,
            OWN_FIELDS,
            STATICS,
            WEAK,
            FIELDS,
            RING,
            BLOCKS,
            NULL_ELEMENTS,
            STRAY,
            ELEMENTS,
            NULLS,
            REPLACED,
            COMPANIONS,
        ];
        let mut calls = 0;
        for class in classes {
            let class = ClassFile::parse(class).unwrap();
            for method in class.methods().iter().filter(|m| !APART.contains(&m.name())) {
                let Some(code) = method.code().unwrap() else { continue };
                for instruction in code.instructions().filter(|i| opcode::is_invoke(i.opcode)) {
                    let index = instruction.pool_index().unwrap();
                    let called = code.constant_pool().member_ref(index).unwrap();
                    let is_ours = called.owner.starts_with(b"java/lang/Subsume")
                        || called.owner == b"jdk/internal/misc/Unsafe";
                    let by = String::from_utf8_lossy(method.name());
                    let owner = String::from_utf8_lossy(called.owner);
                    let name = String::from_utf8_lossy(called.name);
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
}

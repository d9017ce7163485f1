//! Members that the agent adds to classes of the JDK when they are loaded.
//!
//! Only `Thread` and `Object` get any. Instrumented classes call the methods
//! of `Object`, copies of those of the runtime classes: every class loader has
//! resolved it already, while naming a class of ours would ask the application's
//! loader for it.

use std::collections::{BTreeMap, BTreeSet};

use classfile::access::{PUBLIC, STATIC, SYNTHETIC, TRANSIENT};
use classfile::{ClassEditor, ClassFile, Code, Fragment, PoolExtension, Refusal, opcode};

use super::Shim;

/// Internal name of the class that probes end up in.
pub const RUNTIME: &str = "java/lang/SubsumeRuntime";

/// Prefix of everything that is added to a class.
pub const PREFIX: &str = "$subsume$";

/// What added methods have of these, they have from the runtime's: whether they are inlined,
/// and left out of stack traces.
const ANNOTATIONS: [&[u8]; 3] = [
    b"Ljdk/internal/vm/annotation/ForceInline;",
    b"Ljdk/internal/vm/annotation/DontInline;",
    b"Ljdk/internal/vm/annotation/Hidden;",
];

/// A method of the runtime classes that probes call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ProbeMethod {
    /// Internal name of the class that it belongs to.
    pub owner: &'static str,
    /// Its name there.
    pub name: &'static str,
    /// Its descriptor.
    pub descriptor: &'static str,
    /// How many words of arguments it takes.
    pub arguments: u16,
    /// How many words it returns.
    pub results: u16,
}

impl ProbeMethod {
    /// A static method.
    pub const fn new(owner: &'static str, name: &'static str, descriptor: &'static str) -> Self {
        let (mut arguments, mut results) = (0, 0);
        let text = descriptor.as_bytes();
        let mut at = 1;
        let mut behind = false;
        while at < text.len() {
            let words = match text[at] {
                b'J' | b'D' => 2,
                b'V' | b')' => 0,
                _ => 1,
            };
            behind |= text[at] == b')';
            while text[at] == b'[' {
                at += 1;
            }
            if text[at] == b'L' {
                while text[at] != b';' {
                    at += 1;
                }
            }
            if behind {
                results += words;
            } else {
                arguments += words;
            }
            at += 1;
        }
        Self { owner, name, descriptor, arguments, results }
    }
}

/// What a kind of recording adds to classes of the JDK.
#[derive(Debug, Clone, Copy)]
pub struct Family {
    /// Methods of `Object`, each of which does what the method of the same name does.
    pub probes: &'static [ProbeMethod],
    /// Fields of `Thread`: names without the prefix, and descriptors.
    pub thread_fields: &'static [(&'static str, &'static str)],
}

/// Declares the probe methods of a class of ours, or of several, and the family
/// of all of them.
macro_rules! family {
    ($owner:literal adds $fields:expr; $($probes:tt)*) => {
        $crate::probe::members::family! { adds $fields; $owner { $($probes)* } }
    };
    (adds $fields:expr;
     $($owner:literal { $($constant:ident = $name:literal $descriptor:literal;)* })*) => {
        $($(
            #[doc = concat!("`", $owner, ".", $name, "`.")]
            pub const $constant: ProbeMethod =
                ProbeMethod::new(concat!("java/lang/", $owner), $name, $descriptor);
        )*)*
        /// What these probes add to classes of the JDK.
        pub const FAMILY: Family =
            Family { probes: &[$($($constant),*),*], thread_fields: &$fields };
    };
}
pub(crate) use family;

family! {
    "SubsumeRuntime" adds [("slot", "J"), ("tree", "I")];
    ENTER = "enter" "(I)J";
    LEAF = "leaf" "(I)J";
    HIDDEN_ENTER = "hiddenEnter" "(II)J";
    HIDDEN_LEAF = "hiddenLeaf" "(II)J";
    CALL = "call" "(JI)V";
    PLAIN = "plain" "(JII)V";
    COUNT = "count" "(JI)V";
    MOVED = "moved" "(JIJ)V";
    INSTANCE = "instance" "(JII)V";
    ARRAY = "array" "(IJII)V";
    REFERENCES = "references" "(IJI)V";
    NESTED = "nested" "(Ljava/lang/Object;JII)V";
    EXIT = "exit" "(J)V";
    EXIT_BYTECODES = "exit" "(JI)V";
    EXIT_ALLOCATIONS = "exit" "(JII)V";
    CUT = "cut" "(JI)V";
    FLUSH = "flush" "(JI)V";
    FLUSH_LEAF = "flushLeaf" "(JI)V";
    POLL = "poll" "(JI)I";
    POLL_LEAF = "pollLeaf" "(JI)I";
    POLL_ALLOCATIONS = "pollAllocations" "(JI)I";
}

/// The probes of methods whose contexts differ by texts.
pub mod texts {
    use super::{Family, ProbeMethod};

    super::family! {
        "SubsumeRuntime" adds [];
        TEXT = "text" "(ILjava/lang/Object;)I";
        KEEP_TEXT = "keepText" "(Ljava/lang/Object;I)V";
    }
}

/// Name of a probe method where it was added to `Object`.
pub fn name_in_object(probe: &ProbeMethod) -> String {
    format!("{PREFIX}{}", probe.name)
}

/// Names of everything that is added, for hiding it.
pub fn names(families: &[Family]) -> Vec<String> {
    let probes = families.iter().flat_map(|family| family.probes).map(name_in_object);
    let fields = families.iter().flat_map(|family| family.thread_fields);
    let mut names: Vec<String> =
        probes.chain(fields.map(|(name, _)| format!("{PREFIX}{name}"))).collect();
    names.sort();
    names.dedup();
    names
}

/// True for the name of something that was added.
pub fn is_added(name: &[u8]) -> bool {
    name.starts_with(PREFIX.as_bytes())
}

/// Adds to a class what it is to have; true if that was anything.
///
/// The same must be added whenever the class is rewritten again, or the JVM
/// refuses it.
///
/// # Errors
/// If the constant pool has no room left.
pub fn add_members(
    class: &ClassFile<'_>,
    families: &[Family],
    shim: &Shim,
    editor: &mut ClassEditor<'_>,
) -> Result<bool, Refusal> {
    match class.this_class() {
        b"java/lang/Thread" => {
            for (field, descriptor) in families.iter().flat_map(|family| family.thread_fields) {
                let name = format!("{PREFIX}{field}");
                editor.add_field(TRANSIENT | SYNTHETIC, name.as_bytes(), descriptor.as_bytes())?;
            }
            Ok(true)
        }
        b"java/lang/Object" => {
            add_probes(families, shim, editor)?;
            Ok(true)
        }
        _ => Ok(false),
    }
}

/// Adds the probes. Each is a copy of what the runtime class has: a method that only called
/// it would be one level more to inline for the compilers, in each method that has probes.
///
/// # Errors
/// If the constant pool has no room left, or a probe cannot be copied.
pub fn add_probes(
    families: &[Family],
    shim: &Shim,
    editor: &mut ClassEditor<'_>,
) -> Result<(), Refusal> {
    let probes: Vec<&ProbeMethod> = families.iter().flat_map(|family| family.probes).collect();
    let owners: BTreeSet<&str> = probes.iter().map(|probe| probe.owner).collect();
    let files = owners.iter().filter_map(|&owner| Some((owner, class_file(owner, shim)?)));
    let classes: BTreeMap<&str, ClassFile<'_>> =
        files.filter_map(|(owner, file)| Some((owner, ClassFile::parse(file).ok()?))).collect();
    let code = |probe: &&ProbeMethod| {
        let class = classes.get(probe.owner).ok_or(Refusal::NoSuchMethod)?;
        code_of(probe, class)
    };
    let codes = probes.iter().map(code).collect::<Result<Vec<_>, Refusal>>()?;
    for code in &codes {
        editor.intern_short_constants(code)?;
    }
    for (probe, code) in probes.iter().zip(&codes) {
        let has = |annotation: &&&[u8]| code.method().has_annotation(annotation);
        let annotations: Vec<&[u8]> = ANNOTATIONS.iter().filter(has).copied().collect();
        let name = name_in_object(probe);
        editor.copy_method(code, PUBLIC | STATIC | SYNTHETIC, name.as_bytes(), &annotations)?;
    }
    Ok(())
}

/// The class file of a runtime class.
fn class_file(owner: &str, shim: &Shim) -> Option<&'static [u8]> {
    (shim.runtime_class)(owner.strip_prefix("java/lang/")?)
}

/// What a probe does, in the class that has it.
fn code_of<'a>(probe: &ProbeMethod, class: &'a ClassFile<'a>) -> Result<Code<'a>, Refusal> {
    let named = (probe.name.as_bytes(), probe.descriptor.as_bytes());
    let mut methods = class.methods().iter();
    let method = methods.find(|method| (method.name(), method.descriptor()) == named);
    method.ok_or(Refusal::NoSuchMethod)?.code()?.ok_or(Refusal::NoCode)
}

/// What a constructor of `Thread` does first: a thread starts with the slot
/// that means "no tree yet". Probes read the slot without asking whether it
/// is there, and a thread that attaches itself to the JVM runs its own
/// object's constructor.
///
/// # Errors
/// If the constant pool has no room left.
pub fn set_first_slot(base_address: u64, pool: &mut PoolExtension) -> Result<Fragment, Refusal> {
    let name = format!("{PREFIX}slot");
    let field = pool.fieldref(b"java/lang/Thread", name.as_bytes(), b"J")?;
    Ok(Fragment::new()
        .simple(opcode::ALOAD_0)
        // Addresses of processes are below 2^63.
        .push_long(base_address as i64, pool)?
        .putfield(field, 2))
}

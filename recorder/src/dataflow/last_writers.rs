//! Shadow fields: the last writers of fields lie in fields that are added to the
//! classes that declare the program's.
//!
//! A class that has no room for shadow fields is known when it is loaded, but code
//! that names the class may have been rewritten before. So only accesses to classes
//! that have shadow fields for sure reach them [directly](AccessPath::Direct); all
//! others are guarded by a look into a table.

use std::hash::Hasher;
use std::sync::atomic::AtomicU8;
use std::sync::atomic::Ordering::Relaxed;

use classfile::{ClassEditor, ClassFile, Member, MemberRef, Refusal, access};
use parking_lot::RwLock;
use rustc_hash::{FxHashMap, FxHashSet, FxHasher};

use super::static_fields::StaticFields;
use crate::probe::members::PREFIX;

/// Fillers of the heap, whose size the collectors rely on.
pub const FILLER: &[u8] = b"jdk/internal/vm/FillerObject";

const OBJECT: &[u8] = b"java/lang/Object";

/// Classes that code may ask about.
const MOST_ASKED: usize = 1 << 18;

/// The access path from an instruction to the last writer of the field that it names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AccessPath {
    /// The class has the shadow field for sure.
    Direct,
    /// A guard asks, whenever the instruction is executed, whether the class with this
    /// number has shadow fields.
    Guarded(u32),
    /// There is no shadow field.
    None,
}

/// Which classes have last writers, by name.
#[derive(Debug)]
pub struct LastWriters {
    classes: RwLock<Classes>,
    /// For each number that code asks for, not 0 if there are none.
    lacks: &'static [AtomicU8],
    /// Those of static fields.
    pub statics: StaticFields,
}

#[derive(Debug, Default)]
struct Classes {
    /// Some of this name have none.
    lacking: FxHashSet<Box<[u8]>>,
    /// One without a name has none.
    any_may_lack: bool,
    /// Those of the boot loader that have theirs. Each name stands for one class.
    having: FxHashSet<Box<[u8]>>,
    /// Superclasses of all classes: code may name a field by a subclass.
    superclasses: FxHashMap<Box<[u8]>, Box<[u8]>>,
    /// Numbers that code asks for.
    asked: FxHashMap<Box<[u8]>, u32>,
}

impl LastWriters {
    /// Nothing is known of any class; `None` without memory.
    pub fn new() -> Option<Self> {
        Some(Self {
            classes: RwLock::default(),
            // Instrumented code keeps the address until the process ends.
            lacks: (0..MOST_ASKED).map(|_| AtomicU8::new(0)).collect::<Vec<_>>().leak(),
            statics: StaticFields::new()?,
        })
    }

    /// Notes that fields of classes of this name have none.
    pub fn lack(&self, class: &[u8]) {
        let mut classes = self.classes.write();
        if classes.lacking.insert(class.into()) {
            self.tell(&classes);
        }
    }

    /// Notes that fields of a class have none whose name is not known.
    pub fn lack_somewhere(&self) {
        let mut classes = self.classes.write();
        classes.any_may_lack = true;
        self.tell(&classes);
    }

    /// Notes that fields of a class of the boot loader have theirs.
    pub fn have(&self, class: &[u8]) {
        self.classes.write().having.insert(class.into());
    }

    /// Notes the superclass of a class.
    pub fn extend(&self, class: &[u8], superclass: &[u8]) {
        let mut classes = self.classes.write();
        let before = classes.superclasses.insert(class.into(), superclass.into());
        if before.is_none_or(|before| *before != *superclass) {
            self.tell(&classes);
        }
    }

    /// The access path to the last writer of a field that is named by a class of this name.
    /// `is_its_own` says that the class that accesses it declares it, `is_boot`
    /// that the boot loader has loaded that class.
    pub fn access_path(&self, class: &[u8], is_its_own: bool, is_boot: bool) -> AccessPath {
        let mut classes = self.classes.write();
        if !classes.let_ask(class) {
            return AccessPath::None;
        }
        if is_its_own || is_boot && classes.have(class) {
            return AccessPath::Direct;
        }
        let next = classes.asked.len();
        if let Some(&number) = classes.asked.get(class) {
            return AccessPath::Guarded(number);
        }
        if next >= MOST_ASKED {
            return AccessPath::None;
        }
        classes.asked.insert(class.into(), next as u32);
        AccessPath::Guarded(next as u32)
    }

    /// The access path to the last writer of a field that a class names.
    pub fn access_path_from(
        &self,
        class: &ClassFile<'_>,
        named: MemberRef<'_>,
        is_boot: bool,
    ) -> AccessPath {
        let is_its_own = class.this_class() == named.owner
            && class
                .fields()
                .iter()
                .any(|field| field.name() == named.name && field.descriptor() == named.descriptor);
        self.access_path(named.owner, is_its_own, is_boot)
    }

    /// Tells code that has been rewritten what it may no longer reach for. No
    /// object of such a class is there yet.
    fn tell(&self, classes: &Classes) {
        if classes.lacking.is_empty() && !classes.any_may_lack {
            return;
        }
        for (class, &number) in &classes.asked {
            if !classes.let_ask(class) {
                self.lacks[number as usize].store(1, Relaxed);
            }
        }
    }

    /// Address of the table of what lacks last writers.
    pub fn address(&self) -> u64 {
        self.lacks.as_ptr() as u64
    }

    #[cfg(test)]
    fn lacks(&self, number: u32) -> bool {
        self.lacks[number as usize].load(Relaxed) != 0
    }
}

impl Classes {
    /// A class, as far as its name says which one that is, and what it extends.
    fn line<'a>(&'a self, class: &'a [u8]) -> impl Iterator<Item = &'a [u8]> {
        let superclass = |name: &&'a [u8]| self.superclasses.get(*name).map(|name| &**name);
        // Names of several loaders may make a circle.
        std::iter::successors(Some(class), superclass).take(self.superclasses.len() + 2)
    }

    /// False if fields that are named by this class may have no last writers.
    fn let_ask(&self, class: &[u8]) -> bool {
        if self.lacking.is_empty() {
            return class != FILLER && !self.any_may_lack;
        }
        let lacks = |name: &[u8]| name == FILLER || self.lacking.contains(name);
        !self.any_may_lack && !self.line(class).any(lacks)
    }

    /// True if a class of the boot loader, and all that it extends, have theirs.
    fn have(&self, class: &[u8]) -> bool {
        let has = |&name: &&[u8]| name != OBJECT && self.having.contains(name);
        self.line(class).find(|name| !has(name)) == Some(OBJECT)
    }
}

/// Name of the field that belongs to one of this name and descriptor.
pub fn name(field: &[u8], descriptor: &[u8]) -> Vec<u8> {
    let mut hasher = FxHasher::default();
    hasher.write(descriptor);
    let hash = hasher.finish();
    let suffix = format!("${:08x}", (hash >> 32 ^ hash) as u32);
    [PREFIX.as_bytes(), field, suffix.as_bytes()].concat()
}

/// They are public, so that whoever reaches a field reaches its last writer.
const FLAGS: u16 = access::PUBLIC | access::TRANSIENT | access::SYNTHETIC;

/// Adds such fields to a class beside those whose descriptor is `wanted`; true
/// if there are any.
///
/// # Errors
/// Why the class cannot have them.
pub fn add(
    class: &ClassFile<'_>,
    wanted: impl Fn(&[u8]) -> bool,
    editor: &mut ClassEditor<'_>,
) -> Result<bool, Lack> {
    if class.this_class() == FILLER || class.this_class().starts_with(b"java/lang/Subsume") {
        return Ok(false);
    }
    let is_ours = |field: &Member<'_>| field.name().starts_with(PREFIX.as_bytes());
    let is_wanted = |field: &Member<'_>| !field.is_static() && wanted(field.descriptor());
    let names = |field: Member<'_>| name(field.name(), field.descriptor());
    let fields = class.fields();
    let wanted = fields.iter().filter(|field| !is_ours(field) && is_wanted(field));
    if fields.iter().any(|field| is_ours(&field)) {
        // Another agent may give back a class as it was shown to it.
        let has = |name: Vec<u8>| {
            fields.iter().any(|field| {
                field.name() == name && field.descriptor() == b"I" && field.access_flags() == FLAGS
            })
        };
        return if wanted.map(names).all(has) { Ok(false) } else { Err(Lack::Namesakes) };
    }
    let mut added = false;
    for name in wanted.map(names) {
        editor.add_field(FLAGS, &name, b"I").map_err(Lack::Refused)?;
        added = true;
    }
    Ok(added)
}

/// Why a class has no last writers.
#[derive(Debug, Clone, Copy)]
pub enum Lack {
    /// It has no room for them.
    Refused(Refusal),
    /// It has fields of its own with such names.
    Namesakes,
}

impl std::fmt::Display for Lack {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Refused(refusal) => refusal.fmt(f),
            Self::Namesakes => write!(f, "it has fields with names that begin with {PREFIX}"),
        }
    }
}

impl From<Refusal> for Lack {
    fn from(refusal: Refusal) -> Self {
        Self::Refused(refusal)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with(superclasses: &[(&str, &str)]) -> LastWriters {
        let known = LastWriters::new().expect("there is memory");
        for (class, superclass) in superclasses {
            known.extend(class.as_bytes(), superclass.as_bytes());
        }
        known
    }

    #[test]
    fn subclasses_lack_what_their_superclasses_lack() {
        let known = with(&[("A", "java/lang/Object"), ("B", "A"), ("C", "B"), ("D", "E")]);
        assert_eq!(known.access_path(b"C", true, false), AccessPath::Direct);
        known.lack(b"B");
        assert_eq!(
            [b"A", b"B", b"C", b"D"].map(|class| known.access_path(class, true, false)),
            [AccessPath::Direct, AccessPath::None, AccessPath::None, AccessPath::Direct]
        );
    }

    #[test]
    fn who_asked_is_told_what_turns_out_later() {
        let known = LastWriters::new().expect("there is memory");
        let asked = ["A", "B", "C"].map(|class| known.access_path(class.as_bytes(), false, true));
        assert_eq!(asked, [0, 1, 2].map(AccessPath::Guarded));
        known.extend(b"B", b"A");
        known.lack(b"A");
        assert_eq!([0, 1, 2].map(|number| known.lacks(number)), [true, true, false]);
        // A subclass may come after its superclass, too.
        known.extend(b"C", b"B");
        assert!(known.lacks(2));
    }

    #[test]
    fn a_class_without_a_name_may_be_any() {
        let known = LastWriters::new().expect("there is memory");
        let AccessPath::Guarded(number) = known.access_path(b"A", false, false) else {
            panic!("must ask")
        };
        known.lack_somewhere();
        assert!(known.lacks(number));
        assert_eq!(known.access_path(b"B", true, true), AccessPath::None);
    }

    #[test]
    fn only_the_boot_loaders_names_are_trusted() {
        let known = with(&[("A", "java/lang/Object"), ("B", "A")]);
        known.have(b"B");
        assert_eq!(known.access_path(b"B", false, true), AccessPath::Guarded(0));
        known.have(b"A");
        assert_eq!(known.access_path(b"B", false, true), AccessPath::Direct);
        assert_eq!(known.access_path(b"B", false, false), AccessPath::Guarded(0));
        // Of what this one extends nothing is known.
        known.have(b"C");
        assert_eq!(known.access_path(b"C", false, true), AccessPath::Guarded(1));
    }

    #[test]
    fn fields_of_one_name_and_two_types_have_two_last_writers() {
        assert_eq!(name(b"a", b"I"), name(b"a", b"I"));
        assert_ne!(name(b"a", b"I"), name(b"a", b"J"));
        assert!(name(b"size", b"I").starts_with(b"$subsume$size$"));
    }
}

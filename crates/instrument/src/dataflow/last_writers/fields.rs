//! Shadow fields: the last writers of fields lie in fields that are added to the
//! classes that declare the program's.
//!
//! Whether a class has shadow fields is known when it is loaded, but code that names the
//! class may have been rewritten before. So only accesses to classes that have shadow fields
//! for sure reach them [directly](AccessPath::Direct); all others are guarded by a look into
//! a table, which says that there are some only after the JVM has shown the class, and all
//! that it extends, to the agent. JDK 21 does not show each class that it loads.

use std::hash::Hasher;
use std::sync::atomic::AtomicU8;
use std::sync::atomic::Ordering::Relaxed;

use classfile::{ClassEditor, ClassFile, Member, MemberRef, Refusal, access};
use parking_lot::RwLock;
use rustc_hash::{FxHashMap, FxHashSet, FxHasher};

use super::static_fields::StaticFields;
use crate::dataflow::known_layouts::{self, Layout};
use crate::probe::members::PREFIX;

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
    /// For each number that code asks for, 1 if there are some for sure: a class that the
    /// JVM has not shown to the agent has none.
    having: &'static [AtomicU8],
    /// Those of static fields.
    pub statics: StaticFields,
}

#[derive(Debug, Default)]
struct Classes {
    /// Some of this name have none.
    lacking: FxHashSet<Box<[u8]>>,
    /// One without a name has none.
    any_may_lack: bool,
    /// Those that have theirs, and whether the boot loader has them. Each name of the boot
    /// loader stands for one class.
    having: FxHashMap<Box<[u8]>, bool>,
    /// Superclasses of all classes: code may name a field by a subclass.
    superclasses: FxHashMap<Box<[u8]>, Box<[u8]>>,
    /// Numbers that code asks for.
    asked: FxHashMap<Box<[u8]>, u32>,
    /// Classes that code asks for, by the class that has to be seen before there is an
    /// answer.
    waiting: FxHashMap<Box<[u8]>, Vec<Box<[u8]>>>,
}

/// What is known of a class and of all that it extends.
#[derive(Debug, PartialEq, Eq)]
enum Answer<'a> {
    /// They have theirs.
    Have,
    /// One of them has none.
    Lack,
    /// This one has not been seen yet.
    Unseen(&'a [u8]),
}

impl LastWriters {
    /// Nothing is known of any class; `None` without memory.
    pub fn new() -> Option<Self> {
        Some(Self {
            classes: RwLock::default(),
            // Instrumented code keeps the address until the process ends.
            having: (0..MOST_ASKED).map(|_| AtomicU8::new(0)).collect::<Vec<_>>().leak(),
            statics: StaticFields::new()?,
        })
    }

    /// Notes that fields of classes of this name have none.
    pub fn lack(&self, class: &[u8]) {
        let mut classes = self.classes.write();
        if classes.lacking.insert(class.into()) {
            self.answer_all(&mut classes);
        }
    }

    /// Notes that fields of a class have none whose name is not known.
    pub fn lack_somewhere(&self) {
        let mut classes = self.classes.write();
        classes.any_may_lack = true;
        self.answer_all(&mut classes);
    }

    /// Notes that fields of a class have theirs. `is_boot` says that the boot loader has
    /// it.
    pub fn have(&self, class: &[u8], is_boot: bool) {
        let mut classes = self.classes.write();
        let known = classes.having.get(class).copied();
        if known.is_none_or(|was_boot| is_boot && !was_boot) {
            classes.having.insert(class.into(), is_boot);
        }
        for asked in classes.waiting.remove(class).unwrap_or_default() {
            self.answer(&mut classes, &asked);
        }
    }

    /// Notes the superclass of a class.
    pub fn extend(&self, class: &[u8], superclass: &[u8]) {
        let mut classes = self.classes.write();
        let before = classes.superclasses.insert(class.into(), superclass.into());
        // Two classes of one name.
        if before.is_some_and(|before| *before != *superclass) {
            self.answer_all(&mut classes);
        }
    }

    /// The access path to the last writer of a field that is named by a class of this name.
    /// `is_its_own` says that the class that accesses it declares it, `is_boot`
    /// that the boot loader has loaded that class.
    pub fn access_path(&self, class: &[u8], is_its_own: bool, is_boot: bool) -> AccessPath {
        let mut classes = self.classes.write();
        if classes.line(class).any(|name| classes.lacks(name)) {
            return AccessPath::None;
        }
        let is_sure = match is_its_own {
            true => classes.having.contains_key(class),
            false => is_boot && classes.have_in_boot_loader(class),
        };
        if is_sure {
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
        self.answer(&mut classes, class);
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

    /// Tells code what it may reach for by the name of a class.
    fn answer(&self, classes: &mut Classes, asked: &[u8]) {
        let Some(&number) = classes.asked.get(asked) else { return };
        let (has, unseen) = match classes.answer(asked) {
            Answer::Have => (1, None),
            Answer::Lack => (0, None),
            Answer::Unseen(class) => (0, Some(Box::from(class))),
        };
        self.having[number as usize].store(has, Relaxed);
        if let Some(unseen) = unseen {
            classes.waiting.entry(unseen).or_default().push(asked.into());
        }
    }

    /// Computes again what code is told, after something that is rare. Fields that code may no
    /// longer use have no object yet.
    fn answer_all(&self, classes: &mut Classes) {
        classes.waiting.clear();
        for asked in classes.asked.keys().cloned().collect::<Vec<_>>() {
            self.answer(classes, &asked);
        }
    }

    /// Address of the table of what has last writers.
    pub fn address(&self) -> u64 {
        self.having.as_ptr() as u64
    }

    #[cfg(test)]
    fn has(&self, number: u32) -> bool {
        self.having[number as usize].load(Relaxed) != 0
    }
}

impl Classes {
    /// A class, as far as its name says which one that is, and what it extends.
    fn line<'a>(&'a self, class: &'a [u8]) -> impl Iterator<Item = &'a [u8]> {
        let superclass = |name: &&'a [u8]| self.superclasses.get(*name).map(|name| &**name);
        // Names of several loaders may make a circle.
        std::iter::successors(Some(class), superclass).take(self.superclasses.len() + 2)
    }

    /// True if fields of classes of this name may have no last writers.
    fn lacks(&self, name: &[u8]) -> bool {
        self.any_may_lack
            || known_layouts::layout_of(name) == Layout::Fixed
            || self.lacking.contains(name)
    }

    /// Whether fields that are named by this class have last writers.
    fn answer<'a>(&'a self, class: &'a [u8]) -> Answer<'a> {
        for name in self.line(class) {
            match name {
                _ if self.lacks(name) => return Answer::Lack,
                OBJECT => return Answer::Have,
                _ if !self.having.contains_key(name) => return Answer::Unseen(name),
                _ => {}
            }
        }
        Answer::Lack
    }

    /// True if a class of the boot loader, and all that it extends, have theirs.
    fn have_in_boot_loader(&self, class: &[u8]) -> bool {
        let has = |&name: &&[u8]| name != OBJECT && self.having.get(name) == Some(&true);
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

/// They are public, so that code that can access a field can access its last writer.
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
    let layout = known_layouts::layout_of(class.this_class());
    if layout == Layout::Fixed || class.this_class().starts_with(b"java/lang/Subsume") {
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
        match layout {
            Layout::ValueLast => editor.add_first_field(FLAGS, &name, b"I"),
            _ => editor.add_field(FLAGS, &name, b"I"),
        }
        .map_err(Lack::Refused)?;
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
    /// The JVM has laid out its objects, and showed it to the agent only afterwards.
    Unnoticed,
}

impl std::fmt::Display for Lack {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Refused(refusal) => refusal.fmt(f),
            Self::Unnoticed => f.write_str("the JVM loaded it without showing it to the agent"),
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

    /// Who asks for a class, as code of another class does.
    fn asks(known: &LastWriters, class: &str) -> u32 {
        match known.access_path(class.as_bytes(), false, true) {
            AccessPath::Guarded(number) => number,
            path => panic!("must ask: {path:?}"),
        }
    }

    #[test]
    fn subclasses_lack_what_their_superclasses_lack() {
        let known = with(&[("A", "java/lang/Object"), ("B", "A"), ("C", "B"), ("D", "E")]);
        for class in [b"A", b"B", b"C", b"D"] {
            assert_ne!(known.access_path(class, true, false), AccessPath::Direct);
            known.have(class, false);
        }
        assert_eq!(known.access_path(b"C", true, false), AccessPath::Direct);
        known.lack(b"B");
        assert_eq!(
            [b"A", b"B", b"C", b"D"].map(|class| known.access_path(class, true, false)),
            [AccessPath::Direct, AccessPath::None, AccessPath::None, AccessPath::Direct]
        );
    }

    #[test]
    fn who_asked_is_told_when_all_that_a_class_extends_was_shown() {
        let known = with(&[]);
        let asked = ["A", "B", "C"].map(|class| asks(&known, class));
        let told = || asked.map(|number| known.has(number));
        assert_eq!(told(), [false; 3]);
        known.extend(b"B", b"A");
        known.have(b"B", false);
        assert_eq!(told(), [false; 3]);
        known.extend(b"A", OBJECT);
        known.have(b"A", false);
        assert_eq!(told(), [true, true, false]);
        // A subclass may come after its superclass, too.
        known.extend(b"C", b"B");
        known.have(b"C", false);
        assert_eq!(told(), [true; 3]);
        known.lack(b"B");
        assert_eq!(told(), [true, false, false]);
    }

    #[test]
    fn a_class_without_a_name_may_be_any() {
        let known = with(&[("A", "java/lang/Object")]);
        known.have(b"A", false);
        let number = asks(&known, "A");
        assert!(known.has(number));
        known.lack_somewhere();
        assert!(!known.has(number));
        assert_eq!(known.access_path(b"B", true, true), AccessPath::None);
    }

    #[test]
    fn two_classes_of_one_name_are_one() {
        let known = with(&[("A", "java/lang/Object")]);
        known.have(b"A", false);
        let number = asks(&known, "A");
        assert!(known.has(number));
        known.extend(b"A", b"B");
        assert!(!known.has(number));
        known.extend(b"B", OBJECT);
        known.have(b"B", false);
        assert!(known.has(number));
        // Names of two loaders that make a circle lead nowhere.
        known.extend(b"B", b"A");
        assert!(!known.has(number));
    }

    #[test]
    fn only_the_boot_loaders_names_are_trusted() {
        let known = with(&[("A", "java/lang/Object"), ("B", "A")]);
        known.have(b"B", true);
        assert_eq!(known.access_path(b"B", false, true), AccessPath::Guarded(0));
        known.have(b"A", false);
        assert_eq!(known.access_path(b"B", false, true), AccessPath::Guarded(0));
        known.have(b"A", true);
        assert_eq!(known.access_path(b"B", false, true), AccessPath::Direct);
        assert_eq!(known.access_path(b"B", false, false), AccessPath::Guarded(0));
        // Of what this one extends nothing is known.
        known.have(b"C", true);
        assert_eq!(known.access_path(b"C", false, true), AccessPath::Guarded(1));
    }

    #[test]
    fn vectors_and_fillers_have_none() {
        let known = with(&[]);
        for class in ["jdk/internal/vm/FillerObject", "jdk/incubator/vector/Int128Vector"] {
            known.have(class.as_bytes(), true);
            assert_eq!(known.access_path(class.as_bytes(), true, true), AccessPath::None);
        }
    }

    #[test]
    fn fields_of_one_name_and_two_types_have_two_last_writers() {
        assert_eq!(name(b"a", b"I"), name(b"a", b"I"));
        assert_ne!(name(b"a", b"I"), name(b"a", b"J"));
        assert!(name(b"size", b"I").starts_with(b"$subsume$size$"));
    }
}

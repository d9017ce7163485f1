//! What is known of the classes that were loaded: which may follow a protocol.
//!
//! A class gets a field for the state of its objects when it is loaded, and the JVM loads
//! what it extends only then. So a class gets one if it is named by a protocol, or says
//! itself that it implements an interface that is, or that nobody knows yet.

use classfile::{ClassFile, access};
use rustc_hash::FxHashMap;

use super::has_name_of_jdk;
use crate::dataflow::known_layouts::{Layout, layout_of};
use crate::dataflow::protocols::Protocols;

/// Whether a class is a subtype of one that a protocol names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kinship {
    /// It is.
    Subtype,
    /// It is not.
    Stranger,
    /// It, or one of its supertypes, has not been loaded yet.
    Unknown,
}

/// Interfaces of the JDK that the boot loader may load after classes that implement them.
const EXTENDS_ITERATOR: [&[u8]; 5] = [
    b"java/util/ListIterator",
    b"java/util/PrimitiveIterator",
    b"java/util/PrimitiveIterator$OfInt",
    b"java/util/PrimitiveIterator$OfLong",
    b"java/util/PrimitiveIterator$OfDouble",
];
const ITERATOR: &[u8] = b"java/util/Iterator";

/// The internal name of a class.
type Name = Box<[u8]>;

/// Classes by their names. Of several of the same name each one counts.
#[derive(Debug)]
pub struct Hierarchy {
    protocols: Protocols,
    supertypes: FxHashMap<Name, Vec<Name>>,
    /// Whether classes of these interfaces have the field: the JVM refuses a class that has
    /// it once only.
    decided: FxHashMap<(Name, Vec<Name>), bool>,
}

impl Hierarchy {
    /// Nothing is known yet.
    pub fn new(protocols: Protocols) -> Self {
        Self { protocols, supertypes: FxHashMap::default(), decided: FxHashMap::default() }
    }

    fn is_named(&self, class: &[u8]) -> bool {
        let mut types = self.protocols.iter().flat_map(|protocol| protocol.types());
        types.any(|type_| *type_.name == *class)
    }

    /// What is known of a class.
    pub fn kinship(&self, class: &[u8]) -> Kinship {
        // The JVM refuses circles, but their classes may have been seen.
        self.kinship_within(class, MOST_LEVELS)
    }

    fn kinship_within(&self, class: &[u8], levels: u32) -> Kinship {
        if self.is_named(class) || EXTENDS_ITERATOR.contains(&class) && self.is_named(ITERATOR) {
            return Kinship::Subtype;
        }
        if class == b"java/lang/Object" {
            return Kinship::Stranger;
        }
        let Some(supertypes) = self.supertypes.get(class).filter(|_| levels > 0) else {
            return Kinship::Unknown;
        };
        let mut result = Kinship::Stranger;
        for supertype in supertypes {
            match self.kinship_within(supertype, levels - 1) {
                Kinship::Subtype => return Kinship::Subtype,
                Kinship::Unknown => result = Kinship::Unknown,
                Kinship::Stranger => {}
            }
        }
        result
    }

    /// Notes a class that is loaded; true if its objects get a field for their state.
    pub fn load(&mut self, class: &ClassFile<'_>, is_boot: bool) -> bool {
        let name = class.this_class();
        let interfaces: Vec<Name> =
            class.interfaces().filter_map(Result::ok).map(Into::into).collect();
        let superclass = class.super_class().map(Name::from);
        let is_interface = class.access_flags() & access::INTERFACE != 0;
        let known = self.supertypes.entry(name.into()).or_default();
        for supertype in superclass.into_iter().chain(interfaces.iter().cloned()) {
            if !known.contains(&supertype) {
                known.push(supertype);
            }
        }
        if is_interface || layout_of(name) == Layout::Fixed {
            return false;
        }
        let key = (name.into(), interfaces);
        if let Some(&decided) = self.decided.get(&key) {
            return decided;
        }
        let may_follow = |interface: &[u8]| match self.kinship(interface) {
            Kinship::Subtype => true,
            Kinship::Stranger => false,
            // What the boot loader loads is known, and String must not grow.
            Kinship::Unknown => !is_boot && !has_name_of_jdk(interface),
        };
        let decision = self.is_named(name) || key.1.iter().any(|interface| may_follow(interface));
        self.decided.insert(key, decision);
        decision
    }
}

/// Longest way up that is followed.
const MOST_LEVELS: u32 = 64;

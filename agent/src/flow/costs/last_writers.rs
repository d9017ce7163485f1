//! Where the last writers of fields are kept: in fields that are added to the
//! classes that declare them.

use std::hash::Hasher;

use classfile::{ClassEditor, ClassFile, Member, Refusal, access};
use parking_lot::RwLock;
use rustc_hash::{FxHashMap, FxHashSet, FxHasher};

use crate::instrument::members::PREFIX;

/// Fillers of the heap, whose size the collectors rely on.
pub const FILLER: &[u8] = b"jdk/internal/vm/FillerObject";

/// Classes whose fields have none, by name.
#[derive(Debug, Default)]
pub struct Lacking(RwLock<Classes>);

#[derive(Debug, Default)]
struct Classes {
    lacking: FxHashSet<Box<[u8]>>,
    /// Superclasses of all classes: code may name a field by a subclass.
    superclasses: FxHashMap<Box<[u8]>, Box<[u8]>>,
}

impl Lacking {
    /// Notes that fields of classes of this name have none.
    pub fn add(&self, class: &[u8]) {
        self.0.write().lacking.insert(class.into());
    }

    /// Notes the superclass of a class.
    pub fn extends(&self, class: &[u8], superclass: &[u8]) {
        if superclass != b"java/lang/Object" {
            self.0.write().superclasses.insert(class.into(), superclass.into());
        }
    }

    /// Whether fields that are named by a class of this name have some.
    pub fn lets(&self, class: &[u8]) -> bool {
        let classes = self.0.read();
        if classes.lacking.is_empty() {
            return class != FILLER;
        }
        let mut next = Some(class);
        // Names of several loaders may make a circle.
        for _ in 0..classes.superclasses.len() + 2 {
            match next {
                Some(name) if name == FILLER || classes.lacking.contains(name) => return false,
                Some(name) => next = classes.superclasses.get(name).map(|name| &**name),
                None => return true,
            }
        }
        false
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

/// Adds such fields to a class beside those whose descriptor is `wanted`; true
/// if there are any. They are public, so that whoever reaches a field reaches its
/// last writer.
///
/// # Errors
/// When the class has no room for them.
pub fn add(
    class: &ClassFile<'_>,
    wanted: fn(&[u8]) -> bool,
    editor: &mut ClassEditor<'_>,
) -> Result<bool, Refusal> {
    let is_ours = class.this_class().starts_with(b"java/lang/Subsume");
    // What defines hidden classes defines others, too, which come twice.
    let has_them = class.fields().iter().any(|field| field.name().starts_with(PREFIX.as_bytes()));
    if class.this_class() == FILLER || is_ours || has_them {
        return Ok(false);
    }
    let mut added = false;
    let is_wanted = |field: &Member<'_>| !field.is_static() && wanted(field.descriptor());
    for field in class.fields().iter().filter(is_wanted) {
        let flags = access::PUBLIC | access::TRANSIENT | access::SYNTHETIC;
        editor.add_field(flags, &name(field.name(), field.descriptor()), b"I")?;
        added = true;
    }
    Ok(added)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn subclasses_lack_what_their_superclasses_lack() {
        let lacking = Lacking::default();
        for (class, superclass) in [("A", "java/lang/Object"), ("B", "A"), ("C", "B"), ("D", "E")] {
            lacking.extends(class.as_bytes(), superclass.as_bytes());
        }
        assert!(lacking.lets(b"C"));
        lacking.add(b"B");
        assert_eq!(
            [b"A", b"B", b"C", b"D"].map(|class| lacking.lets(class)),
            [true, false, false, true]
        );
    }

    #[test]
    fn fields_of_one_name_and_two_types_have_two_last_writers() {
        assert_eq!(name(b"a", b"I"), name(b"a", b"I"));
        assert_ne!(name(b"a", b"I"), name(b"a", b"J"));
        assert!(name(b"size", b"I").starts_with(b"$subsume$size$"));
    }
}

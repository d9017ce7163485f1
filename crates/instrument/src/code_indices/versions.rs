//! Which classes have been rewritten, and how.
//!
//! A JVM numbers the versions of a class: 0 as it was loaded, and one more with each
//! redefinition. A frame keeps the number of the version that it runs, so what was noted for
//! that number is right for it also when the class has other code by now.
//!
//! Classes are known by their names. Where several loaders have one of a name, and hidden
//! classes share theirs, what was noted for one is taken for another only if nothing tells
//! them apart.

use std::hash::BuildHasher;

use parking_lot::Mutex;
use rustc_hash::{FxBuildHasher, FxHashMap};

use super::moved::{Moved, MovedMethod};

/// How many ways to rewrite the classes of one name are kept. Programs that make hidden
/// classes without end have to end here.
const MOST_WAYS: usize = 1024;

/// How many versions are kept that a class has had one way. Frames of older ones would have
/// to be still there after so many switches.
const MOST_VERSIONS: usize = 16;

/// A class.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct ClassName<'n> {
    /// Its internal name; of a hidden class without what the JVM has added.
    pub name: &'n [u8],
    /// True if the boot loader has it, which has one of a name only; false for hidden ones.
    pub is_boot: bool,
}

/// Where a frame stands.
#[derive(Debug, Clone, Copy)]
pub struct Place<'p> {
    /// The class of its method.
    pub class: ClassName<'p>,
    /// The version of the class that the frame runs.
    pub version: u16,
    /// Name of the method.
    pub name: &'p [u8],
    /// Its descriptor.
    pub descriptor: &'p [u8],
    /// Bytes of the code that the method has now.
    pub length: u32,
    /// The index in the code that the frame runs.
    pub index: u32,
}

/// All classes that have been rewritten.
#[derive(Debug, Default)]
pub struct CodeVersions {
    /// By hashes.
    classes: Mutex<FxHashMap<u64, Class>>,
}

#[derive(Debug, Default)]
struct Class {
    /// The last version that was noted.
    last: u16,
    /// True if there were more ways than are kept.
    is_lost: bool,
    ways: Vec<Way>,
}

/// A way in which a class was rewritten.
#[derive(Debug)]
struct Way {
    /// The versions that were.
    versions: Vec<u16>,
    moved: Moved,
}

impl CodeVersions {
    /// Whether a class of this name has been rewritten.
    pub fn knows(&self, class: ClassName<'_>) -> bool {
        self.classes.lock().contains_key(&key(class))
    }

    /// Notes what the JVM is given for a version of a class; `None` if it is to take the class
    /// as it is.
    pub fn note(&self, class: ClassName<'_>, version: u16, moved: Option<Moved>) {
        let mut classes = self.classes.lock();
        let known = match moved.filter(|moved| !moved.is_empty()) {
            Some(moved) => {
                let known = classes.entry(key(class)).or_default();
                known.forget(class, version);
                known.add(version, moved);
                known
            }
            None => {
                let Some(known) = classes.get_mut(&key(class)) else { return };
                known.forget(class, version);
                known
            }
        };
        known.last = version;
    }

    /// The index in the code as it was; `None` if nothing is known of the frame's code.
    pub fn original(&self, place: &Place<'_>) -> Option<u32> {
        let classes = self.classes.lock();
        let class = classes.get(&key(place.class))?;
        let mut methods = class.methods(place);
        let method = methods.next()?;
        methods.all(|other| other == method).then(|| method.original(place.index))?
    }
}

impl Class {
    /// The only class of a name may be noted again for a version that the JVM has refused.
    fn forget(&mut self, class: ClassName<'_>, version: u16) {
        if class.is_boot {
            for way in &mut self.ways {
                way.versions.retain(|&known| known != version);
            }
        }
    }

    fn add(&mut self, version: u16, moved: Moved) {
        if self.is_lost {
            return;
        }
        let Some(way) = self.ways.iter_mut().find(|way| way.moved == moved) else {
            if self.ways.len() == MOST_WAYS {
                self.is_lost = true;
                self.ways = Vec::new();
                return;
            }
            self.ways.push(Way { versions: vec![version], moved });
            return;
        };
        if !way.versions.contains(&version) {
            if way.versions.len() == MOST_VERSIONS {
                way.versions.remove(0);
            }
            way.versions.push(version);
        }
    }

    /// What the frame's method may have been rewritten to.
    fn methods<'c>(&'c self, place: &Place<'c>) -> impl Iterator<Item = MovedMethod<'c>> {
        let Place { version, name, descriptor, length, .. } = *place;
        let is_last = version == self.last;
        self.ways
            .iter()
            .filter(move |way| way.versions.contains(&version))
            .filter_map(move |way| way.moved.method(name, descriptor))
            // Of older versions the length is not known any more.
            .filter(move |method| !is_last || method.length == length)
    }
}

fn key(class: ClassName<'_>) -> u64 {
    FxBuildHasher.hash_one(class)
}

#[cfg(test)]
mod tests {
    use classfile::{ClassEditor, ClassFile, CodeEdit, Fragment, opcode};

    use super::*;

    const OF_PROGRAM: ClassName<'_> = ClassName { name: b"p/C", is_boot: false };
    const OF_JDK: ClassName<'_> = ClassName { name: b"p/C", is_boot: true };

    /// A class with a method `m()V` of two bytes: `nop`, `return`.
    fn class_file() -> Vec<u8> {
        let text = |text: &str| [&[1, 0, text.len() as u8], text.as_bytes()].concat();
        let mut bytes = vec![0xCA, 0xFE, 0xBA, 0xBE, 0, 0, 0, 49, 0, 8];
        bytes
            .extend([text("p/C"), vec![7, 0, 1], text("java/lang/Object"), vec![7, 0, 3]].concat());
        bytes.extend([text("m"), text("()V"), text("Code")].concat());
        // Public, with its superclass, no interfaces and fields, and one static method.
        bytes.extend([0, 33, 0, 2, 0, 4, 0, 0, 0, 0, 0, 1, 0, 9, 0, 5, 0, 6, 0, 1]);
        bytes.extend([0, 7, 0, 0, 0, 14, 0, 0, 0, 0, 0, 0, 0, 2, opcode::NOP, opcode::RETURN]);
        bytes.extend([0; 6]);
        bytes
    }

    /// Inserts `count` bytes before the second instruction.
    fn moved(count: usize) -> Moved {
        let bytes = class_file();
        let class = ClassFile::parse(&bytes).expect("a class file");
        let mut editor = ClassEditor::new(&class);
        let method = class.methods().get(0).expect("a method");
        let code = method.code().expect("has whole code").expect("has code");
        let mut edit = CodeEdit::new(&code);
        edit.before(1, Fragment::new().raw(&vec![opcode::NOP; count], 0));
        editor.edit_code(0, &edit).expect("there is room");
        Moved::of(&class, &editor)
    }

    fn place(class: ClassName<'_>, version: u16, length: u32, index: u32) -> Place<'_> {
        Place { class, version, name: b"m", descriptor: b"()V", length, index }
    }

    #[test]
    fn a_frame_has_the_index_of_the_version_that_it_runs() {
        let versions = CodeVersions::default();
        // Rewritten, as it was, rewritten otherwise, as it was.
        for (version, count) in [(0, Some(4)), (1, None), (2, Some(7)), (3, None)] {
            versions.note(OF_PROGRAM, version, count.map(moved));
        }
        let original = |version, index| versions.original(&place(OF_PROGRAM, version, 2, index));
        let found = [0, 1, 2, 3, 4].map(|version| original(version, 5));
        assert_eq!(found, [Some(1), None, None, None, None]);
        assert_eq!([original(2, 8), original(2, 0), original(0, 4)], [Some(1), Some(0), None]);
        assert!(versions.original(&place(OF_JDK, 0, 2, 5)).is_none());
    }

    #[test]
    fn code_that_somebody_else_has_changed_as_well_is_not_known() {
        let versions = CodeVersions::default();
        versions.note(OF_PROGRAM, 0, Some(moved(4)));
        let original = |length| versions.original(&place(OF_PROGRAM, 0, length, 5));
        assert_eq!([original(6), original(7)], [Some(1), None]);
    }

    #[test]
    fn classes_of_one_name_are_told_apart_by_the_lengths_of_their_code() {
        let versions = CodeVersions::default();
        versions.note(OF_PROGRAM, 0, Some(moved(4)));
        versions.note(OF_PROGRAM, 0, Some(moved(7)));
        let original = |length, index| versions.original(&place(OF_PROGRAM, 0, length, index));
        assert_eq!([original(6, 5), original(9, 8), original(8, 7)], [Some(1), Some(1), None]);
        // Afterwards nothing tells frames that are still there apart.
        versions.note(OF_PROGRAM, 1, None);
        assert_eq!(original(2, 5), None);
    }

    #[test]
    fn a_version_that_the_jvm_has_refused_is_noted_again() {
        let versions = CodeVersions::default();
        versions.note(OF_JDK, 1, Some(moved(4)));
        versions.note(OF_JDK, 1, Some(moved(7)));
        versions.note(OF_JDK, 2, None);
        assert_eq!(versions.original(&place(OF_JDK, 1, 2, 8)), Some(1));
        versions.note(OF_JDK, 1, None);
        assert_eq!(versions.original(&place(OF_JDK, 1, 2, 8)), None);
    }

    #[test]
    fn what_is_kept_is_bounded() {
        let versions = CodeVersions::default();
        let (first, second) = (moved(4), moved(7));
        for version in 0..100 {
            versions.note(OF_PROGRAM, 2 * version, Some(first.clone()));
            versions.note(OF_PROGRAM, 2 * version + 1, Some(second.clone()));
        }
        {
            let classes = versions.classes.lock();
            let ways = &classes[&key(OF_PROGRAM)].ways;
            assert_eq!(ways.iter().map(|way| way.versions.len()).sum::<usize>(), 2 * MOST_VERSIONS);
        }
        let original = |version| versions.original(&place(OF_PROGRAM, version, 2, 5));
        assert_eq!([original(198), original(0)], [Some(1), None]);
        for count in 1..=MOST_WAYS + 1 {
            versions.note(OF_PROGRAM, 200, Some(moved(count)));
        }
        assert_eq!(original(198), None, "more than can be told apart");
        assert!(versions.knows(OF_PROGRAM) && !versions.knows(OF_JDK));
    }
}

//! Numbers for classes and methods, and what is known of methods that have no
//! probes of their own.

use std::hash::{DefaultHasher, Hash, Hasher};

use parking_lot::RwLock;
use profile::metadata::{ClassRecord, Record};
use rustc_hash::FxHashMap;

/// Everything that has a number in this recording.
#[derive(Debug)]
pub struct Catalogue {
    inner: RwLock<Inner>,
}

#[derive(Debug)]
struct Inner {
    next_class: u32,
    next_method: u32,
    /// First method id of a class record by a hash of the record: the same class,
    /// rewritten again or loaded by another loader, keeps its numbers.
    records: FxHashMap<u64, u32>,
    /// Methods of the boot loader's classes that callers count on their behalf,
    /// by class and then by name and descriptor.
    targets: FxHashMap<Box<[u8]>, TargetsOfClass>,
}

/// Targets by name and descriptor.
pub type TargetsOfClass = FxHashMap<Box<[u8]>, Target>;

/// A method without probes whose callers count its calls.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Target {
    /// Its number.
    pub method: u32,
    /// True if nothing in Java runs on its behalf: a counter will do.
    pub never_calls_back: bool,
    /// True if `invokevirtual` of it cannot reach another method.
    pub bound_when_virtual: bool,
}

/// A record that got its numbers.
#[derive(Debug)]
pub struct Numbered {
    /// Number of its first method; the others follow in order.
    pub first_method: u32,
    /// The record to be written, if it was not known before.
    pub new_record: Option<Record>,
}

impl Default for Catalogue {
    fn default() -> Self {
        let inner = Inner {
            next_class: 0,
            // 0 means "no method" in a node.
            next_method: 1,
            records: FxHashMap::default(),
            targets: FxHashMap::default(),
        };
        Self { inner: RwLock::new(inner) }
    }
}

impl Catalogue {
    /// Numbers a class record and its methods, whose ids are to be 0.
    ///
    /// `on_new` is told the first number of a record that was not known,
    /// before anybody else can get the same numbers.
    pub fn number(&self, mut record: ClassRecord, on_new: impl FnOnce(u32)) -> Numbered {
        let mut bytes = Vec::with_capacity(1024);
        let unnumbered = Record::Class(record.clone());
        unnumbered.encode(&mut bytes);
        let mut hasher = DefaultHasher::new();
        bytes.hash(&mut hasher);
        let hash = hasher.finish();
        let mut inner = self.inner.write();
        if let Some(&first_method) = inner.records.get(&hash) {
            return Numbered { first_method, new_record: None };
        }
        let first_method = inner.next_method;
        record.id = inner.next_class;
        inner.next_class += 1;
        for method in &mut record.methods {
            method.id = inner.next_method;
            inner.next_method += 1;
        }
        on_new(first_method);
        inner.records.insert(hash, first_method);
        Numbered { first_method, new_record: Some(Record::Class(record)) }
    }

    /// True if [`Catalogue::add_targets`] was called for this class.
    pub fn knows_targets(&self, class: &[u8]) -> bool {
        self.inner.read().targets.contains_key(class)
    }

    /// Notes the methods of a class that their callers count.
    pub fn add_targets(&self, class: &[u8], targets: TargetsOfClass) {
        self.inner.write().targets.entry(class.into()).or_insert(targets);
    }

    /// The method, if callers count its calls.
    pub fn target(&self, class: &[u8], name: &[u8], descriptor: &[u8]) -> Option<Target> {
        // Few classes have targets, so most calls end here without a copy.
        self.inner.read().targets.get(class)?.get(&signature(name, descriptor)).copied()
    }
}

/// Name and descriptor in one, the key of [`TargetsOfClass`].
pub fn signature(name: &[u8], descriptor: &[u8]) -> Box<[u8]> {
    [name, descriptor].concat().into()
}

#[cfg(test)]
mod tests {
    use profile::metadata::MethodRecord;

    use super::*;

    fn record(name: &str) -> ClassRecord {
        let method = |name: &str| MethodRecord { name: name.into(), ..Default::default() };
        ClassRecord {
            name: name.into(),
            methods: vec![method("a"), method("b")],
            ..Default::default()
        }
    }

    #[test]
    fn the_same_record_keeps_its_numbers() {
        let catalogue = Catalogue::default();
        let first = catalogue.number(record("A"), |_| ());
        let other = catalogue.number(record("B"), |_| ());
        let again = catalogue.number(record("A"), |_| ());
        assert_eq!((first.first_method, other.first_method, again.first_method), (1, 3, 1));
        assert!(first.new_record.is_some() && again.new_record.is_none());
        let Some(Record::Class(class)) = other.new_record else { panic!("B is new") };
        assert_eq!((class.id, class.methods[1].id), (1, 4));
    }
}

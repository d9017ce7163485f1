//! Numbers for classes and methods, and what is known of methods that have no
//! probes of their own.

use std::hash::{DefaultHasher, Hash, Hasher};

use classfile::Member;
use parking_lot::RwLock;
use profile::metadata::{ClassRecord, Record};
use rustc_hash::{FxHashMap, FxHashSet};

/// Everything that has a number in this recording.
#[derive(Debug)]
pub struct Catalogue {
    inner: RwLock<Inner>,
}

#[derive(Debug)]
struct Inner {
    next_class: u32,
    next_method: u32,
    /// First method id of a class record, and its class id, by a hash of the record: the same
    /// class, rewritten again or loaded by another loader, keeps its numbers.
    records: FxHashMap<u64, (u32, u32)>,
    /// Names of classes with dots, each with the number of its first method, in their order.
    names: Vec<(u32, Box<str>)>,
    /// Methods of the boot loader's classes that callers count on their behalf,
    /// by class, with how many classes were known before.
    targets: FxHashMap<Box<[u8]>, (usize, TargetsOfClass)>,
}

/// A snapshot of the catalogue: the classes whose targets were known then.
#[derive(Debug, Clone, Copy)]
pub struct Snapshot(usize);

impl Snapshot {
    /// All that are known.
    pub const NOW: Self = Self(usize::MAX);
}

/// The targets of one class.
#[derive(Debug, Default)]
pub struct TargetsOfClass {
    /// Ordered by name and descriptor. Looking for one takes no copy of the
    /// two, unlike a map; every call in every class is looked for.
    sorted: Vec<(Signature, Target)>,
}

/// Name and descriptor.
type Signature = (Box<[u8]>, Box<[u8]>);

impl TargetsOfClass {
    /// The method, if callers count its calls.
    pub fn get(&self, name: &[u8], descriptor: &[u8]) -> Option<Target> {
        let order = |known: &(Signature, Target)| {
            let (known_name, known_descriptor) = &known.0;
            known_name[..].cmp(name).then_with(|| known_descriptor[..].cmp(descriptor))
        };
        let place = self.sorted.binary_search_by(order).ok()?;
        Some(self.sorted.get(place)?.1)
    }
}

impl<'a> FromIterator<(Member<'a>, Target)> for TargetsOfClass {
    fn from_iter<I: IntoIterator<Item = (Member<'a>, Target)>>(targets: I) -> Self {
        let signature = |method: Member<'_>| (method.name().into(), method.descriptor().into());
        let mut sorted: Vec<(Signature, Target)> =
            targets.into_iter().map(|(method, target)| (signature(method), target)).collect();
        sorted.sort_by(|(left, _), (right, _)| left.cmp(right));
        Self { sorted }
    }
}

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
    /// Number of the class.
    pub class: u32,
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
            names: Vec::new(),
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
    pub fn number(&self, record: ClassRecord, on_new: impl FnOnce(u32)) -> Numbered {
        let mut bytes = Vec::with_capacity(1024);
        let mut record = Record::Class(record);
        record.encode(&mut bytes);
        let mut hasher = DefaultHasher::new();
        bytes.hash(&mut hasher);
        let hash = hasher.finish();
        let mut inner = self.inner.write();
        if let Some(&(first_method, class)) = inner.records.get(&hash) {
            return Numbered { first_method, class, new_record: None };
        }
        let first_method = inner.next_method;
        let class = inner.next_class;
        if let Record::Class(record) = &mut record {
            inner.names.push((first_method, record.name.as_str().into()));
            record.id = class;
            for method in &mut record.methods {
                method.id = inner.next_method;
                inner.next_method += 1;
            }
        }
        inner.next_class += 1;
        on_new(first_method);
        inner.records.insert(hash, (first_method, class));
        Numbered { first_method, class, new_record: Some(record) }
    }

    /// Numbers the one method of a further record of a class, which has its id.
    ///
    /// `on_new` is told the number before anybody else can see it.
    pub fn number_further(&self, record: &mut ClassRecord, on_new: impl FnOnce(u32)) -> u32 {
        let mut inner = self.inner.write();
        let number = inner.next_method;
        inner.names.push((number, record.name.as_str().into()));
        if let Some(method) = record.methods.first_mut() {
            method.id = number;
            inner.next_method += 1;
        }
        on_new(number);
        number
    }

    /// Names, with dots, of the classes that have such a method.
    pub fn classes_with(&self, is_such: impl Fn(u32) -> bool) -> FxHashSet<Box<str>> {
        let inner = self.inner.read();
        let ends = inner.names.iter().skip(1).map(|&(first, _)| first).chain([inner.next_method]);
        let with_ends = inner.names.iter().zip(ends);
        let have = with_ends.filter(|((first, _), end)| (*first..*end).any(&is_such));
        have.map(|((_, name), _)| name.clone()).collect()
    }

    /// True if [`Catalogue::add_targets`] was called for this class.
    pub fn knows_targets(&self, class: &[u8]) -> bool {
        self.inner.read().targets.contains_key(class)
    }

    /// Notes the methods of a class that their callers count.
    pub fn add_targets(&self, class: &[u8], targets: TargetsOfClass) {
        let mut inner = self.inner.write();
        let earlier = inner.targets.len();
        inner.targets.entry(class.into()).or_insert((earlier, targets));
    }

    /// What is known now, for later.
    pub fn snapshot(&self) -> Snapshot {
        Snapshot(self.inner.read().targets.len())
    }

    /// The method, if callers count its calls and that was known.
    pub fn target(
        &self,
        class: &[u8],
        name: &[u8],
        descriptor: &[u8],
        snapshot: Snapshot,
    ) -> Option<Target> {
        let inner = self.inner.read();
        let (earlier, targets) = inner.targets.get(class)?;
        targets.get(name, descriptor).filter(|_| *earlier < snapshot.0)
    }
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

    #[test]
    fn classes_are_found_by_their_methods() {
        let catalogue = Catalogue::default();
        for name in ["A", "B", "C"] {
            catalogue.number(record(name), |_| ());
        }
        let first_of_b = catalogue.number(record("B"), |_| ()).first_method;
        let with = |method| catalogue.classes_with(|found| found == method);
        assert_eq!(with(first_of_b), FxHashSet::from_iter(["B".into()]));
        assert_eq!(with(first_of_b - 1), FxHashSet::from_iter(["A".into()]));
        let all = catalogue.classes_with(|_| true);
        assert_eq!(all, ["A", "B", "C"].map(Box::from).into_iter().collect());
    }

    #[test]
    fn targets_are_found_by_name_and_descriptor() {
        let text = |text: &str| [&[1, 0, text.len() as u8], text.as_bytes()].concat();
        let mut bytes = vec![0xCA, 0xFE, 0xBA, 0xBE, 0, 0, 0, 52, 0, 7];
        bytes.extend([text("A"), vec![7, 0, 1], text("b"), text("a"), text("()V")].concat());
        bytes.extend(text("(I)V"));
        // Class, superclass, no interfaces, no fields; b()V, a(I)V, a()V.
        bytes.extend([6, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 3]);
        for (name, descriptor) in [(3, 5), (4, 6), (4, 5)] {
            bytes.extend([1, 0, 0, name, 0, descriptor, 0, 0]);
        }
        bytes.extend([0, 0]);
        let class = classfile::ClassFile::parse(&bytes).expect("a class");
        let target = |method| Target { method, never_calls_back: true, bound_when_virtual: true };
        let catalogue = Catalogue::default();
        let targets = class.methods().iter().zip((7..).map(target)).collect();
        let before = catalogue.snapshot();
        assert!(!catalogue.knows_targets(b"A"));
        catalogue.add_targets(b"A", targets);
        assert!(catalogue.knows_targets(b"A"));
        assert_eq!(catalogue.target(b"A", b"b", b"()V", before), None);
        let since = catalogue.snapshot();
        assert_eq!(catalogue.target(b"A", b"b", b"()V", since), Some(target(7)));
        let find = |name: &str, descriptor: &str| {
            catalogue.target(b"A", name.as_bytes(), descriptor.as_bytes(), Snapshot::NOW)
        };
        assert_eq!(find("b", "()V"), Some(target(7)));
        assert_eq!(find("a", "(I)V"), Some(target(8)));
        assert_eq!(find("a", "()V"), Some(target(9)));
        assert_eq!(find("b", "(I)V"), None);
        assert_eq!(catalogue.target(b"B", b"b", b"()V", Snapshot::NOW), None);
    }
}

//! Last writers of static fields: a word for each field, by its number.
//!
//! Code may name a static field by a subclass of the class that declares it; the
//! JVM finds out which one is meant when it executes the code (JVMS 5.4.3.2), and
//! so do we where the classes are known. They may not be when the code is
//! rewritten; such code [asks](StaticFields::constant) whenever it is executed.
//! The JVM has loaded them all by then.

use std::sync::atomic::AtomicU32;
use std::sync::atomic::Ordering::Relaxed;

use classfile::ClassFile;
use parking_lot::Mutex;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::dataflow::graph::numbers::FieldName;
use arena::words_beside;

/// Numbers of fields that have a last writer; higher ones have none.
pub const NUMBERS: u32 = 1 << 20;

/// What is known of them.
#[derive(Debug)]
pub struct StaticFields {
    /// For each number, the last writer; as in `SubsumeStatics`.
    writers: &'static [AtomicU32],
    /// For each number, that of the field as the class names it that declares it;
    /// 0 if that is not known.
    meant: &'static [AtomicU32],
    inner: Mutex<Inner>,
}

#[derive(Debug, Default)]
struct Inner {
    /// By internal name. Classes of one name count as one.
    classes: FxHashMap<Box<[u8]>, Structure>,
    /// Fields that are looked for, by the class that has to be known next.
    sought: FxHashMap<Box<[u8]>, Vec<Sought>>,
}

#[derive(Debug)]
struct Structure {
    /// Names and descriptors of static fields, as [`key`] joins them.
    fields: Box<[Box<[u8]>]>,
    /// The superclass, then the interfaces.
    supers: Box<[Box<[u8]>]>,
}

/// A field by the name that code has for it.
#[derive(Debug)]
struct Sought {
    class: Box<[u8]>,
    name: Box<[u8]>,
    descriptor: Box<[u8]>,
    number: u32,
}

/// What is known of the class that declares a field.
enum Declared<'i> {
    By(&'i [u8]),
    /// This one is not known yet.
    Beyond(&'i [u8]),
    Nowhere,
}

fn key(name: &[u8], descriptor: &[u8]) -> Box<[u8]> {
    // 0xFF occurs in no name.
    [name, descriptor].join(&0xFF).into()
}

impl StaticFields {
    /// Nothing is known; `None` without memory.
    pub fn new() -> Option<Self> {
        // Instrumented code keeps the addresses until the process ends.
        let words = || words_beside(NUMBERS as usize);
        Some(Self { writers: words()?, meant: words()?, inner: Mutex::default() })
    }

    /// Notes what a class declares and extends. `number` gives the numbers of
    /// fields that others have been waiting for.
    pub fn declare(&self, class: &ClassFile<'_>, number: impl Fn(FieldName<'_>) -> u32) {
        // The JVM shows a class again when it is retransformed.
        if self.inner.lock().classes.contains_key(class.this_class()) {
            return;
        }
        let fields = class.fields();
        let fields = fields.iter().filter(|field| field.is_static());
        let fields = fields.map(|field| key(field.name(), field.descriptor())).collect();
        let supers = class.super_class().into_iter().chain(class.interfaces().flatten());
        let structure = Structure { fields, supers: supers.map(Box::from).collect() };
        self.learn(class.this_class(), structure, number);
    }

    fn learn(&self, name: &[u8], class: Structure, number: impl Fn(FieldName<'_>) -> u32) {
        let mut inner = self.inner.lock();
        inner.classes.entry(name.into()).or_insert(class);
        for sought in inner.sought.remove(name).unwrap_or_default() {
            self.look_for(sought, &mut inner, &number);
        }
    }

    /// The number of a field that code names by a class, as the class names it that
    /// declares it, if that is known. `number` gives numbers.
    pub fn number(&self, field: FieldName<'_>, number: impl Fn(FieldName<'_>) -> u32) -> u32 {
        let own = number(field);
        let Some(meant) = self.meant.get(own as usize) else { return own };
        match meant.load(Relaxed) {
            0 => {
                let sought = Sought {
                    class: field.class.into(),
                    name: field.name.into(),
                    descriptor: field.descriptor.into(),
                    number: own,
                };
                self.look_for(sought, &mut self.inner.lock(), &number);
                Some(meant.load(Relaxed)).filter(|&meant| meant != 0).unwrap_or(own)
            }
            meant => meant,
        }
    }

    fn look_for(&self, sought: Sought, inner: &mut Inner, number: impl Fn(FieldName<'_>) -> u32) {
        let class = match inner.declared(&sought) {
            Declared::By(class) => class,
            Declared::Beyond(class) => {
                let class = Box::from(class);
                let waiting = inner.sought.entry(class).or_default();
                if waiting.iter().all(|other| other.number != sought.number) {
                    waiting.push(sought);
                }
                return;
            }
            // Executing such code fails.
            Declared::Nowhere => &sought.class,
        };
        let Sought { name, descriptor, .. } = &sought;
        let declared = number(FieldName { class, name, descriptor, is_static: true });
        if let Some(meant) = self.meant.get(sought.number as usize) {
            meant.store(declared, Relaxed);
        }
        // So that code that names the declaring class does not look for it again.
        if let Some(itself) = self.meant.get(declared as usize) {
            itself.store(declared, Relaxed);
        }
    }

    /// What code passes to a probe for a [number](Self::number): itself where it is
    /// known which field it stands for, else its complement, so that the probe asks.
    /// `None` if there is no last writer.
    pub fn constant(&self, number: u32) -> Option<i32> {
        let meant = self.meant.get(number as usize)?.load(Relaxed);
        // Numbers are small.
        Some(if meant == number { number as i32 } else { !(number as i32) })
    }

    /// Address of the last writers.
    pub fn writers(&self) -> u64 {
        self.writers.as_ptr() as u64
    }

    /// Address of what numbers stand for.
    pub fn meant(&self) -> u64 {
        self.meant.as_ptr() as u64
    }
}

impl Inner {
    /// The search of JVMS 5.4.3.2, among static fields only: code that means
    /// another one fails.
    fn declared<'i>(&'i self, sought: &'i Sought) -> Declared<'i> {
        let key = key(&sought.name, &sought.descriptor);
        // Names of several loaders may make a circle.
        let mut seen = FxHashSet::default();
        let mut waiting: Vec<&[u8]> = vec![&sought.class];
        while let Some(name) = waiting.pop() {
            if !seen.insert(name) {
                continue;
            }
            let Some(class) = self.classes.get(name) else { return Declared::Beyond(name) };
            if class.fields.contains(&key) {
                return Declared::By(name);
            }
            // The first of the interfaces comes first, the superclass last.
            if let Some((superclass, interfaces)) = class.supers.split_first() {
                waiting.push(superclass);
                waiting.extend(interfaces.iter().rev().map(|name| &**name));
            }
        }
        Declared::Nowhere
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::modified_utf8;

    /// Fields of `I`, one letter each, in the order of their numbers.
    struct Numbers(Mutex<Vec<(String, String)>>);

    impl Numbers {
        fn of(&self, field: FieldName<'_>) -> u32 {
            let text = |name: &[u8]| modified_utf8::decode(name).into_owned();
            let field = (text(field.class), text(field.name));
            let mut known = self.0.lock();
            let at = known.iter().position(|other| *other == field).unwrap_or_else(|| {
                known.push(field);
                known.len() - 1
            });
            at as u32 + 1
        }
    }

    struct Program {
        fields: StaticFields,
        numbers: Numbers,
    }

    impl Program {
        fn new() -> Self {
            let fields = StaticFields::new().expect("there is memory");
            Self { fields, numbers: Numbers(Mutex::default()) }
        }

        fn load(&self, name: &str, fields: &[&str], supers: &[&str]) {
            let fields = fields.iter().map(|field| key(field.as_bytes(), b"I")).collect();
            let supers = supers.iter().map(|class| class.as_bytes().into()).collect();
            let class = Structure { fields, supers };
            self.fields.learn(name.as_bytes(), class, |field| self.numbers.of(field));
        }

        fn number(&self, class: &str, name: &str) -> u32 {
            let (class, name) = (class.as_bytes(), name.as_bytes());
            let field = FieldName { class, name, descriptor: b"I", is_static: true };
            self.fields.number(field, |field| self.numbers.of(field))
        }

        /// What a probe finds that gets this constant; as in `SubsumeStatics`.
        fn meant(&self, constant: i32) -> u32 {
            let own = if constant < 0 { !constant } else { return constant as u32 };
            match self.fields.meant[own as usize].load(Relaxed) {
                0 => own as u32,
                meant => meant,
            }
        }
    }

    #[test]
    fn the_class_that_declares_it_decides() {
        let program = Program::new();
        program.load("java/lang/Object", &[], &[]);
        program.load("I", &["x", "y"], &["java/lang/Object"]);
        program.load("A", &["x", "z"], &["java/lang/Object"]);
        program.load("B", &[], &["A", "I"]);
        program.load("C", &["z"], &["B"]);
        let same = |one: (&str, &str), other: (&str, &str)| {
            program.number(one.0, one.1) == program.number(other.0, other.1)
        };
        assert!(same(("B", "z"), ("A", "z")) && !same(("C", "z"), ("A", "z")));
        // Interfaces come before the superclass.
        assert!(same(("C", "x"), ("I", "x")) && same(("C", "y"), ("I", "y")));
        let number = program.number("C", "x");
        assert_eq!(program.fields.constant(number), Some(number as i32));
    }

    #[test]
    fn who_names_a_class_before_it_is_loaded_asks() {
        let program = Program::new();
        let early = program.number("B", "z");
        let constant = program.fields.constant(early).expect("numbers are small");
        assert_eq!((constant, program.meant(constant)), (!(early as i32), early));
        // The JVM loads what a class extends after it.
        program.load("B", &[], &["A"]);
        program.load("C", &[], &["B"]);
        assert_eq!(program.meant(constant), early);
        program.load("A", &["z"], &["java/lang/Object"]);
        let late = program.number("A", "z");
        assert_eq!(program.meant(constant), late);
        assert_eq!([program.number("B", "z"), program.number("C", "z")], [late, late]);
        assert_eq!(program.fields.constant(late), Some(late as i32));
    }

    #[test]
    fn what_nobody_declares_is_by_itself() {
        let program = Program::new();
        program.load("A", &[], &["B"]);
        program.load("B", &[], &["A"]);
        let number = program.number("A", "x");
        assert_eq!(program.fields.constant(number), Some(number as i32));
        assert_eq!(program.fields.constant(NUMBERS), None);
    }
}

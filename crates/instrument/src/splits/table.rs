//! Numbers of pairs of a method and a text.

use std::sync::Arc;

use parking_lot::{Mutex, RwLock};
use profile::metadata::{ClassRecord, Record};
use profile::texts;
use rustc_hash::FxHashMap;

use super::form::Form;
use super::presets::Reading;
use super::rules::{Split, Splits};
use crate::catalogue::Catalogue;
use live::profile_writer::ProfileWriter;
use live::thread_trees::ThreadTrees;
use live::trees::NodeShape;

/// The methods that are split, and their texts.
#[derive(Debug)]
pub struct SplitTable {
    /// What the user asked for.
    pub rules: Splits,
    methods: RwLock<FxHashMap<u32, Arc<SplitMethod>>>,
    /// Texts that results keep, by the numbers of the calls that return these.
    kept: RwLock<FxHashMap<u32, Arc<str>>>,
}

/// A method that is split.
#[derive(Debug)]
pub struct SplitMethod {
    /// What texts are made of.
    pub reading: Reading,
    form: Form,
    template: Template,
    /// The numbers of its texts.
    texts: Mutex<FxHashMap<Box<str>, u32>>,
}

/// What is said of each text of a method in the profile.
#[derive(Debug)]
pub struct Template {
    /// The method's class, with its number and this method only.
    pub class: ClassRecord,
    /// What the method's code is known by.
    pub code_hash: u64,
}

/// The parts of a recording that hear of new numbers.
#[derive(Debug, Clone, Copy)]
pub struct Books<'r> {
    /// Gives numbers.
    pub catalogue: &'r Catalogue,
    /// Takes the names.
    pub writer: &'r ProfileWriter,
    /// Takes the shapes of nodes.
    pub trees: &'r ThreadTrees,
}

/// What an argument says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Text {
    /// Nothing: it is null.
    Null,
    /// Nothing that is known: it is not a string, or what was asked failed.
    Unknown,
    /// This.
    Known(String),
    /// That of the call that was entered under this number.
    Kept(u32),
}

impl SplitTable {
    /// Without methods so far.
    pub fn new(rules: Splits) -> Self {
        Self { rules, methods: RwLock::default(), kept: RwLock::default() }
    }

    /// Notes that a method is split; true if that is new.
    pub fn add(&self, method: u32, split: &Split, template: impl FnOnce() -> Template) -> bool {
        let mut methods = self.methods.write();
        if methods.contains_key(&method) {
            return false;
        }
        let (reading, form) = (split.reading, split.form);
        let texts = Mutex::default();
        let split = SplitMethod { reading, form, template: template(), texts };
        methods.insert(method, Arc::new(split));
        true
    }

    /// A method that is split.
    pub fn method(&self, method: u32) -> Option<Arc<SplitMethod>> {
        self.methods.read().get(&method).cloned()
    }

    /// Whether the result of a call that was entered under this number keeps a text.
    pub fn is_kept(&self, number: u32) -> bool {
        self.kept.read().contains_key(&number)
    }

    /// The number of a method with a text, or the method's own if its text is not known.
    pub fn number(&self, method: u32, text: Text, books: Books<'_>) -> u32 {
        let Some(split) = self.method(method) else { return method };
        let text = match text {
            Text::Unknown => return method,
            Text::Null => texts::NULL.to_owned(),
            Text::Known(text) => split.form.of(&text),
            // The form of the call's text is that of the method.
            Text::Kept(call) => match self.kept.read().get(&call) {
                Some(text) => (**text).to_owned(),
                None => return method,
            },
        };
        let text = if text.is_empty() { texts::EMPTY.to_owned() } else { text };
        let mut texts = split.texts.lock();
        if let Some(&number) = texts.get(&*text) {
            return number;
        }
        let is_full = texts.len() >= self.rules.most_texts && text != texts::NULL;
        let text = if is_full { texts::OTHERS.to_owned() } else { text };
        if let Some(&number) = texts.get(&*text) {
            return number;
        }
        let number = split.template.name(&text, books);
        if split.reading == Reading::KeptByResult {
            self.kept.write().insert(number, text.as_str().into());
        }
        texts.insert(text.into(), number);
        number
    }
}

impl Template {
    /// Gives a text a number and writes down its name.
    fn name(&self, text: &str, books: Books<'_>) -> u32 {
        let mut class = self.class.clone();
        let Some(method) = class.methods.first_mut() else { return 0 };
        let shape = NodeShape::of(method);
        method.name = texts::join(&method.name, text);
        let number = books.catalogue.number_further(&mut class, |number| {
            books.trees.set_shape(number, shape);
        });
        // Without room for it the nodes have no names; the reader says so.
        if books.writer.append(&Record::Class(class)) && self.code_hash != 0 {
            let hashes = vec![self.code_hash];
            books.writer.append(&Record::Code { first_method: number, hashes });
        }
        number
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc as Shared;

    use arena::Arena;
    use live::switch::Switch;
    use live::trees::MostContexts;
    use profile::metadata::MethodRecord;

    use super::*;

    struct Fixture {
        table: SplitTable,
        catalogue: Catalogue,
        writer: Shared<ProfileWriter>,
        trees: ThreadTrees,
    }

    impl Fixture {
        fn new(most: u64) -> Self {
            let arena: &'static Arena = Box::leak(Box::new(Arena::in_memory().expect("memory")));
            let writer = Shared::new(ProfileWriter::new(arena));
            let most_contexts = MostContexts { count: u64::MAX, end_all: true };
            let (switch, told) = (Switch::default(), Shared::clone(&writer));
            Self {
                table: SplitTable::new(Splits::new("a.B.c(1:sql)", Some(most)).expect("is right")),
                catalogue: Catalogue::default(),
                trees: ThreadTrees::new(arena, switch, told, most_contexts, false),
                writer,
            }
        }

        fn number(&self, method: u32, text: &str) -> u32 {
            self.give(method, Text::Known(text.to_owned()))
        }

        fn give(&self, method: u32, text: Text) -> u32 {
            let (catalogue, writer, trees) = (&self.catalogue, &*self.writer, &self.trees);
            self.table.number(method, text, Books { catalogue, writer, trees })
        }
    }

    fn class() -> ClassRecord {
        let method = MethodRecord { name: "c".into(), ..MethodRecord::default() };
        ClassRecord { name: "a.B".into(), methods: vec![method], ..ClassRecord::default() }
    }

    #[test]
    fn texts_have_numbers_up_to_the_limit() {
        let f = Fixture::new(2);
        let numbered = f.catalogue.number(class(), |_| ());
        let method = numbered.first_method;
        assert_eq!(f.number(method, "select 1"), method, "is not split");
        let split = Split {
            said: "a.B.c(1:sql)".into(),
            local: 1,
            reading: Reading::Itself,
            form: Form::Sql,
        };
        let template =
            || Template { class: ClassRecord { id: numbered.class, ..class() }, code_hash: 7 };
        assert!(f.table.add(method, &split, template));
        assert!(!f.table.add(method, &split, template));
        assert_eq!(f.give(method, Text::Unknown), method);
        let one = f.number(method, "select 1");
        assert_ne!(one, method);
        assert_eq!(f.number(method, "select  2"), one);
        let other = f.number(method, "");
        assert!(other != one && other != method);
        let rest = f.number(method, "delete");
        assert_eq!(f.number(method, "update"), rest);
        assert!(![method, one, other].contains(&rest));
        // A null is not a further text.
        let null = f.give(method, Text::Null);
        assert!(![method, one, other, rest].contains(&null));
        assert_eq!((f.number(method, "select 3"), f.give(method, Text::Null)), (one, null));
        let of_class = f.catalogue.classes_with(|found| found == rest);
        assert_eq!(of_class.into_iter().collect::<Vec<_>>(), ["a.B".into()]);
    }

    #[test]
    fn results_keep_texts() {
        let f = Fixture::new(1);
        let add = |name: &str, reading| {
            let named = ClassRecord { name: name.into(), ..class() };
            let numbered = f.catalogue.number(named.clone(), |_| ());
            let form = Form::Sql;
            let split = Split { said: "jdbc".into(), local: 0, reading, form };
            let class = ClassRecord { id: numbered.class, ..class() };
            assert!(
                f.table.add(numbered.first_method, &split, || Template { class, code_hash: 7 })
            );
            numbered.first_method
        };
        let prepare = add("a.B", Reading::KeptByResult);
        let execute = add("a.C", Reading::Kept);
        let calls = ["select 1", "select 2", "delete"].map(|text| f.number(prepare, text));
        assert!(f.table.is_kept(calls[0]) && !f.table.is_kept(prepare));
        let executions = calls.map(|call| f.give(execute, Text::Kept(call)));
        assert_eq!((calls[0], executions[0]), (calls[1], executions[1]));
        // The second text is one of the other texts, and so is its execution.
        assert!(executions[2] != executions[0] && executions[2] != execute);
        assert_eq!(f.give(execute, Text::Kept(prepare)), execute, "the call had no text");
        assert!(!f.table.is_kept(executions[0]));
    }
}

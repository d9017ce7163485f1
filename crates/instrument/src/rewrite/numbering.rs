//! Numbers of methods, and the records that say which method each is.

use classfile::{CodeHashes, Member};
use profile::key;
use profile::metadata::{ClassRecord, Record};

use super::class_load::{Subject, source_file, superclass};
use super::rewriter::{Decided, Rewriter};
use crate::plan::policy;
use crate::splits::table::Template;
use live::trees::NodeShape;

impl Rewriter<'_> {
    /// Numbers the methods that get probes.
    pub(super) fn number_methods(&self, subject: &Subject<'_>, decided: &[Decided<'_>]) -> u32 {
        let has_splits = decided.iter().any(|d| d.split.is_some());
        let record = ClassRecord {
            name: policy::display_name(subject.class.this_class()),
            source_file: source_file(subject.class),
            superclass: superclass(subject.class),
            methods: decided.iter().map(|d| d.plan.record(&d.method)).collect(),
            ..Default::default()
        };
        let names = has_splits.then(|| record.clone());
        let (first, class) = self.number(subject, decided.iter().map(|d| &d.method), record);
        if let Some(names) = names {
            self.note_splits(subject, decided, first, &ClassRecord { id: class, ..names });
        }
        first
    }

    /// Notes which methods have contexts by texts, so that texts can get numbers.
    fn note_splits(
        &self,
        subject: &Subject<'_>,
        decided: &[Decided<'_>],
        first: u32,
        names: &ClassRecord,
    ) {
        let Some(splits) = self.recording.splits else { return };
        for ((number, decided), record) in (first..).zip(decided).zip(&names.methods) {
            let Some(split) = &decided.split else { continue };
            let template = || Template {
                class: ClassRecord { methods: vec![record.clone()], ..names.clone() },
                code_hash: CodeHashes::new(subject.class).of(&decided.code),
            };
            if splits.add(number, split, template) {
                let method = format!("{}.{}{}", names.name, record.name, record.descriptor);
                self.recording.writer.note(&format!("{}{method}", key::SPLIT), &split.said);
            }
        }
    }

    /// Numbers a record, writes it to the profile and notes the shapes of nodes; the numbers
    /// of the first method and of the class.
    pub(super) fn number<'m>(
        &self,
        subject: &Subject<'_>,
        methods: impl Iterator<Item = &'m Member<'m>>,
        record: ClassRecord,
    ) -> (u32, u32) {
        let shapes: Vec<NodeShape> = record.methods.iter().map(NodeShape::of).collect();
        let numbered = self.recording.catalogue.number(record, |first| {
            for (method, &shape) in (first..).zip(&shapes) {
                self.recording.trees.set_shape(method, shape);
            }
        });
        // Without room for it the nodes have no names; the reader says so.
        if let Some(record) = &numbered.new_record
            && self.recording.writer.append(record)
        {
            let mut hashes = CodeHashes::new(subject.class);
            let hashes = methods.map(|method| match method.code() {
                Ok(Some(code)) => hashes.of(&code),
                Ok(None) | Err(_) => 0,
            });
            let hashes = hashes.collect();
            let first_method = numbered.first_method;
            self.recording.append(&Record::Code { first_method, hashes });
            if let Record::Class(class) = record
                && subject.definition.is_known()
            {
                let definition = subject.definition.clone();
                self.recording.append(&Record::Definition { class: class.id, definition });
            }
        }
        (numbered.first_method, numbered.class)
    }
}

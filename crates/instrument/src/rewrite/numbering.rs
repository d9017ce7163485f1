//! Numbers of methods, and the records that say which method each is.

use classfile::{CodeHashes, Member};
use profile::metadata::{ClassRecord, Record};

use super::class_load::{Subject, source_file, superclass};
use super::rewriter::{Decided, Rewriter};
use crate::plan::policy;
use live::trees::NodeShape;

impl Rewriter<'_> {
    /// Numbers the methods that get probes.
    pub(super) fn number_methods(&self, subject: &Subject<'_>, decided: &[Decided<'_>]) -> u32 {
        let record = ClassRecord {
            name: policy::display_name(subject.class.this_class()),
            source_file: source_file(subject.class),
            superclass: superclass(subject.class),
            methods: decided.iter().map(|d| d.plan.record(&d.method)).collect(),
            ..Default::default()
        };
        self.number(subject, decided.iter().map(|d| &d.method), record)
    }

    /// Numbers a record, writes it to the profile and notes the shapes of nodes.
    pub(super) fn number<'m>(
        &self,
        subject: &Subject<'_>,
        methods: impl Iterator<Item = &'m Member<'m>>,
        record: ClassRecord,
    ) -> u32 {
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
        numbered.first_method
    }
}

//! Metadata records of the live form: what gives the numbers in nodes a name.

use base::leb128::put;

use crate::Error;
use crate::block_records::BlocksRecord;
pub use crate::class_records::{ClassRecord, MethodRecord, SiteKind, SiteRecord};
use crate::cursor::{Cursor, put_string};
use crate::dataflow::{GrowthTotals, ResultsTotals};
use crate::definition::Definition;
pub use crate::field_records::{FieldRecord, StoreRecord, StoresRecord, StructureRecord};
use crate::growth_records::{GrowthRecord, GrowthTotalsRecord};
use crate::layout::record;
use crate::loop_records::{LoopRecord, LoopTotalsRecord};
use crate::node_records::CostNodesRecord;
use crate::null_records::NullNodesRecord;
use crate::object_records::ObjectRecord;
use crate::result_records::{MethodResultsRecord, ResultsTotalsRecord};
use crate::typestate_records::{
    ProtocolRecord, TypestateNodeRecord, TypestateSiteRecord, TypestateTotalsRecord,
};

/// One record of a metadata segment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Record {
    /// A class with its methods. A class too large for a segment may come in
    /// several records with the same id, each with other methods.
    Class(ClassRecord),
    /// The name of the thread that uses a tree; the last one counts.
    TreeName {
        /// Word index of the tree record.
        tree: u32,
        /// Threads that have used the tree so far, this one included.
        threads: u32,
        /// Name of the thread.
        name: String,
    },
    /// Something that was not instrumented.
    Skipped {
        /// Binary class name with dots.
        class: String,
        /// Name and descriptor, empty for the whole class.
        method: String,
        /// Why, in words for the user.
        reason: String,
    },
    /// One fact about the run; `docs/reference/format.md` lists the keys.
    RunInfo {
        /// What the fact is about.
        key: String,
        /// The fact; numbers are decimal.
        value: String,
    },
    /// A field that code names.
    Field(FieldRecord),
    /// The instructions of a method that store values of known origin.
    Stores(StoresRecord),
    /// The instructions of a method that are nodes of the cost graph; the last
    /// one of a method counts.
    CostNodes(CostNodesRecord),
    /// The instructions of a method that are nodes where nulls are followed; the
    /// last one of a method counts.
    NullNodes(NullNodesRecord),
    /// A loop in a calling context that reads similar values.
    Loop(LoopRecord),
    /// What was left out of the loops.
    LoopTotals(LoopTotalsRecord),
    /// Sizes and costs of a loop's instances.
    Growth(GrowthRecord),
    /// How many loop instances have sizes.
    GrowthTotals(GrowthTotalsRecord),
    /// Inputs and results of a method.
    MethodResults(MethodResultsRecord),
    /// What the results of all methods are based on.
    ResultsTotals(ResultsTotalsRecord),
    /// A protocol that objects follow.
    Protocol(ProtocolRecord),
    /// Where objects that follow a protocol were made or obtained.
    TypestateSite(TypestateSiteRecord),
    /// An event of such objects, and the events before.
    TypestateNode(TypestateNodeRecord),
    /// What was left out of typestate histories.
    TypestateTotals(TypestateTotalsRecord),
    /// The basic blocks of a method whose executions are counted.
    Blocks(BlocksRecord),
    /// What fields a class has, its own and inherited ones.
    Structure(StructureRecord),
    /// Something about objects.
    Object(ObjectRecord),
    /// What the code of methods with consecutive ids is known by.
    Code {
        /// Id of the first method.
        first_method: u32,
        /// A hash for each, see [`Profile::code_hashes`](crate::Profile::code_hashes).
        hashes: Vec<u64>,
    },
    /// Who defined a class; the first one of a class counts.
    Definition {
        /// Number of the class in this process.
        class: u32,
        /// The loader, and where it found the class.
        definition: Definition,
    },
    /// The run ended in an orderly way.
    End {
        /// What ended it.
        reason: String,
        /// When, in milliseconds since 1970-01-01T00:00Z.
        end_millis: u64,
    },
}

impl Record {
    /// Appends the record, kind and length included, to `out`.
    ///
    /// A record has to be copied into a segment as a whole; see
    /// [`segment`](crate::layout::segment).
    pub fn encode(&self, out: &mut Vec<u8>) {
        out.push(self.kind());
        let length_at = out.len();
        out.extend_from_slice(&[0; 4]);
        let payload_at = out.len();
        match self {
            Self::Class(class) => class.encode(out),
            Self::TreeName { tree, threads, name } => {
                put(out, u64::from(*tree));
                put(out, u64::from(*threads));
                put_string(out, name);
            }
            Self::Skipped { class, method, reason } => {
                put_string(out, class);
                put_string(out, method);
                put_string(out, reason);
            }
            Self::RunInfo { key, value } => {
                put_string(out, key);
                put_string(out, value);
            }
            Self::Field(field) => field.encode(out),
            Self::Stores(stores) => stores.encode(out),
            Self::CostNodes(nodes) => nodes.encode(out),
            Self::NullNodes(nodes) => nodes.encode(out),
            Self::Loop(one) => one.encode(out),
            Self::LoopTotals(totals) => totals.encode(out),
            Self::Growth(growth) => growth.encode(out),
            Self::GrowthTotals(totals) => totals.0.encode(out),
            Self::MethodResults(results) => results.encode(out),
            Self::ResultsTotals(totals) => totals.0.encode(out),
            Self::Protocol(protocol) => protocol.encode(out),
            Self::TypestateSite(site) => site.encode(out),
            Self::TypestateNode(node) => node.encode(out),
            Self::TypestateTotals(totals) => totals.encode(out),
            Self::Blocks(blocks) => blocks.encode(out),
            Self::Structure(structure) => structure.encode(out),
            Self::Object(object) => object.encode(out),
            Self::Code { first_method, hashes } => {
                put(out, u64::from(*first_method));
                put(out, hashes.len() as u64);
                out.extend(hashes.iter().flat_map(|hash| hash.to_le_bytes()));
            }
            Self::Definition { class, definition } => {
                put(out, u64::from(*class));
                definition.encode(out);
            }
            Self::End { reason, end_millis } => {
                put_string(out, reason);
                put(out, *end_millis);
            }
        }
        // Class files are limited to far less than 4 GB of names and code.
        let length = (out.len() - payload_at) as u32;
        out[length_at..payload_at].copy_from_slice(&length.to_le_bytes());
    }

    fn kind(&self) -> u8 {
        match self {
            Self::Class(_) => record::CLASS,
            Self::TreeName { .. } => record::TREE_NAME,
            Self::Skipped { .. } => record::SKIPPED,
            Self::RunInfo { .. } => record::RUN_INFO,
            Self::Field(_) => record::FIELD,
            Self::Stores(_) => record::STORES,
            Self::CostNodes(_) => record::COST_NODES,
            Self::NullNodes(_) => record::NULL_NODES,
            Self::Loop(_) => record::LOOP,
            Self::LoopTotals(_) => record::LOOP_TOTALS,
            Self::Growth(_) => record::GROWTH,
            Self::GrowthTotals(_) => record::GROWTH_TOTALS,
            Self::MethodResults(_) => record::RESULTS,
            Self::ResultsTotals(_) => record::RESULTS_TOTALS,
            Self::Protocol(_) => record::PROTOCOL,
            Self::TypestateSite(_) => record::TYPESTATE_SITE,
            Self::TypestateNode(_) => record::TYPESTATE_NODE,
            Self::TypestateTotals(_) => record::TYPESTATE_TOTALS,
            Self::Blocks(_) => record::BLOCKS,
            Self::Structure(_) => record::STRUCTURE,
            Self::Object(object) => object.kind(),
            Self::Code { .. } => record::CODE,
            Self::Definition { .. } => record::DEFINITION,
            Self::End { .. } => record::END,
        }
    }

    /// The record at the start of `bytes` and its length in bytes. The record
    /// is `None` if its kind is unknown, as it may be in files of later
    /// writers; so may be payload bytes after the fields known here.
    ///
    /// # Errors
    ///
    /// When the bytes end within the record, or a field does not decode.
    /// Offsets in errors are counted from `origin`, the place of `bytes` in
    /// the file.
    pub fn decode(bytes: &[u8], origin: u64) -> Result<(Option<Self>, usize), Error> {
        let mut cursor = Cursor::new(bytes, origin);
        let kind = cursor.byte("a metadata record")?;
        let length = cursor.fixed_u32("the length of a metadata record")? as usize;
        let payload_at = cursor.offset();
        let payload = cursor.take(length, "a metadata record")?;
        let mut fields = Cursor::new(payload, payload_at);
        let record = match kind {
            record::CLASS => Self::Class(ClassRecord::decode(&mut fields)?),
            record::TREE_NAME => Self::TreeName {
                tree: fields.varint_u32("a tree")?,
                threads: fields.varint_u32("a number of threads")?,
                name: fields.string("a thread name")?.to_owned(),
            },
            record::SKIPPED => Self::Skipped {
                class: fields.string("a class name")?.to_owned(),
                method: fields.string("a method name")?.to_owned(),
                reason: fields.string("a reason")?.to_owned(),
            },
            record::RUN_INFO => Self::RunInfo {
                key: fields.string("a key")?.to_owned(),
                value: fields.string("a value")?.to_owned(),
            },
            record::FIELD => Self::Field(FieldRecord::decode(&mut fields)?),
            record::STORES => Self::Stores(StoresRecord::decode(&mut fields)?),
            record::STRUCTURE => Self::Structure(StructureRecord::decode(&mut fields)?),
            record::BLOCKS => Self::Blocks(BlocksRecord::decode(&mut fields)?),
            record::COST_NODES => Self::CostNodes(CostNodesRecord::decode(&mut fields)?),
            record::NULL_NODES => Self::NullNodes(NullNodesRecord::decode(&mut fields)?),
            record::LOOP => Self::Loop(LoopRecord::decode(&mut fields)?),
            record::LOOP_TOTALS => Self::LoopTotals(LoopTotalsRecord::decode(&mut fields)?),
            record::PROTOCOL => Self::Protocol(ProtocolRecord::decode(&mut fields)?),
            record::TYPESTATE_SITE => {
                Self::TypestateSite(TypestateSiteRecord::decode(&mut fields)?)
            }
            record::TYPESTATE_NODE => {
                Self::TypestateNode(TypestateNodeRecord::decode(&mut fields)?)
            }
            record::TYPESTATE_TOTALS => {
                Self::TypestateTotals(TypestateTotalsRecord::decode(&mut fields)?)
            }
            record::GROWTH => Self::Growth(GrowthRecord::decode(&mut fields)?),
            record::GROWTH_TOTALS => {
                Self::GrowthTotals(GrowthTotalsRecord(GrowthTotals::decode(&mut fields)?))
            }
            record::RESULTS => Self::MethodResults(MethodResultsRecord::decode(&mut fields)?),
            record::RESULTS_TOTALS => {
                Self::ResultsTotals(ResultsTotalsRecord(ResultsTotals::decode(&mut fields)?))
            }
            record::CODE => {
                let first_method = fields.varint_u32("a method id")?;
                let count = fields.count(8, "the number of hashes")?;
                let hashes = (0..count).map(|_| fields.fixed_u64("a hash of code"));
                Self::Code { first_method, hashes: hashes.collect::<Result<_, _>>()? }
            }
            record::DEFINITION => Self::Definition {
                class: fields.varint_u32("a class id")?,
                definition: Definition::decode(&mut fields)?,
            },
            record::END => Self::End {
                reason: fields.string("a reason")?.to_owned(),
                end_millis: fields.varint("the time of the end")?,
            },
            _ => match ObjectRecord::decode(kind, &mut fields)? {
                Some(object) => Self::Object(object),
                None => return Ok((None, record::HEADER_LEN + length)),
            },
        };
        Ok((Some(record), record::HEADER_LEN + length))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::blocks::LineRun;

    fn samples() -> Vec<Record> {
        let site = |bci, kind| SiteRecord { bci, line: 300, kind };
        let method = MethodRecord {
            id: 70_000,
            name: "grüße".into(),
            descriptor: "(I)V".into(),
            access: 0x8009,
            flags: 7,
            base_bytecodes: 12,
            base_allocations: 1,
            base_kinds: [4, 300, 2, 1],
            sites: vec![
                site(0, SiteKind::Slot),
                site(65_535, SiteKind::Derived { target: 1 }),
                site(9, SiteKind::Slot),
                site(12, SiteKind::Counted { target: 1 << 30 }),
            ],
            block_counters: 0,
            allocated: Vec::new(),
        };
        let counting = MethodRecord {
            flags: 64 | 128,
            block_counters: 300,
            allocated: vec!["int[]".into(), "a.B".into()],
            ..method.clone()
        };
        vec![
            Record::Class(ClassRecord {
                id: 3,
                name: "a.B$C".into(),
                source_file: "B.java".into(),
                superclass: "a.A".into(),
                methods: vec![method, counting, MethodRecord::default()],
            }),
            Record::Class(ClassRecord::default()),
            Record::Blocks(BlocksRecord {
                method: 300,
                first_is_base: true,
                blocks: vec![vec![LineRun { line: 300, instructions: 7 }], Vec::new()],
                cuts: vec![(1, 3)],
            }),
            Record::Definition {
                class: 300,
                definition: Definition {
                    loader: crate::Loader::Application,
                    location: "file:/a/b.jar".into(),
                },
            },
            Record::TreeName { tree: 64, threads: 2, name: "main".into() },
            Record::Skipped { class: "x.Y".into(), method: String::new(), reason: "why".into() },
            Record::RunInfo { key: "jvm".into(), value: "some".into() },
            Record::Field(FieldRecord {
                id: 9,
                class: "a/B".into(),
                name: "f".into(),
                descriptor: "[I".into(),
                is_static: true,
            }),
            Record::Stores(StoresRecord {
                method: 3,
                first: 500,
                stores: vec![StoreRecord { bci: 65_535, line: 1, field: 300, bytes: 8 }],
            }),
            Record::Structure(StructureRecord {
                name: "a/B".into(),
                superclass: "a/A".into(),
                interfaces: vec!["a/I".into()],
                fields: vec![("f".into(), "[I".into())],
            }),
            Record::Code { first_method: 300, hashes: vec![0, u64::MAX, 1 << 40] },
            Record::End { reason: "exit".into(), end_millis: u64::MAX },
        ]
    }

    #[test]
    fn records_round_trip() {
        let mut bytes = Vec::new();
        for record in samples() {
            record.encode(&mut bytes);
        }
        let mut rest = &bytes[..];
        for expected in samples() {
            let (record, len) = Record::decode(rest, 0).unwrap();
            assert_eq!(record, Some(expected));
            rest = &rest[len..];
        }
        assert!(rest.is_empty());
    }

    #[test]
    fn every_cut_of_a_record_is_an_error() {
        for record in samples() {
            let mut bytes = Vec::new();
            record.encode(&mut bytes);
            for len in 0..bytes.len() {
                let error = Record::decode(&bytes[..len], 0).unwrap_err();
                assert!(error.offset().is_some_and(|offset| offset <= len as u64));
            }
        }
    }

    #[test]
    fn unknown_kinds_and_appended_fields_are_passed_over() {
        let mut bytes = vec![200, 3, 0, 0, 0, 1, 2, 3];
        assert_eq!(Record::decode(&bytes, 0).unwrap(), (None, 8));
        bytes = Vec::new();
        let record = Record::RunInfo { key: "k".into(), value: "v".into() };
        record.encode(&mut bytes);
        bytes[1] += 1;
        bytes.push(99);
        assert_eq!(Record::decode(&bytes, 0).unwrap(), (Some(record), bytes.len()));
    }

    #[test]
    fn the_sites_of_a_method_give_the_size_of_its_nodes() {
        let Record::Class(class) = &samples()[0] else { panic!("the first sample is a class") };
        assert_eq!(class.methods[0].slot_count(), 2);
        assert_eq!(class.methods[0].counted_count(), 1);
        assert_eq!(class.methods[0].node_words(), 14);
    }
}

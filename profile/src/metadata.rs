//! Metadata records of the live form: what gives the numbers in nodes a name.

use crate::Error;
use crate::layout::{node, record, site_kind};
use crate::node_records::CostNodesRecord;
use crate::null_records::NullNodesRecord;
use crate::object_records::ObjectRecord;
use crate::varint::{Cursor, put, put_string};

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
    /// One fact about the run; `docs/format.md` lists the keys.
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
    /// The run ended in an orderly way.
    End {
        /// What ended it.
        reason: String,
        /// When, in milliseconds since 1970-01-01T00:00Z.
        end_millis: u64,
    },
}

/// A class, as recorded.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ClassRecord {
    /// Number of the class in this process.
    pub id: u32,
    /// Binary name with dots.
    pub name: String,
    /// Its `SourceFile`, empty if it has none.
    pub source_file: String,
    /// Its methods.
    pub methods: Vec<MethodRecord>,
}

/// A method, as recorded: its names, and how its nodes are laid out.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct MethodRecord {
    /// Number of the method in this process, at least 1.
    pub id: u32,
    /// Its name.
    pub name: String,
    /// Its descriptor.
    pub descriptor: String,
    /// Access flags of the class file (JVMS 4.6).
    pub access: u16,
    /// A set of [`method_flags`](crate::layout::method_flags).
    pub flags: u32,
    /// Bytecodes that each call executes beside those in the node's counter.
    pub base_bytecodes: u32,
    /// Objects and arrays that each call allocates, likewise.
    pub base_allocations: u32,
    /// Loads, stores, alu and comparisons that each call executes, likewise;
    /// 0 where no data flow is recorded.
    pub base_kinds: [u32; 4],
    /// Call sites in the order of their numbers in the model.
    pub sites: Vec<SiteRecord>,
}

/// A field as an instruction names it: the class may have inherited it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FieldRecord {
    /// Number of the field in this process, at least 1.
    pub id: u32,
    /// Internal name of the class.
    pub class: String,
    /// Its name.
    pub name: String,
    /// Its descriptor.
    pub descriptor: String,
    /// True for a static field.
    pub is_static: bool,
}

/// The instructions of a method that store values of known origin. They are
/// numbered one after the other.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct StoresRecord {
    /// Number of the method.
    pub method: u32,
    /// Number of the first store, at least 1.
    pub first: u32,
    /// The stores in the order of the code.
    pub stores: Vec<StoreRecord>,
}

/// A store instruction, or a call that stores.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct StoreRecord {
    /// Its bytecode index.
    pub bci: u16,
    /// Its source line, 0 if unknown.
    pub line: u16,
    /// Number of the field, 0 for elements of arrays.
    pub field: u32,
    /// Bytes of the value: 1, 2, 4 or 8.
    pub bytes: u8,
}

/// What fields a class has.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct StructureRecord {
    /// Internal name of the class.
    pub name: String,
    /// That of its superclass, empty if it has none.
    pub superclass: String,
    /// Those of its interfaces.
    pub interfaces: Vec<String>,
    /// Names and descriptors of the fields that it declares.
    pub fields: Vec<(String, String)>,
}

/// A call site, as recorded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SiteRecord {
    /// Bytecode index of the invoke instruction.
    pub bci: u16,
    /// Source line, 0 if unknown.
    pub line: u16,
    /// How its calls are recorded.
    pub kind: SiteKind,
}

/// How the calls of a site are recorded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SiteKind {
    /// In nodes of a sibling list. The slots of a method's nodes are in the
    /// order of its sites of this kind.
    Slot,
    /// Not at all: every call of the method calls this method once here.
    Derived {
        /// Method id of the callee.
        target: u32,
    },
    /// In a u64 of the caller's node: how often the site called this method,
    /// which has no node. The counters of a method's nodes are in the order
    /// of its sites of this kind and stand in front of all slots, so that
    /// they are aligned. The reader adds a child context with calls = the
    /// counter, bytecodes = calls x the target's base, allocations likewise;
    /// none if the counter is 0.
    Counted {
        /// Method id of the callee.
        target: u32,
    },
}

impl MethodRecord {
    /// How many sites have a slot.
    pub fn slot_count(&self) -> u32 {
        self.sites.iter().filter(|site| site.kind == SiteKind::Slot).count() as u32
    }

    /// How many sites have a counter.
    pub fn counted_count(&self) -> u32 {
        let counted = |site: &&SiteRecord| matches!(site.kind, SiteKind::Counted { .. });
        self.sites.iter().filter(counted).count() as u32
    }

    /// Size of the method's nodes in words.
    pub fn node_words(&self) -> u32 {
        node::words(self.flags, self.counted_count(), self.slot_count())
    }
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
            Self::Structure(structure) => structure.encode(out),
            Self::Object(object) => object.encode(out),
            Self::Code { first_method, hashes } => {
                put(out, u64::from(*first_method));
                put(out, hashes.len() as u64);
                out.extend(hashes.iter().flat_map(|hash| hash.to_le_bytes()));
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
            Self::Structure(_) => record::STRUCTURE,
            Self::Object(object) => object.kind(),
            Self::Code { .. } => record::CODE,
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
            record::COST_NODES => Self::CostNodes(CostNodesRecord::decode(&mut fields)?),
            record::NULL_NODES => Self::NullNodes(NullNodesRecord::decode(&mut fields)?),
            record::CODE => {
                let first_method = fields.varint_u32("a method id")?;
                let count = fields.count(8, "the number of hashes")?;
                let hashes = (0..count).map(|_| fields.fixed_u64("a hash of code"));
                Self::Code { first_method, hashes: hashes.collect::<Result<_, _>>()? }
            }
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

impl ClassRecord {
    fn encode(&self, out: &mut Vec<u8>) {
        put(out, u64::from(self.id));
        put_string(out, &self.name);
        put_string(out, &self.source_file);
        put(out, self.methods.len() as u64);
        for method in &self.methods {
            method.encode(out);
        }
    }

    fn decode(fields: &mut Cursor<'_>) -> Result<Self, Error> {
        let id = fields.varint_u32("a class id")?;
        let name = fields.string("a class name")?.to_owned();
        let source_file = fields.string("a source file")?.to_owned();
        let count = fields.count(MethodRecord::LEAST_LEN, "the number of methods")?;
        let mut methods = Vec::with_capacity(count);
        for _ in 0..count {
            methods.push(MethodRecord::decode(fields)?);
        }
        Ok(Self { id, name, source_file, methods })
    }
}

impl MethodRecord {
    /// Twelve fields of at least one byte each.
    const LEAST_LEN: usize = 12;

    fn encode(&self, out: &mut Vec<u8>) {
        put(out, u64::from(self.id));
        put_string(out, &self.name);
        put_string(out, &self.descriptor);
        put(out, u64::from(self.access));
        put(out, u64::from(self.flags));
        put(out, u64::from(self.base_bytecodes));
        put(out, u64::from(self.base_allocations));
        for base in self.base_kinds {
            put(out, u64::from(base));
        }
        put(out, self.sites.len() as u64);
        for site in &self.sites {
            site.encode(out);
        }
    }

    fn decode(fields: &mut Cursor<'_>) -> Result<Self, Error> {
        let id = fields.varint_u32("a method id")?;
        let name = fields.string("a method name")?.to_owned();
        let descriptor = fields.string("a descriptor")?.to_owned();
        let access = fields.varint_u16("access flags")?;
        let flags = fields.varint_u32("method flags")?;
        let base_bytecodes = fields.varint_u32("base bytecodes")?;
        let base_allocations = fields.varint_u32("base allocations")?;
        let mut base_kinds = [0; 4];
        for base in &mut base_kinds {
            *base = fields.varint_u32("base kinds")?;
        }
        let count = fields.count(SiteRecord::LEAST_LEN, "the number of call sites")?;
        let mut sites = Vec::with_capacity(count);
        for _ in 0..count {
            sites.push(SiteRecord::decode(fields)?);
        }
        Ok(Self {
            id,
            name,
            descriptor,
            access,
            flags,
            base_bytecodes,
            base_allocations,
            base_kinds,
            sites,
        })
    }
}

impl FieldRecord {
    fn encode(&self, out: &mut Vec<u8>) {
        put(out, u64::from(self.id));
        put_string(out, &self.class);
        put_string(out, &self.name);
        put_string(out, &self.descriptor);
        put(out, u64::from(self.is_static));
    }

    fn decode(fields: &mut Cursor<'_>) -> Result<Self, Error> {
        Ok(Self {
            id: fields.varint_u32("a field")?,
            class: fields.string("a class name")?.to_owned(),
            name: fields.string("a field name")?.to_owned(),
            descriptor: fields.string("a descriptor")?.to_owned(),
            is_static: fields.varint("whether a field is static")? != 0,
        })
    }
}

impl StoresRecord {
    fn encode(&self, out: &mut Vec<u8>) {
        put(out, u64::from(self.method));
        put(out, u64::from(self.first));
        put(out, self.stores.len() as u64);
        for store in &self.stores {
            put(out, u64::from(store.bci));
            put(out, u64::from(store.line));
            put(out, u64::from(store.field));
            out.push(store.bytes);
        }
    }

    fn decode(fields: &mut Cursor<'_>) -> Result<Self, Error> {
        let method = fields.varint_u32("a method id")?;
        let first = fields.varint_u32("a store")?;
        // Each has four fields of at least one byte.
        let count = fields.count(4, "the number of stores")?;
        let stores = (0..count)
            .map(|_| {
                Ok(StoreRecord {
                    bci: fields.varint_u16("a bytecode index")?,
                    line: fields.varint_u16("a line")?,
                    field: fields.varint_u32("a field")?,
                    bytes: fields.byte("the size of a value")?,
                })
            })
            .collect::<Result<_, Error>>()?;
        Ok(Self { method, first, stores })
    }
}

impl StructureRecord {
    fn encode(&self, out: &mut Vec<u8>) {
        put_string(out, &self.name);
        put_string(out, &self.superclass);
        put(out, self.interfaces.len() as u64);
        for interface in &self.interfaces {
            put_string(out, interface);
        }
        put(out, self.fields.len() as u64);
        for (name, descriptor) in &self.fields {
            put_string(out, name);
            put_string(out, descriptor);
        }
    }

    fn decode(fields: &mut Cursor<'_>) -> Result<Self, Error> {
        let name = fields.string("a class name")?.to_owned();
        let superclass = fields.string("a class name")?.to_owned();
        let count = fields.count(1, "the number of interfaces")?;
        let interfaces = (0..count)
            .map(|_| Ok(fields.string("a class name")?.to_owned()))
            .collect::<Result<_, Error>>()?;
        let count = fields.count(2, "the number of fields")?;
        let fields = (0..count)
            .map(|_| {
                let name = fields.string("a field name")?.to_owned();
                Ok((name, fields.string("a descriptor")?.to_owned()))
            })
            .collect::<Result<_, Error>>()?;
        Ok(Self { name, superclass, interfaces, fields })
    }
}

impl SiteRecord {
    /// Three fields of at least one byte each.
    const LEAST_LEN: usize = 3;

    fn encode(&self, out: &mut Vec<u8>) {
        put(out, u64::from(self.bci));
        put(out, u64::from(self.line));
        match self.kind {
            SiteKind::Slot => put(out, site_kind::SLOT),
            SiteKind::Derived { target } => {
                put(out, site_kind::DERIVED);
                put(out, u64::from(target));
            }
            SiteKind::Counted { target } => {
                put(out, site_kind::COUNTED);
                put(out, u64::from(target));
            }
        }
    }

    fn decode(fields: &mut Cursor<'_>) -> Result<Self, Error> {
        let bci = fields.varint_u16("a bytecode index")?;
        let line = fields.varint_u16("a line")?;
        let kind_at = fields.offset();
        let kind = match fields.varint("the kind of a call site")? {
            site_kind::SLOT => SiteKind::Slot,
            site_kind::DERIVED => {
                SiteKind::Derived { target: fields.varint_u32("the target of a call")? }
            }
            site_kind::COUNTED => {
                SiteKind::Counted { target: fields.varint_u32("the target of a call")? }
            }
            // An unknown kind may or may not have a slot: without knowing,
            // the slots of the sites behind it cannot be found.
            kind => return Err(Error::at(kind_at, format!("unknown kind {kind} of call site"))),
        };
        Ok(Self { bci, line, kind })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
        };
        vec![
            Record::Class(ClassRecord {
                id: 3,
                name: "a.B$C".into(),
                source_file: "B.java".into(),
                methods: vec![method, MethodRecord::default()],
            }),
            Record::Class(ClassRecord::default()),
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

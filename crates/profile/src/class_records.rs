//! Metadata records of classes, their methods and call sites: how nodes are
//! laid out and what they count.

use base::leb128::put;

use crate::Error;
use crate::cursor::{Cursor, put_string};
use crate::layout::{method_flags, node, site_kind};

/// A class, as recorded.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ClassRecord {
    /// Number of the class in this process.
    pub id: u32,
    /// Binary name with dots.
    pub name: String,
    /// Its `SourceFile`, empty if it has none.
    pub source_file: String,
    /// Binary name of its superclass with dots, empty if it has none.
    pub superclass: String,
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
    /// Objects and arrays that each call allocates beside those in the node's counter.
    pub base_allocations: u32,
    /// Loads, stores, alu and comparisons that each call executes beside those in the
    /// node's counters; 0 where no data flow is recorded.
    pub base_kinds: [u32; 4],
    /// Call sites in the order of their numbers in the model.
    pub sites: Vec<SiteRecord>,
    /// How many counters of basic blocks its nodes have; see
    /// [`BlocksRecord`](crate::block_records::BlocksRecord). 0 without their flag.
    pub block_counters: u32,
    /// Names of the classes and types of arrays that the method allocates; a node counts the
    /// bytes of each. Empty without their flag.
    pub allocated: Vec<String>,
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
    /// In nodes of a ring of siblings. The slots of a method's nodes are in the
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
    /// counter, bytecodes = calls x the target's base bytecodes, allocations =
    /// calls x its base allocations; none if the counter is 0.
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

    /// How many counters of call sites, of blocks and of allocated bytes its nodes have.
    pub fn counters(&self) -> u32 {
        self.counted_count() + self.block_counters + self.allocated.len() as u32
    }

    /// Size of the method's nodes in words.
    pub fn node_words(&self) -> u32 {
        node::words(self.flags, self.counters(), self.slot_count())
    }
}

impl ClassRecord {
    pub(crate) fn encode(&self, out: &mut Vec<u8>) {
        put(out, u64::from(self.id));
        put_string(out, &self.name);
        put_string(out, &self.source_file);
        put(out, self.methods.len() as u64);
        for method in &self.methods {
            method.encode(out);
        }
        put_string(out, &self.superclass);
    }

    pub(crate) fn decode(fields: &mut Cursor<'_>) -> Result<Self, Error> {
        let id = fields.varint_u32("a class id")?;
        let name = fields.string("a class name")?.to_owned();
        let source_file = fields.string("a source file")?.to_owned();
        let count = fields.count(MethodRecord::LEAST_LEN, "the number of methods")?;
        let mut methods = Vec::with_capacity(count);
        for _ in 0..count {
            methods.push(MethodRecord::decode(fields)?);
        }
        let superclass = fields.string("a superclass")?.to_owned();
        Ok(Self { id, name, source_file, superclass, methods })
    }
}

impl MethodRecord {
    /// Twelve fields of at least one byte each.
    const LEAST_LEN: usize = 12;

    pub(crate) fn encode(&self, out: &mut Vec<u8>) {
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
        if self.flags & method_flags::BLOCK_COUNTERS != 0 {
            put(out, u64::from(self.block_counters));
        }
        if self.flags & method_flags::BYTES_COUNTERS != 0 {
            put(out, self.allocated.len() as u64);
            for class in &self.allocated {
                put_string(out, class);
            }
        }
    }

    pub(crate) fn decode(fields: &mut Cursor<'_>) -> Result<Self, Error> {
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
        let block_counters = if flags & method_flags::BLOCK_COUNTERS == 0 {
            0
        } else {
            // Each is counted in code, of which there are 64 KB.
            fields.varint_u16("the number of counters of blocks")?.into()
        };
        let mut allocated = Vec::new();
        if flags & method_flags::BYTES_COUNTERS != 0 {
            for _ in 0..fields.count(1, "the number of allocated classes")? {
                allocated.push(fields.string("the name of an allocated class")?.to_owned());
            }
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
            block_counters,
            allocated,
        })
    }
}

impl SiteRecord {
    /// Three fields of at least one byte each.
    const LEAST_LEN: usize = 3;

    pub(crate) fn encode(&self, out: &mut Vec<u8>) {
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

    pub(crate) fn decode(fields: &mut Cursor<'_>) -> Result<Self, Error> {
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

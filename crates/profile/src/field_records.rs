//! Metadata records of fields, of what stores in them, and of the structure of
//! classes.

use base::leb128::put;

use crate::Error;
use crate::cursor::{Cursor, put_string};

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

impl FieldRecord {
    pub(crate) fn encode(&self, out: &mut Vec<u8>) {
        put(out, u64::from(self.id));
        put_string(out, &self.class);
        put_string(out, &self.name);
        put_string(out, &self.descriptor);
        put(out, u64::from(self.is_static));
    }

    pub(crate) fn decode(fields: &mut Cursor<'_>) -> Result<Self, Error> {
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
    pub(crate) fn encode(&self, out: &mut Vec<u8>) {
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

    pub(crate) fn decode(fields: &mut Cursor<'_>) -> Result<Self, Error> {
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
    pub(crate) fn encode(&self, out: &mut Vec<u8>) {
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

    pub(crate) fn decode(fields: &mut Cursor<'_>) -> Result<Self, Error> {
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

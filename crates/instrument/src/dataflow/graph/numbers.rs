//! Numbers of fields and of store instructions.

use classfile::ClassFile;
use parking_lot::Mutex;
use profile::layout::dataflow;
use profile::metadata::{FieldRecord, Record, StoreRecord, StoresRecord, StructureRecord};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::modified_utf8;
use crate::plan::policy;

/// The number of the first field: those below stand for something else in a shadow.
const FIRST_FIELD: u32 = dataflow::shadow::PRODUCER + 1;

/// Everything of a recording that has such a number.
#[derive(Debug, Default)]
pub struct Numbers {
    inner: Mutex<Inner>,
}

#[derive(Debug, Default)]
struct Inner {
    /// By class, name, descriptor, and whether it is static.
    fields: FxHashMap<Box<[u8]>, u32>,
    /// Number of the first store of a method, and how many it has.
    stores: FxHashMap<u32, (u32, usize)>,
    /// Stores by calls, which may store into any field: by their numbers.
    calls: FxHashMap<u32, (u32, StoreRecord)>,
    /// Stores of a field by such calls: by their number and that of the field. Probes keep
    /// the addresses.
    of_field: FxHashMap<(u32, u32), Box<StoreOfField>>,
    /// Names of classes whose structure is written.
    structures: FxHashSet<Box<[u8]>>,
    last_store: u32,
}

/// What probes know of a store of a field by a call that may store into any: the number of
/// the call in the upper half and that of the field, and then the number of the store.
type StoreOfField = [u64; 2];

/// The number of the store in it, in words of eight bytes.
pub const STORE_NUMBER: usize = 1;

/// A field as code names it.
#[derive(Debug, Clone, Copy)]
pub struct FieldName<'a> {
    /// Internal name of the class.
    pub class: &'a [u8],
    /// Its name.
    pub name: &'a [u8],
    /// Its descriptor.
    pub descriptor: &'a [u8],
    /// True if the instruction is one for static fields.
    pub is_static: bool,
}

impl Numbers {
    /// The numbers of all fields are below this.
    pub fn fields(&self) -> u32 {
        FIRST_FIELD + self.inner.lock().fields.len() as u32
    }

    /// The number of a field. `write` gets the record of one that is new.
    pub fn field(&self, field: FieldName<'_>, write: impl FnOnce(&Record)) -> u32 {
        // 0xFF occurs in no name.
        let key =
            [field.class, field.name, field.descriptor, &[field.is_static.into()]].join(&0xFF);
        let mut inner = self.inner.lock();
        if let Some(&number) = inner.fields.get(key.as_slice()) {
            return number;
        }
        let number = FIRST_FIELD + inner.fields.len() as u32;
        inner.fields.insert(key.into(), number);
        write(&Record::Field(FieldRecord {
            id: number,
            // Generated classes count as one. Names of others only change to dots.
            class: policy::display_name(field.class).replace('.', "/"),
            name: modified_utf8::decode(field.name).into_owned(),
            descriptor: modified_utf8::decode(field.descriptor).into_owned(),
            is_static: field.is_static,
        }));
        number
    }

    /// The number of a store of a field by a call that has this number for
    /// stores of elements; 0 if it is none.
    pub fn store_of_field(
        &self,
        store: u32,
        field: u32,
        bytes: Option<u8>,
        write: impl FnOnce(&Record),
    ) -> u32 {
        let mut inner = self.inner.lock();
        if let Some(known) = inner.of_field.get(&(store, field)) {
            return known[STORE_NUMBER] as u32;
        }
        let Some(&(method, known)) = inner.calls.get(&store) else { return 0 };
        inner.last_store += 1;
        let number = inner.last_store;
        let key = u64::from(store) << 32 | u64::from(field);
        inner.of_field.insert((store, field), Box::new([key, number.into()]));
        let stores = vec![StoreRecord { field, bytes: bytes.unwrap_or(known.bytes), ..known }];
        write(&Record::Stores(StoresRecord { method, first: number, stores }));
        number
    }

    /// Address of what probes know of such a store that has a number; it stays there.
    pub fn store_of_field_at(&self, store: u32, field: u32) -> Option<u64> {
        self.inner.lock().of_field.get(&(store, field)).map(|known| known.as_ptr() as u64)
    }

    /// Tells which fields a class has, the first time that one of its name is
    /// seen.
    pub fn structure(&self, class: &ClassFile<'_>, write: impl FnOnce(&Record)) {
        if !self.inner.lock().structures.insert(class.this_class().into()) {
            return;
        }
        let text = |name: &[u8]| modified_utf8::decode(name).into_owned();
        let fields = class.fields();
        write(&Record::Structure(StructureRecord {
            name: text(class.this_class()),
            superclass: class.super_class().map_or(String::new(), text),
            interfaces: class.interfaces().flatten().map(text).collect(),
            fields: fields.iter().map(|f| (text(f.name()), text(f.descriptor()))).collect(),
        }));
    }

    /// The number of the first store of a method. The others follow it.
    pub fn stores(
        &self,
        method: u32,
        stores: Vec<StoreRecord>,
        write: impl FnOnce(&Record),
    ) -> u32 {
        let mut inner = self.inner.lock();
        if let Some(&(first, count)) = inner.stores.get(&method)
            && count == stores.len()
        {
            return first;
        }
        let first = inner.last_store + 1;
        inner.last_store += stores.len() as u32;
        inner.stores.insert(method, (first, stores.len()));
        for (number, &store) in (first..).zip(&stores) {
            // Fields have numbers from 1 on; elements are stored by instructions, too.
            if store.field == 0 {
                inner.calls.insert(number, (method, store));
            }
        }
        if !stores.is_empty() {
            write(&Record::Stores(StoresRecord { method, first, stores }));
        }
        first
    }
}

//! Entries appended to a constant pool.

use super::known_entries::KnownEntries;
use super::refusal::Refusal;
use super::text_hash::hash;
use crate::read::constant_pool::{ConstantPool, tag};

/// The entries that an edit appends to the constant pool of a class.
///
/// Existing entries keep their indices, so that everything which is not
/// edited can be copied as bytes. Asking twice for the same entry gives the
/// same index. Of the entries that the class already has, classes are used
/// again; others are seldom the same, and looking for them costs more than the
/// few bytes they save.
#[derive(Clone, Debug, Default)]
pub struct PoolExtension {
    /// The appended entries in their encoding.
    bytes: Vec<u8>,
    /// Where each appended entry lies in `bytes`, and its index.
    entries: Vec<Entry>,
    /// Open addressing over `entries`: number + 1, or 0 for a free slot. Its
    /// length is a power of two, at least twice that of `entries`.
    slots: Vec<u32>,
    /// The index that the next entry gets.
    next: u32,
    /// What need not be appended.
    known: KnownEntries,
    /// Whether constants are loaded by instructions that have room for any index.
    loads_wide: bool,
}

#[derive(Clone, Copy, Debug)]
struct Entry {
    start: u32,
    end: u32,
    index: u16,
}

/// `constant_pool_count` is a `u2`, and indices stay below it.
const MAX_COUNT: u32 = 0xFFFF;

const INITIAL_SLOTS: usize = 64;

impl PoolExtension {
    /// Forgets all entries and starts behind another constant pool.
    pub(crate) fn restart(&mut self, pool: &ConstantPool<'_>) {
        self.bytes.clear();
        self.entries.clear();
        self.slots.clear();
        self.slots.resize(INITIAL_SLOTS, 0);
        self.next = u32::from(pool.count());
        self.known.restart(pool);
        self.loads_wide = false;
    }

    /// From now on [`Fragment::push_int`](crate::Fragment::push_int) loads constants by `ldc_w`
    /// only: where somebody gives entries other indices afterwards, which may be larger, the
    /// code keeps its length.
    pub fn load_wide(&mut self) {
        self.loads_wide = true;
    }

    pub(crate) fn loads_wide(&self) -> bool {
        self.loads_wide
    }

    /// The new `constant_pool_count`.
    pub(crate) fn count(&self) -> u16 {
        // `intern` lets `next` never grow past MAX_COUNT.
        self.next as u16
    }

    /// The appended entries, to be written behind the old ones.
    pub(crate) fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The name of an appended `Class` entry.
    pub(crate) fn class_name(&self, index: u16) -> Option<&[u8]> {
        let [tag::CLASS, high, low] = *self.entry(index)? else { return None };
        match self.entry(u16::from_be_bytes([high, low]))? {
            [tag::UTF8, _, _, name @ ..] => Some(name),
            _ => None,
        }
    }

    fn entry(&self, index: u16) -> Option<&[u8]> {
        let position = self.entries.binary_search_by_key(&index, |entry| entry.index).ok()?;
        let entry = self.entries.get(position)?;
        self.bytes.get(entry.start as usize..entry.end as usize)
    }

    /// Appends an entry unless an equal one was appended before.
    fn intern(&mut self, head: &[u8], body: &[u8], indices: u32) -> Result<u16, Refusal> {
        let start = self.bytes.len();
        self.bytes.extend_from_slice(head);
        self.bytes.extend_from_slice(body);
        let (earlier, entry) = self.bytes.split_at(start);
        let mask = self.slots.len() - 1;
        let mut slot = hash(entry) & mask;
        while let Some(number) = self.slots[slot].checked_sub(1) {
            let known = self.entries[number as usize];
            if earlier[known.start as usize..known.end as usize] == *entry {
                self.bytes.truncate(start);
                return Ok(known.index);
            }
            slot = (slot + 1) & mask;
        }
        if self.next + indices > MAX_COUNT {
            self.bytes.truncate(start);
            return Err(Refusal::PoolFull);
        }
        let index = self.next as u16;
        self.next += indices;
        self.entries.push(Entry { start: start as u32, end: self.bytes.len() as u32, index });
        self.slots[slot] = self.entries.len() as u32;
        if 2 * self.entries.len() > self.slots.len() {
            self.grow();
        }
        Ok(index)
    }

    #[cold]
    fn grow(&mut self) {
        let length = 2 * self.slots.len();
        self.slots.clear();
        self.slots.resize(length, 0);
        for (number, entry) in self.entries.iter().enumerate() {
            let bytes = &self.bytes[entry.start as usize..entry.end as usize];
            let mut slot = hash(bytes) & (length - 1);
            while self.slots[slot] != 0 {
                slot = (slot + 1) & (length - 1);
            }
            self.slots[slot] = number as u32 + 1;
        }
    }

    /// A `Utf8` entry; `text` is in modified UTF-8.
    ///
    /// # Errors
    /// [`Refusal::PoolFull`], as for all entries; [`Refusal::ConstantTooLong`]
    /// past 65,535 bytes.
    pub fn utf8(&mut self, text: &[u8]) -> Result<u16, Refusal> {
        if let Some(index) = self.known.find(tag::UTF8, text) {
            return Ok(index);
        }
        let length = u16::try_from(text.len()).map_err(|_| Refusal::ConstantTooLong)?;
        let [high, low] = length.to_be_bytes();
        self.intern(&[tag::UTF8, high, low], text, 1)
    }

    fn of_index(&mut self, kind: u8, index: u16) -> Result<u16, Refusal> {
        let [high, low] = index.to_be_bytes();
        self.intern(&[kind, high, low], &[], 1)
    }

    fn of_indices(&mut self, kind: u8, first: u16, second: u16) -> Result<u16, Refusal> {
        let [a, b] = first.to_be_bytes();
        let [c, d] = second.to_be_bytes();
        self.intern(&[kind, a, b, c, d], &[], 1)
    }

    /// A `Class` entry for an internal name or an array descriptor.
    ///
    /// # Errors
    /// As for [`PoolExtension::utf8`].
    pub fn class(&mut self, name: &[u8]) -> Result<u16, Refusal> {
        if let Some(index) = self.known.find(tag::CLASS, name) {
            return Ok(index);
        }
        let name = self.utf8(name)?;
        self.of_index(tag::CLASS, name)
    }

    /// A `String` entry.
    ///
    /// # Errors
    /// As for [`PoolExtension::utf8`].
    pub fn string(&mut self, text: &[u8]) -> Result<u16, Refusal> {
        let text = self.utf8(text)?;
        self.of_index(tag::STRING, text)
    }

    /// An `Integer` entry.
    ///
    /// # Errors
    /// [`Refusal::PoolFull`].
    pub fn integer(&mut self, value: i32) -> Result<u16, Refusal> {
        self.intern(&[tag::INTEGER], &value.to_be_bytes(), 1)
    }

    /// A `Float` entry.
    ///
    /// # Errors
    /// [`Refusal::PoolFull`].
    pub fn float(&mut self, value: f32) -> Result<u16, Refusal> {
        self.intern(&[tag::FLOAT], &value.to_bits().to_be_bytes(), 1)
    }

    /// A `Long` entry, which takes two indices.
    ///
    /// # Errors
    /// [`Refusal::PoolFull`].
    pub fn long(&mut self, value: i64) -> Result<u16, Refusal> {
        self.intern(&[tag::LONG], &value.to_be_bytes(), 2)
    }

    /// A `Double` entry, which takes two indices.
    ///
    /// # Errors
    /// [`Refusal::PoolFull`].
    pub fn double(&mut self, value: f64) -> Result<u16, Refusal> {
        self.intern(&[tag::DOUBLE], &value.to_bits().to_be_bytes(), 2)
    }

    /// A `NameAndType` entry.
    ///
    /// # Errors
    /// As for [`PoolExtension::utf8`].
    pub fn name_and_type(&mut self, name: &[u8], descriptor: &[u8]) -> Result<u16, Refusal> {
        let name = self.utf8(name)?;
        let descriptor = self.utf8(descriptor)?;
        self.of_indices(tag::NAME_AND_TYPE, name, descriptor)
    }

    fn member(
        &mut self,
        kind: u8,
        owner: &[u8],
        name: &[u8],
        descriptor: &[u8],
    ) -> Result<u16, Refusal> {
        let owner = self.class(owner)?;
        let name_and_type = self.name_and_type(name, descriptor)?;
        self.of_indices(kind, owner, name_and_type)
    }

    /// A `Fieldref` entry.
    ///
    /// # Errors
    /// As for [`PoolExtension::utf8`].
    pub fn fieldref(
        &mut self,
        owner: &[u8],
        name: &[u8],
        descriptor: &[u8],
    ) -> Result<u16, Refusal> {
        self.member(tag::FIELDREF, owner, name, descriptor)
    }

    /// A `Methodref` entry.
    ///
    /// # Errors
    /// As for [`PoolExtension::utf8`].
    pub fn methodref(
        &mut self,
        owner: &[u8],
        name: &[u8],
        descriptor: &[u8],
    ) -> Result<u16, Refusal> {
        self.member(tag::METHODREF, owner, name, descriptor)
    }

    /// An `InterfaceMethodref` entry.
    ///
    /// # Errors
    /// As for [`PoolExtension::utf8`].
    pub fn interface_methodref(
        &mut self,
        owner: &[u8],
        name: &[u8],
        descriptor: &[u8],
    ) -> Result<u16, Refusal> {
        self.member(tag::INTERFACE_METHODREF, owner, name, descriptor)
    }
}

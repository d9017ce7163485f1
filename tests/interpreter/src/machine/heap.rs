//! Objects.

use profile::MethodId;
use profile::dataflow::TagId;

use super::class::{ClassId, FieldNumber};
use super::value::{Cell, ObjectId, Value};
use super::{Machine, Stop};
use crate::rules::Rules;

/// An object or array.
#[derive(Debug, Clone)]
pub struct Object<W> {
    /// Its class.
    pub class: ClassId,
    /// Its tag.
    pub tag: TagId,
    /// Whether a reference to it was ever stored.
    pub is_assigned: bool,
    /// Instance fields in the order of the class's layout, or elements.
    cells: Vec<Cell<W>>,
    /// What the machine itself keeps in it.
    pub inside: Inside,
    /// Whether it counts as made: what `new` makes does so once the constructor of
    /// `Object` is reached.
    pub is_counted: bool,
}

/// What the machine keeps in an object.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Inside {
    /// Nothing.
    Nothing,
    /// It is the mirror of this class.
    Mirror(ClassId),
    /// It stands for this method, or leads to it.
    Method(MethodId),
    /// It makes objects by this constructor.
    Constructor(MethodId),
    /// It loads this field.
    Getter(FieldNumber),
    /// It stores this field.
    Setter(FieldNumber),
    /// It accesses this field.
    Variable(FieldNumber),
    /// It accesses elements of arrays.
    Elements,
}

impl<W> Object<W> {
    /// An object with these cells.
    pub fn new(class: ClassId, tag: TagId, cells: Vec<Cell<W>>) -> Self {
        let inside = Inside::Nothing;
        Self { class, tag, is_assigned: false, cells, inside, is_counted: false }
    }

    /// Its instance fields.
    pub fn fields(&self) -> &[Cell<W>] {
        &self.cells
    }

    /// Its elements.
    pub fn elements(&self) -> &[Cell<W>] {
        &self.cells
    }

    /// Its fields or elements.
    pub fn cells_mut(&mut self) -> &mut [Cell<W>] {
        &mut self.cells
    }
}

impl<R: Rules> Machine<'_, R> {
    /// Adds an object to the heap.
    pub fn place(&mut self, object: Object<R::Writer>) -> ObjectId {
        self.heap.push(object);
        ObjectId(self.heap.len() as u32 - 1)
    }

    /// The object.
    pub fn object(&self, object: ObjectId) -> &Object<R::Writer> {
        &self.heap[object.0 as usize]
    }

    /// Tag of the object that a value refers to, if it is a reference to one.
    pub fn tag_of(&self, value: Value) -> Option<TagId> {
        match value {
            Value::Object(object) => Some(self.object(object).tag),
            _ => None,
        }
    }

    /// The reference, or a `NullPointerException`.
    ///
    /// # Errors
    /// What the interpreted program throws, or that the interpreter lacks something.
    pub fn not_null(&mut self, value: Value) -> Result<ObjectId, Stop> {
        match value.reference() {
            Some(object) => Ok(object),
            None => Err(self.throw("java/lang/NullPointerException")),
        }
    }

    /// Value of an instance field of the machine's own interest.
    pub fn peek(&self, object: ObjectId, field: &str) -> Option<Value> {
        let object = self.object(object);
        let field = self.find_field(object.class, field, "")?;
        Some(object.cells[self.fields[field.0 as usize].index].value)
    }

    /// Sets such a field.
    pub fn poke(&mut self, object: ObjectId, field: &str, value: Value) {
        let class = self.object(object).class;
        if let Some(field) = self.find_field(class, field, "") {
            let index = self.fields[field.0 as usize].index;
            self.heap[object.0 as usize].cells[index].value = value;
        }
    }
}

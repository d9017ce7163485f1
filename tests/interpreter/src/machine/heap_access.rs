//! Loads and stores of heap locations (rules LOAD and STORE).

use profile::dataflow::{FieldId, Location, TagId};

use super::class::FieldNumber;
use super::value::{ObjectId, Slot, Value, width};
use super::{Frame, Machine, Stop};
use crate::rules::{Here, Rules, Stored};

impl<R: Rules> Machine<'_, R> {
    pub(super) fn load_static(
        &mut self,
        frame: &mut Frame<R::Shadow>,
        index: u16,
    ) -> Result<(), Stop> {
        let field = self.resolve_field(frame.class, index)?;
        let (class, at) = self.static_cell(field)?;
        let from = self.static_location(field);
        let cell = &mut self.classes[class].statics[at];
        let value = cell.value;
        let is_null = value == Value::Null;
        let shadow = self.rules.load(frame.here(), frame.slot, from, is_null, &mut cell.writer);
        frame.push(Slot { value, shadow });
        Ok(())
    }

    pub(super) fn store_static(
        &mut self,
        frame: &mut Frame<R::Shadow>,
        index: u16,
    ) -> Result<(), Stop> {
        let field = self.resolve_field(frame.class, index)?;
        let (class, at) = self.static_cell(field)?;
        let Slot { value, shadow } = frame.pop();
        let descriptor = &self.fields[field.0 as usize].descriptor;
        let value = value.narrowed(descriptor);
        let stored = Stored {
            to: self.static_location(field),
            value: shadow,
            target: self.tag_of(value),
            is_null: value == Value::Null,
            width: width(descriptor),
        };
        self.assign(frame.here(), Slot { value, shadow });
        let cell = &mut self.classes[class].statics[at];
        self.rules.store(frame.here(), frame.slot, stored, &mut cell.writer);
        cell.value = value;
        Ok(())
    }

    fn static_cell(&mut self, field: FieldNumber) -> Result<(usize, usize), Stop> {
        let field = &self.fields[field.0 as usize];
        let (class, at) = (field.class, field.index);
        self.initialise(class)?;
        Ok((class.0 as usize, at))
    }

    fn static_location(&self, field: FieldNumber) -> Location {
        Location { tag: TagId::UNKNOWN, field: self.fields[field.0 as usize].flow }
    }

    pub(super) fn load_field(
        &mut self,
        frame: &mut Frame<R::Shadow>,
        index: u16,
    ) -> Result<(), Stop> {
        let field = self.resolve_field(frame.class, index)?;
        let base = frame.pop();
        let object = self.base(frame, base)?;
        let at = self.fields[field.0 as usize].index;
        let flow = self.fields[field.0 as usize].flow;
        let slot = self.load_cell(frame.here(), frame.slot, object, at, flow);
        frame.push(slot);
        Ok(())
    }

    pub(super) fn store_field(
        &mut self,
        frame: &mut Frame<R::Shadow>,
        index: u16,
    ) -> Result<(), Stop> {
        let field = self.resolve_field(frame.class, index)?;
        let mut slot = frame.pop();
        let base = frame.pop();
        let object = self.base(frame, base)?;
        let field = &self.fields[field.0 as usize];
        slot.value = slot.value.narrowed(&field.descriptor);
        let place = (field.index, field.flow, width(&field.descriptor));
        self.store_cell(frame.here(), frame.slot, object, place, slot);
        Ok(())
    }

    pub(super) fn load_element(&mut self, frame: &mut Frame<R::Shadow>) -> Result<(), Stop> {
        let index = frame.pop().value.int();
        let base = frame.pop();
        let array = self.base(frame, base)?;
        let at = self.element(array, index)?;
        let slot = self.load_cell(frame.here(), frame.slot, array, at, FieldId::ELEMENTS);
        frame.push(slot);
        Ok(())
    }

    pub(super) fn store_element(&mut self, frame: &mut Frame<R::Shadow>) -> Result<(), Stop> {
        let mut slot = frame.pop();
        let index = frame.pop().value.int();
        let base = frame.pop();
        let array = self.base(frame, base)?;
        let at = self.element(array, index)?;
        let class = self.object(array).class;
        let element = self.classes[class.0 as usize].element.expect("it is an array");
        if matches!(slot.value, Value::Object(_)) && !self.is_instance(slot.value, element, true) {
            return Err(self.throw("java/lang/ArrayStoreException"));
        }
        let descriptor = self.classes[element.0 as usize].descriptor();
        slot.value = slot.value.narrowed(&descriptor);
        let place = (at, FieldId::ELEMENTS, width(&descriptor));
        self.store_cell(frame.here(), frame.slot, array, place, slot);
        Ok(())
    }

    /// The object that an instruction needs, or its `NullPointerException`.
    pub(super) fn base(
        &mut self,
        frame: &Frame<R::Shadow>,
        base: Slot<R::Shadow>,
    ) -> Result<ObjectId, Stop> {
        if base.value == Value::Null {
            self.rules.meet_null(frame.here(), base.shadow);
        }
        self.not_null(base.value)
    }

    pub(super) fn element(&mut self, array: ObjectId, index: i32) -> Result<usize, Stop> {
        let length = self.object(array).elements().len();
        match usize::try_from(index) {
            Ok(index) if index < length => Ok(index),
            _ => Err(self.throw("java/lang/ArrayIndexOutOfBoundsException")),
        }
    }

    /// Rule LOAD FIELD for a field or element of an object.
    pub(super) fn load_cell(
        &mut self,
        here: Here,
        slot: u32,
        object: ObjectId,
        at: usize,
        field: FieldId,
    ) -> Slot<R::Shadow> {
        let object = &mut self.heap[object.0 as usize];
        let from = Location { tag: object.tag, field };
        let cell = &mut object.cells_mut()[at];
        let is_null = cell.value == Value::Null;
        let shadow = self.rules.load(here, slot, from, is_null, &mut cell.writer);
        Slot { value: cell.value, shadow }
    }

    /// A reference is stored in the heap: its object has been assigned. One that was
    /// loaded from there has been stored before.
    pub(super) fn assign(&mut self, here: Here, stored: Slot<R::Shadow>) {
        if let Value::Object(object) = stored.value
            && here.is_followed
            && !R::is_loaded(stored.shadow)
        {
            self.count_assigned(object);
        }
    }

    /// A reference to an object that was not loaded from the heap is stored there.
    pub(super) fn count_assigned(&mut self, object: ObjectId) {
        let object = &mut self.heap[object.0 as usize];
        let is_first = !std::mem::replace(&mut object.is_assigned, true);
        self.registry.assigned[object.tag.0 as usize] += u64::from(is_first);
    }

    /// Rule STORE FIELD for a field or element, given by its index, field and
    /// width.
    pub(super) fn store_cell(
        &mut self,
        here: Here,
        slot: u32,
        object: ObjectId,
        (at, field, width): (usize, FieldId, u8),
        value: Slot<R::Shadow>,
    ) {
        self.assign(here, value);
        let target = self.tag_of(value.value);
        let object = &mut self.heap[object.0 as usize];
        let to = Location { tag: object.tag, field };
        let is_null = value.value == Value::Null;
        let stored = Stored { to, value: value.shadow, target, is_null, width };
        let cell = &mut object.cells_mut()[at];
        self.rules.store(here, slot, stored, &mut cell.writer);
        cell.value = value.value;
    }

    /// One location copied to another by a call.
    pub(super) fn copy_cell(
        &mut self,
        here: Here,
        slot: u32,
        (source, from_at): (ObjectId, usize),
        (target, to_at): (ObjectId, usize),
        (field, width): (FieldId, u8),
    ) {
        let object = &mut self.heap[source.0 as usize];
        let from = Location { tag: object.tag, field };
        let cell = &mut object.cells_mut()[from_at];
        let mut read = cell.writer;
        let value = cell.value;
        let to = Location { tag: self.object(target).tag, field };
        let target_tag = self.tag_of(value);
        let is_null = value == Value::Null;
        let unknown = R::Shadow::default();
        let stored = Stored { to, value: unknown, target: target_tag, is_null, width };
        let is_same = (source, from_at) == (target, to_at);
        let old = (!is_same).then(|| self.object(target).elements()[to_at].writer);
        let writer = self.rules.copy(here, slot, (from, &mut read), stored, old);
        self.heap[source.0 as usize].cells_mut()[from_at].writer = read;
        let cell = &mut self.heap[target.0 as usize].cells_mut()[to_at];
        cell.value = value;
        cell.writer = writer;
    }
}

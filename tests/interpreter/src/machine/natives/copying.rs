//! `System.arraycopy` and `clone`.

use profile::dataflow::{FieldId, SiteKind};

use super::super::value::{Slot, Value, width};
use super::super::{Frame, Machine, Stop};
use crate::rules::Rules;

impl<R: Rules> Machine<'_, R> {
    /// Copies element by element.
    pub(super) fn array_copy(
        &mut self,
        frame: &Frame<R::Shadow>,
        arguments: &[Slot<R::Shadow>],
    ) -> Result<(), Stop> {
        let source = self.not_null(arguments[0].value)?;
        let target = self.not_null(arguments[2].value)?;
        let [from, to, length] = [1, 3, 4].map(|at| i64::from(arguments[at].value.int()));
        let fits = |start: i64, array| {
            start >= 0 && start + length <= self.object(array).elements().len() as i64
        };
        if length < 0 || !fits(from, source) || !fits(to, target) {
            return Err(self.throw("java/lang/ArrayIndexOutOfBoundsException"));
        }
        let class = self.object(target).class;
        let element = self.classes[class.0 as usize].element;
        let descriptor = element.map(|element| self.classes[element.0 as usize].descriptor());
        let width = width(&descriptor.unwrap_or_default());
        let (here, slot) = (frame.here(), frame.slot);
        self.rules.begin_copies(here, slot, FieldId::ELEMENTS);
        let copy = |machine: &mut Self, at: i64| {
            let (from, to) = ((source, (from + at) as usize), (target, (to + at) as usize));
            machine.copy_cell(here, slot, from, to, (FieldId::ELEMENTS, width));
        };
        // Overlapping ranges of one array are copied as if through another.
        if source == target && from < to {
            (0..length).rev().for_each(|at| copy(self, at));
        } else {
            (0..length).for_each(|at| copy(self, at));
        }
        Ok(())
    }

    /// Copies field by field, or element by element, into a new object of the
    /// call site.
    pub(super) fn clone_object(
        &mut self,
        frame: &Frame<R::Shadow>,
        arguments: &[Slot<R::Shadow>],
    ) -> Result<Slot<R::Shadow>, Stop> {
        let source = self.not_null(arguments[0].value)?;
        let class = self.object(source).class;
        let element = self.classes[class.0 as usize].element;
        if element.is_none() {
            let cloneable = self.class("java/lang/Cloneable")?;
            if !self.is_subclass(class, cloneable) {
                return Err(self.throw("java/lang/CloneNotSupportedException"));
            }
        }
        // A method that calls `super.clone()` does not know the class.
        let is_known = element.is_some() || !frame.following.sites;
        let known = if is_known { class } else { frame.class };
        let tag = self.new_tag(frame, known, SiteKind::Clone);
        let clone = match element {
            Some(_) => {
                let length = self.object(source).elements().len();
                self.blank_array(class, length, tag)
            }
            None => self.blank(class, tag),
        };
        let (here, slot) = (frame.here(), frame.slot);
        self.rules.begin_copies(here, slot, FieldId::ELEMENTS);
        for at in 0..self.object(source).elements().len() {
            let place = match element {
                Some(element) => {
                    let descriptor = self.classes[element.0 as usize].descriptor();
                    (FieldId::ELEMENTS, width(&descriptor))
                }
                None => {
                    let field = self.classes[class.0 as usize].layout[at];
                    let field = &self.fields[field.0 as usize];
                    (field.flow, width(&field.descriptor))
                }
            };
            self.copy_cell(here, slot, (source, at), (clone, at), place);
        }
        let shadow = self.rules.allocate(here, slot, tag);
        self.rules.made(shadow, tag);
        Ok(Slot { value: Value::Object(clone), shadow })
    }
}

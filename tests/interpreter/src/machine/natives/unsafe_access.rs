//! `jdk.internal.misc.Unsafe`. Offsets are numbers that only this machine
//! gives a meaning: fields are 8 apart, elements their width.

use profile::dataflow::FieldId;

use super::super::class::FieldNumber;
use super::super::value::{ObjectId, Slot, Value, width};
use super::super::{Frame, Machine, Stop};
use super::{Answer, Call, nothing, value};
use crate::rules::Rules;

/// Offset of the first field or element.
const BASE: i64 = 16;

type Accessed<S> = Option<Result<Option<Slot<S>>, Stop>>;

impl<R: Rules> Machine<'_, R> {
    /// Accesses to fields and elements are loads and stores of the call site.
    /// `None` for the other methods, and for addresses outside of objects.
    pub(super) fn unsafe_access(
        &mut self,
        frame: &Frame<R::Shadow>,
        name: &str,
        arguments: &[Slot<R::Shadow>],
    ) -> Accessed<R::Shadow> {
        let (Value::Object(object), Value::Long(offset)) =
            (arguments.get(1)?.value, arguments.get(2)?.value)
        else {
            return None;
        };
        let (at, field, width) = self.cell_at(object, offset)?;
        let (mut here, slot) = (frame.here(), frame.slot);
        // Costs see a native, whose stores make last writers forgotten.
        if R::KNOWS_WHO_CONSUMES {
            let shadows: Vec<_> = arguments.iter().map(|slot| slot.shadow).collect();
            self.rules.native(here, &shadows);
            here.is_followed = false;
            here.forgets = true;
        }
        let load = |machine: &mut Self| machine.load_cell(here, slot, object, at, field);
        if name.starts_with("compareAndSet") || name.starts_with("weakCompareAndSet") {
            let (expected, new) = (arguments[3], arguments[4]);
            let found = load(self);
            self.rules.native(here, &[found.shadow, expected.shadow]);
            let equal = found.value == expected.value;
            if equal {
                self.store_cell(here, slot, object, (at, field, width), new);
            }
            return Some(Ok(Some(Slot::plain(Value::Int(equal.into())))));
        }
        if name.starts_with("getAndAdd") {
            let (old, by) = (load(self), arguments[3]);
            let sum = match (old.value, by.value) {
                (Value::Int(old), Value::Int(by)) => Value::Int(old.wrapping_add(by)),
                (old, by) => Value::Long(old.long().wrapping_add(by.long())),
            };
            self.rules.native(here, &[old.shadow, by.shadow]);
            self.store_cell(here, slot, object, (at, field, width), Slot::plain(sum));
            return Some(Ok(Some(old)));
        }
        if name.starts_with("getAndSet") {
            let old = load(self);
            self.store_cell(here, slot, object, (at, field, width), arguments[3]);
            return Some(Ok(Some(old)));
        }
        if name.starts_with("get") {
            return Some(Ok(Some(load(self))));
        }
        if name.starts_with("put") {
            self.store_cell(here, slot, object, (at, field, width), arguments[3]);
            return Some(Ok(None));
        }
        None
    }

    /// Index, field and width of the location at an offset in an object.
    fn cell_at(&self, object: ObjectId, offset: i64) -> Option<(usize, FieldId, u8)> {
        let class = &self.classes[self.object(object).class.0 as usize];
        let offset = usize::try_from(offset - BASE).ok()?;
        let (at, field, width) = match class.element {
            Some(element) => {
                let width = width(&self.classes[element.0 as usize].descriptor());
                (offset / usize::from(width), FieldId::ELEMENTS, width)
            }
            None => {
                let field = &self.fields[class.layout.get(offset / 8)?.0 as usize];
                (offset / 8, field.flow, width(&field.descriptor))
            }
        };
        (at < self.object(object).elements().len()).then_some((at, field, width))
    }

    pub(super) fn unsafe_native(&mut self, call: &Call<'_>) -> Answer {
        if call.class != "jdk/internal/misc/Unsafe" {
            return None;
        }
        match call.name {
            "registerNatives"
            | "fullFence"
            | "storeFence"
            | "loadFence"
            | "storeStoreFence"
            | "loadLoadFence"
            | "unpark"
            | "park"
            | "ensureClassInitialized" => nothing(),
            // A long since JDK 24.
            "arrayBaseOffset" if call.descriptor.ends_with('J') => value(Value::Long(BASE)),
            "arrayBaseOffset" => value(Value::Int(BASE as i32)),
            "arrayIndexScale" => Some(self.mirrored(call.arguments[1]).map(|class| {
                let element = self.classes[class.0 as usize].element;
                let width = element.map(|e| width(&self.classes[e.0 as usize].descriptor()));
                Some(Value::Int(i32::from(width.unwrap_or_default())))
            })),
            "addressSize" => value(Value::Int(8)),
            "pageSize" => value(Value::Int(4096)),
            "isBigEndian" | "unalignedAccess" => value(Value::Int(0)),
            "objectFieldOffset" if call.arguments.len() == 3 => Some(self.field_offset(call)),
            "allocateUninitializedArray" => Some(self.mirrored(call.arguments[1]).and_then(|e| {
                let class = self.array_of(e)?;
                let tag = self.untracked_tag(class);
                let length = call.arguments[2].int() as usize;
                Ok(Some(Value::Object(self.blank_array(class, length, tag))))
            })),
            // A counter of threads that lies outside of the heap.
            "getAndAddLong" => {
                self.thread_numbers += call.arguments[3].long();
                value(Value::Long(self.thread_numbers))
            }
            _ => None,
        }
    }

    /// Where a field is in objects.
    pub(super) fn offset_of(&self, field: FieldNumber) -> i64 {
        BASE + 8 * self.fields[field.0 as usize].index as i64
    }

    fn field_offset(&mut self, call: &Call<'_>) -> Result<Option<Value>, Stop> {
        let class = self.mirrored(call.arguments[1])?;
        let name = self.not_null(call.arguments[2])?;
        let name = self.text_of(name);
        let field = self
            .find_field(class, &name, "")
            .ok_or_else(|| Stop::Unsupported(format!("the offset of {name}")))?;
        Ok(Some(Value::Long(self.offset_of(field))))
    }
}

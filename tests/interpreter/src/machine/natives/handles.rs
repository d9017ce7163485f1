//! Calls of method handles and variable handles. Nobody follows what is behind
//! them: they consume their arguments and return what comes from nowhere.

use classfile::{descriptor, opcode};

use super::super::class::FieldNumber;
use super::super::heap::Inside;
use super::super::names::text;
use super::super::value::{ObjectId, Slot, Value};
use super::super::{Frame, Machine, Stop};
use crate::rules::Rules;

/// Where a variable handle leads.
#[derive(Debug, Clone, Copy)]
enum Place {
    Static(usize, usize),
    In(ObjectId, usize),
}

impl<R: Rules> Machine<'_, R> {
    /// A call of a method whose descriptor is that of the call; `None` if it is none.
    pub(in crate::machine) fn polymorphic(
        &mut self,
        frame: &mut Frame<R::Shadow>,
        called: u8,
        index: u16,
    ) -> Option<Result<(), Stop>> {
        if called != opcode::INVOKEVIRTUAL {
            return None;
        }
        let member = self.file(frame.class).constant_pool().member_ref(index).ok()?;
        let is_call = member.owner == b"java/lang/invoke/MethodHandle"
            && matches!(member.name, b"invoke" | b"invokeExact");
        if !is_call && member.owner != b"java/lang/invoke/VarHandle" {
            return None;
        }
        let count = 1 + descriptor::parameters(member.descriptor).count();
        let arguments = frame.stack.split_off(frame.stack.len() - count);
        let shadows: Vec<_> = arguments.iter().map(|slot| slot.shadow).collect();
        self.rules.native(frame.here(), &shadows);
        if let Err(stop) = self.base(frame, arguments[0]) {
            return Some(Err(stop));
        }
        let values: Vec<Value> = arguments.iter().map(|slot| slot.value).collect();
        let outer = std::mem::replace(&mut self.calling, frame.context);
        let returns = text(descriptor::return_type(member.descriptor));
        let result = match is_call {
            true => self.call_handle(&values, returns),
            false => self.access_by_handle(text(member.name), &values),
        };
        self.calling = outer;
        let is_void = returns == "V";
        Some(result.map(|value| {
            let answer = value.filter(|_| !is_void);
            let answer = answer.map(|value| self.answered(frame, Slot::plain(value)));
            frame.stack.extend(answer);
        }))
    }

    fn call_handle(&mut self, values: &[Value], returns: &str) -> Result<Option<Value>, Stop> {
        let handle = self.not_null(values[0])?;
        let values = &values[1..];
        match self.object(handle).inside {
            Inside::Method(method) => {
                let method = self.select(method, values[0])?;
                let letters = self.methods[method.0 as usize].parameters.clone();
                let given = values[1..].iter().zip(letters);
                let given = given.map(|(&value, letter)| self.unboxed(value, letter));
                let all: Vec<Value> = [values[0]].into_iter().chain(given).collect();
                let result = self.call_plainly(method, &all)?;
                match result {
                    Some(Value::Int(_)) if returns.starts_with('L') => self.boxed(result),
                    result => Ok(result),
                }
            }
            Inside::Constructor(method) => {
                let letters = self.methods[method.0 as usize].parameters.clone();
                let given = values.iter().zip(letters);
                let given: Vec<Value> =
                    given.map(|(&value, letter)| self.unboxed(value, letter)).collect();
                self.construct(method, &given).map(|made| Some(Value::Object(made)))
            }
            Inside::Getter(field) => {
                let place = self.place_of(field, values)?.0;
                let value = Some(self.at(place));
                match value {
                    Some(Value::Int(_)) if returns.starts_with('L') => self.boxed(value),
                    value => Ok(value),
                }
            }
            Inside::Setter(field) => {
                let (place, rest) = self.place_of(field, values)?;
                self.put(place, rest[0]);
                Ok(None)
            }
            _ => Err(Stop::unsupported("a handle of this kind")),
        }
    }

    fn boxed(&mut self, value: Option<Value>) -> Result<Option<Value>, Stop> {
        let class = self.class("java/lang/Integer")?;
        let method = self.find_method(class, "valueOf", "(I)Ljava/lang/Integer;");
        let method = method.ok_or_else(|| Stop::unsupported("another Integer"))?;
        self.initialise(class)?;
        self.call_plainly(method, &[value.unwrap_or(Value::Null)])
    }

    fn access_by_handle(&mut self, name: &str, values: &[Value]) -> Result<Option<Value>, Stop> {
        let handle = self.not_null(values[0])?;
        let values = &values[1..];
        let (place, rest, letter) = match self.object(handle).inside {
            Inside::Variable(field) => {
                let letter = self.fields[field.0 as usize].descriptor.as_bytes()[0];
                let (place, rest) = self.place_of(field, values)?;
                (place, rest, letter)
            }
            Inside::Elements => {
                let array = self.not_null(values[0])?;
                let at = self.element(array, values[1].int())?;
                (Place::In(array, at), &values[2..], b'L')
            }
            _ => return Err(Stop::unsupported("a variable handle of this kind")),
        };
        // The call may say `Integer` where the variable is an `int`.
        let rest: Vec<Value> = rest.iter().map(|&value| self.unboxed(value, letter)).collect();
        let old = self.at(place);
        if name.starts_with("compareAndSet") {
            let equal = old == rest[0];
            if equal {
                self.put(place, rest[1]);
            }
            return Ok(Some(Value::Int(equal.into())));
        }
        if name.starts_with("getAndAdd") {
            let sum = old.int().wrapping_add(rest[0].int());
            self.put(place, Value::Int(sum));
        } else if name.starts_with("getAndSet") {
            self.put(place, rest[0]);
        } else if name.starts_with("set") {
            self.put(place, rest[0]);
            return Ok(None);
        } else if !name.starts_with("get") {
            return Err(Stop::Unsupported(format!("VarHandle.{name}")));
        }
        Ok(Some(old))
    }

    /// Where a field is, and the arguments behind its object.
    fn place_of<'v>(
        &mut self,
        field: FieldNumber,
        values: &'v [Value],
    ) -> Result<(Place, &'v [Value]), Stop> {
        let described = &self.fields[field.0 as usize];
        let (class, index) = (described.class, described.index);
        let layout = &self.classes[class.0 as usize].layout;
        if layout.get(index) != Some(&field) {
            self.initialise(class)?;
            return Ok((Place::Static(class.0 as usize, index), values));
        }
        let object = self.not_null(values[0])?;
        Ok((Place::In(object, index), &values[1..]))
    }

    fn at(&self, place: Place) -> Value {
        match place {
            Place::Static(class, at) => self.classes[class].statics[at].value,
            Place::In(object, at) => self.object(object).fields()[at].value,
        }
    }

    fn put(&mut self, place: Place, value: Value) {
        match place {
            Place::Static(class, at) => {
                let cell = &mut self.classes[class].statics[at];
                cell.value = value;
                cell.writer = R::Writer::default();
            }
            Place::In(object, at) => self.replace_cell(object, at, value),
        }
    }
}

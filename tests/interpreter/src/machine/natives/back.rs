//! The natives of the tests' class `Back`, which call back.

use super::super::value::{ObjectId, Slot, Value};
use super::super::{Machine, Stop};
use super::{Answer, Call, nothing, value};
use crate::rules::Rules;

const PASS: (&str, &str) = ("pass", "(Ljava/lang/Object;)Ljava/lang/Object;");

impl<R: Rules> Machine<'_, R> {
    pub(super) fn back_native(&mut self, call: &Call<'_>) -> Answer {
        let arguments = call.arguments;
        match (call.class, call.name) {
            ("Back", "pass") => Some(self.forward(arguments[0])),
            ("Back$Swap", "pass") => Some(self.forward(arguments[0]).map(|_| Some(arguments[1]))),
            ("Back$Making", "pass") => {
                let back = self.not_null(arguments[0]);
                let other = back.map(|back| self.peek(back, "other").unwrap_or(Value::Null));
                let made = other.and_then(|class| self.construct_of(class, arguments[1]));
                Some(made.map(|_| Some(arguments[1])))
            }
            ("Back", "attempt") if call.descriptor.starts_with("(Ljava/lang/Class;") => {
                match self.construct_of(arguments[0], arguments[1]) {
                    Err(Stop::Thrown(_)) => value(Value::Null),
                    made => Some(made.map(|made| Some(Value::Object(made)))),
                }
            }
            ("Back", "attempt") => match self.pass(arguments[0], arguments[2]) {
                Err(Stop::Thrown(_)) => Some(self.pass(arguments[1], arguments[2])),
                passed => Some(passed),
            },
            ("Back", "call") => Some(self.pass(arguments[0], arguments[1])),
            ("Back", "run") => match arguments[0] {
                Value::Null => nothing(),
                what => Some(self.call_back(what, ("run", "()V"), &[])),
            },
            ("Back", "set") => {
                if let Value::Object(to) = arguments[0] {
                    self.replace(to, "other", arguments[1]);
                }
                nothing()
            }
            ("Back", "get") => {
                let from = arguments[0].reference();
                value(from.and_then(|from| self.peek(from, "other")).unwrap_or(Value::Null))
            }
            ("Back", "setElement") => {
                if let Value::Object(to) = arguments[0]
                    && let Ok(at) = usize::try_from(arguments[1].int())
                    && at < self.object(to).elements().len()
                {
                    self.replace_cell(to, at, arguments[2]);
                }
                nothing()
            }
            ("Back", "make") => Some(self.class("Back").and_then(|class| {
                let constructor = self.find_method(class, "<init>", "(LSink;Ljava/lang/Object;)V");
                let constructor = constructor.ok_or_else(|| Stop::unsupported("another Back"))?;
                self.construct(constructor, arguments).map(|made| Some(Value::Object(made)))
            })),
            _ => None,
        }
    }

    /// A new object of the class with this mirror, by its constructor for one object.
    fn construct_of(&mut self, mirror: Value, object: Value) -> Result<ObjectId, Stop> {
        let class = self.mirrored(mirror)?;
        let constructor = self.find_method(class, "<init>", "(Ljava/lang/Object;)V");
        let constructor = constructor.ok_or_else(|| Stop::unsupported("another constructor"))?;
        self.construct(constructor, &[object])
    }

    fn forward(&mut self, back: Value) -> Result<Option<Value>, Stop> {
        let back = self.not_null(back)?;
        let [sink, other] =
            ["in", "other"].map(|name| self.peek(back, name).unwrap_or(Value::Null));
        self.pass(sink, other)
    }

    fn pass(&mut self, sink: Value, object: Value) -> Result<Option<Value>, Stop> {
        if sink == Value::Null {
            return Ok(Some(Value::Null));
        }
        self.call_back(sink, PASS, &[object])
    }

    /// A virtual call by native code, which nobody follows.
    pub(super) fn call_back(
        &mut self,
        receiver: Value,
        (name, descriptor): (&str, &str),
        arguments: &[Value],
    ) -> Result<Option<Value>, Stop> {
        let object = self.not_null(receiver)?;
        let class = self.object(object).class;
        let method = self.find_method(class, name, descriptor);
        let method = method.ok_or_else(|| Stop::Unsupported(format!("{name}{descriptor}")))?;
        let all: Vec<Value> = [receiver].iter().chain(arguments).copied().collect();
        self.call_plainly(method, &all)
    }

    /// A call of this very method by code that nobody follows.
    pub(super) fn call_plainly(
        &mut self,
        method: profile::MethodId,
        arguments: &[Value],
    ) -> Result<Option<Value>, Stop> {
        if self.methods[method.0 as usize].body.is_none() {
            return self.plain_native(method, arguments);
        }
        let arguments = arguments.iter().copied().map(Slot::plain).collect();
        let result = self.invoke(method, arguments, self.calling)?;
        Ok(result.map(|slot| slot.value))
    }

    /// A new object whose allocation nobody sees.
    pub(super) fn construct(
        &mut self,
        constructor: profile::MethodId,
        arguments: &[Value],
    ) -> Result<ObjectId, Stop> {
        let class = self.methods[constructor.0 as usize].class;
        self.initialise(class)?;
        let tag = self.untracked_tag(class);
        let made = self.blank(class, tag);
        let all: Vec<Value> = [Value::Object(made)].iter().chain(arguments).copied().collect();
        self.call_plainly(constructor, &all)?;
        Ok(made)
    }

    /// A store to a field that nobody sees.
    fn replace(&mut self, object: ObjectId, field: &str, value: Value) {
        let class = self.object(object).class;
        if let Some(field) = self.find_field(class, field, "") {
            self.replace_cell(object, self.fields[field.0 as usize].index, value);
        }
    }

    /// A store to a field or element that nobody sees.
    pub(super) fn replace_cell(&mut self, object: ObjectId, at: usize, value: Value) {
        let cell = &mut self.heap[object.0 as usize].cells_mut()[at];
        cell.value = value;
        cell.writer = R::Writer::default();
    }
}

//! Native methods. Their arguments are consumed; those that only copy or access
//! heap locations are loads and stores of their call site instead.

mod back;
mod classes;
mod copying;
mod handles;
mod library;
mod output;
mod reflection;
mod stack_trace;
mod threads;
mod unsafe_access;

use classfile::access;
use profile::MethodId;

use super::opaque::is_stand_in;
use super::value::{Slot, Value};
use super::{Frame, Machine, Stop};
use crate::rules::Rules;

impl<R: Rules> Machine<'_, R> {
    /// A call of a native, or of a method that is not followed.
    pub(super) fn native(
        &mut self,
        frame: &mut Frame<R::Shadow>,
        method: MethodId,
        arguments: &[Slot<R::Shadow>],
    ) -> Result<Option<Slot<R::Shadow>>, Stop> {
        let (class, name, _) = self.names(method);
        match (&*class, &*name) {
            ("java/lang/System", "arraycopy") => self.array_copy(frame, arguments).map(|()| None),
            ("java/lang/Object", "clone") => self.clone_object(frame, arguments).map(Some),
            ("jdk/internal/misc/Unsafe", name) => {
                match self.unsafe_access(frame, name, arguments) {
                    Some(done) => done,
                    None => self.consume(frame, method, arguments),
                }
            }
            _ => self.consume(frame, method, arguments),
        }
    }

    fn consume(
        &mut self,
        frame: &Frame<R::Shadow>,
        method: MethodId,
        arguments: &[Slot<R::Shadow>],
    ) -> Result<Option<Slot<R::Shadow>>, Stop> {
        let shadows: Vec<_> = arguments.iter().map(|slot| slot.shadow).collect();
        let opaque = &self.methods[method.0 as usize];
        let class = &self.classes[opaque.class.0 as usize].name;
        // The agent follows what is Java code of these classes.
        if R::KNOWS_WHO_CONSUMES && opaque.flags & access::NATIVE == 0 && is_stand_in(class) {
            let values: Vec<_> = arguments.iter().map(|slot| slot.value).collect();
            return Ok(self.plain_native(method, &values)?.map(Slot::plain));
        }
        // Who calls a native of another class of the program does not know that.
        if !self.classes[opaque.class.0 as usize].is_own || opaque.class == frame.class {
            self.rules.native(frame.here(), &shadows);
        }
        let values: Vec<_> = arguments.iter().map(|slot| slot.value).collect();
        Ok(self.plain_native(method, &values)?.map(Slot::plain))
    }

    /// What a native does, without rules.
    pub(super) fn plain_native(
        &mut self,
        method: MethodId,
        arguments: &[Value],
    ) -> Result<Option<Value>, Stop> {
        let (class, name, descriptor) = self.names(method);
        let call = Call { class: &class, name: &name, descriptor: &descriptor, arguments };
        let families = [
            Self::library_native,
            Self::class_native,
            Self::thread_native,
            Self::output_native,
            Self::unsafe_native,
            Self::back_native,
            Self::reflection_native,
            Self::stack_trace_native,
        ];
        for family in families {
            if let Some(result) = family(self, &call) {
                return result;
            }
        }
        Err(Stop::Unsupported(format!("native {class}.{name}{descriptor}")))
    }

    fn names(&self, method: MethodId) -> (std::rc::Rc<str>, std::rc::Rc<str>, std::rc::Rc<str>) {
        let method = &self.methods[method.0 as usize];
        let class = self.classes[method.class.0 as usize].name.clone();
        (class, method.name.clone(), method.descriptor.clone())
    }
}

/// A call of a native.
pub(super) struct Call<'a> {
    class: &'a str,
    name: &'a str,
    descriptor: &'a str,
    arguments: &'a [Value],
}

/// What a family of natives answers: `None` if the method is of another.
pub(super) type Answer = Option<Result<Option<Value>, Stop>>;

fn value(value: Value) -> Answer {
    Some(Ok(Some(value)))
}

fn nothing() -> Answer {
    Some(Ok(None))
}

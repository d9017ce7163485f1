//! Stack traces, as far as the JDK looks at them: since reflection goes by method
//! handles, it asks the trace of an exception whether its own code has thrown it, or
//! the method that was called.

use super::super::class::ClassId;
use super::super::value::{ObjectId, Value};
use super::super::{Machine, Stop};
use super::{Answer, Call, value};
use crate::rules::Rules;

/// Classes that call what is reflected.
const ACCESSORS: [&str; 2] = [
    "jdk/internal/reflect/DirectMethodHandleAccessor",
    "jdk/internal/reflect/DirectConstructorHandleAccessor",
];

/// Packages of the code between them and what they call.
const BETWEEN: [&str; 4] =
    ["java/lang/reflect", "java/lang/invoke", "jdk/internal/reflect", "sun/invoke/util"];

impl<R: Rules> Machine<'_, R> {
    pub(super) fn stack_trace_native(&mut self, call: &Call<'_>) -> Answer {
        match (call.class, call.name) {
            ("java/lang/Throwable", "fillInStackTrace") => {
                if let Value::Object(exception) = call.arguments[0] {
                    let accessor = self.accessor_above(exception);
                    self.accessors.extend(accessor.map(|accessor| (exception, accessor)));
                }
                value(call.arguments[0])
            }
            ("jdk/internal/reflect/AccessorUtils", "isIllegalArgument") => {
                Some(self.is_illegal(call.arguments[0], call.arguments[1]))
            }
            // What a message says depends on the code, which the rules do not ask for.
            ("java/lang/NullPointerException", "getExtendedNPEMessage") => value(Value::Null),
            _ => None,
        }
    }

    fn is_illegal(&mut self, accessor: Value, exception: Value) -> Result<Option<Value>, Stop> {
        let accessor = self.mirrored(accessor)?;
        let exception = self.not_null(exception)?;
        let is_illegal = self.accessors.get(&exception) == Some(&accessor);
        Ok(Some(Value::Int(is_illegal.into())))
    }

    /// The accessor by which an exception that is being made is thrown, if no other code
    /// stands between (`AccessorUtils.isIllegalArgument`).
    fn accessor_above(&self, exception: ObjectId) -> Option<ClassId> {
        let made = self.object(exception).class;
        let frames = self.active.iter().rev().map(|&method| &self.methods[method.0 as usize]);
        let makes = |class: ClassId, name: &str| {
            matches!(name, "<init>" | "fillInStackTrace") && self.is_subclass(made, class)
        };
        for frame in frames.skip_while(|frame| makes(frame.class, &frame.name)) {
            let class = &*self.classes[frame.class.0 as usize].name;
            if ACCESSORS.contains(&class) {
                return Some(frame.class);
            }
            let package = class.rsplit_once('/').map_or("", |(package, _)| package);
            if !BETWEEN.contains(&package) {
                return None;
            }
        }
        None
    }
}

//! Natives of `Object`, `System`, `String`, numbers and exceptions, and the
//! questions to a JVM that the machine answers itself.

use super::super::Machine;
use super::super::value::Value;
use super::{Answer, Call, nothing, value};
use crate::rules::Rules;

impl<R: Rules> Machine<'_, R> {
    pub(super) fn library_native(&mut self, call: &Call<'_>) -> Answer {
        let argument = |at: usize| call.arguments[at];
        match (call.class, call.name) {
            (_, "registerNatives" | "runtimeSetup" | "initIDs") => nothing(),
            ("java/lang/Object", "hashCode") | ("java/lang/System", "identityHashCode") => {
                let hash = argument(0).reference().map_or(0, |object| object.0 as i32 + 1);
                value(Value::Int(hash))
            }
            ("java/lang/Object", "notify" | "notifyAll") => nothing(),
            ("java/lang/System", "nanoTime" | "currentTimeMillis") => {
                self.time += 1;
                value(Value::Long(self.time))
            }
            ("java/lang/System", "load") => nothing(),
            ("java/lang/System", "getSecurityManager") => value(Value::Null),
            ("java/lang/System", "allowSecurityManager") => value(Value::Int(0)),
            ("java/lang/System", "getProperty") => {
                value(call.arguments.get(1).copied().unwrap_or(Value::Null))
            }
            ("java/lang/Runtime", "availableProcessors") => value(Value::Int(1)),

            ("java/lang/String", "intern") => Some(self.not_null(argument(0)).map(|string| {
                let units = self.units_of(string);
                // The first string with this content becomes the one.
                let interned = *self.interned.entry(units).or_insert(string);
                Some(Value::Object(interned))
            })),
            ("java/lang/StringUTF16", "isBigEndian") => value(Value::Int(0)),
            ("java/lang/Float", "floatToRawIntBits" | "floatToIntBits") => {
                value(Value::Int(argument(0).float().to_bits() as i32))
            }
            ("java/lang/Float", "intBitsToFloat") => {
                value(Value::Float(f32::from_bits(argument(0).int() as u32)))
            }
            ("java/lang/Double", "doubleToRawLongBits" | "doubleToLongBits") => {
                value(Value::Long(argument(0).double().to_bits() as i64))
            }
            ("java/lang/Double", "longBitsToDouble") => {
                value(Value::Double(f64::from_bits(argument(0).long() as u64)))
            }
            ("java/lang/Math" | "java/lang/StrictMath", name) => match (name, argument(0)) {
                ("abs", Value::Int(number)) => value(Value::Int(number.wrapping_abs())),
                ("abs", Value::Long(number)) => value(Value::Long(number.wrapping_abs())),
                ("abs", Value::Float(number)) => value(Value::Float(number.abs())),
                ("abs", Value::Double(number)) => value(Value::Double(number.abs())),
                ("sqrt", Value::Double(number)) => value(Value::Double(number.sqrt())),
                _ => None,
            },
            ("jdk/internal/util/Preconditions", "outOfBoundsMessage") => {
                Some(self.new_string("out of bounds").map(|text| Some(Value::Object(text))))
            }
            ("jdk/internal/misc/VM", "getSavedProperty") => value(Value::Null),
            ("jdk/internal/misc/VM", "isBooted") => value(Value::Int(1)),
            ("jdk/internal/misc/VM", "initLevel") => value(Value::Int(4)),
            ("jdk/internal/misc/VM", "initialize" | "initializeFromArchive") => nothing(),
            ("jdk/internal/misc/CDS", name) => match name {
                "getRandomSeedForDumping" => value(Value::Long(1)),
                _ if call.descriptor.ends_with('Z') => value(Value::Int(0)),
                _ if call.descriptor.ends_with('V') => nothing(),
                _ => value(Value::Null),
            },
            ("jdk/internal/reflect/Reflection", "getCallerClass") => value(Value::Null),
            ("java/security/AccessController", "getStackAccessControlContext") => {
                value(Value::Null)
            }
            ("java/lang/ref/Reference" | "java/lang/ref/SoftReference", "get") => {
                value(self.peek(argument(0).reference()?, "referent")?)
            }
            ("java/lang/ref/Reference" | "java/lang/ref/SoftReference", "<clinit>") => nothing(),
            ("java/lang/ref/Reference", "refersTo0") => {
                let referent = self.peek(argument(0).reference()?, "referent")?;
                value(Value::Int((referent == argument(1)).into()))
            }
            ("java/util/concurrent/locks/LockSupport", _) => nothing(),
            _ => None,
        }
    }
}

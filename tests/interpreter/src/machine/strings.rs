//! Strings as the JVM makes and reads them.

use classfile::tag;

use super::class::{ClassId, Resolved};
use super::names::{self, text};
use super::value::{ObjectId, Value};
use super::{Machine, Stop};
use crate::rules::Rules;

impl<R: Rules> Machine<'_, R> {
    /// A string that the JVM makes.
    ///
    /// # Errors
    /// What the interpreted program throws, or that the interpreter lacks something.
    pub fn new_string(&mut self, text: &str) -> Result<ObjectId, Stop> {
        let units: Vec<u16> = text.encode_utf16().collect();
        self.new_string_of(&units)
    }

    /// The same of UTF-16 code units.
    ///
    /// # Errors
    /// What the interpreted program throws, or that the interpreter lacks something.
    pub fn new_string_of(&mut self, units: &[u16]) -> Result<ObjectId, Stop> {
        let class = self.class("java/lang/String")?;
        self.initialise(class)?;
        let latin1 = units.iter().all(|&unit| unit < 256);
        let bytes: Vec<Value> = if latin1 {
            units.iter().map(|&unit| Value::Int(i32::from(unit as u8 as i8))).collect()
        } else {
            let halves = units.iter().flat_map(|unit| unit.to_le_bytes());
            halves.map(|half| Value::Int(i32::from(half as i8))).collect()
        };
        let bytes_class = self.class("[B")?;
        let value = self.untracked_array(bytes_class, bytes);
        let tag = self.untracked_tag(class);
        let string = self.blank(class, tag);
        self.poke(string, "value", Value::Object(value));
        self.poke(string, "coder", Value::Int(i32::from(!latin1)));
        Ok(string)
    }

    /// The one string with this content that `intern` gives.
    ///
    /// # Errors
    /// What the interpreted program throws, or that the interpreter lacks something.
    pub fn intern(&mut self, units: Vec<u16>) -> Result<ObjectId, Stop> {
        if let Some(&string) = self.interned.get(&units) {
            return Ok(string);
        }
        let string = self.new_string_of(&units)?;
        self.interned.insert(units, string);
        Ok(string)
    }

    /// UTF-16 code units of a string.
    pub fn units_of(&self, string: ObjectId) -> Vec<u16> {
        let value = self.peek(string, "value").and_then(Value::reference);
        let Some(value) = value else { return Vec::new() };
        let bytes: Vec<u8> =
            self.object(value).elements().iter().map(|cell| cell.value.int() as u8).collect();
        match self.peek(string, "coder") {
            Some(Value::Int(0)) => bytes.into_iter().map(u16::from).collect(),
            _ => bytes.as_chunks::<2>().0.iter().map(|unit| u16::from_le_bytes(*unit)).collect(),
        }
    }

    /// A string's text.
    pub fn text_of(&self, string: ObjectId) -> String {
        String::from_utf16_lossy(&self.units_of(string))
    }

    /// The value of a constant pool entry that `ldc` may push.
    ///
    /// # Errors
    /// What the interpreted program throws, or that the interpreter lacks something.
    pub fn constant(&mut self, user: ClassId, index: u16) -> Result<Value, Stop> {
        let pool = self.file(user).constant_pool();
        Ok(match pool.tag(index) {
            Some(tag::INTEGER) => Value::Int(pool.integer(index).map_err(Stop::broken)?),
            Some(tag::FLOAT) => Value::Float(pool.float(index).map_err(Stop::broken)?),
            Some(tag::LONG) => Value::Long(pool.long(index).map_err(Stop::broken)?),
            Some(tag::DOUBLE) => Value::Double(pool.double(index).map_err(Stop::broken)?),
            Some(tag::CLASS) => {
                let class = self.resolve_class(user, index)?;
                Value::Object(self.mirror(class)?)
            }
            Some(tag::STRING) => {
                let resolved = self.classes[user.0 as usize].resolved.get(&index);
                if let Some(Resolved::String(string)) = resolved {
                    return Ok(Value::Object(*string));
                }
                let bytes = pool.string(index).map_err(Stop::broken)?;
                let string = self.intern(names::units(bytes))?;
                let resolved = &mut self.classes[user.0 as usize].resolved;
                resolved.insert(index, Resolved::String(string));
                Value::Object(string)
            }
            Some(tag::METHOD_TYPE) => {
                let descriptor = pool.method_type(index).map_err(Stop::broken)?;
                return Err(Stop::Unsupported(format!("the constant {}", text(descriptor))));
            }
            other => return Err(Stop::Unsupported(format!("a constant of kind {other:?}"))),
        })
    }
}

//! `System.out`, as far as `print` and `println`.

use super::super::value::Value;
use super::super::{Machine, Stop};
use super::{Answer, Call};
use crate::rules::Rules;

impl<R: Rules> Machine<'_, R> {
    pub(super) fn output_native(&mut self, call: &Call<'_>) -> Answer {
        match (call.class, call.name) {
            ("java/io/PrintStream", "print") => Some(self.print(call, "")),
            ("java/io/PrintStream", "println") => Some(self.print(call, "\n")),
            ("java/lang/System", "<clinit>") => Some(self.open_streams()),
            _ => None,
        }
    }

    fn print(&mut self, call: &Call<'_>, end: &str) -> Result<Option<Value>, Stop> {
        if let Some(&argument) = call.arguments.get(1) {
            if call.descriptor.starts_with("([C") {
                let array = self.not_null(argument)?;
                let elements = self.object(array).elements();
                let units: Vec<u16> = elements.iter().map(|cell| cell.value.int() as u16).collect();
                self.printed.push_str(&String::from_utf16_lossy(&units));
            } else {
                let units = self.shown(argument, &call.descriptor[1..])?;
                self.printed.push_str(&String::from_utf16_lossy(&units));
            }
        }
        self.printed.push_str(end);
        Ok(None)
    }

    /// Gives `System` its streams, which are never looked into.
    fn open_streams(&mut self) -> Result<Option<Value>, Stop> {
        let system = self.class("java/lang/System")?;
        let class = self.class("java/io/PrintStream")?;
        for name in ["out", "err"] {
            let tag = self.untracked_tag(class);
            let stream = self.blank(class, tag);
            let field = self.find_field(system, name, "");
            let field = field.ok_or_else(|| Stop::unsupported("System without out"))?;
            let at = self.fields[field.0 as usize].index;
            self.classes[system.0 as usize].statics[at].value = Value::Object(stream);
        }
        Ok(None)
    }
}

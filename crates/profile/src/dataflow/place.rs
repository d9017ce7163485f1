//! Places in code.

use crate::MethodId;
use crate::dataflow::check::within;

/// An instruction of a method.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Place {
    /// The method; `None` for what happens outside of all code, in the JVM.
    pub method: Option<MethodId>,
    /// Bytecode index of the instruction.
    pub bci: u16,
    /// Its source line, 0 if unknown.
    pub line: u16,
}

impl Place {
    pub(super) fn validate(
        &self,
        what: &str,
        at: usize,
        methods: usize,
    ) -> Result<(), crate::Error> {
        match self.method {
            Some(method) => within(what, at, "method", method.0, methods),
            None => Ok(()),
        }
    }
}

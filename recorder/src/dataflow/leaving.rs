//! What a method does whenever it is left, by whatever way.

use classfile::{Fragment, Local, PoolExtension, Refusal};

use crate::probe::Access;
use crate::probe::members::ProbeMethod;

/// A probe that gets an int which the method has kept since it was entered.
#[derive(Debug, Clone, Copy)]
pub struct Leaving {
    /// The local with the int.
    pub local: Local,
    /// The probe.
    pub probe: &'static ProbeMethod,
}

impl Leaving {
    /// Calls the probe.
    ///
    /// # Errors
    /// If the constant pool has no room left.
    pub fn leave(
        &self,
        fragment: Fragment,
        access: Access,
        pool: &mut PoolExtension,
    ) -> Result<Fragment, Refusal> {
        access.call(fragment.load_int(self.local), self.probe, pool)
    }
}

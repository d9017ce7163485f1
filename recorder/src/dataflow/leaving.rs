//! What a method does whenever it is left, by whatever way.

use classfile::{Fragment, Local, LocalType, PoolExtension, Refusal, opcode};

use crate::probe::Access;
use crate::probe::members::ProbeMethod;

/// A probe that gets what the method has kept since it was entered, and what was counted
/// of it.
#[derive(Debug, Clone, Copy)]
pub struct Leaving {
    /// The local with an int, or a long, that the method has kept.
    pub local: Option<Local>,
    /// The probe.
    pub probe: &'static ProbeMethod,
    /// Whether the probe also gets the bytecodes that the method has counted since it has
    /// last told of them.
    pub counts: Option<Counting>,
}

/// Probes that tell of bytecodes while the method goes on.
#[derive(Debug, Clone, Copy)]
pub struct Counting {
    /// At a loop, before the local that counts them may be flushed.
    pub polled: &'static ProbeMethod,
    /// Where it is.
    pub flushed: &'static ProbeMethod,
}

impl Leaving {
    /// Calls the probe. `counted` are the local that counts bytecodes and how many need
    /// none.
    ///
    /// # Errors
    /// If the constant pool has no room left.
    pub fn leave(
        &self,
        mut fragment: Fragment,
        counted: (Option<Local>, u32),
        access: Access,
        pool: &mut PoolExtension,
    ) -> Result<Fragment, Refusal> {
        if let Some(local) = self.local {
            fragment = match local.kind() {
                LocalType::Long => fragment.load_long(local),
                _ => fragment.load_int(local),
            };
        }
        if self.counts.is_some() {
            let (local, base) = counted;
            // A method has fewer than 2^16.
            fragment = fragment.push_int(base as i32, pool)?;
            if let Some(local) = local {
                fragment = fragment.load_int(local).simple(opcode::IADD);
            }
        }
        access.call(fragment, self.probe, pool)
    }
}

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
    /// Whether the probe also gets the bytecodes that the method has counted since it
    /// last reported them.
    pub counts: Option<Counting>,
    /// Whether the mode itself does all that where the method returns, with the result.
    pub tells_results: bool,
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
            fragment = push_bytecodes(fragment, counted, pool)?;
        }
        access.call(fragment, self.probe, pool)
    }
}

/// Pushes how many bytecodes were counted: by a local, and so many beside.
///
/// # Errors
/// If the constant pool has no room left.
pub fn push_bytecodes(
    fragment: Fragment,
    (local, base): (Option<Local>, u32),
    pool: &mut PoolExtension,
) -> Result<Fragment, Refusal> {
    // A method has fewer than 2^16.
    let fragment = fragment.push_int(base as i32, pool)?;
    Ok(match local {
        Some(local) => fragment.load_int(local).simple(opcode::IADD),
        None => fragment,
    })
}

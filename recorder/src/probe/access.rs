//! How instrumented code reaches the probes.

use classfile::{Fragment, PoolExtension, Refusal};

use super::members::{self, ProbeMethod};

/// How the class under edit reaches the probes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Access {
    /// Classes of the boot loader call the runtime class itself.
    Direct,
    /// Other classes call the methods added to `Object`.
    ThroughObject,
}

impl Access {
    /// Calls a probe method.
    ///
    /// # Errors
    /// If the constant pool has no room left.
    pub fn call(
        self,
        fragment: Fragment,
        probe: &ProbeMethod,
        pool: &mut PoolExtension,
    ) -> Result<Fragment, Refusal> {
        let descriptor = probe.descriptor.as_bytes();
        let index = match self {
            Access::Direct => {
                let owner = probe.owner.as_bytes();
                pool.methodref(owner, probe.name.as_bytes(), descriptor)?
            }
            Access::ThroughObject => {
                let name = members::name_in_object(probe);
                pool.methodref(b"java/lang/Object", name.as_bytes(), descriptor)?
            }
        };
        Ok(fragment.invokestatic(index, probe.arguments, probe.results))
    }
}

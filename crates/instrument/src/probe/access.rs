//! How instrumented code reaches the probes.

use classfile::{Fragment, PoolExtension, Refusal};

use super::members::{self, ProbeMethod};

/// How the class under edit reaches the probes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Access {
    /// Classes of the boot loader call the runtime class itself, and so do all classes if
    /// the agent came into a running JVM.
    Direct,
    /// Other classes call the methods added to `Object`.
    ThroughObject,
}

impl Access {
    /// How a class reaches them, by its loader and by how the agent came.
    ///
    /// To a running JVM's `Object` nothing can be added. The agent then sees to it that
    /// loaders know the runtime class before they are asked.
    pub fn of(is_boot: bool, is_attached: bool) -> Self {
        if is_boot || is_attached { Self::Direct } else { Self::ThroughObject }
    }

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
        let index = self.reference(probe, pool)?;
        Ok(fragment.invokestatic(index, probe.arguments, probe.results))
    }

    /// Where the constant pool names a probe method.
    ///
    /// # Errors
    /// If it has no room left.
    pub fn reference(self, probe: &ProbeMethod, pool: &mut PoolExtension) -> Result<u16, Refusal> {
        let descriptor = probe.descriptor.as_bytes();
        match self {
            Access::Direct => {
                pool.methodref(probe.owner.as_bytes(), probe.name.as_bytes(), descriptor)
            }
            Access::ThroughObject => {
                let name = members::name_in_object(probe);
                pool.methodref(b"java/lang/Object", name.as_bytes(), descriptor)
            }
        }
    }
}

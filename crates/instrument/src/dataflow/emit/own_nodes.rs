//! The nodes of the method itself.
//!
//! Their numbers are large and follow each other. A local holds the first one, and code
//! adds to it: so the distances are constants that instructions contain, where each node
//! would be an entry of the constant pool. HotSpot looks for each entry that a class has
//! got among all others when it is rewritten, one after the other.

use classfile::{CodeEdit, Fragment, Local, LocalType, PoolExtension, Refusal, opcode};

/// How code pushes them.
#[derive(Debug, Clone, Copy)]
pub struct OwnNodes {
    /// Of those in the context slot of the activation.
    in_slot: Base,
    /// Of those that are the same in all slots.
    in_all: Option<Base>,
}

/// What code adds to.
#[derive(Debug, Clone, Copy)]
struct Base {
    /// Holds `node`, in the context slot if it is for such nodes.
    local: Local,
    /// A node in slot 0.
    node: u32,
}

/// With fewer nodes a method says each of them: to keep the first one would take more code.
const FEW: usize = 3;

impl OwnNodes {
    /// Of a method that has so many nodes from the first one on, in slot 0, among them some
    /// that are the same in all slots. From its entry on the local is no longer that of the
    /// context slot.
    ///
    /// # Errors
    /// If the constant pool has no room left.
    pub fn enter(
        context_slot: Local,
        first: u32,
        [count, in_all]: [usize; 2],
        edit: &mut CodeEdit,
        pool: &mut PoolExtension,
    ) -> Result<Self, Refusal> {
        if count < FEW {
            return Ok(Self { in_slot: Base { local: context_slot, node: 0 }, in_all: None });
        }
        // Nodes are below 2^31.
        let mut fragment = Fragment::new().push_int(first as i32, pool)?;
        let in_all = (in_all >= FEW).then(|| edit.new_local(LocalType::Int));
        if let Some(local) = in_all {
            fragment = fragment.dup().store_int(local);
        }
        fragment = fragment.load_int(context_slot).simple(opcode::IADD).store_int(context_slot);
        edit.at_entry(fragment);
        let base = |local| Base { local, node: first };
        Ok(Self { in_slot: base(context_slot), in_all: in_all.map(base) })
    }

    /// Pushes one of them, in the context slot.
    ///
    /// # Errors
    /// If the constant pool has no room left.
    pub fn push(
        self,
        fragment: Fragment,
        node: u32,
        pool: &mut PoolExtension,
    ) -> Result<Fragment, Refusal> {
        self.in_slot.push(fragment, node, pool)
    }

    /// Pushes one that is the same in all slots.
    ///
    /// # Errors
    /// If the constant pool has no room left.
    pub fn push_in_all(
        self,
        fragment: Fragment,
        node: u32,
        pool: &mut PoolExtension,
    ) -> Result<Fragment, Refusal> {
        match self.in_all {
            Some(base) => base.push(fragment, node, pool),
            None => fragment.push_int(node as i32, pool),
        }
    }
}

impl Base {
    fn push(
        self,
        fragment: Fragment,
        node: u32,
        pool: &mut PoolExtension,
    ) -> Result<Fragment, Refusal> {
        let fragment = fragment.load_int(self.local);
        match node - self.node {
            0 => Ok(fragment),
            distance => Ok(fragment.push_int(distance as i32, pool)?.simple(opcode::IADD)),
        }
    }
}

//! Code that calls nothing, not even by way of the JVM.
//!
//! While such code runs, nobody asks the thread where it is. A method that
//! consists of it (an accessor, most often) need not say so at all.

use classfile::Code;

use super::MethodPlan;
use super::call_sites::Callee;
use super::throws::{Receiver, can_throw};

/// True if no instruction of the method can call or throw anything. `receiver`
/// stands at its start.
pub fn is_leaf(receiver: &Receiver, code: &Code<'_>, plan: &MethodPlan) -> bool {
    // The constructor of Object is accounted for without a node.
    if plan.sites.iter().any(|site| !matches!(site.callee, Callee::Derived(_)))
        || code.exception_table().len() > 0
        || plan.base_allocations > 0
        || plan.counts_allocations()
    {
        return false;
    }
    let mut receiver = receiver.clone();
    code.instructions().all(|instruction| {
        if plan.blocks.iter().any(|block| block.start == instruction.bci) {
            receiver.enter_block();
        }
        let allowed = !can_throw(code, &instruction, &receiver);
        receiver.step(code, &instruction);
        allowed
    })
}

//! What of a method's code has an effect on loops, as [`loops::effects`] means it.
//!
//! [`loops::effects`]: online::loops::effects

use classfile::{Code, opcode};

use super::local_effects::{LocalEffect, local_effects};
use crate::dataflow::last_writers::native_effects;
use crate::plan::{Callee, MethodPlan};

/// What has an effect beside writes of fields and elements.
#[derive(Debug)]
pub struct Effects {
    /// Stores of static fields, and calls of native methods that may have effects.
    pub at: Vec<u32>,
    /// Stores to local variables.
    pub locals: Vec<LocalEffect>,
    /// Whether its writes to fields of `this` are none for the loops around the method:
    /// it is a constructor, or a method of an iterator, which says where that stands.
    pub has_own_writes: bool,
}

impl Effects {
    /// Those of a method, which has loops or not.
    pub fn new(code: &Code<'_>, plan: &MethodPlan, has_loops: bool) -> Self {
        let named = |bci: u32| {
            let index = code.instruction_at(bci)?.pool_index()?;
            code.constant_pool().member_ref(index).ok()
        };
        let statics = code.instructions().filter(|one| one.opcode == opcode::PUTSTATIC);
        let natives = plan.sites.iter().filter(|site| {
            site.callee != Callee::Probed
                && named(site.bci)
                    .is_none_or(|method| !native_effects::has_none(method.owner, method.name))
        });
        let at = statics.map(|one| one.bci).chain(natives.map(|site| site.bci));
        let locals = if has_loops { local_effects(code) } else { Vec::new() };
        Self { at: at.collect(), locals, has_own_writes: has_own_writes(code) }
    }
}

fn has_own_writes(code: &Code<'_>) -> bool {
    let method = code.method();
    let keeps_this = code.instructions().all(|instruction| {
        instruction.local() != Some(0)
            || !matches!(instruction.opcode, opcode::ASTORE | opcode::ASTORE_0)
    });
    let is_static = method.access_flags() & classfile::access::STATIC != 0;
    let is_constructor = method.name() == b"<init>";
    keeps_this && !is_static && (is_constructor || is_iterator(code))
}

/// Whether the class of a method is an iterator, by its interfaces or by its name.
fn is_iterator(code: &Code<'_>) -> bool {
    let class = code.method().class();
    let interfaces: [&[u8]; 4] = [
        b"java/util/Iterator",
        b"java/util/ListIterator",
        b"java/util/Enumeration",
        b"java/util/PrimitiveIterator$OfInt",
    ];
    let endings: [&[u8]; 4] = [b"Iterator", b"Itr", b"Enumeration", b"Enumerator"];
    class.interfaces().flatten().any(|interface| interfaces.contains(&interface))
        || endings.iter().any(|ending| class.this_class().ends_with(ending))
}

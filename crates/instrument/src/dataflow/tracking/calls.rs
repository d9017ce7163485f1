//! What calls do with shadows.

use classfile::{Code, Instruction, descriptor, opcode};

use super::callees::{self, LAMBDA, callee};
use crate::dataflow::last_writers::unsafe_access::UnsafeAccess;
use crate::plan::MethodPlan;
use crate::plan::call_sites::Callee;

/// What a call does with the shadows of its arguments.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Call {
    /// They go to the callee by way of the tracking stack.
    Tracked {
        /// Identifies the callee.
        callee: i32,
    },
    /// The callee is not followed; for it, this is where values end.
    Consumes {
        /// True if other code may run on its behalf.
        calls_back: bool,
    },
    /// It does nothing with them.
    Ignores,
    /// `System.arraycopy`.
    CopiesArray,
    /// `clone`: the result is a new object.
    Clones,
    /// `Unsafe` accesses a field or an element.
    Accesses(UnsafeAccess),
    /// A string concatenation, which makes a string.
    Concatenates,
    /// A lambda expression or method reference: they go to the constructor of
    /// the object that stands for it.
    Captures {
        /// Identifies the constructor.
        callee: i32,
    },
}

impl Call {
    /// The access by `Unsafe` that a call is, if it is one.
    pub fn unsafe_access(self) -> Option<UnsafeAccess> {
        match self {
            Self::Accesses(access) => Some(access),
            _ => None,
        }
    }

    /// True if what is called may be native or not, which shows only afterwards.
    pub fn may_be_native(self) -> bool {
        self == Self::Tracked { callee: callees::hash_code() }
    }
}

/// True for a method that others of its name and descriptor are native beside,
/// so that it has to say that it has been entered.
pub fn says_that_it_is_entered(name: &[u8], descriptor: &[u8]) -> bool {
    (name, descriptor) == (b"hashCode", b"()I")
}

/// True for a call of `clone` that is `Object`'s unless the object's class has its
/// own: the one of the method that calls it has none.
pub fn clones_unless_overridden(code: &Code<'_>, bci: u32) -> bool {
    let call = code.instruction_at(bci).filter(|call| call.opcode == opcode::INVOKEVIRTUAL);
    let named = call
        .and_then(|call| call.pool_index())
        .and_then(|index| code.constant_pool().member_ref(index).ok());
    named.is_some_and(|named| named.owner == b"java/lang/Object" && named.name == b"clone")
}

/// What the call at an instruction does; `None` if it is not a call.
pub fn call(code: &Code<'_>, plan: &MethodPlan, instruction: &Instruction<'_>) -> Option<Call> {
    if !opcode::is_invoke(instruction.opcode) {
        return None;
    }
    let pool = code.constant_pool();
    let index = instruction.pool_index()?;
    if instruction.opcode == opcode::INVOKEDYNAMIC {
        return Some(dynamic(code, index));
    }
    let Ok(named) = pool.member_ref(index) else {
        return Some(Call::Consumes { calls_back: true });
    };
    if named.name == b"<init>" && named.owner == b"java/lang/Object" {
        return Some(Call::Ignores);
    }
    if (named.owner, named.name) == (b"java/lang/System", b"arraycopy") {
        return Some(Call::CopiesArray);
    }
    let is_objects = named.owner.starts_with(b"[") || named.owner == b"java/lang/Object";
    if is_objects && named.name == b"clone" && named.descriptor == b"()Ljava/lang/Object;" {
        return Some(Call::Clones);
    }
    if let Some(access) = UnsafeAccess::of(named.owner, named.name, named.descriptor) {
        return Some(Call::Accesses(access));
    }
    let site = plan.sites.binary_search_by_key(&instruction.bci, |site| site.bci).ok();
    match site.map(|site| plan.sites[site].callee) {
        Some(Callee::Plain(_)) => return Some(Call::Consumes { calls_back: true }),
        Some(Callee::Counted(_) | Callee::Derived(_)) => {
            return Some(Call::Consumes { calls_back: false });
        }
        _ => {}
    }
    // Of what has no probes, this is what is called most.
    if named.owner.starts_with(b"java/lang/invoke/") {
        return Some(Call::Consumes { calls_back: true });
    }
    Some(Call::Tracked { callee: callee(named.owner, named.name, named.descriptor) })
}

/// Identifies a method to those that call it.
pub fn callee_of(code: &Code<'_>) -> i32 {
    let method = code.method();
    callee(method.class().this_class(), method.name(), method.descriptor())
}

fn dynamic(code: &Code<'_>, index: u16) -> Call {
    let consumes = Call::Consumes { calls_back: true };
    let Some(bootstrap) = code.method().class().bootstrap_method(index) else { return consumes };
    match bootstrap.owner {
        b"java/lang/invoke/StringConcatFactory" => Call::Concatenates,
        b"java/lang/invoke/LambdaMetafactory" => {
            let Ok(named) = code.constant_pool().invoke_dynamic(index) else { return consumes };
            // What is captured are the arguments of the constructor.
            let length = named.descriptor.len() - descriptor::return_type(named.descriptor).len();
            let mut constructor = named.descriptor[..length].to_vec();
            constructor.push(b'V');
            Call::Captures { callee: callee(LAMBDA, b"<init>", &constructor) }
        }
        _ => consumes,
    }
}

//! Call sites, and what is known there of the methods that they call.

use classfile::{Code, Instruction, LineTable, opcode};
use profile::metadata::{SiteKind, SiteRecord};

use super::moves::Moved;
use crate::catalogue::Target;

/// A call site.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Site {
    /// Where the invoke instruction is.
    pub bci: u32,
    /// Its source line, 0 if unknown.
    pub line: u16,
    /// How its calls are recorded.
    pub callee: Callee,
    /// What they move, if they do.
    pub moved: Option<Moved>,
}

/// How the calls of a site are recorded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Callee {
    /// The callee finds its node below this site's slot by itself.
    Probed,
    /// The callee has no probes but may call back: the caller finds its node.
    Plain(Target),
    /// A counter for this site in the caller's node.
    Counted(Target),
    /// As often as the caller is called.
    Derived(Target),
}

/// Looks up methods whose callers count them: owner, name and descriptor.
pub type Targets<'a> = dyn Fn(&[u8], &[u8], &[u8]) -> Option<Target> + 'a;

/// What makes the call sites of a method.
pub struct Sites<'s, 'c> {
    /// The method's code.
    pub code: &'s Code<'c>,
    /// Its lines.
    pub lines: LineTable,
    /// The methods that callers count.
    pub targets: &'s Targets<'s>,
}

impl Sites<'_, '_> {
    /// The site of a call. `once` says whether each call of the method executes
    /// it once, as far as nothing is thrown.
    pub fn site(&self, instruction: &Instruction<'_>, once: bool) -> Site {
        let target = statically_bound(self.code, instruction, self.targets);
        Site {
            bci: instruction.bci,
            line: self.lines.line_of(instruction.bci).unwrap_or(0),
            callee: match target {
                None => Callee::Probed,
                Some(target) if !target.never_calls_back => Callee::Plain(target),
                Some(target) if once => Callee::Derived(target),
                Some(target) => Callee::Counted(target),
            },
            moved: Moved::by(self.code, instruction),
        }
    }
}

impl Site {
    /// The site as the profile's metadata describes it.
    pub fn record(&self) -> SiteRecord {
        SiteRecord {
            // Code is shorter than 65,536 bytes.
            bci: self.bci as u16,
            line: self.line,
            kind: match self.callee {
                Callee::Probed | Callee::Plain(_) => SiteKind::Slot,
                Callee::Counted(target) => SiteKind::Counted { target: target.method },
                Callee::Derived(target) => SiteKind::Derived { target: target.method },
            },
        }
    }
}

/// The method that a call must reach, if its callers are to count it.
fn statically_bound(
    code: &Code<'_>,
    instruction: &Instruction<'_>,
    targets: &Targets<'_>,
) -> Option<Target> {
    if !opcode::is_invoke(instruction.opcode) || instruction.opcode == opcode::INVOKEDYNAMIC {
        return None;
    }
    let callee = code.constant_pool().member_ref(instruction.pool_index()?).ok()?;
    let is_dispatched =
        matches!(instruction.opcode, opcode::INVOKEVIRTUAL | opcode::INVOKEINTERFACE);
    if !is_dispatched {
        return targets(callee.owner, callee.name, callee.descriptor);
    }
    let is_bound = |target: &Target| target.bound_when_virtual;
    // Nothing overrides a final method of Object, whatever type the call names.
    targets(callee.owner, callee.name, callee.descriptor)
        .or_else(|| targets(b"java/lang/Object", callee.name, callee.descriptor))
        .filter(is_bound)
}

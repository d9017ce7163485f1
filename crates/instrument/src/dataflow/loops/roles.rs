//! What the loops of a method are for, as far as it says whether they do the same again.

use classfile::ssa::Values;
use classfile::{Code, ControlFlow};

use super::given::{Given, given};
use super::loop_values::LoopValues;
use super::searches::searches;
use super::structure::LoopStructure;

/// What a loop does.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct LoopRole {
    /// Whether it is left where something equals what it looks for.
    pub(super) searches: bool,
    /// What it is given.
    pub(super) given: Option<Given>,
}

/// The roles of the loops of a method, in their order; what loops are given only if that
/// is told.
pub(super) fn roles(
    code: &Code<'_>,
    structure: &LoopStructure,
    tells_given: bool,
) -> Vec<LoopRole> {
    let mut roles = vec![LoopRole::default(); structure.loops.len()];
    if !tells_given && structure.loops.iter().all(|one| one.has_one_exit) {
        // Loops that search have another one where the data end.
        return roles;
    }
    let flow = ControlFlow::new(code);
    let Ok(values) = Values::new(code, &flow) else { return roles };
    let loops = flow.loops();
    for (role, one) in roles.iter_mut().zip(&structure.loops) {
        let natural = loops.natural().iter().find(|natural| {
            flow.blocks().get(natural.header as usize).is_some_and(|b| b.start == one.header)
        });
        let Some(natural) = natural else { continue };
        let loop_ = LoopValues { code, flow: &flow, values: &values, natural };
        role.searches = !one.has_one_exit && searches(&loop_);
        role.given = if tells_given { given(&loop_) } else { None };
    }
    roles
}

//! What the loops of a method are for, as far as it says whether they do the same again.

use classfile::ssa::Values;
use classfile::{Code, ControlFlow};

use super::given::{Given, GivenLocal, captured, given, makes_lambdas};
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

/// What the loops of a method do, and what it makes for others.
#[derive(Debug)]
pub(super) struct Roles {
    /// Of each loop, in their order.
    pub(super) loops: Vec<LoopRole>,
    /// What is captured for lambdas, by the position of what makes them.
    pub(super) captured: Vec<(u32, Vec<GivenLocal>)>,
}

impl Roles {
    /// Those of a method; what loops are given, and what is captured, only if that is told.
    pub(super) fn new(code: &Code<'_>, structure: &LoopStructure, tells_given: bool) -> Self {
        let mut roles =
            Self { loops: vec![LoopRole::default(); structure.loops.len()], captured: Vec::new() };
        // Loops that search have another exit where the data end.
        let has_roles = structure.loops.iter().any(|one| tells_given || !one.has_one_exit);
        let captures = tells_given && makes_lambdas(code);
        if !has_roles && !captures {
            return roles;
        }
        let flow = ControlFlow::new(code);
        let Ok(values) = Values::new(code, &flow) else { return roles };
        if captures {
            roles.captured = captured(code, &values);
        }
        let loops = flow.loops();
        for (role, one) in roles.loops.iter_mut().zip(&structure.loops) {
            let header = flow.block_starting_at(one.header);
            let natural = loops.natural().iter().find(|natural| Some(natural.header) == header);
            let Some(natural) = natural else { continue };
            let loop_ = LoopValues { code, flow: &flow, values: &values, natural };
            role.searches = !one.has_one_exit && searches(&loop_);
            role.given = if tells_given { given(&loop_) } else { None };
        }
        roles
    }
}

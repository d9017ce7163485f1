//! A method that is to be followed.

use classfile::ssa::{Definition, Unsupported, ValueId, Values};
use classfile::{BlockIndex, Code, ControlFlow, Initialisation, Instruction, Member, descriptor};

use super::domain::Step;
use super::tracking::calls::{Call, call};
use crate::plan::MethodPlan;

/// A method with what is known of its values.
#[derive(Debug)]
pub struct Subject<'a> {
    /// The method.
    pub method: Member<'a>,
    /// Its code.
    pub code: &'a Code<'a>,
    /// How its calls are recorded.
    pub plan: &'a MethodPlan,
    /// Its control flow graph.
    pub cfg: ControlFlow,
    /// Its values.
    pub values: Values,
    /// Where a constructor initialises `this`.
    pub initialisation: Initialisation,
    /// For each local, the number of the argument that it starts with.
    arguments: Vec<Option<usize>>,
    /// In how many loops each block stands.
    depths: Vec<u32>,
}

impl<'a> Subject<'a> {
    /// Looks at a method.
    ///
    /// # Errors
    /// Why it cannot be followed.
    pub fn new(
        method: Member<'a>,
        code: &'a Code<'a>,
        plan: &'a MethodPlan,
    ) -> Result<Self, Unsupported> {
        let cfg = ControlFlow::new(code);
        let values = Values::new(code, &cfg)?;
        let mut arguments = vec![None; code.max_locals().into()];
        let mut local = 0;
        let receiver: &[&[u8]] = if method.is_static() { &[] } else { &[b"L"] };
        let parameters = descriptor::parameters(method.descriptor());
        for (number, kind) in receiver.iter().copied().chain(parameters).enumerate() {
            if let Some(argument) = arguments.get_mut(usize::from(local)) {
                *argument = Some(number);
            }
            local += descriptor::words(kind);
        }
        let depths = if cfg.backward_edges().next().is_none() {
            vec![0; cfg.blocks().len()]
        } else {
            let loops = cfg.loops();
            let depth = |block| loops.innermost(block).map_or(0, |at| loops.natural()[at].depth);
            (0..cfg.blocks().len() as BlockIndex).map(depth).collect()
        };
        let initialisation = code.initialisation();
        Ok(Self { method, code, plan, cfg, values, initialisation, arguments, depths })
    }

    /// True for `this` of a constructor.
    pub fn is_constructed(&self, local: u16) -> bool {
        local == 0 && self.method.name() == b"<init>"
    }

    /// True if the value is `this` of a constructor, not initialised yet.
    pub fn is_uninitialised(&self, value: ValueId, bci: u32) -> bool {
        let is_this = matches!(
            self.values.definition(value),
            Definition::Parameter(local) if self.is_constructed(local)
        );
        is_this && self.initialisation.before.iter().any(|range| range.contains(&bci))
    }

    /// The number of the argument that a local starts with, the receiver
    /// being 0.
    pub fn argument(&self, local: u16) -> Option<usize> {
        *self.arguments.get(usize::from(local))?
    }

    /// In how many loops a block stands.
    pub fn depth(&self, block: BlockIndex) -> u32 {
        self.depths[block as usize]
    }

    /// In how many loops an instruction stands.
    pub fn depth_at(&self, bci: u32) -> u32 {
        self.cfg.block_of(bci).map_or(0, |block| self.depth(block))
    }

    /// An instruction with its operands. `number` gives fields their numbers.
    pub fn step<'s>(
        &'s self,
        instruction: Instruction<'s>,
        operands: &'s [ValueId],
        number: &dyn Fn(&Code<'_>, &Instruction<'_>) -> Option<u32>,
    ) -> Step<'s> {
        let call: Option<Call> = call(self.code, self.plan, &instruction);
        let field = number(self.code, &instruction);
        Step { instruction, operands, call, field }
    }
}

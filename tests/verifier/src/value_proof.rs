//! Holds `classfile::ssa` against reaching definitions.

use crate::reaching::{Source, Sources, State, has_subroutines, states, step};
use classfile::ssa::{Definition, Origin, Position, Unsupported, ValueId, Values};
use classfile::{ClassFile, Code, ControlFlow};
use std::collections::{BTreeMap, BTreeSet};

/// What was compared.
#[derive(Clone, Copy, Default, Debug)]
pub struct Compared {
    /// Methods whose values are right.
    pub methods: usize,
    /// Methods with subroutines, refused as they should be.
    pub refused: usize,
    /// Reachable instructions.
    pub instructions: usize,
    /// Operands of instructions.
    pub operands: usize,
    /// Phis, and those of handlers among them.
    pub phis: usize,
    /// Phis of local variables at handlers.
    pub handler_phis: usize,
}

impl Compared {
    /// Adds what another class had.
    pub fn add(&mut self, other: &Compared) {
        self.methods += other.methods;
        self.refused += other.refused;
        self.instructions += other.instructions;
        self.operands += other.operands;
        self.phis += other.phis;
        self.handler_phis += other.handler_phis;
    }
}

/// Compares all methods of a class.
///
/// # Errors
/// The first method whose values differ, and how.
pub fn prove(bytes: &[u8]) -> Result<Compared, String> {
    let class = ClassFile::parse(bytes).map_err(|error| error.to_string())?;
    let mut compared = Compared::default();
    for method in class.methods() {
        let Some(code) = method.code().map_err(|error| error.to_string())? else { continue };
        prove_method(&code, &mut compared).map_err(|difference| {
            let name = [method.name(), method.descriptor()].concat();
            format!("{}: {difference}", String::from_utf8_lossy(&name))
        })?;
    }
    Ok(compared)
}

fn prove_method(code: &Code<'_>, compared: &mut Compared) -> Result<(), String> {
    let flow = ControlFlow::new(code);
    let values = match Values::new(code, &flow) {
        Err(Unsupported::Subroutine { .. }) if has_subroutines(code) => {
            compared.refused += 1;
            return Ok(());
        }
        // Dead subroutines are no reason to refuse.
        Ok(_) if has_subroutines(code) => return Ok(()),
        Err(reason) => return Err(format!("refused: {reason}")),
        Ok(values) => values,
    };
    let states = states(code);
    let proof = Proof { code, flow: &flow, values: &values, states: &states };
    proof.operands(compared)?;
    proof.phis(compared)?;
    proof.minimality()?;
    compared.methods += 1;
    Ok(())
}

struct Proof<'p> {
    code: &'p Code<'p>,
    flow: &'p ControlFlow,
    values: &'p Values,
    states: &'p BTreeMap<u32, State>,
}

impl Proof<'_> {
    fn sources(&self, value: ValueId) -> BTreeSet<Source> {
        let source = |value: &ValueId| match self.values.definition(*value) {
            Definition::Parameter(local) => Source::Parameter(local),
            Definition::Result(bci) => Source::Result(bci),
            Definition::Caught(handler) => {
                Source::Caught(self.flow.blocks()[handler as usize].start)
            }
            Definition::Phi { .. } => unreachable!("phis are no sources"),
        };
        self.values.sources(value).iter().map(source).collect()
    }

    fn compare(&self, what: &str, value: ValueId, expected: &Sources) -> Result<(), String> {
        let found = self.sources(value);
        if found == **expected {
            return Ok(());
        }
        Err(format!("{what}: {value:?} means {found:?}, not {expected:?}"))
    }

    /// Each operand of each instruction means what reaches it.
    fn operands(&self, compared: &mut Compared) -> Result<(), String> {
        let reached: Vec<u32> = self.values.operations().map(|operation| operation.bci).collect();
        if !reached.iter().eq(self.states.keys()) {
            return Err(format!("reached {reached:?}, not {:?}", self.states.keys()));
        }
        for operation in self.values.operations() {
            let bci = operation.bci;
            let instruction = self.code.instruction_at(bci).expect("an instruction");
            let expected = step(self.code, &instruction, &self.states[&bci]);
            if operation.operands.len() != expected.operands.len() {
                return Err(format!("{bci}: {} operands", operation.operands.len()));
            }
            for (&found, expected) in operation.operands.iter().zip(&expected.operands) {
                self.compare(&format!("operand at {bci}"), found, expected)?;
            }
            let made = operation.result.map(|value| self.values.definition(value));
            if made != expected.makes_value.then_some(Definition::Result(bci)) {
                return Err(format!("{bci}: makes {made:?}"));
            }
            compared.instructions += 1;
            compared.operands += expected.operands.len();
        }
        Ok(())
    }

    /// Each input of each phi means what comes that way.
    fn phis(&self, compared: &mut Compared) -> Result<(), String> {
        for phi in self.values.phis() {
            let Definition::Phi { block, position } = self.values.definition(phi) else {
                return Err(format!("{phi:?} is not a phi"));
            };
            if !self.values.phis_of(block).any(|other| other == phi) {
                return Err(format!("{phi:?} is not among the phis of its block"));
            }
            let inputs = self.values.inputs(phi);
            let from: Vec<_> = inputs.iter().map(|input| input.origin).collect();
            for input in inputs {
                if let Origin::Block(before) = input.origin {
                    let last = self.flow.blocks()[before as usize].last;
                    let instruction = self.code.instruction_at(last).expect("an instruction");
                    let after = step(self.code, &instruction, &self.states[&last]).after;
                    let expected = at(&after, position).ok_or("an undefined input")?;
                    self.compare(&format!("{phi:?} from {before}"), input.value, expected)?;
                }
            }
            for before in 0..self.flow.blocks().len() as u32 {
                let is_reached =
                    self.states.contains_key(&self.flow.blocks()[before as usize].start);
                let leads = is_reached && self.flow.successors(before).contains(&block);
                if leads != from.contains(&Origin::Block(before)) {
                    return Err(format!("{phi:?} and its predecessor {before}"));
                }
            }
            if from.contains(&Origin::Entry) != (block == 0) {
                return Err(format!("{phi:?} and the method's entry"));
            }
            self.covered(phi, block, position)?;
            compared.phis += 1;
            let by_exception = from.iter().any(|origin| matches!(origin, Origin::Before(_)));
            compared.handler_phis += usize::from(by_exception);
        }
        Ok(())
    }

    /// Wherever a handler covers an instruction, the last `Before` that
    /// control ran through names one value, the right one.
    fn covered(&self, phi: ValueId, block: u32, position: Position) -> Result<(), String> {
        let handler = self.flow.blocks()[block as usize].start;
        let ranges: Vec<_> = self
            .code
            .exception_table()
            .filter(|entry| entry.handler == handler)
            .map(|entry| entry.start..entry.end)
            .collect();
        let before: BTreeMap<u32, ValueId> = self
            .values
            .inputs(phi)
            .iter()
            .filter_map(|input| match input.origin {
                Origin::Before(bci) => Some((bci, input.value)),
                _ => None,
            })
            .collect();
        // What was named last, on each way to each instruction.
        let mut named: BTreeMap<u32, BTreeSet<Option<ValueId>>> =
            BTreeMap::from([(0, BTreeSet::from([None]))]);
        let mut work = vec![0];
        while let Some(bci) = work.pop() {
            let mut here = named[&bci].clone();
            if let Some(&value) = before.get(&bci) {
                here = BTreeSet::from([Some(value)]);
            }
            let instruction = self.code.instruction_at(bci).expect("an instruction");
            let next = (!classfile::opcode::is_unconditional(instruction.opcode))
                .then_some(instruction.end());
            let handlers = self
                .code
                .exception_table()
                .filter(|entry| (entry.start..entry.end).contains(&bci))
                .map(|entry| entry.handler);
            for target in instruction.targets().chain(next).chain(handlers) {
                let known = named.entry(target).or_default();
                let count = known.len();
                known.extend(&here);
                if known.len() > count || !self.states.contains_key(&target) {
                    work.push(target);
                }
            }
        }
        for (&bci, state) in self.states {
            let is_covered = ranges.iter().any(|range| range.contains(&bci));
            if !is_covered {
                if before.contains_key(&bci) {
                    return Err(format!("{phi:?} is told at {bci}, which is not covered"));
                }
                continue;
            }
            let here = match before.get(&bci) {
                Some(&value) => BTreeSet::from([Some(value)]),
                None => named.get(&bci).cloned().unwrap_or_default(),
            };
            let [Some(value)] = here.iter().copied().collect::<Vec<_>>()[..] else {
                return Err(format!("{phi:?} may be {here:?} at {bci}"));
            };
            let expected = match position {
                Position::Local(_) => at(state, position).ok_or("an undefined input")?.clone(),
                Position::Stack(_) => Sources::new(BTreeSet::from([Source::Caught(handler)])),
            };
            self.compare(&format!("{phi:?} thrown at {bci}"), value, &expected)?;
        }
        Ok(())
    }

    /// No phis are left that mean one value from outside: assume of all
    /// that they do, and give up those that cannot.
    fn minimality(&self) -> Result<(), String> {
        let phis: Vec<ValueId> = self.values.phis().collect();
        let inputs = |phi: ValueId| self.values.inputs(phi).iter().map(|input| input.value);
        let candidates: BTreeSet<ValueId> = phis.iter().flat_map(|&phi| inputs(phi)).collect();
        if phis.len() * candidates.len() > 10_000 {
            return Ok(());
        }
        for candidate in candidates {
            let mut assumed: BTreeSet<ValueId> =
                phis.iter().copied().filter(|&phi| phi != candidate).collect();
            loop {
                let count = assumed.len();
                let still = assumed.clone();
                assumed.retain(|&phi| {
                    inputs(phi).all(|value| value == candidate || still.contains(&value))
                });
                if assumed.len() == count {
                    break;
                }
            }
            if !assumed.is_empty() {
                return Err(format!("{assumed:?} are only {candidate:?}"));
            }
        }
        Ok(())
    }
}

/// What is in a local variable or on the stack.
fn at(state: &State, position: Position) -> Option<&Sources> {
    match position {
        Position::Local(local) => state.locals.get(usize::from(local))?.as_ref(),
        Position::Stack(depth) => state.stack.get(usize::from(depth)),
    }
}

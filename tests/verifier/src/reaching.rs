//! Reaching definitions as a textbook has them: for each instruction, each
//! local variable and each stack word, the set of what may be in it.
//!
//! The oracle for `classfile::ssa`. It knows neither basic blocks nor
//! merges; it joins sets until nothing changes.

use classfile::{Code, Instruction, descriptor, opcode};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// Where a value comes from.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Source {
    /// Passed in this local variable.
    Parameter(u16),
    /// Made by the instruction at this bci.
    Result(u32),
    /// Caught by the handler at this bci.
    Caught(u32),
    /// The upper half of a long or double.
    SecondWord,
}

/// What may be in a variable or word.
pub type Sources = Rc<BTreeSet<Source>>;

/// What may be where, before an instruction.
#[derive(Clone, Debug)]
pub struct State {
    /// `None` where some way leaves nothing.
    pub locals: Vec<Option<Sources>>,
    /// From the bottom up.
    pub stack: Vec<Sources>,
}

/// What an instruction uses and makes.
#[derive(Debug)]
pub struct Step {
    /// Operands from the bottom up, without second words; for `iinc` and
    /// loads the variable.
    pub operands: Vec<Sources>,
    /// Whether it makes a value.
    pub makes_value: bool,
    /// What is where behind it.
    pub after: State,
}

/// The state before each reachable instruction.
///
/// # Panics
/// If no verifier would accept the code, or if it has subroutines.
pub fn states(code: &Code<'_>) -> BTreeMap<u32, State> {
    let mut states = BTreeMap::from([(0, initial(code))]);
    let mut work = BTreeSet::from([0]);
    while let Some(bci) = work.pop_first() {
        let instruction = code.instruction_at(bci).expect("an instruction is reached");
        let before = states[&bci].clone();
        for entry in code.exception_table() {
            if (entry.start..entry.end).contains(&bci) {
                let stack = vec![one(Source::Caught(entry.handler))];
                let thrown = State { locals: before.locals.clone(), stack };
                reach(&mut states, &mut work, entry.handler, &thrown);
            }
        }
        let after = step(code, &instruction, &before).after;
        for target in instruction.targets() {
            reach(&mut states, &mut work, target, &after);
        }
        if !opcode::is_unconditional(instruction.opcode) {
            reach(&mut states, &mut work, instruction.end(), &after);
        }
    }
    states
}

/// Whether a method has subroutines, which nobody here follows.
pub fn has_subroutines(code: &Code<'_>) -> bool {
    code.instructions()
        .any(|found| matches!(found.opcode, opcode::JSR | opcode::JSR_W | opcode::RET))
}

fn one(source: Source) -> Sources {
    Rc::new(BTreeSet::from([source]))
}

fn initial(code: &Code<'_>) -> State {
    let mut locals = vec![None; usize::from(code.max_locals())];
    let method = code.method();
    let mut next = 0;
    if !method.is_static() {
        locals[0] = Some(one(Source::Parameter(0)));
        next = 1;
    }
    for parameter in descriptor::parameters(method.descriptor()) {
        locals[usize::from(next)] = Some(one(Source::Parameter(next)));
        next += descriptor::words(parameter);
    }
    State { locals, stack: Vec::new() }
}

/// Joins a state into the one that is known at a place.
fn reach(states: &mut BTreeMap<u32, State>, work: &mut BTreeSet<u32>, bci: u32, arriving: &State) {
    let Some(known) = states.get_mut(&bci) else {
        states.insert(bci, arriving.clone());
        work.insert(bci);
        return;
    };
    assert_eq!(known.stack.len(), arriving.stack.len(), "stacks differ at bci {bci}");
    let mut changed = false;
    for (known, arriving) in known.stack.iter_mut().zip(&arriving.stack) {
        changed |= join(known, arriving);
    }
    for (slot, arriving) in known.locals.iter_mut().zip(&arriving.locals) {
        match (slot.as_mut(), arriving) {
            (Some(known), Some(arriving)) => changed |= join(known, arriving),
            (Some(_), None) => {
                *slot = None;
                changed = true;
            }
            (None, _) => {}
        }
    }
    if changed {
        work.insert(bci);
    }
}

fn join(known: &mut Sources, arriving: &Sources) -> bool {
    if Rc::ptr_eq(known, arriving) || arriving.is_subset(known) {
        return false;
    }
    *known = Rc::new(known.union(arriving).copied().collect());
    true
}

/// Runs one instruction.
///
/// # Panics
/// As [`states`].
pub fn step(code: &Code<'_>, instruction: &Instruction<'_>, before: &State) -> Step {
    let mut after = before.clone();
    let mut operands = Vec::new();
    let mut makes_value = false;
    let found = instruction.opcode;
    let local = usize::from(instruction.local().unwrap_or(0));
    match found {
        opcode::ILOAD..=opcode::ALOAD | opcode::ILOAD_0..=opcode::ALOAD_3 => {
            let loaded = before.locals[local].clone().expect("a defined variable");
            operands.push(loaded.clone());
            after.stack.push(loaded);
            if opcode::stack_effect(found).1 == 2 {
                after.stack.push(one(Source::SecondWord));
            }
        }
        opcode::ISTORE..=opcode::ASTORE | opcode::ISTORE_0..=opcode::ASTORE_3 => {
            if opcode::stack_effect(found).0 == 2 {
                after.stack.pop();
                after.locals[local + 1] = None;
            }
            let stored = after.stack.pop().expect("something to store");
            operands.push(stored.clone());
            after.locals[local] = Some(stored);
        }
        opcode::IINC => {
            operands.push(before.locals[local].clone().expect("a defined variable"));
            after.locals[local] = Some(one(Source::Result(instruction.bci)));
            makes_value = true;
        }
        opcode::CHECKCAST => operands.extend(before.stack.last().cloned()),
        opcode::DUP..=opcode::SWAP => {
            // Words from the top down, and the order in which they come back.
            let order: &[usize] = match found {
                opcode::DUP => &[0, 0],
                opcode::DUP_X1 => &[0, 1, 0],
                opcode::DUP_X2 => &[0, 2, 1, 0],
                opcode::DUP2 => &[1, 0, 1, 0],
                opcode::DUP2_X1 => &[1, 0, 2, 1, 0],
                opcode::DUP2_X2 => &[1, 0, 3, 2, 1, 0],
                _ => &[0, 1],
            };
            let popped = order.iter().max().expect("a word") + 1;
            let words = after.stack.split_off(after.stack.len() - popped);
            after.stack.extend(order.iter().map(|place| words[popped - 1 - place].clone()));
            operands.extend(words);
        }
        _ => {
            let (pops, pushes) = words(code, instruction);
            operands = after.stack.split_off(after.stack.len() - pops);
            if pushes > 0 {
                after.stack.push(one(Source::Result(instruction.bci)));
                makes_value = true;
            }
            if pushes == 2 {
                after.stack.push(one(Source::SecondWord));
            }
        }
    }
    operands.retain(|word| !word.contains(&Source::SecondWord));
    Step { operands, makes_value, after }
}

/// Words popped and pushed.
fn words(code: &Code<'_>, instruction: &Instruction<'_>) -> (usize, usize) {
    let pool = code.constant_pool();
    let found = instruction.opcode;
    let index = instruction.pool_index().unwrap_or(0);
    if found == opcode::MULTIANEWARRAY {
        return (instruction.constant().expect("dimensions") as usize, 1);
    }
    let (pops, pushes) = opcode::stack_effect(found);
    if pops != opcode::VARIABLE {
        return (pops.into(), pushes.into());
    }
    let descriptor = match found {
        opcode::INVOKEDYNAMIC => pool.invoke_dynamic(index).expect("a call site").descriptor,
        _ => pool.member_ref(index).expect("a member").descriptor,
    };
    let base = !matches!(
        found,
        opcode::GETSTATIC | opcode::PUTSTATIC | opcode::INVOKESTATIC | opcode::INVOKEDYNAMIC
    );
    let (pops, pushes) = match found {
        opcode::GETSTATIC | opcode::GETFIELD => (0, descriptor::words(descriptor)),
        opcode::PUTSTATIC | opcode::PUTFIELD => (descriptor::words(descriptor), 0),
        _ => {
            let arguments = descriptor::parameters(descriptor).map(descriptor::words).sum();
            (arguments, descriptor::words(descriptor::return_type(descriptor)))
        }
    };
    (usize::from(pops) + usize::from(base), pushes.into())
}

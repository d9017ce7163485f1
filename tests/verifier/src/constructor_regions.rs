//! Which instructions of a constructor run before `this` is initialised.

use classfile::{Code, ExceptionEntry, opcode};
use std::ops::Range;

/// `this` is uninitialised when the instruction runs.
const BEFORE: u8 = 1;
/// `this` is initialised when the instruction runs.
const AFTER: u8 = 2;

/// The two parts of a constructor that each need an exception handler of
/// their own: a handler's frame says whether `this` is initialised, so no
/// handler can cover both, nor the call between them.
#[derive(Debug, Default)]
pub struct ConstructorRegions {
    /// Ranges of bcis that run only before the call of `super` or `this`.
    pub before: Vec<Range<u32>>,
    /// Ranges of bcis that run only after it.
    pub after: Vec<Range<u32>>,
}

impl ConstructorRegions {
    /// Follows the control flow from the first instruction. `calls` holds the
    /// bcis of the calls that initialise `this`.
    pub fn new(code: &Code<'_>, calls: &[u32]) -> ConstructorRegions {
        let handlers: Vec<ExceptionEntry> = code.exception_table().collect();
        let mut states = vec![0u8; code.bytecode().len()];
        let mut work = vec![(0u32, BEFORE)];
        while let Some((bci, state)) = work.pop() {
            let Some(known) = states.get_mut(bci as usize) else { continue };
            if *known & state != 0 {
                continue;
            }
            *known |= state;
            let Some(instruction) = code.instruction_at(bci) else { continue };
            let next = if calls.contains(&bci) { AFTER } else { state };
            if !opcode::is_unconditional(instruction.opcode) {
                work.push((instruction.end(), next));
            }
            work.extend(instruction.targets().map(|target| (target, next)));
            let covering = handlers.iter().filter(|entry| (entry.start..entry.end).contains(&bci));
            work.extend(covering.map(|entry| (entry.handler, state)));
        }

        let mut regions = ConstructorRegions::default();
        for instruction in code.instructions() {
            if calls.contains(&instruction.bci) {
                continue;
            }
            let ranges = match states[instruction.bci as usize] {
                BEFORE => &mut regions.before,
                AFTER => &mut regions.after,
                // Never reached, or reached both ways: the latter is a loop
                // around the call, which no verifier accepts.
                _ => continue,
            };
            match ranges.last_mut() {
                Some(last) if last.end == instruction.bci => last.end = instruction.end(),
                _ => ranges.push(instruction.bci..instruction.end()),
            }
        }
        regions
    }
}

//! Handlers for code that has no stack map frames.
//!
//! Where control joins, the verifier of class files before version 50 works
//! out the common superclass of what a variable refers to. For that it loads
//! the classes, which the program may notice: a loader is asked for them, and
//! may not find them. An appended handler joins all code that it covers. So
//! there have to be several, each for code in which no variable refers to
//! different classes.

use super::local_types::{Inference, State, Type};
use crate::read::code::Code;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// Instructions between which no variable refers to different classes.
#[derive(Debug, Default)]
struct Group {
    locals: Vec<Type>,
    ranges: Vec<Range<u32>>,
}

impl Group {
    fn admits(&self, locals: &[Type]) -> bool {
        self.locals.iter().zip(locals).all(|(known, new)| !known.clashes_with(*new))
    }

    fn add(&mut self, range: Range<u32>, locals: &[Type]) {
        self.locals.resize(locals.len(), Type::Top);
        for (known, new) in self.locals.iter_mut().zip(locals) {
            if new.is_class() {
                *known = *new;
            }
        }
        match self.ranges.last_mut() {
            Some(last) if last.end == range.start => last.end = range.end,
            _ => self.ranges.push(range),
        }
    }
}

/// Which instructions of a method a handler may cover together.
///
/// For code that is verified by its stack map frames that is all of it.
#[derive(Debug)]
pub struct JointHandlers {
    /// Empty if all instructions may be covered together.
    groups: Vec<Group>,
    /// For each handler of the method, the variables that refer to something
    /// in code that it covers, and are of no use to it.
    unusable: BTreeMap<u32, Vec<u16>>,
}

impl JointHandlers {
    /// Whether the verifier is given the types where control joins; else it infers them, and
    /// loads classes to find what two of them have in common.
    pub fn are_given(code: &Code<'_>) -> bool {
        has_frames(code)
    }

    /// Works it out for a method.
    pub fn new(code: &Code<'_>) -> JointHandlers {
        if has_frames(code) {
            return JointHandlers { groups: Vec::new(), unusable: BTreeMap::new() };
        }
        let mut inference = Inference::new(code);
        let mut groups: Vec<Group> = Vec::new();
        let mut current = 0;
        let mut held = BTreeSet::new();
        let mut state = State::default();
        for instruction in code.instructions() {
            if let Some(known) = inference.blocks.get(&instruction.bci) {
                // Code that is never reached has no types.
                state = known.clone().unwrap_or_default();
            }
            let stays = groups.get(current).is_some_and(|group| group.admits(&state.locals));
            if !stays {
                let fitting = groups.iter().position(|group| group.admits(&state.locals));
                current = fitting.unwrap_or_else(|| {
                    groups.push(Group::default());
                    groups.len() - 1
                });
            }
            groups[current].add(instruction.bci..instruction.end(), &state.locals);
            for entry in &inference.handlers {
                if (entry.start..entry.end).contains(&instruction.bci) {
                    let references = (0..).zip(&state.locals).filter(|(_, held)| held.is_class());
                    held.extend(references.map(|(slot, _)| (entry.handler, slot)));
                }
            }
            if inference.step(&instruction, &mut state).is_none() {
                state = State::default();
            }
        }
        JointHandlers { groups, unusable: inference.unusable(&held) }
    }

    /// The group that an instruction belongs to.
    pub fn group_of(&self, bci: u32) -> usize {
        if self.groups.len() < 2 {
            return 0;
        }
        let has = |group: &Group| group.ranges.iter().any(|range| range.contains(&bci));
        self.groups.iter().position(has).unwrap_or(0)
    }

    /// What of the ranges lies in each group; groups without anything are
    /// left out.
    pub fn divide(&self, ranges: &[Range<u32>]) -> Vec<Vec<Range<u32>>> {
        if self.groups.is_empty() {
            let all: Vec<_> = ranges.iter().filter(|range| !range.is_empty()).cloned().collect();
            return if all.is_empty() { Vec::new() } else { vec![all] };
        }
        let common = |group: &Group| -> Vec<Range<u32>> {
            let pairs = ranges.iter().flat_map(|a| group.ranges.iter().map(move |b| (a, b)));
            let common = pairs.map(|(a, b)| a.start.max(b.start)..a.end.min(b.end));
            common.filter(|range| !range.is_empty()).collect()
        };
        self.groups.iter().map(common).filter(|ranges| !ranges.is_empty()).collect()
    }

    /// The variables that refer to something in the code that a handler of the
    /// method covers, and that it cannot use. Inserted code on the way to the
    /// handler must overwrite them by something that is not a reference: the
    /// verifier may not have seen yet that they are of no use, and would join
    /// their types.
    pub fn unusable(&self, handler: u32) -> &[u16] {
        self.unusable.get(&handler).map_or(&[], Vec::as_slice)
    }
}

/// Whether the verifier is given the types where control joins.
fn has_frames(code: &Code<'_>) -> bool {
    // Methods of version 50 may do without; from 51 on none may.
    match code.method().class().major_version() {
        ..50 => false,
        50 => code.attributes().flatten().any(|found| found.name == b"StackMapTable"),
        _ => true,
    }
}

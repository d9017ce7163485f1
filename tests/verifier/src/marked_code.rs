//! Comparing the code of a method with the same code after marking (see
//! [`crate::marks`]).

use crate::marks::{AFTER, BEFORE};
use classfile::{Code, ExceptionEntry, Instruction, Instructions, opcode};
use std::collections::BTreeMap;

/// Where an instruction of the original is in the marked code.
#[derive(Clone, Copy, Debug)]
struct Place {
    /// The mark before it.
    mark: u32,
    /// The instruction itself.
    at: u32,
    /// The mark behind it, where there is one.
    mark_behind: Option<u32>,
}

/// Compares the code of a method with its marked form.
///
/// # Errors
/// The first difference, with the bci in the original.
pub(crate) fn compare(old: &Code<'_>, new: &Code<'_>, local: u16) -> Result<(), String> {
    let mut walk = Walk { new: new.instructions(), local, places: BTreeMap::new(), jumps: vec![] };
    walk.entry()?;
    for instruction in old.instructions() {
        walk.instruction(&instruction)
            .map_err(|difference| format!("bci {}: {difference}", instruction.bci))?;
    }
    if let Some(more) = walk.new.next() {
        return Err(format!("unexpected code at {} of the marked method", more.bci));
    }
    let Walk { places, jumps, .. } = walk;
    for (from, old_target, new_target) in jumps {
        let mark = places.get(&old_target).map(|place| place.mark);
        if mark != Some(new_target) {
            return Err(format!("bci {from}: {old_target} became {new_target}, not {mark:?}"));
        }
    }
    compare_handlers(old, new, &places)?;
    compare_lines(old, new, &places)?;
    compare_variables(old, new, &places)
}

struct Walk<'n> {
    new: Instructions<'n>,
    /// The local that marks use.
    local: u16,
    places: BTreeMap<u32, Place>,
    /// Old branch, old target, new target.
    jumps: Vec<(u32, u32, u32)>,
}

impl<'n> Walk<'n> {
    fn next(&mut self) -> Result<Instruction<'n>, String> {
        self.new.next().ok_or_else(|| "the marked code ends".to_owned())
    }

    fn entry(&mut self) -> Result<(), String> {
        let (constant, store) = (self.next()?, self.next()?);
        if constant.opcode != opcode::ICONST_0 || store.local() != Some(self.local) {
            return Err(format!("{constant:?} and {store:?} instead of the entry fragment"));
        }
        Ok(())
    }

    fn mark(&mut self, constant: i32) -> Result<u32, String> {
        let mark = self.next()?;
        let expected = mark.opcode == opcode::IINC
            && mark.local() == Some(self.local)
            && mark.constant() == Some(constant);
        if expected { Ok(mark.bci) } else { Err(format!("{mark:?} instead of mark {constant}")) }
    }

    fn instruction(&mut self, old: &Instruction<'_>) -> Result<(), String> {
        let mark = self.mark(BEFORE)?;
        let new = self.next()?;
        let at = new.bci;
        if let Some(old_target) = old.branch_target() {
            let new_target = self.branch(old, &new)?;
            self.jumps.push((old.bci, old_target, new_target));
        } else if old.switch().is_some() {
            self.switch(old, &new)?;
        } else if old.bytes() != new.bytes() {
            return Err(format!("{old:?} became {new:?}"));
        }
        let mark_behind =
            if opcode::is_unconditional(old.opcode) { None } else { Some(self.mark(AFTER)?) };
        self.places.insert(old.bci, Place { mark, at, mark_behind });
        Ok(())
    }

    /// Gives where the branch leads now, which may take two instructions.
    fn branch(&mut self, old: &Instruction<'_>, new: &Instruction<'_>) -> Result<u32, String> {
        let wide = match old.opcode {
            opcode::GOTO => opcode::GOTO_W,
            opcode::JSR => opcode::JSR_W,
            same => same,
        };
        let target = new.branch_target().ok_or_else(|| format!("{old:?} became {new:?}"))?;
        if new.opcode == old.opcode || new.opcode == wide {
            return Ok(target);
        }
        let around = self.next()?;
        let is_split = Some(new.opcode) == inverse(old.opcode)
            && around.opcode == opcode::GOTO_W
            && target == around.end();
        around
            .branch_target()
            .filter(|_| is_split)
            .ok_or_else(|| format!("{old:?} became {new:?} and {around:?}"))
    }

    fn switch(&mut self, old: &Instruction<'_>, new: &Instruction<'_>) -> Result<(), String> {
        let keys = |instruction: &Instruction<'_>| -> Vec<i32> {
            let cases = instruction.switch().into_iter().flat_map(|switch| switch.cases());
            cases.map(|(key, _)| key).collect()
        };
        if old.opcode != new.opcode || keys(old) != keys(new) {
            return Err("a switch has other cases".to_owned());
        }
        let targets = old.targets().zip(new.targets());
        self.jumps.extend(targets.map(|(before, after)| (old.bci, before, after)));
        Ok(())
    }
}

/// The branch that is taken when the given one is not (JVMS 6.5).
fn inverse(branch: u8) -> Option<u8> {
    const PAIRS: [(u8, u8); 9] = [
        (opcode::IFEQ, opcode::IFNE),
        (opcode::IFLT, opcode::IFGE),
        (opcode::IFGT, opcode::IFLE),
        (opcode::IF_ICMPEQ, opcode::IF_ICMPNE),
        (opcode::IF_ICMPLT, opcode::IF_ICMPGE),
        (opcode::IF_ICMPGT, opcode::IF_ICMPLE),
        (opcode::IF_ACMPEQ, opcode::IF_ACMPNE),
        (opcode::IFNULL, opcode::IFNONNULL),
        (opcode::IFNONNULL, opcode::IFNULL),
    ];
    PAIRS.iter().find_map(|&(one, other)| match branch {
        _ if branch == one => Some(other),
        _ if branch == other => Some(one),
        _ => None,
    })
}

/// Handler and type of every entry that covers a position, in the order in
/// which they are searched. An entry split in two counts once.
fn covering(table: &[ExceptionEntry], bci: u32) -> Vec<(u32, u16)> {
    let entries = table.iter().filter(|entry| (entry.start..entry.end).contains(&bci));
    let mut found: Vec<(u32, u16)> = Vec::new();
    for entry in entries {
        if !found.contains(&(entry.handler, entry.catch_type)) {
            found.push((entry.handler, entry.catch_type));
        }
    }
    found
}

fn compare_handlers(
    old: &Code<'_>,
    new: &Code<'_>,
    places: &BTreeMap<u32, Place>,
) -> Result<(), String> {
    let old_table: Vec<ExceptionEntry> = old.exception_table().collect();
    let new_table: Vec<ExceptionEntry> = new.exception_table().collect();
    for (&bci, place) in places {
        let mut expected = Vec::new();
        for (handler, catch_type) in covering(&old_table, bci) {
            let handler = places.get(&handler).ok_or("a handler is not an instruction")?.mark;
            expected.push((handler, catch_type));
        }
        let differs = |what: &str, position: u32| {
            let found = covering(&new_table, position);
            format!("bci {bci}: {what} is covered by {found:?}, not {expected:?}")
        };
        if covering(&new_table, place.at) != expected {
            return Err(differs("the instruction", place.at));
        }
        if let Some(behind) = place.mark_behind
            && covering(&new_table, behind) != expected
        {
            return Err(differs("what stands behind it", behind));
        }
        // What stands before a handler's first instruction is the one thing
        // that the handler does not cover.
        let mut before = expected.clone();
        before.retain(|&(handler, _)| handler != place.mark);
        if covering(&new_table, place.mark) != before {
            return Err(differs("what stands before it", place.mark));
        }
    }
    Ok(())
}

fn compare_lines(
    old: &Code<'_>,
    new: &Code<'_>,
    places: &BTreeMap<u32, Place>,
) -> Result<(), String> {
    let (old_lines, new_lines) = (old.line_table(), new.line_table());
    for (&bci, place) in places {
        let expected = old_lines.line_of(bci);
        for position in [place.mark, place.at] {
            let found = new_lines.line_of(position);
            if found != expected {
                return Err(format!("bci {bci}: line {found:?} instead of {expected:?}"));
            }
        }
    }
    if new_lines.line_of(0) != old_lines.line_of(0) {
        return Err("the entry fragment does not belong to the first line".to_owned());
    }
    Ok(())
}

/// Entries of a local variable table: start, length, and six more bytes.
const VARIABLE_ENTRY: usize = 10;

fn compare_variables(
    old: &Code<'_>,
    new: &Code<'_>,
    places: &BTreeMap<u32, Place>,
) -> Result<(), String> {
    let new_position = |bci: u32| match bci {
        0 => Some(0),
        _ if bci == old.length() => Some(new.length()),
        _ => places.get(&bci).map(|place| place.mark),
    };
    for name in [&b"LocalVariableTable"[..], b"LocalVariableTypeTable"] {
        let (old_entries, new_entries) = (variables(old, name), variables(new, name));
        if old_entries.len() != new_entries.len() {
            return Err("variables are lost".to_owned());
        }
        for (before, after) in old_entries.iter().zip(&new_entries) {
            let (start, end) = (new_position(before.0), new_position(before.1));
            // Positions inside instructions occur in damaged classes only.
            let (Some(start), Some(end)) = (start, end) else { continue };
            if (start, end, before.2) != *after {
                return Err(format!("variable {before:?} became {after:?}, not {start}..{end}"));
            }
        }
    }
    Ok(())
}

/// Start, end and the rest of every entry of all tables with a name.
fn variables<'c>(code: &Code<'c>, name: &[u8]) -> Vec<(u32, u32, &'c [u8])> {
    let tables = code.attributes().flatten().filter(|attribute| attribute.name == name);
    tables
        .flat_map(|table| table.info.get(2..).unwrap_or_default().chunks_exact(VARIABLE_ENTRY))
        .map(|entry| {
            let start = u32::from(u16::from_be_bytes([entry[0], entry[1]]));
            let length = u32::from(u16::from_be_bytes([entry[2], entry[3]]));
            (start, start + length, &entry[4..])
        })
        .collect()
}

//! Copies the code of a method and inserts fragments.
//!
//! Everything is decided by where instructions end up, and that depends on
//! which branches need 32-bit distances, which depends on where instructions
//! end up. So the code is emitted with short branches first; those that do
//! not reach are noted and the code is emitted again, until all reach. A
//! branch once widened stays wide, so this ends, nearly always after the
//! first pass.

use super::code_edit::{Catcher, CodeEdit, Insertion, Phase};
use super::output::put_piece;
use super::refusal::Refusal;
use super::relocation::Relocation;
use crate::read::code::Code;
use crate::read::error::Error;
use crate::read::instruction::{switch_padding, variable_length};
use crate::read::opcode::{self, Operands};
use crate::read::reader::{u2_at, u4_at};

/// Longest code that a class file can hold.
const MAX_CODE_LENGTH: usize = 0xFFFF;

/// What switches are padded with.
const PADDING: [u8; 3] = [0; 3];

/// What emitting leaves behind for the tables of the method; also its memory
/// between methods.
#[derive(Clone, Debug, Default)]
pub(crate) struct Emitter {
    pub(crate) relocation: Relocation,
    jumps: Vec<Jump>,
    /// Branches that need 32 bits, ordered.
    wide: Vec<u32>,
    /// Where conditional branches were split in two, and where optional
    /// insertions end, ordered.
    pub(crate) splits: Vec<Split>,
    /// Where each handler of the edit starts.
    pub(crate) handlers: Vec<u32>,
    /// Where each landing pad of the edit starts.
    pub(crate) landing_pads: Vec<u32>,
    /// The places that landing pads lead to.
    pub(crate) destinations: Vec<Destination>,
    /// The insertions in order, where they were not added in order.
    sorted: Vec<Insertion>,
}

/// A conditional branch that became an inverted one around a `goto_w`, or an
/// insertion with a way around it. The place where they join is a jump target
/// that the old code did not have.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Split {
    /// Where they join in the new code.
    pub(crate) join: u32,
    /// The instruction behind it in the old code.
    pub(crate) next: u32,
}

/// A handler that landing pads lead to. All that it catches goes by way of a jump:
/// HotSpot's C1 gives up on methods that have a handler to which code jumps,
/// too.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Destination {
    /// One of the catchers whose landing pads lead here.
    pub(crate) catcher: Catcher,
    /// The handler.
    pub(crate) handler: u32,
    /// The jump to it.
    pub(crate) jump: u32,
}

/// An emitted instruction whose distances have to be filled in.
#[derive(Clone, Copy, Debug)]
struct Jump {
    /// Position of the old instruction.
    bci: u32,
    /// Position of the new opcode that distances count from.
    position: u32,
    kind: JumpKind,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum JumpKind {
    /// 16 bits became or stay 16 bits.
    Short,
    /// 16 bits became 32 bits.
    Widened,
    /// 32 bits stay 32 bits.
    Wide,
    Switch,
}

impl Emitter {
    /// Where the exception table leads to for a handler at a new position.
    pub(crate) fn entry_of(&self, handler: u32) -> u32 {
        let destination = self.destinations.iter().find(|known| known.handler == handler);
        destination.map_or(handler, |destination| destination.jump)
    }

    /// Appends the edited code to `out`.
    pub(crate) fn emit(
        &mut self,
        code: &Code<'_>,
        edit: &CodeEdit,
        out: &mut Vec<u8>,
    ) -> Result<(), Refusal> {
        let mut sorted = std::mem::take(&mut self.sorted);
        let result = self.emit_ordered(code, edit, edit.ordered_insertions(&mut sorted), out);
        self.sorted = sorted;
        result
    }

    fn emit_ordered(
        &mut self,
        code: &Code<'_>,
        edit: &CodeEdit,
        insertions: &[Insertion],
        out: &mut Vec<u8>,
    ) -> Result<(), Refusal> {
        self.wide.clear();
        let start = out.len();
        loop {
            out.truncate(start);
            self.emit_once(code, edit, insertions, out)?;
            let length = out.len() - start;
            if length > MAX_CODE_LENGTH {
                return Err(Refusal::CodeTooLarge { length: length as u32 });
            }
            let known = self.wide.len();
            self.resolve_jumps(code, out.get_mut(start..).unwrap_or_default())?;
            if self.wide.len() == known {
                return Ok(());
            }
            self.wide.sort_unstable();
        }
    }

    /// Copies all instructions with what is inserted around them. Distances
    /// of branches are left as they were.
    fn emit_once(
        &mut self,
        code: &Code<'_>,
        edit: &CodeEdit,
        insertions: &[Insertion],
        out: &mut Vec<u8>,
    ) -> Result<(), Refusal> {
        let bytecode = code.bytecode();
        self.relocation.restart(bytecode.len());
        self.jumps.clear();
        self.splits.clear();
        self.handlers.clear();
        self.landing_pads.clear();
        self.destinations.clear();
        let mut probes = Probes { edit, rest: insertions };
        let mut copy = Copy { bytecode, copied: 0, start: out.len(), out };
        let mut next_probe = probes.next_bci();
        let mut bci = 0;
        loop {
            let shift = copy.position(bci).wrapping_sub(bci as u32);
            bci = self.relocation.pass_plain(bytecode, bci, next_probe as usize, shift);
            let Some(&first) = bytecode.get(bci) else { break };
            let old = bci as u32;
            let mut before = copy.position(bci);
            if next_probe <= old {
                copy.up_to(bci);
                probes.emit(old, Phase::Start, copy.out);
                probes.emit(old, Phase::Entry, copy.out);
                before = copy.position(bci);
                probes.emit(old, Phase::Before, copy.out);
                next_probe = probes.next_bci();
                if next_probe < old {
                    return Err(Refusal::NotAnInstruction { bci: next_probe });
                }
            }
            self.relocation.set(bci, before, copy.position(bci));
            let length = match opcode::fixed_length(first) {
                0 => variable_length(bytecode, bci).map_err(|error| {
                    let offset = code.bytecode_offset() + error.offset() as usize;
                    Refusal::Malformed(Error::new(error.kind(), offset))
                })?,
                length => length,
            };
            let end = bci + length;
            if end > bytecode.len() {
                return Err(Refusal::bad_position(old, code.bytecode_offset() + bci));
            }
            self.pass_instruction(first, bci, end, &mut copy);
            if next_probe == old {
                copy.up_to(end);
                if falls_through(bytecode, bci) {
                    probes.emit_after(old, end as u32, &mut copy, &mut self.splits);
                } else {
                    probes.skip(old);
                }
                next_probe = probes.next_bci();
            }
            bci = end;
        }
        if bci != bytecode.len() {
            return Err(Refusal::bad_position(bci as u32, code.bytecode_offset() + bci));
        }
        copy.up_to(bytecode.len());
        if let Some(beyond) = probes.rest.first() {
            return Err(Refusal::NotAnInstruction { bci: beyond.bci });
        }
        self.relocation.set_end(copy.position(bytecode.len()));
        for handler in edit.handlers() {
            self.handlers.push(copy.position(bytecode.len()));
            copy.out.extend_from_slice(edit.handler_code(handler));
        }
        self.emit_landing_pads(code, edit, &mut copy)
    }

    /// Puts out the landing pads, each with a jump back to what catches. All those
    /// places are known by now.
    fn emit_landing_pads(
        &mut self,
        code: &Code<'_>,
        edit: &CodeEdit,
        copy: &mut Copy<'_>,
    ) -> Result<(), Refusal> {
        if edit.landing_pads().is_empty() {
            return Ok(());
        }
        let rows: Vec<_> = code.exception_table().collect();
        for landing_pad in edit.landing_pads() {
            self.landing_pads.push(copy.position(code.bytecode().len()));
            copy.out.extend_from_slice(edit.landing_pad_code(landing_pad));
            let catcher = match landing_pad.catcher {
                Catcher::Row(number) => rows
                    .get(usize::from(number))
                    .and_then(|row| self.relocation.before(row.handler)),
                Catcher::Appended(number) => self.handlers.get(usize::from(number)).copied(),
            };
            let catcher = catcher.ok_or(Refusal::NoSuchHandler)?;
            copy.jump_to(catcher);
            if self.destinations.iter().all(|known| known.handler != catcher) {
                let catches =
                    Destination { catcher: landing_pad.catcher, handler: catcher, jump: 0 };
                self.destinations.push(catches);
            }
        }
        for destination in &mut self.destinations {
            destination.jump = copy.position(code.bytecode().len());
            copy.jump_to(destination.handler);
        }
        Ok(())
    }

    /// Deals with the instruction `bci..end` of the old code: leaves it to be
    /// copied, notes the distances in it, or puts out something else.
    #[inline]
    fn pass_instruction(&mut self, first: u8, bci: usize, end: usize, copy: &mut Copy<'_>) {
        let old = bci as u32;
        let position = copy.position(bci);
        match opcode::operands(first) {
            Operands::Branch if self.is_widened(old) => {
                copy.up_to(bci);
                copy.skip_to(end);
                self.emit_widened(first, old, end as u32, copy);
            }
            Operands::Branch => {
                self.jumps.push(Jump { bci: old, position, kind: JumpKind::Short });
            }
            Operands::BranchWide => {
                self.jumps.push(Jump { bci: old, position, kind: JumpKind::Wide });
            }
            Operands::TableSwitch | Operands::LookupSwitch => {
                self.jumps.push(Jump { bci: old, position, kind: JumpKind::Switch });
                let padding = switch_padding(position as usize);
                let old_padding = switch_padding(bci);
                if padding != old_padding {
                    copy.up_to(bci + 1);
                    copy.out.extend_from_slice(PADDING.get(..padding).unwrap_or_default());
                    copy.skip_to(bci + 1 + old_padding);
                }
            }
            _ => {}
        }
    }

    fn is_widened(&self, bci: u32) -> bool {
        !self.wide.is_empty() && self.wide.binary_search(&bci).is_ok()
    }

    /// Emits a short branch in its wide form: `goto_w`, `jsr_w`, or the
    /// inverted branch around a `goto_w`.
    fn emit_widened(&mut self, first: u8, bci: u32, next: u32, copy: &mut Copy<'_>) {
        let end = next as usize;
        let wide_opcode = match first {
            opcode::JSR => opcode::JSR_W,
            opcode::GOTO => opcode::GOTO_W,
            conditional => {
                // Over itself (3 bytes) and the `goto_w` (5 bytes).
                copy.out.extend_from_slice(&[opcode::inverted(conditional), 0, 8]);
                let join = copy.position(end) + 5;
                self.splits.push(Split { join, next });
                opcode::GOTO_W
            }
        };
        let position = copy.position(end);
        self.jumps.push(Jump { bci, position, kind: JumpKind::Widened });
        copy.out.extend_from_slice(&[wide_opcode, 0, 0, 0, 0]);
    }

    /// Fills in the distances of all branches and switches, and notes the
    /// branches that need more bits.
    fn resolve_jumps(&mut self, code: &Code<'_>, emitted: &mut [u8]) -> Result<(), Refusal> {
        let bytecode = code.bytecode();
        for jump in &self.jumps {
            let bci = jump.bci as usize;
            let at = jump.position as usize;
            let distance = |old_distance: u32| -> Result<i32, Refusal> {
                let target = jump.bci.wrapping_add(old_distance);
                match self.relocation.before(target) {
                    Some(new_target) => Ok(new_target as i32 - jump.position as i32),
                    None => Err(Refusal::bad_position(target, code.bytecode_offset() + bci)),
                }
            };
            match jump.kind {
                JumpKind::Short | JumpKind::Widened => {
                    let old_distance = u2_at(bytecode, bci + 1).unwrap_or(0) as i16;
                    let new_distance = distance(i32::from(old_distance) as u32)?;
                    if jump.kind == JumpKind::Widened {
                        write(emitted, at + 1, &new_distance.to_be_bytes());
                    } else if let Ok(short) = i16::try_from(new_distance) {
                        write(emitted, at + 1, &short.to_be_bytes());
                    } else {
                        self.wide.push(jump.bci);
                    }
                }
                JumpKind::Wide => {
                    let old_distance = u4_at(bytecode, bci + 1).unwrap_or(0);
                    write(emitted, at + 1, &distance(old_distance)?.to_be_bytes());
                }
                JumpKind::Switch => {
                    let old_operands = bci + 1 + switch_padding(bci);
                    let operands = at + 1 + switch_padding(at);
                    let (cases, stride, first) = if bytecode.get(bci) == Some(&opcode::TABLESWITCH)
                    {
                        let low = u4_at(bytecode, old_operands + 4).unwrap_or(0) as i32;
                        let high = u4_at(bytecode, old_operands + 8).unwrap_or(0) as i32;
                        (high.wrapping_sub(low) as usize + 1, 4, 12)
                    } else {
                        (u4_at(bytecode, old_operands + 4).unwrap_or(0) as usize, 8, 12)
                    };
                    let default = u4_at(bytecode, old_operands).unwrap_or(0);
                    write(emitted, operands, &distance(default)?.to_be_bytes());
                    for case in 0..cases {
                        let offset = first + stride * case;
                        let old_distance = u4_at(bytecode, old_operands + offset).unwrap_or(0);
                        let new_distance = distance(old_distance)?;
                        write(emitted, operands + offset, &new_distance.to_be_bytes());
                    }
                }
            }
        }
        Ok(())
    }
}

/// The code being copied. Instructions that need no change are not copied one
/// by one: they wait until something else has to be put out.
struct Copy<'c> {
    bytecode: &'c [u8],
    /// How much of `bytecode` was copied or replaced.
    copied: usize,
    /// Where the new code starts in `out`.
    start: usize,
    out: &'c mut Vec<u8>,
}

impl Copy<'_> {
    /// Where the old instruction at `bci` will be, if it is copied with
    /// everything before it that still waits.
    #[inline]
    fn position(&self, bci: usize) -> u32 {
        (self.out.len() - self.start + (bci - self.copied)) as u32
    }

    /// Copies what waits before `bci`.
    #[inline]
    fn up_to(&mut self, bci: usize) {
        put_piece(self.out, self.bytecode, self.copied, bci);
        self.copied = bci;
    }

    /// Puts a jump behind all code that there is so far.
    fn jump_to(&mut self, target: u32) {
        let position = self.position(self.bytecode.len());
        // Code is far shorter than 2^31 bytes.
        let distance = target as i32 - position as i32;
        match i16::try_from(distance) {
            Ok(short) => {
                self.out.push(opcode::GOTO);
                self.out.extend_from_slice(&short.to_be_bytes());
            }
            Err(_) => {
                self.out.push(opcode::GOTO_W);
                self.out.extend_from_slice(&distance.to_be_bytes());
            }
        }
    }

    /// Leaves out what lies before `bci`.
    fn skip_to(&mut self, bci: usize) {
        self.copied = bci;
    }
}

/// The insertions that are still to come, in order.
struct Probes<'p> {
    edit: &'p CodeEdit,
    rest: &'p [Insertion],
}

impl Probes<'_> {
    /// Where the next one belongs, or a position that no code has.
    #[inline]
    fn next_bci(&self) -> u32 {
        self.rest.first().map_or(u32::MAX, |next| next.bci)
    }

    /// Puts out those of one place and phase.
    #[inline]
    fn emit(&mut self, bci: u32, phase: Phase, out: &mut Vec<u8>) {
        while let [next, rest @ ..] = self.rest
            && next.bci == bci
            && next.phase == phase
        {
            self.edit.put_fragment(next, out);
            self.rest = rest;
        }
    }

    /// Puts out those behind an instruction, with `next` following.
    fn emit_after(&mut self, bci: u32, next: u32, copy: &mut Copy<'_>, splits: &mut Vec<Split>) {
        while let [insertion, rest @ ..] = self.rest
            && insertion.bci == bci
        {
            self.edit.put_fragment(insertion, copy.out);
            if insertion.is_optional {
                splits.push(Split { join: (copy.out.len() - copy.start) as u32, next });
            }
            self.rest = rest;
        }
    }

    /// Leaves out those of one place.
    fn skip(&mut self, bci: u32) {
        while let [next, rest @ ..] = self.rest
            && next.bci == bci
        {
            self.rest = rest;
        }
    }
}

/// Whether control can reach the instruction behind the one at `bci`.
fn falls_through(bytecode: &[u8], bci: usize) -> bool {
    match bytecode.get(bci) {
        Some(&opcode::WIDE) => bytecode.get(bci + 1) != Some(&opcode::RET),
        Some(&first) => !opcode::is_unconditional(first),
        None => false,
    }
}

/// Overwrites bytes at a place that was emitted for them.
#[inline]
fn write(emitted: &mut [u8], at: usize, bytes: &[u8]) {
    if let Some(place) = emitted.get_mut(at..at + bytes.len()) {
        place.copy_from_slice(bytes);
    }
}

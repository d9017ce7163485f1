//! The `StackMapTable` attribute (JVMS 4.7.4).
//!
//! Frames are moved, not computed: their types stay what the compiler said.
//! Only behind widened branches and optional insertions one has to be derived,
//! see `type_simulation`.
//! A new local variable has to be declared in every frame, behind all old
//! slots. A frame that only names its difference to the frame before keeps
//! doing so where that still says everything; otherwise it becomes a full
//! frame, with `Top` for the slots between.

use super::code_edit::{Catcher, CodeEdit, HandlerFrame};
use super::emitter::{Emitter, Split};
use super::output::{patch_u2, put_u2};
use super::pool_extension::PoolExtension;
use super::refusal::Refusal;
use super::type_simulation::TypeSimulation;
use super::verification_type::{VerificationType, WriteContext, initial_locals};
use crate::read::attribute::Attribute;
use crate::read::code::Code;
use crate::read::error::ErrorKind;
use crate::read::reader::Reader;
use std::collections::HashMap;

/// Memory for frames, kept between methods.
#[derive(Clone, Debug, Default)]
pub(crate) struct FrameScratch {
    locals: Vec<VerificationType>,
    stack: Vec<VerificationType>,
    simulation: TypeSimulation,
    derived_locals: Vec<VerificationType>,
    derived_stack: Vec<VerificationType>,
}

/// What a frame says about local variables, as far as writing it needs.
enum Locals {
    /// Those of the frame before.
    Same,
    /// Without the last so many.
    Chop(u8),
    /// How many follow.
    Append(u8),
    Full,
}

/// Writes the contents of a `StackMapTable`.
///
/// `old` is the table of the method, if it has one. Frames for the handlers
/// of the edit and for what was split are added.
pub(crate) fn write_stack_map(
    code: &Code<'_>,
    old: Option<&Attribute<'_>>,
    edit: &CodeEdit,
    emitter: &Emitter,
    pool: &mut PoolExtension,
    scratch: &mut FrameScratch,
    out: &mut Vec<u8>,
) -> Result<(), Refusal> {
    let method = code.method();
    let FrameScratch { locals, stack, simulation, derived_locals, derived_stack } = scratch;
    initial_locals(&method, locals);
    stack.clear();
    let mut writer = FrameWriter {
        context: WriteContext {
            relocation: &emitter.relocation,
            pool,
            descriptor: method.descriptor(),
            offset: old.map_or(0, |attribute| attribute.offset),
        },
        edit,
        previous: None,
        count: 0,
        needs_full: !edit.new_locals().is_empty(),
        out,
    };
    let count_at = writer.out.len();
    put_u2(writer.out, 0);

    let mut splits = emitter.splits.iter().peekable();
    if splits.peek().is_some() {
        simulation.restart(0, locals, stack);
    }
    let mut derive =
        |split: &Split, writer: &mut FrameWriter<'_, '_>, simulation: &mut TypeSimulation| {
            let pool = &mut *writer.context.pool;
            match simulation.run_to(split.next, code, pool, derived_locals, derived_stack) {
                // A method that jumps and has no frames is not verified, see below.
                Err(Refusal::UnknownFrame { .. }) if old.is_none() => return Ok(()),
                result => result?,
            }
            writer.full_frame(split.join, derived_locals, derived_stack)?;
            writer.needs_full = true;
            Ok::<(), Refusal>(())
        };
    let mut caught = CaughtFrames::new(code, edit);
    let mut reader = old.map_or(Reader::new(&[], 0), Attribute::reader);
    let old_count = if old.is_some() { reader.u2()? } else { 0 };
    let mut old_bci: Option<u32> = None;
    for _ in 0..old_count {
        let header = FrameHeader::read(&mut reader)?;
        let delta = u32::from(header.offset_delta);
        let bci = old_bci.map_or(delta, |bci| bci + delta + 1);
        let position = writer
            .context
            .relocation
            .before(bci)
            .ok_or_else(|| Refusal::bad_position(bci, reader.offset()))?;
        while let Some(split) = splits.next_if(|split| split.join < position) {
            derive(split, &mut writer, simulation)?;
        }
        splits.next_if(|split| split.join == position);
        old_bci = Some(bci);
        writer.frame(position, &header, &mut reader, locals, stack)?;
        caught.keep(bci, locals, stack);
        if splits.peek().is_some() {
            simulation.restart(bci, locals, stack);
        }
    }
    reader.expect_end()?;
    for split in splits {
        derive(split, &mut writer, simulation)?;
    }
    writer.handler_frames(&emitter.handlers, locals, stack)?;
    writer.landing_pad_frames(emitter, &caught, old.is_some(), locals, stack)?;
    let count = u16::try_from(writer.count).map_err(|_| Refusal::TableTooLong)?;
    patch_u2(out, count_at, count);
    Ok(())
}

/// The frames of handlers that landing pads lead to, by the handler's bci. The
/// landing pad has the same frame: it starts with what the handler starts with.
#[derive(Debug, Default)]
struct CaughtFrames {
    /// Handler of each entry of the exception table, if any landing pad leads to one.
    handlers: Vec<u32>,
    frames: HashMap<u32, (Vec<VerificationType>, Vec<VerificationType>)>,
}

impl CaughtFrames {
    fn new(code: &Code<'_>, edit: &CodeEdit) -> CaughtFrames {
        let mut caught = CaughtFrames::default();
        if edit
            .landing_pads()
            .iter()
            .any(|landing_pad| matches!(landing_pad.catcher, Catcher::Row(_)))
        {
            caught.handlers.extend(code.exception_table().map(|entry| entry.handler));
        }
        caught
    }

    fn keep(&mut self, bci: u32, locals: &[VerificationType], stack: &[VerificationType]) {
        if self.handlers.contains(&bci) {
            self.frames.insert(bci, (locals.to_vec(), stack.to_vec()));
        }
    }

    fn of_row(&self, row: u16) -> Option<&(Vec<VerificationType>, Vec<VerificationType>)> {
        self.frames.get(self.handlers.get(usize::from(row))?)
    }
}

/// The first bytes of a frame, up to what depends on its kind.
pub(super) struct FrameHeader {
    offset_delta: u16,
    locals: Locals,
    /// Whether one stack entry follows (not for full frames).
    has_stack_entry: bool,
}

impl FrameHeader {
    /// How many types come next in a frame: first those of variables, then those of the
    /// stack. A full frame says so in front of them.
    pub(super) fn types_in(&self, list: u8, reader: &mut Reader<'_>) -> Result<u16, Refusal> {
        Ok(match (&self.locals, list) {
            (Locals::Full, _) => reader.u2()?,
            (Locals::Append(count), 0) => (*count).into(),
            (_, 0) => 0,
            _ => self.has_stack_entry.into(),
        })
    }

    pub(super) fn read(reader: &mut Reader<'_>) -> Result<FrameHeader, Refusal> {
        let frame_type = reader.u1()?;
        let (offset_delta, locals, has_stack_entry) = match frame_type {
            0..=63 => (frame_type.into(), Locals::Same, false),
            64..=127 => ((frame_type - 64).into(), Locals::Same, true),
            247 => (reader.u2()?, Locals::Same, true),
            248..=250 => (reader.u2()?, Locals::Chop(251 - frame_type), false),
            251 => (reader.u2()?, Locals::Same, false),
            252..=254 => (reader.u2()?, Locals::Append(frame_type - 251), false),
            255 => (reader.u2()?, Locals::Full, false),
            128..=246 => return Err(reader.error(ErrorKind::BadStackMapFrame).into()),
        };
        Ok(FrameHeader { offset_delta, locals, has_stack_entry })
    }
}

struct FrameWriter<'w, 'c> {
    context: WriteContext<'c>,
    edit: &'c CodeEdit,
    /// Position of the frame written last.
    previous: Option<u32>,
    count: u32,
    /// Whether the next frame must name all its local variables, because the
    /// frame written last says something else than the frame read last.
    needs_full: bool,
    out: &'w mut Vec<u8>,
}

impl FrameWriter<'_, '_> {
    /// Reads the rest of an old frame and writes it at its new position.
    fn frame(
        &mut self,
        position: u32,
        header: &FrameHeader,
        reader: &mut Reader<'_>,
        locals: &mut Vec<VerificationType>,
        stack: &mut Vec<VerificationType>,
    ) -> Result<(), Refusal> {
        let locals_before = locals.len();
        stack.clear();
        match header.locals {
            Locals::Same => {}
            Locals::Chop(count) => {
                let bad_frame = || reader.error(ErrorKind::BadStackMapFrame);
                let kept = locals.len().checked_sub(count.into()).ok_or_else(bad_frame)?;
                locals.truncate(kept);
            }
            Locals::Append(count) => {
                for _ in 0..count {
                    locals.push(VerificationType::read(reader)?);
                }
            }
            Locals::Full => {
                locals.clear();
                let count = reader.u2()?;
                for _ in 0..count {
                    locals.push(VerificationType::read(reader)?);
                }
                let count = reader.u2()?;
                for _ in 0..count {
                    stack.push(VerificationType::read(reader)?);
                }
            }
        }
        if header.has_stack_entry {
            stack.push(VerificationType::read(reader)?);
        }
        let has_new_locals = !self.edit.new_locals().is_empty();
        let names_difference = match header.locals {
            Locals::Same => true,
            // The new variables would have to be chopped and appended too.
            Locals::Chop(_) | Locals::Append(_) => !has_new_locals,
            Locals::Full => false,
        };
        if self.needs_full || !names_difference {
            return self.full_frame(position, locals, stack);
        }
        let delta = self.advance(position)?;
        match header.locals {
            Locals::Same if header.has_stack_entry => self.one_stack_entry(delta, stack),
            Locals::Same if delta < 64 => {
                self.out.push(delta as u8);
                Ok(())
            }
            Locals::Chop(count) => {
                self.out.push(251 - count);
                put_u2(self.out, delta);
                Ok(())
            }
            Locals::Append(count) => {
                self.out.push(251 + count);
                put_u2(self.out, delta);
                self.types(locals.get(locals_before..).unwrap_or_default())
            }
            Locals::Same | Locals::Full => {
                self.out.push(251);
                put_u2(self.out, delta);
                Ok(())
            }
        }
    }

    /// Writes the frames of the handlers that the edit adds.
    fn handler_frames(
        &mut self,
        positions: &[u32],
        locals: &mut Vec<VerificationType>,
        stack: &mut Vec<VerificationType>,
    ) -> Result<(), Refusal> {
        for (handler, &position) in self.edit.handlers().iter().zip(positions) {
            self.handler_types(handler.frame, locals, stack)?;
            self.full_frame(position, locals, stack)?;
        }
        Ok(())
    }

    /// What a handler of the edit starts with.
    fn handler_types(
        &mut self,
        frame: HandlerFrame,
        locals: &mut Vec<VerificationType>,
        stack: &mut Vec<VerificationType>,
    ) -> Result<(), Refusal> {
        locals.clear();
        if frame == HandlerFrame::UninitializedThis {
            locals.push(VerificationType::UninitializedThis);
        }
        let throwable = self.context.pool.class(b"java/lang/Throwable")?;
        stack.clear();
        stack.push(VerificationType::Object(throwable));
        Ok(())
    }

    /// Writes the frames of the landing pads and of the jumps behind them. Those that stand together and lead to
    /// one place have the same local variables, so only the first names them.
    fn landing_pad_frames(
        &mut self,
        emitter: &Emitter,
        caught: &CaughtFrames,
        has_old_frames: bool,
        locals: &mut Vec<VerificationType>,
        stack: &mut Vec<VerificationType>,
    ) -> Result<(), Refusal> {
        let mut before = None;
        let catchers = self.edit.landing_pads().iter().map(|landing_pad| landing_pad.catcher);
        let landing_pads = catchers.zip(emitter.landing_pads.iter().copied());
        let jumps = emitter.destinations.iter().map(|to| (to.catcher, to.jump));
        for (catcher, position) in landing_pads.chain(jumps) {
            let is_same = before.replace(catcher) == Some(catcher);
            if is_same && stack.len() == 1 {
                self.same_locals_frame(position, stack)?;
                continue;
            }
            match catcher {
                Catcher::Row(row) => {
                    let Some((row_locals, row_stack)) = caught.of_row(row) else {
                        if has_old_frames {
                            return Err(Refusal::NoSuchHandler);
                        }
                        // A method with a handler and without frames comes from
                        // a class that is not verified: JVMs leave frames out
                        // when they hand out such a class to be rewritten.
                        before = None;
                        continue;
                    };
                    locals.clone_from(row_locals);
                    stack.clone_from(row_stack);
                }
                Catcher::Appended(number) => {
                    let handler = self.edit.handlers().get(usize::from(number));
                    let frame = handler.ok_or(Refusal::NoSuchHandler)?.frame;
                    self.handler_types(frame, locals, stack)?;
                }
            }
            self.full_frame(position, locals, stack)?;
        }
        Ok(())
    }

    /// Writes a frame with the variables of the one before and one stack entry.
    fn same_locals_frame(
        &mut self,
        position: u32,
        stack: &[VerificationType],
    ) -> Result<(), Refusal> {
        let delta = self.advance(position)?;
        self.one_stack_entry(delta, stack)
    }

    fn one_stack_entry(&mut self, delta: u16, stack: &[VerificationType]) -> Result<(), Refusal> {
        if delta < 64 {
            self.out.push(64 + delta as u8);
        } else {
            self.out.push(247);
            put_u2(self.out, delta);
        }
        self.types(stack)
    }

    /// Counts a frame at `position` and gives its `offset_delta`.
    fn advance(&mut self, position: u32) -> Result<u16, Refusal> {
        let delta = match self.previous {
            None => Some(position),
            Some(previous) => position.checked_sub(previous + 1),
        };
        self.previous = Some(position);
        self.count += 1;
        // Old frames at the same place twice are malformed.
        delta
            .and_then(|delta| u16::try_from(delta).ok())
            .ok_or_else(|| Refusal::bad_position(position, self.context.offset))
    }

    /// Writes a full frame, with the variables of the edit behind the old
    /// slots.
    fn full_frame(
        &mut self,
        position: u32,
        locals: &[VerificationType],
        stack: &[VerificationType],
    ) -> Result<(), Refusal> {
        let delta = self.advance(position)?;
        self.needs_full = false;
        self.out.push(255);
        put_u2(self.out, delta);
        let new_locals = self.edit.new_locals();
        let padding = if new_locals.is_empty() {
            0
        } else {
            let slots: usize = locals.iter().map(|local| usize::from(local.words())).sum();
            usize::from(self.edit.old_max_locals())
                .checked_sub(slots)
                .ok_or_else(|| Refusal::bad_position(position, self.context.offset))?
        };
        self.length(locals.len() + padding + new_locals.len())?;
        self.types(locals)?;
        self.out.resize(self.out.len() + padding, 0);
        for &local in new_locals {
            VerificationType::from(local).write(&mut self.context, self.out)?;
        }
        self.length(stack.len())?;
        self.types(stack)
    }

    fn length(&mut self, length: usize) -> Result<(), Refusal> {
        put_u2(self.out, u16::try_from(length).map_err(|_| Refusal::TableTooLong)?);
        Ok(())
    }

    fn types(&mut self, types: &[VerificationType]) -> Result<(), Refusal> {
        for verification_type in types {
            verification_type.write(&mut self.context, self.out)?;
        }
        Ok(())
    }
}

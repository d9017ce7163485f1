//! One method: its new `Code` attribute (JVMS 4.7.3).

use super::code_edit::CodeEdit;
use super::emitter::Emitter;
use super::exception_table::{ExceptionRows, write_exception_table};
use super::output::{patch_u2, patch_u4, put_u2, put_u4};
use super::pool_extension::PoolExtension;
use super::refusal::Refusal;
use super::relocation::Move;
use super::stack_map::{FrameScratch, write_stack_map};
use super::tables::{landing_pad_lines, write_line_numbers, write_local_variables};
use super::type_annotations::write_type_annotations;
use crate::read::attribute::Attribute;
use crate::read::code::Code;
use crate::read::opcode;

/// Memory for rewriting a method, kept between methods.
#[derive(Clone, Debug, Default)]
pub(crate) struct RewriteScratch {
    emitter: Emitter,
    frames: FrameScratch,
    rows: ExceptionRows,
}

impl RewriteScratch {
    /// Where the instructions of the last method went.
    pub(crate) fn moves(&self) -> &[Move] {
        self.emitter.relocation.moves()
    }
}

/// Class files from this version on are verified by their frames alone.
const FIRST_WITH_FRAMES: u16 = 51;

/// Class files of this version fall back to inference where frames are
/// missing or wrong.
const FIRST_THAT_MAY_HAVE_FRAMES: u16 = 50;

/// Appends the `info` of the edited `Code` attribute to `out`. What was
/// appended before a refusal has to be removed by the caller.
pub(crate) fn write_code(
    code: &Code<'_>,
    edit: &CodeEdit,
    pool: &mut PoolExtension,
    scratch: &mut RewriteScratch,
    out: &mut Vec<u8>,
) -> Result<(), Refusal> {
    let RewriteScratch { emitter, frames, rows } = scratch;
    let max_stack = edit.max_stack(code.max_stack());
    put_u2(out, u16::try_from(max_stack).map_err(|_| Refusal::StackTooDeep)?);
    put_u2(out, u16::try_from(edit.max_locals()).map_err(|_| Refusal::TooManyLocals)?);
    let length_at = out.len();
    put_u4(out, 0);
    let code_start = out.len();
    emitter.emit(code, edit, out)?;
    let code_length = (out.len() - code_start) as u32;
    patch_u4(out, length_at, code_length);
    write_exception_table(code, edit, emitter, rows, out)?;

    let count_at = out.len();
    put_u2(out, 0);
    let mut count = 0u32;
    let mut has_frames = false;
    let mut added_lines = landing_pad_lines(code, edit, emitter);
    for attribute in code.attributes() {
        let attribute = attribute?;
        let info_length_at = begin_attribute(attribute.name_index, out);
        let relocation = &emitter.relocation;
        match attribute.name {
            b"LineNumberTable" => {
                // Of several tables the first one gets them.
                let added = std::mem::take(&mut added_lines);
                write_line_numbers(&attribute, relocation, &added, out)?;
            }
            b"LocalVariableTable" | b"LocalVariableTypeTable" => {
                write_local_variables(&attribute, relocation, out)?;
            }
            b"StackMapTable" => {
                has_frames = true;
                write_stack_map(code, Some(&attribute), edit, emitter, pool, frames, out)?;
            }
            b"RuntimeVisibleTypeAnnotations" | b"RuntimeInvisibleTypeAnnotations" => {
                write_type_annotations(&attribute, relocation, rows, out)?;
            }
            b"StackMap" => return Err(Refusal::CldcStackMap),
            // Whatever it says about positions is unknown, so it cannot be moved.
            _ => out.extend_from_slice(attribute.info),
        }
        end_attribute(info_length_at, out)?;
        count += 1;
    }
    if !has_frames && needs_new_frames(code, edit, emitter) {
        let name = pool.utf8(b"StackMapTable")?;
        let info_length_at = begin_attribute(name, out);
        write_stack_map(code, None::<&Attribute<'_>>, edit, emitter, pool, frames, out)?;
        end_attribute(info_length_at, out)?;
        count += 1;
    }
    patch_u2(out, count_at, u16::try_from(count).map_err(|_| Refusal::TableTooLong)?);
    Ok(())
}

/// Whether a method without frames needs some after the edit.
fn needs_new_frames(code: &Code<'_>, edit: &CodeEdit, emitter: &Emitter) -> bool {
    if edit.handlers().is_empty() && emitter.splits.is_empty() {
        return false;
    }
    match code.method().class().major_version() {
        FIRST_WITH_FRAMES.. => true,
        // A method that got by without frames because it never jumps must
        // still verify. One that jumps was verified by inference and will be
        // again, and frames for only some of its targets would change nothing.
        FIRST_THAT_MAY_HAVE_FRAMES => {
            code.exception_table().len() == 0
                && !code.instructions().any(|instruction| {
                    instruction.targets().next().is_some() || instruction.opcode == opcode::RET
                })
        }
        _ => false,
    }
}

/// Writes the head of an attribute; gives the place of its length.
pub(crate) fn begin_attribute(name_index: u16, out: &mut Vec<u8>) -> usize {
    put_u2(out, name_index);
    put_u4(out, 0);
    out.len() - 4
}

/// Fills in the length of an attribute that ends here.
pub(crate) fn end_attribute(length_at: usize, out: &mut [u8]) -> Result<(), Refusal> {
    let length = out.len() - length_at - 4;
    patch_u4(out, length_at, u32::try_from(length).map_err(|_| Refusal::TableTooLong)?);
    Ok(())
}

//! A method that is copied from another class.

use super::method_rewrite::{begin_attribute, end_attribute};
use super::output::{patch_u2, put_u2, put_u4};
use super::pool_extension::PoolExtension;
use super::refusal::Refusal;
use super::stack_map::FrameHeader;
use super::verification_type::VerificationType;
use crate::read::access;
use crate::read::attribute::Attribute;
use crate::read::code::Code;
use crate::read::constant_pool::{ConstantPool, MemberRef, tag};
use crate::read::opcode;

/// Appends the `Code` attribute of a method, with the constants that it needs, to a
/// method of another class.
///
/// Instructions stay where they are, and so do frames. Of the other attributes of the
/// code, which debuggers read, none is copied.
pub(super) fn copy_code(
    code: &Code<'_>,
    pool: &mut PoolExtension,
    out: &mut Vec<u8>,
) -> Result<(), Refusal> {
    if code.exception_table().len() > 0 || names_private_members(code)? {
        return Err(Refusal::NotCopied);
    }
    let length_at = begin_attribute(pool.utf8(b"Code")?, out);
    put_u2(out, code.max_stack());
    put_u2(out, code.max_locals());
    put_u4(out, code.length());
    let start = out.len();
    out.extend_from_slice(code.bytecode());
    for instruction in code.instructions() {
        let Some(index) = instruction.pool_index() else { continue };
        let index = constant(code.constant_pool(), index, pool)?;
        let at = start + instruction.bci as usize + 1;
        if instruction.opcode == opcode::LDC {
            // See `intern_short_constants`.
            out[at] = u8::try_from(index).map_err(|_| Refusal::NotCopied)?;
        } else {
            patch_u2(out, at, index);
        }
    }
    // No exception table.
    put_u2(out, 0);
    let frames = code.attributes().find_map(|attribute| match attribute {
        Ok(attribute) => (attribute.name == b"StackMapTable").then_some(Ok(attribute)),
        Err(error) => Some(Err(error)),
    });
    match frames.transpose()? {
        Some(frames) => {
            put_u2(out, 1);
            let frames_at = begin_attribute(pool.utf8(b"StackMapTable")?, out);
            copy_frames(code.constant_pool(), &frames, pool, out)?;
            end_attribute(frames_at, out)?;
        }
        None => put_u2(out, 0),
    }
    end_attribute(length_at, out)
}

/// Makes entries for the constants that instructions of this code name with one byte,
/// before there are too many others for that.
pub(super) fn intern_short_constants(
    code: &Code<'_>,
    pool: &mut PoolExtension,
) -> Result<(), Refusal> {
    for instruction in code.instructions().filter(|i| i.opcode == opcode::LDC) {
        if let Some(index) = instruction.pool_index() {
            constant(code.constant_pool(), index, pool)?;
        }
    }
    Ok(())
}

/// Whether another class may not do what this code does.
fn names_private_members(code: &Code<'_>) -> Result<bool, Refusal> {
    let class = code.method().class();
    for instruction in code.instructions() {
        let Some(index) = instruction.pool_index() else { continue };
        let kind = code.constant_pool().tag(index);
        if !matches!(kind, Some(tag::FIELDREF | tag::METHODREF | tag::INTERFACE_METHODREF)) {
            continue;
        }
        let named = code.constant_pool().member_ref(index)?;
        let members = if kind == Some(tag::FIELDREF) { class.fields() } else { class.methods() };
        let is_private = named.owner == class.this_class()
            && members.iter().any(|member| {
                (member.name(), member.descriptor()) == (named.name, named.descriptor)
                    && member.access_flags() & access::PRIVATE != 0
            });
        if is_private {
            return Ok(true);
        }
    }
    Ok(false)
}

/// The index of the same constant in the other class.
fn constant(from: &ConstantPool<'_>, index: u16, pool: &mut PoolExtension) -> Result<u16, Refusal> {
    match from.tag(index) {
        Some(tag::CLASS) => pool.class(from.class_name(index)?),
        Some(tag::INTEGER) => pool.integer(from.integer(index)?),
        Some(tag::LONG) => pool.long(from.long(index)?),
        Some(tag::FIELDREF) => {
            let MemberRef { owner, name, descriptor, .. } = from.member_ref(index)?;
            pool.fieldref(owner, name, descriptor)
        }
        Some(tag::METHODREF) => {
            let MemberRef { owner, name, descriptor, .. } = from.member_ref(index)?;
            pool.methodref(owner, name, descriptor)
        }
        _ => Err(Refusal::NotCopied),
    }
}

/// Copies the contents of a `StackMapTable`.
fn copy_frames(
    from: &ConstantPool<'_>,
    frames: &Attribute<'_>,
    pool: &mut PoolExtension,
    out: &mut Vec<u8>,
) -> Result<(), Refusal> {
    let start = out.len();
    out.extend_from_slice(frames.info);
    let mut reader = frames.reader();
    for _ in 0..reader.u2()? {
        let header = FrameHeader::read(&mut reader)?;
        for list in 0..2 {
            for _ in 0..header.types_in(list, &mut reader)? {
                match VerificationType::read(&mut reader)? {
                    VerificationType::Object(class) => {
                        let class = constant(from, class, pool)?;
                        let at = start + reader.position() - 2;
                        patch_u2(out, at, class);
                    }
                    VerificationType::Uninitialized(_) => return Err(Refusal::NotCopied),
                    _ => {}
                }
            }
        }
    }
    Ok(())
}

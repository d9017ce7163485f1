//! Gives methods back the names of their parameters (JVMS 4.7.24).

use super::output::{put_u2, put_u4};
use crate::read::class_file::ClassFile;
use crate::read::constant_pool::tag;
use crate::read::reader::u2_at;

const NAME: &[u8] = b"MethodParameters";

/// What a method knows of its parameters. Names are indices of the constant pool.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MethodParameters {
    /// The method's name.
    pub name: u16,
    /// Its descriptor.
    pub descriptor: u16,
    /// Name (0 if it has none) and access flags of each parameter.
    pub parameters: Vec<[u16; 2]>,
}

/// The class with these attributes beside those that its methods have. `None` if one of them
/// is there already, or if anything does not fit: a method that the class does not have, a
/// name that is none, a constant pool that is full.
pub fn with_method_parameters(
    class: &ClassFile<'_>,
    given: &[MethodParameters],
) -> Option<Vec<u8>> {
    let bytes = class.bytes();
    let pool = class.constant_pool();
    let is_name = |index: u16| index == 0 || pool.utf8(index).is_ok_and(|name| !name.is_empty());
    if !given.iter().flat_map(|method| &method.parameters).all(|&[name, _]| is_name(name)) {
        return None;
    }
    let attribute = u2_at(bytes, 8)?;
    let count = attribute.checked_add(1)?;
    let mut out = Vec::with_capacity(bytes.len() + 32 * given.len() + 32);
    out.extend_from_slice(bytes.get(..8)?);
    put_u2(&mut out, count);
    out.extend_from_slice(bytes.get(10..pool.end())?);
    out.push(tag::UTF8);
    put_u2(&mut out, NAME.len() as u16);
    out.extend_from_slice(NAME);
    out.extend_from_slice(bytes.get(pool.end()..class.methods_start() + 2)?);
    let mut at = class.methods_start() + 2;
    let mut restored = 0;
    for _ in 0..u2_at(bytes, class.methods_start())? {
        let start = at;
        let (name, descriptor) = (u2_at(bytes, at + 2)?, u2_at(bytes, at + 4)?);
        let attributes = u2_at(bytes, at + 6)?;
        at += 8;
        for _ in 0..attributes {
            if pool.utf8(u2_at(bytes, at)?).ok()? == NAME {
                return None;
            }
            let length = u32::from(u2_at(bytes, at + 2)?) << 16 | u32::from(u2_at(bytes, at + 4)?);
            at = at.checked_add(6)?.checked_add(usize::try_from(length).ok()?)?;
        }
        let is_it =
            |method: &&MethodParameters| (method.name, method.descriptor) == (name, descriptor);
        let Some(method) = given.iter().find(is_it) else {
            out.extend_from_slice(bytes.get(start..at)?);
            continue;
        };
        restored += 1;
        out.extend_from_slice(bytes.get(start..start + 6)?);
        put_u2(&mut out, attributes.checked_add(1)?);
        out.extend_from_slice(bytes.get(start + 8..at)?);
        put_u2(&mut out, attribute);
        put_u4(&mut out, 1 + 4 * method.parameters.len() as u32);
        out.push(u8::try_from(method.parameters.len()).ok()?);
        for part in method.parameters.as_flattened() {
            put_u2(&mut out, *part);
        }
    }
    out.extend_from_slice(bytes.get(at..)?);
    (restored == given.len()).then_some(out)
}

//! Notes which version of a class has which code.
//!
//! HotSpot counts how often a class has been redefined, in its constant pool (`_version` of
//! `constantPool.hpp`), and a frame that a program looks at keeps the number of the code that
//! it runs. Neither interface tells the number, nor does HotSpot describe its place; but that
//! has been right behind the number of constants in all releases, which is described.

use std::borrow::Cow;
use std::sync::OnceLock;

use jvmti_bindings::sys::jni::jclass;

use super::jvmti::Jvmti;
use super::method_ids::{are_addresses, description_of};
use super::session::Session;
use super::vm_structs::{field_offset, size_of};
use instrument::code_indices::versions::ClassName;
use instrument::rewrite::class_load::{LoadRequest, Transformed};

/// The way from a method to the number.
#[derive(Debug, Clone, Copy)]
struct Way {
    /// In `Method`: its `ConstMethod`.
    const_method: usize,
    /// In `ConstMethod`: the `ConstantPool`.
    constants: usize,
    /// In `ConstantPool`: the number.
    version: usize,
}

impl Way {
    /// As HotSpot describes it; `None` if it does not.
    fn of_this_jvm() -> Option<Self> {
        let version = field_offset(c"ConstantPool", c"_length", c"int")? + size_of(c"int")?;
        let has_room = version + size_of(c"int")? <= size_of(c"ConstantPool")?;
        has_room.then_some(Self {
            const_method: field_offset(c"Method", c"_constMethod", c"ConstMethod*")?,
            constants: field_offset(c"ConstMethod", c"_constants", c"ConstantPool*")?,
            version,
        })
    }
}

/// What the JVM is given for a class, after it is noted; `class` is the class if it is loaded
/// already, and `in_advance` says that it was rewritten before the JVM asked.
pub fn noted(
    session: &Session,
    class: Option<jclass>,
    request: &LoadRequest<'_>,
    transformed: Option<Transformed>,
    in_advance: bool,
) -> Option<Vec<u8>> {
    let of_file = || transformed.as_ref().and_then(Transformed::class_name).unwrap_or_default();
    let name = request.name.map_or_else(|| Cow::Owned(of_file().into()), Cow::Borrowed);
    let known = ClassName { name: &name, is_boot: request.boot };
    let versions = &session.recorder.code_versions;
    let is_known = versions.knows(known);
    let version = || match class {
        None => Some(0),
        // The JVM has just loaded it, and there is no other agent: to ask takes longer.
        Some(_) if in_advance && !is_known => Some(1),
        Some(class) => next(session.jvmti, class),
    };
    let given = transformed.map(|transformed| (transformed.bytes, transformed.moved));
    let (bytes, moved) = given.unzip();
    // Nobody asks for code that was never rewritten, or can where frames do not tell theirs.
    if (bytes.is_some() || is_known)
        && are_addresses(session.jvmti)
        && let Some(version) = version()
    {
        versions.note(known, version, moved);
    }
    bytes
}

/// The number that the version will have to which this thread is about to redefine a class:
/// to be asked by the hook, where ids of methods are addresses. `None` if HotSpot does not let
/// it be known.
fn next(jvmti: Jvmti, class: jclass) -> Option<u16> {
    static WAY: OnceLock<Option<Way>> = OnceLock::new();
    let way = (*WAY.get_or_init(Way::of_this_jvm))?;
    let methods = jvmti.methods(class).ok()?;
    let &id = methods.as_slice().first()?;
    // SAFETY: the class lives. This thread is redefining it, and nobody else can meanwhile, so
    // what describes it stays; the fields are where HotSpot says, and of the types that it
    // says.
    let version = unsafe {
        let method = description_of(id);
        if method.is_null() {
            return None;
        }
        let const_method = method.add(way.const_method).cast::<*const u8>().read();
        let constants = const_method.add(way.constants).cast::<*const u8>().read();
        constants.add(way.version).cast::<u32>().read()
    };
    // Frames keep 16 bits of it.
    u16::try_from(version).ok()?.checked_add(1)
}

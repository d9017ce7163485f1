//! Names of parameters that HotSpot would forget.
//!
//! Of a class that no agent has changed yet, HotSpot makes up the class file when it is
//! retransformed. Before JDK 21 it leaves out what methods know of their parameters (the
//! attribute `MethodParameters`, JDK-8240908), and from then on reflection knows no names: a
//! program compiled with `-parameters` that looks its parameters up by name fails. What
//! HotSpot itself knows of them lies in its description of the method, and from there it
//! goes back into the class file.

use std::ffi::CStr;
use std::sync::OnceLock;

use classfile::{ClassFile, MethodParameters, with_method_parameters};
use jvmti_bindings::sys::jni::jclass;

use super::jvmti::Jvmti;
use super::method_ids::description_of;
use super::vm_structs::{constant, field_offset, size_of};

/// The first release that leaves nothing out.
const MENDED: u16 = 21;

/// Where HotSpot has what it knows of a method (`constMethod.hpp`).
#[derive(Debug, Clone, Copy)]
struct Layout {
    /// In `Method`: its `ConstMethod`.
    const_method: usize,
    /// In `ConstMethod`: its size in words.
    size: usize,
    flags: usize,
    name: usize,
    descriptor: usize,
    /// Flags: it has parameters, and a generic signature in front of them.
    has_parameters: u16,
    has_generic_signature: u16,
    /// Flags: each of these has a pointer at the end.
    pointers: [u16; 4],
}

impl Layout {
    /// As HotSpot describes it; `None` if it does not, or forgets nothing.
    fn of_this_jvm(jvmti: Jvmti) -> Option<Self> {
        if jvmti.release() >= MENDED || size_of(c"MethodParametersElement")? != 4 {
            return None;
        }
        let field = |name, its_type| field_offset(c"ConstMethod", name, its_type);
        let flag = |name: &CStr| u16::try_from(constant(name)?).ok();
        Some(Self {
            const_method: field_offset(c"Method", c"_constMethod", c"ConstMethod*")?,
            size: field(c"_constMethod_size", c"int")?,
            flags: field(c"_flags", c"u2")?,
            name: field(c"_name_index", c"u2")?,
            descriptor: field(c"_signature_index", c"u2")?,
            has_parameters: flag(c"ConstMethod::_has_method_parameters")?,
            has_generic_signature: flag(c"ConstMethod::_has_generic_signature")?,
            pointers: [
                flag(c"ConstMethod::_has_method_annotations")?,
                flag(c"ConstMethod::_has_parameter_annotations")?,
                flag(c"ConstMethod::_has_type_annotations")?,
                flag(c"ConstMethod::_has_default_annotations")?,
            ],
        })
    }

    /// What a method knows of its parameters, if anything.
    ///
    /// # Safety
    /// `method` is a `Method` of HotSpot that nobody frees meanwhile.
    unsafe fn parameters(&self, method: *const u8) -> Option<MethodParameters> {
        // SAFETY: the fields are where HotSpot says, and of the types that it says. Behind
        // its fields and the bytecodes a ConstMethod has, from its end backwards: a pointer
        // for each kind of annotations, the index of the generic signature, the number of
        // parameters, and these, all in words of two bytes (`last_u2_element`,
        // `method_parameters_length_addr`).
        unsafe {
            let of = method.add(self.const_method).cast::<*const u8>().read();
            let u2 = |at: usize| of.add(at).cast::<u16>().read();
            let flags = u2(self.flags);
            if flags & self.has_parameters == 0 {
                return None;
            }
            let words = usize::try_from(of.add(self.size).cast::<i32>().read()).ok()?;
            let pointers = self.pointers.iter().filter(|&&pointer| flags & pointer != 0).count();
            let mut length_at = (words * 8).checked_sub(pointers * 8 + 2)?;
            if flags & self.has_generic_signature != 0 {
                length_at -= 2;
            }
            let count = usize::from(u2(length_at));
            let first = length_at.checked_sub(4 * count)?;
            if first < self.descriptor + 2 || count > usize::from(u8::MAX) {
                return None;
            }
            let parameter = |number: usize| [u2(first + 4 * number), u2(first + 4 * number + 2)];
            Some(MethodParameters {
                name: u2(self.name),
                descriptor: u2(self.descriptor),
                parameters: (0..count).map(parameter).collect(),
            })
        }
    }
}

/// The class file that a retransformation is to begin with, if the one that HotSpot has made
/// up lacks names of parameters. A class file that somebody else brings has other indices, or
/// such names of its own, and stays as it is.
pub fn restored(jvmti: Jvmti, class: jclass, bytes: &[u8]) -> Option<Vec<u8>> {
    static LAYOUT: OnceLock<Option<Layout>> = OnceLock::new();
    let layout = LAYOUT.get_or_init(|| Layout::of_this_jvm(jvmti)).as_ref()?;
    let methods = jvmti.methods(class).ok()?;
    let known = methods.as_slice().iter().filter_map(|&id| {
        // SAFETY: in these releases ids are addresses. The class is being redefined by this
        // thread, and nobody else can redefine it meanwhile, so its methods stay.
        unsafe {
            let method = description_of(id);
            if method.is_null() { None } else { layout.parameters(method) }
        }
    });
    let known: Vec<MethodParameters> = known.collect();
    if known.is_empty() {
        return None;
    }
    with_method_parameters(&ClassFile::parse(bytes).ok()?, &known)
}

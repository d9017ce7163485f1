//! The frames that a program walks through (`StackWalker`): which code each of them runs.
//!
//! A frame has the index of an instruction, but not in which code. HotSpot keeps that in
//! fields which it adds to the JDK's classes and describes nowhere: `version`, two bytes in the
//! frame (`java_lang_StackFrameInfo`), is the number of the version of the class, and
//! `vmtarget`, a word in what the frame names its method by (`ResolvedMethodName`), the
//! address of the method's description. Both are found by what else is in these objects, and
//! the address is only compared, never followed.
//!
//! All that happens in the midst of the program's own code. So no code of Java runs here, not
//! even that of an exception: nothing is looked up that may not be there.

use std::ffi::CString;

use jvmti_bindings::sys::jni::{jclass, jint, jmethodID, jobject};
use parking_lot::Mutex;

use super::flags;
use super::global_class::GlobalClass;
use super::jni::{Field, Jni};
use super::jni_unsafe::Unsafe;
use super::jvmti::{DeclaredField, Jvmti};
use super::method_ids::{are_addresses, description_of};
use super::session::Session;
use instrument::code_indices::versions::{ClassName, Place};

/// The fields of a frame that lead to its method: by release.
const MEMBERS: [&[u8]; 2] = [b"memberName", b"classOrMemberName"];

/// Where frames have what is needed of them.
#[derive(Debug)]
struct Layout {
    /// What the frame names its method by.
    member: Field,
    /// The class of what that field leads to.
    member_class: GlobalClass,
    /// From there to a `ResolvedMethodName`, if it is none itself.
    resolved: Option<Field>,
    /// From there to the class of the method.
    class: Field,
    /// Where `version` may be in a frame. The others are never written, so zeros are there.
    versions: Vec<u64>,
    /// Where `vmtarget` may be in a `ResolvedMethodName`.
    targets: Vec<u64>,
    /// The class of frames that are laid out so.
    frame_class: GlobalClass,
    words: &'static Unsafe,
}

/// The index that the program is to see for a frame, which has this one itself; `None` if it
/// is to see that.
pub fn original_index(session: &Session, jni: Jni, frame: jobject, index: jint) -> Option<jint> {
    // Native methods have none.
    let place = u32::try_from(index).ok()?;
    if !are_addresses(session.jvmti) {
        return None;
    }
    let class = jni.class_of(frame)?;
    let layout = Layout::of(class, session, jni, frame, place)?;
    let original = layout.original_index(session, jni, frame, place)?;
    jint::try_from(original).ok()
}

/// The layouts of frames that were asked for their index: there are two classes of frames.
static LAYOUTS: Mutex<Vec<&'static Layout>> = Mutex::new(Vec::new());

impl Layout {
    /// That of frames of this class; `index` is the one that the frame has.
    fn of(
        class: jclass,
        session: &Session,
        jni: Jni,
        frame: jobject,
        index: u32,
    ) -> Option<&'static Self> {
        let mut layouts = LAYOUTS.lock();
        let is_of_class = |layout: &&&Self| jni.is_same(class, layout.frame_class.reference());
        if let Some(&layout) = layouts.iter().find(is_of_class) {
            return Some(layout);
        }
        let layout: &Self = Box::leak(Box::new(Self::find(session, jni, frame, class, index)?));
        layouts.push(layout);
        Some(layout)
    }

    fn find(
        session: &Session,
        jni: Jni,
        frame: jobject,
        class: jclass,
        index: u32,
    ) -> Option<Self> {
        let jvmti = session.jvmti;
        let words = Unsafe::get(jni, session.runtime.get()?.reference())?;
        let fields = instance_fields(jvmti, jni, class)?;
        let bytes = |object| u64::try_from(jvmti.object_size(object).ok()?).ok();
        let frame_bytes = bytes(frame)?;
        // Whether offsets are what they are taken for shows where the index is.
        let at = fields.iter().find(|field| &*field.name == b"bci")?.offset;
        // SAFETY: within the object.
        let found = (at < frame_bytes).then(|| unsafe { words.short(jni, frame, at) })??;
        if found != index as u16 {
            return None;
        }
        let member = MEMBERS.iter().find_map(|name| find(jni, class, &fields, name))?;
        let named = jni.get_object(frame, member)?;
        let named_class = jni.class_of(named)?;
        let of_named = instance_fields(jvmti, jni, named_class)?;
        let resolved = find(jni, named_class, &of_named, b"method");
        let of_method = match resolved {
            Some(_) => find(jni, named_class, &of_named, b"clazz")?,
            None => find(jni, named_class, &of_named, b"vmholder")?,
        };
        let method = match resolved {
            Some(resolved) => jni.get_object(named, resolved)?,
            None => named,
        };
        Some(Self {
            member,
            member_class: GlobalClass::new(jni.global(named_class)?),
            resolved,
            class: of_method,
            versions: gaps(&fields, flags::reference_bytes().into(), frame_bytes),
            // The first word of an object is none of its fields.
            targets: (8..bytes(method)?).step_by(8).collect(),
            frame_class: GlobalClass::new(jni.global(class)?),
            words,
        })
    }

    fn original_index(
        &self,
        session: &Session,
        jni: Jni,
        frame: jobject,
        index: u32,
    ) -> Option<u32> {
        let jvmti = session.jvmti;
        let named = jni.get_object(frame, self.member)?;
        if !jni.is_instance(named, self.member_class.reference()) {
            return None;
        }
        let class = jni.get_object(named, self.class)?;
        let name = jvmti.class_name(class).ok()?;
        // Of a hidden class what the JVM has added to the name stands behind a dot.
        let added = name.iter().position(|&byte| byte == b'.');
        let is_boot = session.with_loader(class, |loader| loader.is_null())?;
        let known = match added {
            Some(end) => ClassName { name: &name[..end], is_boot: false },
            None => ClassName { name: &name, is_boot },
        };
        let versions = &session.recorder.code_versions;
        if !versions.knows(known) {
            return None;
        }
        let resolved = match self.resolved {
            Some(resolved) => jni.get_object(named, resolved)?,
            None => named,
        };
        let id = self.method(jvmti, jni, class, resolved)?;
        let (name, descriptor) = jvmti.method_name(id).ok()?;
        versions.original(&Place {
            class: known,
            version: self.version(jni, frame)?,
            name: &name,
            descriptor: &descriptor,
            length: jvmti.code_length(id).ok()?,
            index,
        })
    }

    fn version(&self, jni: Jni, frame: jobject) -> Option<u16> {
        self.versions.iter().try_fold(0, |version, &at| {
            // SAFETY: a place between fields of the object.
            Some(version | unsafe { self.words.short(jni, frame, at) }?)
        })
    }

    /// The method of a class that a `ResolvedMethodName` is of.
    fn method(
        &self,
        jvmti: Jvmti,
        jni: Jni,
        class: jclass,
        resolved: jobject,
    ) -> Option<jmethodID> {
        // SAFETY: words of the object, all of whose class have the same size.
        let word = |&at: &u64| unsafe { self.words.long(jni, resolved, at) };
        let targets: Vec<u64> = self.targets.iter().map(word).collect::<Option<_>>()?;
        let methods = jvmti.methods(class).ok()?;
        // SAFETY: ids of a live class, and addresses, as was asked before.
        let description = |id: jmethodID| unsafe { description_of(id) }.addr() as u64;
        let is_target =
            |&id: &jmethodID| targets.contains(&description(id)) && description(id) != 0;
        methods.as_slice().iter().copied().find(is_target)
    }
}

fn instance_fields(jvmti: Jvmti, jni: Jni, class: jclass) -> Option<Vec<DeclaredField>> {
    let mut fields = Vec::new();
    for class in jni.with_superclasses(class) {
        fields.extend(jvmti.instance_fields(class).ok()?);
    }
    Some(fields)
}

/// One of these fields, if it is there.
fn find(jni: Jni, class: jclass, fields: &[DeclaredField], name: &[u8]) -> Option<Field> {
    let field = fields.iter().find(|field| *field.name == *name)?;
    let name = CString::new(&*field.name).ok()?;
    let descriptor = CString::new(&*field.descriptor).ok()?;
    jni.field(class, &name, &descriptor)
}

/// Where two bytes are free between the fields of an object and behind them.
fn gaps(fields: &[DeclaredField], reference_bytes: u64, object_bytes: u64) -> Vec<u64> {
    let range = |field: &DeclaredField| {
        let bytes = match &*field.descriptor {
            b"Z" | b"B" => 1,
            b"C" | b"S" => 2,
            b"I" | b"F" => 4,
            b"J" | b"D" => 8,
            _ => reference_bytes,
        };
        field.offset..field.offset + bytes
    };
    let taken: Vec<_> = fields.iter().map(range).collect();
    // The header, in front of the first field, is not free either.
    let first = taken.iter().map(|range| range.start).min().unwrap_or(object_bytes);
    let is_free = |at: &u64| taken.iter().all(|range| at + 2 <= range.start || *at >= range.end);
    (first.next_multiple_of(2)..object_bytes).step_by(2).filter(is_free).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn field(offset: u64, descriptor: &[u8]) -> DeclaredField {
        let (name, descriptor) = ((*b"f").into(), descriptor.into());
        DeclaredField { name, descriptor, is_static: false, offset }
    }

    #[test]
    fn two_bytes_are_free_where_no_field_is() {
        // As HotSpot 17 lays out a frame: its own two bytes lie behind the index.
        let references = [(20, b"Ljava/lang/Object;" as &[u8]), (24, b"[I")];
        let mut fields = vec![field(12, b"I"), field(18, b"Z")];
        fields.extend(references.map(|(offset, descriptor)| field(offset, descriptor)));
        assert_eq!(gaps(&fields, 4, 32), [16, 28, 30]);
        fields.extend([field(28, b"C"), field(16, b"B")]);
        assert_eq!(gaps(&fields, 4, 32), [30]);
        // As HotSpot 25 does, with references of eight bytes: they lie behind it all.
        let fields = [field(16, b"J"), field(24, b"Ljava/lang/Object;"), field(32, b"I")];
        assert_eq!(gaps(&fields, 8, 40), [36, 38]);
        assert_eq!(gaps(&[], 4, 16), [0; 0]);
    }
}

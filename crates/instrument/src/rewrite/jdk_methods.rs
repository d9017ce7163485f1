//! Methods of the JDK that do something for the agent beside being recorded.

use classfile::{
    ClassEditor, Code, CodeEdit, Fragment, Local, LocalType, Member, PoolExtension, Refusal, opcode,
};

use super::class_load::Subject;
use crate::dataflow;
use crate::dataflow::methods::upcalls::is_upcall;
use crate::dataflow::mode::DataflowMode;
use crate::probe::members;

/// Has the constructor of `Object` give objects their tags.
pub(super) fn tag_objects(
    subject: &Subject<'_>,
    edit: &mut CodeEdit,
    editor: &mut ClassEditor<'_>,
) -> Result<(), Refusal> {
    edit_constructors(subject, edit, editor, |edit, pool| {
        dataflow::objects::tags::allocation_hooks::insert_in_object(edit, pool)
    })
}

/// Reflection does not see fields that were added, also while nothing is recorded; true if this
/// class has the method that filters fields.
pub(super) fn hide_fields_in_filters(
    subject: &Subject<'_>,
    edit: &mut CodeEdit,
    editor: &mut ClassEditor<'_>,
) -> Result<bool, Refusal> {
    edit_one(subject, edit, editor, filters_fields, |_, edit, editor| {
        edit.at_entry(hide_fields(editor)?);
        Ok(())
    })
}

/// Edits the first method that is the one, though it gets no probes; true if there is one.
fn edit_one(
    subject: &Subject<'_>,
    edit: &mut CodeEdit,
    editor: &mut ClassEditor<'_>,
    is_it: impl Fn(&Subject<'_>, &Member<'_>) -> bool,
    change: impl FnOnce(&Code<'_>, &mut CodeEdit, &mut ClassEditor<'_>) -> Result<(), Refusal>,
) -> Result<bool, Refusal> {
    for (index, method) in subject.class.methods().iter().enumerate() {
        if is_it(subject, &method)
            && let Some(code) = method.code()?
        {
            edit.restart(&code);
            change(&code, edit, editor)?;
            editor.edit_code(index, edit)?;
            return Ok(true);
        }
    }
    Ok(false)
}

/// Gives the constructors of `Thread` what they need also without probes: `base` is
/// where the profile's file is mapped.
pub(super) fn set_first_slots(
    base: u64,
    subject: &Subject<'_>,
    edit: &mut CodeEdit,
    editor: &mut ClassEditor<'_>,
) -> Result<(), Refusal> {
    edit_constructors(subject, edit, editor, |edit, pool| {
        edit.at_entry(members::set_first_slot(base, pool)?);
        Ok(())
    })
}

/// Has the methods that link calls do what a mode wants, though they have no probes, and tell
/// when they begin and end if that is `told`; true if that is anything.
pub(super) fn edit_linker(
    mode: Option<&dyn DataflowMode>,
    told: bool,
    subject: &Subject<'_>,
    edit: &mut CodeEdit,
    editor: &mut ClassEditor<'_>,
) -> Result<bool, Refusal> {
    let mut changed = false;
    for (index, method) in subject.class.methods().iter().enumerate() {
        let Some(code) = method.code()? else { continue };
        edit.restart(&code);
        let mut edited = match mode {
            Some(mode) => mode.edit_linker(&code, edit, editor.pool())?,
            None => false,
        };
        if told && method.name() != b"<clinit>" && is_upcall(subject.class.this_class(), &method) {
            tell_links(&code, edit, editor.pool())?;
            edited = true;
        }
        if edited {
            editor.edit_code(index, edit)?;
            changed = true;
        }
    }
    Ok(changed)
}

/// Has a method tell when it begins and when it returns. One that throws has linked nothing.
fn tell_links(
    code: &Code<'_>,
    edit: &mut CodeEdit,
    pool: &mut PoolExtension,
) -> Result<(), Refusal> {
    let link = edit.new_local(LocalType::Long);
    let begin = pool.methodref(members::RUNTIME.as_bytes(), b"beginLink", b"()J")?;
    edit.at_entry(Fragment::new().invokestatic(begin, 0, 2).store_long(link));
    let end = pool.methodref(members::RUNTIME.as_bytes(), b"endLink", b"(J)V")?;
    let end = Fragment::new().load_long(link).invokestatic(end, 2, 0);
    for instruction in code.instructions().filter(|found| opcode::is_return(found.opcode)) {
        edit.before(instruction.bci, &end);
    }
    Ok(())
}

/// Edits the code of every constructor of a class.
fn edit_constructors(
    subject: &Subject<'_>,
    edit: &mut CodeEdit,
    editor: &mut ClassEditor<'_>,
    insert: impl Fn(&mut CodeEdit, &mut PoolExtension) -> Result<(), Refusal>,
) -> Result<(), Refusal> {
    for (index, method) in subject.class.methods().iter().enumerate() {
        if method.name() == b"<init>"
            && let Some(code) = method.code()?
        {
            edit.restart(&code);
            insert(edit, editor.pool())?;
            editor.edit_code(index, edit)?;
        }
    }
    Ok(())
}

const DEFINE_CLASS: &[u8] = b"(Ljava/lang/ClassLoader;Ljava/lang/Class;Ljava/lang/String;[B\
    Ljava/security/ProtectionDomain;ZILjava/lang/Object;)Ljava/lang/Class;";

/// Where hidden classes, and others that a lookup defines, are on their way to the
/// JVM: `JavaLangAccess.defineClass`, implemented by an anonymous class in `System`.
pub(super) fn defines_hidden_classes(subject: &Subject<'_>, method: &Member<'_>) -> bool {
    subject.boot
        && subject.name.starts_with("java/lang/System$")
        && method.name() == b"defineClass"
        && method.descriptor() == DEFINE_CLASS
}

/// Where the JDK hides fields from reflection.
pub(super) fn filters_fields(subject: &Subject<'_>, method: &Member<'_>) -> bool {
    subject.boot
        && subject.name == "jdk/internal/reflect/Reflection"
        && method.name() == b"filterFields"
        && method.descriptor() == FILTER_FIELDS
}

const FILTER_FIELDS: &[u8] =
    b"(Ljava/lang/Class;[Ljava/lang/reflect/Field;)[Ljava/lang/reflect/Field;";

/// Replaces the argument that holds the fields.
pub(super) fn hide_fields(editor: &mut ClassEditor<'_>) -> Result<Fragment, Refusal> {
    let pool = editor.pool();
    let descriptor = b"([Ljava/lang/reflect/Field;)[Ljava/lang/reflect/Field;";
    let hide = pool.methodref(members::RUNTIME.as_bytes(), b"withoutOurs", descriptor)?;
    let array = pool.class(b"[Ljava/lang/reflect/Field;")?;
    let fields = Local::existing(1, LocalType::Object(array));
    Ok(Fragment::new().load_reference(fields).invokestatic(hide, 1, 1).store_reference(fields))
}

/// Replaces the argument that holds the class's bytes, if its flags say that it is
/// hidden.
pub(super) fn rewrite_hidden_class(editor: &mut ClassEditor<'_>) -> Result<Fragment, Refusal> {
    let pool = editor.pool();
    let rewrite = pool.methodref(members::RUNTIME.as_bytes(), b"defined", b"([BI)[B")?;
    let array = pool.class(b"[B")?;
    let bytes = Local::existing(4, LocalType::Object(array));
    let flags = Local::existing(7, LocalType::Int);
    let arguments = Fragment::new().load_reference(bytes).load_int(flags);
    Ok(arguments.invokestatic(rewrite, 2, 1).store_reference(bytes))
}

/// Frames of stacks tell the index of an instruction in the code as it was, also while nothing
/// is recorded: a frame may still run what it was entered with. True if this is their class.
pub(super) fn tell_original_indices(
    subject: &Subject<'_>,
    edit: &mut CodeEdit,
    editor: &mut ClassEditor<'_>,
) -> Result<bool, Refusal> {
    edit_one(subject, edit, editor, tells_index, tell_original_index)
}

/// Where a frame tells the index of the instruction at which it stands.
pub(super) fn tells_index(subject: &Subject<'_>, method: &Member<'_>) -> bool {
    subject.boot
        && subject.name == FRAME
        && method.name() == b"getByteCodeIndex"
        && method.descriptor() == b"()I"
}

/// The class of the frames that a program walks through.
pub const FRAME: &str = "java/lang/StackFrameInfo";

/// Replaces what is returned.
pub(super) fn tell_original_index(
    code: &Code<'_>,
    edit: &mut CodeEdit,
    editor: &mut ClassEditor<'_>,
) -> Result<(), Refusal> {
    let descriptor = b"(Ljava/lang/Object;I)I";
    let original =
        editor.pool().methodref(members::RUNTIME.as_bytes(), b"originalIndex", descriptor)?;
    for instruction in code.instructions().filter(|found| found.opcode == opcode::IRETURN) {
        let frame = Fragment::new().simple(opcode::ALOAD_0).swap();
        edit.before(instruction.bci, frame.invokestatic(original, 2, 1));
    }
    Ok(())
}

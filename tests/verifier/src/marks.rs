//! A proof by reading: every instruction gets a mark before and behind it,
//! and the marked code is compared with the original, one instruction at a
//! time.
//!
//! Verifiers accept a branch that leads to the wrong place with the right
//! types; this comparison does not. It also knows which instructions an
//! exception table entry covers, which line they belong to, and where a local
//! variable lives.

use crate::marked_code::compare;
use classfile::{
    ClassEditor, ClassFile, Code, CodeEdit, Error, Fragment, Local, LocalType, Refusal, Scratch,
    opcode,
};

/// The constant of the `iinc` that stands before an instruction.
pub(crate) const BEFORE: i32 = 1;
/// The constant of the `iinc` that stands behind an instruction which may
/// fall through.
pub(crate) const AFTER: i32 = 2;

/// A class in which all methods that can be edited are marked.
#[derive(Debug)]
pub struct Marked {
    /// The class file.
    pub bytes: Vec<u8>,
    /// Index of each marked method, and the local that its marks use.
    pub methods: Vec<(usize, u16)>,
}

/// Marks all methods of a class. The memory may have been used for other
/// classes; the result must be the same as with new memory.
///
/// # Errors
/// If the bytes are no class file.
pub fn mark_class(bytes: &[u8], scratch: &mut Scratch) -> Result<Marked, Error> {
    let class = ClassFile::parse(bytes)?;
    let mut methods = Vec::new();
    let mut editor = ClassEditor::with_scratch(&class, scratch);
    for (index, method) in class.methods().iter().enumerate() {
        if let Ok(Some(code)) = method.code()
            && let Ok(local) = mark(&mut editor, index, &code)
        {
            methods.push((index, local.index()));
        }
    }
    Ok(Marked { bytes: editor.finish(), methods })
}

/// Compares a class with its marked form.
///
/// # Errors
/// The first difference.
pub fn compare_class(original: &[u8], marked: &Marked) -> Result<(), String> {
    let original = ClassFile::parse(original).map_err(|error| error.to_string())?;
    let class = ClassFile::parse(&marked.bytes).map_err(|error| error.to_string())?;
    for &(index, local) in &marked.methods {
        let (Some(old), Some(new)) = (original.methods().get(index), class.methods().get(index))
        else {
            return Err(format!("method {index} is lost"));
        };
        let (Ok(Some(before)), Ok(Some(after))) = (old.code(), new.code()) else {
            return Err(format!("the code of method {index} is lost"));
        };
        compare(&before, &after, local).map_err(|difference| {
            let name = String::from_utf8_lossy(old.name());
            format!("{name}{}: {difference}", String::from_utf8_lossy(old.descriptor()))
        })?;
    }
    Ok(())
}

/// Marks a class and compares; gives how many methods were compared.
///
/// # Errors
/// The first difference, or why the bytes are no class file.
pub fn prove(bytes: &[u8], scratch: &mut Scratch) -> Result<usize, String> {
    let marked = mark_class(bytes, scratch).map_err(|error| error.to_string())?;
    compare_class(bytes, &marked)?;
    Ok(marked.methods.len())
}

/// Marks all instructions of one method; gives the local that marks use.
fn mark(editor: &mut ClassEditor<'_>, index: usize, code: &Code<'_>) -> Result<Local, Refusal> {
    let mut edit = CodeEdit::new(code);
    let local = edit.new_local(LocalType::Int);
    let entry = Fragment::new().simple(opcode::ICONST_0).store_int(local);
    edit.at_entry(entry);
    for instruction in code.instructions() {
        edit.before(instruction.bci, Fragment::new().iinc(local, BEFORE));
        if !opcode::is_unconditional(instruction.opcode) {
            edit.after(instruction.bci, Fragment::new().iinc(local, AFTER));
        }
    }
    editor.edit_code(index, &edit)?;
    Ok(local)
}

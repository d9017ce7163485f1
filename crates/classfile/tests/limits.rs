//! What cannot be done is refused by name, and the rest of the class goes on.

use crate::assembler::*;
use subsume_classfile::{
    ClassEditor, ClassFile, CodeEdit, Fragment, LocalType, NewMethod, PoolExtension, Refusal,
    access, opcode::*,
};

fn nops(count: usize) -> Fragment {
    Fragment::new().raw(&vec![NOP; count], 0)
}

/// Two methods: a small one and one of 65,535 bytes.
fn class_with_full_method() -> Vec<u8> {
    let mut full = vec![NOP; 65_535];
    full[65_534] = RETURN;
    let mut class = ClassAssembler::new(52);
    class.method(access::STATIC, "small", "()V", &code(&[RETURN]));
    class.method(access::STATIC, "full", "()V", &code(&full));
    class.finish()
}

#[test]
fn a_method_at_the_limit_is_refused_and_its_class_still_rewritten() {
    let bytes = class_with_full_method();
    let class = ClassFile::parse(&bytes).unwrap();
    let mut editor = ClassEditor::new(&class);
    let mut outcomes = Vec::new();
    for (index, method) in class.methods().iter().enumerate() {
        let mut edit = CodeEdit::new(&method.code().unwrap().unwrap());
        edit.before(0, nops(1));
        outcomes.push(editor.edit_code(index, &edit));
    }
    assert_eq!(outcomes, [Ok(()), Err(Refusal::CodeTooLarge { length: 65_536 })]);
    let rewritten = editor.finish();
    let rewritten = ClassFile::parse(&rewritten).unwrap();
    let lengths: Vec<_> =
        rewritten.methods().iter().map(|method| method.code().unwrap().unwrap().length()).collect();
    assert_eq!(lengths, [2, 65_535]);
}

#[test]
fn the_last_byte_can_be_used() {
    let mut bytes = vec![NOP; 65_530];
    bytes[65_529] = RETURN;
    let lines = u2s(&[1, 65_529, 7]);
    let method = code(&bytes).catches(0, 65_530, 0).attribute("LineNumberTable", lines);
    let result = edited(&class_with(49, "()V", &method), |edit, _, _| {
        edit.before(65_529, nops(5));
        Ok(())
    })
    .unwrap();
    with_code(&result, |code| assert_eq!(code.length(), 65_535));
    assert_eq!(exception_table(&result), [[0, 65_535, 0]]);
    assert_eq!(attribute(&result, "LineNumberTable").unwrap(), u2s(&[1, 65_529, 7]));
}

#[test]
fn a_full_constant_pool_is_refused() {
    let bytes = class_with(52, "()V", &code(&[RETURN]));
    let class = ClassFile::parse(&bytes).unwrap();
    let mut editor = ClassEditor::new(&class);
    let mut last = 0;
    let first = i32::from(class.constant_pool().count());
    for value in first..65_535 {
        last = editor.pool().integer(value).unwrap();
    }
    assert_eq!(last, 65_534);
    assert_eq!(editor.pool().integer(-1), Err(Refusal::PoolFull));
    assert_eq!(editor.pool().long(-1), Err(Refusal::PoolFull));
    // What is there is still found.
    assert_eq!(editor.pool().integer(first), Ok(first as u16));
    let code = class.methods().get(0).unwrap().code().unwrap().unwrap();
    let mut edit = CodeEdit::new(&code);
    edit.before(0, nops(1));
    assert_eq!(editor.edit_code(0, &edit), Ok(()));
    let result = editor.finish();
    let result = ClassFile::parse(&result).unwrap();
    assert_eq!(result.constant_pool().count(), 65_535);
    assert_eq!(result.constant_pool().integer(65_534), Ok(65_534));
}

#[test]
fn the_last_index_does_not_hold_a_long() {
    let bytes = class_with(52, "()V", &code(&[RETURN]));
    let class = ClassFile::parse(&bytes).unwrap();
    let mut editor = ClassEditor::new(&class);
    for value in class.constant_pool().count()..65_534 {
        editor.pool().integer(value.into()).unwrap();
    }
    assert_eq!(editor.pool().long(7), Err(Refusal::PoolFull));
    assert_eq!(editor.pool().integer(7), Ok(65_534));
}

#[test]
fn equal_constants_are_added_once() {
    let bytes = class_with(52, "()V", &code(&[RETURN]));
    let class = ClassFile::parse(&bytes).unwrap();
    let mut editor = ClassEditor::new(&class);
    let add = |pool: &mut PoolExtension| -> Result<Vec<u16>, Refusal> {
        let mut indices = vec![
            pool.utf8(b"name")?,
            pool.class(b"a/B")?,
            pool.string(b"name")?,
            pool.integer(1)?,
            pool.float(1.0)?,
            pool.long(1)?,
            pool.double(1.0)?,
            pool.name_and_type(b"name", b"()V")?,
            pool.fieldref(b"a/B", b"name", b"I")?,
            pool.methodref(b"a/B", b"name", b"()V")?,
            pool.interface_methodref(b"a/B", b"name", b"()V")?,
        ];
        for value in 0..1000 {
            indices.push(pool.integer(value)?);
        }
        Ok(indices)
    };
    let first = add(editor.pool()).unwrap();
    assert_eq!(add(editor.pool()).unwrap(), first);
    let result = editor.finish();
    let result = ClassFile::parse(&result).unwrap();
    let pool = result.constant_pool();
    assert_eq!(pool.utf8(first[0]), Ok(&b"name"[..]));
    assert_eq!(pool.class_name(first[1]), Ok(&b"a/B"[..]));
    assert_eq!(pool.string(first[2]), Ok(&b"name"[..]));
    assert_eq!(pool.integer(first[3]), Ok(1));
    assert_eq!(pool.float(first[4]), Ok(1.0));
    assert_eq!(pool.long(first[5]), Ok(1));
    assert_eq!(pool.double(first[6]), Ok(1.0));
    assert_eq!(pool.name_and_type(first[7]).unwrap().descriptor, b"()V");
    assert_eq!(pool.member_ref(first[8]).unwrap().descriptor, b"I");
    assert!(!pool.member_ref(first[9]).unwrap().is_interface);
    assert!(pool.member_ref(first[10]).unwrap().is_interface);
    assert_eq!(pool.integer(*first.last().unwrap()), Ok(999));
}

#[test]
fn too_many_locals_and_too_deep_a_stack_are_refused() {
    let mut method = code(&[RETURN]);
    method.max_locals = 65_534;
    method.max_stack = 65_535;
    let class = class_with(49, "()V", &method);
    let with_locals = |count| {
        edited(&class, |edit, _, _| {
            for _ in 0..count {
                edit.new_local(LocalType::Int);
            }
            Ok(())
        })
    };
    assert!(with_locals(1).is_ok());
    assert_eq!(with_locals(2), Err(Refusal::TooManyLocals));
    let result = edited(&class, |edit, _, _| {
        edit.before(0, Fragment::new().push_null().pop());
        Ok(())
    });
    assert_eq!(result, Err(Refusal::StackTooDeep));
}

#[test]
fn edits_of_the_wrong_method_are_refused() {
    let bytes = class_with_full_method();
    let class = ClassFile::parse(&bytes).unwrap();
    let mut editor = ClassEditor::new(&class);
    let edit = CodeEdit::new(&class.methods().get(0).unwrap().code().unwrap().unwrap());
    assert_eq!(editor.edit_code(1, &edit), Err(Refusal::NoCode));
    assert_eq!(editor.edit_code(2, &edit), Err(Refusal::NoSuchMethod));
}

#[test]
fn members_are_added_behind_the_old_ones() {
    let bytes = class_with(52, "()V", &code(&[RETURN]));
    let class = ClassFile::parse(&bytes).unwrap();
    let mut editor = ClassEditor::new(&class);
    editor.add_field(access::PRIVATE, b"count", b"J").unwrap();
    let method = NewMethod {
        access: access::STATIC | access::PUBLIC,
        name: b"id",
        descriptor: b"(I)I",
        code: &[ILOAD_0, IRETURN],
        max_stack: 1,
        max_locals: 1,
        annotations: &[b"La/Hidden;", b"La/Inline;"],
    };
    editor.add_method(method).unwrap();
    let native =
        NewMethod { access: access::NATIVE, name: b"nat", code: &[], annotations: &[], ..method };
    editor.add_method(native).unwrap();
    let too_long = NewMethod { code: &[NOP; 65_536], ..method };
    assert_eq!(editor.add_method(too_long), Err(Refusal::CodeTooLarge { length: 65_536 }));

    let result = editor.finish();
    let result = ClassFile::parse(&result).unwrap();
    let field = result.fields().get(0).unwrap();
    assert_eq!((field.name(), field.descriptor()), (&b"count"[..], &b"J"[..]));
    assert_eq!(field.access_flags(), access::PRIVATE);
    assert_eq!(result.methods().len(), 3);
    let added = result.methods().get(1).unwrap();
    assert_eq!(added.name(), b"id");
    assert_eq!(added.code().unwrap().unwrap().bytecode(), [ILOAD_0, IRETURN]);
    assert!(added.has_annotation(b"La/Hidden;") && added.has_annotation(b"La/Inline;"));
    assert!(!added.has_annotation(b"La/Other;"));
    assert!(result.methods().get(2).unwrap().code().unwrap().is_none());

    // Annotations can be taken away again, one by one.
    let mut editor = ClassEditor::new(&result);
    assert_eq!(editor.remove_annotation(1, b"La/Hidden;"), Ok(true));
    assert_eq!(editor.remove_annotation(1, b"La/Other;"), Ok(false));
    assert_eq!(editor.remove_annotation(2, b"La/Hidden;"), Ok(false));
    let last = editor.finish();
    let last = ClassFile::parse(&last).unwrap();
    let method = last.methods().get(1).unwrap();
    assert!(!method.has_annotation(b"La/Hidden;"));
    assert!(method.has_annotation(b"La/Inline;"));
    assert_eq!(method.code().unwrap().unwrap().bytecode(), [ILOAD_0, IRETURN]);
}

#[test]
fn an_edit_replaces_the_one_before() {
    let bytes = class_with(52, "()V", &code(&[RETURN]));
    let class = ClassFile::parse(&bytes).unwrap();
    let code = class.methods().get(0).unwrap().code().unwrap().unwrap();
    let mut editor = ClassEditor::new(&class);
    for count in [5, 2] {
        let mut edit = CodeEdit::new(&code);
        edit.before(0, nops(count));
        editor.edit_code(0, &edit).unwrap();
    }
    with_code(&editor.finish(), |code| assert_eq!(code.length(), 3));
}

#[test]
fn edits_of_several_methods_are_replaced_in_any_order() {
    let bytes = class_with(52, "()V", &code(&[RETURN]));
    let class = ClassFile::parse(&bytes).unwrap();
    let mut editor = ClassEditor::new(&class);
    for name in [b"second".as_slice(), b"third"] {
        editor
            .add_method(NewMethod {
                access: 9,
                name,
                descriptor: b"()V",
                code: &[RETURN],
                max_stack: 0,
                max_locals: 0,
                annotations: &[],
            })
            .unwrap();
    }
    let three = editor.finish();
    let class = ClassFile::parse(&three).unwrap();
    let mut editor = ClassEditor::new(&class);
    // The second edit of method 1 comes behind one of a method in front of it.
    for (method, count) in [(0, 1), (1, 2), (2, 3), (0, 4), (1, 5)] {
        let code = class.methods().get(method).unwrap().code().unwrap().unwrap();
        let mut edit = CodeEdit::new(&code);
        edit.before(0, nops(count));
        editor.edit_code(method, &edit).unwrap();
    }
    let last = editor.finish();
    let class = ClassFile::parse(&last).unwrap();
    let lengths: Vec<u32> = (0..3)
        .map(|index| class.methods().get(index).unwrap().code().unwrap().unwrap().length())
        .collect();
    assert_eq!(lengths, [5, 6, 4]);
}

#[test]
fn what_the_class_knows_is_not_appended() {
    let bytes = class_with(52, "()V", &code(&[RETURN]));
    let class = ClassFile::parse(&bytes).unwrap();
    let old = class.constant_pool();
    let mut editor = ClassEditor::new(&class);
    let known = editor.pool().class(class.this_class()).unwrap();
    assert_eq!(known, class.this_class_index());
    let unknown = editor.pool().class(b"a/B").unwrap();
    assert!(unknown > old.count(), "the name stands before it");
    assert_eq!(editor.pool().class(b"a/B"), Ok(unknown));
    // The entries of a class and of its name are different ones.
    let text = editor.pool().utf8(class.this_class()).unwrap();
    assert_ne!(text, known);
    let result = editor.finish();
    let result = ClassFile::parse(&result).unwrap();
    assert_eq!(result.constant_pool().class_name(unknown), Ok(&b"a/B"[..]));
    assert_eq!(result.constant_pool().utf8(text), Ok(class.this_class()));
    assert_eq!(result.constant_pool().count(), old.count() + 3);
}

#[test]
fn the_name_of_an_attribute_is_used_again() {
    let editor_of = |pool: &[u8]| {
        let mut bytes = class_with(52, "()V", &code(&[RETURN]));
        let count = u16::from_be_bytes([bytes[8], bytes[9]]);
        let end = ClassFile::parse(&bytes).unwrap().constant_pool().range().end;
        bytes[8..10].copy_from_slice(&(count + 1).to_be_bytes());
        bytes.splice(end..end, pool.iter().copied());
        (bytes, count)
    };
    let utf8 = |text: &[u8]| [&[1, 0, text.len() as u8], text].concat();
    let (bytes, index) = editor_of(&utf8(b"StackMapTable"));
    let class = ClassFile::parse(&bytes).unwrap();
    assert_eq!(ClassEditor::new(&class).pool().utf8(b"StackMapTable"), Ok(index));
    let (bytes, index) = editor_of(&utf8(b"StackMapTablf"));
    let class = ClassFile::parse(&bytes).unwrap();
    assert_eq!(ClassEditor::new(&class).pool().utf8(b"StackMapTable"), Ok(index + 1));
}

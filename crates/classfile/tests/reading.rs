//! Reading well-formed classes, and surviving all others.

use crate::assembler::*;
use subsume_classfile::{
    ClassEditor, ClassFile, CodeEdit, ControlFlow, Error, ErrorKind, Fragment, HandlerFrame,
    LocalType, descriptor, opcode, opcode::*,
};

fn error(bytes: &[u8]) -> (ErrorKind, u32) {
    let error: Error = ClassFile::parse(bytes).expect_err("malformed");
    (error.kind(), error.offset())
}

fn code_error(code: &CodeAssembler) -> ErrorKind {
    let bytes = class_with(52, "()V", code);
    let class = ClassFile::parse(&bytes).unwrap();
    class.methods().get(0).unwrap().code().expect_err("malformed").kind()
}

#[test]
fn the_parts_of_a_class() {
    let bytes = class_with(52, "(JI)V", &code(&[RETURN]));
    let class = ClassFile::parse(&bytes).unwrap();
    assert_eq!(class.major_version(), 52);
    assert_eq!(class.this_class(), b"T");
    assert_eq!(class.super_class(), Some(&b"java/lang/Object"[..]));
    assert_eq!(class.fields().len(), 0);
    assert_eq!(class.interfaces().count(), 0);
    assert_eq!(class.source_file(), None);
    let method = class.methods().get(0).unwrap();
    assert_eq!((method.name(), method.descriptor()), (&b"m"[..], &b"(JI)V"[..]));
    assert!(method.is_static());
    assert_eq!(ClassEditor::new(&class).finish(), bytes);
}

#[test]
fn every_truncation_is_an_error_with_its_place() {
    let bytes = class_with(52, "()V", &code(&[RETURN]));
    for length in 0..bytes.len() {
        let (kind, offset) = error(&bytes[..length]);
        assert_eq!(kind, ErrorKind::UnexpectedEnd);
        assert!(offset as usize <= length);
    }
    let longer = [&bytes[..], &[0]].concat();
    assert_eq!(error(&longer), (ErrorKind::TrailingBytes, bytes.len() as u32));
    assert_eq!(error(&[0; 100]), (ErrorKind::BadMagic, 0));
}

#[test]
fn constants_of_the_wrong_kind_are_told() {
    let bytes = class_with(52, "()V", &code(&[RETURN]));
    let class = ClassFile::parse(&bytes).unwrap();
    let pool = class.constant_pool();
    // 1 is the name of the class, 2 its `Class` entry.
    assert_eq!(pool.utf8(1), Ok(&b"T"[..]));
    assert_eq!(pool.class_name(2), Ok(&b"T"[..]));
    for index in [0, 1, 999] {
        let wrong = ErrorKind::BadConstantIndex(index);
        assert_eq!(pool.class_name(index).unwrap_err().kind(), wrong);
        assert_eq!(pool.member_ref(index).unwrap_err().kind(), wrong);
    }
}

#[test]
fn malformed_code_is_told() {
    let cases = [
        (vec![], ErrorKind::BadCodeLength(0)),
        (vec![NOP; 65_536], ErrorKind::BadCodeLength(65_536)),
        (vec![0xCA], ErrorKind::BadOpcode(0xCA)),
        (vec![SIPUSH, 0], ErrorKind::UnexpectedEnd),
        (vec![WIDE], ErrorKind::UnexpectedEnd),
        (vec![WIDE, NOP, 0, 0], ErrorKind::BadOpcode(NOP)),
        (vec![TABLESWITCH, 0, 0, 0, 0, 0, 0], ErrorKind::UnexpectedEnd),
        (
            [&[TABLESWITCH][..], &[0; 7], &[0, 0, 0, 5], &[0, 0, 0, 4]].concat(),
            ErrorKind::BadSwitch,
        ),
        ([&[LOOKUPSWITCH][..], &[0; 7], &[0xFF; 4]].concat(), ErrorKind::BadSwitch),
    ];
    for (bytes, expected) in cases {
        assert_eq!(code_error(&code(&bytes)), expected, "{:?}", &bytes[..bytes.len().min(8)]);
    }
}

#[test]
fn operands_are_decoded() {
    #[rustfmt::skip]
    let bytes = [
        BIPUSH, 0xFE, SIPUSH, 0x80, 0, ALOAD_2, DSTORE_3, ILOAD, 200,
        WIDE, ISTORE, 1, 0, IINC, 5, 0xFF, WIDE, IINC, 1, 1, 0x80, 0,
        LDC, 9, INVOKEINTERFACE, 0, 8, 1, 0, NEWARRAY, 10, MULTIANEWARRAY, 0, 2, 3,
        GOTO_W, 0xFF, 0xFF, 0xFF, 0xFC, RETURN,
    ];
    with_code(&class_with(49, "()V", &code(&bytes)), |code| {
        let found: Vec<_> = code
            .instructions()
            .map(|found| (found.constant(), found.local(), found.pool_index()))
            .collect();
        let expected = [
            (Some(-2), None, None),
            (Some(-32_768), None, None),
            (None, Some(2), None),
            (None, Some(3), None),
            (None, Some(200), None),
            (None, Some(256), None),
            (Some(-1), Some(5), None),
            (Some(-32_768), Some(257), None),
            (None, None, Some(9)),
            (None, None, Some(8)),
            (Some(10), None, None),
            (Some(3), None, Some(2)),
            (None, None, None),
            (None, None, None),
        ];
        assert_eq!(found, expected);
        let jump = code.instruction_at(35).unwrap();
        assert_eq!((jump.branch_target(), jump.end()), (Some(31), 40));
        let wide = code.instruction_at(9).unwrap();
        assert!(wide.is_wide && wide.opcode == ISTORE && wide.length() == 4);
    });
}

#[test]
fn the_instruction_set_is_complete() {
    assert_eq!(opcode::name(0xC9), "JSR_W");
    assert_eq!(opcode::name(IF_ACMPNE), "IF_ACMPNE");
    assert!((0..=0xC9).all(|code| opcode::operands(code) != opcode::Operands::Undefined));
    assert!((0xCA..=0xFF).all(|code| opcode::operands(code) == opcode::Operands::Undefined));
    assert_eq!(opcode::stack_effect(DUP2_X2), (4, 6));
    assert_eq!(opcode::stack_effect(LASTORE), (4, 0));
    assert_eq!(opcode::stack_effect(LSHL), (3, 2));
    assert_eq!(opcode::stack_effect(D2F), (2, 1));
}

#[test]
fn descriptors() {
    let parameters: Vec<_> = descriptor::parameters(b"(I[[JLa/B;[LC;D)V").collect();
    assert_eq!(parameters, [&b"I"[..], b"[[J", b"La/B;", b"[LC;", b"D"]);
    assert_eq!(descriptor::argument_words(b"(I[[JLa/B;[LC;D)V"), 6);
    assert_eq!(descriptor::return_type(b"()[J"), b"[J");
    assert_eq!(descriptor::words(b"J"), 2);
    assert_eq!(descriptor::words(b"V"), 0);
    for malformed in [&b""[..], b"(", b"(L", b"([", b"(X)V", b"I"] {
        assert_eq!(descriptor::parameters(malformed).count(), 0);
    }
}

/// Does everything that can be done to a class.
fn exercise(bytes: &[u8]) {
    let Ok(class) = ClassFile::parse(bytes) else { return };
    let mut editor = ClassEditor::new(&class);
    for (index, method) in class.methods().iter().enumerate() {
        editor.remove_annotation(index, b"La/B;").ok();
        let Ok(Some(code)) = method.code() else { continue };
        let flow = ControlFlow::new(&code);
        flow.loops();
        code.line_of(3);
        code.initialisation();
        let mut edit = CodeEdit::new(&code);
        let local = edit.new_local(LocalType::Int);
        let zero = Fragment::new().push_int(0, editor.pool()).unwrap();
        edit.at_entry(zero.store_int(local));
        for block in flow.blocks() {
            edit.before(block.start, Fragment::new().iinc(local, 70_000));
        }
        for instruction in code.instructions() {
            edit.after(instruction.bci, Fragment::new().raw(&[NOP; 50], 0));
        }
        let handler = Fragment::new().athrow();
        edit.catch_all(0..code.length(), HandlerFrame::NewLocalsOnly, handler);
        editor.edit_code(index, &edit).ok();
    }
    let result = editor.finish();
    ClassFile::parse(&result).expect("what is written can be read");
}

/// A class with something of everything, for mutations to start from.
fn rich_class() -> Vec<u8> {
    let mut class = ClassAssembler::new(52);
    let [high, low] = class.methodref("java/lang/Object", "<init>", "()V").to_be_bytes();
    let bytes = [ALOAD_0, INVOKESPECIAL, high, low, RETURN];
    let lines = u2s(&[1, 0, 9]);
    class.method(0, "<init>", "()V", &code(&bytes).attribute("LineNumberTable", lines));
    let mut bytes = vec![ILOAD_0, TABLESWITCH, 0, 0];
    for number in [24i32, 5, 6, 23, 25] {
        bytes.extend_from_slice(&number.to_be_bytes());
    }
    bytes.extend_from_slice(&[NOP, IFEQ, 0xFF, 0xE7, NEW, 0, 2, POP, RETURN]);
    let frames = vec![0, 4, 24, 0, 64, 1, 255, 0, 0, 0, 1, 1, 0, 1, 8, 0, 28];
    let annotations = vec![0, 1, 0x44, 0, 28, 0, 0, 1, 0, 1, 0, 1, b'[', 0, 1, b'I', 0, 1];
    let method = code(&bytes)
        .catches(24, 28, 32)
        .attribute("StackMapTable", frames)
        .attribute("LocalVariableTable", u2s(&[1, 0, 32, 1, 1, 0]))
        .attribute("RuntimeVisibleTypeAnnotations", annotations);
    class.static_method("(ILjava/lang/String;)V", &method);
    class.static_method("()V", &code(&[JSR, 0, 4, RETURN, ASTORE_0, RET, 0]));
    class.finish()
}

#[test]
fn no_changed_byte_makes_it_panic() {
    let class = rich_class();
    exercise(&class);
    let mut changed = class.clone();
    for position in 0..class.len() {
        for value in [0, 1, 2, 3, 5, 7, 0x12, 0x7F, 0x80, 0xA7, 0xAA, 0xC4, 0xFE, 0xFF] {
            changed[position] = value;
            exercise(&changed);
        }
        changed[position] = class[position];
    }
}

#[test]
fn no_two_changed_bytes_make_it_panic() {
    let class = rich_class();
    let mut seed = 0x2545_F491_4F6C_DD1Du64;
    let mut random = move || {
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        seed as usize
    };
    for _ in 0..20_000 {
        let mut changed = class.clone();
        for _ in 0..2 + random() % 3 {
            let position = random() % changed.len();
            changed[position] = random() as u8;
        }
        exercise(&changed);
    }
}

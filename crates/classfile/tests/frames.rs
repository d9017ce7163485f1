//! Stack map frames move with their instructions and declare new variables.

use crate::assembler::*;
use subsume_classfile::{ClassFile, Fragment, HandlerFrame, LocalType, Refusal, access, opcode::*};

const FULL: u8 = 255;
const TOP: u8 = 0;
const INTEGER: u8 = 1;
const FLOAT: u8 = 2;
const LONG: u8 = 4;
const UNINITIALIZED_THIS: u8 = 6;
const OBJECT: u8 = 7;
const UNINITIALIZED: u8 = 8;

/// Code of ten `nop`s and a `return`; frames may stand anywhere in it.
fn plain_code(frame_count: u8, frames: &[u8]) -> CodeAssembler {
    let bytes = [&[NOP; 100][..], &[RETURN]].concat();
    code(&bytes).attribute("StackMapTable", [&[0, frame_count], frames].concat())
}

/// The frames after an edit, without their count.
fn frames(class: &[u8]) -> Vec<u8> {
    attribute(class, "StackMapTable").unwrap()[2..].to_vec()
}

fn nops(count: usize) -> Fragment {
    Fragment::new().raw(&vec![NOP; count], 0)
}

/// Inserts `count` bytes before bci 1, and new variables if asked.
fn moved(class: &[u8], count: usize, locals: &[LocalType]) -> Vec<u8> {
    let result = edited(class, |edit, _, _| {
        locals.iter().for_each(|&local| {
            edit.new_local(local);
        });
        edit.before(1, nops(count));
        Ok(())
    });
    frames(&result.unwrap())
}

/// One frame of every kind, at 2, 4, 6, 8, 10, 12, 14 and 80. Two locals are
/// appended and one is chopped again.
fn all_kinds() -> CodeAssembler {
    #[rustfmt::skip]
    let frames = [
        2,                              // same
        64 + 1, INTEGER,                // same locals, one stack entry
        247, 0, 1, OBJECT, 0, 2,        // the same, extended
        253, 0, 1, INTEGER, LONG,       // append two
        250, 0, 1,                      // chop one
        251, 0, 1,                      // same, extended
        FULL, 0, 1, 0, 1, INTEGER, 0, 2, LONG, UNINITIALIZED, 0, 3,
        64 + 63, INTEGER,               // the largest short delta
    ];
    plain_code(8, &frames)
}

#[test]
fn frames_of_every_kind_move() {
    let class = class_with(52, "(I)V", &all_kinds());
    // Only the first delta grows; behind that all distances stay.
    #[rustfmt::skip]
    let expected = [
        7,
        64 + 1, INTEGER,
        64 + 1, OBJECT, 0, 2,
        253, 0, 1, INTEGER, LONG,
        250, 0, 1,
        1,
        FULL, 0, 1, 0, 1, INTEGER, 0, 2, LONG, UNINITIALIZED, 0, 8,
        64 + 63, INTEGER,
    ];
    assert_eq!(moved(&class, 5, &[]), expected);
}

#[test]
fn short_deltas_become_extended_ones() {
    let class = class_with(52, "(I)V", &plain_code(2, &[2, 64 + 1, INTEGER]));
    assert_eq!(moved(&class, 61, &[]), [63, 64 + 1, INTEGER]);
    assert_eq!(moved(&class, 62, &[]), [251, 0, 64, 64 + 1, INTEGER]);
    let result = edited(&class, |edit, _, _| {
        edit.before(3, nops(63));
        Ok(())
    });
    assert_eq!(frames(&result.unwrap()), [2, 247, 0, 64, INTEGER]);
}

#[test]
fn new_variables_are_declared_in_frames_of_every_kind() {
    let class = class_with(52, "(I)V", &all_kinds());
    // Four old slots, then an int and a long.
    #[rustfmt::skip]
    let expected = [
        // The argument in slot 0, nothing in 1 to 3.
        &[FULL, 0, 2, 0, 6, INTEGER, TOP, TOP, TOP, INTEGER, LONG, 0, 0][..],
        &[64 + 1, INTEGER],
        &[64 + 1, OBJECT, 0, 2],
        // An int in 1, a long in 2 and 3.
        &[FULL, 0, 1, 0, 5, INTEGER, INTEGER, LONG, INTEGER, LONG, 0, 0],
        &[FULL, 0, 1, 0, 6, INTEGER, INTEGER, TOP, TOP, INTEGER, LONG, 0, 0],
        &[1],
        &[FULL, 0, 1, 0, 6, INTEGER, TOP, TOP, TOP, INTEGER, LONG, 0, 2, LONG, UNINITIALIZED, 0, 3],
        &[64 + 63, INTEGER],
    ]
    .concat();
    assert_eq!(moved(&class, 0, &[LocalType::Int, LocalType::Long]), expected);
}

#[test]
fn every_type_of_variable_can_be_declared() {
    let class = class_with(52, "()V", &plain_code(1, &[2]));
    let locals = [
        LocalType::Int,
        LocalType::Float,
        LocalType::Double,
        LocalType::Long,
        LocalType::Null,
        LocalType::Object(2),
    ];
    let head = [FULL, 0, 2, 0, 10, TOP, TOP, TOP, TOP];
    let expected = [&head[..], &[1, 2, 3, 4, 5, OBJECT, 0, 2, 0, 0]].concat();
    assert_eq!(moved(&class, 0, &locals), expected);
}

#[test]
fn arguments_get_class_entries_when_a_frame_must_name_them() {
    let mut method = plain_code(1, &[2]);
    method.max_locals = 5;
    let mut class = ClassAssembler::new(52);
    class.method(access::PUBLIC, "m", "(Ljava/lang/String;[[JD)V", &method);
    let result = edited(&class.finish(), |edit, _, _| {
        edit.new_local(LocalType::Int);
        Ok(())
    })
    .unwrap();
    let table = frames(&result);
    let class = ClassFile::parse(&result).unwrap();
    let name_at = |at| {
        let index = u16::from_be_bytes([table[at], table[at + 1]]);
        class.constant_pool().class_name(index).unwrap()
    };
    assert_eq!(table[..6], [FULL, 0, 2, 0, 5, OBJECT]);
    assert_eq!(name_at(6), b"T");
    assert_eq!(table[8], OBJECT);
    assert_eq!(name_at(9), b"java/lang/String");
    assert_eq!(table[11], OBJECT);
    assert_eq!(name_at(12), b"[[J");
    assert_eq!(table[14..], [3, INTEGER, 0, 0]);
}

#[test]
fn uninitialized_types_name_the_new_instruction_itself() {
    // new at 0, with its frame at 4 on top of an uninitialised object.
    let bytes = [NEW, 0, 2, NOP, POP, RETURN];
    let frame = vec![0, 1, 64 + 4, UNINITIALIZED, 0, 0];
    let class = class_with(52, "()V", &code(&bytes).attribute("StackMapTable", frame));
    let result = edited(&class, |edit, _, _| {
        edit.at_entry(nops(2));
        // What runs before the `new` is not the `new`.
        edit.before(0, nops(3));
        edit.before(4, nops(1));
        Ok(())
    });
    assert_eq!(frames(&result.unwrap()), [64 + 9, UNINITIALIZED, 0, 5]);
}

#[test]
fn a_frame_at_the_start_stays_behind_entry_code() {
    let class = class_with(52, "()V", &plain_code(2, &[0, 1]));
    assert_eq!(moved(&class, 0, &[]), [0, 1]);
    let result = edited(&class, |edit, _, _| {
        edit.at_entry(nops(3));
        Ok(())
    });
    assert_eq!(frames(&result.unwrap()), [3, 1]);
}

/// Adds a handler for the whole method, and one new int.
fn with_handler(class: &[u8], frame: HandlerFrame) -> Vec<u8> {
    edited(class, |edit, editor, code| {
        let local = edit.new_local(LocalType::Int);
        edit.at_entry(Fragment::new().push_int(0, editor.pool())?.store_int(local));
        edit.before(0, nops(1));
        edit.catch_all(0..code.length(), frame, Fragment::new().iinc(local, 1).athrow());
        Ok(())
    })
    .unwrap()
}

fn throwable_in(class: &[u8]) -> [u8; 2] {
    let class = ClassFile::parse(class).unwrap();
    let pool = class.constant_pool();
    let throwable =
        pool.indices().find(|&index| pool.class_name(index) == Ok(b"java/lang/Throwable")).unwrap();
    throwable.to_be_bytes()
}

#[test]
fn a_catch_all_handler_gets_a_frame_of_its_own() {
    let result =
        with_handler(&class_with(52, "(I)V", &code(&[RETURN])), HandlerFrame::NewLocalsOnly);
    let expected = ["0 ICONST_0", "1 ISTORE 4", "3 NOP", "4 RETURN", "5 IINC 4 1", "8 ATHROW"];
    assert_eq!(listing(&result), expected);
    // The entry fragment is not covered, what runs before bci 0 is.
    assert_eq!(exception_table(&result), [[3, 5, 5]]);
    let [high, low] = throwable_in(&result);
    let expected = [FULL, 0, 5, 0, 5, TOP, TOP, TOP, TOP, INTEGER, 0, 1, OBJECT, high, low];
    assert_eq!(frames(&result), expected);
}

#[test]
fn the_handler_of_a_constructor_may_see_the_uninitialised_object() {
    let mut class = ClassAssembler::new(52);
    let init = class.methodref("java/lang/Object", "<init>", "()V").to_be_bytes();
    let bytes = [ALOAD_0, INVOKESPECIAL, init[0], init[1], RETURN];
    class.method(0, "<init>", "()V", &code(&bytes));
    let result = edited(&class.finish(), |edit, _, _| {
        edit.catch_all(0..1, HandlerFrame::UninitializedThis, Fragment::new().athrow());
        Ok(())
    })
    .unwrap();
    assert_eq!(exception_table(&result), [[0, 1, 5]]);
    let [high, low] = throwable_in(&result);
    assert_eq!(frames(&result), [FULL, 0, 5, 0, 1, UNINITIALIZED_THIS, 0, 1, OBJECT, high, low]);
}

#[test]
fn ranges_that_share_a_handler_share_its_frame() {
    let class = class_with(52, "()V", &code(&[NOP, NOP, NOP, RETURN]));
    let result = edited(&class, |edit, _, _| {
        let ranges = [0..1, 2..2, 2..3];
        let handler = Fragment::new().athrow();
        edit.catch_all_ranges(&ranges, HandlerFrame::NewLocalsOnly, handler);
        edit.after(0, nops(1));
        edit.before(2, nops(1));
        Ok(())
    })
    .unwrap();
    // 0 nop, 1 after it, 2 nop, 3 before the next, 4 nop, 5 return, 6 athrow.
    assert_eq!(exception_table(&result), [[0, 2, 6], [3, 5, 6]]);
    assert_eq!(attribute(&result, "StackMapTable").unwrap()[..2], [0, 1]);
}

#[test]
fn classes_before_version_50_get_no_frames() {
    let result =
        with_handler(&class_with(49, "()V", &code(&[RETURN])), HandlerFrame::NewLocalsOnly);
    assert_eq!(attribute(&result, "StackMapTable"), None);
}

#[test]
fn version_50_gets_frames_unless_it_was_verified_without() {
    let straight = class_with(50, "()V", &code(&[RETURN]));
    let result = with_handler(&straight, HandlerFrame::NewLocalsOnly);
    assert!(attribute(&result, "StackMapTable").is_some());
    let jumping = class_with(50, "()V", &code(&[ICONST_0, IFEQ, 0, 3, RETURN]));
    let result = with_handler(&jumping, HandlerFrame::NewLocalsOnly);
    assert_eq!(attribute(&result, "StackMapTable"), None);
}

#[test]
fn malformed_frames_are_refused() {
    let cases: [(u8, &[u8]); 8] = [
        (1, &[251, 0, 101]),               // where the code ends
        (1, &[65, UNINITIALIZED, 0, 101]), // the same
        (1, &[128]),                       // reserved
        (1, &[64, 9]),                     // unknown type
        (1, &[250, 0, 1]),                 // chops what is not there
        (1, &[251, 1, 0]),                 // outside the code
        (2, &[0]),                         // cut off
        (1, &[0, 0]),                      // too long
    ];
    for (count, bytes) in cases {
        let class = class_with(52, "()V", &plain_code(count, bytes));
        let result = edited(&class, |edit, _, _| {
            edit.new_local(LocalType::Int);
            Ok(())
        });
        assert!(result.is_err(), "{bytes:?}");
    }
}

/// Inserts a `nop` behind the instruction at `bci` that can be jumped over, and
/// two behind it that cannot.
fn optional(class: &[u8], bci: u32) -> Result<Vec<u8>, Refusal> {
    edited(class, |edit, _, _| {
        edit.after_unless(bci, Fragment::new().simple(ICONST_1), nops(1))?;
        edit.after(bci, nops(2));
        Ok(())
    })
}

#[test]
fn behind_what_can_be_jumped_over_stands_a_derived_frame() {
    // With an int in local 0 and a float and an int on the stack.
    let bytes = [ICONST_2, ISTORE_0, FCONST_0, ICONST_3, POP2, RETURN];
    let class = class_with(52, "()V", &code(&bytes));
    let result = optional(&class, 3).unwrap();
    let expected = ["4 ICONST_1", "5 IFNE -> 9", "8 NOP", "9 NOP", "10 NOP", "11 POP2"];
    assert_eq!(listing(&result)[4..10], expected);
    assert_eq!(frames(&result), [FULL, 0, 9, 0, 1, INTEGER, 0, 2, FLOAT, INTEGER]);
}

#[test]
fn a_frame_that_is_there_is_not_derived_again() {
    let frames_before = [4, 64 + 3, INTEGER];
    let class = class_with(52, "()V", &plain_code(2, &frames_before));
    let result = edited(&class, |edit, _, _| {
        edit.after_unless(3, Fragment::new().simple(ICONST_0), nops(1))
    })
    .unwrap();
    // The instruction at 4 moves to where the ways join: five bytes further.
    assert_eq!(frames(&result), [9, 64 + 3, INTEGER]);
}

#[test]
fn without_a_frame_there_is_no_optional_code_behind_dead_ends() {
    let bytes = [GOTO, 0, 4, NOP, RETURN];
    let class = class_with(52, "()V", &code(&bytes).attribute("StackMapTable", vec![0, 1, 4]));
    assert_eq!(optional(&class, 3), Err(Refusal::UnknownFrame { bci: 4 }));
    // No JVM verifies this, so it does not look for the frame either.
    assert!(optional(&class_with(52, "()V", &code(&bytes)), 3).is_ok());
}

#[test]
fn what_is_too_long_is_not_jumped_over() {
    let class = class_with(52, "()V", &code(&[NOP, RETURN]));
    let with = |count| {
        edited(&class, |edit, _, _| {
            edit.after_unless(0, Fragment::new().simple(ICONST_0), nops(count))
        })
    };
    assert!(with(32_764).is_ok());
    assert_eq!(with(32_765), Err(Refusal::CodeTooLarge { length: 32_768 }));
}

//! Code on the way from an instruction that throws to what catches it.

// A landing pad takes a list of ranges, and one range is a list too.
#![allow(clippy::single_range_in_vec_init)]

use crate::assembler::*;
use subsume_classfile::{Catcher, Fragment, HandlerFrame, LocalType, Refusal, opcode::*};

const FULL: u8 = 255;
const TOP: u8 = 0;
const INTEGER: u8 = 1;
const OBJECT: u8 = 7;

/// Two instructions in a range with a handler at 3, whose frame has a class
/// (index 2, the method's own) on the stack.
fn caught() -> CodeAssembler {
    code(&[NOP, NOP, RETURN, POP, RETURN])
        .catches(0, 2, 3)
        .attribute("StackMapTable", vec![0, 1, 64 + 3, OBJECT, 0, 2])
}

#[test]
fn a_landing_pad_runs_before_the_handler_it_leads_to() {
    let class = class_with(52, "()V", &caught());
    let result = edited(&class, |edit, editor, _| {
        let local = edit.new_local(LocalType::Int);
        edit.at_entry(Fragment::new().push_int(0, editor.pool())?.store_int(local));
        edit.landing_pad(&[0..1], Catcher::Row(0), Fragment::new().iinc(local, -2));
        edit.landing_pad(&[1..2], Catcher::Row(0), Fragment::new().iinc(local, -1));
        Ok(())
    })
    .unwrap();
    // `class_with` gives methods four slots, so the new one is the fifth.
    let expected = [
        "0 ICONST_0",
        "1 ISTORE 4",
        "3 NOP",
        "4 NOP",
        "5 RETURN",
        "6 POP",
        "7 RETURN",
        "8 IINC 4 -2",
        "11 GOTO -> 6",
        "14 IINC 4 -1",
        "17 GOTO -> 6",
        "20 GOTO -> 6",
    ];
    assert_eq!(listing(&result), expected);
    // That of the method has nothing left to cover.
    assert_eq!(exception_table(&result), [[3, 4, 8], [4, 5, 14]]);
    let entry = [OBJECT, 0, 2];
    let full =
        |delta| [&[FULL, 0, delta, 0, 5, TOP, TOP, TOP, TOP, INTEGER, 0, 1][..], &entry].concat();
    // Of two landing pads to one place, the second has the locals of the first.
    let same = |delta: u8| [&[64 + delta][..], &entry].concat();
    let expected = [&[0, 4][..], &full(6), &full(1), &same(5), &same(5)].concat();
    assert_eq!(attribute(&result, "StackMapTable").unwrap(), expected);
}

#[test]
fn each_catcher_has_its_own_landing_pads() {
    let method = code(&[NOP, NOP, NOP, RETURN]).catches(0, 1, 2).catches(0, 3, 3);
    let annotations = [&[0, 2][..], &[0x42, 0, 0, 0, 0, 1, 0, 0], &[0x42, 0, 1, 0, 0, 1, 0, 0]];
    let method = method.attribute("RuntimeVisibleTypeAnnotations", annotations.concat());
    let result = edited(&class_with(49, "()V", &method), |edit, _, _| {
        let rethrow = Fragment::new().athrow();
        let frame = HandlerFrame::NewLocalsOnly;
        let all = edit.catch_all(0..4, frame, rethrow);
        edit.landing_pad(&[1..2, 2..2], all, Fragment::new());
        edit.landing_pad(&[0..1, 1..2], Catcher::Row(1), Fragment::new());
        edit.landing_pad(&[0..1], Catcher::Row(0), Fragment::new());
        Ok(())
    })
    .unwrap();
    // 4 athrow; 5, 8 and 11 the landing pads; 14, 17 and 20 the jumps for the rest.
    let expected =
        [[0, 1, 11], [0, 1, 8], [1, 2, 8], [2, 3, 17], [1, 2, 5], [0, 1, 14], [2, 4, 14]];
    assert_eq!(exception_table(&result), expected);
    // The rest goes by way of a jump, because C1 compiles no method where code
    // jumps to what catches exceptions.
    // Annotations go on naming the entry that leads to the handler, or the
    // landing pad that took its place.
    let annotations = attribute(&result, "RuntimeVisibleTypeAnnotations").unwrap();
    assert_eq!([annotations[4], annotations[12]], [0, 3]);
}

#[test]
fn a_far_catcher_is_reached() {
    let bytes = [&[NOP; 40_000][..], &[RETURN]].concat();
    let method = code(&bytes).catches(30_000, 40_000, 1).catches(30_000, 40_000, 39_000);
    let result = edited(&class_with(49, "()V", &method), |edit, _, _| {
        edit.landing_pad(&[30_000..30_001], Catcher::Row(0), Fragment::new());
        edit.landing_pad(&[30_000..30_001], Catcher::Row(1), Fragment::new());
        Ok(())
    })
    .unwrap();
    assert_eq!(
        listing(&result)[40_001..],
        ["40001 GOTO_W -> 1", "40006 GOTO -> 39000", "40009 GOTO_W -> 1", "40014 GOTO -> 39000"]
    );
}

#[test]
fn what_a_guarded_landing_pad_throws_is_caught_like_what_led_there() {
    // 0 and 1 are caught by class 2 at 3, which itself is covered by what catches all at 5.
    let method = code(&[NOP, NOP, RETURN, POP, RETURN, POP, RETURN]).catches_class(0, 2, 3, 2);
    let method = method.catches(0, 4, 5);
    let result = edited(&class_with(49, "()V", &method), |edit, _, _| {
        let local = edit.new_local(LocalType::Int);
        edit.guarded_landing_pad(&[0..1], Catcher::Row(0), Fragment::new().iinc(local, -2));
        edit.guarded_landing_pad(&[2..3], Catcher::Row(1), Fragment::new().iinc(local, -1));
        Ok(())
    })
    .unwrap();
    // The landing pads are at 7 and 13, each with a jump of three bytes behind it, and
    // the jumps to the handlers at 19 and 22.
    let expected =
        [[0, 1, 7], [1, 2, 19], [2, 3, 13], [0, 2, 22], [3, 4, 22], [7, 10, 22], [13, 16, 22]];
    assert_eq!(exception_table(&result), expected);
}

#[test]
fn a_landing_pad_to_nowhere_is_refused() {
    let refused = |catcher| {
        let class = class_with(52, "()V", &caught());
        edited(&class, |edit, _, _| {
            edit.landing_pad(&[0..1], catcher, Fragment::new());
            Ok(())
        })
    };
    assert_eq!(refused(Catcher::Row(1)), Err(Refusal::NoSuchHandler));
    assert_eq!(refused(Catcher::Appended(0)), Err(Refusal::NoSuchHandler));
    // A handler whose types nobody knows.
    let method = code(&[NOP, RETURN, POP, RETURN]).catches(0, 1, 2);
    let method = method.attribute("StackMapTable", vec![0, 1, 1]);
    let result = edited(&class_with(52, "()V", &method), |edit, _, _| {
        edit.landing_pad(&[0..1], Catcher::Row(0), Fragment::new());
        Ok(())
    });
    assert_eq!(result, Err(Refusal::NoSuchHandler));
}

#[test]
fn methods_that_are_not_verified_need_no_frames() {
    let method = code(&[NOP, RETURN, POP, RETURN]).catches(0, 1, 2);
    let result = edited(&class_with(52, "()V", &method), |edit, _, _| {
        edit.landing_pad(&[0..1], Catcher::Row(0), Fragment::new());
        Ok(())
    });
    assert_eq!(exception_table(&result.unwrap()), [[0, 1, 4]]);
}

#[test]
fn landing_pads_have_the_line_of_the_handler() {
    // Lines 7 and 9 for what is caught and the handler, 8 for the rest.
    let lines = u2s(&[3, 0, 7, 2, 9, 3, 8]);
    let method = code(&[NOP, NOP, POP, RETURN]).catches(0, 1, 2);
    let method = method.attribute("LineNumberTable", lines);
    let result = edited(&class_with(49, "()V", &method), |edit, _, _| {
        let frame = HandlerFrame::NewLocalsOnly;
        let all = edit.catch_all(0..4, frame, Fragment::new().athrow());
        edit.landing_pad(&[0..1], Catcher::Row(0), Fragment::new());
        edit.landing_pad(&[1..2], all, Fragment::new());
        Ok(())
    })
    .unwrap();
    // 4 athrow; 5 and 8 the landing pads; 11 and 14 the jumps.
    let expected = u2s(&[7, 0, 7, 2, 9, 3, 8, 5, 9, 8, 8, 11, 9, 14, 8]);
    assert_eq!(attribute(&result, "LineNumberTable").unwrap(), expected);
}

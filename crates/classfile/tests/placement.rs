//! Where inserted code goes, and when it runs.

use crate::assembler::*;
use subsume_classfile::{Fragment, Local, LocalType, Refusal, opcode::*};

fn nops(count: usize) -> Fragment {
    Fragment::new().raw(&vec![NOP; count], 0)
}

/// A mark that shows up as `BIPUSH n; POP`.
fn mark(number: i8) -> Fragment {
    Fragment::new().raw(&[BIPUSH, number as u8], 1).pop()
}

#[test]
fn entry_code_does_not_run_again_on_a_jump_to_the_start() {
    let class = class_with(49, "(I)V", &code(&[ILOAD_0, IFNE, 0xFF, 0xFF, RETURN]));
    let result = edited(&class, |edit, _, _| {
        edit.at_entry(mark(1));
        Ok(())
    });
    let expected = ["0 BIPUSH 1", "2 POP", "3 ILOAD_0", "4 IFNE -> 3", "7 RETURN"];
    assert_eq!(listing(&result.unwrap()), expected);
}

#[test]
fn code_at_the_start_runs_before_other_entry_code() {
    let class = class_with(49, "(I)V", &code(&[ILOAD_0, IFNE, 0xFF, 0xFF, RETURN]));
    let result = edited(&class, |edit, _, _| {
        edit.at_entry(mark(3));
        edit.at_start(mark(1));
        edit.at_start(mark(2));
        Ok(())
    });
    let marks = ["0 BIPUSH 1", "2 POP", "3 BIPUSH 2", "5 POP", "6 BIPUSH 3", "8 POP"];
    let rest = ["9 ILOAD_0", "10 IFNE -> 9", "13 RETURN"];
    assert_eq!(listing(&result.unwrap()), [&marks[..], &rest[..]].concat());
}

#[test]
fn code_before_an_instruction_runs_on_jumps_too() {
    let class = class_with(49, "(I)V", &code(&[ILOAD_0, IFNE, 0xFF, 0xFF, RETURN]));
    let result = edited(&class, |edit, _, _| {
        edit.at_entry(mark(1));
        edit.before(0, mark(2));
        Ok(())
    });
    let expected =
        ["0 BIPUSH 1", "2 POP", "3 BIPUSH 2", "5 POP", "6 ILOAD_0", "7 IFNE -> 3", "10 RETURN"];
    assert_eq!(listing(&result.unwrap()), expected);
}

#[test]
fn code_after_an_instruction_runs_only_when_it_falls_through() {
    // Both the branch and what it jumps over lead to the return.
    let class = class_with(49, "(I)V", &code(&[ILOAD_0, IFNE, 0, 4, NOP, RETURN]));
    let result = edited(&class, |edit, _, _| {
        edit.before(5, mark(3));
        edit.after(4, mark(2));
        edit.after(1, mark(1));
        Ok(())
    });
    let expected = [
        "0 ILOAD_0",
        "1 IFNE -> 11",
        "4 BIPUSH 1",
        "6 POP",
        "7 NOP",
        "8 BIPUSH 2",
        "10 POP",
        "11 BIPUSH 3",
        "13 POP",
        "14 RETURN",
    ];
    assert_eq!(listing(&result.unwrap()), expected);
}

#[test]
fn nothing_is_inserted_behind_instructions_that_never_fall_through() {
    let class = class_with(49, "()V", &code(&[GOTO, 0, 3, RETURN]));
    let result = edited(&class, |edit, _, _| {
        edit.after(0, mark(1));
        edit.after(3, mark(2));
        Ok(())
    });
    assert_eq!(listing(&result.unwrap()), ["0 GOTO -> 3", "3 RETURN"]);
    // Under `wide` too.
    let subroutine = code(&[JSR, 0, 4, RETURN, ASTORE_0, WIDE, RET, 0, 0]);
    let result = edited(&class_with(49, "()V", &subroutine), |edit, _, _| {
        edit.after(5, mark(1));
        Ok(())
    });
    assert_eq!(listing(&result.unwrap()).last().unwrap(), "5 RET 0");
}

#[test]
fn fragments_at_one_place_keep_their_order() {
    let class = class_with(49, "()V", &code(&[NOP, RETURN]));
    let result = edited(&class, |edit, _, _| {
        for number in [1, 2, 3] {
            edit.before(1, mark(number));
        }
        edit.before(0, mark(4));
        edit.at_entry(mark(5));
        edit.at_entry(mark(6));
        Ok(())
    });
    let marks: Vec<_> = listing(&result.unwrap())
        .into_iter()
        .filter_map(|line| line.split_once("BIPUSH ").map(|(_, number)| number.to_owned()))
        .collect();
    assert_eq!(marks, ["5", "6", "4", "1", "2", "3"]);
}

#[test]
fn subroutines_are_called_and_return_where_they_did() {
    let bytes = [JSR, 0, 4, RETURN, ASTORE_0, NOP, RET, 0];
    let result = edited(&class_with(48, "()V", &code(&bytes)), |edit, _, _| {
        edit.before(4, mark(1));
        edit.after(0, mark(2));
        Ok(())
    });
    let expected = [
        "0 JSR -> 7",
        "3 BIPUSH 2",
        "5 POP",
        "6 RETURN",
        "7 BIPUSH 1",
        "9 POP",
        "10 ASTORE_0",
        "11 NOP",
        "12 RET 0",
    ];
    assert_eq!(listing(&result.unwrap()), expected);
}

#[test]
fn wide_instructions_are_copied_whole() {
    let bytes = [WIDE, IINC, 1, 0, 0x7F, 0xFF, WIDE, ILOAD, 1, 0, POP, RETURN];
    let mut method = code(&bytes);
    method.max_locals = 300;
    let result = edited(&class_with(49, "()V", &method), |edit, _, _| {
        edit.before(6, nops(1));
        Ok(())
    });
    let expected = ["0 IINC 256 32767", "6 NOP", "7 ILOAD 256", "11 POP", "12 RETURN"];
    assert_eq!(listing(&result.unwrap()), expected);
}

#[test]
fn new_locals_lie_behind_the_old_ones_and_use_the_shortest_form() {
    for (old, forms) in [
        (2, ["0 ICONST_0", "1 ISTORE_2", "2 IINC 2 100", "5 RETURN"]),
        (200, ["0 ICONST_0", "1 ISTORE 200", "3 IINC 200 100", "6 RETURN"]),
        (300, ["0 ICONST_0", "1 ISTORE 300", "5 IINC 300 100", "11 RETURN"]),
    ] {
        let mut method = code(&[RETURN]);
        method.max_locals = old;
        let result = edited(&class_with(49, "()V", &method), |edit, editor, _| {
            let count = edit.new_local(LocalType::Int);
            let start = Fragment::new().push_int(0, editor.pool())?.store_int(count);
            edit.at_entry(start.iinc(count, 100));
            Ok(())
        })
        .unwrap();
        assert_eq!(listing(&result), forms);
        with_code(&result, |code| assert_eq!(code.max_locals(), old + 1));
    }
}

#[test]
fn constants_are_loaded_wide_where_their_indices_may_grow() {
    let class = class_with(49, "()V", &code(&[RETURN]));
    let result = edited(&class, |edit, editor, _| {
        editor.pool().load_wide();
        for value in [5, 300, 70_000] {
            edit.before(0, Fragment::new().push_int(value, editor.pool())?.pop());
        }
        Ok(())
    });
    let listing = listing(&result.unwrap());
    let pushed: Vec<_> = listing.iter().step_by(2).map(|line| line.split(' ').nth(1)).collect();
    assert_eq!(pushed, ["ICONST_5", "SIPUSH", "LDC_W", "RETURN"].map(Some));
}

#[test]
fn increments_beyond_what_an_instruction_holds_take_several() {
    let local = Local::existing(1, LocalType::Int);
    for amount in [0, 1, -128, 127, 128, -129, 32_767, 32_768, -32_768, 100_000, -100_000] {
        let result = edited(&class_with(49, "()V", &code(&[RETURN])), |edit, _, _| {
            edit.before(0, Fragment::new().iinc(local, amount));
            Ok(())
        });
        let sum: i32 = with_code(&result.unwrap(), |code| {
            code.instructions().filter_map(|instruction| instruction.constant()).sum()
        });
        assert_eq!(sum, amount);
    }
}

#[test]
fn constants_take_the_shortest_form() {
    let class = class_with(49, "()V", &code(&[RETURN]));
    for (value, expected) in [
        (-1, "0 ICONST_M1"),
        (5, "0 ICONST_5"),
        (6, "0 BIPUSH 6"),
        (-128, "0 BIPUSH -128"),
        (-129, "0 SIPUSH -129"),
        (32_767, "0 SIPUSH 32767"),
        (32_768, "0 LDC"),
    ] {
        let result = edited(&class, |edit, editor, _| {
            edit.before(0, Fragment::new().push_int(value, editor.pool())?.pop());
            Ok(())
        });
        assert_eq!(listing(&result.unwrap())[0], expected);
    }
}

#[test]
fn the_stack_grows_by_what_fragments_need() {
    let class = class_with(49, "()V", &code(&[NOP, RETURN]));
    let two_deep = Fragment::new().push_null().dup().pop2();
    let entry_only = edited(&class, |edit, _, _| {
        edit.at_entry(&two_deep);
        Ok(())
    });
    // Nothing else is on the stack at entry, and there was room for four.
    with_code(&entry_only.unwrap(), |code| assert_eq!(code.max_stack(), 4));
    let inside = edited(&class, |edit, _, _| {
        edit.before(1, &two_deep);
        Ok(())
    });
    with_code(&inside.unwrap(), |code| assert_eq!(code.max_stack(), 6));
}

#[test]
fn places_inside_instructions_are_refused() {
    let class = class_with(49, "()V", &code(&[SIPUSH, 1, 1, POP, RETURN]));
    for bci in [1, 2, 5, 100] {
        for after in [false, true] {
            let result = edited(&class, |edit, _, _| {
                if after {
                    edit.after(bci, nops(1))
                } else {
                    edit.before(bci, nops(1))
                }
                Ok(())
            });
            assert_eq!(result, Err(Refusal::NotAnInstruction { bci }));
        }
    }
}

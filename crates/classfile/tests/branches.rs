//! Branches and switches keep leading where they led, however far.

use crate::assembler::*;
use subsume_classfile::{ClassFile, Fragment, Refusal, opcode::*};

fn nops(count: usize) -> Fragment {
    Fragment::new().raw(&vec![NOP; count], 0)
}

/// Inserts so many bytes before the instruction at `bci`.
fn padded(class: &[u8], bci: u32, count: usize) -> Vec<u8> {
    edited(class, |edit, _, _| {
        edit.before(bci, nops(count));
        Ok(())
    })
    .unwrap()
}

/// The listing without the `nop`s.
fn without_nops(class: &[u8]) -> Vec<String> {
    listing(class).into_iter().filter(|line| !line.ends_with("NOP")).collect()
}

#[test]
fn a_branch_is_widened_exactly_when_it_must_be() {
    // `goto` over one instruction, with code inserted before that one.
    let class = class_with(49, "()V", &code(&[GOTO, 0, 4, NOP, RETURN]));
    let fits = padded(&class, 3, 32_763);
    assert_eq!(without_nops(&fits), ["0 GOTO -> 32767", "32767 RETURN"]);
    let too_far = padded(&class, 3, 32_764);
    assert_eq!(without_nops(&too_far), ["0 GOTO_W -> 32770", "32770 RETURN"]);
}

#[test]
fn branches_backwards_are_widened_too() {
    let class = class_with(49, "()V", &code(&[NOP, NOP, GOTO, 0xFF, 0xFE]));
    let fits = padded(&class, 1, 32_766);
    assert_eq!(without_nops(&fits), ["32768 GOTO -> 0"]);
    let too_far = padded(&class, 1, 32_767);
    assert_eq!(without_nops(&too_far), ["32769 GOTO_W -> 0"]);
}

#[test]
fn subroutine_calls_are_widened() {
    let class = class_with(48, "()V", &code(&[JSR, 0, 4, RETURN, ASTORE_0, RET, 0]));
    let expected = ["0 JSR_W -> 40006", "40005 RETURN", "40006 ASTORE_0", "40007 RET 0"];
    assert_eq!(without_nops(&padded(&class, 3, 40_000)), expected);
}

#[test]
fn conditional_branches_are_inverted() {
    for (branch, inverted) in [
        (IFEQ, IFNE),
        (IFLT, IFGE),
        (IFGT, IFLE),
        (IF_ICMPEQ, IF_ICMPNE),
        (IF_ICMPLT, IF_ICMPGE),
        (IF_ICMPGT, IF_ICMPLE),
        (IF_ACMPEQ, IF_ACMPNE),
        (IFNULL, IFNONNULL),
    ] {
        for (old, new) in [(branch, inverted), (inverted, branch)] {
            let class = class_with(49, "()V", &code(&[old, 0, 4, NOP, RETURN]));
            let expected = [
                format!("0 {} -> 8", name(new)),
                "3 GOTO_W -> 40009".to_owned(),
                "40009 RETURN".to_owned(),
            ];
            assert_eq!(without_nops(&padded(&class, 3, 40_000)), expected);
        }
    }
}

#[test]
fn widening_one_branch_can_push_another_out_of_reach() {
    // The second branch leads further than the first, which jumps over it.
    // Alone the first would just reach.
    #[rustfmt::skip]
    let bytes = [
        GOTO, 0, 8, ICONST_0, IFEQ, 0, 10, NOP, RETURN, // 0 to 8
        NOP, NOP, NOP, NOP, NOP, RETURN,                // 9 to 14
    ];
    let class = class_with(49, "()V", &code(&bytes));
    let expected =
        ["0 GOTO -> 32765", "3 ICONST_0", "4 IFEQ -> 32771", "32765 RETURN", "32771 RETURN"];
    assert_eq!(without_nops(&padded(&class, 7, 32_757)), expected);
    let expected = [
        "0 GOTO_W -> 32774",
        "5 ICONST_0",
        "6 IFNE -> 14",
        "9 GOTO_W -> 32780",
        "32774 RETURN",
        "32780 RETURN",
    ];
    assert_eq!(without_nops(&padded(&class, 7, 32_759)), expected);
}

#[test]
fn wide_branches_stay_wide() {
    let class = class_with(49, "()V", &code(&[GOTO_W, 0, 0, 0, 6, NOP, RETURN]));
    assert_eq!(without_nops(&padded(&class, 5, 3)), ["0 GOTO_W -> 9", "9 RETURN"]);
}

/// `iload_0` and a switch with cases 5 and 6, all targets behind it.
fn table_switch() -> Vec<u8> {
    let mut bytes = vec![ILOAD_0, TABLESWITCH, 0, 0];
    for number in [24i32, 5, 6, 23, 25] {
        bytes.extend_from_slice(&number.to_be_bytes());
    }
    bytes.extend_from_slice(&[RETURN, RETURN, RETURN]);
    bytes
}

/// The same with keys -7 and 1,000.
fn lookup_switch() -> Vec<u8> {
    let mut bytes = vec![ILOAD_0, LOOKUPSWITCH, 0, 0];
    for number in [28i32, 2, -7, 27, 1000, 29] {
        bytes.extend_from_slice(&number.to_be_bytes());
    }
    bytes.extend_from_slice(&[RETURN, RETURN, RETURN]);
    bytes
}

#[test]
fn switches_are_padded_anew() {
    for inserted in 0..9u32 {
        for (bytes, keys) in [(table_switch(), [5, 6]), (lookup_switch(), [-7, 1000])] {
            let end = bytes.len() as u32;
            let class = class_with(49, "(I)V", &code(&bytes));
            let result = edited(&class, |edit, _, _| {
                edit.before(1, nops(inserted as usize));
                // Also between the targets.
                edit.before(end - 2, nops(2));
                Ok(())
            })
            .unwrap();
            with_code(&result, |code| {
                let switch = code.instruction_at(1 + inserted).unwrap();
                let behind = switch.end();
                let cases = switch.switch().unwrap();
                assert_eq!(cases.default_target(), behind + 1);
                let expected = [(keys[0], behind), (keys[1], behind + 4)];
                assert_eq!(cases.cases().collect::<Vec<_>>(), expected);
                assert_eq!(code.length(), behind + 5);
                // Padding is zero, as the specification wants it.
                let padding = 3 - (1 + inserted) % 4;
                assert!(switch.bytes()[1..][..padding as usize].iter().all(|&byte| byte == 0));
            });
        }
    }
}

#[test]
fn huge_switches_are_moved() {
    let cases = 16_000i32;
    let mut bytes = vec![ILOAD_0, TABLESWITCH, 0, 0];
    let end = 1 + 3 + 12 + 4 * cases;
    for number in [end - 1, 0, cases - 1] {
        bytes.extend_from_slice(&number.to_be_bytes());
    }
    for _ in 0..cases {
        bytes.extend_from_slice(&(end - 1).to_be_bytes());
    }
    bytes.push(RETURN);
    let result = padded(&class_with(49, "(I)V", &code(&bytes)), 1, 3);
    with_code(&result, |code| {
        let switch = code.instruction_at(4).unwrap().switch().unwrap();
        assert_eq!(switch.cases().count(), 16_000);
        assert!(switch.cases().all(|(_, target)| target == code.length() - 1));
    });
}

#[test]
fn a_branch_into_an_instruction_is_refused() {
    for distance in [1u8, 2, 200] {
        let class = class_with(49, "()V", &code(&[GOTO, 0, distance, RETURN]));
        let result = edited(&class, |edit, _, _| {
            edit.at_entry(nops(1));
            Ok(())
        });
        assert!(matches!(result, Err(Refusal::Malformed(_))), "{result:?}");
    }
}

/// Frames of a method as they stand in the table, without their count.
fn frames(class: &[u8]) -> Vec<u8> {
    attribute(class, "StackMapTable").unwrap()[2..].to_vec()
}

#[test]
fn the_frame_behind_a_widened_branch_is_derived() {
    // iload_0; ifeq 6; nop; nop; return, with a frame at 6 only.
    let bytes = [ILOAD_0, IFEQ, 0, 5, NOP, NOP, RETURN];
    let method = code(&bytes).attribute("StackMapTable", vec![0, 1, 6]);
    let result = padded(&class_with(52, "(I)V", &method), 5, 40_000);
    assert_eq!(
        without_nops(&result),
        ["0 ILOAD_0", "1 IFNE -> 9", "4 GOTO_W -> 40011", "40011 RETURN"]
    );
    // A full frame at 9 with the int argument, and then one at 40,011 whose
    // locals are named again.
    let delta = (40_011u16 - 9 - 1).to_be_bytes();
    let expected =
        [&[255, 0, 9, 0, 1, 1, 0, 0][..], &[255, delta[0], delta[1], 0, 1, 1, 0, 0]].concat();
    assert_eq!(frames(&result), expected);
}

#[test]
fn derived_frames_know_what_instructions_leave_behind() {
    // Puts a long, a fresh object and an int array into locals and stack.
    let mut class = ClassAssembler::new(52);
    let object = class.class("java/lang/Object");
    let init = class.methodref("java/lang/Object", "<init>", "()V");
    let [object_high, object_low] = object.to_be_bytes();
    let [init_high, init_low] = init.to_be_bytes();
    #[rustfmt::skip]
    let bytes = [
        LCONST_1, LSTORE_0,                              // 0: long in 0 and 1
        NEW, object_high, object_low, DUP,               // 2: uninitialised, twice
        INVOKESPECIAL, init_high, init_low, ASTORE_2,    // 6: initialised
        NEW, object_high, object_low,                    // 10: stays uninitialised
        ICONST_1, NEWARRAY, 10,                          // 13: int[]
        ICONST_0, IFEQ, 0, 5, NOP, NOP,                  // 16
        POP2, RETURN,                                    // 22
    ];
    // The frame at 22: long, Object in 2; on the stack the new at 10, int[].
    let int_array = class.class("[I");
    let mut frame = vec![0, 1, 255, 0, 22, 0, 2, 4, 7, object_high, object_low, 0, 2, 8, 0, 10, 7];
    frame.extend_from_slice(&int_array.to_be_bytes());
    class.static_method("()V", &code(&bytes).attribute("StackMapTable", frame));
    let result = padded(&class.finish(), 21, 40_000);
    let table = frames(&result);
    let [head @ .., index_high, index_low] = &table[..17] else { unreachable!() };
    #[rustfmt::skip]
    let expected = [
        255, 0, 25, 0, 2, 4, 7, object_high, object_low, // long, Object
        0, 2, 8, 0, 10, 7, // uninitialised since bci 10, and ...
    ];
    assert_eq!(*head, expected);
    let class = ClassFile::parse(&result).unwrap();
    let index = u16::from_be_bytes([*index_high, *index_low]);
    assert_eq!(class.constant_pool().class_name(index), Ok(&b"[I"[..]));
}

//! Values of small methods, looked at one by one. That all values of large
//! programs are right is proved in `tests/verifier`.

use crate::assembler::*;
use subsume_classfile::ssa::{Definition, Origin, Position, Unsupported, ValueId, Values};
use subsume_classfile::{ControlFlow, opcode::*};

/// The values of a static method with this descriptor.
fn values_of(descriptor: &str, code: &CodeAssembler) -> Result<Values, Unsupported> {
    let code = CodeAssembler { max_stack: 8, ..code.clone() };
    with_code(&class_with(49, descriptor, &code), |code| Values::new(code, &ControlFlow::new(code)))
}

fn values(descriptor: &str, code: &CodeAssembler) -> Values {
    values_of(descriptor, code).expect("tracked")
}

/// A value in few letters: `p0` a parameter, `r5` a result, `c1` caught by
/// block 1, `m2L3` and `m2S0` phis at block 2 of local 3 and stack word 0.
fn show(values: &Values, value: ValueId) -> String {
    match values.definition(value) {
        Definition::Parameter(local) => format!("p{local}"),
        Definition::Result(bci) => format!("r{bci}"),
        Definition::Caught(block) => format!("c{block}"),
        Definition::Phi { block, position: Position::Local(local) } => {
            format!("m{block}L{local}")
        }
        Definition::Phi { block, position: Position::Stack(depth) } => {
            format!("m{block}S{depth}")
        }
    }
}

/// The operands of an instruction.
fn operands(values: &Values, bci: u32) -> String {
    let operation = values.at(bci).expect("a reachable instruction");
    let shown: Vec<_> = operation.operands.iter().map(|&value| show(values, value)).collect();
    shown.join(" ")
}

/// All phis with their inputs: `e` the entry, `b1` block 1, `@5` before 5.
fn phis(values: &Values) -> Vec<String> {
    let input = |values: &Values, origin, value| match origin {
        Origin::Entry => format!(" e:{}", show(values, value)),
        Origin::Block(block) => format!(" b{block}:{}", show(values, value)),
        Origin::Before(bci) => format!(" @{bci}:{}", show(values, value)),
    };
    let shown = |phi| {
        let inputs = values.inputs(phi).iter();
        let inputs: String = inputs.map(|way| input(values, way.origin, way.value)).collect();
        show(values, phi) + " =" + &inputs
    };
    values.phis().map(shown).collect()
}

#[test]
fn moves_pass_values_through() {
    #[rustfmt::skip]
    let bytes = [
        ILOAD_0, DUP, ISTORE_1,   // 0: p0, and in local 1
        ICONST_2, SWAP, ISUB,     // 3: 2 below p0
        ISTORE_2, ILOAD_1,        // 6
        ILOAD_2, IADD, POP,       // 8
        RETURN,
    ];
    let values = values("(I)V", &code(&bytes));
    assert_eq!(operands(&values, 0), "p0");
    assert_eq!(operands(&values, 4), "p0 r3");
    assert_eq!(operands(&values, 5), "r3 p0");
    assert_eq!(operands(&values, 9), "p0 r5");
    assert_eq!(operands(&values, 10), "r9");
    assert_eq!(values.at(2).unwrap().result, None);
    let difference = values.at(5).unwrap().result.unwrap();
    assert_eq!(values.definition(difference), Definition::Result(5));
    assert!(phis(&values).is_empty());
    assert_eq!(values.at(11).unwrap().operands, []);
    assert_eq!(values.at(12), None);
}

/// What is popped one by one behind an instruction, from the top.
fn stack_behind(push: &[u8], instruction: u8, pops: &[u8]) -> Vec<String> {
    let bytes = [push, &[instruction], pops, &[RETURN]].concat();
    let values = values("()V", &code(&bytes));
    let first = push.len() + 1;
    (first..first + pops.len()).map(|bci| operands(&values, bci as u32)).collect()
}

#[test]
fn every_form_of_dup_copies_what_it_says() {
    use ICONST_0 as I;
    use LCONST_0 as L;
    let (int, long) = (POP, POP2);
    assert_eq!(stack_behind(&[I], DUP, &[int; 2]), ["r0", "r0"]);
    assert_eq!(stack_behind(&[I, I], DUP_X1, &[int; 3]), ["r1", "r0", "r1"]);
    assert_eq!(stack_behind(&[I, I, I], DUP_X2, &[int; 4]), ["r2", "r1", "r0", "r2"]);
    assert_eq!(stack_behind(&[L, I], DUP_X2, &[int, long, int]), ["r1", "r0", "r1"]);
    assert_eq!(stack_behind(&[I, I], DUP2, &[int; 4]), ["r1", "r0", "r1", "r0"]);
    assert_eq!(stack_behind(&[L], DUP2, &[long; 2]), ["r0", "r0"]);
    assert_eq!(stack_behind(&[I, I, I], DUP2_X1, &[int; 5]), ["r2", "r1", "r0", "r2", "r1"]);
    assert_eq!(stack_behind(&[I, L], DUP2_X1, &[long, int, long]), ["r1", "r0", "r1"]);
    let forms = [
        stack_behind(&[I, I, I, I], DUP2_X2, &[int; 6]),
        stack_behind(&[I, I, L], DUP2_X2, &[long, int, int, long]),
        stack_behind(&[L, I, I], DUP2_X2, &[int, int, long, int, int]),
        stack_behind(&[L, L], DUP2_X2, &[long, long, long]),
    ];
    assert_eq!(forms[0], ["r3", "r2", "r1", "r0", "r3", "r2"]);
    assert_eq!(forms[1], ["r2", "r1", "r0", "r2"]);
    assert_eq!(forms[2], ["r2", "r1", "r0", "r2", "r1"]);
    assert_eq!(forms[3], ["r1", "r0", "r1"]);
    assert_eq!(stack_behind(&[I, I], POP2, &[]), Vec::<String>::new());
}

#[test]
fn operands_are_counted_in_values_not_words() {
    let mut class = ClassAssembler::new(49);
    let [high, low] = class.methodref("T", "call", "(IJLT;D)J").to_be_bytes();
    #[rustfmt::skip]
    let bytes = [
        ICONST_0, LLOAD_0, ACONST_NULL, DCONST_0,
        INVOKESTATIC, high, low,             // 4
        LSTORE_2, LLOAD_2, LLOAD_0, LADD,    // 7
        LRETURN,
    ];
    class.static_method("(J)J", &CodeAssembler { max_stack: 8, ..code(&bytes) });
    let values = with_code(&class.finish(), |code| Values::new(code, &ControlFlow::new(code)));
    let values = values.unwrap();
    assert_eq!(operands(&values, 4), "r0 p0 r2 r3");
    assert_eq!(operands(&values, 10), "r4 p0");
    assert_eq!(operands(&values, 11), "r10");
}

#[test]
fn parameters_are_numbered_by_local_variable() {
    let bytes = [LLOAD_0, POP2, FLOAD_2, POP, DLOAD_3, POP2, RETURN];
    let values = values("(JFD)V", &CodeAssembler { max_locals: 5, ..code(&bytes) });
    assert_eq!(values.len(), 3);
    assert_eq!(
        [operands(&values, 1), operands(&values, 3), operands(&values, 5)],
        ["p0", "p2", "p3"]
    );
}

#[test]
fn a_choice_on_the_stack_is_merged_and_what_lies_below_is_not() {
    #[rustfmt::skip]
    let bytes = [
        ICONST_5, ILOAD_0, IFEQ, 0, 7,   // block 0
        ICONST_1, GOTO, 0, 4,            // block 1: 5
        ICONST_2,                        // block 2: 9
        IADD, POP, RETURN,               // block 3: 10
    ];
    let values = values("(I)V", &code(&bytes));
    assert_eq!(phis(&values), ["m3S1 = b2:r9 b1:r5"]);
    assert_eq!(operands(&values, 10), "r0 m3S1");
}

#[test]
fn only_the_loop_that_changes_a_variable_has_a_phi() {
    #[rustfmt::skip]
    let bytes = [
        ICONST_0, ISTORE_1,               // block 0
        ILOAD_0, IFEQ, 0, 16,             // block 1: 2, outer header
        ILOAD_1, IFEQ, 0, 9,              // block 2: 6, inner header
        IINC, 1, 1, GOTO, 0xFF, 0xF9,     // block 3: 10
        GOTO, 0xFF, 0xF2,                 // block 4: 16
        RETURN,                           // block 5: 19
    ];
    let values = values("(I)V", &code(&bytes));
    assert_eq!(phis(&values), ["m1L1 = b0:r0 b4:m2L1", "m2L1 = b1:m1L1 b3:r10"]);
    assert_eq!(operands(&values, 2), "p0");
    assert_eq!(operands(&values, 10), "m2L1");
}

#[test]
fn loops_that_change_nothing_have_no_phi() {
    #[rustfmt::skip]
    let bytes = [
        ICONST_0, ISTORE_1,               // block 0
        ILOAD_1, IFEQ, 0, 13,             // block 1: 2, to 16
        ILOAD_1, IFEQ, 0, 6,              // block 2: 6, to 13
        GOTO, 0xFF, 0xFC,                 // block 3: 10, to 6
        GOTO, 0xFF, 0xF5,                 // block 4: 13, to 2
        RETURN,
    ];
    let values = values("()V", &code(&bytes));
    assert!(phis(&values).is_empty());
    assert_eq!(operands(&values, 6), "r0");
}

/// A cycle with two entries: each of its phis has an input from outside the
/// cycle, and both are the same.
#[test]
fn phis_that_know_only_each_other_and_one_value_are_that_value() {
    #[rustfmt::skip]
    let bytes = [
        ICONST_0, ISTORE_1,               // block 0
        ILOAD_0, IFEQ, 0, 7,              //          to 10
        ILOAD_1, IFEQ, 0, 7,              // block 1: 6, to 14
        ILOAD_1, IFEQ, 0xFF, 0xFB,        // block 2: 10, to 6
        RETURN,                           // block 3: 14
    ];
    let values = values("(I)V", &code(&bytes));
    assert!(phis(&values).is_empty());
    assert_eq!(operands(&values, 10), "r0");
}

#[test]
fn the_same_value_from_two_predecessors_has_no_phi() {
    #[rustfmt::skip]
    let bytes = [
        ILOAD_0, IFEQ, 0, 8,              // block 0: to 9
        ILOAD_1, ISTORE_2, GOTO, 0, 5,    // block 1: 4, to 11
        ILOAD_1, ISTORE_2,                // block 2: 9
        ILOAD_2, POP, RETURN,             // block 3: 11
    ];
    let values = values("(III)V", &code(&bytes));
    assert!(phis(&values).is_empty());
    assert_eq!(operands(&values, 12), "p1");
}

#[test]
fn a_method_that_jumps_to_its_start_has_a_phi_with_its_entry() {
    let bytes = [IINC, 0, 1, GOTO, 0xFF, 0xFD];
    let values = values("(I)V", &code(&bytes));
    assert_eq!(phis(&values), ["m0L0 = e:p0 b0:r0"]);
    assert_eq!(operands(&values, 0), "m0L0");
}

#[test]
fn handlers_find_what_was_there_at_each_covered_place() {
    #[rustfmt::skip]
    let bytes = [
        ICONST_1, ISTORE_1,               // 0, from 2 on covered
        ICONST_2, ISTORE_1,               // 2
        NOP,                              // 4
        ICONST_3, ISTORE_1,               // 5, the store is the last that is covered
        RETURN,                           // 7
        POP, ILOAD_1, POP, RETURN,        // 8, block 1
    ];
    let values = values("()V", &code(&bytes).catches(2, 7, 8));
    assert_eq!(phis(&values), ["m1L1 = @2:r0 @4:r2"]);
    assert_eq!(operands(&values, 8), "c1");
    assert_eq!(operands(&values, 10), "m1L1");
}

#[test]
fn a_loop_in_a_covered_range_tells_its_handler_only_what_changes() {
    #[rustfmt::skip]
    let bytes = [
        ICONST_1, ISTORE_1,               // block 0
        ICONST_2, ISTORE_2,               //          covered from 2
        ILOAD_0, IFEQ, 0, 9,              // block 1: 4, to 14
        IINC, 2, 1,                       // block 2: 8
        GOTO, 0xFF, 0xF9,                 //          11, to 4
        ICONST_4, ISTORE_1,               // block 3: 14
        NOP, RETURN,                      // 16, covered up to 17
        POP, ILOAD_1, ILOAD_2, RETURN,    // block 4: 18
    ];
    // Local 2 needs a value where the range starts.
    let values = values("(III)V", &code(&bytes).catches(2, 17, 18));
    let expected = ["m1L2 = b0:r2 b2:r8", "m4L1 = @2:r0 @16:r14", "m4L2 = @2:p2 @4:m1L2 @11:r8"];
    assert_eq!(phis(&values), expected);
}

#[test]
fn ranges_of_one_handler_are_entered_each_by_itself() {
    #[rustfmt::skip]
    let bytes = [
        NOP, ICONST_1, ISTORE_0,          // 0, covered: nop
        ICONST_2, ISTORE_0,               // 3, not covered
        NOP, RETURN,                      // 5, covered again
        POP, ILOAD_0, POP, RETURN,        // 7
    ];
    let values = values("(I)V", &code(&bytes).catches(0, 1, 7).catches(0, 1, 7).catches(5, 7, 7));
    assert_eq!(phis(&values), ["m1L0 = @0:p0 @5:r3"]);
}

#[test]
fn a_handler_that_is_also_jumped_to_has_a_phi_of_the_exception() {
    #[rustfmt::skip]
    let bytes = [
        NOP, ACONST_NULL,                 // 0, the nop is covered
        GOTO, 0, 3,                       // 2
        POP, RETURN,                      // 5, block 1
    ];
    let values = values("()V", &code(&bytes).catches(0, 1, 5));
    assert_eq!(phis(&values), ["m1S0 = b0:r1 @0:c1"]);
    assert_eq!(operands(&values, 5), "m1S0");
}

#[test]
fn demanded_values_are_found_through_phis() {
    #[rustfmt::skip]
    let bytes = [
        ICONST_0, ISTORE_1,               // block 0
        ICONST_5, ISTORE_2,
        ILOAD_0, IFEQ, 0, 9,              // block 1: 4, to 14
        IINC, 1, 1,                       // block 2: 8
        GOTO, 0xFF, 0xF9,                 //          11, to 4
        ILOAD_1, ILOAD_2, RETURN,         // block 3: 14
    ];
    let values = values("(I)V", &code(&bytes));
    let loaded = |bci| values.at(bci).unwrap().operands[0];
    let needed = values.demanded_by([loaded(14)]);
    let shown: Vec<_> = needed.iter().map(|value| show(&values, value)).collect();
    assert_eq!(shown, ["r0", "r8", "m1L1"]);
    assert!(!needed.contains(loaded(15)));
    let sources: Vec<_> =
        values.sources(loaded(14)).into_iter().map(|value| show(&values, value)).collect();
    assert_eq!(sources, ["r0", "r8"]);
    assert_eq!(values.sources(loaded(15)), [loaded(15)]);
    assert_eq!(values.demanded_by([]).iter().count(), 0);
}

#[test]
fn phis_are_found_by_block() {
    let bytes = [IINC, 0, 1, IINC, 1, 1, GOTO, 0xFF, 0xFA];
    let values = values("(II)V", &code(&bytes));
    let shown: Vec<_> = values.phis_of(0).map(|value| show(&values, value)).collect();
    assert_eq!(shown, ["m0L0", "m0L1"]);
    assert_eq!(values.phis_of(1).count(), 0);
    assert_eq!(values.phis_of(u32::MAX).count(), 0);
}

#[test]
fn what_cannot_be_reached_has_no_values() {
    let values = values("()V", &code(&[RETURN, JSR, 0, 0, POP, ATHROW]));
    assert_eq!(values.operations().map(|operation| operation.bci).collect::<Vec<_>>(), [0]);
    assert!(values.at(1).is_none() && values.is_empty());
}

#[test]
fn code_that_cannot_be_followed_is_refused_with_its_reason() {
    let refused =
        |descriptor: &str, bytes: &[u8]| values_of(descriptor, &code(bytes)).expect_err("refused");
    assert_eq!(refused("()V", &[NOP, JSR, 0, 3, POP, RETURN]), Unsupported::Subroutine { bci: 1 });
    let stack = |bci| Unsupported::Stack { bci };
    assert_eq!(refused("()V", &[ICONST_0, IADD, RETURN]), stack(1));
    assert_eq!(refused("()V", &[LCONST_0, POP, RETURN]), stack(1));
    assert_eq!(refused("()V", &[ICONST_0, LCONST_0, SWAP, RETURN]), stack(2));
    assert_eq!(refused("()V", &[LCONST_0, ICONST_0, SWAP, RETURN]), stack(2));
    assert_eq!(refused("()V", &[LCONST_0, ICONST_0, DUP_X1, RETURN]), stack(2));
    assert_eq!(refused("()V", &[ICONST_0, GOTO, 0xFF, 0xFF]), stack(0));
    assert_eq!(refused("()V", &[LCONST_0; 5]), stack(4));
    let operand = |bci| Unsupported::Operand { bci };
    assert_eq!(refused("()V", &[ILOAD, 4, RETURN]), operand(0));
    assert_eq!(refused("()V", &[LLOAD_3, RETURN]), operand(0));
    assert_eq!(refused("()V", &[NOP, GETSTATIC, 0xFF, 0xFF, RETURN]), operand(1));
    let undefined = |bci| Unsupported::Undefined { bci };
    assert_eq!(refused("()V", &[ILOAD_0, RETURN]), undefined(0));
    assert_eq!(refused("()V", &[NOP, ICONST_0, IFEQ, 0, 3, ILOAD_0, RETURN]), undefined(5));
    assert_eq!(refused("(JJI)V", &[RETURN]), Unsupported::Parameters);
    let message = Unsupported::Stack { bci: 7 }.to_string();
    assert_eq!(message, "the operand stack does not fit at bci 7");
}

#[test]
fn a_variable_set_on_one_way_only_is_undefined() {
    #[rustfmt::skip]
    let bytes = [
        ILOAD_0, IFEQ, 0, 5,              // block 0: to 6
        ICONST_0, ISTORE_1,               // block 1: 4
        ILOAD_1, RETURN,                  // block 2: 6
    ];
    assert_eq!(values_of("(I)V", &code(&bytes)).err(), Some(Unsupported::Undefined { bci: 0 }));
}

/// Hundreds of handlers, each reading hundreds of variables, each of which may
/// have been set in any of a thousand blocks.
#[test]
fn phis_without_end_are_refused() {
    const VARIABLES: u8 = 100;
    const HANDLERS: u16 = 100;
    let mut bytes = Vec::new();
    for block in 0..1000 {
        // Each block is its own loop, so that each has a phi.
        let variable = (block % usize::from(VARIABLES)) as u8;
        bytes.extend_from_slice(&[IINC, variable, 1, ILOAD, variable, IFEQ, 0xFF, 0xFB]);
    }
    let end = bytes.len() as u16;
    bytes.push(RETURN);
    let mut code = CodeAssembler { max_locals: VARIABLES.into(), ..code(&[]) };
    for _ in 0..HANDLERS {
        code = code.catches(0, end, bytes.len() as u16);
        bytes.push(POP);
        bytes.extend((0..VARIABLES).flat_map(|variable| [ILOAD, variable, POP]));
        bytes.push(RETURN);
    }
    code.bytes = bytes;
    let descriptor = format!("({})V", "I".repeat(VARIABLES.into()));
    assert_eq!(values_of(&descriptor, &code).err(), Some(Unsupported::TooManyPhis));
}

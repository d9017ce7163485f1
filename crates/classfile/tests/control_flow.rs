//! Basic blocks, dominators and loops.

use crate::assembler::*;
use subsume_classfile::{ControlFlow, opcode::*};

fn flow(code: &CodeAssembler) -> ControlFlow {
    with_code(&class_with(49, "(I)V", code), ControlFlow::new)
}

/// Start, end and number of instructions of each block.
fn blocks(flow: &ControlFlow) -> Vec<[u32; 3]> {
    flow.blocks().iter().map(|block| [block.start, block.end, block.instruction_count]).collect()
}

fn successors(flow: &ControlFlow) -> Vec<Vec<u32>> {
    (0..flow.blocks().len() as u32).map(|block| flow.successors(block).to_vec()).collect()
}

#[test]
fn calls_do_not_end_blocks_and_branches_do() {
    let bytes = [ILOAD_0, INVOKESTATIC, 0, 1, IFEQ, 0, 4, NOP, RETURN];
    let flow = flow(&code(&bytes));
    assert_eq!(blocks(&flow), [[0, 7, 3], [7, 8, 1], [8, 9, 1]]);
    assert_eq!(successors(&flow), [vec![1, 2], vec![2], vec![]]);
    assert!(flow.is_leader(0) && flow.is_leader(7) && !flow.is_leader(4));
    assert!(!flow.is_leader(6) && !flow.is_leader(9));
    assert_eq!(flow.block_of(6), Some(0));
    assert_eq!(flow.block_of(8), Some(2));
    assert_eq!(flow.block_of(9), None);
}

#[test]
fn switches_lead_to_each_target_once() {
    let mut bytes = vec![ILOAD_0, TABLESWITCH, 0, 0];
    for number in [27i32, 0, 2, 27, 28, 27] {
        bytes.extend_from_slice(&number.to_be_bytes());
    }
    bytes.extend_from_slice(&[RETURN, RETURN]);
    let flow = flow(&code(&bytes));
    assert_eq!(successors(&flow), [vec![1, 2], vec![], vec![]]);
}

#[test]
fn handlers_follow_the_blocks_that_they_cover() {
    let bytes = [ILOAD_0, IFEQ, 0, 4, NOP, RETURN, ATHROW];
    let flow = flow(&code(&bytes).catches(4, 5, 6).catches(0, 2, 6).catches(0, 2, 5));
    assert_eq!(blocks(&flow), [[0, 4, 2], [4, 5, 1], [5, 6, 1], [6, 7, 1]]);
    assert_eq!(flow.exception_successors(0), [3, 2]);
    assert_eq!(flow.exception_successors(1), [3]);
    assert!(flow.exception_successors(2).is_empty());
}

#[test]
fn subroutines_return_behind_their_calls() {
    let bytes = [JSR, 0, 7, JSR, 0, 4, RETURN, ASTORE_0, RET, 0];
    let flow = flow(&code(&bytes));
    assert_eq!(blocks(&flow), [[0, 3, 1], [3, 6, 1], [6, 7, 1], [7, 10, 2]]);
    assert_eq!(successors(&flow), [vec![3], vec![3], vec![], vec![1, 2]]);
}

#[test]
fn targets_that_are_no_instructions_are_left_out() {
    let bytes = [GOTO, 0, 4, SIPUSH, 0, 0, GOTO, 0xFF, 0x00];
    let flow = flow(&code(&bytes).catches(0, 3, 5));
    assert_eq!(blocks(&flow), [[0, 3, 1], [3, 9, 2]]);
    assert_eq!(successors(&flow), [vec![], vec![]]);
    assert!(flow.exception_successors(0).is_empty());
}

#[test]
fn nested_loops_are_found_with_their_bodies() {
    #[rustfmt::skip]
    let bytes = [
        NOP,                      // block 0: 0
        ILOAD_0, IFEQ, 0, 14,     // block 1: 1, outer header, leaves to 16
        ILOAD_0, IFEQ, 0, 7,      // block 2: 5, inner header, leaves to 13
        NOP, GOTO, 0xFF, 0xFB,    // block 3: 9, back to 5
        GOTO, 0xFF, 0xF4,         // block 4: 13, back to 1
        RETURN,                   // block 5: 16
    ];
    let flow = flow(&code(&bytes));
    assert_eq!(successors(&flow)[1..5], [vec![2, 5], vec![3, 4], vec![2], vec![1]]);
    let backward: Vec<_> = flow.backward_edges().collect();
    assert_eq!(backward, [(3, 2), (4, 1)]);
    let loops = flow.loops();
    let found: Vec<_> = loops
        .natural()
        .iter()
        .map(|found| (found.header, found.latches.clone(), found.body.clone(), found.parent))
        .collect();
    let expected = [(1, vec![4], vec![1, 2, 3, 4], None), (2, vec![3], vec![2, 3], Some(0))];
    assert_eq!(found, expected);
    assert_eq!(loops.natural()[1].depth, 1);
    assert!(loops.natural()[0].contains(3) && !loops.natural()[0].contains(5));
    assert_eq!(loops.innermost(3), Some(1));
    assert_eq!(loops.innermost(4), Some(0));
    assert_eq!(loops.innermost(5), None);
    assert!(loops.irreducible_edges().is_empty());
}

#[test]
fn a_cycle_with_two_entries_is_no_natural_loop() {
    #[rustfmt::skip]
    let bytes = [
        ILOAD_0, IFEQ, 0, 4,      // block 0, to 5 or on
        NOP,                      // block 1: 4
        NOP,                      // block 2: 5
        GOTO, 0xFF, 0xFE,         // back to 4
    ];
    let flow = flow(&code(&bytes));
    let loops = flow.loops();
    assert!(loops.natural().is_empty());
    assert_eq!(loops.irreducible_edges().len(), 1);
}

#[test]
fn loops_with_one_header_are_one() {
    #[rustfmt::skip]
    let bytes = [
        ILOAD_0, IFEQ, 0, 6,      // block 0: header
        GOTO, 0xFF, 0xFC,         // block 1: 4
        GOTO, 0xFF, 0xF9,         // block 2: 7
    ];
    let flow = flow(&code(&bytes));
    assert_eq!(successors(&flow), [vec![1, 2], vec![0], vec![0]]);
    let loops = flow.loops();
    assert_eq!(loops.natural().len(), 1);
    assert_eq!(loops.natural()[0].latches, [1, 2]);
}

/// Dominators by definition: `d` dominates `b` if `b` cannot be reached
/// without `d`.
#[test]
fn dominators_agree_with_their_definition() {
    let mut seed = 0x9E37_79B9_7F4A_7C15u64;
    let mut random = move |below: u64| {
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        seed % below
    };
    for _ in 0..300 {
        // Branches of three bytes each, to random others.
        let count = 2 + random(12);
        let mut bytes = Vec::new();
        for position in 0..count {
            let target = random(count) as i64;
            let [high, low] = ((target - position as i64) as i16 * 3).to_be_bytes();
            bytes.extend_from_slice(&[if random(4) == 0 { GOTO } else { IFEQ }, high, low]);
        }
        bytes.push(RETURN);
        let flow = flow(&code(&bytes));
        let dominators = flow.dominators();
        let blocks = flow.blocks().len() as u32;
        let reached_without = |removed: Option<u32>| {
            let mut seen = vec![false; blocks as usize];
            let mut work = vec![0];
            while let Some(block) = work.pop() {
                if Some(block) != removed && !std::mem::replace(&mut seen[block as usize], true) {
                    work.extend(flow.all_successors(block));
                }
            }
            seen
        };
        let reachable = reached_without(None);
        for dominator in 0..blocks {
            let without = reached_without(Some(dominator));
            for block in 0..blocks {
                let expected = reachable[dominator as usize]
                    && reachable[block as usize]
                    && !without[block as usize];
                assert_eq!(dominators.dominates(dominator, block), expected);
            }
        }
        for block in 0..blocks {
            if let Some(immediate) = dominators.immediate_dominator(block) {
                assert!(dominators.dominates(immediate, block));
                let others = (0..blocks)
                    .filter(|&other| other != block && dominators.dominates(other, block));
                assert!(others.into_iter().all(|other| dominators.dominates(other, immediate)));
            }
        }
    }
}

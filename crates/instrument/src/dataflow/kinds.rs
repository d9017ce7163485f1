//! How many loads, stores, computations and comparisons a method executes
//! (Xu et al. 2014, Figures 4 and 5).
//!
//! They are counted with the bytecodes, block by block, all four in one long:
//! 16 bits for each. A loop adds them to the node before one overflows.

use classfile::ssa::kinds::{Counted, kind};
use classfile::{Code, Instruction, opcode};

use crate::plan::{Body, DataflowCounts, MethodPlan};

/// Numbers of loads, stores, alu and comparisons, 16 bits each.
pub type Packed = u64;

/// A longer method could execute so many instructions of a kind between two
/// looks at the sum that it overflows.
const LONGEST: u32 = 1 << 15;

fn of(opcode: u8) -> Packed {
    match kind(opcode).counted() {
        Some(Counted::Load) => 1,
        Some(Counted::Store) => 1 << 16,
        Some(Counted::Alu) => 1 << 32,
        Some(Counted::Comparison) => 1 << 48,
        None => 0,
    }
}

/// Each of the four.
fn unpack(kinds: Packed) -> [u32; 4] {
    [0, 16, 32, 48].map(|shift| (kinds >> shift) as u32 & 0xFFFF)
}

/// Plans the counting; false if the method is too long for it.
pub fn plan(plan: &mut MethodPlan, code: &Code<'_>) -> bool {
    if code.length() >= LONGEST {
        return false;
    }
    let copies = code.instructions().any(|instruction| {
        matches!(
            instruction.opcode,
            opcode::IASTORE..=opcode::SASTORE | opcode::PUTFIELD | opcode::PUTSTATIC
        ) || copies_objects(code, &instruction)
    });
    // Sums up to each instruction, so that any part is a difference. They do not
    // overflow into each other: a method is shorter than that.
    let mut starts = Vec::new();
    let mut sums: Vec<Packed> = vec![0];
    for instruction in code.instructions() {
        starts.push(instruction.bci);
        sums.push(sums[sums.len() - 1] + of(instruction.opcode));
    }
    let index = |bci: u32| starts.partition_point(|&start| start < bci);
    let of_next = |bci: u32, count: u32| {
        let first = index(bci);
        sums[(first + count as usize).min(starts.len())] - sums[first]
    };
    let first = of_next(0, plan.base_bytecodes);
    for block in &mut plan.blocks {
        block.kinds = of_next(block.start, block.bytecodes);
    }
    for cut in &mut plan.cuts {
        // What is left of the block stands behind the instruction.
        let behind = starts.get(index(cut.bci) + 1).copied().unwrap_or(code.length());
        cut.residue.kinds = of_next(behind, cut.residue.bytecodes);
    }
    plan.base_kinds = unpack(first);
    if plan.body == Body::Leaf && !copies {
        return true;
    }
    if plan.body == Body::Leaf {
        // It has to keep its node until its copies are known.
        plan.body = Body::BranchingLeaf;
    }
    // What the first block does follows from the calls, but for what exceptions
    // leave undone.
    let any = plan.blocks.iter().fold(0, |any, block| any | block.kinds);
    let counted_kinds = (0..).zip(unpack(any)).map(|(bit, n)| i32::from(n > 0) << bit).sum();
    let has_kinds = !plan.blocks.is_empty() || plan.cuts.iter().any(|cut| cut.residue.kinds > 0);
    plan.dataflow = Some(DataflowCounts { counted_kinds, has_kinds, copies });
    true
}

/// True for `System.arraycopy` and calls of `clone`.
fn copies_objects(code: &Code<'_>, instruction: &Instruction<'_>) -> bool {
    opcode::is_invoke(instruction.opcode)
        && instruction
            .pool_index()
            .and_then(|index| code.constant_pool().member_ref(index).ok())
            .is_some_and(|named| {
                named.name == b"clone"
                    || named.owner == b"jdk/internal/misc/Unsafe"
                    || (named.owner, named.name) == (b"java/lang/System", b"arraycopy")
            })
}

//! What must hold for any bytes whatsoever, class file or not.

use crate::annotation_removal;
use crate::instrument::{Instrumented, MovedMethod, Plan, instrument};
use crate::marks::prove;
use crate::probe_pool::ProbeOwner;
use classfile::opcode::{self, Operands};
use classfile::ssa::Values;
use classfile::{ClassEditor, ClassFile, Code, ControlFlow, Member, Move, Scratch};

/// What became of an input.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Checked {
    /// It is not a class file; that was reported as an error.
    Unreadable,
    /// It was read, written and rewritten; so many methods have probes.
    Rewritten(usize),
}

/// Reads, writes and rewrites some bytes with both plans.
///
/// # Panics
/// If the `classfile` crate breaks a promise: writing an unedited class must
/// give the same bytes, a rewritten class must parse again with every method
/// that could be read before, and a refused method must keep its code. Panics
/// inside the crate are what fuzzing looks for and are not caught either.
pub fn check(bytes: &[u8]) -> Checked {
    let Ok(class) = ClassFile::parse(bytes) else { return Checked::Unreadable };
    visit(&class);
    let unedited = ClassEditor::new(&class).finish();
    assert!(unedited == bytes, "writing an unedited class changed it");
    let marked = prove(bytes, &mut Scratch::default());
    assert!(marked.is_ok(), "marking changed the meaning: {marked:?}");
    let removal = annotation_removal::prove(bytes);
    assert!(removal.is_ok(), "removing an annotation changed more: {removal:?}");

    let mut edited = 0;
    for plan in [Plan::Probes, Plan::EveryInstruction] {
        for owner in [ProbeOwner::Counting, ProbeOwner::Object] {
            let rewritten = instrument(bytes, plan, owner)
                .expect("the class was parsed before, and parsing is a function of the bytes");
            compare(&class, &rewritten);
            edited += rewritten.edited;
        }
    }
    Checked::Rewritten(edited)
}

/// Asks every question that the reading half can answer; errors are answers.
fn visit(class: &ClassFile<'_>) {
    let _ = class.source_file();
    let _ = class.interfaces().count();
    let pool = class.constant_pool();
    for index in pool.indices() {
        let _ = (pool.utf8(index), pool.class_name(index), pool.string(index));
        let _ = (pool.integer(index), pool.float(index), pool.long(index), pool.double(index));
        let _ = (pool.member_ref(index), pool.name_and_type(index), pool.invoke_dynamic(index));
        let _ = (pool.method_type(index), pool.method_handle(index));
    }
    for member in class.fields().iter().chain(class.methods().iter()) {
        let _ = member.has_annotation(b"Ljava/lang/Deprecated;");
        let _ = member.attributes().map(|attributes| attributes.count());
        visit_code(&member);
    }
}

fn visit_code(method: &Member<'_>) {
    let Ok(Some(code)) = method.code() else { return };
    let lines = code.line_table();
    for instruction in code.instructions() {
        let _ = (instruction.pool_index(), instruction.local(), instruction.constant());
        let _ = instruction.targets().count();
        let _ = lines.line_of(instruction.bci);
    }
    let _ = code.constructor_calls().len();
    let flow = ControlFlow::new(&code);
    let mut covered = 0;
    for range in flow.blocks() {
        assert_eq!(range.start, covered, "basic blocks leave no gap");
        assert!(range.start < range.end, "no basic block is empty");
        assert!(flow.is_leader(range.start), "a basic block begins with its leader");
        covered = range.end;
    }
    assert_eq!(covered, code.length(), "basic blocks cover the code");
    visit_loops(&flow);
    visit_values(&code, &flow);
}

/// Every value that is used exists, and phis have ways in.
fn visit_values(code: &Code<'_>, flow: &ControlFlow) {
    let Ok(values) = Values::new(code, flow) else { return };
    for operation in values.operations() {
        for value in operation.operands.iter().copied().chain(operation.result) {
            assert!(value.index() < values.len(), "a value that is none");
        }
    }
    for value in values.ids() {
        let inputs = values.inputs(value);
        assert!(inputs.iter().all(|input| input.value.index() < values.len()), "no such input");
    }
    let all = values.demanded_by(values.ids());
    assert_eq!(all.iter().count(), values.len(), "a set that holds all values");
}

/// A natural loop is entered only through its header.
fn visit_loops(flow: &ControlFlow) {
    let dominators = flow.dominators();
    let loops = flow.loops();
    for (index, natural) in loops.natural().iter().enumerate() {
        assert!(natural.body.contains(&natural.header), "a loop without its header");
        assert!(!natural.latches.is_empty(), "a loop without a way back");
        for &block in &natural.body {
            assert!(dominators.dominates(natural.header, block), "a second way into a loop");
        }
        if let Some(parent) = natural.parent {
            assert!(parent < index, "a loop before the loop around it");
            assert!(loops.natural()[parent].contains(natural.header), "a loop outside its parent");
        }
    }
}

fn compare(original: &ClassFile<'_>, instrumented: &Instrumented) {
    let rewritten = ClassFile::parse(&instrumented.bytes).expect("a rewritten class parses again");
    assert_eq!(original.this_class(), rewritten.this_class());
    assert_eq!(original.super_class(), rewritten.super_class());
    assert!(original.methods().len() <= rewritten.methods().len());
    for (index, (before, after)) in original.methods().iter().zip(rewritten.methods()).enumerate() {
        // An index behind the end of the old pool may name something in the new
        // one, so nothing is asked of names and code that were unreadable.
        assert!(before.name().is_empty() || before.name() == after.name());
        assert!(before.descriptor().is_empty() || before.descriptor() == after.descriptor());
        let refused = instrumented.refused.iter().any(|refused| refused.index == index);
        match (before.code(), after.code()) {
            (Ok(Some(before)), Ok(Some(after))) => {
                assert!(!refused || before.bytecode() == after.bytecode(), "refused, yet changed");
                assert!(after.max_locals() >= before.max_locals());
                if let Some(moved) = instrumented.moved.iter().find(|moved| moved.index == index) {
                    check_moves(moved, &before, &after);
                }
            }
            (Ok(None) | Err(_), _) => {}
            (Ok(Some(_)), after) => panic!("the code of method {index} is lost: {after:?}"),
        }
    }
}

/// Every instruction lies where the editor says that it went.
fn check_moves(moved: &MovedMethod, before: &Code<'_>, after: &Code<'_>) {
    assert_eq!(moved.lengths, [before.length(), after.length()]);
    let mut moves = moved.moves.iter().peekable();
    let mut last = Move { from: 0, to: 0 };
    for old in before.instructions() {
        while let Some(next) = moves.next_if(|next| next.from <= old.bci) {
            last = *next;
        }
        let new = after.instruction_at(last.to + (old.bci - last.from)).map(|new| new.opcode);
        let (is_branch, has_grown) = match opcode::operands(old.opcode) {
            Operands::Branch => (true, after.length() > i16::MAX as u32),
            _ => (false, false),
        };
        // A wide jump, or the inverted condition in front of one: its neighbour.
        let is_wide = |new: u8| {
            matches!(new, opcode::GOTO_W | opcode::JSR_W) || new.abs_diff(old.opcode) == 1
        };
        assert!(
            new == Some(old.opcode) || is_branch && has_grown && new.is_some_and(is_wide),
            "{new:?} is where {} at {} went",
            opcode::name(old.opcode),
            old.bci
        );
    }
    assert!(moves.next().is_none(), "a move that moves nothing");
}

//! Where instructions went, to find the old position of one in the new code.

use crate::assembler::*;
use subsume_classfile::{ClassEditor, ClassFile, CodeEdit, Fragment, Move, opcode::*};

/// Inserts so many bytes at places, and tells the lengths of both codes and the moves.
fn moved(class: &[u8], insert: impl FnOnce(&mut CodeEdit)) -> (u32, u32, Vec<(u32, u32)>) {
    let class = ClassFile::parse(class).unwrap();
    let mut editor = ClassEditor::new(&class);
    let code = class.methods().get(0).unwrap().code().unwrap().unwrap();
    let mut edit = CodeEdit::new(&code);
    insert(&mut edit);
    editor.edit_code(0, &edit).unwrap();
    let moved = editor.moved_code().next().unwrap();
    assert_eq!(moved.method, 0);
    let pairs = moved.moves.iter().map(|&Move { from, to }| (from, to));
    (moved.old_length, moved.length, pairs.collect())
}

fn nops(count: usize) -> Fragment {
    Fragment::new().raw(&vec![NOP; count], 0)
}

#[test]
fn each_change_of_the_distance_is_one_move() {
    let class = class_with(49, "()V", &code(&[NOP, NOP, NOP, NOP, RETURN]));
    let nothing = moved(&class, |_| {});
    assert_eq!(nothing, (5, 5, vec![]));
    let entry = moved(&class, |edit| edit.at_entry(nops(3)));
    assert_eq!(entry, (5, 8, vec![(0, 3)]));
    let inner = moved(&class, |edit| {
        edit.before(1, nops(2));
        edit.after(1, nops(1));
        edit.before(2, nops(4));
        edit.before(4, nops(300));
    });
    assert_eq!(inner, (5, 312, vec![(1, 3), (2, 9), (4, 311)]));
}

#[test]
fn padding_of_switches_and_wider_branches_move_what_is_behind_them() {
    // Behind the opcode at 1 come two bytes of padding, at 2 one, and at 4 three. All ways
    // lead to the instruction behind the switch.
    let switch = [ILOAD_0, TABLESWITCH, 0, 0, 0, 0, 0, 19, 0, 0, 0, 7, 0, 0, 0, 7, 0, 0, 0, 19];
    let class = class_with(49, "(I)V", &code(&[&switch[..], &[RETURN]].concat()));
    assert_eq!(moved(&class, |edit| edit.before(1, nops(1))), (21, 21, vec![(1, 2), (20, 20)]));
    let farther = moved(&class, |edit| edit.before(1, nops(3)));
    assert_eq!(farther, (21, 25, vec![(1, 4), (20, 24)]));
    let class = class_with(49, "()V", &code(&[GOTO, 0, 4, NOP, RETURN]));
    let far = moved(&class, |edit| edit.before(3, nops(40_000)));
    // The jump has grown by two bytes.
    assert_eq!(far, (5, 40_007, vec![(3, 40_005)]));
}

#[test]
fn methods_that_are_refused_have_none() {
    let bytes = class_with(49, "()V", &code(&[NOP, RETURN]));
    let class = ClassFile::parse(&bytes).unwrap();
    let mut editor = ClassEditor::new(&class);
    let code = class.methods().get(0).unwrap().code().unwrap().unwrap();
    let mut edit = CodeEdit::new(&code);
    edit.before(1, nops(70_000));
    assert!(editor.edit_code(0, &edit).is_err());
    assert_eq!(editor.moved_code().count(), 0);
    // What a later edit does replaces what an earlier one has done.
    for count in [5, 2] {
        edit.restart(&code);
        edit.before(1, nops(count));
        editor.edit_code(0, &edit).unwrap();
    }
    let moves: Vec<_> = editor.moved_code().map(|moved| moved.moves.to_vec()).collect();
    assert_eq!(moves, [[Move { from: 1, to: 3 }]]);
}

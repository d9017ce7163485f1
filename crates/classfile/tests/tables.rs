//! Exception, line and variable tables and type annotations move along.

use crate::assembler::*;
use subsume_classfile::{Fragment, HandlerFrame, Refusal, opcode::*};

fn nops(count: usize) -> Fragment {
    Fragment::new().raw(&vec![NOP; count], 0)
}

fn plain_code() -> CodeAssembler {
    code(&[NOP, NOP, SIPUSH, 0, 0, POP, NOP, RETURN])
}

/// Two bytes at entry, three before bci 1, five before bci 6, seven after it.
/// So 0 goes to 2, 1 to 3 (before the insertion), 2 to 7, 5 to 10, 6 to 11
/// (the instruction to 16), 7 to 24, and the code ends at 25.
fn spread(class: &[u8]) -> Result<Vec<u8>, Refusal> {
    edited(class, |edit, _, _| {
        edit.at_entry(nops(2));
        edit.before(1, nops(3));
        edit.before(6, nops(5));
        edit.after(6, nops(7));
        Ok(())
    })
}

#[test]
fn exception_ranges_cover_what_is_inserted_inside() {
    let method = plain_code().catches(0, 2, 2).catches(1, 7, 0).catches(6, 8, 7);
    let class = class_with(49, "()V", &method);
    // Neither entry code nor what follows a covered instruction only because
    // the next range starts there.
    let expected = [[2, 7, 7], [3, 24, 2], [11, 25, 24]];
    assert_eq!(exception_table(&spread(&class).unwrap()), expected);
}

#[test]
fn a_handler_does_not_cover_what_is_inserted_at_its_start() {
    // Of the handler at 6: it covers itself, starts its range, is outside.
    let annotations = [&[0, 3][..], &[0x42, 0, 0, 0, 0, 1, 0, 0], &[0x42, 0, 1, 0, 0, 1, 0, 0]];
    let annotations = [&annotations.concat()[..], &[0x42, 0, 2, 0, 0, 1, 0, 0]].concat();
    let method = plain_code()
        .catches(1, 7, 6)
        .catches(6, 8, 6)
        .catches(0, 6, 6)
        .attribute("RuntimeVisibleTypeAnnotations", annotations);
    let class = class_with(52, "()V", &method);
    let result = spread(&class).unwrap();
    let expected = [[3, 11, 11], [16, 24, 11], [16, 25, 11], [2, 11, 11]];
    assert_eq!(exception_table(&result), expected);
    let annotations = attribute(&result, "RuntimeVisibleTypeAnnotations").unwrap();
    let numbers: Vec<_> = [4, 12, 20].map(|at| annotations[at]).to_vec();
    assert_eq!(numbers, [0, 2, 3]);
    // Without such code nothing changes.
    let result = edited(&class, |edit, _, _| {
        edit.before(7, nops(1));
        Ok(())
    });
    assert_eq!(exception_table(&result.unwrap()), [[1, 7, 6], [6, 9, 6], [0, 6, 6]]);
}

#[test]
fn old_handlers_come_before_added_ones() {
    let class = class_with(49, "()V", &plain_code().catches(0, 2, 2));
    let result = edited(&class, |edit, _, _| {
        edit.catch_all(0..8, HandlerFrame::NewLocalsOnly, Fragment::new().athrow());
        Ok(())
    });
    assert_eq!(exception_table(&result.unwrap()), [[0, 2, 2], [0, 8, 8]]);
}

#[test]
fn exception_ranges_inside_instructions_are_refused() {
    // The last two: nothing starts where the code ends.
    for entry in [[3, 5, 0], [0, 4, 0], [0, 5, 3], [0, 9, 0], [0, 8, 8], [8, 8, 0]] {
        let [start, end, handler] = entry;
        let class = class_with(49, "()V", &plain_code().catches(start, end, handler));
        assert!(matches!(spread(&class), Err(Refusal::Malformed(_))), "{entry:?}");
    }
    let result = edited(&class_with(49, "()V", &plain_code()), |edit, _, _| {
        edit.catch_all(0..4, HandlerFrame::NewLocalsOnly, Fragment::new().athrow());
        Ok(())
    });
    assert_eq!(result, Err(Refusal::NotAnInstruction { bci: 4 }));
}

#[test]
fn lines_move_and_the_first_keeps_the_entry_code() {
    let table = u2s(&[5, 0, 100, 1, 101, 6, 102, 7, 103, 0, 104]);
    let class = class_with(49, "()V", &plain_code().attribute("LineNumberTable", table));
    let result = spread(&class).unwrap();
    let expected = u2s(&[5, 0, 100, 3, 101, 11, 102, 24, 103, 0, 104]);
    assert_eq!(attribute(&result, "LineNumberTable").unwrap(), expected);
    with_code(&result, |code| {
        let lines = code.line_table();
        assert_eq!(lines.line_of(2), Some(104));
        assert_eq!(lines.line_of(3), Some(101));
        assert_eq!(lines.line_of(23), Some(102));
        assert_eq!(lines.line_of(24), Some(103));
        for bci in 0..code.length() {
            assert_eq!(code.line_of(bci), lines.line_of(bci));
        }
    });
}

#[test]
fn a_line_may_start_inside_an_instruction() {
    // HotSpot lets it, so a class that has it must not be lost.
    let table = u2s(&[1, 4, 100]);
    let class = class_with(49, "()V", &plain_code().attribute("LineNumberTable", table));
    let result = attribute(&spread(&class).unwrap(), "LineNumberTable");
    assert_eq!(result.unwrap(), u2s(&[1, 9, 100]));
    for outside in [8, 9] {
        let table = u2s(&[1, outside, 100]);
        let class = class_with(49, "()V", &plain_code().attribute("LineNumberTable", table));
        assert!(matches!(spread(&class), Err(Refusal::Malformed(_))));
    }
}

#[test]
fn variables_live_over_what_is_inserted() {
    for name in ["LocalVariableTable", "LocalVariableTypeTable"] {
        // Start, length, name, descriptor, slot.
        let rows = [[0, 8, 1, 1, 0], [1, 5, 1, 1, 1], [6, 2, 1, 1, 2], [7, 0, 1, 1, 3]];
        let table = u2s(&[&[4][..], &rows.concat()].concat());
        let class = class_with(49, "()V", &plain_code().attribute(name, table));
        let rows = [[0, 25, 1, 1, 0], [3, 8, 1, 1, 1], [11, 14, 1, 1, 2], [24, 0, 1, 1, 3]];
        let expected = u2s(&[&[4][..], &rows.concat()].concat());
        assert_eq!(attribute(&spread(&class).unwrap(), name).unwrap(), expected);
    }
}

#[test]
fn type_annotations_move() {
    // Of type `descriptor` with one pair: name 1, an array of an int constant
    // and a nested annotation; at the path `array element`.
    let rest = [
        &[1, 0, 0][..],
        &[0, 1, 0, 1, 0, 1],
        &[b'[', 0, 2, b'I', 0, 1, b'@', 0, 1, 0, 1, 0, 1, b's', 0, 1],
    ]
    .concat();
    let annotation = |target: &[u8]| [target, &rest].concat();
    let table = |targets: [&[u8]; 6]| {
        let annotations: Vec<_> = targets.iter().map(|target| annotation(target)).collect();
        [&[0, 6][..], &annotations.concat()].concat()
    };
    let old = table([
        &[0x40, 0, 2, 0, 0, 0, 8, 0, 1, 0, 1, 0, 5, 0, 2], // variable, two ranges
        &[0x41, 0, 1, 0, 6, 0, 2, 0, 3],                   // resource
        &[0x42, 0, 0],                                     // first handler
        &[0x44, 0, 6],                                     // new
        &[0x47, 0, 1, 9],                                  // cast
        &[0x43, 0, 0],                                     // instanceof
    ]);
    let new = table([
        &[0x40, 0, 2, 0, 0, 0, 25, 0, 1, 0, 3, 0, 8, 0, 2],
        &[0x41, 0, 1, 0, 11, 0, 14, 0, 3],
        &[0x42, 0, 0],
        // The instructions themselves, not what runs before them.
        &[0x44, 0, 16],
        &[0x47, 0, 6, 9],
        &[0x43, 0, 2],
    ]);
    for name in ["RuntimeVisibleTypeAnnotations", "RuntimeInvisibleTypeAnnotations"] {
        let class = class_with(52, "()V", &plain_code().attribute(name, old.clone()));
        assert_eq!(attribute(&spread(&class).unwrap(), name).unwrap(), new);
    }
}

#[test]
fn malformed_type_annotations_are_refused() {
    let nested = [&[0x42, 0, 0, 0, 0, 1, 0, 1, 0, 1][..], &[b'[', 0, 1].repeat(100)].concat();
    for annotation in [
        &[0x4C, 0, 0, 0, 0, 1, 0, 0][..],
        &[0x42, 0, 0, 0, 0, 1, 0, 1, 0, 1, b'x', 0, 1],
        &[0x42, 0, 0, 0, 0, 1, 0, 0, 0],
        &[0x42],
        &nested,
    ] {
        let table = [&[0, 1][..], annotation].concat();
        let method = plain_code().attribute("RuntimeVisibleTypeAnnotations", table);
        let result = spread(&class_with(52, "()V", &method));
        assert!(matches!(result, Err(Refusal::Malformed(_))), "{annotation:?}");
    }
}

#[test]
fn type_annotations_that_name_no_instruction_are_kept() {
    // The JVM never looks at them, and compilers have written such.
    let annotation = [0, 1, 0x44, 0xFF, 0xFF, 0, 0, 1, 0, 0].to_vec();
    let name = "RuntimeVisibleTypeAnnotations";
    let class = class_with(52, "()V", &plain_code().attribute(name, annotation.clone()));
    assert_eq!(attribute(&spread(&class).unwrap(), name).unwrap(), annotation);
}

#[test]
fn unknown_attributes_are_copied_and_cldc_maps_refused() {
    let class = class_with(49, "()V", &plain_code().attribute("Unknown", vec![1, 2, 3]));
    assert_eq!(attribute(&spread(&class).unwrap(), "Unknown").unwrap(), [1, 2, 3]);
    let class = class_with(49, "()V", &plain_code().attribute("StackMap", vec![0, 0]));
    assert_eq!(spread(&class), Err(Refusal::CldcStackMap));
}

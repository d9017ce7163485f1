//! Where constructors initialise their object.

// Several ranges are meant where one is found.
#![allow(clippy::single_range_in_vec_init)]

use crate::assembler::*;
use subsume_classfile::{ClassFile, Initialisation, opcode::*};

/// Assembles a constructor; `bytes` gets the indices of the constructors of
/// `Object` and of `T`, of a field of `T` and of the class `Object`.
fn initialisation(descriptor: &str, bytes: impl Fn([u8; 2], [u8; 2]) -> Vec<u8>) -> Initialisation {
    let mut class = ClassAssembler::new(49);
    let object = class.methodref("java/lang/Object", "<init>", "()V").to_be_bytes();
    let this = class.methodref("T", "<init>", "(Ljava/lang/Object;)V").to_be_bytes();
    class.method(0, "<init>", descriptor, &code(&bytes(object, this)));
    let bytes = class.finish();
    let class = ClassFile::parse(&bytes).unwrap();
    let code = class.methods().get(0).unwrap().code().unwrap().unwrap();
    let initialisation = code.initialisation();
    assert_eq!(code.constructor_calls(), initialisation.calls);
    initialisation
}

#[test]
fn the_usual_constructor_starts_with_the_call() {
    let found = initialisation("()V", |[high, low], _| {
        vec![ALOAD_0, INVOKESPECIAL, high, low, NOP, RETURN]
    });
    assert_eq!(found, Initialisation { calls: vec![1], before: vec![0..1] });
}

#[test]
fn objects_created_as_arguments_are_not_this() {
    // this(new Object()), and another new Object() afterwards.
    let found = initialisation("()V", |[high, low], [this_high, this_low]| {
        #[rustfmt::skip]
        let bytes = vec![
            ALOAD_0, NEW, 0, 4, DUP, INVOKESPECIAL, high, low,      // 0 to 7
            INVOKESPECIAL, this_high, this_low,                     // 8
            NEW, 0, 4, INVOKESPECIAL, high, low, RETURN,
        ];
        bytes
    });
    assert_eq!(found, Initialisation { calls: vec![8], before: vec![0..8] });
}

#[test]
fn this_is_followed_through_locals_and_stack() {
    let found = initialisation("()V", |[high, low], _| {
        #[rustfmt::skip]
        let bytes = vec![
            ALOAD_0, ASTORE_3, ACONST_NULL, ASTORE_0, // 0
            ICONST_1, ALOAD_3, SWAP, POP,             // 4
            ACONST_NULL, DUP_X1, POP,                 // 8: null below this
            INVOKESPECIAL, high, low, POP, RETURN,    // 11
        ];
        bytes
    });
    assert_eq!(found, Initialisation { calls: vec![11], before: vec![0..11] });
}

#[test]
fn branches_may_lead_to_several_calls() {
    let found = initialisation("(I)V", |[high, low], _| {
        #[rustfmt::skip]
        let bytes = vec![
            ILOAD_1, IFEQ, 0, 10,                         // 0
            ALOAD_0, INVOKESPECIAL, high, low, GOTO, 0, 7, // 4
            ALOAD_0, INVOKESPECIAL, high, low,            // 11
            RETURN,                                       // 15
        ];
        bytes
    });
    assert_eq!(found, Initialisation { calls: vec![5, 12], before: vec![0..5, 11..12] });
}

#[test]
fn handlers_before_the_call_belong_to_the_part_before() {
    let mut class = ClassAssembler::new(49);
    let [high, low] = class.methodref("java/lang/Object", "<init>", "()V").to_be_bytes();
    let bytes = [NOP, GOTO, 0, 4, ATHROW, ALOAD_0, INVOKESPECIAL, high, low, RETURN, ATHROW];
    let method = code(&bytes).catches(0, 1, 4).catches(9, 10, 10);
    class.method(0, "<init>", "()V", &method);
    let bytes = class.finish();
    with_code(&bytes, |code| {
        let expected = Initialisation { calls: vec![6], before: vec![0..6] };
        assert_eq!(code.initialisation(), expected);
    });
}

#[test]
fn subroutines_before_the_call_return() {
    let found = initialisation("()V", |[high, low], _| {
        #[rustfmt::skip]
        let bytes = vec![
            JSR, 0, 8, ALOAD_0, INVOKESPECIAL, high, low, RETURN, // 0 to 7
            ASTORE_1, RET, 1,                                     // 8
        ];
        bytes
    });
    assert_eq!(found, Initialisation { calls: vec![4], before: vec![0..4, 8..11] });
}

#[test]
fn other_methods_initialise_nothing() {
    let found = initialisation("()V", |_, _| vec![ACONST_NULL, ATHROW]);
    assert_eq!(found, Initialisation { calls: vec![], before: vec![0..2] });
    with_code(&class_with(49, "()V", &code(&[RETURN])), |code| {
        assert_eq!(code.initialisation(), Initialisation::default());
    });
}

#[test]
fn an_empty_stack_ends_the_search() {
    for bytes in [vec![POP, RETURN], vec![DUP_X2, RETURN], vec![ASTORE_1, RETURN]] {
        let found = initialisation("()V", |_, _| bytes.clone());
        assert_eq!(found, Initialisation { calls: vec![], before: vec![0..1] });
    }
}

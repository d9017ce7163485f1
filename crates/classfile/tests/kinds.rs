//! Every instruction has its kind.

use subsume_classfile::opcode::{self, *};
use subsume_classfile::ssa::kinds::{Counted, Kind, Role, kind, role};

/// What a mnemonic says. The table goes by opcodes, so this is another way to
/// the same answer.
fn by_mnemonic(name: &str) -> Kind {
    let starts = |prefixes: &[&str]| prefixes.iter().any(|prefix| name.starts_with(prefix));
    let typed = |verbs: &[&str]| verbs.contains(&name.get(1..).unwrap_or_default());
    match name {
        "CHECKCAST" | "NOP" | "SWAP" => Kind::Move,
        "INSTANCEOF" => Kind::Comparison,
        "ARRAYLENGTH" => Kind::Length,
        "ATHROW" => Kind::Throw,
        "IINC" => Kind::Alu,
        "RET" | "GOTO" | "GOTO_W" | "JSR" | "JSR_W" => Kind::Jump,
        "TABLESWITCH" | "LOOKUPSWITCH" => Kind::Predicate,
        _ if starts(&["GET"]) || (name.len() == 6 && name.ends_with("ALOAD")) => Kind::Load,
        _ if starts(&["PUT"]) || (name.len() == 7 && name.ends_with("ASTORE")) => Kind::Store,
        _ if starts(&["DUP", "POP"]) || name.contains("LOAD") || name.contains("STORE") => {
            Kind::Move
        }
        _ if name.contains("CONST") || starts(&["LDC", "BIPUSH", "SIPUSH"]) => Kind::Constant,
        _ if starts(&["IF"]) => Kind::Predicate,
        _ if starts(&["NEW"]) || name.contains("NEWARRAY") => Kind::Allocation,
        _ if starts(&["INVOKE"]) => Kind::Call,
        _ if name.ends_with("RETURN") => Kind::Return,
        _ if starts(&["MONITOR"]) => Kind::Monitor,
        _ if typed(&["CMP", "CMPL", "CMPG"]) => Kind::Comparison,
        _ if name.get(1..2) == Some("2") => Kind::Alu,
        _ if typed(&["ADD", "SUB", "MUL", "DIV", "REM", "NEG"]) => Kind::Alu,
        _ if typed(&["SHL", "SHR", "USHR", "AND", "OR", "XOR"]) => Kind::Alu,
        _ => panic!("no kind for {name}"),
    }
}

#[test]
fn every_opcode_has_the_kind_that_its_mnemonic_says() {
    let mut seen = 0;
    for opcode in 0..=u8::MAX {
        let operands = opcode::operands(opcode);
        if !matches!(operands, Operands::Undefined | Operands::Wide) {
            let name = opcode::name(opcode);
            assert_eq!(kind(opcode), by_mnemonic(name), "{name}");
            seen += 1;
        }
    }
    assert_eq!(seen, 201, "the instruction set without `wide`");
}

#[test]
fn nodes_are_what_computes_accesses_the_heap_allocates_or_tests() {
    for opcode in [IADD, IINC, I2B, LCMP, INSTANCEOF, IFNULL, TABLESWITCH, GETFIELD, AASTORE, NEW] {
        assert!(kind(opcode).is_node(), "{}", opcode::name(opcode));
    }
    for opcode in [ILOAD, ASTORE_3, DUP2_X1, CHECKCAST, GOTO, LDC, INVOKESTATIC, ARETURN, ATHROW] {
        assert!(!kind(opcode).is_node(), "{}", opcode::name(opcode));
    }
}

#[test]
fn figure_4_counts_four_kinds() {
    assert_eq!(kind(ARRAYLENGTH).counted(), Some(Counted::Load));
    assert_eq!(kind(PUTSTATIC).counted(), Some(Counted::Store));
    assert_eq!(kind(LSHL).counted(), Some(Counted::Alu));
    assert_eq!(kind(IF_ACMPEQ).counted(), Some(Counted::Comparison));
    assert_eq!(kind(DCMPG).counted(), Some(Counted::Comparison));
    for opcode in [ILOAD_0, ISTORE, LDC, NEW, INVOKEVIRTUAL, GOTO] {
        assert_eq!(kind(opcode).counted(), None, "{}", opcode::name(opcode));
    }
}

#[test]
fn operands_have_roles() {
    let roles = |opcode, count| (0..count).map(|operand| role(opcode, operand)).collect::<Vec<_>>();
    assert_eq!(roles(GETFIELD, 1), [Role::Base]);
    assert_eq!(roles(LALOAD, 2), [Role::Base, Role::Index]);
    assert_eq!(roles(PUTSTATIC, 1), [Role::Stored]);
    assert_eq!(roles(PUTFIELD, 2), [Role::Base, Role::Stored]);
    assert_eq!(roles(DASTORE, 3), [Role::Base, Role::Index, Role::Stored]);
    assert_eq!(roles(ARRAYLENGTH, 1), [Role::Base]);
    assert_eq!(roles(MULTIANEWARRAY, 2), [Role::Length; 2]);
    assert_eq!(roles(INVOKEVIRTUAL, 2), [Role::Receiver, Role::Argument]);
    assert_eq!(roles(INVOKEDYNAMIC, 2), [Role::Argument; 2]);
    assert_eq!(roles(INVOKESTATIC, 1), [Role::Argument]);
    assert_eq!(roles(IF_ICMPEQ, 2), [Role::Consumed; 2]);
    assert_eq!(roles(INSTANCEOF, 1), [Role::Consumed]);
    assert_eq!(roles(CHECKCAST, 1), [Role::Moved]);
    assert_eq!(roles(POP2, 2), [Role::Dropped; 2]);
    assert_eq!(roles(ARETURN, 1), [Role::Returned]);
    assert_eq!(roles(ATHROW, 1), [Role::Thrown]);
    assert_eq!(roles(MONITORENTER, 1), [Role::Locked]);
}

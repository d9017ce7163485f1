//! What instructions do with values, in the words of Xu and others, "Scalable
//! Runtime Bloat Detection Using Abstract Dynamic Slicing" (2014).

use crate::read::opcode::*;

/// What an instruction is for.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Kind {
    /// Pushes a constant: `iconst_0`, `ldc`, `aconst_null`.
    Constant,
    /// Moves values between local variables and stack, or drops them. Also
    /// `checkcast` and `nop`, which leave values as they are.
    Move,
    /// Reads a field or an array element.
    Load,
    /// Writes a field or an array element.
    Store,
    /// `arraylength`: reads the heap, but no location that is ever written.
    Length,
    /// Computes: arithmetic, logic, shifts, conversions, `iinc`.
    Alu,
    /// Compares and leaves the answer as a value: `lcmp`, `fcmpl` and such,
    /// and `instanceof`.
    Comparison,
    /// Decides where to go on: conditional branches and switches.
    Predicate,
    /// Makes an object or an array.
    Allocation,
    /// Calls a method.
    Call,
    /// Returns from the method.
    Return,
    /// Goes on elsewhere, whatever the values are: `goto`, `jsr`, `ret`.
    Jump,
    /// `athrow`.
    Throw,
    /// `monitorenter`, `monitorexit`.
    Monitor,
}

/// The operations that Figure 4 counts, beside copies.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Counted {
    /// Reads of the heap.
    Load,
    /// Writes to the heap.
    Store,
    /// Arithmetic and logic.
    Alu,
    /// Comparisons, whether they leave an answer or branch at once.
    Comparison,
}

/// What an instruction wants an operand for.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Role {
    /// It goes on as it is: loads and stores of local variables, `dup`,
    /// `swap`, `checkcast`.
    Moved,
    /// `pop`, `pop2`: it ends here, unused.
    Dropped,
    /// A computation, comparison or predicate reads it.
    Consumed,
    /// It is put into the heap.
    Stored,
    /// The object or array that is accessed. Thin slices leave it out.
    Base,
    /// The index of an array element, left out as well.
    Index,
    /// The length of a new array.
    Length,
    /// The receiver of a call.
    Receiver,
    /// An argument of a call. Natives consume theirs; which methods are
    /// native is not known here.
    Argument,
    /// It is returned.
    Returned,
    /// It is thrown.
    Thrown,
    /// Its monitor is entered or left.
    Locked,
}

impl Kind {
    /// Whether the instruction is a node of the dependence graph of costs: it
    /// computes, loads, stores, allocates or tests. Calls are nodes if what
    /// they call is native, and not otherwise.
    pub fn is_node(self) -> bool {
        match self {
            Kind::Load
            | Kind::Store
            | Kind::Length
            | Kind::Alu
            | Kind::Comparison
            | Kind::Predicate
            | Kind::Allocation => true,
            Kind::Constant
            | Kind::Move
            | Kind::Call
            | Kind::Return
            | Kind::Jump
            | Kind::Throw
            | Kind::Monitor => false,
        }
    }

    /// What the instruction counts as in Figure 4, if it counts.
    pub fn counted(self) -> Option<Counted> {
        match self {
            Kind::Load | Kind::Length => Some(Counted::Load),
            Kind::Store => Some(Counted::Store),
            Kind::Alu => Some(Counted::Alu),
            Kind::Comparison | Kind::Predicate => Some(Counted::Comparison),
            _ => None,
        }
    }
}

static KINDS: [Kind; 256] = {
    // Undefined opcodes do not occur in code that was read.
    let mut table = [Kind::Move; 256];
    let mut opcode = 0;
    while opcode < 256 {
        table[opcode] = classify(opcode as u8);
        opcode += 1;
    }
    table
};

const fn classify(opcode: u8) -> Kind {
    match opcode {
        ACONST_NULL..=LDC2_W => Kind::Constant,
        ILOAD..=ALOAD_3 | ISTORE..=ASTORE_3 | POP..=SWAP | NOP | CHECKCAST => Kind::Move,
        IALOAD..=SALOAD | GETFIELD | GETSTATIC => Kind::Load,
        IASTORE..=SASTORE | PUTFIELD | PUTSTATIC => Kind::Store,
        ARRAYLENGTH => Kind::Length,
        IADD..=I2S => Kind::Alu,
        LCMP..=DCMPG | INSTANCEOF => Kind::Comparison,
        IFEQ..=IF_ACMPNE | IFNULL | IFNONNULL | TABLESWITCH | LOOKUPSWITCH => Kind::Predicate,
        NEW..=ANEWARRAY | MULTIANEWARRAY => Kind::Allocation,
        INVOKEVIRTUAL..=INVOKEDYNAMIC => Kind::Call,
        IRETURN..=RETURN => Kind::Return,
        GOTO | GOTO_W | JSR | JSR_W | RET => Kind::Jump,
        ATHROW => Kind::Throw,
        MONITORENTER | MONITOREXIT => Kind::Monitor,
        _ => Kind::Move,
    }
}

/// What an instruction is for.
#[inline]
pub fn kind(opcode: u8) -> Kind {
    KINDS[usize::from(opcode)]
}

/// What an instruction wants one of its operands for. Operands are numbered
/// from 0, as in [`Operation::operands`](super::Operation::operands).
pub fn role(opcode: u8, operand: usize) -> Role {
    match (kind(opcode), operand) {
        (Kind::Move, _) if matches!(opcode, POP | POP2) => Role::Dropped,
        (Kind::Move, _) => Role::Moved,
        (Kind::Load | Kind::Length, 0) => Role::Base,
        (Kind::Load, _) => Role::Index,
        // Of the stores `putstatic` has one operand, `putfield` two, those
        // into arrays three.
        (Kind::Store, 0) if opcode != PUTSTATIC => Role::Base,
        (Kind::Store, 1) if opcode != PUTFIELD => Role::Index,
        (Kind::Store, _) => Role::Stored,
        (Kind::Alu | Kind::Comparison | Kind::Predicate, _) => Role::Consumed,
        (Kind::Allocation | Kind::Length, _) => Role::Length,
        (Kind::Call, 0) if !matches!(opcode, INVOKESTATIC | INVOKEDYNAMIC) => Role::Receiver,
        (Kind::Call, _) => Role::Argument,
        (Kind::Return, _) => Role::Returned,
        (Kind::Throw, _) => Role::Thrown,
        (Kind::Monitor, _) => Role::Locked,
        // These have no operands.
        (Kind::Constant | Kind::Jump, _) => Role::Moved,
    }
}

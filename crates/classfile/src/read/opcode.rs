//! The instruction set (JVMS 6.5, table 7), once. Constants, mnemonics, operand
//! layouts and stack effects all come from the one table below.

/// How the operands of an instruction are laid out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Operands {
    /// No operands.
    None,
    /// One byte: `bipush`, `newarray`.
    Byte,
    /// Two bytes: `sipush`.
    Short,
    /// One byte, an index into the constant pool: `ldc`.
    PoolByte,
    /// Two bytes, an index into the constant pool.
    Pool,
    /// Index of a local variable, two bytes under `wide`.
    Local,
    /// Index of a local variable and a signed constant.
    Iinc,
    /// Signed 16-bit distance to the target.
    Branch,
    /// Signed 32-bit distance to the target.
    BranchWide,
    /// Padding, default, low, high, targets.
    TableSwitch,
    /// Padding, default, count, pairs of key and target.
    LookupSwitch,
    /// Index into the constant pool, argument words, zero.
    InvokeInterface,
    /// Index into the constant pool, two zeros.
    InvokeDynamic,
    /// Index into the constant pool, dimensions.
    MultiArray,
    /// The prefix that widens the instruction behind it.
    Wide,
    /// Not an opcode that class files may hold.
    Undefined,
}

/// Stands for a stack effect that depends on the constant pool entry.
pub const VARIABLE: u8 = u8::MAX;

macro_rules! instruction_set {
    ($($name:ident = $code:literal, $operands:ident, $pops:expr, $pushes:expr;)*) => {
        $(
            #[doc = concat!("Opcode ", stringify!($code), ".")]
            pub const $name: u8 = $code;
        )*

        static OPERANDS: [Operands; 256] = {
            let mut table = [Operands::Undefined; 256];
            $( table[$code] = Operands::$operands; )*
            table
        };

        static STACK_EFFECTS: [(u8, u8); 256] = {
            let mut table = [(0, 0); 256];
            $( table[$code] = ($pops, $pushes); )*
            table
        };

        static NAMES: [&str; 256] = {
            let mut table = ["undefined"; 256];
            $( table[$code] = stringify!($name); )*
            table
        };
    };
}

instruction_set! {
    NOP = 0x00, None, 0, 0;
    ACONST_NULL = 0x01, None, 0, 1;
    ICONST_M1 = 0x02, None, 0, 1;
    ICONST_0 = 0x03, None, 0, 1;
    ICONST_1 = 0x04, None, 0, 1;
    ICONST_2 = 0x05, None, 0, 1;
    ICONST_3 = 0x06, None, 0, 1;
    ICONST_4 = 0x07, None, 0, 1;
    ICONST_5 = 0x08, None, 0, 1;
    LCONST_0 = 0x09, None, 0, 2;
    LCONST_1 = 0x0a, None, 0, 2;
    FCONST_0 = 0x0b, None, 0, 1;
    FCONST_1 = 0x0c, None, 0, 1;
    FCONST_2 = 0x0d, None, 0, 1;
    DCONST_0 = 0x0e, None, 0, 2;
    DCONST_1 = 0x0f, None, 0, 2;
    BIPUSH = 0x10, Byte, 0, 1;
    SIPUSH = 0x11, Short, 0, 1;
    LDC = 0x12, PoolByte, 0, 1;
    LDC_W = 0x13, Pool, 0, 1;
    LDC2_W = 0x14, Pool, 0, 2;
    ILOAD = 0x15, Local, 0, 1;
    LLOAD = 0x16, Local, 0, 2;
    FLOAD = 0x17, Local, 0, 1;
    DLOAD = 0x18, Local, 0, 2;
    ALOAD = 0x19, Local, 0, 1;
    ILOAD_0 = 0x1a, None, 0, 1;
    ILOAD_1 = 0x1b, None, 0, 1;
    ILOAD_2 = 0x1c, None, 0, 1;
    ILOAD_3 = 0x1d, None, 0, 1;
    LLOAD_0 = 0x1e, None, 0, 2;
    LLOAD_1 = 0x1f, None, 0, 2;
    LLOAD_2 = 0x20, None, 0, 2;
    LLOAD_3 = 0x21, None, 0, 2;
    FLOAD_0 = 0x22, None, 0, 1;
    FLOAD_1 = 0x23, None, 0, 1;
    FLOAD_2 = 0x24, None, 0, 1;
    FLOAD_3 = 0x25, None, 0, 1;
    DLOAD_0 = 0x26, None, 0, 2;
    DLOAD_1 = 0x27, None, 0, 2;
    DLOAD_2 = 0x28, None, 0, 2;
    DLOAD_3 = 0x29, None, 0, 2;
    ALOAD_0 = 0x2a, None, 0, 1;
    ALOAD_1 = 0x2b, None, 0, 1;
    ALOAD_2 = 0x2c, None, 0, 1;
    ALOAD_3 = 0x2d, None, 0, 1;
    IALOAD = 0x2e, None, 2, 1;
    LALOAD = 0x2f, None, 2, 2;
    FALOAD = 0x30, None, 2, 1;
    DALOAD = 0x31, None, 2, 2;
    AALOAD = 0x32, None, 2, 1;
    BALOAD = 0x33, None, 2, 1;
    CALOAD = 0x34, None, 2, 1;
    SALOAD = 0x35, None, 2, 1;
    ISTORE = 0x36, Local, 1, 0;
    LSTORE = 0x37, Local, 2, 0;
    FSTORE = 0x38, Local, 1, 0;
    DSTORE = 0x39, Local, 2, 0;
    ASTORE = 0x3a, Local, 1, 0;
    ISTORE_0 = 0x3b, None, 1, 0;
    ISTORE_1 = 0x3c, None, 1, 0;
    ISTORE_2 = 0x3d, None, 1, 0;
    ISTORE_3 = 0x3e, None, 1, 0;
    LSTORE_0 = 0x3f, None, 2, 0;
    LSTORE_1 = 0x40, None, 2, 0;
    LSTORE_2 = 0x41, None, 2, 0;
    LSTORE_3 = 0x42, None, 2, 0;
    FSTORE_0 = 0x43, None, 1, 0;
    FSTORE_1 = 0x44, None, 1, 0;
    FSTORE_2 = 0x45, None, 1, 0;
    FSTORE_3 = 0x46, None, 1, 0;
    DSTORE_0 = 0x47, None, 2, 0;
    DSTORE_1 = 0x48, None, 2, 0;
    DSTORE_2 = 0x49, None, 2, 0;
    DSTORE_3 = 0x4a, None, 2, 0;
    ASTORE_0 = 0x4b, None, 1, 0;
    ASTORE_1 = 0x4c, None, 1, 0;
    ASTORE_2 = 0x4d, None, 1, 0;
    ASTORE_3 = 0x4e, None, 1, 0;
    IASTORE = 0x4f, None, 3, 0;
    LASTORE = 0x50, None, 4, 0;
    FASTORE = 0x51, None, 3, 0;
    DASTORE = 0x52, None, 4, 0;
    AASTORE = 0x53, None, 3, 0;
    BASTORE = 0x54, None, 3, 0;
    CASTORE = 0x55, None, 3, 0;
    SASTORE = 0x56, None, 3, 0;
    POP = 0x57, None, 1, 0;
    POP2 = 0x58, None, 2, 0;
    DUP = 0x59, None, 1, 2;
    DUP_X1 = 0x5a, None, 2, 3;
    DUP_X2 = 0x5b, None, 3, 4;
    DUP2 = 0x5c, None, 2, 4;
    DUP2_X1 = 0x5d, None, 3, 5;
    DUP2_X2 = 0x5e, None, 4, 6;
    SWAP = 0x5f, None, 2, 2;
    IADD = 0x60, None, 2, 1;
    LADD = 0x61, None, 4, 2;
    FADD = 0x62, None, 2, 1;
    DADD = 0x63, None, 4, 2;
    ISUB = 0x64, None, 2, 1;
    LSUB = 0x65, None, 4, 2;
    FSUB = 0x66, None, 2, 1;
    DSUB = 0x67, None, 4, 2;
    IMUL = 0x68, None, 2, 1;
    LMUL = 0x69, None, 4, 2;
    FMUL = 0x6a, None, 2, 1;
    DMUL = 0x6b, None, 4, 2;
    IDIV = 0x6c, None, 2, 1;
    LDIV = 0x6d, None, 4, 2;
    FDIV = 0x6e, None, 2, 1;
    DDIV = 0x6f, None, 4, 2;
    IREM = 0x70, None, 2, 1;
    LREM = 0x71, None, 4, 2;
    FREM = 0x72, None, 2, 1;
    DREM = 0x73, None, 4, 2;
    INEG = 0x74, None, 1, 1;
    LNEG = 0x75, None, 2, 2;
    FNEG = 0x76, None, 1, 1;
    DNEG = 0x77, None, 2, 2;
    ISHL = 0x78, None, 2, 1;
    LSHL = 0x79, None, 3, 2;
    ISHR = 0x7a, None, 2, 1;
    LSHR = 0x7b, None, 3, 2;
    IUSHR = 0x7c, None, 2, 1;
    LUSHR = 0x7d, None, 3, 2;
    IAND = 0x7e, None, 2, 1;
    LAND = 0x7f, None, 4, 2;
    IOR = 0x80, None, 2, 1;
    LOR = 0x81, None, 4, 2;
    IXOR = 0x82, None, 2, 1;
    LXOR = 0x83, None, 4, 2;
    IINC = 0x84, Iinc, 0, 0;
    I2L = 0x85, None, 1, 2;
    I2F = 0x86, None, 1, 1;
    I2D = 0x87, None, 1, 2;
    L2I = 0x88, None, 2, 1;
    L2F = 0x89, None, 2, 1;
    L2D = 0x8a, None, 2, 2;
    F2I = 0x8b, None, 1, 1;
    F2L = 0x8c, None, 1, 2;
    F2D = 0x8d, None, 1, 2;
    D2I = 0x8e, None, 2, 1;
    D2L = 0x8f, None, 2, 2;
    D2F = 0x90, None, 2, 1;
    I2B = 0x91, None, 1, 1;
    I2C = 0x92, None, 1, 1;
    I2S = 0x93, None, 1, 1;
    LCMP = 0x94, None, 4, 1;
    FCMPL = 0x95, None, 2, 1;
    FCMPG = 0x96, None, 2, 1;
    DCMPL = 0x97, None, 4, 1;
    DCMPG = 0x98, None, 4, 1;
    IFEQ = 0x99, Branch, 1, 0;
    IFNE = 0x9a, Branch, 1, 0;
    IFLT = 0x9b, Branch, 1, 0;
    IFGE = 0x9c, Branch, 1, 0;
    IFGT = 0x9d, Branch, 1, 0;
    IFLE = 0x9e, Branch, 1, 0;
    IF_ICMPEQ = 0x9f, Branch, 2, 0;
    IF_ICMPNE = 0xa0, Branch, 2, 0;
    IF_ICMPLT = 0xa1, Branch, 2, 0;
    IF_ICMPGE = 0xa2, Branch, 2, 0;
    IF_ICMPGT = 0xa3, Branch, 2, 0;
    IF_ICMPLE = 0xa4, Branch, 2, 0;
    IF_ACMPEQ = 0xa5, Branch, 2, 0;
    IF_ACMPNE = 0xa6, Branch, 2, 0;
    GOTO = 0xa7, Branch, 0, 0;
    JSR = 0xa8, Branch, 0, 1;
    RET = 0xa9, Local, 0, 0;
    TABLESWITCH = 0xaa, TableSwitch, 1, 0;
    LOOKUPSWITCH = 0xab, LookupSwitch, 1, 0;
    IRETURN = 0xac, None, 1, 0;
    LRETURN = 0xad, None, 2, 0;
    FRETURN = 0xae, None, 1, 0;
    DRETURN = 0xaf, None, 2, 0;
    ARETURN = 0xb0, None, 1, 0;
    RETURN = 0xb1, None, 0, 0;
    GETSTATIC = 0xb2, Pool, VARIABLE, VARIABLE;
    PUTSTATIC = 0xb3, Pool, VARIABLE, VARIABLE;
    GETFIELD = 0xb4, Pool, VARIABLE, VARIABLE;
    PUTFIELD = 0xb5, Pool, VARIABLE, VARIABLE;
    INVOKEVIRTUAL = 0xb6, Pool, VARIABLE, VARIABLE;
    INVOKESPECIAL = 0xb7, Pool, VARIABLE, VARIABLE;
    INVOKESTATIC = 0xb8, Pool, VARIABLE, VARIABLE;
    INVOKEINTERFACE = 0xb9, InvokeInterface, VARIABLE, VARIABLE;
    INVOKEDYNAMIC = 0xba, InvokeDynamic, VARIABLE, VARIABLE;
    NEW = 0xbb, Pool, 0, 1;
    NEWARRAY = 0xbc, Byte, 1, 1;
    ANEWARRAY = 0xbd, Pool, 1, 1;
    ARRAYLENGTH = 0xbe, None, 1, 1;
    ATHROW = 0xbf, None, 1, 0;
    CHECKCAST = 0xc0, Pool, 1, 1;
    INSTANCEOF = 0xc1, Pool, 1, 1;
    MONITORENTER = 0xc2, None, 1, 0;
    MONITOREXIT = 0xc3, None, 1, 0;
    WIDE = 0xc4, Wide, 0, 0;
    MULTIANEWARRAY = 0xc5, MultiArray, VARIABLE, 1;
    IFNULL = 0xc6, Branch, 1, 0;
    IFNONNULL = 0xc7, Branch, 1, 0;
    GOTO_W = 0xc8, BranchWide, 0, 0;
    JSR_W = 0xc9, BranchWide, 0, 1;
}

/// Length in bytes of each instruction without `wide`; 0 where the length
/// depends on more than the opcode, or the opcode is undefined.
static LENGTHS: [u8; 256] = {
    let mut table = [0; 256];
    let mut opcode = 0;
    while opcode < 256 {
        table[opcode] = match OPERANDS[opcode] {
            Operands::None => 1,
            Operands::Byte | Operands::PoolByte | Operands::Local => 2,
            Operands::Short | Operands::Pool | Operands::Iinc | Operands::Branch => 3,
            Operands::MultiArray => 4,
            Operands::BranchWide | Operands::InvokeInterface | Operands::InvokeDynamic => 5,
            Operands::TableSwitch
            | Operands::LookupSwitch
            | Operands::Wide
            | Operands::Undefined => 0,
        };
        opcode += 1;
    }
    table
};

/// As `LENGTHS`, but also 0 for branches: what is left can be copied without
/// a closer look.
static PLAIN_LENGTHS: [u8; 256] = {
    let mut table = LENGTHS;
    let mut opcode = 0;
    while opcode < 256 {
        if matches!(OPERANDS[opcode], Operands::Branch | Operands::BranchWide) {
            table[opcode] = 0;
        }
        opcode += 1;
    }
    table
};

/// Length of an instruction that names no position in the code; 0 for those
/// that do, and for those whose length depends on more than the opcode.
#[inline]
pub(crate) fn plain_length(opcode: u8) -> usize {
    usize::from(PLAIN_LENGTHS[usize::from(opcode)])
}

/// How the operands of an opcode are laid out.
#[inline]
pub fn operands(opcode: u8) -> Operands {
    OPERANDS[usize::from(opcode)]
}

/// Length of an instruction whose opcode fixes it; 0 for switches, `wide` and
/// undefined opcodes.
#[inline]
pub(crate) fn fixed_length(opcode: u8) -> usize {
    usize::from(LENGTHS[usize::from(opcode)])
}

/// Words popped and pushed, a long or double being two words; [`VARIABLE`]
/// where it depends on a constant pool entry or on an operand.
#[inline]
pub fn stack_effect(opcode: u8) -> (u8, u8) {
    STACK_EFFECTS[usize::from(opcode)]
}

/// The mnemonic in capitals, such as `INVOKESTATIC`.
pub fn name(opcode: u8) -> &'static str {
    NAMES[usize::from(opcode)]
}

/// Whether control never continues behind the instruction: `goto`, switches,
/// returns, `athrow` and `ret`.
#[inline]
pub fn is_unconditional(opcode: u8) -> bool {
    matches!(opcode, GOTO | GOTO_W | RET | TABLESWITCH | LOOKUPSWITCH | ATHROW) || is_return(opcode)
}

/// Whether the instruction returns from the method.
#[inline]
pub fn is_return(opcode: u8) -> bool {
    (IRETURN..=RETURN).contains(&opcode)
}

/// Whether the instruction calls a method.
#[inline]
pub fn is_invoke(opcode: u8) -> bool {
    (INVOKEVIRTUAL..=INVOKEDYNAMIC).contains(&opcode)
}

/// Whether the instruction is a conditional branch.
#[inline]
pub fn is_conditional_branch(opcode: u8) -> bool {
    (IFEQ..=IF_ACMPNE).contains(&opcode) || opcode == IFNULL || opcode == IFNONNULL
}

/// Whether a basic block ends with the instruction. Calls do not end blocks.
#[inline]
pub fn ends_block(opcode: u8) -> bool {
    (IFEQ..=RETURN).contains(&opcode)
        || matches!(opcode, ATHROW | IFNULL | IFNONNULL | GOTO_W | JSR_W)
}

/// The conditional branch that is taken exactly when this one is not.
#[inline]
pub(crate) fn inverted(opcode: u8) -> u8 {
    // The pairs lie at odd, even neighbours, but for the last pair.
    if opcode >= IFNULL { opcode ^ 1 } else { ((opcode + 1) ^ 1) - 1 }
}

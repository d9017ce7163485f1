//! Straight-line code to be inserted.

use super::output::put_piece;
use super::pool_extension::PoolExtension;
use super::refusal::Refusal;
use crate::read::opcode;

/// The type of a local variable that an edit adds, as stack map frames
/// declare it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LocalType {
    /// `int` and everything narrower.
    Int,
    /// `long`, two slots.
    Long,
    /// `float`.
    Float,
    /// `double`, two slots.
    Double,
    /// A reference that is always null.
    Null,
    /// A reference to the class with this constant pool index.
    Object(u16),
}

impl LocalType {
    /// Slots that the type takes.
    pub fn words(self) -> u16 {
        match self {
            LocalType::Long | LocalType::Double => 2,
            _ => 1,
        }
    }
}

/// A local variable slot.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Local {
    pub(crate) index: u16,
    pub(crate) kind: LocalType,
}

impl Local {
    /// A slot of the method as it was, such as one of its arguments.
    pub fn existing(index: u16, kind: LocalType) -> Local {
        Local { index, kind }
    }

    /// The slot number.
    pub fn index(self) -> u16 {
        self.index
    }

    /// The type it was declared with.
    pub fn kind(self) -> LocalType {
        self.kind
    }
}

/// Bytes that fit into a fragment before it allocates. Probes are short.
const INLINE: usize = 16;

/// A piece of code to be inserted, and how deep it makes the operand stack.
///
/// Methods take the fragment and give it back, so that calls chain. The stack
/// is counted in words; a long or double is two. Inserted code must leave the
/// stack as it found it unless control never leaves its end.
#[derive(Clone, Debug, Default)]
pub struct Fragment {
    /// The first bytes, the first of all lowest. A number instead of an array
    /// stays in registers while the fragment is handed from call to call.
    inline: u128,
    inline_length: u8,
    /// All bytes, once they no longer fit inline. Boxed to keep the fragment
    /// small.
    #[allow(clippy::box_collection)]
    spilled: Option<Box<Vec<u8>>>,
    depth: i32,
    peak: i32,
}

impl Fragment {
    /// An empty fragment.
    #[inline]
    pub fn new() -> Fragment {
        Fragment::default()
    }

    /// Appends the bytes so far to others.
    #[inline]
    pub fn append_to(&self, out: &mut Vec<u8>) {
        match &self.spilled {
            Some(spilled) => out.extend_from_slice(spilled),
            None => {
                let bytes = self.inline.to_le_bytes();
                put_piece(out, &bytes, 0, usize::from(self.inline_length));
            }
        }
    }

    /// Words on the stack at the end, relative to the start.
    pub fn depth(&self) -> i32 {
        self.depth
    }

    /// Most words ever on the stack, relative to the start.
    pub fn peak(&self) -> u32 {
        self.peak.unsigned_abs()
    }

    #[inline(always)]
    fn push_bytes(&mut self, bytes: &[u8]) {
        let start = usize::from(self.inline_length);
        // No instruction but a switch is longer than eight bytes.
        if self.spilled.is_none() && bytes.len() <= 8 && start + bytes.len() <= INLINE {
            let packed = bytes.iter().rev().fold(0, |packed, &byte| packed << 8 | u64::from(byte));
            // Nothing is shifted out: where `start` is 16, nothing is pushed.
            self.inline |= u128::from(packed).wrapping_shl(8 * start as u32);
            self.inline_length += bytes.len() as u8;
        } else {
            self.spill(bytes);
        }
    }

    #[cold]
    fn spill(&mut self, bytes: &[u8]) {
        let mut spilled = self.spilled.take().unwrap_or_else(|| {
            let mut inline = Box::new(Vec::with_capacity(2 * INLINE));
            self.append_to(&mut inline);
            inline
        });
        spilled.extend_from_slice(bytes);
        self.spilled = Some(spilled);
    }

    #[inline(always)]
    fn count(&mut self, pops: u16, pushes: u16) {
        self.depth = self.depth.saturating_sub(i32::from(pops)).saturating_add(i32::from(pushes));
        self.peak = self.peak.max(self.depth);
    }

    /// Code given as bytes: its effect on the stack, in words. A branch in it
    /// may only lead to a place in the same bytes, and only where no stack
    /// map frame is asked for, that is before class file version 50.
    ///
    /// The bytes must not push more on the way than they leave at the end, or
    /// [`Fragment::reserve`] must say how much.
    pub fn raw(mut self, bytes: &[u8], stack_delta: i16) -> Fragment {
        self.push_bytes(bytes);
        self.depth = self.depth.saturating_add(i32::from(stack_delta));
        self.peak = self.peak.max(self.depth);
        self
    }

    /// Says that the next piece of [`Fragment::raw`] code needs this many
    /// words on top of what is on the stack now.
    pub fn reserve(mut self, words: u16) -> Fragment {
        self.peak = self.peak.max(self.depth.saturating_add(i32::from(words)));
        self
    }

    /// An instruction without operands, with the stack effect of the
    /// instruction set.
    #[inline(always)]
    pub fn simple(mut self, opcode: u8) -> Fragment {
        let (pops, pushes) = opcode::stack_effect(opcode);
        self.push_bytes(&[opcode]);
        self.count(pops.into(), pushes.into());
        self
    }

    /// The shortest form of an instruction on a local variable.
    #[inline(always)]
    fn local(mut self, opcode: u8, short_form: u8, index: u16) -> Fragment {
        let (pops, pushes) = opcode::stack_effect(opcode);
        let [high, low] = index.to_be_bytes();
        match index {
            0..=3 => self.push_bytes(&[short_form + low]),
            4..=255 => self.push_bytes(&[opcode, low]),
            _ => self.push_bytes(&[opcode::WIDE, opcode, high, low]),
        }
        self.count(pops.into(), pushes.into());
        self
    }

    /// Pushes a local variable, by its type.
    pub fn load(self, local: Local) -> Fragment {
        match local.kind {
            LocalType::Int => self.load_int(local),
            LocalType::Long => self.load_long(local),
            LocalType::Float => self.load_float(local),
            LocalType::Double => self.load_double(local),
            LocalType::Null | LocalType::Object(_) => self.load_reference(local),
        }
    }

    /// Pops into a local variable, by its type.
    pub fn store(self, local: Local) -> Fragment {
        match local.kind {
            LocalType::Int => self.store_int(local),
            LocalType::Long => self.store_long(local),
            LocalType::Float => self.store_float(local),
            LocalType::Double => self.store_double(local),
            LocalType::Null | LocalType::Object(_) => self.store_reference(local),
        }
    }

    /// `iload`.
    #[inline]
    pub fn load_int(self, local: Local) -> Fragment {
        self.local(opcode::ILOAD, opcode::ILOAD_0, local.index)
    }

    /// `lload`.
    #[inline]
    pub fn load_long(self, local: Local) -> Fragment {
        self.local(opcode::LLOAD, opcode::LLOAD_0, local.index)
    }

    /// `fload`.
    pub fn load_float(self, local: Local) -> Fragment {
        self.local(opcode::FLOAD, opcode::FLOAD_0, local.index)
    }

    /// `dload`.
    pub fn load_double(self, local: Local) -> Fragment {
        self.local(opcode::DLOAD, opcode::DLOAD_0, local.index)
    }

    /// `aload`.
    #[inline]
    pub fn load_reference(self, local: Local) -> Fragment {
        self.local(opcode::ALOAD, opcode::ALOAD_0, local.index)
    }

    /// `istore`.
    #[inline]
    pub fn store_int(self, local: Local) -> Fragment {
        self.local(opcode::ISTORE, opcode::ISTORE_0, local.index)
    }

    /// `lstore`.
    #[inline]
    pub fn store_long(self, local: Local) -> Fragment {
        self.local(opcode::LSTORE, opcode::LSTORE_0, local.index)
    }

    /// `fstore`.
    pub fn store_float(self, local: Local) -> Fragment {
        self.local(opcode::FSTORE, opcode::FSTORE_0, local.index)
    }

    /// `dstore`.
    pub fn store_double(self, local: Local) -> Fragment {
        self.local(opcode::DSTORE, opcode::DSTORE_0, local.index)
    }

    /// `astore`.
    #[inline]
    pub fn store_reference(self, local: Local) -> Fragment {
        self.local(opcode::ASTORE, opcode::ASTORE_0, local.index)
    }

    /// Adds a constant to an int local: one `iinc`, wide where it must be,
    /// and as many as it takes beyond 32,767.
    #[inline]
    pub fn iinc(mut self, local: Local, amount: i32) -> Fragment {
        let [index_high, index_low] = local.index.to_be_bytes();
        let mut rest = amount;
        loop {
            if index_high == 0
                && let Ok(step) = i8::try_from(rest)
            {
                self.push_bytes(&[opcode::IINC, index_low, step as u8]);
                return self;
            }
            let step = rest.clamp(i16::MIN.into(), i16::MAX.into());
            let [step_high, step_low] = (step as i16).to_be_bytes();
            self.push_bytes(&[
                opcode::WIDE,
                opcode::IINC,
                index_high,
                index_low,
                step_high,
                step_low,
            ]);
            rest -= step;
            if rest == 0 {
                return self;
            }
        }
    }

    /// Pushes an int by the shortest instruction. Beyond 16 bits the value
    /// goes to the constant pool.
    ///
    /// # Errors
    /// [`Refusal::PoolFull`].
    #[inline(always)]
    pub fn push_int(mut self, value: i32, pool: &mut PoolExtension) -> Result<Fragment, Refusal> {
        if let -1..=5 = value {
            self.push_bytes(&[(i32::from(opcode::ICONST_0) + value) as u8]);
        } else if let Ok(byte) = i8::try_from(value) {
            self.push_bytes(&[opcode::BIPUSH, byte as u8]);
        } else if let Ok(short) = i16::try_from(value) {
            let [high, low] = short.to_be_bytes();
            self.push_bytes(&[opcode::SIPUSH, high, low]);
        } else {
            let index = pool.integer(value)?;
            return Ok(match pool.loads_wide() {
                true => self.with_index(opcode::LDC_W, index, 0, 1),
                false => self.load_constant(index),
            });
        }
        self.count(0, 1);
        Ok(self)
    }

    /// Pushes a long.
    ///
    /// # Errors
    /// [`Refusal::PoolFull`].
    pub fn push_long(mut self, value: i64, pool: &mut PoolExtension) -> Result<Fragment, Refusal> {
        if let 0..=1 = value {
            self.push_bytes(&[opcode::LCONST_0 + value as u8]);
        } else if let Ok(small) = i32::try_from(value) {
            // An entry for an int serves both, and takes one place in the pool.
            return Ok(self.push_int(small, pool)?.simple(opcode::I2L));
        } else {
            let [high, low] = pool.long(value)?.to_be_bytes();
            self.push_bytes(&[opcode::LDC2_W, high, low]);
        }
        self.count(0, 2);
        Ok(self)
    }

    /// Pushes a one-word constant: `ldc`, or `ldc_w` for indices above 255.
    #[inline(always)]
    pub fn load_constant(mut self, index: u16) -> Fragment {
        let [high, low] = index.to_be_bytes();
        if high == 0 {
            self.push_bytes(&[opcode::LDC, low]);
        } else {
            self.push_bytes(&[opcode::LDC_W, high, low]);
        }
        self.count(0, 1);
        self
    }

    #[inline(always)]
    fn with_index(mut self, opcode: u8, index: u16, pops: u16, pushes: u16) -> Fragment {
        let [high, low] = index.to_be_bytes();
        self.push_bytes(&[opcode, high, low]);
        self.count(pops, pushes);
        self
    }

    /// `invokestatic`.
    #[inline]
    pub fn invokestatic(self, index: u16, argument_words: u16, result_words: u16) -> Fragment {
        self.with_index(opcode::INVOKESTATIC, index, argument_words, result_words)
    }

    /// `invokevirtual`; the receiver is not among the argument words.
    pub fn invokevirtual(self, index: u16, argument_words: u16, result_words: u16) -> Fragment {
        let words = argument_words.saturating_add(1);
        self.with_index(opcode::INVOKEVIRTUAL, index, words, result_words)
    }

    /// `invokespecial`; the receiver is not among the argument words.
    pub fn invokespecial(self, index: u16, argument_words: u16, result_words: u16) -> Fragment {
        let words = argument_words.saturating_add(1);
        self.with_index(opcode::INVOKESPECIAL, index, words, result_words)
    }

    /// `getstatic` of a field with this many words.
    pub fn getstatic(self, index: u16, words: u16) -> Fragment {
        self.with_index(opcode::GETSTATIC, index, 0, words)
    }

    /// `putstatic` of a field with this many words.
    pub fn putstatic(self, index: u16, words: u16) -> Fragment {
        self.with_index(opcode::PUTSTATIC, index, words, 0)
    }

    /// `getfield` of a field with this many words.
    pub fn getfield(self, index: u16, words: u16) -> Fragment {
        self.with_index(opcode::GETFIELD, index, 1, words)
    }

    /// `putfield` of a field with this many words.
    pub fn putfield(self, index: u16, words: u16) -> Fragment {
        self.with_index(opcode::PUTFIELD, index, words.saturating_add(1), 0)
    }

    /// `checkcast`.
    pub fn checkcast(self, index: u16) -> Fragment {
        self.with_index(opcode::CHECKCAST, index, 1, 1)
    }

    /// `aconst_null`.
    pub fn push_null(self) -> Fragment {
        self.simple(opcode::ACONST_NULL)
    }

    /// `pop`.
    pub fn pop(self) -> Fragment {
        self.simple(opcode::POP)
    }

    /// `pop2`.
    pub fn pop2(self) -> Fragment {
        self.simple(opcode::POP2)
    }

    /// `dup`.
    pub fn dup(self) -> Fragment {
        self.simple(opcode::DUP)
    }

    /// `dup_x1`.
    pub fn dup_x1(self) -> Fragment {
        self.simple(opcode::DUP_X1)
    }

    /// `dup2`.
    pub fn dup2(self) -> Fragment {
        self.simple(opcode::DUP2)
    }

    /// `swap`.
    pub fn swap(self) -> Fragment {
        self.simple(opcode::SWAP)
    }

    /// `athrow`.
    pub fn athrow(self) -> Fragment {
        self.simple(opcode::ATHROW)
    }
}

/// So that edits take fragments by value as well as by reference.
impl AsRef<Fragment> for Fragment {
    fn as_ref(&self) -> &Fragment {
        self
    }
}

//! Hashes of methods' code, to tell whether a method is the same in two
//! versions of its class.

use super::class_file::ClassFile;
use super::code::Code;
use super::constant_pool::tag;
use super::instruction::Instruction;
use super::opcode;
use super::reader::u2_at;

/// Hashes the code of the methods of one class.
///
/// A hash depends on the instructions, on what the constants are that they
/// name, on where jumps lead and on the handlers of exceptions. It does not
/// depend on where constants stand in the pool, on line numbers, on the class's own
/// name, nor on the numbers that the compiler gives to the methods of lambda
/// expressions: a change elsewhere in the class does not change it.
///
/// The function is fixed, because hashes are kept in files: numbers are mixed
/// in by rotation, exclusive or and multiplication, eight bytes of text at a
/// time.
#[derive(Debug)]
pub struct CodeHashes<'a> {
    class: &'a ClassFile<'a>,
    /// Hash of each constant that was named, 0 for the others.
    constants: Vec<u64>,
    /// Where the entries of `BootstrapMethods` begin; read when one is wanted.
    bootstrap_methods: Option<(&'a [u8], Vec<usize>)>,
    /// Positions of the instructions of a method.
    positions: Vec<u32>,
}

/// Constants refer to each other, in broken classes also in circles.
const DEEPEST: u32 = 8;

/// A hash under way.
#[derive(Clone, Copy)]
struct Hash(u64);

impl Hash {
    const SEED: Hash = Hash(0x9E37_79B9_7F4A_7C15);

    fn number(&mut self, number: u64) {
        self.0 = (self.0.rotate_left(5) ^ number).wrapping_mul(0x517C_C1B7_2722_0A95);
    }

    fn text(&mut self, text: &[u8]) {
        self.number(text.len() as u64);
        let (words, rest) = text.as_chunks::<8>();
        for word in words {
            self.number(u64::from_le_bytes(*word));
        }
        let mut last = [0; 8];
        last[..rest.len()].copy_from_slice(rest);
        self.number(u64::from_le_bytes(last));
    }

    /// Never 0, which means that there is none.
    fn finish(self) -> u64 {
        let mut hash = self.0;
        hash ^= hash >> 32;
        hash = hash.wrapping_mul(0xD6E8_FEB8_6659_FD93);
        hash ^= hash >> 32;
        hash.max(1)
    }
}

impl<'a> CodeHashes<'a> {
    /// For the methods of a class.
    pub fn new(class: &'a ClassFile<'a>) -> Self {
        let count = usize::from(class.constant_pool().count());
        Self { class, constants: vec![0; count], bootstrap_methods: None, positions: Vec::new() }
    }

    /// The hash of a method's code, never 0.
    pub fn of(&mut self, code: &Code<'_>) -> u64 {
        let mut positions = std::mem::take(&mut self.positions);
        positions.clear();
        positions.extend(code.instructions().map(|instruction| instruction.bci));
        // Instructions are counted: a wider index into the pool moves them.
        let place = |bci: u32| positions.partition_point(|&position| position < bci) as u64;
        let mut hash = Hash::SEED;
        for instruction in code.instructions() {
            self.instruction(&instruction, place, &mut hash);
        }
        for entry in code.exception_table() {
            for bci in [entry.start, entry.end, entry.handler] {
                hash.number(place(bci));
            }
            let any = entry.catch_type == 0;
            hash.number(if any { 0 } else { self.constant(entry.catch_type, 0) });
        }
        self.positions = positions;
        hash.finish()
    }

    fn instruction(
        &mut self,
        instruction: &Instruction<'_>,
        place: impl Fn(u32) -> u64,
        hash: &mut Hash,
    ) {
        let opcode = match instruction.opcode {
            opcode::LDC_W => opcode::LDC,
            opcode::GOTO_W => opcode::GOTO,
            opcode::JSR_W => opcode::JSR,
            opcode => opcode,
        };
        hash.number(u64::from(opcode));
        if let Some(index) = instruction.pool_index() {
            let constant = self.constant(index, 0);
            hash.number(constant);
            if opcode == opcode::MULTIANEWARRAY {
                hash.number(instruction.constant().unwrap_or(0) as u64);
            }
        } else if let Some(switch) = instruction.switch() {
            hash.number(place(switch.default_target()));
            for (key, target) in switch.cases() {
                hash.number(key as u64);
                hash.number(place(target));
            }
        } else if let Some(target) = instruction.branch_target() {
            hash.number(place(target));
        } else if let Some(local) = instruction.local() {
            hash.number(u64::from(local));
            hash.number(instruction.constant().unwrap_or(0) as u64);
        } else if let [_, operands @ ..] = instruction.bytes()
            && !operands.is_empty()
        {
            hash.text(operands);
        }
    }

    /// The hash of a constant; of one that is broken, that of its number.
    fn constant(&mut self, index: u16, depth: u32) -> u64 {
        if let Some(&known) = self.constants.get(usize::from(index))
            && known != 0
        {
            return known;
        }
        let mut hash = Hash::SEED;
        if self.resolve(index, depth, &mut hash).is_none() {
            hash.number(u64::from(index));
        }
        let hash = hash.finish();
        if let Some(constant) = self.constants.get_mut(usize::from(index)) {
            *constant = hash;
        }
        hash
    }

    fn resolve(&mut self, index: u16, depth: u32, hash: &mut Hash) -> Option<()> {
        let pool = self.class.constant_pool();
        let kind = pool.tag(index)?;
        hash.number(u64::from(kind));
        match kind {
            tag::INTEGER => hash.number(pool.integer(index).ok()? as u64),
            tag::FLOAT => hash.number(u64::from(pool.float(index).ok()?.to_bits())),
            tag::LONG => hash.number(pool.long(index).ok()? as u64),
            tag::DOUBLE => hash.number(pool.double(index).ok()?.to_bits()),
            tag::CLASS => hash.text(self.class_named(pool.class_name(index).ok()?)),
            tag::STRING => hash.text(pool.string(index).ok()?),
            tag::METHOD_TYPE => hash.text(pool.method_type(index).ok()?),
            tag::FIELDREF | tag::METHODREF | tag::INTERFACE_METHODREF => {
                let member = pool.member_ref(index).ok()?;
                hash.text(self.class_named(member.owner));
                hash.text(without_lambda_number(member.name));
                hash.text(member.descriptor);
            }
            tag::METHOD_HANDLE => {
                let (kind, member) = pool.method_handle(index).ok()?;
                hash.number(u64::from(kind));
                self.part(member, depth, hash)?;
            }
            tag::INVOKE_DYNAMIC | tag::DYNAMIC => {
                let call = pool.invoke_dynamic(index).ok()?;
                hash.text(call.name);
                hash.text(call.descriptor);
                let (handle, arguments) =
                    self.bootstrap_method(pool.bootstrap_index(index).ok()?)?;
                self.part(handle, depth, hash)?;
                for argument in arguments.as_chunks::<2>().0 {
                    self.part(u16::from_be_bytes(*argument), depth, hash)?;
                }
            }
            _ => return None,
        }
        Some(())
    }

    /// A class that code names; nothing if it is the class itself, as the JDK puts
    /// numbers into the names of classes that it generates.
    fn class_named<'n>(&self, name: &'n [u8]) -> &'n [u8] {
        if name == self.class.this_class() { b"" } else { name }
    }

    /// A constant that another one refers to.
    fn part(&mut self, index: u16, depth: u32, hash: &mut Hash) -> Option<()> {
        if depth == DEEPEST {
            return None;
        }
        let part = self.constant(index, depth + 1);
        hash.number(part);
        Some(())
    }

    /// The handle and the arguments of a bootstrap method.
    fn bootstrap_method(&mut self, number: u16) -> Option<(u16, &'a [u8])> {
        if self.bootstrap_methods.is_none() {
            let mut attributes = self.class.attributes().ok()?.map_while(Result::ok);
            let table = attributes.find(|found| found.name == b"BootstrapMethods")?.info;
            let mut starts = Vec::new();
            let mut at = 2;
            for _ in 0..u2_at(table, 0)? {
                starts.push(at);
                at += 4 + 2 * usize::from(u2_at(table, at + 2)?);
            }
            self.bootstrap_methods = Some((table, starts));
        }
        let (table, starts) = self.bootstrap_methods.as_ref()?;
        let at = *starts.get(usize::from(number))?;
        let arguments = at + 4;
        let end = arguments + 2 * usize::from(u2_at(table, at + 2)?);
        Some((u2_at(table, at)?, table.get(arguments..end)?))
    }
}

/// `lambda$main$` for `lambda$main$3`: the number says only how many lambda
/// expressions stand before it in the class.
fn without_lambda_number(name: &[u8]) -> &[u8] {
    if !name.starts_with(b"lambda$") {
        return name;
    }
    let digits = name.iter().rev().take_while(|byte| byte.is_ascii_digit()).count();
    &name[..name.len() - digits]
}

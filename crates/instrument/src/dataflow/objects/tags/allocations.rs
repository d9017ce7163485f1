//! Where a method makes objects.

use classfile::{Code, Initialisation, Instruction, opcode};
use profile::dataflow::SiteKind;

/// An instruction that makes objects.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Allocation {
    /// The allocating instruction.
    pub bci: u32,
    /// How it does it.
    pub kind: SiteKind,
    /// Internal name of the class of the objects, or descriptor of their array
    /// class; for clones and lambda expressions, what is known of it.
    pub class: Vec<u8>,
    /// When they get their tags.
    pub moment: Moment,
}

/// When objects get their tags.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Moment {
    /// In the constructor of `Object`, which this call will reach.
    Constructor(u32),
    /// Behind the instruction that makes an array.
    Array {
        /// How many of its dimensions are made.
        dimensions: u8,
        /// What the elements of the innermost ones are like, for `SubsumeAllocations`.
        elements: i32,
    },
    /// Behind a call of `clone`.
    Clone,
    /// In the constructor of `Object`, if the code behind the instruction
    /// reaches one, else behind it.
    Lambda,
    /// Behind the instruction, which has other code make the object, or gives one
    /// that it has made before.
    Made,
}

/// Kind of elements that are references; as in `SubsumeArrays`.
pub const REFERENCES: i32 = 4;

/// All allocations of a method, in the order of the code.
pub fn allocations(code: &Code<'_>, initialisation: &Initialisation) -> Vec<Allocation> {
    let mut found = Vec::new();
    // Objects that wait for their constructor: nested ones come first.
    let mut waiting: Vec<(u32, &[u8])> = Vec::new();
    for instruction in code.instructions() {
        match instruction.opcode {
            opcode::NEW => {
                if let Some(class) = class_of(code, &instruction) {
                    waiting.push((instruction.bci, class));
                }
            }
            opcode::INVOKESPECIAL if is_constructor(code, &instruction, initialisation) => {
                found.extend(constructed(code, &instruction, &mut waiting));
            }
            _ => found.extend(array(code, &instruction).or_else(|| called(code, &instruction))),
        }
    }
    found
}

fn class_of<'c>(code: &Code<'c>, instruction: &Instruction<'_>) -> Option<&'c [u8]> {
    code.constant_pool().class_name(instruction.pool_index()?).ok()
}

/// True for the call of a constructor of an object that `new` has made.
fn is_constructor(
    code: &Code<'_>,
    call: &Instruction<'_>,
    initialisation: &Initialisation,
) -> bool {
    let callee = call.pool_index().and_then(|index| code.constant_pool().member_ref(index).ok());
    callee.is_some_and(|callee| callee.name == b"<init>")
        && initialisation.calls.binary_search(&call.bci).is_err()
}

/// Of the objects that wait, the last one of the class; one of two paths
/// may have left others behind that it does not construct.
fn constructed(
    code: &Code<'_>,
    call: &Instruction<'_>,
    waiting: &mut Vec<(u32, &[u8])>,
) -> Option<Allocation> {
    let owner = code.constant_pool().member_ref(call.pool_index()?).ok()?.owner;
    let at = waiting.iter().rposition(|&(_, class)| class == owner);
    let bci = at.map_or(call.bci, |at| waiting.remove(at).0);
    Some(Allocation {
        bci,
        kind: SiteKind::New,
        class: owner.to_vec(),
        moment: Moment::Constructor(call.bci),
    })
}

fn array(code: &Code<'_>, instruction: &Instruction<'_>) -> Option<Allocation> {
    let (class, dimensions) = match instruction.opcode {
        opcode::NEWARRAY => {
            const TYPES: &[u8] = b"ZCFDBSIJ";
            // JVMS table 6.5.newarray-A begins with 4.
            let index = usize::try_from(instruction.constant()?).ok()?.checked_sub(4)?;
            (vec![b'[', *TYPES.get(index)?], 1)
        }
        opcode::ANEWARRAY => {
            let element = class_of(code, instruction)?;
            let class = match element {
                [b'[', ..] => [b"[", element].concat(),
                _ => [b"[L", element, b";"].concat(),
            };
            (class, 1)
        }
        opcode::MULTIANEWARRAY => {
            let dimensions = u8::try_from(instruction.constant()?).ok()?;
            (class_of(code, instruction)?.to_vec(), dimensions)
        }
        _ => return None,
    };
    let elements = match class.get(usize::from(dimensions)) {
        Some(b'Z' | b'B') => 0,
        Some(b'C' | b'S') => 1,
        Some(b'I' | b'F') => 2,
        Some(b'J' | b'D') => 3,
        _ => REFERENCES,
    };
    let moment = Moment::Array { dimensions, elements };
    Some(Allocation { bci: instruction.bci, kind: SiteKind::Array, class, moment })
}

/// Calls whose results are new objects.
fn called(code: &Code<'_>, instruction: &Instruction<'_>) -> Option<Allocation> {
    let bci = instruction.bci;
    match instruction.opcode {
        opcode::INVOKEDYNAMIC => {
            let index = instruction.pool_index()?;
            match code.method().class().bootstrap_method(index)?.owner {
                b"java/lang/invoke/StringConcatFactory" => {
                    let class = b"java/lang/String".to_vec();
                    Some(Allocation { bci, kind: SiteKind::Concat, class, moment: Moment::Made })
                }
                b"java/lang/invoke/LambdaMetafactory" => {
                    let descriptor = code.constant_pool().invoke_dynamic(index).ok()?.descriptor;
                    let interface = classfile::descriptor::return_type(descriptor);
                    let class = interface.strip_prefix(b"L")?.strip_suffix(b";")?.to_vec();
                    // Without captured values there is one object for ever.
                    let captures = !descriptor.starts_with(b"()");
                    let moment = if captures { Moment::Lambda } else { Moment::Made };
                    Some(Allocation { bci, kind: SiteKind::Lambda, class, moment })
                }
                _ => None,
            }
        }
        opcode::INVOKEVIRTUAL | opcode::INVOKESPECIAL | opcode::INVOKEINTERFACE => {
            let callee = code.constant_pool().member_ref(instruction.pool_index()?).ok()?;
            let returns_object =
                callee.descriptor.starts_with(b"()L") || callee.descriptor.starts_with(b"()[");
            if callee.name != b"clone" || !returns_object {
                return None;
            }
            // Only its own class calls the method of Object, which makes an object of
            // that class or of one below it.
            let is_own =
                instruction.opcode == opcode::INVOKESPECIAL || callee.owner == b"java/lang/Object";
            let class =
                if is_own { code.method().class().this_class() } else { callee.owner }.to_vec();
            Some(Allocation { bci, kind: SiteKind::Clone, class, moment: Moment::Clone })
        }
        _ => None,
    }
}

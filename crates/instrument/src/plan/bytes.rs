//! The bytes that a method allocates: the instructions that do, and a counter in the node for
//! each class.

use classfile::{Code, Instruction, opcode};
use profile::layout::node;

use super::MethodPlan;
use super::policy::display_name;

/// What a method allocates, where bytes are counted.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AllocatedBytes {
    /// Names of the classes and of the types of arrays, one for each counter.
    pub classes: Vec<String>,
    /// The instructions, in the order of the code.
    pub sites: Vec<BytesSite>,
}

/// An instruction that allocates.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BytesSite {
    /// Where it is.
    pub bci: u32,
    /// What it allocates.
    pub made: Made,
    /// The counter that takes its bytes.
    pub counter: u32,
}

/// What an instruction allocates.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Made {
    /// An instance of the class whose size is in this cell.
    Instance(u32),
    /// An array of elements of two to the power of so many bytes each.
    Array(u8),
    /// An array of references.
    References,
    /// Arrays in arrays, in so many dimensions.
    Nested(u8),
}

impl AllocatedBytes {
    /// Of some code. `cell` says where the size of a class will be, by its internal name;
    /// `None` if a class gets no cell.
    pub fn of(code: &Code<'_>, mut cell: impl FnMut(&[u8]) -> Option<u32>) -> Option<Self> {
        let mut found = Self::default();
        for instruction in code.instructions() {
            let Some((made, class)) = allocated(code, &instruction, &mut cell)? else { continue };
            let known = found.classes.iter().position(|known| *known == class);
            let counter = known.unwrap_or_else(|| {
                found.classes.push(class);
                found.classes.len() - 1
            });
            let bci = instruction.bci;
            found.sites.push(BytesSite { bci, made, counter: counter as u32 });
        }
        Some(found)
    }
}

/// What an instruction allocates, and its name; `Some(None)` if it is none that does.
fn allocated(
    code: &Code<'_>,
    instruction: &Instruction<'_>,
    cell: &mut impl FnMut(&[u8]) -> Option<u32>,
) -> Option<Option<(Made, String)>> {
    let class = || {
        let index = instruction.pool_index()?;
        code.constant_pool().class_name(index).ok()
    };
    Some(match instruction.opcode {
        opcode::NEW => {
            let class = class()?;
            Some((Made::Instance(cell(class)?), display_name(class)))
        }
        opcode::NEWARRAY => {
            // JVMS table 6.5.newarray-A.
            let (name, shift) = match instruction.constant()? {
                4 => ("boolean[]", 0),
                5 => ("char[]", 1),
                6 => ("float[]", 2),
                7 => ("double[]", 3),
                8 => ("byte[]", 0),
                9 => ("short[]", 1),
                10 => ("int[]", 2),
                11 => ("long[]", 3),
                _ => return None,
            };
            Some((Made::Array(shift), name.to_owned()))
        }
        opcode::ANEWARRAY => Some((Made::References, format!("{}[]", type_name(class()?)))),
        opcode::MULTIANEWARRAY => {
            let dimensions = u8::try_from(instruction.constant()?).ok()?;
            Some((Made::Nested(dimensions), type_name(class()?)))
        }
        _ => None,
    })
}

/// The name of a class, or of the type of arrays whose descriptor a class has for a name.
fn type_name(class: &[u8]) -> String {
    let dimensions = class.iter().take_while(|&&byte| byte == b'[').count();
    if dimensions == 0 {
        return display_name(class);
    }
    let element = match &class[dimensions..] {
        b"Z" => "boolean".to_owned(),
        b"C" => "char".to_owned(),
        b"F" => "float".to_owned(),
        b"D" => "double".to_owned(),
        b"B" => "byte".to_owned(),
        b"S" => "short".to_owned(),
        b"I" => "int".to_owned(),
        b"J" => "long".to_owned(),
        [b'L', name @ .., b';'] => display_name(name),
        other => display_name(other),
    };
    format!("{element}{}", "[]".repeat(dimensions))
}

impl MethodPlan {
    /// Has bytes counted, too, as far as the method allocates. Comes last: the counters lie
    /// behind all others.
    pub fn count_bytes(&mut self, allocated: AllocatedBytes) {
        self.bytes = Some(allocated).filter(|allocated| !allocated.sites.is_empty());
        self.has_bytes_probes = self.bytes.is_some();
    }

    /// Names of the classes of the counters of bytes.
    pub fn allocated_classes(&self) -> &[String] {
        self.bytes.as_ref().map_or(&[], |bytes| &bytes.classes)
    }

    /// Gives up the counters' probes; the counters stay, at 0.
    pub fn leave_bytes_out(&mut self) {
        self.has_bytes_probes = false;
    }

    /// True if bytes are counted.
    pub fn has_bytes_probes(&self) -> bool {
        self.has_bytes_probes
    }

    /// What is to be counted where, each with the word offset in a node of its counter.
    pub fn bytes_sites(&self) -> impl Iterator<Item = (BytesSite, u32)> {
        let first =
            node::call_counters(self.flags()) + 2 * (self.counted_sites() + self.block_counters());
        let sites = self.bytes.iter().filter(|_| self.has_bytes_probes);
        sites.flat_map(|bytes| &bytes.sites).map(move |&site| (site, first + 2 * site.counter))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_of_arrays_have_names() {
        for (class, name) in [
            (&b"a/B"[..], "a.B"),
            (b"[I", "int[]"),
            (b"[[La/B$C;", "a.B$C[][]"),
            (b"[[[Z", "boolean[][][]"),
        ] {
            assert_eq!(type_name(class), name);
        }
    }
}

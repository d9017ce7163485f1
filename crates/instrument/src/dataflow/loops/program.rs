//! What is known of the program's code: loops, instructions that read, and whose they
//! are.

use rustc_hash::FxHashMap;

/// Whose a method is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Owner {
    /// It is not known.
    #[default]
    Unknown,
    /// The JDK's, as its class comes from the boot loader.
    Jdk,
    /// The JDK's, and it loads or makes classes, which the JVM asks for in the midst of
    /// any code.
    MakesClasses,
    /// The application's, and the options choose its class.
    Chosen,
    /// The application's, and the options leave its class out.
    LeftOut,
}

/// What a method does with strings.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum StringRole {
    /// Nothing in particular.
    #[default]
    None,
    /// It handles them as a whole.
    Handles,
    /// It copies arrays for its caller, which may be such a method.
    Copies,
}

/// What a method does for streams that end early.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StreamRole {
    /// Its loop runs them.
    Runs,
    /// It ends them where an answer is no.
    AsksAll,
    /// It asks for the answer at which they end.
    Matches,
    /// It answers yes or no.
    Answers {
        /// Whether a yes says that something equals something else.
        yes: bool,
        /// Whether a no says that.
        no: bool,
    },
}

/// A loop of a method.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LoopOfMethod {
    /// Number of the method.
    pub method: u32,
    /// Where its header starts.
    pub bci: u16,
    /// The source line, 0 if unknown.
    pub line: u16,
    /// True for the method itself, which is recursive, rather than a loop.
    pub is_method: bool,
    /// Whether it has neither calls nor inner loops.
    pub is_leaf: bool,
    /// Whether one block alone leads out of it, exceptions aside.
    pub has_one_exit: bool,
    /// Whether it is left where something equals what it looks for.
    pub searches: bool,
}

/// An instruction that reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ReadOfMethod {
    /// Number of the method.
    pub method: u32,
    /// Where it stands.
    pub bci: u16,
    /// The source line, 0 if unknown.
    pub line: u16,
    /// What it reads, a number of [`Program::name`].
    pub name: u32,
}

/// Everything that has numbers.
#[derive(Debug, Default)]
pub struct Program {
    loops: Vec<LoopOfMethod>,
    reads: Vec<ReadOfMethod>,
    /// For each method: the numbers of its first loop and its first read, and how many it
    /// has of both.
    methods: FxHashMap<u32, [usize; 4]>,
    owners: Vec<Owner>,
    /// Methods that do something with strings.
    string_roles: FxHashMap<u32, StringRole>,
    /// Methods that do something for streams.
    stream_roles: FxHashMap<u32, StreamRole>,
    fields: FxHashMap<Box<[u8]>, u32>,
    names: Vec<Box<str>>,
    known_names: FxHashMap<Box<str>, u32>,
    /// Cycles that are no natural loops.
    pub irreducible: u64,
}

impl Program {
    /// The numbers of a method's first loop and of its first read. A method keeps them
    /// when it is rewritten again. `None` when they run out: events have room for
    /// numbers below 2^29.
    pub fn add(
        &mut self,
        method: u32,
        owner: Owner,
        loops: &[LoopOfMethod],
        reads: &[ReadOfMethod],
    ) -> Option<(u32, u32)> {
        let at = method as usize;
        if self.owners.len() <= at {
            self.owners.resize(at + 1, Owner::Unknown);
        }
        self.owners[at] = owner;
        let (loop_count, read_count) = (loops.len(), reads.len());
        let known = self.methods.get(&method).copied();
        let [first_loop, first_read, ..] = match known {
            Some(numbers) if numbers[2..] == [loop_count, read_count] => numbers,
            _ => {
                let numbers = [self.loops.len(), self.reads.len(), loop_count, read_count];
                self.loops.extend_from_slice(loops);
                self.reads.extend_from_slice(reads);
                self.methods.insert(method, numbers);
                numbers
            }
        };
        let most = 1 << 29;
        (self.loops.len() < most && self.reads.len() < most)
            .then_some((first_loop as u32, first_read as u32))
    }

    /// A method has a role for strings.
    pub fn set_string_role(&mut self, method: u32, role: StringRole) {
        if role != StringRole::None {
            self.string_roles.insert(method, role);
        }
    }

    /// What a method does with strings.
    pub fn string_role(&self, method: u32) -> StringRole {
        self.string_roles.get(&method).copied().unwrap_or_default()
    }

    /// A method has a role for streams.
    pub fn set_stream_role(&mut self, method: u32, role: Option<StreamRole>) {
        self.stream_roles.extend(role.map(|role| (method, role)));
    }

    /// What a method does for streams.
    pub fn stream_role(&self, method: u32) -> Option<StreamRole> {
        self.stream_roles.get(&method).copied()
    }

    /// The number of a field with this name and descriptor: where an object has several
    /// of them, they pass for one. It is not an index: as an int it is negative, and small, so
    /// that it takes no constant.
    pub fn field(&mut self, name: &[u8], descriptor: &[u8]) -> u32 {
        // 0xFF occurs in no name.
        let key = [name, descriptor].join(&0xFF);
        let next = !(self.fields.len() as u32);
        *self.fields.entry(key.into()).or_insert(next)
    }

    /// The number of a name.
    pub fn name_number(&mut self, name: &str) -> u32 {
        if let Some(&number) = self.known_names.get(name) {
            return number;
        }
        let number = self.names.len() as u32;
        self.names.push(name.into());
        self.known_names.insert(name.into(), number);
        number
    }

    /// The name of a number.
    pub fn name(&self, number: u32) -> &str {
        self.names.get(number as usize).map_or("", |name| name)
    }

    /// The loop of a number.
    pub fn loop_of(&self, number: u32) -> Option<LoopOfMethod> {
        self.loops.get(number as usize).copied()
    }

    /// The instruction of a number.
    pub fn read_of(&self, number: u32) -> Option<ReadOfMethod> {
        self.reads.get(number as usize).copied()
    }

    /// Whose a method is.
    pub fn owner(&self, method: u32) -> Owner {
        self.owners.get(method as usize).copied().unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_method_keeps_its_numbers() {
        let mut program = Program::default();
        let one = LoopOfMethod {
            method: 3,
            bci: 5,
            line: 7,
            is_method: false,
            is_leaf: false,
            has_one_exit: true,
            searches: false,
        };
        let read = ReadOfMethod { method: 3, bci: 5, line: 7, name: 0 };
        assert_eq!(program.add(3, Owner::Jdk, &[one], &[read, read]), Some((0, 0)));
        assert_eq!(program.add(4, Owner::Chosen, &[one], &[]), Some((1, 2)));
        assert_eq!(program.add(3, Owner::Jdk, &[one], &[read, read]), Some((0, 0)));
        assert_eq!(program.add(3, Owner::Jdk, &[one], &[read]), Some((2, 2)));
        assert_eq!((program.owner(4), program.owner(9)), (Owner::Chosen, Owner::Unknown));
    }

    #[test]
    fn names_and_fields_are_numbered_once() {
        let mut program = Program::default();
        let numbers = [b"a", b"b", b"a"].map(|name| program.field(name, b"I"));
        assert_eq!(numbers, [-1, -2, -1].map(|number: i32| number as u32));
        assert_ne!(program.field(b"a", b"J"), numbers[0]);
        let numbers = ["x", "y", "x"].map(|name| program.name_number(name));
        assert_eq!((numbers, program.name(1)), ([0, 1, 0], "y"));
    }
}

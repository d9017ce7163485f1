//! A tiny assembler for class files that no compiler writes, and a
//! disassembler to say what became of them.

// Every test file uses another part of it.
#![allow(dead_code)]

use subsume_classfile::{ClassEditor, ClassFile, Code, CodeEdit, Refusal, access, opcode};

/// A class under construction.
pub struct ClassAssembler {
    major_version: u16,
    pool: Vec<u8>,
    pool_count: u16,
    methods: Vec<u8>,
    method_count: u16,
    this_class: u16,
    super_class: u16,
}

/// A `Code` attribute under construction.
#[derive(Clone, Default)]
pub struct CodeAssembler {
    pub max_stack: u16,
    pub max_locals: u16,
    pub bytes: Vec<u8>,
    /// Start, end, handler, catch type.
    pub exceptions: Vec<[u16; 4]>,
    /// Name and contents.
    pub attributes: Vec<(&'static str, Vec<u8>)>,
}

impl ClassAssembler {
    /// A class `T` that extends `java/lang/Object`.
    pub fn new(major_version: u16) -> ClassAssembler {
        let mut class = ClassAssembler {
            major_version,
            pool: Vec::new(),
            pool_count: 1,
            methods: Vec::new(),
            method_count: 0,
            this_class: 0,
            super_class: 0,
        };
        class.this_class = class.class("T");
        class.super_class = class.class("java/lang/Object");
        class
    }

    /// Adds an entry; `indices` is 2 for longs and doubles.
    pub fn entry(&mut self, bytes: &[u8], indices: u16) -> u16 {
        self.pool.extend_from_slice(bytes);
        self.pool_count += indices;
        self.pool_count - indices
    }

    pub fn utf8(&mut self, text: &str) -> u16 {
        let mut bytes = vec![1];
        bytes.extend_from_slice(&(text.len() as u16).to_be_bytes());
        bytes.extend_from_slice(text.as_bytes());
        self.entry(&bytes, 1)
    }

    pub fn class(&mut self, name: &str) -> u16 {
        let [high, low] = self.utf8(name).to_be_bytes();
        self.entry(&[7, high, low], 1)
    }

    pub fn methodref(&mut self, owner: &str, name: &str, descriptor: &str) -> u16 {
        let owner = self.class(owner);
        let name = self.utf8(name);
        let descriptor = self.utf8(descriptor);
        let name_and_type = self.entry(&[&[12][..], &u2s(&[name, descriptor])].concat(), 1);
        self.entry(&[&[10][..], &u2s(&[owner, name_and_type])].concat(), 1)
    }

    pub fn method(&mut self, access: u16, name: &str, descriptor: &str, code: &CodeAssembler) {
        let head = [access, self.utf8(name), self.utf8(descriptor), 1, self.utf8("Code")];
        let mut info = u2s(&[code.max_stack, code.max_locals]);
        info.extend_from_slice(&(code.bytes.len() as u32).to_be_bytes());
        info.extend_from_slice(&code.bytes);
        info.extend_from_slice(&(code.exceptions.len() as u16).to_be_bytes());
        for entry in &code.exceptions {
            info.extend_from_slice(&u2s(entry));
        }
        info.extend_from_slice(&(code.attributes.len() as u16).to_be_bytes());
        for (name, contents) in &code.attributes {
            info.extend_from_slice(&self.utf8(name).to_be_bytes());
            info.extend_from_slice(&(contents.len() as u32).to_be_bytes());
            info.extend_from_slice(contents);
        }
        self.methods.extend_from_slice(&u2s(&head));
        self.methods.extend_from_slice(&(info.len() as u32).to_be_bytes());
        self.methods.extend_from_slice(&info);
        self.method_count += 1;
    }

    /// A static method `m` with this descriptor.
    pub fn static_method(&mut self, descriptor: &str, code: &CodeAssembler) {
        self.method(access::STATIC, "m", descriptor, code);
    }

    pub fn finish(&self) -> Vec<u8> {
        let mut out = vec![0xCA, 0xFE, 0xBA, 0xBE, 0, 0];
        out.extend_from_slice(&u2s(&[self.major_version, self.pool_count]));
        out.extend_from_slice(&self.pool);
        let access = access::PUBLIC | 0x20;
        out.extend_from_slice(&u2s(&[access, self.this_class, self.super_class, 0, 0]));
        out.extend_from_slice(&self.method_count.to_be_bytes());
        out.extend_from_slice(&self.methods);
        out.extend_from_slice(&[0, 0]);
        out
    }
}

/// Code with room enough for small tests.
pub fn code(bytes: &[u8]) -> CodeAssembler {
    CodeAssembler { max_stack: 4, max_locals: 4, bytes: bytes.to_vec(), ..Default::default() }
}

impl CodeAssembler {
    pub fn attribute(mut self, name: &'static str, contents: Vec<u8>) -> CodeAssembler {
        self.attributes.push((name, contents));
        self
    }

    pub fn catches(self, start: u16, end: u16, handler: u16) -> CodeAssembler {
        self.catches_class(start, end, handler, 0)
    }

    /// Catches only exceptions of the class with this index in the pool.
    pub fn catches_class(
        mut self,
        start: u16,
        end: u16,
        handler: u16,
        class: u16,
    ) -> CodeAssembler {
        self.exceptions.push([start, end, handler, class]);
        self
    }
}

/// Big-endian numbers.
pub fn u2s(values: &[u16]) -> Vec<u8> {
    values.iter().flat_map(|value| value.to_be_bytes()).collect()
}

/// One method `m` in a class of this version.
pub fn class_with(major_version: u16, descriptor: &str, code: &CodeAssembler) -> Vec<u8> {
    let mut class = ClassAssembler::new(major_version);
    class.static_method(descriptor, code);
    class.finish()
}

/// Edits the first method of a class.
pub fn edited(
    bytes: &[u8],
    change: impl FnOnce(&mut CodeEdit, &mut ClassEditor<'_>, &Code<'_>) -> Result<(), Refusal>,
) -> Result<Vec<u8>, Refusal> {
    let class = ClassFile::parse(bytes)?;
    let mut editor = ClassEditor::new(&class);
    let code = class.methods().get(0).expect("a method").code()?.expect("code");
    let mut edit = CodeEdit::new(&code);
    change(&mut edit, &mut editor, &code)?;
    editor.edit_code(0, &edit)?;
    Ok(editor.finish())
}

/// Looks at the code of the first method.
pub fn with_code<R>(bytes: &[u8], look: impl FnOnce(&Code<'_>) -> R) -> R {
    let class = ClassFile::parse(bytes).expect("well-formed class");
    let code = class.methods().get(0).expect("a method").code().expect("sound").expect("code");
    look(&code)
}

/// The instructions of the first method, one per line:
/// `bci NAME operand... -> targets`.
pub fn listing(bytes: &[u8]) -> Vec<String> {
    with_code(bytes, |code| {
        code.instructions()
            .map(|instruction| {
                let mut line = format!("{} {}", instruction.bci, opcode::name(instruction.opcode));
                if let Some(local) = instruction.local()
                    && opcode::operands(instruction.opcode) != opcode::Operands::None
                {
                    line += &format!(" {local}");
                }
                if let Some(constant) = instruction.constant()
                    && opcode::operands(instruction.opcode) != opcode::Operands::None
                {
                    line += &format!(" {constant}");
                }
                let targets: Vec<_> = instruction.targets().map(|bci| bci.to_string()).collect();
                if !targets.is_empty() {
                    line += &format!(" -> {}", targets.join(","));
                }
                line
            })
            .collect()
    })
}

/// The contents of an attribute of the first method's code.
pub fn attribute(bytes: &[u8], name: &str) -> Option<Vec<u8>> {
    with_code(bytes, |code| {
        let found = code.attributes().flatten().find(|found| found.name == name.as_bytes());
        found.map(|found| found.info.to_vec())
    })
}

/// The exception table of the first method.
pub fn exception_table(bytes: &[u8]) -> Vec<[u32; 3]> {
    with_code(bytes, |code| {
        code.exception_table().map(|entry| [entry.start, entry.end, entry.handler]).collect()
    })
}

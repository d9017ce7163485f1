//! Classes, fields and methods as the machine runs them.

use std::collections::HashMap;
use std::rc::Rc;

use classfile::{ClassFile, Code, ExceptionEntry, Instruction, access, descriptor};
use profile::MethodId;
use profile::dataflow::FieldId;

use super::following::Following;
use super::value::{Cell, ObjectId};

/// Number of a class.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ClassId(pub u32);

/// Number of a field of the machine, whichever class declares it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct FieldNumber(pub u32);

/// How far the initialisation of a class is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Initialisation {
    /// Not begun.
    Untouched,
    /// Begun, perhaps ended.
    Begun,
}

/// A constant pool entry after resolution.
#[derive(Debug, Clone, Copy)]
pub enum Resolved {
    /// A class.
    Class(ClassId),
    /// A field.
    Field(FieldNumber),
    /// A method.
    Method(MethodId),
    /// A string.
    String(ObjectId),
}

/// A class, an array class or a primitive type.
#[derive(Debug)]
pub struct Class<W> {
    /// Internal name: `java/lang/String`, `[I`, `int`.
    pub name: Rc<str>,
    /// Its class file, if it has one.
    pub file: Option<&'static ClassFile<'static>>,
    /// Its superclass.
    pub super_class: Option<ClassId>,
    /// Its direct superinterfaces.
    pub interfaces: Vec<ClassId>,
    /// Its access flags.
    pub flags: u16,
    /// Type of the elements of an array.
    pub element: Option<ClassId>,
    /// Instance fields, those of superclasses first.
    pub layout: Vec<FieldNumber>,
    /// Fields that it declares, in file order.
    pub declared: Vec<FieldNumber>,
    /// Its static fields' values.
    pub statics: Vec<Cell<W>>,
    /// Methods that it declares.
    pub methods: HashMap<(Rc<str>, Rc<str>), MethodId>,
    /// Whether it is initialised.
    pub initialisation: Initialisation,
    /// Whether it is one of the program's, not of the JDK.
    pub is_own: bool,
    /// Its object of class `Class`.
    pub mirror: Option<ObjectId>,
    /// Constants that code has used.
    pub resolved: HashMap<u16, Resolved>,
    /// Call sites that were linked: bci and method to class of the proxy.
    pub linked: HashMap<(MethodId, u32), ClassId>,
}

impl<W> Class<W> {
    /// A class with a name and nothing else.
    pub fn named(name: &str) -> Self {
        Self {
            name: name.into(),
            file: None,
            super_class: None,
            interfaces: Vec::new(),
            flags: access::PUBLIC,
            element: None,
            layout: Vec::new(),
            declared: Vec::new(),
            statics: Vec::new(),
            methods: HashMap::new(),
            initialisation: Initialisation::Untouched,
            is_own: false,
            mirror: None,
            resolved: HashMap::new(),
            linked: HashMap::new(),
        }
    }

    /// Whether it is an interface.
    pub fn is_interface(&self) -> bool {
        self.flags & access::INTERFACE != 0
    }

    /// The name as Java writes it: `java.lang.String`, `int[]`.
    pub fn java_name(&self) -> String {
        java_name(&self.name)
    }

    /// Descriptor of the type.
    pub fn descriptor(&self) -> String {
        if self.name.starts_with('[') {
            return self.name.to_string();
        }
        match PRIMITIVES.iter().find(|(_, name)| **name == *self.name) {
            Some((letter, _)) => char::from(*letter).to_string(),
            None => format!("L{};", self.name),
        }
    }
}

/// Letters and names of the primitive types.
pub const PRIMITIVES: [(u8, &str); 9] = [
    (b'Z', "boolean"),
    (b'B', "byte"),
    (b'C', "char"),
    (b'S', "short"),
    (b'I', "int"),
    (b'J', "long"),
    (b'F', "float"),
    (b'D', "double"),
    (b'V', "void"),
];

/// Internal names of classes and array classes as Java writes them. The
/// machine gives lambda proxies a number, which recordings leave out.
pub fn java_name(internal: &str) -> String {
    let elements = internal.trim_start_matches('[');
    let dimensions = internal.len() - elements.len();
    let name = if dimensions == 0 {
        elements
    } else {
        match elements.as_bytes().first() {
            Some(b'L') => &elements[1..elements.len() - 1],
            Some(letter) => PRIMITIVES.iter().find(|(l, _)| l == letter).map_or("?", |p| p.1),
            None => "?",
        }
    };
    let name = match name.find("$$Lambda") {
        Some(at) => &name[..at + "$$Lambda".len()],
        None => name,
    };
    format!("{}{}", name.replace('/', "."), "[]".repeat(dimensions))
}

/// A field.
#[derive(Debug)]
pub struct Field {
    /// The class that declares it.
    pub class: ClassId,
    /// Its name.
    pub name: Rc<str>,
    /// Its descriptor.
    pub descriptor: Rc<str>,
    /// Its place among the statics of its class, or in objects.
    pub index: usize,
    /// Its number for the rules.
    pub flow: FieldId,
}

/// A method.
#[derive(Debug)]
pub struct Method {
    /// The class that declares it.
    pub class: ClassId,
    /// Its name.
    pub name: Rc<str>,
    /// Its descriptor.
    pub descriptor: Rc<str>,
    /// Its access flags.
    pub flags: u16,
    /// First letter of each parameter's descriptor.
    pub parameters: Vec<u8>,
    /// Descriptor of what it returns.
    pub returns: Rc<str>,
    /// Its code, if it has any that the machine runs.
    pub body: Option<Body>,
    /// How far that is followed.
    pub following: Following,
}

impl Method {
    /// Whether it has no receiver.
    pub fn is_static(&self) -> bool {
        self.flags & access::STATIC != 0
    }

    /// Whether it is abstract.
    pub fn is_abstract(&self) -> bool {
        self.flags & access::ABSTRACT != 0
    }
}

/// The code of a method.
#[derive(Debug)]
pub struct Body {
    /// As in the class file.
    pub code: Code<'static>,
    /// By bci.
    pub instructions: Vec<Option<Instruction<'static>>>,
    /// Handlers, the one that counts first.
    pub handlers: Vec<ExceptionEntry>,
}

impl Body {
    /// Decodes code.
    pub fn new(code: Code<'static>) -> Self {
        let mut instructions = vec![None; code.length() as usize];
        for instruction in code.instructions() {
            instructions[instruction.bci as usize] = Some(instruction);
        }
        Self { handlers: code.exception_table().collect(), instructions, code }
    }
}

/// First letters of the parameters of a descriptor.
pub fn parameter_letters(method_descriptor: &str) -> Vec<u8> {
    descriptor::parameters(method_descriptor.as_bytes()).map(|parameter| parameter[0]).collect()
}

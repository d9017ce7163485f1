//! Class files of lambdas and method references, written as the JDK's
//! `InnerClassLambdaMetafactory` writes them.

use classfile::{ClassFile, access, descriptor, opcode as op, tag};

use super::names::{self, text};

/// What the call site says.
#[derive(Debug)]
pub struct Proxy<'a> {
    /// Descriptor of the functional interface.
    pub interface: &'a str,
    /// Name of its method.
    pub method: &'a str,
    /// Descriptors of the captured values.
    pub captured: &'a [&'a str],
}

/// Kinds of method handles (JVMS table 5.4.3.5-A).
const INVOKE_VIRTUAL: u8 = 5;
const INVOKE_STATIC: u8 = 6;
const INVOKE_SPECIAL: u8 = 7;
const NEW_INVOKE_SPECIAL: u8 = 8;
const INVOKE_INTERFACE: u8 = 9;

/// Types that box primitive ones.
const BOXES: [(u8, &str, &str); 8] = [
    (b'Z', "java/lang/Boolean", "booleanValue"),
    (b'B', "java/lang/Byte", "byteValue"),
    (b'C', "java/lang/Character", "charValue"),
    (b'S', "java/lang/Short", "shortValue"),
    (b'I', "java/lang/Integer", "intValue"),
    (b'J', "java/lang/Long", "longValue"),
    (b'F', "java/lang/Float", "floatValue"),
    (b'D', "java/lang/Double", "doubleValue"),
];

/// Writes the class. `arguments` are the bootstrap method's: the erased type,
/// the implementation, the instantiated type.
pub fn write(
    host: &'static ClassFile<'static>,
    name: &str,
    proxy: &Proxy<'_>,
    arguments: &[u16],
) -> Option<Vec<u8>> {
    let pool = host.constant_pool();
    let erased = text(pool.method_type(*arguments.first()?).ok()?);
    let (kind, member) = pool.method_handle(*arguments.get(1)?).ok()?;
    let member = pool.member_ref(member).ok()?;
    let instantiated = text(pool.method_type(*arguments.get(2)?).ok()?);

    let mut file = Writer::default();
    let this = file.class(name);
    let object = file.class("java/lang/Object");
    let interface = file.class(internal(proxy.interface));
    let code_name = file.utf8("Code");

    let mut fields = Vec::new();
    let mut field_refs = Vec::new();
    for (at, descriptor) in proxy.captured.iter().enumerate() {
        let field = format!("arg${}", at + 1);
        let header = [access::PRIVATE | access::FINAL, file.utf8(&field), file.utf8(descriptor), 0];
        fields.extend(header.into_iter().flat_map(u16::to_be_bytes));
        field_refs.push(file.member(tag::FIELDREF, name, &field, descriptor));
    }

    let mut constructor = Assembler::default();
    constructor.op(op::ALOAD_0);
    let object_init = file.member(tag::METHODREF, "java/lang/Object", "<init>", "()V");
    constructor.with_index(op::INVOKESPECIAL, object_init);
    let mut local = 1;
    for (descriptor, &field) in proxy.captured.iter().zip(&field_refs) {
        constructor.op(op::ALOAD_0);
        constructor.load(descriptor, local);
        local += descriptor::words(descriptor.as_bytes());
        constructor.with_index(op::PUTFIELD, field);
    }
    constructor.op(op::RETURN);

    let owner = text(member.owner);
    let implementation = text(member.descriptor);
    let mut body = Assembler::default();
    if kind == NEW_INVOKE_SPECIAL {
        body.with_index(op::NEW, file.class(owner));
        body.op(op::DUP);
    }
    for &field in &field_refs {
        body.op(op::ALOAD_0);
        body.with_index(op::GETFIELD, field);
    }
    // What the implementation takes, its receiver first, after what is captured.
    let receiver = format!("L{owner};");
    let has_receiver = matches!(kind, INVOKE_VIRTUAL | INVOKE_SPECIAL | INVOKE_INTERFACE);
    let takes: Vec<&str> = has_receiver
        .then_some(&*receiver)
        .into_iter()
        .chain(descriptor::parameters(member.descriptor).map(text))
        .skip(proxy.captured.len())
        .collect();
    let mut local = 1;
    let given = descriptor::parameters(erased.as_bytes()).map(text);
    let seen = descriptor::parameters(instantiated.as_bytes()).map(text);
    for ((given, seen), wanted) in given.zip(seen).zip(takes) {
        body.load(given, local);
        local += descriptor::words(given.as_bytes());
        body.convert(&mut file, given, wanted, seen);
    }
    let member_tag = if member.is_interface { tag::INTERFACE_METHODREF } else { tag::METHODREF };
    let target = file.member(member_tag, owner, text(member.name), implementation);
    match kind {
        INVOKE_STATIC => body.with_index(op::INVOKESTATIC, target),
        INVOKE_VIRTUAL => body.with_index(op::INVOKEVIRTUAL, target),
        INVOKE_INTERFACE => {
            body.with_index(op::INVOKEINTERFACE, target);
            let words = 1 + descriptor::argument_words(member.descriptor);
            body.code.extend([words as u8, 0]);
        }
        INVOKE_SPECIAL | NEW_INVOKE_SPECIAL => body.with_index(op::INVOKESPECIAL, target),
        _ => return None,
    }
    let made = text(descriptor::return_type(member.descriptor));
    let made = if kind == NEW_INVOKE_SPECIAL { &receiver } else { made };
    let wanted = text(descriptor::return_type(erased.as_bytes()));
    let seen = text(descriptor::return_type(instantiated.as_bytes()));
    if wanted == "V" {
        match descriptor::words(made.as_bytes()) {
            0 => {}
            1 => body.op(op::POP),
            _ => body.op(op::POP2),
        }
        body.op(op::RETURN);
    } else {
        body.convert(&mut file, made, wanted, seen);
        body.op(match wanted.as_bytes()[0] {
            b'J' => op::LRETURN,
            b'F' => op::FRETURN,
            b'D' => op::DRETURN,
            b'L' | b'[' => op::ARETURN,
            _ => op::IRETURN,
        });
    }

    let init = [0, file.utf8("<init>"), file.utf8(&format!("({})V", proxy.captured.concat()))];
    let method = [access::PUBLIC, file.utf8(proxy.method), file.utf8(erased)];
    let methods = [constructor.method(init, code_name), body.method(method, code_name)];

    let mut bytes = vec![0xca, 0xfe, 0xba, 0xbe, 0, 0, 0, 61];
    bytes.extend((file.count + 1).to_be_bytes());
    bytes.extend(&file.pool);
    let flags = access::FINAL | access::SYNTHETIC;
    let field_count = proxy.captured.len() as u16;
    let header = [flags, this, object, 1, interface, field_count];
    bytes.extend(header.into_iter().flat_map(u16::to_be_bytes));
    bytes.extend(fields);
    bytes.extend(2u16.to_be_bytes());
    bytes.extend(methods.concat());
    bytes.extend(0u16.to_be_bytes());
    Some(bytes)
}

fn internal(descriptor: &str) -> &str {
    descriptor.strip_prefix('L').and_then(|name| name.strip_suffix(';')).unwrap_or(descriptor)
}

/// A constant pool that grows.
#[derive(Default)]
struct Writer {
    pool: Vec<u8>,
    count: u16,
}

impl Writer {
    fn entry(&mut self, tag: u8, indices: &[u16]) -> u16 {
        self.pool.push(tag);
        self.pool.extend(indices.iter().flat_map(|index| index.to_be_bytes()));
        self.count += 1;
        self.count
    }

    fn utf8(&mut self, text: &str) -> u16 {
        let bytes = names::bytes(text);
        let entry = self.entry(tag::UTF8, &[bytes.len() as u16]);
        self.pool.extend(bytes);
        entry
    }

    fn class(&mut self, name: &str) -> u16 {
        let name = self.utf8(name);
        self.entry(tag::CLASS, &[name])
    }

    fn member(&mut self, tag: u8, owner: &str, name: &str, descriptor: &str) -> u16 {
        let owner = self.class(owner);
        let (name, descriptor) = (self.utf8(name), self.utf8(descriptor));
        let name_and_type = self.entry(tag::NAME_AND_TYPE, &[name, descriptor]);
        self.entry(tag, &[owner, name_and_type])
    }
}

/// Code without branches.
#[derive(Default)]
struct Assembler {
    code: Vec<u8>,
}

impl Assembler {
    fn op(&mut self, opcode: u8) {
        self.code.push(opcode);
    }

    fn with_index(&mut self, opcode: u8, index: u16) {
        self.op(opcode);
        self.code.extend(index.to_be_bytes());
    }

    fn load(&mut self, descriptor: &str, local: u16) {
        let opcode = match descriptor.as_bytes()[0] {
            b'J' => op::LLOAD,
            b'F' => op::FLOAD,
            b'D' => op::DLOAD,
            b'L' | b'[' => op::ALOAD,
            _ => op::ILOAD,
        };
        // The short forms, as every assembler chooses them.
        if local < 4 {
            self.op(op::ILOAD_0 + 4 * (opcode - op::ILOAD) + local as u8);
        } else {
            self.code.extend([opcode, local as u8]);
        }
    }

    /// Converts a value of type `from` to `to`; callers of the interface see
    /// it as `seen`.
    fn convert(&mut self, file: &mut Writer, from: &str, to: &str, seen: &str) {
        if from == to && from == seen {
            return;
        }
        let primitive = |descriptor: &str| {
            BOXES.iter().find(|(letter, ..)| *letter == descriptor.as_bytes()[0])
        };
        match (primitive(from), primitive(to)) {
            (Some(_), Some(_)) => self.widen(from.as_bytes()[0], to.as_bytes()[0]),
            (Some((letter, class, _)), None) => {
                let letter = char::from(*letter);
                let descriptor = format!("({letter})L{class};");
                let value_of = file.member(tag::METHODREF, class, "valueOf", &descriptor);
                self.with_index(op::INVOKESTATIC, value_of);
            }
            (None, Some((letter, class, unbox))) => {
                // The box that is seen may be narrower than what is wanted.
                let boxed = BOXES.iter().find(|(_, class, _)| internal(seen) == *class);
                let (from_letter, class, unbox) =
                    boxed.unwrap_or(&(*letter, class, unbox)).to_owned();
                if internal(from) != class {
                    self.with_index(op::CHECKCAST, file.class(class));
                }
                let descriptor = format!("(){}", char::from(from_letter));
                let method = file.member(tag::METHODREF, class, unbox, &descriptor);
                self.with_index(op::INVOKEVIRTUAL, method);
                self.widen(from_letter, *letter);
            }
            (None, None) => {
                let casts = [(from, seen), (seen, to)];
                for (have, want) in casts {
                    if have != want && want != "Ljava/lang/Object;" {
                        self.with_index(op::CHECKCAST, file.class(internal(want)));
                    }
                }
            }
        }
    }

    fn widen(&mut self, from: u8, to: u8) {
        let opcode = match (from, to) {
            (b'J', b'F') => op::L2F,
            (b'J', b'D') => op::L2D,
            (b'F', b'D') => op::F2D,
            (b'J' | b'F' | b'D', _) => return,
            (_, b'J') => op::I2L,
            (_, b'F') => op::I2F,
            (_, b'D') => op::I2D,
            _ => return,
        };
        self.op(opcode);
    }

    /// The `method_info`; depths are generous.
    fn method(self, header: [u16; 3], code_name: u16) -> Vec<u8> {
        let mut bytes: Vec<u8> = header.into_iter().flat_map(u16::to_be_bytes).collect();
        bytes.extend(1u16.to_be_bytes());
        bytes.extend(code_name.to_be_bytes());
        bytes.extend((12 + self.code.len() as u32).to_be_bytes());
        bytes.extend([0, 64, 0, 64]);
        bytes.extend((self.code.len() as u32).to_be_bytes());
        bytes.extend(self.code);
        bytes.extend([0, 0, 0, 0]);
        bytes
    }
}

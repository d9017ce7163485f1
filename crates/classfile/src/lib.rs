//! Reads and rewrites Java class files, from Java 1.1 to Java 25.
//!
//! ```
//! use subsume_classfile::{ClassEditor, ClassFile, CodeEdit, Fragment, LocalType, opcode};
//!
//! /// Counts the calls that each activation of each method makes, in a local
//! /// variable, and hands the number to `probe.Calls.count(int)` on return.
//! fn count_calls(bytes: &[u8]) -> Result<Vec<u8>, Box<dyn std::error::Error>> {
//!     let class = ClassFile::parse(bytes)?;
//!     let mut editor = ClassEditor::new(&class);
//!     let count = editor.pool().methodref(b"probe/Calls", b"count", b"(I)V")?;
//!     for (index, method) in class.methods().iter().enumerate() {
//!         let Some(code) = method.code()? else { continue };
//!         let mut edit = CodeEdit::new(&code);
//!         let calls = edit.new_local(LocalType::Int);
//!         edit.at_entry(Fragment::new().push_int(0, editor.pool())?.store_int(calls));
//!         for instruction in code.instructions() {
//!             if opcode::is_invoke(instruction.opcode) {
//!                 edit.before(instruction.bci, Fragment::new().iinc(calls, 1));
//!             } else if opcode::is_return(instruction.opcode) {
//!                 let report = Fragment::new().load_int(calls).invokestatic(count, 1, 0);
//!                 edit.before(instruction.bci, report);
//!             }
//!         }
//!         if let Err(refusal) = editor.edit_code(index, &edit) {
//!             eprintln!("{}: {refusal}", String::from_utf8_lossy(method.name()));
//!         }
//!     }
//!     Ok(editor.finish())
//! }
//! # // An interface without methods; the tests rewrite whole JDK images.
//! # let bytes = [
//! #     0xCA, 0xFE, 0xBA, 0xBE, 0, 0, 0, 52, 0, 5, 1, 0, 1, b'I', 7, 0, 1, 1, 0, 16, b'j', b'a',
//! #     b'v', b'a', b'/', b'l', b'a', b'n', b'g', b'/', b'O', b'b', b'j', b'e', b'c', b't', 7, 0,
//! #     3, 6, 0, 0, 2, 0, 4, 0, 0, 0, 0, 0, 0, 0, 0,
//! # ];
//! # let rewritten = count_calls(&bytes).unwrap();
//! # assert_eq!(ClassFile::parse(&rewritten).unwrap().this_class(), b"I");
//! ```
//!
//! # Reading
//!
//! [`ClassFile::parse`] finds the parts of a class and decodes nothing else.
//! [`Member::code`] checks the instructions of a method once, so that walking
//! them cannot fail; [`ControlFlow`] cuts them into basic blocks and knows
//! dominators and loops; [`Code::constructor_calls`] tells where a constructor
//! initialises its object; [`ssa`] tells which value each operand is. No input
//! makes this crate panic.
//!
//! # Editing
//!
//! [`CodeEdit`] collects what is to be inserted into a method, in terms of the
//! positions of the old code. [`ClassEditor::edit_code`] carries it out:
//! branches and switches lead where they led, widened where they must be, and
//! all tables move along. A method that cannot be edited, for example because
//! it would outgrow 65,535 bytes, is refused with a reason and stays as it
//! was; its class can still be edited and written.
//!
//! Three decisions shape the editor:
//!
//! - The constant pool is only appended to. So everything that is not edited,
//!   above all untouched methods, is copied as bytes.
//! - Stack map frames are moved, not computed, and declare the variables that
//!   an edit adds. No class hierarchy is needed, and code that a verifier
//!   accepted before is accepted after. Classes before version 50, and methods
//!   of version 50 that were verified without frames, get none.
//! - Attributes of code that this crate does not know are copied as they are:
//!   it cannot tell which of their bytes are positions. It knows
//!   `LineNumberTable`, `LocalVariableTable`, `LocalVariableTypeTable`,
//!   `StackMapTable` and `Runtime(In)VisibleTypeAnnotations`. `StackMap` of
//!   CLDC is refused.
//!
//! Text is modified UTF-8 and given as bytes, since constants may hold
//! unpaired surrogates. Positions in code are called `bci`, bytecode index.

#![warn(missing_debug_implementations)]
#![warn(clippy::missing_errors_doc)]

mod cfg;
mod edit;
mod read;
pub mod ssa;
pub use cfg::constructor::Initialisation;
pub use cfg::control_flow::{BasicBlock, BlockIndex, ControlFlow};
pub use cfg::dominators::Dominators;
pub use cfg::joint_handlers::JointHandlers;
pub use cfg::loops::{Loops, NaturalLoop};
pub use edit::class_editor::{ClassEditor, MovedCode, NewMethod, Scratch};
pub use edit::code_edit::{Catcher, CodeEdit, HandlerFrame};
pub use edit::fragment::{Fragment, Local, LocalType};
pub use edit::method_parameters::{MethodParameters, with_method_parameters};
pub use edit::pool_extension::PoolExtension;
pub use edit::refusal::Refusal;
pub use edit::relocation::Move;
pub use read::attribute::{Attribute, Attributes};
pub use read::class_file::ClassFile;
pub use read::code::{Code, ExceptionEntry, Instructions};
pub use read::code_hash::CodeHashes;
pub use read::constant_pool::{ConstantPool, MemberRef, NameAndType, tag};
pub use read::error::{Error, ErrorKind};
pub use read::instruction::{Instruction, Switch};
pub use read::line_table::LineTable;
pub use read::member::{Member, Members, MembersIter};
pub use read::{access, descriptor, opcode};

//! The instrumentation of the proofs. It asks more of the editor than the
//! profiler does: locals of every width, probes at all places at once, and a
//! plan that touches every instruction.

use crate::method_probes::MethodProbes;
use crate::probe_pool::{ProbeOwner, ProbePool, add_probe_methods};
use classfile::{ClassEditor, ClassFile, Error, Move, access, opcode};

/// Where probes go.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Plan {
    /// At entry, at every exit (returns and exceptions), around calls (behind
    /// them with a way around the probe), at handlers, and a count of executed
    /// bytecodes in every basic block.
    Probes,
    /// At entry and every exit, and a count before and after each single
    /// instruction. Hardly any method keeps its branches short.
    EveryInstruction,
}

/// A method that was left as it is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Refused {
    /// Position in the class's table of methods.
    pub index: usize,
    /// Name and descriptor, for people.
    pub method: String,
    /// Why it was left.
    pub reason: String,
}

/// A class after instrumentation.
#[derive(Debug)]
pub struct Instrumented {
    /// The new class file.
    pub bytes: Vec<u8>,
    /// How many methods have probes now.
    pub edited: usize,
    /// The methods with code that have none.
    pub refused: Vec<Refused>,
    /// Where the code of the others went.
    pub moved: Vec<MovedMethod>,
}

/// Where the code of a method went.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MovedMethod {
    /// Position in the class's table of methods.
    pub index: usize,
    /// Bytes of the old and of the new code.
    pub lengths: [u32; 2],
    /// What the editor says of its instructions.
    pub moves: Vec<Move>,
}

/// Numbers above 32,767 cannot be pushed by `sipush`: about half of the
/// probes then need a constant of their own, so that pools grow.
const FIRST_NUMBER: i32 = 32_700;

/// Instruments every method of a class that has code.
///
/// # Errors
/// If the bytes are no class file. Methods that cannot be edited are listed
/// in the result instead.
pub fn instrument(bytes: &[u8], plan: Plan, owner: ProbeOwner) -> Result<Instrumented, Error> {
    let class = ClassFile::parse(bytes)?;
    let mut editor = ClassEditor::new(&class);
    let mut edited = 0;
    let mut refused = Vec::new();
    let pool = ProbePool::add(&mut editor, owner);
    for (index, method) in class.methods().iter().enumerate() {
        let mut refuse = |reason: String| {
            let name = String::from_utf8_lossy(method.name());
            let method = format!("{name}{}", String::from_utf8_lossy(method.descriptor()));
            refused.push(Refused { index, method, reason });
        };
        let code = match method.code() {
            Ok(Some(code)) => code,
            Ok(None) => continue,
            Err(error) => {
                refuse(error.to_string());
                continue;
            }
        };
        // HotSpot treats a `finalize` that only returns as none at all; with
        // a probe in it every object would need finalisation.
        if method.name() == b"finalize" && code.bytecode() == [opcode::RETURN] {
            continue;
        }
        let outcome = pool.and_then(|pool| {
            let number = FIRST_NUMBER + index as i32;
            let edit = MethodProbes::new(&code, &mut editor, pool, number)?.place(plan)?;
            editor.edit_code(index, &edit)
        });
        match outcome {
            Ok(()) => edited += 1,
            Err(refusal) => refuse(refusal.to_string()),
        }
    }
    // A field must not disturb anything either. Interfaces allow only
    // constants, and the fields of some JDK classes are known to the JVM.
    if owner == ProbeOwner::Counting && class.access_flags() & access::INTERFACE == 0 {
        let flags = access::PRIVATE | access::STATIC | access::SYNTHETIC;
        if let Err(refusal) = editor.add_field(flags, b"probe$field", b"J") {
            let (method, reason) = ("the probe field".to_owned(), refusal.to_string());
            refused.push(Refused { index: class.methods().len(), method, reason });
        }
    }
    if owner == ProbeOwner::Object
        && class.this_class() == b"java/lang/Object"
        && let Err(refusal) = add_probe_methods(&mut editor)
    {
        let (method, reason) = ("the probe methods".to_owned(), refusal.to_string());
        refused.push(Refused { index: class.methods().len(), method, reason });
    }
    let moved = editor.moved_code().map(|code| MovedMethod {
        index: code.method,
        lengths: [code.old_length, code.length],
        moves: code.moves.to_vec(),
    });
    let moved = moved.collect();
    Ok(Instrumented { bytes: editor.finish(), edited, refused, moved })
}

//! Similar memory accesses in loops (Nistor et al. 2013, Toddler).
//!
//! No values are followed. Code tells of iterations, reads and writes ([`code`], by the
//! [`structure`] of a method's loops), and [`loops`](online::loops) judges what it tells.
//! [`roles`] says which loops search ([`searches`]) and what they are [`given`], from the
//! values in them ([`loop_values`]).
//! Whether a stream that ends early searches, the methods say that it asks ([`predicates`],
//! [`streams`]).
//! Reads within [`strings`] do not count. [`program`] knows the code by its numbers,
//! [`effects`] says what of it changes anything,
//! [`threads`] has the threads, [`reports`] writes down what was found, [`sizes`] how
//! loops grow, and [`tested`] says what was found in a test.

mod code;
mod effects;
mod given;
mod local_effects;
mod loop_values;
mod named_calls;
mod predicates;
pub mod probes;
mod program;
mod reports;
mod roles;
mod searches;
mod sizes;
mod streams;
mod strings;
mod structure;
mod tested;
pub mod threads;

use arena::Arena;
use classfile::{
    Code, CodeEdit, Fragment, HandlerFrame, LocalType, Member, PoolExtension, Refusal, access,
    opcode,
};
use profile::metadata::Record;

use super::capability::Capability;
use super::methods::follow::{Followed, Following, Obstacle};
use super::methods::leaving::Leaving;
use super::methods::upcalls;
use super::mode::{DataflowMode, DataflowOptions};
use super::objects::tags;
use super::tables::{Graph, Tables};
use crate::modified_utf8;
use crate::plan::{Body, MethodPlan, policy};
use crate::probe::members::Family;
use crate::probe::{Access, RuntimeClass};
use code::{Action, LoopCode, Numbers, Told};
use effects::Effects;
use live::thread_trees::ThreadTrees;
use program::{LoopOfMethod, Owner, Program, ReadOfMethod, StringRole};
use roles::Roles;
use structure::LoopStructure;
use threads::LoopTables;

/// `mode=loops` and `mode=growth`, which is the same and records how the cost of loops
/// grows with their input.
#[derive(Debug)]
pub struct LoopsMode {
    /// Whether it is the latter.
    pub has_growth: bool,
}

/// The runtime classes behind the probes.
const RUNTIME_CLASSES: &[RuntimeClass] = &[
    RuntimeClass::new("SubsumeTags"),
    RuntimeClass::new("SubsumeIdentities"),
    RuntimeClass::initialised_by(
        "SubsumeLoops",
        "canFollow",
        "java.lang.SubsumeLoops cannot be initialised",
    ),
];

impl DataflowMode for LoopsMode {
    fn name(&self) -> &'static str {
        if self.has_growth { "growth" } else { "loops" }
    }

    fn capabilities(&self) -> &'static [Capability] {
        &[
            Capability::RecordsCalls,
            Capability::KnowsCallers,
            Capability::InstrumentsAllClasses,
            Capability::JudgesLoops,
        ]
    }

    fn families(&self) -> &'static [Family] {
        &[probes::FAMILY]
    }

    fn runtime_classes(&self) -> &'static [&'static [RuntimeClass]] {
        &[tags::RUNTIME_CLASSES, RUNTIME_CLASSES]
    }

    fn thread_tables(&self) -> &'static [&'static str] {
        &["loops"]
    }

    fn tables(
        &self,
        _: &Arena,
        options: DataflowOptions,
        _: u32,
        memory: Option<u64>,
    ) -> Option<Tables> {
        Some(Box::new(LoopTables::new(memory, options.accesses, self.has_growth)))
    }

    /// Reads need the node.
    fn plan(&self, plan: &mut MethodPlan, code: &Code<'_>) -> bool {
        let reads = |instruction| Action::of(code, &instruction).is_some_and(Action::reads);
        if plan.body == Body::Leaf && tells_reads(code) && code.instructions().any(reads) {
            plan.body = Body::BranchingLeaf;
        }
        true
    }

    fn enter(
        &self,
        (code, body): (&Code<'_>, Body),
        access: Access,
        edit: &mut CodeEdit,
        pool: &mut PoolExtension,
    ) -> Result<Option<Leaving>, Refusal> {
        let structure = self.structure(code);
        let has_loops = !structure.loops.is_empty() || structure.has_method;
        let (at_entry, probe) = match (happens_once(&code.method()), has_loops) {
            // Without calls, nothing of what it does is told.
            (true, _) if body == Body::General => (&probes::SUSPEND, &probes::RESUME),
            (false, true) => (&probes::DEPTH, &probes::RETURNED),
            _ => return Ok(None),
        };
        let local = edit.new_local(LocalType::Int);
        let fragment = access.call(classfile::Fragment::new(), at_entry, pool)?;
        edit.at_entry(fragment.store_int(local));
        Ok(Some(Leaving { local: Some(local), probe, counts: None, tells_results: false }))
    }

    fn edit_linker(
        &self,
        code: &Code<'_>,
        edit: &mut CodeEdit,
        pool: &mut PoolExtension,
    ) -> Result<bool, Refusal> {
        if !happens_once(&code.method()) {
            return Ok(false);
        }
        let access = Access::Direct;
        let depth = edit.new_local(LocalType::Int);
        let suspend = access.call(Fragment::new(), &probes::SUSPEND, pool)?;
        edit.at_entry(suspend.store_int(depth));
        let resume = access.call(Fragment::new().load_int(depth), &probes::RESUME, pool)?;
        for instruction in code.instructions().filter(|i| opcode::is_return(i.opcode)) {
            edit.before(instruction.bci, &resume);
        }
        let rethrow = resume.simple(opcode::ATHROW);
        edit.catch_all(0..code.length(), HandlerFrame::NewLocalsOnly, rethrow);
        Ok(true)
    }

    fn follow(
        &self,
        followed: Followed<'_>,
        following: &Following<'_>,
        edit: &mut CodeEdit,
        pool: &mut PoolExtension,
    ) -> Result<(), Obstacle> {
        let Some(tables) = following.graph.tables::<LoopTables>() else { return Ok(()) };
        let mut program = tables.program.write();
        let structure = self.structure(followed.code);
        let has_loops = !structure.loops.is_empty();
        let effects =
            self.has_growth.then(|| Effects::new(followed.code, followed.plan, has_loops));
        insert(&followed, (&structure, effects.as_ref()), &mut program, edit, pool)
            .map_err(Obstacle::Refused)
    }

    fn thread_ended(&self, graph: &Graph, trees: &ThreadTrees, tree: u32) {
        if let Some(tables) = graph.tables::<LoopTables>() {
            tables.end(graph.arena(), trees, tree);
        }
    }

    fn settle(&self, graph: &Graph, trees: &ThreadTrees, is_end: bool, write: &dyn Fn(&Record)) {
        if let Some(tables) = graph.tables::<LoopTables>() {
            let judged = tables.judged(graph.arena(), trees, is_end);
            reports::write(&judged, &tables.program.read(), graph.arena(), trees, write);
        }
    }
}

/// Whether a method tells of its loops and of what it reads.
fn tells_reads(code: &Code<'_>) -> bool {
    let method = code.method();
    !strings::handles_whole_strings(method.class().this_class(), method.name())
}

fn string_role(method: &Member<'_>) -> StringRole {
    let (class, name) = (method.class().this_class(), method.name());
    if strings::handles_whole_strings(class, name) {
        StringRole::Handles
    } else if strings::copies_for_caller(class, name) {
        StringRole::Copies
    } else {
        StringRole::None
    }
}

impl LoopsMode {
    /// The loops of which a method tells.
    fn structure(&self, code: &Code<'_>) -> LoopStructure {
        match (tells_reads(code), self.has_growth) {
            (false, _) => LoopStructure::default(),
            (true, false) => LoopStructure::new(code),
            (true, true) => LoopStructure::new(code).with_recursion(code),
        }
    }
}

/// Whether a method does what happens once, wherever the program comes by first:
/// initialises a class, or loads one or links a call, for which the JVM calls it. None of
/// it is told, or what is found would depend on what the program did before.
fn happens_once(method: &Member<'_>) -> bool {
    match method.name() {
        b"<clinit>" => method.access_flags() & access::STATIC != 0,
        _ => upcalls::is_upcall(method.class().this_class(), method),
    }
}

/// Packages of what runs tests. Its loops are around all of a test suite, and are nothing
/// that the suite's developers can repair.
const TEST_FRAMEWORKS: [&[u8]; 6] = [
    b"org/junit/",
    b"junit/",
    b"org/testng/",
    b"org/apache/maven/surefire/",
    b"org/gradle/",
    b"worker/org/gradle/",
];

/// Whether a class has a name of the JDK's runtime: the boot loader does not load all of
/// its modules, such as that of file systems in archives. The tools' names count as any
/// application's.
fn has_name_of_jdk(class: &[u8]) -> bool {
    [&b"java/"[..], b"jdk/", b"sun/"].iter().any(|own| class.starts_with(own))
}

fn is_test_framework(class: &[u8]) -> bool {
    TEST_FRAMEWORKS.iter().any(|package| class.starts_with(package))
}

/// Whose a method is. Hidden classes of the JDK have the names of those that made them.
fn owner(followed: &Followed<'_>) -> Owner {
    let class = followed.code.method().class().this_class();
    let is_jdk = followed.access == Access::Direct || has_name_of_jdk(class);
    let makes_classes = || {
        followed.method.name() == b"loadClass"
            || class.starts_with(b"jdk/internal/org/objectweb/asm/")
            || class.starts_with(b"jdk/internal/classfile/")
    };
    let is_chosen = followed.is_chosen && (followed.is_included || !is_test_framework(class));
    match (is_jdk, is_chosen) {
        (true, _) if makes_classes() => Owner::MakesClasses,
        (true, _) => Owner::Jdk,
        (false, true) => Owner::Chosen,
        (false, false) => Owner::LeftOut,
    }
}

fn insert(
    followed: &Followed<'_>,
    (structure, effects): (&LoopStructure, Option<&Effects>),
    program: &mut Program,
    edit: &mut CodeEdit,
    pool: &mut PoolExtension,
) -> Result<(), Refusal> {
    let Followed { code, number: method, access, node, leaving, .. } = *followed;
    if happens_once(&followed.method) {
        program.add(method, owner(followed), &[], &[]);
        return Ok(());
    }
    program.set_string_role(method, string_role(&followed.method));
    program.irreducible += u64::from(structure.irreducible);
    let lines = code.line_table();
    let line = |bci: u32| lines.line_of(bci).unwrap_or(0);
    let owner = owner(followed);
    // What the JDK is given by the program, the program's own loops are.
    let tells_given = matches!(owner, Owner::Chosen | Owner::LeftOut);
    let role = if tells_given { predicates::answers(code) } else { predicates::of_stream(code) };
    program.set_stream_role(method, role);
    let roles = Roles::new(code, structure, tells_given);
    // Positions in code are below 2^16.
    let known = |bci: u32| LoopOfMethod {
        method,
        bci: bci as u16,
        line: line(bci),
        is_method: false,
        is_leaf: false,
        has_one_exit: false,
        searches: false,
    };
    let loops = structure.loops.iter().zip(&roles.loops).map(|(one, role)| LoopOfMethod {
        is_leaf: one.is_leaf,
        has_one_exit: one.has_one_exit,
        searches: role.searches,
        ..known(one.header)
    });
    let whole = structure.has_method.then(|| LoopOfMethod { is_method: true, ..known(0) });
    let loops: Vec<LoopOfMethod> = loops.chain(whole).collect();
    let mut reads = Vec::new();
    let tells = tells_reads(code);
    for instruction in code.instructions().filter(|_| tells) {
        let Some(action) = Action::of(code, &instruction).filter(|action| action.reads()) else {
            continue;
        };
        let name = program.name_number(&what(code, &instruction, action));
        let bci = instruction.bci;
        reads.push(ReadOfMethod { method, bci: bci as u16, line: line(bci), name });
    }
    let numbers = program.add(method, owner, &loops, &reads);
    let (first_loop, first_read) = numbers.ok_or(Refusal::TableTooLong)?;
    let numbers = Numbers { first_loop, first_read: tells.then_some(first_read) };
    let base = leaving.and_then(|leaving| leaving.local);
    let told = Told { structure, roles: &roles, effects };
    let mut probes = LoopCode { code, told, numbers, node, base, access, edit, pool };
    probes.insert(|name, descriptor| program.field(name, descriptor))
}

/// What an instruction reads, in words.
fn what(code: &Code<'_>, instruction: &classfile::Instruction<'_>, action: Action) -> String {
    let named = || {
        let index = instruction.pool_index()?;
        code.constant_pool().member_ref(index).ok()
    };
    let element = |of: &str| format!("elements of {of}[]");
    match (action, instruction.opcode) {
        (Action::ReadField, _) => named().map_or_else(String::new, |named| {
            let class = policy::display_name(named.owner);
            format!("{class}.{}", modified_utf8::decode(named.name))
        }),
        (Action::CopyArray, _) => "elements that System.arraycopy copies".to_owned(),
        (Action::CloneArray, _) => "elements of an array that is cloned".to_owned(),
        (_, opcode::IALOAD) => element("int"),
        (_, opcode::LALOAD) => element("long"),
        (_, opcode::FALOAD) => element("float"),
        (_, opcode::DALOAD) => element("double"),
        (_, opcode::BALOAD) => "elements of byte[] or boolean[]".to_owned(),
        (_, opcode::CALOAD) => element("char"),
        (_, opcode::SALOAD) => element("short"),
        _ => element("Object"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_jdk_and_test_frameworks_are_no_application() {
        assert!(has_name_of_jdk(b"jdk/nio/zipfs/ZipFileSystem"));
        assert!(!has_name_of_jdk(b"com/sun/tools/javac/comp/Attr"));
        assert!(is_test_framework(b"org/junit/jupiter/engine/JupiterTestEngine"));
        assert!(is_test_framework(b"junit/framework/TestSuite"));
        assert!(!is_test_framework(b"org/junitpioneer/Vintage"));
        assert!(!is_test_framework(b"org/apache/maven/model/Model"));
    }
}

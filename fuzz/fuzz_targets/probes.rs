//! The agent's own rewriting of any class file: it never panics, what it makes
//! is a class file with the same methods, and a method that it refuses keeps
//! its code.

#![no_main]

use classfile::{ClassEditor, ClassFile, CodeEdit, ControlFlow, Refusal};
use instrument::catalogue::Target;
use instrument::plan::{CutRules, MOST_CUTS, MethodPlan};
use instrument::probe::Access;
use instrument::rewrite::dangling::has_dangling_names;
use instrument::rewrite::probes::{Context, insert};
use libfuzzer_sys::{fuzz_mutator, fuzz_target, fuzzer_mutate};
use verifier::mutation::mutate_in_place;

fuzz_target!(|bytes: &[u8]| {
    let Ok(class) = ClassFile::parse(bytes) else { return };
    if has_dangling_names(&class) {
        return;
    }
    for (access, overflow_node) in [(Access::Direct, None), (Access::ThroughObject, Some(7))] {
        let (activation, leaving) = (None, None);
        rewrite(
            &class,
            Context {
                access,
                overflow_node,
                activation,
                leaving,
                text: None,
                kept_text: None,
                has_calls: true,
            },
        );
    }
});

fn rewrite(class: &ClassFile<'_>, context: Context) {
    let mut editor = ClassEditor::new(class);
    let mut refused = Vec::new();
    for (index, method) in class.methods().iter().enumerate() {
        let Ok(Some(code)) = method.code() else { continue };
        let rules = CutRules { most: MOST_CUTS, of_last_nodes: true };
        let plan = MethodPlan::new(index, &method, &code, &target, rules);
        let mut edit = CodeEdit::new(&code);
        let number = index as u32 + 1;
        let edited: Result<(), Refusal> =
            insert(context, &plan, &code, number, &mut edit, editor.pool())
                .and_then(|_| editor.edit_code(index, &edit));
        if edited.is_err() {
            refused.push(index);
        }
    }
    let rewritten = editor.finish();
    let again = ClassFile::parse(&rewritten).expect("a rewritten class is a class");
    for (index, (old, new)) in class.methods().iter().zip(again.methods().iter()).enumerate() {
        assert_eq!(old.name(), new.name(), "a method keeps its name");
        assert_eq!(old.descriptor(), new.descriptor());
        let Ok(Some(code)) = old.code() else { continue };
        let new_code = new.code().expect("code stays readable").expect("code stays");
        assert!(!ControlFlow::new(&new_code).blocks().is_empty(), "code stays");
        if refused.contains(&index) {
            assert_eq!(code.bytecode(), new_code.bytecode(), "a refused method keeps its code");
        }
    }
}

/// Every kind of answer that the agent's catalogue can give.
fn target(owner: &[u8], name: &[u8], descriptor: &[u8]) -> Option<Target> {
    let bytes = owner.iter().chain(name).chain(descriptor);
    let kind = bytes.fold(0u8, |sum, &byte| sum.wrapping_add(byte));
    (kind % 4 != 0).then_some(Target {
        method: 5,
        never_calls_back: kind % 4 == 1,
        bound_when_virtual: kind.is_multiple_of(2),
    })
}

fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| {
    if seed.is_multiple_of(2) {
        fuzzer_mutate(data, size, max_size)
    } else {
        mutate_in_place(data, size, max_size, seed)
    }
});

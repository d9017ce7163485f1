//! Methods that get no probes, as others call them: they are counted where
//! they are called.

use classfile::{ClassFile, Member, access};
use profile::metadata::ClassRecord;

use super::class_load::{Subject, source_file, superclass};
use super::rewriter::Rewriter;
use crate::catalogue::{Target, TargetsOfClass};
use crate::plan::MethodPlan;
use crate::plan::policy::{self, MethodPolicy};

impl Rewriter<'_> {
    /// Numbers the methods without probes of a class, so that callers can
    /// count them: all callers those of the boot loader's classes, whose names
    /// are unique, and a class its own.
    pub(super) fn number_targets(&self, subject: &Subject<'_>) -> TargetsOfClass {
        let found: Vec<(usize, Member<'_>, u32)> = subject
            .class
            .methods()
            .iter()
            .enumerate()
            .filter_map(|(index, method)| {
                bytecodes_without_probes(&subject.name, &method)
                    .map(|bytecodes| (index, method, bytecodes))
            })
            .collect();
        if found.is_empty() {
            return TargetsOfClass::default();
        }
        let record = ClassRecord {
            name: policy::display_name(subject.class.this_class()),
            source_file: source_file(subject.class),
            superclass: superclass(subject.class),
            methods: found
                .iter()
                .map(|&(index, method, bytecodes)| {
                    MethodPlan::without_probes(index, bytecodes).record(&method)
                })
                .collect(),
            ..Default::default()
        };
        let methods = found.iter().map(|(_, method, _)| method);
        let (first, _) = self.number(subject, methods, record);
        (first..)
            .zip(&found)
            .map(|(number, (_, method, _))| {
                (*method, target(&subject.name, subject.class, method, number))
            })
            .collect()
    }

    /// A class that was rewritten before this one was loaded could not know
    /// which of its methods are native.
    pub(super) fn mention_late_natives(&self, subject: &Subject<'_>) {
        let is_called_from_outside = |method: &Member<'_>| {
            method.access_flags() & access::NATIVE != 0
                && method.access_flags() & access::PRIVATE == 0
                && (method.is_static() || is_bound_when_virtual(subject.class, method))
        };
        for method in subject.class.methods().iter().filter(is_called_from_outside) {
            let reason = "native: not counted where classes loaded before this one call it";
            self.skip_method(subject, &method, reason);
        }
    }

    /// Calls of natives are counted by callers that know for sure what they call.
    pub(super) fn mention_uncounted_native(&self, subject: &Subject<'_>, method: &Member<'_>) {
        if method.access_flags() & access::NATIVE == 0 {
            return;
        }
        let is_bound = method.is_static() || is_bound_when_virtual(subject.class, method);
        let reason = match (is_bound, subject.boot) {
            (true, true) => return,
            (true, false) => "native: only calls from its own class are counted",
            (false, _) => "native, called by virtual dispatch: not counted",
        };
        self.skip_method(subject, method, reason);
    }
}

/// For a method that gets no probes though it is called: how many bytecodes a
/// call executes (0 where machine code runs in their place).
fn bytecodes_without_probes(class: &str, method: &Member<'_>) -> Option<u32> {
    if method.access_flags() & access::NATIVE != 0 {
        return Some(0);
    }
    let is_unsafe = class == "jdk/internal/misc/Unsafe";
    // Spares looking at the code of nearly all methods.
    if !is_unsafe && class != "java/lang/Object" && !method.has_annotation(policy::INTRINSIC) {
        return None;
    }
    let code = method.code().ok()??;
    match policy::method_policy(class, method, code.bytecode()) {
        MethodPolicy::Opaque => Some(0),
        // Object's constructor is a single `return`.
        MethodPolicy::Derived => Some(code.instructions().count() as u32),
        _ if is_unsafe => Some(0),
        _ => None,
    }
}

fn target(class_name: &str, class: &ClassFile<'_>, method: &Member<'_>, number: u32) -> Target {
    let is_object_constructor = class_name == "java/lang/Object" && method.name() == b"<init>";
    Target {
        method: number,
        never_calls_back: is_object_constructor
            || policy::never_calls_back(class_name, method.name()),
        bound_when_virtual: is_bound_when_virtual(class, method),
    }
}

fn is_bound_when_virtual(class: &ClassFile<'_>, method: &Member<'_>) -> bool {
    class.access_flags() & access::FINAL != 0
        || method.access_flags() & (access::FINAL | access::PRIVATE) != 0
}

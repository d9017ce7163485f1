//! Writes the counts down.
//!
//! Lines of fields between tabs:
//!
//! - `thread`, name of the thread, how often its stack had to be read again;
//! - `node`, depth below the thread, calls, bytecodes, `native` or `java`,
//!   class with dots, method, descriptor: in preorder;
//! - `missed`, class, method, descriptor, how often it returned without having
//!   been seen at a return instruction;
//! - `step`, executions, the JVM's number of the method, bytecode index, source line or 0, class, method,
//!   descriptor: of
//!   each instruction of the programs' own classes;
//! - `end`, so that a dump that was cut short is noticed.

use std::fmt::Write;

use crate::contexts::NodeId;
use crate::methods::Method;
use crate::watch::ThreadWatch;

/// Appends one thread's tree. Classes of the programs have names that begin with one of
/// `programs`.
pub fn thread(watch: &ThreadWatch, programs: &[String], out: &mut String) {
    line(out, format_args!("thread\t{}\t{}", watch.name, watch.resyncs));
    let mut pending: Vec<(NodeId, usize)> =
        watch.contexts.roots.iter().rev().map(|&root| (root, 0)).collect();
    while let Some((id, depth)) = pending.pop() {
        let node = watch.contexts.node(id);
        let kind = if node.method.is_native { "native" } else { "java" };
        line(
            out,
            format_args!(
                "node\t{depth}\t{}\t{}\t{kind}\t{}",
                node.calls,
                node.bytecodes,
                name(node.method)
            ),
        );
        pending.extend(node.callees.iter().rev().map(|&callee| (callee, depth + 1)));
    }
    for (method, times) in watch.missed.values() {
        line(out, format_args!("missed\t{}\t{times}", name(method)));
    }
    for (&(id, bci), &(method, times)) in &watch.steps {
        if programs.iter().any(|program| method.class.starts_with(program)) {
            let at = method.line_of(bci);
            line(out, format_args!("step\t{times}\t{id}\t{bci}\t{at}\t{}", name(method)));
        }
    }
}

/// Appends the last line.
pub fn end(out: &mut String) {
    line(out, format_args!("end"));
}

fn name(method: &Method) -> String {
    format!("{}\t{}\t{}", method.class, method.name, method.descriptor)
}

fn line(out: &mut String, text: std::fmt::Arguments<'_>) {
    // Writing to a string cannot fail.
    let _ = writeln!(out, "{text}");
}

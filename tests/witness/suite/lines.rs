//! Executions and bytecodes of source lines against the instructions that were witnessed.

use std::collections::{BTreeMap, BTreeSet};

use profile::blocks::LineCount;
use witness::{Dump, Method, Step};

use crate::agreement::is_own;
use crate::features::{Feature, Scope, TOGETHER};

/// What each line of each method did.
type Lines = BTreeMap<(Method, u16), LineCount>;

/// Compares the lines of the program's own methods, of all threads together.
///
/// # Errors
/// The first line that differs.
pub fn compare(feature: &Feature, profile: &profile::Profile, dump: &Dump) -> Result<(), String> {
    // What was active at the exit has executed less of its blocks than was counted.
    if !matches!(feature.scope, Scope::BelowMain) {
        return Ok(());
    }
    let mut witnessed = witnessed(dump);
    let mut recorded = recorded(profile);
    let missed: BTreeSet<&Method> =
        dump.threads.iter().flat_map(|thread| &thread.missed).map(|(method, _)| method).collect();
    let early = before_main(feature, profile);
    let is_compared = |(method, _): &(Method, u16)| {
        is_own(feature, method) && !early.contains(method) && !missed.contains(method)
    };
    recorded.retain(|line, _| is_compared(line));
    witnessed.retain(|line, _| is_compared(line));
    if witnessed.is_empty() {
        return Err("the witness saw no line".to_owned());
    }
    let all: BTreeSet<&(Method, u16)> = recorded.keys().chain(witnessed.keys()).collect();
    for line in all {
        let (one, other) = (recorded.get(line), witnessed.get(line));
        if one != other {
            let (method, line) = line;
            return Err(format!("line {line} of {method}: {one:?} instead of {other:?}"));
        }
    }
    Ok(())
}

/// Instructions of several threads are the same instructions.
fn witnessed(dump: &Dump) -> Lines {
    let mut instructions: BTreeMap<(u64, u32), (&Step, u64)> = BTreeMap::new();
    for step in dump.threads.iter().flat_map(|thread| &thread.steps) {
        instructions.entry((step.id, step.bci)).or_insert((step, 0)).1 += step.times;
    }
    let mut by_method: BTreeMap<(u64, u16), (&Step, LineCount)> = BTreeMap::new();
    for ((id, _), (step, times)) in instructions {
        let (_, line) = by_method.entry((id, step.line)).or_insert((step, LineCount::default()));
        line.bytecodes += times;
        line.executions = line.executions.max(times);
    }
    let mut lines = Lines::new();
    for ((_, line), (step, count)) in by_method {
        let sum = lines.entry((step.method.clone(), line)).or_default();
        sum.bytecodes += count.bytecodes;
        sum.executions += count.executions;
    }
    lines
}

/// Methods that the initialiser of the class with `main` calls, before the witness begins.
fn before_main(feature: &Feature, profile: &profile::Profile) -> BTreeSet<Method> {
    let nodes = &profile.nodes;
    let mut is_below_main = vec![false; nodes.len()];
    let mut early = BTreeSet::new();
    let main = profile.threads.iter().filter(|thread| thread.name == "main");
    for node in main.flat_map(|thread| thread.nodes.clone()).map(|node| node as usize) {
        let method = name_of(profile, nodes.method[node] as usize);
        let is_main = [feature.name, TOGETHER].contains(&&*method.class) && method.name == "main";
        let parent = nodes.parent[node];
        is_below_main[node] =
            is_main || parent != profile::NO_PARENT && is_below_main[parent as usize];
        if !is_below_main[node] {
            early.insert(method);
        }
    }
    early
}

fn name_of(profile: &profile::Profile, method: usize) -> Method {
    let method = &profile.methods[method];
    let class = &profile.classes[method.class.0 as usize].name;
    Method::new(class, &method.name, &method.descriptor)
}

fn recorded(profile: &profile::Profile) -> Lines {
    let mut calls = vec![0u64; profile.methods.len()];
    let metric = profile.nodes.metric("calls").expect("recordings have calls");
    for (&method, value) in profile.nodes.method.iter().zip(&metric.values) {
        calls[method as usize] += value;
    }
    let mut lines = Lines::new();
    for blocks in &profile.blocks {
        let name = name_of(profile, blocks.method.0 as usize);
        for (line, count) in blocks.lines(calls[blocks.method.0 as usize]) {
            if count.executions > 0 {
                // Hidden classes of the same name are one.
                let sum = lines.entry((name.clone(), line)).or_default();
                sum.bytecodes += count.bytecodes;
                sum.executions += count.executions;
            }
        }
    }
    lines
}

//! What the agent records is what the rules say, node by node and edge by edge.

use std::collections::{BTreeMap, BTreeSet};
use std::panic::{RefUnwindSafe, catch_unwind};

use classfile::opcode as op;
use interpreter::{Interpreted, NamedGraph, Names, Recorded};
use profile::{MethodId, Profile};
use support::{Jdk, each, jdks, number};

use crate::batch;
use crate::generator::LEFT_OUT;
use crate::recording::{
    Kinds, initialised, kinds, method_name, numbering, record, reflected, unfollowed,
};
use crate::rig::{copies, costs, nulls};

/// Lines of a difference that are shown, if `SUBSUME_RULES_SHOWN` names no other number;
/// the rest is counted.
fn shown() -> usize {
    number("SUBSUME_RULES_SHOWN", 12) as usize
}

#[test]
fn copies_without_contexts() {
    every_program(|program, jdk| agree_on_copies(program, jdk, 0));
}

#[test]
fn copies_by_receiver() {
    every_program(|program, jdk| agree_on_copies(program, jdk, 4));
}

/// On one JDK each, the JDKs in turn; what `SUBSUME_RULES` names, or `all`, on
/// every one.
#[test]
fn costs_by_chain() {
    let everywhere = std::env::var_os("SUBSUME_RULES").is_some();
    let batches = batch::written();
    every_program(|program, jdk| {
        let number = batches.iter().position(|known| known.name == program).unwrap_or_default();
        if everywhere || jdks()[number % jdks().len()].release == jdk.release {
            agree_on_costs(program, jdk, 16)
        } else {
            Ok(0)
        }
    });
}

#[test]
fn nulls_by_their_ways() {
    every_program(agree_on_nulls);
}

/// On one JDK each, the JDKs in turn; on every one if `SUBSUME_RULES_RANDOM` says
/// how many.
#[test]
fn random_programs() {
    let everywhere = std::env::var_os("SUBSUME_RULES_RANDOM").is_some();
    let batches = batch::random();
    let cases = (0..).zip(&batches).flat_map(|(number, batch)| {
        let on = move |at: usize| everywhere || number % jdks().len() == at;
        (0..).zip(jdks()).filter(move |(at, _)| on(*at)).map(move |(_, jdk)| (batch, jdk))
    });
    let cases: Vec<_> = cases.collect();
    let failures = each(&cases, |(batch, jdk)| {
        let program = &batch.name;
        let copied = ended(|| agree_on_copies(program, jdk, 4));
        // A value counts as consumed where it is certain that it will be, unless an
        // exception comes in between.
        let is_early =
            |line: &String| line.starts_with("consumed ") && line.ends_with("1 recorded");
        let lines = copied.err().into_iter().flatten().filter(|line| !is_early(line));
        let costs = ended(|| agree_on_costs(program, jdk, 16));
        let nulls = ended(|| agree_on_nulls(program, jdk));
        let others = [costs, nulls].into_iter().filter_map(Result::err).flatten();
        let lines: Vec<String> = lines.chain(others).collect();
        let title = format!("{program}, JDK {}: {} differ", jdk.release, lines.len());
        let shown: Vec<String> = lines.into_iter().take(shown()).collect();
        if shown.is_empty() { Vec::new() } else { [vec![title], shown].concat() }
    })
    .concat();
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

/// What a comparison says, also if the machine does not come to an end: the other
/// programs are compared all the same.
fn ended(
    compare: impl Fn() -> Result<usize, Vec<String>> + RefUnwindSafe,
) -> Result<usize, Vec<String>> {
    catch_unwind(&compare).unwrap_or_else(|panic| {
        let why = panic.downcast_ref::<String>().cloned();
        Err(vec![format!("the machine panics: {}", why.unwrap_or_default())])
    })
}

fn every_program(check: impl Fn(&str, &Jdk) -> Result<usize, Vec<String>> + Sync) {
    let batches = batch::written();
    let cases: Vec<(&Jdk, &String)> =
        jdks().iter().flat_map(|jdk| batches.iter().map(move |batch| (jdk, &batch.name))).collect();
    let failures = each(&cases, |&(jdk, program)| match check(program, jdk) {
        Ok(entries) => {
            eprintln!("{program}, JDK {}: {entries} alike", jdk.release);
            Vec::new()
        }
        Err(lines) => {
            let title = format!("{program}, JDK {}: {} differ", jdk.release, lines.len());
            std::iter::once(title).chain(lines.into_iter().take(shown())).collect()
        }
    })
    .concat();
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

/// How many nodes and edges are alike, or what is not.
fn agree_on_copies(program: &str, jdk: &Jdk, slots: u32) -> Result<usize, Vec<String>> {
    let say = |why: String| vec![why];
    let options = format!("mode=copies,slots={slots},exclude={LEFT_OUT}");
    let (profile, printed) = record(program, jdk, &options).map_err(say)?;
    let recorded = profile.dataflow.copies.as_ref();
    let recorded = recorded.ok_or_else(|| say("there is no copy graph".to_owned()))?;
    let recorded_name = |method: MethodId| method_name(&profile, method);

    let nothing = BTreeSet::new();
    let names = Names { method: &recorded_name, own: &nothing };
    let numbering = numbering(&recorded.objects, &names).map_err(say)?;
    let recording = Recorded {
        numbering,
        initialised: initialised(&profile),
        unfollowed: unfollowed(&profile, LEFT_OUT),
        ..Recorded::default()
    };
    let copied = copies(program, jdk, slots, recording);
    let by_rules = &copied.run;

    let own = &by_rules.own;
    let rules_name = |method: MethodId| by_rules.methods[method.0 as usize].clone();
    let mine = NamedGraph::of_copies(&by_rules.graph, &Names { method: &rules_name, own });
    let theirs = NamedGraph::of_copies(recorded, &Names { method: &recorded_name, own });
    let mut lines = mine.differences(&theirs);
    lines.extend(difference(&by_rules.printed, &printed));
    lines.extend(unknown_threads(&by_rules.threads, &profile));
    let executed = executed(by_rules, &copied.by_method);
    let counted = kinds(&profile, own);
    let methods: BTreeSet<_> = executed.keys().chain(counted.keys()).collect();
    for method in methods {
        let [mine, theirs] =
            [&executed, &counted].map(|side| side.get(method).copied().unwrap_or_default());
        if mine != theirs {
            lines.push(format!("kinds of {method}: {mine:?} by the rules, {theirs:?} recorded"));
        }
    }
    if lines.is_empty() { Ok(mine.len() + executed.len()) } else { Err(lines) }
}

/// The same of cost graphs.
fn agree_on_costs(program: &str, jdk: &Jdk, slots: u32) -> Result<usize, Vec<String>> {
    let say = |why: String| vec![why];
    let options = format!("mode=costs,slots={slots},exclude={LEFT_OUT}");
    let (profile, printed) = record(program, jdk, &options).map_err(say)?;
    let recorded = profile.dataflow.costs.as_ref();
    let recorded = recorded.ok_or_else(|| say("there is no cost graph".to_owned()))?;
    let recorded_name = |method: MethodId| method_name(&profile, method);
    let nothing = BTreeSet::new();
    let names = Names { method: &recorded_name, own: &nothing };
    let recording = Recorded {
        initialised: initialised(&profile),
        reflected: reflected(&recorded.objects, &names),
        unfollowed: unfollowed(&profile, LEFT_OUT),
        ..Recorded::default()
    };
    let by_rules = costs(program, jdk, slots, recording);
    let own = &by_rules.own;
    let rules_name = |method: MethodId| by_rules.methods[method.0 as usize].clone();
    let mine = NamedGraph::of_costs(&by_rules.graph, &Names { method: &rules_name, own });
    let theirs = NamedGraph::of_costs(recorded, &Names { method: &recorded_name, own });
    let mut lines = mine.differences(&theirs);
    lines.extend(difference(&by_rules.printed, &printed));
    if lines.is_empty() { Ok(mine.len()) } else { Err(lines) }
}

/// The same of the ways of nulls.
fn agree_on_nulls(program: &str, jdk: &Jdk) -> Result<usize, Vec<String>> {
    let say = |why: String| vec![why];
    let options = format!("mode=calls+nulls,exclude={LEFT_OUT}");
    let (profile, printed) = record(program, jdk, &options).map_err(say)?;
    let recorded = profile.dataflow.nulls.as_ref();
    let recorded = recorded.ok_or_else(|| say("there are no nulls".to_owned()))?;
    let recorded_name = |method: MethodId| method_name(&profile, method);
    let recording = Recorded {
        initialised: initialised(&profile),
        unfollowed: unfollowed(&profile, LEFT_OUT),
        ..Recorded::default()
    };
    let by_rules = nulls(program, jdk, recording);
    let own = &by_rules.own;
    let rules_name = |method: MethodId| by_rules.methods[method.0 as usize].clone();
    let mine = NamedGraph::of_nulls(&by_rules.graph, &Names { method: &rules_name, own });
    let theirs = NamedGraph::of_nulls(recorded, &Names { method: &recorded_name, own });
    let mut lines = mine.differences(&theirs);
    lines.extend(difference(&by_rules.printed, &printed));
    if lines.is_empty() { Ok(mine.len()) } else { Err(lines) }
}

/// How what the machine and the JVM printed differ.
fn difference(mine: &str, theirs: &str) -> Option<String> {
    (mine != theirs).then(|| format!("printed {mine:?} by the machine, {theirs:?} by the JVM"))
}

/// Threads that the recording has not. Trees have names without numbers.
fn unknown_threads(started: &BTreeSet<String>, profile: &Profile) -> Vec<String> {
    let recorded: BTreeSet<&str> = profile.threads.iter().map(|tree| &*tree.name).collect();
    let named = started.iter().filter(|name| !name.contains(|c: char| c.is_ascii_digit()));
    let unknown = named.filter(|name| !recorded.contains(&***name));
    unknown.map(|name| format!("no thread {name:?} recorded")).collect()
}

/// What each method of the program's own classes executed, by kind.
fn executed<G>(run: &Interpreted<G>, copied: &BTreeMap<MethodId, u64>) -> BTreeMap<String, Kinds> {
    let mut found: BTreeMap<String, Kinds> = BTreeMap::new();
    let lanes = run
        .executed
        .iter()
        .filter_map(|(&(method, opcode), &count)| lane(opcode).map(|lane| (method, lane, count)));
    let copies = copied.iter().map(|(&method, &count)| (method, 4, count));
    for (method, lane, count) in lanes.chain(copies) {
        let name = &run.methods[method.0 as usize];
        let class = name.split('(').next().and_then(|name| name.rsplit_once('.'));
        let is_own = class.is_some_and(|(class, _)| run.own.contains(class));
        if is_own && !run.unfollowed.contains(name) {
            found.entry(name.clone()).or_default()[lane] += count;
        }
    }
    found
}

/// The place of an opcode's kind among [`Kinds`].
fn lane(opcode: u8) -> Option<usize> {
    match opcode {
        op::IALOAD..=op::SALOAD | op::GETFIELD | op::GETSTATIC | op::ARRAYLENGTH => Some(0),
        op::IASTORE..=op::SASTORE | op::PUTFIELD | op::PUTSTATIC => Some(1),
        op::IADD..=op::I2S => Some(2),
        op::LCMP..=op::IF_ACMPNE
        | op::IFNULL
        | op::IFNONNULL
        | op::TABLESWITCH
        | op::LOOKUPSWITCH
        | op::INSTANCEOF => Some(3),
        _ => None,
    }
}

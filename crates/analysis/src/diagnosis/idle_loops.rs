//! Evidence of a recording of growth: loops that go on without effect, such as searches from
//! the first element on.

use profile::MethodId;
use profile::dataflow::LoopGrowth;

use super::evidence::{Evidence, Recording, Sure};
use super::kind::Kind;
use super::program::Program;
use crate::dataflow::growth::Growth;
use crate::dataflow::growth::idle::{Idle, iterations};

/// What a recording of growth says of loops without effect, but for the JDK's own.
pub fn evidence(program: &Program<'_>, growth: &Growth) -> Vec<Evidence> {
    growth.loops.iter().filter_map(|one| of_loop(program, growth, one)).collect()
}

fn of_loop(program: &Program<'_>, growth: &Growth, one: &LoopGrowth) -> Option<Evidence> {
    let verdict = Idle::of(&one.effects)?;
    let MethodId(at) = one.place.method?;
    let method = program.number(growth.methods.get(at as usize)?)?;
    if program.is_platform[method as usize] {
        return None;
    }
    let (idle, all) = (iterations(&one.effects), one.effects.iterations);
    let region = program.region(method);
    // Of a method's loops, this one has a part of what is read.
    let reads = reads(one) as f64 / greatest_reads(growth, one).max(1) as f64;
    let part = reads * idle as f64 / all.max(1) as f64;
    let saving = (program.cost(&region) as f64 * part.min(1.0)) as u64;
    let [_, hint] = verdict.explanation();
    Some(Evidence {
        kind: Kind::IdleLoop,
        recording: Recording::Growth,
        method,
        line: one.place.line,
        node: program.costliest(program.contexts(method)),
        sentence: verdict.sentence(&one.effects),
        hint: Some(hint),
        region,
        saving,
        likely: saving / 2,
        moved: 0,
        sure: Sure::Bound,
        command: vec!["growth".to_owned()],
    })
}

/// Values that a loop has read, with all that is called in it.
fn reads(one: &LoopGrowth) -> u64 {
    one.points.iter().map(|point| point.sum).sum()
}

/// Those of the loop of the same method that has read most.
fn greatest_reads(growth: &Growth, one: &LoopGrowth) -> u64 {
    let same = growth.loops.iter().filter(|other| other.place.method == one.place.method);
    same.map(reads).max().unwrap_or_default()
}

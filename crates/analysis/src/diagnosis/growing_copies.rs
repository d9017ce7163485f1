//! Evidence of a recording of calls: texts and arrays that grow by copying themselves.

use base::number::{counted, grouped};

use super::copying::{Copied, GrowingCopy};
use super::evidence::{Evidence, Recording, Sure};
use super::kind::Kind;
use super::program::{MANY_MOVED, Program};
use super::region::Region;

/// What a recording of calls says of such copies.
pub fn evidence(program: &Program<'_>) -> Vec<Evidence> {
    let least = MANY_MOVED * program.tree.total() as f64;
    let many = program.growing.iter().filter(|one| one.moved as f64 >= least);
    many.filter_map(|one| of_copy(program, one)).collect()
}

fn of_copy(program: &Program<'_>, one: &GrowingCopy) -> Option<Evidence> {
    let method = program.number(&one.method)?;
    let callees: Vec<u32> =
        one.callees.iter().filter_map(|callee| program.number(callee)).collect();
    let mut ranges = Vec::new();
    for node in program.all_contexts(method) {
        if callees.is_empty() {
            ranges.push(node..node + 1);
        }
        let called = program.callees(node);
        let called = called.filter(|&node| callees.contains(&program.tree.method[node as usize]));
        ranges.extend(called.map(|node| program.subtree(node)));
    }
    let region = Region::new(ranges);
    let saving = program.cost(&region);
    if saving == 0 {
        return None;
    }
    let hint = match one.copied {
        Copied::Text => {
            "append to one StringBuilder that outlives the loop, and make the text once, at the end"
        }
        Copied::Array => {
            "collect the elements in a list, or enlarge the array by a factor, so that few copies \
             are made"
        }
    };
    Some(Evidence {
        kind: Kind::GrowingCopy,
        recording: Recording::Calls,
        method,
        line: one.line,
        node: program.costliest(program.contexts(method)),
        sentence: sentence(one),
        hint: Some(hint),
        region,
        saving,
        likely: saving / 2,
        moved: one.moved,
        sure: Sure::Estimate,
        command: ["summary", "--metric", "moved"].map(str::to_owned).into(),
    })
}

fn sentence(one: &GrowingCopy) -> String {
    let steps = grouped(one.steps);
    let each = |sum: u64| (sum as f64 / one.steps.max(1) as f64).round() as u64;
    let (mean, all) = (each(one.moved), grouped(one.moved));
    match (one.copied, one.added) {
        (Copied::Text, Some(added)) => format!(
            "each of {steps} steps copies a text of {} on average and adds {}, {all} bytes copied \
             in all: so does a text that grows from nothing",
            counted(mean, "byte"),
            grouped(each(added).max(1)),
        ),
        (Copied::Text, None) => format!(
            "each of {steps} steps copies a text of {} on average, {all} bytes in all: so does a \
             text that grows from nothing in these steps",
            counted(mean, "byte"),
        ),
        (Copied::Array, _) => format!(
            "each of {steps} steps copies an array of {} on average, {all} elements in all: so \
             does an array that grows from nothing by one element in each step",
            counted(mean, "element"),
        ),
    }
}

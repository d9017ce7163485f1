//! Evidence of a recording of growth: loops whose cost grows faster than their input.

use profile::MethodId;

use super::evidence::{Evidence, Recording, Sure};
use super::kind::Kind;
use super::program::Program;
use crate::dataflow::growth::Growth;
use crate::dataflow::growth::fit::Fit;

/// What a recording of growth says.
pub fn evidence(program: &Program<'_>, growth: &Growth) -> Vec<Evidence> {
    let mut all = Vec::new();
    for one in &growth.loops {
        let Some(fit) = Fit::new(&one.points).filter(Fit::is_steep) else { continue };
        let method = one.place.method.and_then(|MethodId(at)| growth.methods.get(at as usize));
        let Some(method) = method.and_then(|method| program.number(method)) else { continue };
        let region = program.region(method);
        // What a linear loop would read of as many elements.
        let linear = (fit.greatest / fit.cost.max(1.0)).min(1.0);
        let saving = (program.cost(&region) as f64 * (1.0 - linear)) as u64;
        all.push(Evidence {
            kind: Kind::Growth,
            recording: Recording::Growth,
            method,
            line: one.place.line,
            node: program.costliest(program.contexts(method)),
            sentence: fit.sentence(),
            hint: None,
            saving,
            likely: saving / 2,
            region,
            moved: 0,
            sure: Sure::Bound,
            command: vec!["growth".to_owned()],
        });
    }
    all
}

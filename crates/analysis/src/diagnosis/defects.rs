//! Evidence of what is wrong rather than slow.

use profile::MethodId;
use profile::dataflow::Place;
use tree::names::method::Method;
use tree::owners::Owner;

use super::evidence::{Evidence, Recording, Sure};
use super::kind::Kind;
use super::program::Program;
use super::region::Region;

/// Evidence of a defect at a place, which refers to these methods, that a recording says and
/// the command of its name shows; sentence and hint are to be added. It saves nothing. What
/// happens at the start alone is as wrong as the rest. `None` in the JDK's code.
pub(super) fn defect(
    program: &Program<'_>,
    (kind, recording): (Kind, Recording),
    place: Place,
    methods: &[Method],
) -> Option<Evidence> {
    let Place { method: Some(MethodId(number)), line, .. } = place else { return None };
    let method = methods.get(number as usize)?;
    if program.owners.owner(&method.class) == Owner::Platform {
        return None;
    }
    let method = program.number(method)?;
    Some(Evidence {
        kind,
        recording,
        method,
        line,
        node: program.costliest(program.contexts(method)),
        sentence: String::new(),
        hint: None,
        region: Region::default(),
        saving: 0,
        likely: 0,
        moved: 0,
        sure: Sure::Exact,
        command: vec![recording.mode().to_owned()],
    })
}

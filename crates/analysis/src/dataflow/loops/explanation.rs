//! What a loop reads again, in words, and how such a thing is repaired.

use profile::dataflow::{Place, SimilarRead};
use profile::verdicts::explanation;
use profile::{MethodId, QualifiedName};

pub use profile::verdicts::explanation::{Hint, sentence, summary};

use super::clusters::Cluster;
use tree::names::method::Method;

/// What a loop may be repaired by, by what wastes most in it.
pub fn hint(cluster: &Cluster, methods: &[Method]) -> Hint {
    let Some(first) = cluster.similar.first() else { return Hint::Unknown };
    hint_of(cluster, first, methods)
}

/// What it may be repaired by, by what reads similar values this way.
pub fn hint_of(cluster: &Cluster, read: &SimilarRead, methods: &[Method]) -> Hint {
    explanation::hint(cluster, read, &|place| name(place, methods))
}

/// Whether a loop compares all pairs with a stream, by what reads similar values this way.
pub fn compares_pairs(cluster: &Cluster, read: &SimilarRead, methods: &[Method]) -> bool {
    explanation::compares_pairs(cluster, read, &|place| name(place, methods))
}

/// The line of a baseline for a loop with this header and a way in which it reads.
pub fn known_line(header: &Place, read: &SimilarRead, methods: &[Method]) -> String {
    profile::verdicts::known::line(header, read, &|place| name(place, methods))
}

fn name<'m>(place: &Place, methods: &'m [Method]) -> Option<QualifiedName<'m>> {
    let MethodId(number) = place.method?;
    let Method { class, name, descriptor } = methods.get(number as usize)?;
    Some(QualifiedName { class, name, descriptor })
}

//! What a page tells of each method's results, and of the classes above its own.

use std::collections::BTreeMap;

use profile::dataflow::{MethodResults, ResultKind};
use rustc_hash::FxHashMap;
use serde::Serialize;

use crate::page::count::Count;
use crate::page::listing::Listing;

/// The results of a method. What is 0 in most methods is left out where it is.
#[derive(Debug, Serialize)]
pub struct ResultOf {
    kind: &'static str,
    /// Left out of static methods, which have none.
    #[serde(skip_serializing_if = "is_zero")]
    receivers: Count,
    #[serde(skip_serializing_if = "is_zero")]
    receivers_error: Count,
    inputs: Count,
    #[serde(skip_serializing_if = "is_zero")]
    inputs_error: Count,
    hits: Count,
    #[serde(skip_serializing_if = "is_zero")]
    hits_error: Count,
    hits_of_call_before: Count,
    conflicts: Count,
    writes: Count,
}

#[allow(clippy::trivially_copy_pass_by_ref)] // As serde asks for it.
fn is_zero(count: &Count) -> bool {
    count.0 == 0
}

/// The results of the methods listed, by their numbers on the page; `None` if none were
/// recorded. `results` has those of all methods.
pub fn of_listed(
    results: &[Option<MethodResults>],
    listing: &Listing<'_>,
) -> Option<BTreeMap<u32, ResultOf>> {
    if results.is_empty() {
        return None;
    }
    let known = (0..).zip(listing.listed).filter_map(|(number, &method)| {
        let known = results.get(method as usize)?.as_ref()?;
        let of = ResultOf {
            kind: ResultKind::of(known).name(),
            receivers: Count(known.receivers),
            receivers_error: Count(known.receivers_error()),
            inputs: Count(known.inputs),
            inputs_error: Count(known.inputs_error()),
            hits: Count(known.hits),
            hits_error: Count(known.hits_error),
            hits_of_call_before: Count(known.last_hits),
            conflicts: Count(known.conflicts),
            writes: Count(known.wrote),
        };
        Some((number, of))
    });
    Some(known.collect())
}

/// Of each of these classes the place of the nearest one above it that is among them,
/// `java.lang.Object` aside, or -1; `None` if no class has one.
pub fn superclasses(classes: &[&str], above: &FxHashMap<String, String>) -> Option<Vec<i64>> {
    let places: FxHashMap<&str, i64> = classes.iter().copied().zip(0..).collect();
    let nearest = |below: &&str| {
        tree::names::superclasses::superclasses(below, above)
            .take_while(|class| *class != "java.lang.Object" && class != below)
            .find_map(|class| places.get(class).copied())
            .unwrap_or(-1)
    };
    let supers: Vec<i64> = classes.iter().map(nearest).collect();
    supers.iter().any(|&place| place >= 0).then_some(supers)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::page::assets::{SCRIPTS, STYLES};

    #[test]
    fn the_nearest_listed_class_above_is_found() {
        let above = [("C", "B"), ("B", "A"), ("A", "java.lang.Object"), ("X", "Y"), ("Y", "X")];
        let above = above.map(|(class, above)| (class.to_owned(), above.to_owned()));
        let above = above.into_iter().collect();
        let found = superclasses(&["A", "X", "C", "java.lang.Object"], &above);
        assert_eq!(found, Some(vec![-1, -1, 0, -1]));
        assert_eq!(superclasses(&["A", "X"], &above), None);
    }

    /// The page has words and a colour for each kind.
    #[test]
    fn kinds_are_known_to_the_page() {
        let script = SCRIPTS.iter().find(|script| script.contains("const RESULTS = {"));
        let script = script.expect("blueprint_pictures.js has it");
        let (_, table) = script.split_once("const RESULTS = {").expect("as it was found");
        let (table, _) = table.split_once("};").expect("it ends");
        for kind in ResultKind::ALL {
            let line = format!("{}: \"{}\",", kind.name(), kind.text());
            assert!(table.contains(&line), "{line}");
            let class = format!(".result-{} ", kind.name());
            assert!(STYLES.iter().any(|style| style.contains(&class)), "{class}");
        }
    }
}

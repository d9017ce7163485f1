//! Exceptions made, by the context that makes them.
//!
//! To fill in a stack trace takes time that bytecodes do not have. A recording of calls knows
//! how many exceptions were made: each calls exactly one constructor of `Throwable`.

use profile::{ClassInfo, MethodInfo, Metric, NO_PARENT, Profile};
use rustc_hash::FxHashMap;

use crate::names::superclasses::superclasses;

/// Name of the metric.
pub const EXCEPTIONS: &str = "exceptions";

const THROWABLE: &str = "java.lang.Throwable";
const CONSTRUCTOR: &str = "<init>";

/// True if the profile knows of exceptions: a recording of a JVM does, unless `Throwable` was
/// left out of it.
pub fn are_known(profile: &Profile) -> bool {
    let is_throwable = |class: &ClassInfo| class.name == THROWABLE;
    let is_maker = |method: &MethodInfo| {
        let class = profile.classes.get(method.class.0 as usize);
        method.name == CONSTRUCTOR && class.is_some_and(is_throwable)
    };
    profile.methods.iter().any(is_maker)
}

/// How many exceptions of a class and its subclasses were made, by calls of its constructors.
pub fn made(profile: &Profile, class: &str) -> u64 {
    let Some(calls) = profile.nodes.metric("calls") else { return 0 };
    let is_maker = |method: &MethodInfo| {
        let of = profile.classes.get(method.class.0 as usize);
        method.name == CONSTRUCTOR && of.is_some_and(|of| of.name == class)
    };
    let makers: Vec<bool> = profile.methods.iter().map(is_maker).collect();
    let made = profile.nodes.method.iter().zip(&calls.values);
    let made = made.filter(|&(&method, _)| makers.get(method as usize) == Some(&true));
    made.fold(0, |sum, (_, &calls)| sum.saturating_add(calls))
}

/// Gives a profile with calls the metric [`EXCEPTIONS`]: objects of `Throwable` and its
/// subclasses that were made. They count for the context that makes them, which is the
/// nearest one that is not a constructor of such a class. An exception that is thrown again
/// is the same one, and one that the JVM makes without a constructor, such as its
/// `OutOfMemoryError`, is not counted. Nothing happens if there are no calls, or if the profile
/// has the metric.
pub fn add(profile: &mut Profile) {
    let nodes = &profile.nodes;
    let Some(calls) = nodes.metric("calls") else { return };
    if nodes.metric(EXCEPTIONS).is_some() {
        return;
    }
    let above: FxHashMap<String, String> = profile
        .classes
        .iter()
        .filter(|class| !class.superclass.is_empty())
        .map(|class| (class.name.clone(), class.superclass.clone()))
        .collect();
    let kinds: Vec<Kind> = profile
        .methods
        .iter()
        .map(|method| {
            let class = profile.classes.get(method.class.0 as usize);
            let class = class.map_or("", |class| class.name.as_str());
            if method.name != CONSTRUCTOR {
                Kind::Other
            } else if class == THROWABLE {
                Kind::Throwable
            } else if superclasses(class, &above).any(|above| above == THROWABLE) {
                Kind::Subclass
            } else {
                Kind::Other
            }
        })
        .collect();
    let kind = |node: u32| {
        let method = nodes.method.get(node as usize);
        method.and_then(|&method| kinds.get(method as usize)).copied().unwrap_or(Kind::Other)
    };
    let mut values = vec![0u64; nodes.len()];
    for (node, &calls) in (0u32..).zip(&calls.values) {
        if calls == 0 || kind(node) != Kind::Throwable {
            continue;
        }
        let mut maker = node;
        while kind(maker) != Kind::Other {
            match nodes.parent.get(maker as usize) {
                // Parents stand before their children.
                Some(&parent) if parent < maker => maker = parent,
                _ => break,
            }
        }
        debug_assert!(maker != NO_PARENT);
        values[maker as usize] = values[maker as usize].saturating_add(calls);
    }
    profile.nodes.metrics.push(Metric { name: EXCEPTIONS.to_owned(), values });
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// A constructor of `Throwable`.
    Throwable,
    /// A constructor of a subclass.
    Subclass,
    Other,
}

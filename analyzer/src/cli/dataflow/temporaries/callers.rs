//! The contexts in which the makers of objects allocate.

use std::cmp::Reverse;
use std::io::Write;

use base::number::counted;
use rustc_hash::{FxHashMap, FxHashSet};
use tree::error::Result;
use tree::names::method::Method;
use tree::owners::OwnCode;

use super::CONTEXTS;
use crate::cli::dataflow::for_whom::Recorded;
use crate::cli::dataflow::source::Profiles;
use crate::cli::dataflow::text::evidence;
use crate::cli::start::Start;

/// Callers shown of a context.
const CALLERS: usize = 4;

/// The calling contexts in which methods allocate.
pub struct Callers {
    pub recorded: Recorded,
    /// Contexts of each method, those with most allocations first.
    contexts: FxHashMap<Method, Vec<u32>>,
    /// Methods that allocate, and only in what happens once.
    start: FxHashSet<Method>,
}

impl Callers {
    /// Those of some profiles, `None` if these lack allocations.
    ///
    /// # Errors
    /// If a profile contradicts itself.
    pub fn new(profiles: Profiles, start: Start, own: OwnCode) -> Result<Option<Self>> {
        let Some(mut recorded) = Recorded::new(profiles, &super::ALLOCATIONS, own)? else {
            return Ok(None);
        };
        if !start.is_left_out() {
            recorded.stays.fill(true);
        }
        let tree = &recorded.tree;
        let mut contexts: FxHashMap<Method, Vec<u32>> = FxHashMap::default();
        let mut start = FxHashSet::default();
        for (node, &method) in tree.method.iter().enumerate() {
            if tree.cost()[node] == 0 {
                continue;
            }
            let method = &tree.methods[method as usize];
            match recorded.stays[node] {
                true => contexts.entry(method.clone()).or_default().push(node as u32),
                false => drop(start.insert(method.clone())),
            }
        }
        start.retain(|method| !contexts.contains_key(method));
        for nodes in contexts.values_mut() {
            nodes.sort_by_key(|&node| (Reverse(tree.cost()[node as usize]), node));
        }
        Ok(Some(Self { recorded, contexts, start }))
    }

    /// Those of a method that do not belong to what happens once, unless that counts.
    pub fn of(&self, method: Option<&Method>) -> &[u32] {
        method.and_then(|method| self.contexts.get(method)).map_or(&[], Vec::as_slice)
    }

    /// Whether a method allocates only in what happens once.
    pub fn is_start(&self, method: Option<&Method>) -> bool {
        method.is_some_and(|method| self.start.contains(method))
    }

    /// Callers of a context, the nearest first.
    pub fn path(&self, node: u32) -> impl Iterator<Item = u32> + '_ {
        self.recorded.tree.and_callers(node).skip(1)
    }

    /// Writes the contexts in which a method allocates most.
    ///
    /// # Errors
    /// If `out` fails.
    pub fn write(&self, method: Option<&Method>, width: usize, out: &mut dyn Write) -> Result<()> {
        let (tree, names) = (&self.recorded.tree, &self.recorded.names);
        let nodes = self.of(method);
        for &node in nodes.iter().take(CONTEXTS) {
            let callers = self.path(node).take(CALLERS);
            let mut path: Vec<&str> =
                callers.map(|caller| names.of(Some(tree.method[caller as usize]))).collect();
            if self.path(node).nth(CALLERS).is_some() {
                path.push("...");
            }
            let cost = tree.cost()[node as usize];
            let line = if path.is_empty() {
                format!("{} as a first frame", counted(cost, "allocation"))
            } else {
                format!("{} called by {}", counted(cost, "allocation"), path.join(" < "))
            };
            writeln!(out, "{}", evidence(&line, width))?;
        }
        if nodes.len() > CONTEXTS {
            let more =
                format!("and in {} more", counted((nodes.len() - CONTEXTS) as u64, "context"));
            writeln!(out, "{}", evidence(&more, width))?;
        }
        Ok(())
    }
}

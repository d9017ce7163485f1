//! The callers of a method, their callers and so on, as far as worth printing.

use crate::Tree;
use crate::names::pattern::Pattern;
use crate::views::callers::{Caller, Use, callers};

/// What to leave out.
#[derive(Debug, Clone)]
pub struct Limits {
    /// Callers further away than this; those of the method itself have depth 1.
    pub depth: u32,
    /// Callers with a smaller share of the method's cost; none if that is 0.
    pub min_percent: f64,
    /// All but so many of the costliest callers on each level.
    pub top: usize,
    /// Callers of no matching class, unless they lead to one.
    pub class: Option<Pattern>,
}

/// A caller to print.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Line {
    /// The caller, without its uses.
    pub caller: Caller,
    /// How far it is from the method, at least 1.
    pub depth: u32,
    /// Line of what it calls, `None` if that is the method itself.
    pub callee: Option<usize>,
    /// Number of forks between the method and the caller: a chain of single
    /// callers is not indented.
    pub indent: u32,
}

/// The lines to print for a method with these uses, each caller before its own
/// callers, the costliest first.
pub fn bottom_up(tree: &Tree, uses: &[Use], limits: &Limits) -> Vec<Line> {
    let total: u64 = uses.iter().map(|found| found.cost).sum();
    let least = limits.min_percent / 100.0 * total as f64;

    // The callers to print of what has these uses, the last one first.
    let above = |uses: &[Use]| {
        let mut found = callers(tree, uses);
        found.retain(|caller| caller.cost as f64 >= least);
        found.truncate(limits.top);
        if let [Caller { method: None, .. }] = found.as_slice() {
            // That a root is called by nothing else goes without saying.
            found.clear();
        }
        found.reverse();
        found
    };
    let to_lines = |callers: Vec<Caller>, depth, callee, indent| {
        callers.into_iter().map(move |caller| Line { caller, depth, callee, indent })
    };

    let mut lines: Vec<Line> = Vec::new();
    let mut pending: Vec<Line> = to_lines(above(uses), 1, None, 0).collect();
    while let Some(mut line) = pending.pop() {
        let uses = std::mem::take(&mut line.caller.uses);
        if line.depth < limits.depth {
            let callers = above(&uses);
            let indent = line.indent + u32::from(callers.len() > 1);
            pending.extend(to_lines(callers, line.depth + 1, Some(lines.len()), indent));
        }
        lines.push(line);
    }
    match &limits.class {
        Some(pattern) => keep_matching(tree, lines, pattern),
        None => lines,
    }
}

/// Keeps the lines of matching classes and those between them and the method.
fn keep_matching(tree: &Tree, lines: Vec<Line>, pattern: &Pattern) -> Vec<Line> {
    let mut kept: Vec<bool> = lines
        .iter()
        .map(|line| {
            line.caller.method.is_some_and(|m| pattern.matches(&tree.methods[m as usize].class))
        })
        .collect();
    for at in (0..lines.len()).rev() {
        if let (true, Some(callee)) = (kept[at], lines[at].callee) {
            kept[callee] = true;
        }
    }
    // Where each kept line comes to stand.
    let mut places = Vec::with_capacity(lines.len());
    let mut place = 0;
    for &kept in &kept {
        places.push(place);
        place += usize::from(kept);
    }
    let kept_lines = lines.into_iter().zip(&kept).filter(|&(_, &kept)| kept);
    kept_lines.map(|(line, _)| Line { callee: line.callee.map(|c| places[c]), ..line }).collect()
}

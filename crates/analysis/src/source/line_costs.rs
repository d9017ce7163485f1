//! What methods call from which of their source lines, and what that costs.

use profile::{NO_PARENT, Profile, texts};
use rustc_hash::FxHashMap;

use tree::costs::{Costs, Labelled};
use tree::names::method::Method;

/// The calls from one line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LineCost {
    /// The line.
    pub line: u16,
    /// How often it has called something; `None` if calls were not counted.
    pub calls: Option<u64>,
    /// What that costs with all that it calls, recursion once.
    pub cost: u64,
}

/// The calls of each method by line, in the order of the lines. Lines of calls
/// that were never made are in it, with 0 calls: they too say where a method
/// stands in its file.
pub type LineCosts = FxHashMap<Method, Vec<LineCost>>;

/// Label of a context that no known line has called.
const NO_LINE: u32 = 0;

/// The calls in a profile by line, with their costs by the metric of this name.
pub fn line_costs(profile: &Profile, metric: &str) -> LineCosts {
    let nodes = &profile.nodes;
    let Some(cost) = nodes.metric(metric) else { return LineCosts::default() };
    let mut lines: Vec<Vec<(u16, u32)>> = Vec::with_capacity(profile.methods.len());
    let mut labels = NO_LINE + 1;
    for method in &profile.methods {
        let mut of_method: Vec<u16> = method.sites.iter().map(|site| site.line).collect();
        of_method.retain(|&line| line > 0);
        of_method.sort_unstable();
        of_method.dedup();
        lines.push(of_method.into_iter().zip(labels..).collect());
        // A profile has fewer lines than bytes, and its numbers have 32 bits.
        labels = labels.saturating_add(lines.last().map_or(0, Vec::len) as u32);
    }
    let label_of = |node: usize| -> Option<u32> {
        let parent = nodes.parent[node];
        let site = (*nodes.site.get(node)? as usize).checked_sub(1)?;
        let caller = (parent != NO_PARENT).then(|| nodes.method[parent as usize])? as usize;
        let line = profile.methods.get(caller)?.sites.get(site)?.line;
        let at = lines[caller].binary_search_by_key(&line, |&(line, _)| line).ok()?;
        Some(lines[caller][at].1)
    };
    let label: Vec<u32> = (0..nodes.len()).map(|node| label_of(node).unwrap_or(NO_LINE)).collect();
    let columns = Labelled {
        label: &label,
        parent: &nodes.parent,
        cost: &cost.values,
        calls: nodes.metric("calls").map(|calls| calls.values.as_slice()),
    };
    by_method(profile, &lines, &columns.costs(labels as usize))
}

/// Brings the lines of methods of the same name together: several loaders may
/// have defined the same class.
fn by_method(profile: &Profile, lines: &[Vec<(u16, u32)>], costs: &[Costs]) -> LineCosts {
    let mut found = LineCosts::default();
    for (method, lines) in profile.methods.iter().zip(lines) {
        let (Some(class), false) = (profile.classes.get(method.class.0 as usize), lines.is_empty())
        else {
            continue;
        };
        let name = Method {
            class: class.name.clone(),
            // All texts of a method have its lines.
            name: texts::split(&method.name).0.to_owned(),
            descriptor: method.descriptor.clone(),
        };
        let of_method = found.entry(name).or_default();
        for &(line, label) in lines {
            let Costs { calls, inclusive, .. } = costs[label as usize];
            match of_method.binary_search_by_key(&line, |known| known.line) {
                Ok(at) => {
                    let known = &mut of_method[at];
                    known.calls = known.calls.zip(calls).map(|(one, other)| one + other);
                    known.cost += inclusive;
                }
                Err(at) => of_method.insert(at, LineCost { line, calls, cost: inclusive }),
            }
        }
    }
    found
}

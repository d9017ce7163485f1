//! Evidence that is spread over the tree: so much waste in each context, brought to the methods
//! in which it lands.

use profile::Metric;
use tree::Tree;
use tree::views::landings::{Landing, landings};

use super::program::{Program, least};
use super::region::Region;

/// Name of the column in the tree that is searched for landings.
const WASTE: &str = "waste";

/// A method in which waste lands, with the contexts below it.
#[derive(Debug)]
pub struct Landed {
    /// The landing; its cost is waste.
    pub landing: Landing,
    /// The method's contexts with all below them.
    pub region: Region,
}

/// How much of a share is more than what is usual in the whole program, from 0 to 1: of what is
/// as everywhere, nothing.
pub fn above_usual(share: f64, usual: f64) -> f64 {
    if usual >= 1.0 { 0.0 } else { ((share - usual) / (1.0 - usual)).clamp(0.0, 1.0) }
}

/// Where the waste in this column lands, the most first, if it has the least share that
/// is worth telling.
pub fn land(program: &Program<'_>, waste: Vec<u64>) -> Vec<Landed> {
    let tree = program.tree;
    let mut metrics = vec![Metric { name: WASTE.to_owned(), values: waste }];
    metrics.extend(tree.metrics.iter().filter(|metric| metric.name == "calls").cloned());
    let mut of_waste = Tree::default();
    of_waste.methods.clone_from(&tree.methods);
    of_waste.definitions = tree.definitions.clone();
    of_waste.method.clone_from(&tree.method);
    of_waste.parent.clone_from(&tree.parent);
    of_waste.roots = tree.roots;
    of_waste.metrics = metrics;
    of_waste.choose_metrics(&of_waste.metric_names());
    let found = landings(&of_waste, &program.is_platform, least(tree));
    found
        .into_iter()
        .map(|landing| Landed { region: program.region(landing.method), landing })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_usual_is_not_told() {
        assert_eq!(
            [above_usual(1.0, 0.5), above_usual(0.75, 0.5), above_usual(0.2, 0.5)],
            [1.0, 0.5, 0.0]
        );
        assert_eq!(above_usual(1.0, 1.0), 0.0);
    }
}

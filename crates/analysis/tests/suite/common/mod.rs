//! What several tests need.

use std::path::Path;

use formats::import::folded::Importer;
use subsume_analysis::subsuming::{REFLECTION, Subsuming, Thresholds};
use tree::Tree;
use tree::forest::Selection;
use tree::names::pattern::Pattern;

use crate::literal::Literal;

/// The tree of some folded stacks.
pub fn tree(stacks: &str) -> Tree {
    let mut importer = Importer::default();
    importer.read(Path::new("stacks"), &mut stacks.as_bytes()).unwrap();
    Tree::merge(vec![("stacks".to_owned(), importer.finish())], &Selection::default()).unwrap()
}

/// Number of the method of that name.
pub fn method(tree: &Tree, name: &str) -> usize {
    tree.methods.iter().position(|m| m.qualified() == name).unwrap()
}

/// Compares everything that the analysis says with the literal algorithms.
/// Returns how many nodes the adjustment for recursion has moved.
pub fn agree(tree: &Tree, thresholds: Thresholds) -> Result<usize, String> {
    let mut literal = Literal::new(tree);
    literal.characterise();
    let root_method =
        (!tree.has_virtual_root() && !tree.is_empty()).then(|| literal.nodes[0].method);
    let root = literal.root;
    let all_roots: Vec<bool> = literal
        .methods
        .iter()
        .map(|m| {
            tree.has_virtual_root()
                && !m.nodes.is_empty()
                && m.nodes.iter().all(|&n| literal.nodes[n].parent == Some(root))
        })
        .collect();
    let virtual_root = tree.methods.len();
    let subsumes = |m: usize, method: &crate::literal::Method| {
        if m == virtual_root || Some(m) == root_method {
            return true;
        }
        // What only the virtual root calls has no distance.
        let bounds = method.max_height > thresholds.height
            && (all_roots[m] || method.min_dmd.is_none_or(|d| d > thresholds.distance));
        !method.nodes.is_empty() && tree.methods[m].qualified() != REFLECTION && bounds
    };
    literal.calculate_induced_cost(&subsumes);

    let analysis = Subsuming::analyse(tree, thresholds, &Pattern::new(REFLECTION));
    for (m, name) in tree.methods.iter().enumerate() {
        let expected = &literal.methods[m];
        let found = &analysis.characteristics[m];
        let check = |what: &str, found: &dyn std::fmt::Debug, expected: &dyn std::fmt::Debug| {
            let (found, expected) = (format!("{found:?}"), format!("{expected:?}"));
            if found == expected {
                Ok(())
            } else {
                Err(format!("{what} of {name}: {found}, literally {expected}"))
            }
        };
        let (distance, dominator) = if all_roots[m] {
            (None, None)
        } else {
            let by = expected.dominator.filter(|&by| by != virtual_root);
            (expected.min_dmd, by)
        };
        check("height", &found.height, &expected.max_height)?;
        check("distance", &found.dominated.map(|d| d.distance), &distance)?;
        check("dominator", &found.dominated.and_then(|d| d.by), &dominator)?;
        check("subsumes", &analysis.subsumes[m], &subsumes(m, expected))?;
        check("induced", &analysis.induced[m], &expected.induced)?;
        let costs = &analysis.costs[m];
        check("contexts", &costs.contexts, &expected.nodes.len())?;
        let exclusive: u64 = expected.nodes.iter().map(|&n| literal.nodes[n].cost).sum();
        check("exclusive", &costs.exclusive, &exclusive)?;
        check("inclusive", &costs.inclusive, &literal.inclusive(m))?;
    }
    if tree.has_virtual_root() {
        let expected = literal.methods[virtual_root].induced;
        if analysis.induced_by_virtual_root != expected {
            return Err(format!(
                "the virtual root induces {}, literally {expected}",
                analysis.induced_by_virtual_root
            ));
        }
    }
    let nodes = literal.nodes.iter();
    Ok(nodes.filter(|node| node.parent != node.adjusted_parent).count())
}

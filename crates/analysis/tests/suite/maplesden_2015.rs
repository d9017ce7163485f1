//! The numbers of Maplesden et al. 2015.

use crate::common;
use crate::common::{method, tree};
use subsume_analysis::subsuming::{Subsuming, Thresholds, induced};
use tree::Tree;
use tree::names::pattern::Pattern;

/// Example 1 with `c` called twice by `b`, which Table 1 needs.
const EXAMPLE_1: &str = "\
main 3
main;a 4
main;a;b 8
main;a;b;c 4
main;a;b;c;x 12
main;a;b;x 12
main;a;y 10
main;b 4
main;b;c 2
main;b;c;x 6
main;b;x 6
";

/// The bounds that Figure 3's choice of `main` and `b` follows from.
const FIGURE_3: Thresholds = Thresholds { height: 1, distance: 1 };

#[test]
fn table_1_costs() {
    let tree = tree(EXAMPLE_1);
    let analysis = Subsuming::analyse(&tree, FIGURE_3, &Pattern::new(""));
    assert_eq!(tree.total(), 71);
    let expected =
        [("main", 3, 71), ("a", 4, 50), ("b", 12, 54), ("c", 6, 24), ("x", 36, 36), ("y", 10, 10)];
    for (name, exclusive, inclusive) in expected {
        let costs = &analysis.costs[method(&tree, name)];
        assert_eq!((costs.exclusive, costs.inclusive), (exclusive, inclusive), "{name}");
    }
}

#[test]
fn figure_3_induced_costs() {
    let tree = tree(EXAMPLE_1);
    let analysis = Subsuming::analyse(&tree, FIGURE_3, &Pattern::new(""));
    let subsuming: Vec<&str> =
        analysis.subsuming().map(|m| tree.methods[m].name.as_str()).collect();
    assert_eq!(subsuming, ["b", "main"]);
    assert_eq!(analysis.induced[method(&tree, "b")], 54);
    assert_eq!(analysis.induced[method(&tree, "main")], 17);

    let by_node = induced(&tree, &analysis.subsumes);
    for (path, exclusive, induced) in [
        ("main", 3, 17),
        ("main;a", 4, 14),
        ("main;a;b", 8, 36),
        ("main;a;b;c", 4, 16),
        ("main;a;b;c;x", 12, 12),
        ("main;a;b;x", 12, 12),
        ("main;a;y", 10, 10),
        ("main;b", 4, 18),
        ("main;b;c", 2, 8),
        ("main;b;c;x", 6, 6),
        ("main;b;x", 6, 6),
    ] {
        let node = node(&tree, path);
        assert_eq!((tree.cost()[node], by_node[node]), (exclusive, induced), "{path}");
    }
}

#[test]
fn table_3_and_figure_4() {
    let tree = tree(EXAMPLE_1);
    let found = subsume_analysis::subsuming::characteristics::characteristics(&tree);
    for (name, height, dominated) in [
        ("main", 4, None),
        ("a", 3, Some(("main", 1))),
        ("b", 2, Some(("main", 2))),
        ("c", 1, Some(("b", 1))),
        ("x", 0, Some(("b", 2))),
        ("y", 0, Some(("a", 1))),
    ] {
        let found = &found[method(&tree, name)];
        assert_eq!(found.height, height, "height of {name}");
        let by = found.dominated.and_then(|d| d.by).map(|by| &*tree.methods[by as usize].name);
        let distance = found.dominated.map(|d| d.distance);
        assert_eq!((by, distance), (dominated.map(|d| d.0), dominated.map(|d| d.1)), "{name}");
        assert_eq!(found.is_root, name == "main");
    }
}

#[test]
fn recursion_is_reduced_to_one_repetition() {
    // Cost 1 per node; two more rounds change neither heights nor distances.
    for rounds in [3, 5] {
        let mut path = "main".to_owned();
        let mut stacks = "main 1\n".to_owned();
        for name in ["a", "b"].repeat(rounds).into_iter().chain(["c"]) {
            path = format!("{path};{name}");
            stacks += &format!("{path} 1\n");
        }
        let tree = tree(&stacks);
        let analysis = Subsuming::analyse(&tree, Thresholds::default(), &Pattern::new(""));
        for (name, height, distance) in
            [("main", 5, None), ("a", 4, Some(3)), ("b", 3, Some(1)), ("c", 0, Some(1))]
        {
            let found = &analysis.characteristics[method(&tree, name)];
            assert_eq!(found.height, height, "height of {name}");
            assert_eq!(found.dominated.map(|d| d.distance), distance, "distance of {name}");
        }
        let total = 2 * rounds as u64 + 2;
        assert_eq!(analysis.costs[method(&tree, "a")].inclusive, total - 1);
    }
}

#[test]
fn literal_algorithms_agree_on_the_examples() {
    for stacks in [EXAMPLE_1, "main;a;b;a;b;a;b;c 1\n", "a;b;a 1\nb;a;b 1\nb 1\n"] {
        let tree = tree(stacks);
        for thresholds in [FIGURE_3, Thresholds { height: 0, distance: 0 }, Thresholds::default()] {
            common::agree(&tree, thresholds).unwrap();
        }
    }
}

/// The node with this path.
fn node(tree: &Tree, path: &str) -> usize {
    let mut children = 0..tree.len();
    let mut parent = profile::NO_PARENT;
    for name in path.split(';') {
        let at = children
            .find(|&n| {
                tree.parent[n] == parent && tree.methods[tree.method[n] as usize].name == name
            })
            .unwrap();
        parent = at as u32;
        children = at + 1..tree.len();
    }
    parent as usize
}

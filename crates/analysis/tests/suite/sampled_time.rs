//! Samples by subsuming methods, against their definition by stack.

use made_profiles::random_trees::{Random, random_profile};
use profile::sampling::TIME;
use profile::{Metric, NO_PARENT};
use subsume_analysis::subsuming::sampled_time::SampledTime;
use subsume_analysis::subsuming::{Subsuming, Thresholds};
use tree::Tree;
use tree::forest::Selection;
use tree::names::pattern::Pattern;

#[test]
fn samples_count_for_the_lowest_subsuming_method() {
    let mut random = Random(71);
    let mut induced = 0;
    for _ in 0..1_000 {
        let mut profile = random_profile(&mut random);
        let values = (0..profile.nodes.len()).map(|_| random.below(9)).collect();
        profile.nodes.metrics.push(Metric { name: TIME.to_owned(), values });
        let profiles = vec![("random".into(), profile)];
        let tree = Tree::merge(profiles, &Selection::default()).unwrap();
        let thresholds = Thresholds { height: 0, distance: 1 };
        let analysis = Subsuming::analyse(&tree, thresholds, &Pattern::new(""));
        let found = SampledTime::of(&tree, &analysis.subsumes).unwrap();

        let mut expected = vec![[0; 3]; tree.methods.len()];
        let mut of_root = 0;
        for (node, &samples) in (0u32..).zip(tree.time().unwrap()) {
            let parent = |&node: &u32| Some(tree.parent[node as usize]).filter(|&p| p != NO_PARENT);
            let stack: Vec<usize> = std::iter::successors(Some(node), parent)
                .map(|node| tree.method[node as usize] as usize)
                .collect();
            match stack.iter().find(|&&method| analysis.subsumes[method]) {
                Some(&method) => expected[method][0] += samples,
                None => of_root += samples,
            }
            expected[stack[0]][2] += samples;
            let mut on_stack = stack.clone();
            on_stack.sort_unstable();
            on_stack.dedup();
            for method in on_stack {
                expected[method][1] += samples;
            }
        }
        assert_eq!(found.total, tree.samples());
        assert_eq!(found.induced_by_virtual_root, of_root);
        for (method, &[induced, inclusive, exclusive]) in expected.iter().enumerate() {
            assert_eq!(found.induced[method], induced);
            assert_eq!(found.inclusive[method], inclusive);
            assert_eq!(found.exclusive[method], exclusive);
        }
        induced += found.induced.iter().filter(|&&samples| samples > 0).count();
    }
    assert!(induced > 500, "{induced}");
}

#[test]
fn there_is_no_time_without_samples() {
    let profiles = vec![("random".into(), random_profile(&mut Random(1)))];
    let tree = Tree::merge(profiles, &Selection::default()).unwrap();
    assert_eq!(SampledTime::of(&tree, &vec![false; tree.methods.len()]), None);
}

//! Samples laid over an exact tree, against their definition by stack.

use made_profiles::random_trees::{Random, random_profile};
use profile::{NO_PARENT, Profile};
use subsume_analysis::subsuming::sampled_time::sampled_time;
use subsume_analysis::subsuming::{Subsuming, Thresholds};
use tree::Tree;
use tree::forest::{MetricChoice, Selection};
use tree::names::pattern::Pattern;

fn tree(profile: Profile) -> Tree {
    let metric = MetricChoice::Named("bytecodes".to_owned());
    let selection = Selection { metric, ..Selection::default() };
    Tree::merge(vec![("random".into(), profile)], &selection).unwrap()
}

#[test]
fn samples_count_for_the_lowest_subsuming_method() {
    let mut random = Random(71);
    let (mut induced, mut unknown, mut cut) = (0, 0, 0);
    for round in 0..1_000 {
        let exact = tree(random_profile(&mut random));
        let mut sampled = random_profile(&mut random);
        if round % 2 == 0 {
            // As a sampler that knows no descriptors.
            for method in &mut sampled.methods {
                method.descriptor.clear();
            }
        }
        let time = tree(sampled);
        let thresholds = Thresholds { height: 0, distance: 1 };
        let analysis = Subsuming::analyse(&exact, thresholds, &Pattern::new(""));
        let found = sampled_time(&exact, &analysis.subsumes, &time);

        let same = |method: u32| -> Option<usize> {
            let method = &time.methods[method as usize];
            if let Some(at) = exact.methods.iter().position(|known| known == method) {
                return Some(at);
            }
            let answers = |&at: &usize| {
                let known = &exact.methods[at];
                method.descriptor.is_empty()
                    && (&known.class, &known.name) == (&method.class, &method.name)
                    && exact.method.contains(&(at as u32))
            };
            let named: Vec<usize> = (0..exact.methods.len()).filter(answers).collect();
            named.iter().copied().find(|&at| analysis.subsumes[at]).or(named.first().copied())
        };
        let roots: Vec<u32> = (0..exact.len())
            .filter(|&node| exact.parent[node] == NO_PARENT)
            .map(|node| exact.method[node])
            .collect();
        let mut expected = vec![[0; 3]; exact.methods.len()];
        let [mut of_root, mut of_unknown, mut without_root] = [0; 3];
        for node in 0..time.len() as u32 {
            let parent = |&node: &u32| Some(time.parent[node as usize]).filter(|&p| p != NO_PARENT);
            let stack: Vec<Option<usize>> = std::iter::successors(Some(node), parent)
                .map(|node| same(time.method[node as usize]))
                .collect();
            let samples = time.cost()[node as usize];
            match stack.iter().flatten().find(|&&method| analysis.subsumes[method]) {
                Some(&method) => expected[method][0] += samples,
                None => of_root += samples,
            }
            let mut on_stack: Vec<usize> = stack.iter().flatten().copied().collect();
            on_stack.sort_unstable();
            on_stack.dedup();
            for method in on_stack {
                expected[method][1] += samples;
            }
            match stack[0] {
                Some(top) => expected[top][2] += samples,
                None => of_unknown += samples,
            }
            let bottom = stack[stack.len() - 1];
            if bottom.is_none_or(|bottom| !roots.contains(&(bottom as u32))) {
                without_root += samples;
            }
        }
        assert_eq!(found.total, time.total());
        assert_eq!(found.induced_by_virtual_root, of_root);
        assert_eq!((found.unknown, found.without_root), (of_unknown, without_root));
        for (method, &[induced, inclusive, exclusive]) in expected.iter().enumerate() {
            assert_eq!(found.induced[method], induced);
            assert_eq!(found.inclusive[method], inclusive);
            assert_eq!(found.exclusive[method], exclusive);
        }
        induced += found.induced.iter().filter(|&&samples| samples > 0).count();
        unknown += usize::from(of_unknown > 0);
        cut += usize::from(without_root > 0);
    }
    assert!(induced > 500 && unknown > 50 && cut > 50, "{induced} {unknown} {cut}");
}

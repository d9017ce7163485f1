//! Samples laid on a recording, against the definition by single stacks.

use made_profiles::random_trees::{Random, random_profile};
use profile::sampling::{Sampling, TIME};
use profile::{MethodInfo, Metric, NO_PARENT, Profile};
use subsume_tree::time::lay;

/// Class, name and descriptor.
fn name<'p>(profile: &'p Profile, method: &'p MethodInfo) -> [&'p str; 3] {
    let class = &profile.classes[method.class.0 as usize].name;
    [class, &method.name, &method.descriptor]
}

/// The contexts that a stack, the outermost frame first, leads to; `None` if no frame is
/// one, and whether the last frame is.
fn follow(exact: &Profile, thread: &str, stack: &[[&str; 3]]) -> (Option<Vec<usize>>, bool) {
    let method_of = |node: usize| &exact.methods[exact.nodes.method[node] as usize];
    let is = |node: usize, frame: &[&str; 3]| {
        let [class, called, descriptor] = name(exact, method_of(node));
        class == frame[0] && called == frame[1] && (frame[2].is_empty() || descriptor == frame[2])
    };
    let thread_of = |node: usize| {
        let found = exact.threads.iter().find(|known| known.nodes.contains(&(node as u32)));
        found.map_or("", |found| found.name.as_str())
    };
    let (mut at, mut is_last): (Option<Vec<usize>>, bool) = (None, false);
    for frame in stack {
        let found = |of_any_thread: bool| -> Vec<usize> {
            (0..exact.nodes.len())
                .filter(|&node| is(node, frame))
                .filter(|&node| match (&at, exact.nodes.parent[node]) {
                    (None, parent) => {
                        parent == NO_PARENT && (of_any_thread || thread_of(node) == thread)
                    }
                    (Some(at), parent) => parent != NO_PARENT && at.contains(&(parent as usize)),
                })
                .collect()
        };
        let mut next = found(false);
        if next.is_empty() && at.is_none() {
            next = found(true);
        }
        is_last = !next.is_empty();
        if is_last {
            at = Some(next);
        }
    }
    (at, is_last)
}

#[test]
fn samples_are_laid_as_their_stacks_say() {
    let mut random = Random(29);
    let (mut laid, mut off, mut below, mut refused) = (0, 0, 0, 0);
    for round in 0..1_500 {
        let mut exact = random_profile(&mut random);
        // A third run has other threads.
        let mut samples = random_profile(&mut random);
        samples.nodes.metrics.retain(|metric| metric.name == "bytecodes");
        samples.nodes.metrics[0].name = "samples".to_owned();
        for thread in &mut samples.threads {
            if round % 3 == 0 {
                thread.name.push('x');
            }
        }
        for method in &mut samples.methods {
            if round % 2 == 0 {
                method.descriptor.clear();
            }
        }
        let counts = &samples.nodes.metrics[0].values;
        let before = exact.clone();
        let result = lay(&mut exact, &samples, Sampling::default());

        let bytecodes = &before.nodes.metric("bytecodes").unwrap().values;
        // The contexts of each stack share its samples, so that only sums are certain: those
        // of the sets of contexts.
        let mut sets: Vec<(Vec<usize>, u64)> = Vec::new();
        let mut expected = Sampling::default();
        for thread in &samples.threads {
            for node in thread.nodes.clone() {
                let count = counts[node as usize];
                let up =
                    |&at: &u32| Some(samples.nodes.parent[at as usize]).filter(|&p| p != NO_PARENT);
                let mut stack: Vec<[&str; 3]> = std::iter::successors(Some(node), up)
                    .map(|at| &samples.methods[samples.nodes.method[at as usize] as usize])
                    .map(|method| name(&samples, method))
                    .collect();
                stack.reverse();
                let (contexts, is_last) = follow(&before, &thread.name, &stack);
                expected.samples += count;
                match contexts {
                    None => expected.without_context += count,
                    Some(contexts) => {
                        expected.below_context += if is_last { 0 } else { count };
                        sets.push((contexts, count));
                    }
                }
            }
        }
        if expected.samples == expected.without_context {
            assert!(result.is_err());
            refused += 1;
            continue;
        }
        result.unwrap();
        let time = &exact.nodes.metric(TIME).unwrap().values;
        assert_eq!(exact.run.sampling, Some(expected.clone()));
        assert_eq!(time.iter().sum::<u64>(), expected.samples - expected.without_context);
        // What each context has is what its sets give it, up to one sample for each.
        let mut due = vec![(0.0, 0.0); exact.nodes.len()];
        for (contexts, count) in &sets {
            let weight: u64 = contexts.iter().map(|&node| bytecodes[node]).sum();
            for &node in contexts {
                let share = match weight {
                    0 => 1.0 / contexts.len() as f64,
                    weight => bytecodes[node] as f64 / weight as f64,
                };
                due[node].0 += share * *count as f64;
                due[node].1 += if contexts.len() == 1 { 0.0 } else { 1.0 };
            }
        }
        for (&found, &(due, slack)) in time.iter().zip(&due) {
            assert!((found as f64 - due).abs() <= slack + 1e-6, "{found} {due} {slack}");
        }
        laid += 1;
        off += usize::from(expected.without_context > 0);
        below += usize::from(expected.below_context > 0);
        // Once more changes nothing.
        let again = exact.clone();
        lay(&mut exact, &samples, Sampling::default()).unwrap();
        assert_eq!(exact.nodes.metrics, again.nodes.metrics);
    }
    assert!(
        laid > 300 && off > 100 && below > 100 && refused > 20,
        "{laid} {off} {below} {refused}"
    );
}

#[test]
fn who_waits_takes_no_time() {
    let mut random = Random(3);
    let mut exact = random_profile(&mut random);
    while exact.nodes.is_empty() {
        exact = random_profile(&mut random);
    }
    let mut samples = exact.clone();
    samples.classes[samples.methods[0].class.0 as usize].name = "sun.nio.ch.EPoll".to_owned();
    samples.methods[0].name = "wait".to_owned();
    let count = vec![1; samples.nodes.len()];
    samples.nodes.metrics = vec![Metric { name: "samples".to_owned(), values: count }];
    let waiting = samples.nodes.method.iter().filter(|&&method| method == 0).count() as u64;
    let _ = lay(&mut exact, &samples, Sampling { cpu_millis: 7, ..Sampling::default() });
    let sampling = exact.run.sampling.unwrap();
    assert_eq!((sampling.waiting, sampling.cpu_millis), (waiting, 7));
    assert_eq!(sampling.samples, samples.nodes.len() as u64 - waiting);
    assert!(waiting > 0);
}

#[test]
fn bytes_that_were_allocated_are_no_time() {
    let mut random = Random(3);
    let mut exact = random_profile(&mut random);
    while exact.nodes.is_empty() {
        exact = random_profile(&mut random);
    }
    let mut samples = exact.clone();
    let mut laid = |name: &str| {
        let values = vec![1; samples.nodes.len()];
        samples.nodes.metrics = vec![Metric { name: name.to_owned(), values }];
        lay(&mut exact, &samples, Sampling::default())
    };
    // As of a recording of Flight Recorder that is too short for a sample.
    let error = laid("allocated").expect_err("it has no samples").to_string();
    assert!(error.starts_with("there are no samples of running threads in it"), "{error}");
    laid("cpu").expect("another tool calls it so");
}

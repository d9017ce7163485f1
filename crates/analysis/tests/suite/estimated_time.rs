//! What a difference of counts means in time, by hand.

use profile::sampling::TIME;
use profile::{ClassId, ClassInfo, MethodInfo, Metric, NO_PARENT, Profile, ThreadTree};
use subsume_analysis::diff::changes::CodeChange;
use subsume_analysis::diff::time::estimate;
use tree::Tree;
use tree::forest::{MetricChoice, Selection};

/// A program: `main` calls `slow`, `fast` and a native, with their calls, bytecodes and samples.
fn tree(of_callees: [[u64; 3]; 3], has_samples: bool) -> Tree {
    let names = ["main", "slow", "fast", "write0"];
    let method = |name: &str| MethodInfo::new(ClassId(0), name, "()V");
    let mut profile = Profile {
        classes: vec![ClassInfo { name: "app.Main".into(), ..ClassInfo::default() }],
        methods: names.map(method).into(),
        threads: vec![ThreadTree { name: "main".into(), threads: 1, nodes: 0..4 }],
        ..Profile::default()
    };
    profile.nodes.method = vec![0, 1, 2, 3];
    profile.nodes.parent = vec![NO_PARENT, 0, 0, 0];
    profile.nodes.site = vec![0; 4];
    let column = |at: usize, of_main: u64| {
        std::iter::once(of_main).chain(of_callees.map(|callee| callee[at])).collect()
    };
    profile.nodes.metrics = vec![
        Metric { name: "bytecodes".into(), values: column(1, 1_000) },
        Metric { name: "calls".into(), values: column(0, 1) },
    ];
    if has_samples {
        profile.nodes.metrics.push(Metric { name: TIME.into(), values: column(2, 1) });
    }
    let selection = Selection { metric: MetricChoice::Every, ..Selection::default() };
    Tree::merge(vec![("made".into(), profile)], &selection).unwrap()
}

#[test]
fn bytecodes_become_time_at_the_rate_of_their_method() {
    // `slow` takes a sample for 1,000 bytecodes, `fast` one for 100,000; a call of the native
    // takes two.
    let before = tree([[1, 700_000, 700], [1, 10_000_000, 100], [100, 0, 200]], true);
    // The same, but half of `slow`, twice `fast`, and 50 calls of the native.
    let after = tree([[1, 350_000, 0], [1, 20_000_000, 0], [50, 0, 0]], false);
    let number = |name: &str| before.methods.iter().position(|method| method.name == name).unwrap();
    let mut changes = vec![None; before.methods.len()];
    for name in ["slow", "fast", "write0"] {
        changes[number(name)] = Some(CodeChange::Changed);
    }
    let time = estimate([(&before, before.time()), (&after, after.time())], &changes).unwrap();
    assert_eq!(time.samples, 1_001);
    let close = |found: f64, expected: f64| {
        assert!((found - expected).abs() < 0.002, "{found} {expected}");
    };
    let of = |name: &str| time.explained_by(Some(number(name) as u32));
    close(of("slow"), -350.0 / 1_001.0);
    close(of("fast"), 100.0 / 1_001.0);
    close(of("write0"), -100.0 / 1_001.0);
    close(time.difference(), -350.0 / 1_001.0);
    // In bytecodes the program does twice as much.
    assert!(after.total() as f64 / before.total() as f64 > 1.8);
}

#[test]
fn without_samples_there_is_no_estimate() {
    let one = tree([[1, 5, 0], [1, 5, 0], [1, 0, 0]], false);
    assert_eq!(estimate([(&one, None), (&one, None)], &vec![None; one.methods.len()]), None);
}

//! The compact form.

use std::path::Path;

use made_profiles::live::live_from;
use made_profiles::random::{Shape, assert_same, random_profile};
use subsume_profile::{
    Columns, CompactWriter, MethodId, Metric, NO_PARENT, Origin, Profile, ThreadTree,
};

fn compact(profile: &Profile) -> Vec<u8> {
    let mut bytes = Vec::new();
    let summary = subsume_profile::write(profile, &mut bytes).unwrap();
    assert_eq!(summary.bytes, bytes.len() as u64);
    assert_eq!(summary.contexts as usize, profile.nodes.len());
    bytes
}

#[test]
fn profiles_round_trip() {
    for (seed, contexts) in [(1, 1), (2, 2), (3, 100), (4, 65_535), (5, 65_536), (6, 300_000)] {
        let shape = Shape { contexts, methods: 50, threads: 1 + seed as u32, depth: 40 };
        let profile = random_profile(seed, &shape);
        let read = subsume_profile::read(&compact(&profile)).unwrap();
        read.validate().unwrap();
        assert_same(&profile, &read);
    }
}

#[test]
fn files_of_both_forms_are_read() {
    let shape = Shape { contexts: 90, methods: 5, threads: 1, depth: 9 };
    let mut profile = random_profile(7, &shape);
    let live = live_from(&mut profile).bytes();
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    for (name, bytes) in [("compact.subsume", compact(&profile)), ("live.subsume", live)] {
        let path = folder.join(name);
        std::fs::write(&path, bytes).unwrap();
        assert_eq!(subsume_profile::read_file(&path).unwrap().nodes.len(), 90);
        let calls = subsume_profile::read_file_with(&path, &Columns::only(&["calls"])).unwrap();
        assert_eq!(calls.nodes.metrics.len(), 1);
        assert_eq!(calls.methods, profile.methods);
    }
}

#[test]
fn an_empty_profile_round_trips() {
    let read = subsume_profile::read(&compact(&Profile::default())).unwrap();
    assert_same(&Profile::default(), &read);
}

#[test]
fn imports_keep_their_origin_and_their_metrics() {
    let mut profile = random_profile(8, &Shape { contexts: 9, methods: 3, threads: 1, depth: 4 });
    profile.run.origin = Origin::Imported("folded stacks".into());
    let values = vec![0, 1, u64::MAX, 3, 4, 5, 6, 7, 8];
    profile.nodes.metrics = vec![Metric { name: "weight".into(), values }];
    assert_same(&profile, &subsume_profile::read(&compact(&profile)).unwrap());
}

#[test]
fn threads_without_contexts_and_equal_names_stay_apart() {
    let shape = Shape { contexts: 10, methods: 3, threads: 1, depth: 4 };
    let mut profile = random_profile(9, &shape);
    profile.classes.extend_from_slice(&profile.classes.clone());
    profile.threads.insert(0, ThreadTree { name: "idle".into(), threads: 1, nodes: 0..0 });
    profile.threads.push(ThreadTree { name: "idle".into(), threads: 4, nodes: 10..10 });
    assert_same(&profile, &subsume_profile::read(&compact(&profile)).unwrap());
}

/// Their table is nearly nothing when it is compressed, and must not pass for a small
/// file that asks for much memory.
#[test]
fn many_threads_may_have_one_name() {
    let mut profile = random_profile(9, &Shape { contexts: 10, methods: 3, threads: 1, depth: 4 });
    let idle = ThreadTree { name: "ForkJoinPool-worker".into(), threads: 1, nodes: 10..10 };
    profile.threads.resize(100_000, idle);
    let bytes = compact(&profile);
    assert!(bytes.len() < 5_000, "{} bytes", bytes.len());
    assert_same(&profile, &subsume_profile::read(&bytes).unwrap());
}

#[test]
fn only_the_metrics_asked_for_are_decoded() {
    let shape = Shape { contexts: 70_000, methods: 30, threads: 2, depth: 20 };
    let profile = random_profile(10, &shape);
    let bytes = compact(&profile);
    let read =
        subsume_profile::read_with(&bytes, &Columns::only(&["allocations", "weight"])).unwrap();
    assert_eq!(read.nodes.metrics, profile.nodes.metrics[2..3]);
    assert_eq!(read.nodes.parent, profile.nodes.parent);
}

#[test]
fn very_deep_trees_round_trip() {
    let shape = Shape { contexts: 200_000, methods: 3, threads: 1, depth: 300_000 };
    let mut profile = random_profile(11, &shape);
    for (node, parent) in profile.nodes.parent.iter_mut().enumerate() {
        *parent = (node as u32).checked_sub(1).unwrap_or(NO_PARENT);
        profile.nodes.site[node] = 0;
    }
    profile.validate().unwrap();
    assert_same(&profile, &subsume_profile::read(&compact(&profile)).unwrap());
}

#[test]
fn a_realistic_tree_takes_few_bytes_per_context() {
    // As many methods and as deep as Maplesden et al. 2015's jython, smaller by a factor.
    let shape = Shape { contexts: 1_000_000, methods: 5_794, threads: 4, depth: 110 };
    let bytes = compact(&random_profile(12, &shape)).len() as f64 / 1e6;
    assert!(bytes <= 8.0, "{bytes} bytes per context");
}

#[test]
fn the_example_in_the_documentation_of_the_format_is_right() {
    let mut bytes = Vec::new();
    let mut writer = CompactWriter::new(&mut bytes, &["calls"]).unwrap();
    writer.push(0, MethodId(0), 0, &[1]).unwrap();
    writer.push(1, MethodId(0), 0, &[41]).unwrap();
    drop(writer);
    // The block is written when it is full or at the end.
    assert_eq!(bytes.len(), 0x29);

    let shape = Shape { contexts: 2, methods: 1, threads: 1, depth: 2 };
    let mut profile = random_profile(1, &shape);
    profile.nodes.parent = vec![NO_PARENT, 0];
    profile.nodes.site = vec![0, 0];
    profile.nodes.metrics = vec![Metric { name: "calls".into(), values: vec![1, 41] }];
    let mut bytes = compact(&profile);
    bytes.truncate(0x51);
    for checksum in [0x14, 0x2D] {
        bytes[checksum..checksum + 4].fill(0);
    }
    let expected = "53554253554D450A 140002000D0C0B0A
        0800000000000000 0900000000000000 0700 010563616C6C73
        0900000000000000 1800000000000000 0200000004000000
        0200 0000 0200 0000 0200 0000 0200 0129";
    let hex: String = bytes.iter().map(|byte| format!("{byte:02X}")).collect();
    assert_eq!(hex, expected.replace(char::is_whitespace, ""));
}

/// Adding up without the contexts in memory says the same.
#[test]
fn overviews_agree_with_the_contexts() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    for (seed, contexts) in [(11, 1), (12, 700), (13, 200_000)] {
        let mut profile = random_profile(
            seed,
            &Shape { contexts, methods: 50, threads: 3.min(contexts), depth: 40 },
        );
        let live = live_from(&mut profile).bytes();
        for (name, bytes) in
            [("overview.subsume", compact(&profile)), ("overview-live.subsume", live)]
        {
            let path = folder.join(name);
            std::fs::write(&path, bytes).unwrap();
            let read = subsume_profile::read_file(&path).unwrap();
            let overview = subsume_profile::read_overview(&path).unwrap();
            assert_eq!(overview.contexts, contexts);
            let sum = |metric: &Metric| metric.values.iter().map(|&value| u128::from(value)).sum();
            let totals: Vec<(String, u128)> = read
                .nodes
                .metrics
                .iter()
                .map(|metric| (metric.name.clone(), sum(metric)))
                .collect();
            assert_eq!(overview.totals, totals);
            assert_eq!(overview.tables.methods, read.methods);
            assert_eq!(overview.tables.threads, read.threads);
        }
    }
    let whole =
        compact(&random_profile(14, &Shape { contexts: 60, methods: 6, threads: 2, depth: 9 }));
    let path = folder.join("overview-damaged.subsume");
    for at in 0..whole.len() {
        let mut damaged = whole.clone();
        damaged[at] ^= 4;
        for bytes in [&damaged[..], &whole[..at]] {
            std::fs::write(&path, bytes).unwrap();
            assert!(subsume_profile::read_overview(&path).is_err(), "byte {at}");
        }
    }
}

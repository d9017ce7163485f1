//! Each rule of [`Profile::validate`], broken in turn.

use made_profiles::random::{Shape, random_profile};
use subsume_profile::{
    ClassId, CompactWriter, MethodId, NO_PARENT, Profile, RunInfo, Tables, ThreadTree,
};

#[track_caller]
fn refused(because: &str, damage: impl Fn(&mut Profile)) {
    let mut profile = random_profile(3, &Shape { contexts: 40, methods: 4, threads: 2, depth: 6 });
    profile.validate().unwrap();
    damage(&mut profile);
    let error = profile.validate().unwrap_err();
    assert!(error.to_string().contains(because), "{error}");
    let error = subsume_profile::write(&profile, Vec::new()).unwrap_err();
    assert!(error.to_string().contains(because), "{error}");
}

#[test]
fn numbers_lie_within_their_tables() {
    refused("of class 1000", |p| p.methods[2].class = ClassId(1_000));
    refused("of method 4 of 4", |p| p.nodes.method[7] = 4);
    refused("at site 9", |p| p.nodes.site[7] = 9);
    refused("at site 1 of 0", |p| p.nodes.site[0] = 1);
}

#[test]
fn columns_are_equally_long() {
    refused("column site", |p| p.nodes.site.push(0));
    refused("column parent", |p| p.nodes.parent.truncate(39));
    refused("column bytecodes", |p| p.nodes.metrics[1].values.clear());
}

#[test]
fn parents_come_first_and_subtrees_are_contiguous() {
    refused("not on its path", |p| p.nodes.parent[1] = 1);
    refused("not on its path", |p| p.nodes.parent[1] = 5);
    refused("not on its path", |p| {
        // The last context leaves its subtree for one that is closed.
        let closed = (1..39).find(|&node| !on_path(p, 39, node)).unwrap();
        p.nodes.parent[39] = closed;
        p.nodes.site[39] = 0;
    });
}

/// True if `node` is among the ancestors of the context before `last`.
fn on_path(profile: &Profile, last: usize, node: u32) -> bool {
    let mut at = last as u32 - 1;
    while at != NO_PARENT && at != node {
        at = profile.nodes.parent[at as usize];
    }
    at == node
}

#[test]
fn threads_cover_the_contexts_in_order() {
    refused("thread 0", |p| p.threads.swap(0, 1));
    refused("39 of 40 contexts", |p| p.threads[1].nodes.end = 39);
    refused("ends at context 41 of 40", |p| p.threads[1].nodes.end = 41);
    refused("not on its path", |p| {
        p.threads[0].nodes.end = 1;
        p.threads[1].nodes.start = 1;
    });
}

/// Pushes contexts of method 0 at these depths as one thread, and finishes
/// with `threads`.
fn push(depths: &[u32], threads: &[ThreadTree]) -> Result<Vec<u8>, subsume_profile::Error> {
    let profile = random_profile(3, &Shape { contexts: 1, methods: 1, threads: 1, depth: 1 });
    let mut bytes = Vec::new();
    let mut writer = CompactWriter::new(&mut bytes, &["calls"])?;
    for &depth in depths {
        writer.push(depth, MethodId(0), 0, &[1])?;
    }
    writer.end_thread();
    writer.finish(Tables {
        run: &RunInfo::default(),
        classes: &profile.classes,
        methods: &profile.methods,
        threads,
        skipped: &[],
        dataflow: &subsume_profile::dataflow::DataFlow::default(),
        code_hashes: &[],
        blocks: &[],
        allocated: &[],
    })?;
    Ok(bytes)
}

fn thread(nodes: std::ops::Range<u32>) -> ThreadTree {
    ThreadTree { name: "main".into(), threads: 1, nodes }
}

#[test]
fn the_writer_refuses_what_no_reader_would_take() {
    let bytes = push(&[0, 1, 1, 0], &[thread(0..4)]).unwrap();
    let parents = subsume_profile::read(&bytes).unwrap().nodes.parent;
    assert_eq!(parents, [NO_PARENT, 0, 0, NO_PARENT]);
    assert!(push(&[1], &[thread(0..1)]).is_err());
    assert!(push(&[0, 2], &[thread(0..2)]).is_err());
    assert!(push(&[0, 1], &[thread(0..1)]).is_err());
    assert!(push(&[0, 1], &[thread(0..1), thread(1..2)]).is_err());

    let mut writer = CompactWriter::new(Vec::new(), &["calls"]).unwrap();
    assert!(writer.push(0, MethodId(0), 0, &[1, 2]).is_err());
    writer.push(0, MethodId(5), 0, &[1]).unwrap();
    writer.end_thread();
    assert!(writer.push(1, MethodId(5), 0, &[1]).is_err(), "the path ends with its thread");
}

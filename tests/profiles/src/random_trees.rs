//! Random profiles.

#![allow(dead_code)] // Each test binary uses its own part of this.

use profile::{
    CallSite, ClassId, ClassInfo, MethodInfo, Metric, NO_PARENT, Nodes, Profile, ThreadTree,
};
pub use support::random::Random;

/// A profile with several threads, several roots per thread, call sites and
/// recursion. Few methods make long repetitions likely.
pub fn random_profile(random: &mut Random) -> Profile {
    let method_count = 1 + random.below(8);
    let names = ["a", "b", "c", "d", "e", "f", "g", "java.lang.reflect.Method"];
    let classes = names.map(|name| ClassInfo { name: name.into(), ..ClassInfo::default() });
    let sites = [CallSite { bci: 3, line: 1 }, CallSite { bci: 9, line: 2 }];
    let methods = (0..method_count).map(|m| MethodInfo {
        class: ClassId(7 - m as u32),
        name: "invoke".into(),
        descriptor: if m % 3 == 0 { String::new() } else { "()V".into() },
        access: 0,
        sites: sites.to_vec(),
    });
    let mut nodes = Nodes::default();
    let mut calls = Vec::new();
    let mut cost = Vec::new();
    let mut threads = Vec::new();
    for thread in 0..1 + random.below(3) {
        let start = nodes.len() as u32;
        // One chance in three for a thread without a context, and for a deep one.
        let count = [random.below(60), random.below(12), 0][random.below(3) as usize];
        let drop = 1 + random.below(6);
        let mut open: Vec<u32> = Vec::new();
        // A loop in the program, followed now and then, makes recursion exact.
        let cycle: Vec<u32> =
            (0..1 + random.below(4)).map(|_| random.below(method_count) as u32).collect();
        for _ in 0..count {
            while !open.is_empty() && random.below(drop + 1) == 0 {
                open.pop();
            }
            if random.below(20) == 0 {
                open.clear();
            }
            let node = nodes.len() as u32;
            let parent = open.last().copied().unwrap_or(NO_PARENT);
            let method = if random.below(4) > 0 {
                cycle[open.len() % cycle.len()]
            } else {
                random.below(method_count) as u32
            };
            nodes.method.push(method);
            nodes.parent.push(parent);
            nodes.site.push(if parent == NO_PARENT { 0 } else { random.below(3) as u32 });
            calls.push(random.below(5));
            cost.push(random.below(100));
            open.push(node);
        }
        let nodes = start..nodes.len() as u32;
        threads.push(ThreadTree { name: format!("thread {thread}"), threads: 1, nodes });
    }
    nodes.metrics = vec![
        Metric { name: "calls".into(), values: calls },
        Metric { name: "bytecodes".into(), values: cost },
    ];
    let profile = Profile {
        classes: classes.to_vec(),
        methods: methods.collect(),
        threads,
        nodes,
        ..Profile::default()
    };
    profile.validate().unwrap();
    profile
}

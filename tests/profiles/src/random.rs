//! Profiles made from a seed, and comparison of profiles.

use std::sync::Arc;

use profile::blocks::{Block, BlockCut, LineRun, MethodBlocks};
use profile::{
    AllocatedBytes, CallSite, ClassId, ClassInfo, Completeness, Definition, Loader, MethodId,
    MethodInfo, Metric, NO_PARENT, Nodes, Profile, RunInfo, Skipped, ThreadTree,
};
use support::random::Random;

/// The shape of a profile.
pub struct Shape {
    pub contexts: u32,
    pub methods: u32,
    pub threads: u32,
    /// Greatest depth.
    pub depth: usize,
}

/// Some classes of each loader, from a few places.
fn definition(class: u32) -> Definition {
    let loader = Loader::ALL[class as usize % Loader::ALL.len()];
    let location = match loader {
        Loader::Unknown | Loader::Boot => String::new(),
        _ => format!("file:/lib/part{}.jar", class % 3),
    };
    Definition { loader, location }
}

/// A profile with all tables filled.
pub fn random_profile(seed: u64, shape: &Shape) -> Profile {
    let mut random = Random(seed);
    let classes: Vec<ClassInfo> = (0..shape.methods / 8 + 1)
        .map(|i| ClassInfo {
            name: format!("org.example.pkg{}.Class{i}", i / 10),
            source_file: if i % 7 == 0 { String::new() } else { format!("Class{i}.java") },
            superclass: if i % 5 == 0 { String::new() } else { "java.lang.Object".into() },
            definition: Arc::new(definition(i)),
        })
        .collect();
    let methods: Vec<MethodInfo> = (0..shape.methods)
        .map(|i| MethodInfo {
            class: ClassId(i / 8),
            name: format!("method{}", i % 300),
            descriptor: ["()V", "(I)I", "(Ljava/lang/Object;)Z"][i as usize % 3].to_owned(),
            access: (i % 16) as u16,
            sites: (0..random.below(9))
                .map(|k| CallSite { bci: (k * 7) as u16, line: (i + k as u32) as u16 })
                .collect(),
        })
        .collect();
    let mut profile = Profile {
        run: RunInfo {
            completeness: Completeness::Snapshot,
            jvm: "OpenJDK 17".into(),
            command_line: "java Main \"ä\"".into(),
            options: "out=x".into(),
            writer: "test 1".into(),
            process_id: 77,
            start_millis: 1_700_000_000_000,
            end_millis: 1_700_000_001_000,
            contexts_lost: 3,
            recording_bytes: 1 << 33,
            labels: [("version", "1.2"), ("host", "ä b")]
                .map(|(name, value)| (name.to_owned(), value.to_owned()))
                .into(),
            ..RunInfo::default()
        },
        blocks: (0..methods.len() as u32)
            .step_by(3)
            .map(|m| random_blocks(&mut random, m))
            .collect(),
        allocated: (0..methods.len() as u32)
            .step_by(4)
            .flat_map(|method| {
                ["int[]", "a.B"].map(|class| AllocatedBytes {
                    method: MethodId(method),
                    class: class.into(),
                    bytes: u64::from(method) << 30,
                })
            })
            .collect(),
        code_hashes: (1..).take(methods.len()).map(|n: u64| n.wrapping_mul(seed)).collect(),
        classes,
        methods,
        skipped: vec![Skipped {
            class: "a.B".into(),
            method: "c()V".into(),
            reason: "too large".into(),
        }],
        ..Profile::default()
    };
    profile.nodes = random_nodes(&mut random, shape, &profile.methods);
    let mut starts: Vec<u32> = (0..shape.contexts)
        .filter(|&node| profile.nodes.parent[node as usize] == NO_PARENT)
        .collect();
    starts.truncate(shape.threads as usize);
    if starts.is_empty() {
        starts.push(0);
    }
    let ends = starts.iter().skip(1).copied().chain([shape.contexts]);
    profile.threads = starts
        .iter()
        .zip(ends)
        .enumerate()
        .map(|(i, (&start, end))| ThreadTree {
            name: format!("thread {i}"),
            threads: i as u32 + 1,
            nodes: start..end,
        })
        .collect();
    profile
}

fn random_blocks(random: &mut Random, method: u32) -> MethodBlocks {
    let count = 1 + random.below(4) as u32;
    let block = |number, random: &mut Random| Block {
        times: (number > 0).then(|| random.skewed(20)),
        runs: (0..random.below(3))
            .map(|n| LineRun { line: (method as u16) + n as u16, instructions: 1 + n as u32 })
            .collect(),
    };
    let blocks = (0..count).map(|number| block(number, random)).collect();
    let cuts = (0..random.below(2) as u32).map(|n| BlockCut { block: n, executed: 2, times: 9 });
    MethodBlocks { method: MethodId(method), blocks, cuts: cuts.collect() }
}

fn random_nodes(random: &mut Random, shape: &Shape, methods: &[MethodInfo]) -> Nodes {
    let mut nodes = Nodes {
        metrics: ["calls", "bytecodes", "allocations", "moved"]
            .map(|name| Metric { name: name.into(), values: Vec::new() })
            .into(),
        ..Nodes::default()
    };
    let mut path: Vec<u32> = Vec::new();
    let every = (shape.contexts / shape.threads.max(1)).max(1);
    for node in 0..shape.contexts {
        if node % every == 0 {
            path.clear();
        } else if path.len() >= shape.depth || random.below(100) < 52 {
            // Half of all contexts are leaves in real programs.
            let up = 1 + random.below(3).min(random.below(8)) as usize;
            path.truncate(path.len().saturating_sub(up).max(1));
        }
        let (parent, site) = match path.last() {
            Some(&parent) => {
                let caller = &methods[nodes.method[parent as usize] as usize];
                (parent, random.below(caller.sites.len() as u64 + 1) as u32)
            }
            None => (NO_PARENT, 0),
        };
        // A few methods run everywhere, most are rare.
        let spread = random.below(u64::from(shape.methods)) + 1;
        nodes.method.push(random.below(spread) as u32);
        nodes.parent.push(parent);
        nodes.site.push(site);
        let calls = random.skewed(14);
        let of_calls = [calls * random.below(60), random.skewed(8) * random.below(2)];
        // Few contexts move anything.
        let moved = random.skewed(12) * u64::from(random.below(16) == 0);
        let costs = [calls, of_calls[0], of_calls[1], moved];
        for (metric, cost) in nodes.metrics.iter_mut().zip(costs) {
            metric.values.push(cost);
        }
        path.push(node);
    }
    nodes
}

/// Both profiles in full, table by table.
pub fn assert_same(left: &Profile, right: &Profile) {
    assert_eq!(format!("{:?}", left.run), format!("{:?}", right.run));
    assert_eq!(left.classes, right.classes);
    assert_eq!(left.methods, right.methods);
    assert_eq!(left.allocated, right.allocated);
    assert_eq!(left.threads, right.threads);
    assert_eq!(left.skipped, right.skipped);
    assert_eq!(left.code_hashes, right.code_hashes);
    assert_eq!(left.blocks, right.blocks);
    assert_eq!(left.nodes.method, right.nodes.method);
    assert_eq!(left.nodes.parent, right.nodes.parent);
    assert_eq!(left.nodes.site, right.nodes.site);
    assert_eq!(left.nodes.metrics, right.nodes.metrics);
}

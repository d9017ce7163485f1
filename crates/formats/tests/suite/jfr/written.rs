//! Recordings that we write, read again by us, by another crate and by JDKs.

use std::collections::BTreeMap;
use std::process::Command;

use made_profiles::random_trees::{Random, random_profile};
use made_profiles::recordings;
use profile::{ClassId, ClassInfo, MethodInfo, Metric, NO_PARENT, Nodes, Profile, ThreadTree};
use serde_json::Value;
use subsume_formats::export::folded::Stacks;
use subsume_formats::export::jfr::{self, Run};
use tree::Tree;
use tree::forest::{MetricChoice, Selection};
use tree::names::pattern::Pattern;

use super::{bins, file, read, witness};

/// Costs by thread and names of the frames, from the root on.
type Costs = BTreeMap<(String, Vec<String>), u64>;

/// The contexts of threads apart, by a metric.
fn apart(profile: Profile, metric: &str) -> Tree {
    let metric = MetricChoice::Named(metric.to_owned());
    let selection = Selection { metric, by_thread: true, ..Selection::default() };
    Tree::merge(vec![("test".into(), profile)], &selection).unwrap()
}

/// What is not zero of a column.
fn costs(tree: &Tree, column: &[u64]) -> Costs {
    let name = |&node: &u32| tree.methods[tree.method[node as usize] as usize].to_string();
    let mut costs = Costs::new();
    for (node, &cost) in column.iter().enumerate().filter(|(_, cost)| **cost > 0) {
        let thread = tree.thread_names[tree.thread[node] as usize].clone();
        let path = tree.path(node as u32).iter().map(name).collect();
        assert_eq!(costs.insert((thread, path), cost), None);
    }
    costs
}

fn written(tree: &Tree, run: &Run, samples: u64) -> Vec<u8> {
    let mut bytes = Vec::new();
    jfr::write(tree, &Stacks::default(), run, samples, &mut bytes).unwrap();
    bytes
}

fn trees(seed: u64, count: usize) -> impl Iterator<Item = Tree> {
    let mut random = Random(seed);
    let all = std::iter::repeat_with(move || apart(random_profile(&mut random), "bytecodes"));
    all.filter(|tree| tree.total() > 0).take(count)
}

/// If there are as many samples as costs, each is one.
#[test]
fn costs_come_back() {
    for tree in trees(51, 100) {
        let bytes = written(&tree, &Run::default(), u64::MAX);
        let again = apart(read("written.jfr", &bytes).unwrap(), "samples");
        assert_eq!(costs(&again, again.cost()), costs(&tree, tree.cost()));
    }
}

#[test]
fn subtrees_are_less_than_one_sample_off() {
    const SAMPLES: u64 = 200;
    let mut most = 0.0f64;
    for tree in trees(52, 100) {
        let bytes = written(&tree, &Run::default(), SAMPLES);
        let again = apart(read("shares.jfr", &bytes).unwrap(), "samples");
        let samples = SAMPLES.min(tree.total());
        assert_eq!(again.total(), samples);
        let share = samples as f64 / tree.total() as f64;
        for (expected, found) in [
            (costs(&tree, tree.cost()), costs(&again, again.cost())),
            (costs(&tree, &tree.inclusive()), costs(&again, &again.inclusive())),
        ] {
            assert!(found.keys().all(|path| expected.contains_key(path)));
            for (path, cost) in expected {
                let found = found.get(&path).copied().unwrap_or(0);
                let error = (found as f64 - cost as f64 * share).abs();
                assert!(error < 1.0, "{path:?}: {found} of {cost}");
                most = most.max(error);
            }
        }
    }
    assert!(most > 0.5, "{most}: nothing was rounded");
}

/// Objects and bytes have events with a weight, one for each context.
#[test]
fn allocations_are_exact() {
    for (mut tree, name) in trees(53, 60).zip(["allocations", "bytes", "allocated"].iter().cycle())
    {
        tree.metrics[0].name = (*name).to_owned();
        let most = i64::MAX as u64 / 100 / tree.len() as u64;
        for value in &mut tree.metrics[0].values {
            *value *= most;
        }
        tree.choose_metrics(&[(*name).to_owned()]);
        let bytes = written(&tree, &Run::default(), 3);
        let again = apart(read("allocations.jfr", &bytes).unwrap(), "allocated");
        assert_eq!(costs(&again, again.cost()), costs(&tree, tree.cost()));
    }
}

/// Names of all kinds: of packages, of lambdas, of other tools, and no name at all.
#[test]
fn names_come_back() {
    let classes = ["java.util.Map$Entry", "a.B$$Lambda", "Main", "", "/usr/lib/libc.so", "ä.Ö"];
    let descriptors = ["(Ljava/lang/Object;[[J)V", "", "()V", "", "", ""];
    let names = ["get", "run", "<init>", "[unknown]", "6", "wörk\u{1f600}"];
    let class = |name: &str| ClassInfo { name: name.into(), ..ClassInfo::default() };
    let method = |(class, name): (u32, &str)| {
        MethodInfo::new(ClassId(class), name, descriptors[class as usize])
    };
    let profile = Profile {
        classes: classes.map(class).to_vec(),
        methods: (0..).zip(names).map(method).collect(),
        threads: vec![
            ThreadTree { name: "main".into(), threads: 1, nodes: 0..6 },
            ThreadTree { name: String::new(), threads: 1, nodes: 6..7 },
            ThreadTree { name: "pool-*-ünï".into(), threads: 3, nodes: 7..8 },
        ],
        nodes: Nodes {
            method: vec![0, 1, 2, 3, 4, 5, 0, 0],
            parent: vec![NO_PARENT, 0, 1, 2, 3, 4, NO_PARENT, NO_PARENT],
            site: vec![0; 8],
            metrics: vec![Metric {
                name: "bytecodes".into(),
                values: vec![1, 2, 3, 4, 5, 6, 7, 8],
            }],
        },
        ..Profile::default()
    };
    let tree = apart(profile, "bytecodes");
    let run = Run { start_millis: 1_767_225_600_000, millis: 12_345, ..Run::default() };
    let again = read("names.jfr", &written(&tree, &run, 1_000)).unwrap();
    assert_eq!(
        [again.run.start_millis, again.run.end_millis],
        [1_767_225_600_000, 1_767_225_612_345]
    );
    let again = apart(again, "samples");
    assert_eq!(costs(&again, again.cost()), costs(&tree, tree.cost()));
}

#[test]
fn parts_are_written_too() {
    let tree = apart(recordings::recording(), "bytecodes");
    let class = Some(Pattern::new("com.example.Worker"));
    let mut bytes = Vec::new();
    let stacks = Stacks { class, ..Stacks::default() };
    jfr::write(&tree, &stacks, &Run::default(), 100, &mut bytes).unwrap();
    let again = apart(read("parts.jfr", &bytes).unwrap(), "samples");
    assert_eq!(again.total(), 100);
    let of_class = |(_, path): &(String, Vec<String>)| {
        path.iter().any(|frame| frame.starts_with("com.example.Worker."))
    };
    assert!(costs(&again, again.cost()).keys().all(of_class));
}

/// A recording of several chunks, which cover the time one after the other.
#[test]
fn long_recordings_have_several_chunks() {
    const SAMPLES: u64 = 3_000_000;
    let mut tree = apart(recordings::recording(), "bytecodes");
    for value in &mut tree.metrics[0].values {
        *value *= 1_000;
    }
    tree.choose_metrics(&["bytecodes".to_owned()]);
    let run = Run { start_millis: 1_000, millis: 60_000, ..Run::default() };
    let bytes = written(&tree, &run, SAMPLES);
    let (mut at, mut time, mut chunks) = (0, 1_000_000_000, 0);
    while at < bytes.len() {
        let number = |offset: usize| {
            u64::from_be_bytes(bytes[at + offset..at + offset + 8].try_into().unwrap())
        };
        assert_eq!(bytes[at..at + 8], *b"FLR\0\0\x02\0\x01");
        assert_eq!(number(32), time, "chunk {chunks}");
        time += number(40);
        let is_last = at + number(8) as usize == bytes.len();
        assert_eq!(bytes[at + 67], if is_last { 3 } else { 1 });
        at += number(8) as usize;
        chunks += 1;
    }
    assert_eq!((at, time), (bytes.len(), 61_000_000_000));
    assert!(chunks > 1, "{chunks}");
    let again = apart(read("long.jfr", &bytes).unwrap(), "samples");
    assert_eq!(again.total(), SAMPLES);
}

/// The crate jfrs reads the same.
#[test]
fn another_reader_agrees() {
    let tree = apart(recordings::recording(), "bytecodes");
    let bytes = written(&tree, &Run::default(), 10_000);
    let samples = witness::samples(&bytes);
    assert_eq!(samples.values().sum::<u64>(), 10_000);
    assert_eq!(samples, super::paths(&read("witness.jfr", &bytes).unwrap(), "samples"));
}

/// `jfr summary` counts the events, and `jfr print` has their stacks, threads and weights.
#[test]
fn tools_of_jdks_agree() {
    let run = Run {
        start_millis: 1_767_225_600_000,
        millis: 12_345,
        jvm: "OpenJDK 64-Bit Server VM 17.0.15".into(),
        program: "com.example.App".into(),
        process_id: 4711,
    };
    for (metric, event, samples) in [
        ("bytecodes", "jdk.ExecutionSample", 777),
        ("allocations", "jdk.ObjectAllocationSample", 1),
    ] {
        let tree = apart(recordings::recording(), metric);
        let bytes = written(&tree, &run, samples);
        let path = file(&format!("{metric}.jfr"), &bytes);
        let of_import = match metric {
            "bytecodes" => "samples",
            _ => "allocated",
        };
        let expected = apart(read("again.jfr", &bytes).unwrap(), of_import);
        let expected = costs(&expected, expected.cost());
        for bin in bins() {
            let jfr = |arguments: &[&str]| {
                let output = Command::new(bin.join("jfr")).args(arguments).arg(&path).output();
                let output = output.unwrap();
                assert!(output.status.success(), "{}: {output:?}", bin.display());
                String::from_utf8(output.stdout).unwrap()
            };
            let summary = jfr(&["summary"]);
            let counted = summary.lines().find_map(|line| {
                let mut words = line.split_whitespace();
                (words.next() == Some(event)).then(|| words.next().unwrap().to_owned())
            });
            let printed = jfr(&["print", "--json", "--stack-depth", "64"]);
            let printed: Value = serde_json::from_str(&printed).unwrap();
            let (found, events) = of_json(&printed, event);
            assert_eq!(counted, Some(events.to_string()), "{summary}");
            assert!(summary.contains("Duration: 12 s"), "{summary}");
            assert_eq!(found, expected, "{}", bin.display());
            let text = jfr(&["print"]);
            assert_eq!(text.matches(&format!("{event} {{")).count(), events, "{text}");
            for part in ["com.example.Worker.", "javaThreadId", "OpenJDK 64-Bit Server VM", "4711"]
            {
                assert!(text.contains(part), "{text}");
            }
        }
    }
}

/// Samples, or weights, of events as `jfr print --json` has them, and how many there are.
fn of_json(printed: &Value, event: &str) -> (Costs, usize) {
    let mut costs = Costs::new();
    let mut count = 0;
    for one in printed["recording"]["events"].as_array().unwrap() {
        if one["type"] != event {
            continue;
        }
        let values = &one["values"];
        let frames = values["stackTrace"]["frames"].as_array().unwrap().iter().rev();
        let name = |frame: &Value| {
            let method = &frame["method"];
            let text = |value: &Value| value.as_str().unwrap().to_owned();
            let class = text(&method["type"]["name"]).replace('/', ".");
            format!("{class}.{}{}", text(&method["name"]), text(&method["descriptor"]))
        };
        let thread = match &values["sampledThread"] {
            Value::Null => &values["eventThread"],
            thread => thread,
        };
        assert!(values["startTime"].as_str().unwrap().starts_with("2026-01-01T"), "{values}");
        let thread = thread["javaName"].as_str().unwrap().to_owned();
        let cost = values["weight"].as_u64().unwrap_or(1);
        *costs.entry((thread, frames.map(name).collect())).or_default() += cost;
        count += 1;
    }
    (costs, count)
}

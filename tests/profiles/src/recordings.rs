//! Recordings of a small program, one for each mode, for tests of commands.

use std::fs;
use std::path::Path;

use profile::blocks::{Block, BlockCut, LineRun, MethodBlocks};
use profile::dataflow::{
    GrowthPoint, GrowthProfile, GrowthTotals, LoopEffects, LoopGrowth, LoopProfile, LoopTotals,
    MethodResults, Place, ResultsProfile, ResultsTotals, SimilarLoop, SimilarRead, TypestateEdge,
    TypestateNode, TypestateProfile, TypestateProtocol, TypestateSite, TypestateState,
};
use profile::results::{NULL, ONE_VALUE, PER_RECEIVER, VOID};
use profile::{
    CallSite, ClassId, ClassInfo, MethodInfo, Metric, NO_PARENT, Nodes, Profile, RunInfo, Skipped,
    ThreadTree,
};

/// A recording in which a loop of `App.sort` reads the same elements again, by way of
/// `App.less` and itself.
pub fn loops() -> Profile {
    let place = |method, bci, line| Place { method: Some(profile::MethodId(method)), bci, line };
    let read = |path: &[Place], at, what: &str, wasted| SimilarRead {
        place: at,
        path: path.to_vec(),
        what: what.into(),
        reported: 1,
        same_places: 1,
        sequences: 29,
        similar: 28,
        reads: 870,
        wasted,
        ratios: 28_000,
        truncated: 0,
    };
    let found = SimilarLoop {
        place: place(1, 2, 19),
        path: vec![place(0, 15, 0)],
        instances: 3,
        judged: 2,
        reported: 1,
        iterations: 30,
        reads: 1_000,
        repeated: 900,
        wasted: 1_680,
        unjudged: 12_288,
        similar: vec![
            read(&[place(1, 12, 21)], place(2, 5, 25), "elements of int[]", 840),
            read(&[], place(1, 9, 20), "com.example.App.size", 840),
        ],
        others: 0,
    };
    let totals = LoopTotals {
        reads: 5_000,
        deep: 2,
        exhausted: 40,
        unjudged: 2_611_200,
        ..LoopTotals::default()
    };
    let mut profile = recording();
    profile.dataflow.loops = Some(LoopProfile { loops: vec![found], totals });
    profile
}

/// A recording in which a loop of `App.sort` is quadratic, `App.less` is recursive and linear, and
/// one of `App.main` ran once.
pub fn growth() -> Profile {
    let one = |method, line, points: Vec<GrowthPoint>| {
        let place = Place { method: Some(profile::MethodId(method)), bci: 2, line };
        LoopGrowth { place, is_method: method == 2, points, ..LoopGrowth::default() }
    };
    let of = |cost: fn(u64) -> u64| {
        let sizes = [10, 20, 40, 80, 160, 320];
        sizes.iter().map(|&size| GrowthPoint::of(size, cost(size))).collect()
    };
    let mut loops = vec![
        one(0, 12, vec![GrowthPoint::of(630, 4_000)]),
        one(1, 19, of(|size| size * size / 2)),
        one(2, 25, of(|size| 3 * size)),
    ];
    loops[1].effects = LoopEffects {
        has_one_exit: true,
        instances: 40,
        iterations: 9_000,
        iterations_behind: 6_300,
        ..LoopEffects::default()
    };
    let mean = &mut loops[1].points[5];
    mean.add(&GrowthPoint::of(324, 52_000));
    let totals = GrowthTotals { instances: 16, inexact: 2, unkept: 0, unfinished: 1, resting: 0 };
    let mut profile = recording();
    profile.dataflow.loops = Some(LoopProfile::default());
    profile.dataflow.growth = Some(GrowthProfile { loops, totals });
    profile
}

/// A recording in which `App.main` makes twelve streams: one is read after it was closed,
/// and two are never closed. `App.less` obtains iterators, one of which has ended when it
/// goes on, and the JDK has a stream of its own.
pub fn typestate() -> Profile {
    let place = |method, bci, line| Place { method: Some(profile::MethodId(method)), bci, line };
    let protocol = |name: &str, states: &[&str]| TypestateProtocol {
        name: name.into(),
        start: 1,
        states: std::iter::once(&"error")
            .chain(states)
            .map(|&name| TypestateState { name: name.into(), is_leak: name == "open" })
            .collect(),
    };
    let site =
        |place, class: &str, is_obtained| TypestateSite { place, class: class.into(), is_obtained };
    let (made, obtained) = (place(0, 2, 12), place(2, 3, 24));
    let node = |site: Option<u32>, place, event: &str, before, after| TypestateNode {
        protocol: u32::from(site == Some(1)),
        site,
        place,
        event: (!event.is_empty()).then(|| event.into()),
        before,
        after,
    };
    let edge = |from, to, count| TypestateEdge { from, to, count };
    let file = Some(0);
    let iterator = Some(1);
    let histories = TypestateProfile {
        protocols: vec![
            protocol("file", &["open", "closed"]),
            protocol("iterator", &["fresh", "exhausted"]),
        ],
        sites: vec![
            site(made, "java.io.FileInputStream", false),
            site(obtained, "java.util.Iterator", true),
        ],
        nodes: vec![
            node(file, made, "", 1, 1),
            node(file, place(1, 5, 19), "read", 1, 1),
            node(file, place(0, 30, 15), "close", 1, 2),
            node(file, place(1, 5, 19), "read", 2, 0),
            node(iterator, obtained, "", 1, 1),
            node(iterator, place(2, 9, 25), "hasNext=false", 1, 2),
            node(iterator, place(2, 20, 26), "next", 2, 0),
            node(None, place(3, 4, 0), "write", 1, 1),
        ],
        edges: vec![
            edge(None, 0, 12),
            edge(Some(0), 1, 11),
            edge(Some(1), 1, 193),
            edge(Some(1), 2, 10),
            edge(Some(2), 3, 1),
            edge(None, 4, 1_000),
            edge(Some(4), 5, 1_000),
            edge(Some(5), 6, 3),
            edge(None, 7, 1),
        ],
        lost: 0,
        unfollowed: 1,
    };
    let mut profile = recording();
    profile.dataflow.typestates = Some(histories);
    profile
}

/// A recording with results of methods: `Format.format` is a candidate for a cache,
/// `Fonts.key` one by structure, `Fonts.hashCode` is a cache, and `Fonts.find` always
/// finds nothing. The classes name their superclasses.
pub fn results() -> Profile {
    let mut profile = recording();
    let supers = ["java.lang.Object", "com.example.App", "java.lang.Object", "gone.Base"];
    for (class, superclass) in profile.classes.iter_mut().zip(supers) {
        class.superclass = superclass.into();
    }
    let superclass = "com.example.Worker".into();
    let name = "com.example.Fonts".into();
    profile.classes.push(ClassInfo { name, superclass, ..ClassInfo::default() });
    // Name, descriptor, calls, bytecodes of its own.
    let methods = [
        ("key", "(Lcom/example/Font;)Lcom/example/Key;", 2_001, 900_000),
        ("hashCode", "()I", 9_000, 60_000),
        ("find", "(Ljava/lang/String;)Ljava/lang/Object;", 1_200, 30_000),
        ("metrics", "(Lcom/example/Font;)[I", 1_500, 800_000),
        ("check", "()Z", 3, 9),
    ];
    for (name, descriptor, calls, bytecodes) in methods {
        let method = profile.methods.len() as u32;
        profile.methods.push(MethodInfo {
            class: ClassId(4),
            name: name.into(),
            descriptor: descriptor.into(),
            access: 1,
            sites: vec![CallSite { bci: 2, line: 70 }],
        });
        profile.nodes.method.push(method);
        profile.nodes.parent.push(NO_PARENT);
        profile.nodes.site.push(0);
        for (metric, value) in profile.nodes.metrics.iter_mut().zip([calls, bytecodes, 0]) {
            metric.values.push(value);
        }
    }
    profile.threads[1].nodes.end = profile.nodes.method.len() as u32;
    let none =
        |method| MethodResults { method: profile::MethodId(method), ..MethodResults::default() };
    let format = MethodResults {
        returned: 3_010,
        receivers: 2,
        inputs: 40,
        hits: 2_970,
        last_hits: 2_900,
        wrote: 40,
        cost: 4_575_200,
        saving: 4_500_000,
        ..none(4)
    };
    let key = MethodResults {
        returned: 2_000,
        receivers: 1,
        inputs: 1_900,
        hits: 20,
        conflicts: 80,
        cost: 900_000,
        saving: 9_000,
        ..none(8)
    };
    let deep = |depth, hits, saving| MethodResults {
        depth,
        inputs: 2_000 - hits,
        hits,
        conflicts: 0,
        saving,
        ..key
    };
    let hash_code = MethodResults {
        returned: 9_000,
        receivers: 900,
        inputs: 900,
        hits: 8_100,
        last_hits: 4,
        wrote: 900,
        cost: 60_000,
        saving: 40_500,
        kinds: PER_RECEIVER,
        ..none(9)
    };
    let find = MethodResults {
        returned: 1_200,
        receivers: 1,
        inputs: 300,
        hits: 900,
        cost: 30_000,
        saving: 22_500,
        kinds: NULL | ONE_VALUE | PER_RECEIVER,
        ..none(10)
    };
    let metrics = MethodResults {
        returned: 1_500,
        receivers: 9_600,
        receivers_level: 2,
        inputs: 9_600,
        level: 2,
        hits: 100,
        hits_error: 40,
        cost: 800_000,
        saving: 60_000,
        saving_error: 3_000,
        ..none(11)
    };
    let methods = vec![
        MethodResults { returned: 1, inputs: 1, cost: 4_629_720, kinds: VOID, ..none(0) },
        MethodResults {
            returned: 5,
            unfollowed: 4,
            stopped: true,
            inputs: 5,
            cost: 54_000,
            kinds: VOID,
            ..none(1)
        },
        format,
        key,
        deep(1, 1_931, 850_000),
        deep(2, 1_900, 840_000),
        MethodResults { level: 1, hits_error: 25, saving_error: 9_000, ..deep(4, 400, 160_000) },
        hash_code,
        find,
        metrics,
        none(12),
    ];
    let totals = ResultsTotals { threads: 2, identities: 12_000, too_deep: 4 };
    profile.dataflow.results = Some(ResultsProfile { methods, totals });
    profile
}

/// A recording in which lines of `App.sort` and of `App.less` were counted, where one
/// call of the latter ended by an exception.
pub fn lines() -> Profile {
    let run = |line, instructions| LineRun { line, instructions };
    let mut profile = recording();
    profile.blocks = vec![
        MethodBlocks {
            method: profile::MethodId(1),
            blocks: vec![
                Block { times: None, runs: vec![run(18, 2), run(19, 3)] },
                Block { times: Some(3_000), runs: vec![run(20, 4), run(19, 2)] },
            ],
            cuts: Vec::new(),
        },
        MethodBlocks {
            method: profile::MethodId(2),
            blocks: vec![Block { times: None, runs: vec![run(25, 6)] }],
            cuts: vec![BlockCut { block: 0, executed: 4, times: 1 }],
        },
    ];
    profile
}

/// A recording in which nothing was executed.
pub fn idle() -> Profile {
    let mut profile = recording();
    profile.nodes = Nodes::default();
    profile.nodes.metrics = ["calls", "bytecodes", "allocations"]
        .map(|name| Metric { name: name.into(), values: Vec::new() })
        .to_vec();
    for thread in &mut profile.threads {
        thread.nodes = 0..0;
    }
    profile.skipped.clear();
    profile
}

/// A recording with a million elements moved by the buffers of the worker.
pub fn moves() -> Profile {
    let mut profile = recording();
    let mut values = vec![0; profile.nodes.len()];
    values[12] = 1_000_000;
    profile.nodes.metrics.push(Metric { name: "moved".into(), values });
    profile
}

/// Method, parent, call site, calls, bytecodes, allocations.
type Row = (u32, u32, u32, u64, u64, u64);

/// Writes a profile in the compact form.
pub fn write(profile: &Profile, path: &Path) {
    profile::write(profile, fs::File::create(path).unwrap()).unwrap();
}

/// A recording of two threads with call sites, overloads, recursion and
/// reflection:
///
/// ```text
/// main    App.main -> Format.format(double) from two lines -> Format.format(double, Buffer)
///                  -> Method.invoke -> App.sort -> App.sort -> App.sort -> App.less
/// worker  Worker.run -> Format.format(double) ; App.less
/// ```
pub fn recording() -> Profile {
    let classes =
        ["com.example.App", "com.example.Worker", "java.text.Format", "java.lang.reflect.Method"];
    let site = |bci, line| CallSite { bci, line };
    let method = |class, name: &str, descriptor: &str, sites: &[CallSite]| MethodInfo {
        class: ClassId(class),
        name: name.into(),
        descriptor: descriptor.into(),
        access: 1,
        sites: sites.to_vec(),
    };
    let methods = vec![
        method(0, "main", "([Ljava/lang/String;)V", &[site(3, 10), site(9, 11), site(15, 0)]),
        method(0, "sort", "([I)V", &[site(7, 20), site(12, 21)]),
        method(0, "less", "(II)Z", &[]),
        method(1, "run", "()V", &[site(4, 30)]),
        method(2, "format", "(D)Ljava/lang/String;", &[site(2, 40)]),
        method(2, "format", "(DLjava/lang/StringBuffer;)V", &[]),
        method(3, "invoke", "(Ljava/lang/Object;[Ljava/lang/Object;)Ljava/lang/Object;", &[]),
        method(1, "unused", "()V", &[]),
    ];
    let rows: [Row; 14] = [
        (0, NO_PARENT, 0, 1, 120, 1),
        (4, 0, 1, 1_000, 20_000, 1_000),
        (5, 1, 1, 1_000, 1_500_000, 2_000),
        (4, 0, 2, 10, 200, 10),
        (5, 3, 1, 10, 15_000, 20),
        (6, 0, 3, 5, 400, 5),
        (1, 5, 0, 5, 5_000, 0),
        (1, 6, 1, 10, 9_000, 0),
        (1, 7, 1, 20, 16_000, 0),
        (2, 8, 2, 4_000, 24_000, 0),
        (3, NO_PARENT, 0, 4, 1_000, 4),
        (4, 10, 1, 2_000, 40_000, 2_000),
        (5, 11, 1, 2_000, 3_000_000, 4_000),
        (2, NO_PARENT, 0, 2, 12, 0),
    ];
    let metric = |name: &str, value: fn(&Row) -> u64| Metric {
        name: name.into(),
        values: rows.iter().map(value).collect(),
    };
    Profile {
        run: RunInfo {
            jvm: "OpenJDK 64-Bit Server VM 17.0.15".into(),
            command_line: "com.example.App input.txt".into(),
            options: "out=app.subsume".into(),
            writer: "subsume agent 0.1.0".into(),
            process_id: 4711,
            start_millis: 1_767_225_600_000,
            end_millis: 1_767_225_612_345,
            recording_bytes: 4_096,
            ..RunInfo::default()
        },
        classes: classes
            .map(|name| ClassInfo { name: name.into(), ..ClassInfo::default() })
            .to_vec(),
        methods,
        threads: vec![
            ThreadTree { name: "main".into(), threads: 1, nodes: 0..10 },
            ThreadTree { name: "worker".into(), threads: 4, nodes: 10..14 },
        ],
        nodes: Nodes {
            method: rows.iter().map(|row| row.0).collect(),
            parent: rows.iter().map(|row| row.1).collect(),
            site: rows.iter().map(|row| row.2).collect(),
            metrics: vec![
                metric("calls", |row| row.3),
                metric("bytecodes", |row| row.4),
                metric("allocations", |row| row.5),
            ],
        },
        skipped: [
            ("java.lang.Math", "sin(D)D", "has an interpreter entry of its own"),
            ("java.lang.Math", "cos(D)D", "has an interpreter entry of its own"),
            ("java.lang.Math", "tan(D)D", "has an interpreter entry of its own"),
            ("java.lang.Math", "sqrt(D)D", "has an interpreter entry of its own"),
            ("jdk.internal.vm.Continuation", "", "cannot be changed"),
        ]
        .map(|(class, method, reason)| Skipped {
            class: class.into(),
            method: method.into(),
            reason: reason.into(),
        })
        .to_vec(),
        ..Profile::default()
    }
}

//! Histories of objects that follow protocols (Xu et al. 2014, section 2.1).

use std::path::Path;

use analysis::dataflow::typestate::{Group, Histories, counts, groups, unite};
use profile::dataflow::{Place, TypestateEdge, TypestateNode};
use support::{Jdk, each, in_turn, ways_in_turn};

use crate::rig::Recording;

/// Ways to run the same code; what is found must not depend on them.
const JVMS: [&[&str]; 4] = [
    &[],
    &["-Xint"],
    // Compiled by C2 when it has run a few times.
    &["-Xbatch", "-XX:CompileThresholdScaling=0.01"],
    &["-XX:+UseSerialGC", "-Xmx20m", "-XX:-UseCompressedOops"],
];

fn recorded(jdk: &Jdk, program: &str, jvm: &[&str]) -> Histories {
    let profile = Recording::new(jdk, program, "mode=typestate").with(jvm).run().profile;
    unite(&[("the profile".to_owned(), profile)]).expect("histories were recorded")
}

/// The method of a place.
fn method(histories: &Histories, place: Place) -> String {
    let method = place.method.expect("events are in methods");
    histories.methods[method.0 as usize].qualified()
}

/// The name of a state of the objects of a node.
fn state<'h>(histories: &'h Histories, node: &TypestateNode, state: u32) -> &'h str {
    &histories.graph.protocols[node.protocol as usize].states[state as usize].name
}

/// The objects whose sites lie in a program: method, how many, class and protocol, what
/// broke the protocol in which state, and the states in which objects were left.
fn objects(histories: &Histories, program: &str) -> Vec<String> {
    let graph = &histories.graph;
    let line = |group: &Group| {
        let site = &graph.sites[group.site? as usize];
        let method = method(histories, site.place);
        let method = method.strip_prefix(program)?.strip_prefix('.')?;
        let protocol = &graph.protocols[group.protocol as usize];
        let broken = group.broken.iter().map(|one| {
            let node = &graph.nodes[one.node as usize];
            let event = node.event.as_deref().unwrap_or_default();
            format!(", {} {event} in {}", one.objects, state(histories, node, node.before))
        });
        let left = group.leaks.iter().map(|leak| {
            let state = &protocol.states[leak.state as usize].name;
            format!(", {} left {state}", leak.objects)
        });
        let (name, class, objects) = (&protocol.name, &site.class, group.objects);
        let verdicts: String = broken.chain(left).collect();
        Some(format!("{method}: {objects} {class} ({name}){verdicts}"))
    };
    let mut lines: Vec<String> = groups(graph).iter().filter_map(line).collect();
    lines.sort();
    lines
}

/// The events in a method, by their places: state before, event, how often, and state
/// after.
fn events(histories: &Histories, of: &str) -> Vec<String> {
    let graph = &histories.graph;
    let counts = counts(graph);
    let nodes = graph.nodes.iter().zip(&counts);
    let mut found: Vec<_> = nodes
        .filter(|(node, _)| method(histories, node.place) == of)
        .map(|(node, count)| {
            let event = node.event.as_deref().unwrap_or("new");
            let [before, after] =
                [node.before, node.after].map(|number| state(histories, node, number));
            (node.place.bci, format!("{before} -- {event} ({count}) --> {after}"))
        })
        .collect();
    found.sort();
    found.into_iter().map(|(_, text)| text).collect()
}

/// However the program is run, its objects are these.
fn has_objects(program: &str, expected: &[&str]) {
    for jdk in in_turn() {
        each(&ways_in_turn(&[JVMS[0], JVMS[2]], 1), |jvm| {
            let found = objects(&recorded(jdk, program, jvm), program);
            assert_eq!(found, expected, "{program} on {jdk} {jvm:?}");
        });
    }
}

/// The program of figure 2(b): 100 times `put` at one instruction, 50 times at the other
/// one behind every second of them.
#[test]
fn figure_2_b() {
    let protocol = Path::new(env!("CARGO_MANIFEST_DIR")).join("programs/typestate/file.protocol");
    let options = format!("mode=typestate,protocol={}", protocol.display());
    for jdk in in_turn() {
        each(&ways_in_turn(&JVMS, 1), |jvm| {
            let recording = Recording::new(jdk, "HistoryOfFile", &options).with(jvm);
            let profile = recording.run().profile;
            assert!(profile.dataflow.copies.is_none(), "no copies were recorded");
            let histories = unite(&[("the profile".to_owned(), profile)]).expect("are there");
            let expected = [
                "u -- new (1) --> u",
                "u -- create (1) --> oe",
                "oe -- put (1) --> on",
                "on -- put (99) --> on",
                "on -- put (50) --> on",
                "on -- close (1) --> c",
                "c -- get (1) --> error",
            ];
            assert_eq!(events(&histories, "HistoryOfFile.main"), expected, "{jdk} {jvm:?}");
            // The next-event relation: first put to second put, and so on.
            let graph = &histories.graph;
            let bci = |node: u32| graph.nodes[node as usize].place.bci;
            let event = |node: u32| {
                let node = &graph.nodes[node as usize];
                (node.place.bci, state(&histories, node, node.before))
            };
            let mut places: Vec<u16> = graph.edges.iter().map(|edge| bci(edge.to)).collect();
            places.sort_unstable();
            places.dedup();
            let [new, create, put, other, close, get] = places[..] else { panic!("{places:?}") };
            let edge = |edge: &TypestateEdge| (edge.from.map(event), event(edge.to), edge.count);
            let mut edges: Vec<_> = graph.edges.iter().map(edge).collect();
            edges.sort_unstable();
            // Of 100 times, every second one is followed by the other one; the first time
            // the file is empty.
            let mut expected = [
                (None, (new, "u"), 1),
                (Some((new, "u")), (create, "u"), 1),
                (Some((create, "u")), (put, "oe"), 1),
                (Some((put, "oe")), (other, "on"), 1),
                (Some((put, "on")), (other, "on"), 49),
                (Some((other, "on")), (put, "on"), 50),
                (Some((put, "on")), (put, "on"), 49),
                (Some((put, "on")), (close, "on"), 1),
                (Some((close, "on")), (get, "c"), 1),
            ];
            expected.sort_unstable();
            assert_eq!(edges, expected, "{jdk} {jvm:?}");
        });
    }
}

#[test]
fn the_command_shows_the_way_to_the_error() {
    let protocol = Path::new(env!("CARGO_MANIFEST_DIR")).join("programs/typestate/file.protocol");
    let options = format!("mode=typestate,protocol={}", protocol.display());
    for jdk in in_turn() {
        let answer = Recording::new(jdk, "HistoryOfFile", &options).answer("typestate");
        let expected = "\
1 of 1 object broke a protocol

1 of 1 object of HistoryOfFile$File[HistoryOfFile.main:26] broke 'file'
  get at HistoryOfFile.main:35 in state c: 1 object
    u  -- create  HistoryOfFile.main:27 (1)  --> oe
    oe -- put     HistoryOfFile.main:29 (1)  --> on
    on -- put     HistoryOfFile.main:31 (50) --> on
    on -- put     HistoryOfFile.main:29 (99) --> on
    on -- close   HistoryOfFile.main:34 (1)  --> c
    c  -- get     HistoryOfFile.main:35 (1)  --> error
";
        assert_eq!(answer, expected, "{jdk}");
    }
}

/// The example of the documentation, and the protocol in it.
#[test]
fn the_documentation_shows_what_is_printed() {
    const DOCUMENTATION: &str = include_str!("../../../docs/explanation/typestate.md");
    const LANGUAGE: &str = include_str!("../../../docs/reference/protocols.md");
    const SOURCE: &str = include_str!("../programs/typestate/ReadsInvoices.java");
    const PROTOCOL: &str = include_str!("../programs/typestate/file.protocol");
    let blocks = [DOCUMENTATION, LANGUAGE].map(|page| page.split("\n\n")).into_iter().flatten();
    let blocks: Vec<&str> = blocks.collect();
    let block = |start: &str| {
        let found = blocks.iter().find(|block| block.trim_start().starts_with(start));
        let found = found.unwrap_or_else(|| panic!("no block begins with {start:?}"));
        found.lines().map(|line| line.strip_prefix("    ").unwrap_or(line)).collect::<Vec<_>>()
    };
    for line in [block("int load()"), block("boolean isEmpty()")].concat() {
        let (code, comment) = line.split_once("//").unwrap_or((line, ""));
        let at = SOURCE.lines().position(|known| known.trim() == code.trim());
        let at = at.unwrap_or_else(|| panic!("{line}"));
        let number = comment.trim().strip_prefix("line ");
        assert!(number.is_none_or(|number| number == (at + 1).to_string()), "{line}: {at}");
    }
    assert_eq!(block("protocol file of").join("\n"), PROTOCOL.trim_end());
    for jdk in in_turn() {
        let answer = Recording::new(jdk, "ReadsInvoices", "mode=typestate").answer("typestate");
        for shown in ["1 of 1 object", "3 objects of"] {
            let shown = block(shown).join("\n");
            assert!(answer.contains(&shown), "{jdk}: {shown}\n{answer}");
        }
    }
}

/// Protocols that are wrong stop the JVM before the program starts.
#[test]
fn wrong_protocols_are_named() {
    let wrong = support::scratch("typestate").join("wrong.protocol");
    std::fs::write(&wrong, "protocol p of A\n start s\n s a -> t").expect("can be written");
    let line = format!("protocol={}: line 3: no line says what follows state 't'", wrong.display());
    for (protocol, message) in [
        (wrong.display().to_string(), line.as_str()),
        ("/no/such/file".to_owned(), "protocol=/no/such/file: "),
        ("jdbc;jdbc".to_owned(), "two protocols are called 'connection'"),
    ] {
        let options = format!("mode=typestate,protocol={protocol}");
        for jdk in in_turn() {
            let (plain, refused) = Recording::new(jdk, "HistoryOfFile", &options).refused();
            assert_eq!(plain.trim(), "150");
            assert!(refused.contains(message), "{jdk}: {refused}");
            assert!(!refused.contains("150"), "{jdk}: {refused}");
        }
    }
}

#[test]
fn streams() {
    has_objects(
        "UsesStreams",
        &[
            // What it does with itself does not count, so nobody has seen it closed.
            "callsItself: 1 UsesStreams$Twice (file), 1 left open",
            "closes: 1 java.io.FileInputStream (file)",
            "closesReader: 1 java.io.BufferedReader (stream)",
            "closesReader: 1 java.io.FileReader (file)",
            "closesTwice: 1 java.io.FileInputStream (file)",
            "closesWrapper: 1 java.io.BufferedInputStream (stream)",
            "closesWrapper: 1 java.io.FileInputStream (file)",
            "fails: 1 UsesStreams$Failing (stream)",
            "main: 1 UsesStreams$Counting (stream)",
            "main: 1 java.io.FileInputStream (file)",
            "neverCloses: 3 java.io.FileInputStream (file), 3 left open",
            "obtains: 1 java.io.InputStream (stream), 1 read in closed",
            "readsAfterClose: 1 java.io.FileInputStream (file), 1 read in closed",
        ],
    );
}

#[test]
fn calls_count_where_they_are() {
    for jdk in in_turn() {
        let histories = recorded(jdk, "UsesStreams", &[]);
        let expected =
            ["open -- new (1) --> open", "open -- read (1) --> open", "open -- skip (1) --> open"];
        assert_eq!(events(&histories, "UsesStreams.closes")[..3], expected, "{jdk}");
        // Nine times a wrapper is asked, and asks what it wraps.
        let expected = ["open -- read (9) --> open", "open -- close (1) --> closed"];
        assert_eq!(events(&histories, "UsesStreams.handsOn"), expected, "{jdk}");
        // A call that throws has happened.
        let mut found = events(&histories, "UsesStreams.fails");
        found.retain(|event| !event.contains("println"));
        let expected = [
            "open -- new (1) --> open",
            "open -- read (1) --> open",
            "open -- close (1) --> closed",
        ];
        assert_eq!(found, expected, "{jdk}");
    }
}

#[test]
fn iterators() {
    has_objects(
        "UsesIterators",
        &[
            "asksNobody: 1 java.util.Iterator (iterator)",
            "enumerates: 1 java.util.Enumeration (enumeration), 1 nextElement in exhausted",
            "goesThrough: 3 java.util.Iterator (iterator)",
            "goesTooFar: 1 java.util.Iterator (iterator), 1 next in exhausted",
            "hands: 1 java.util.Iterator (iterator)",
            "numbers: 1 UsesIterators$Numbers (iterator), 1 next in last",
            "removesAll: 1 java.util.Iterator (iterator)",
            "removesFirst: 1 java.util.Iterator (iterator), 1 remove in fresh",
            "removesTwice: 1 java.util.Iterator (iterator), 1 remove in fresh",
        ],
    );
}

/// Three iterators over five elements each.
#[test]
fn results_lead_to_states() {
    for jdk in in_turn() {
        each(&ways_in_turn(&JVMS, 1), |jvm| {
            let histories = recorded(jdk, "UsesIterators", jvm);
            let mut found = events(&histories, "UsesIterators.goesThrough");
            found.sort();
            let expected = [
                "element -- hasNext=false (3) --> last",
                "element -- hasNext=true (12) --> element-ready",
                "element-ready -- next (12) --> element",
                "fresh -- hasNext=true (3) --> ready",
                "fresh -- new (3) --> fresh",
                "ready -- next (3) --> element",
            ];
            assert_eq!(found, expected, "{jdk} {jvm:?}");
            // A generated class was made by reflection.
            let found = events(&histories, "UsesIterators.generated");
            let expected =
                ["fresh -- hasNext=false (1) --> exhausted", "exhausted -- next (1) --> error"];
            assert_eq!(found, expected, "{jdk} {jvm:?}");
        });
    }
}

#[test]
fn locks() {
    const LOCK: &str = "java.util.concurrent.locks.ReentrantLock";
    let of = |method: &str, verdict: &str| format!("{method}: 1 {LOCK} (lock){verdict}");
    let expected = [
        of("isInterrupted", ""),
        of("keeps", ", 1 left held"),
        "main: 1 UsesLocks$Segment (lock)".to_owned(),
        of("nests", ""),
        of("releases", ""),
        of("releasesTooOften", ", 1 unlock in free"),
        of("sharesAmongThreads", ""),
        of("tries", ""),
        of("waits", ""),
        "writes: 1 java.util.concurrent.locks.ReentrantReadWriteLock$WriteLock (lock)".to_owned(),
    ];
    has_objects("UsesLocks", &expected.each_ref().map(String::as_str));
}

/// Four threads take and release one lock a thousand times each.
#[test]
fn threads_count_together() {
    for jdk in in_turn() {
        each(&ways_in_turn(&JVMS, 1), |jvm| {
            let histories = recorded(jdk, "UsesLocks", jvm);
            let found = events(&histories, "UsesLocks.increments");
            let expected = ["free -- lock (4000) --> held", "held -- unlock (4000) --> free"];
            assert_eq!(found[..2], expected, "{jdk} {jvm:?}");
            assert_eq!(found.len(), 2, "{jdk} {jvm:?}");
        });
    }
}

#[test]
fn sockets() {
    has_objects(
        "UsesSockets",
        &[
            "connects: 1 java.io.InputStream (stream)",
            "connects: 1 java.io.OutputStream (stream)",
            "connects: 1 java.net.ServerSocket (socket)",
            "connects: 1 java.net.Socket (socket)",
            "connects: 1 java.net.Socket (socket)",
            "neverCloses: 1 java.net.DatagramSocket (socket), 1 left open",
            "opensChannel: 1 java.nio.channels.SocketChannel (channel), 1 finishConnect in closed",
            "usesAfterClose: 1 java.net.Socket (socket), 1 getInputStream in closed",
        ],
    );
}

#[test]
fn databases() {
    let of = |method: &str, count: u32, class: &str, protocol: &str, verdict: &str| {
        format!("{method}: {count} java.sql.{class} ({protocol}){verdict}")
    };
    let connection =
        |method, count, verdict| of(method, count, "Connection", "connection", verdict);
    let statement = |method, count, verdict| of(method, count, "Statement", "statement", verdict);
    let rows = |method, verdict| of(method, 1, "ResultSet", "result-set", verdict);
    let expected = [
        connection("neverCloses", 2, ", 2 left open"),
        statement("neverCloses", 2, ", 2 left open"),
        connection("queries", 1, ""),
        rows("queries", ""),
        statement("queries", 1, ""),
        connection("readsBeforeFirst", 1, ""),
        rows("readsBeforeFirst", ", 1 getInt in before"),
        statement("readsBeforeFirst", 1, ""),
        connection("readsBehindLast", 1, ""),
        rows("readsBehindLast", ", 1 getString in after"),
        statement("readsBehindLast", 1, ""),
        connection("usesAfterClose", 1, ", 1 createStatement in closed"),
        rows("usesAfterClose", ""),
        rows("usesAfterClose", ", 1 next in closed"),
        statement("usesAfterClose", 1, ", 1 executeQuery in closed"),
        // That of a closed connection.
        statement("usesAfterClose", 1, ", 1 left open"),
    ];
    has_objects("UsesJdbc", &expected.each_ref().map(String::as_str));
}

//! Other tools' formats: what is written says the same as the tree, and what
//! is read comes out as it stands in the file.

use std::collections::BTreeMap;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use made_profiles::random_trees::{Random, random_profile};
use profile::{NO_PARENT, Profile};
use serde_json::Value;
use subsume_formats::export::folded::{self, Stacks};
use subsume_formats::export::{callgrind, csv, firefox, otlp, parquet, pprof, speedscope};
use subsume_formats::import;
use tree::Tree;
use tree::forest::{MetricChoice, Selection};

/// A file in a directory of this test.
fn file(name: &str, bytes: &[u8]) -> PathBuf {
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join("exchange");
    fs::create_dir_all(&directory).unwrap();
    let path = directory.join(name);
    fs::write(&path, bytes).unwrap();
    path
}

/// A tree with bytecodes first, then calls.
fn tree(profile: Profile) -> Tree {
    let selection = Selection { metric: MetricChoice::Every, ..Selection::default() };
    let mut tree = Tree::merge(vec![("test".into(), profile)], &selection).unwrap();
    let mut names = tree.metric_names();
    names.sort();
    tree.choose_metrics(&names);
    tree
}

/// Stacks that cost something by the first metric, by names without descriptors,
/// with their costs by each metric.
fn stacks(tree: &Tree) -> BTreeMap<Vec<String>, Vec<u64>> {
    stacks_with(tree, |costs| costs[0] > 0)
}

fn stacks_with(tree: &Tree, keep: fn(&[u64]) -> bool) -> BTreeMap<Vec<String>, Vec<u64>> {
    let mut stacks: BTreeMap<Vec<String>, Vec<u64>> = BTreeMap::new();
    for node in 0..tree.len() {
        let costs: Vec<u64> = tree.metrics.iter().map(|m| m.values[node]).collect();
        if !keep(&costs) {
            continue;
        }
        let sums = stacks.entry(names(tree, node)).or_insert_with(|| vec![0; costs.len()]);
        for (sum, cost) in sums.iter_mut().zip(costs) {
            *sum += cost;
        }
    }
    stacks
}

fn names(tree: &Tree, node: usize) -> Vec<String> {
    let parent = |&node: &u32| Some(tree.parent[node as usize]).filter(|&p| p != NO_PARENT);
    let mut path: Vec<String> = std::iter::successors(Some(node as u32), parent)
        .map(|node| tree.methods[tree.method[node as usize] as usize].qualified())
        .collect();
    path.reverse();
    path
}

/// Random trees with costs.
fn trees(seed: u64, count: usize) -> impl Iterator<Item = Tree> {
    let mut random = Random(seed);
    let all = std::iter::repeat_with(move || tree(random_profile(&mut random)));
    all.filter(|tree| tree.total() > 0).take(count)
}

fn json(write: impl FnOnce(&mut Vec<u8>)) -> Value {
    let mut bytes = Vec::new();
    write(&mut bytes);
    serde_json::from_slice(&bytes).unwrap()
}

#[test]
fn pprof_comes_back() {
    for (at, tree) in trees(41, 100).enumerate() {
        let mut bytes = Vec::new();
        pprof::write(&tree, &Stacks::default(), &mut bytes).unwrap();
        let again = import::pprof::read(&[file(&format!("{at}.pb.gz"), &bytes)]).unwrap();
        let any = |costs: &[u64]| costs.iter().any(|&cost| cost > 0);
        assert_eq!(stacks_with(&self::tree(again), any), stacks_with(&tree, any));
    }
}

#[test]
fn otlp_comes_back() {
    let attributes = [("service.name".to_owned(), "shop".to_owned())];
    for (at, tree) in trees(41, 100).enumerate() {
        let mut bytes = Vec::new();
        otlp::write(&tree, &Stacks::default(), &attributes, &mut bytes).unwrap();
        let again = import::otlp::read(&[file(&format!("{at}.otlp"), &bytes)]).unwrap();
        let any = |costs: &[u64]| costs.iter().any(|&cost| cost > 0);
        assert_eq!(stacks_with(&self::tree(again), any), stacks_with(&tree, any));
    }
}

/// Fields of a message that are messages, with their numbers.
fn message(fields: &[(u8, &[u8])]) -> Vec<u8> {
    let mut bytes = Vec::new();
    for (field, value) in fields {
        bytes.extend([field << 3 | 2, u8::try_from(value.len()).expect("it is short")]);
        bytes.extend_from_slice(value);
    }
    bytes
}

/// What others write: inlined functions, times in place of values, values for each time,
/// differences, and a dictionary in two parts.
#[test]
fn otlp_of_others_is_read() {
    let strings = ["", "cpu", "ns", "a.B.main", "a.B.run", "a.B.inlined"];
    let functions = [&[][..], &[8, 3], &[8, 4], &[8, 5]];
    let line = |function: u8| message(&[(3, &[8, function])]);
    let run = [line(3), line(2)].concat();
    let locations = [vec![], line(1), run];
    let ways = [&[][..], &[10, 2, 2, 1]];
    let strings = strings.map(|text| (5, text.as_bytes()));
    let functions = functions.map(|one| (3, one));
    let locations: Vec<(u8, &[u8])> = locations.iter().map(|one| (2, &one[..])).collect();
    let ways = ways.map(|one| (7, one));
    let first = message(&[&strings[..], &functions[..]].concat());
    let second = message(&[&locations[..], &ways[..]].concat());
    let minus_two = [8, 1, 34, 10, 254, 255, 255, 255, 255, 255, 255, 255, 255, 1];
    let times = [&[8, 1, 42, 16][..], &[0; 16]].concat();
    let samples: [&[u8]; 4] = [&[8, 1, 34, 2, 5, 6], &times, &minus_two, &[34, 1, 7]];
    let samples = samples.map(|sample| (2, sample));
    let profile = message(&[&[(1, &[8, 1, 16, 2][..])], &samples[..]].concat());
    let resource = message(&[(2, &message(&[(2, &profile)]))]);
    let bytes = message(&[(2, &first), (1, &resource), (2, &second)]);
    let read = import::otlp::read(&[file("others.otlp", &bytes)]).unwrap();
    let mut tree = self::tree(read);
    tree.choose_metrics(&["cpu".to_owned()]);
    let expected =
        [(vec!["[no stack]"], 7), (vec!["a.B.main", "a.B.run", "a.B.inlined"], 5 + 6 + 2 - 2)];
    let expected = expected.map(|(stack, cost)| {
        (stack.into_iter().map(str::to_owned).collect::<Vec<_>>(), vec![cost])
    });
    assert_eq!(stacks(&tree), BTreeMap::from(expected));
    for length in 0..bytes.len() {
        // A message that ends between two fields is whole.
        let _ = import::otlp::read(&[file("cut.otlp", &bytes[..length])]);
    }
}

#[test]
fn callgrind_adds_up_and_comes_back() {
    for (at, tree) in trees(42, 100).enumerate() {
        let mut bytes = Vec::new();
        callgrind::write(&tree, &mut bytes).unwrap();
        let again = import::callgrind::read(&[file(&format!("{at}.callgrind"), &bytes)]).unwrap();
        let again = self::tree(again);
        for (metric, read) in tree.metrics.iter().zip(&again.metrics) {
            let sum = |values: &[u64]| values.iter().sum::<u64>();
            assert_eq!(sum(&read.values), sum(&metric.values), "{}", metric.name);
        }
    }
}

/// Which contexts cost what is estimated, but not what a method costs by itself,
/// nor its calls: recursion or not, however small its share.
#[test]
fn callgrind_keeps_the_own_costs_of_methods() {
    let own = |tree: &Tree| {
        let mut own: BTreeMap<String, Vec<u64>> = BTreeMap::new();
        for node in 0..tree.len() {
            let name = tree.methods[tree.method[node] as usize].to_string();
            let sums = own.entry(name).or_insert_with(|| vec![0; tree.metrics.len()]);
            for (sum, metric) in sums.iter_mut().zip(&tree.metrics) {
                *sum += metric.values[node];
            }
        }
        own.retain(|_, costs| costs.iter().any(|&cost| cost > 0));
        own
    };
    for (at, mut tree) in trees(48, 200).enumerate() {
        if at % 2 == 0 {
            // Others become too small for contexts of their own.
            tree.metrics[0].values[0] += 1 << 40;
            tree.metrics[1].values[0] += 1 << 40;
        }
        let mut bytes = Vec::new();
        callgrind::write(&tree, &mut bytes).unwrap();
        let again = import::callgrind::read(&[file(&format!("own{at}.cg"), &bytes)]).unwrap();
        assert_eq!(own(&self::tree(again)), own(&tree), "tree {at}");
    }
}

/// Tools know a function by its file and its name: where a callee comes without
/// its file, they make a second function of it. Calls have the lines they are
/// made from.
#[test]
fn callgrind_names_files_of_callees_and_lines_of_calls() {
    let mut random = Random(49);
    let mut with_lines = 0;
    for at in 0..100 {
        let mut profile = random_profile(&mut random);
        for class in &mut profile.classes {
            // Two classes in a file, and one without.
            class.source_file =
                if class.name.as_str() < "c" { "Ab.java".into() } else { String::new() };
        }
        let every = MetricChoice::Every;
        let selection = Selection { metric: every, call_sites: true, ..Selection::default() };
        let tree = Tree::merge(vec![("test".into(), profile)], &selection).unwrap();
        if tree.total() == 0 {
            continue;
        }
        let mut bytes = Vec::new();
        callgrind::write(&tree, &mut bytes).unwrap();
        let text = String::from_utf8(bytes).unwrap();
        let (mut names, mut functions) = (BTreeMap::new(), BTreeMap::new());
        let mut name = |kind: &str, value: &str| {
            let (number, name) = value.split_once(')').unwrap();
            let key = (kind.to_owned(), number.to_owned());
            if !name.is_empty() {
                assert_eq!(names.insert(key.clone(), name.trim().to_owned()), None, "tree {at}");
            }
            names[&key].clone()
        };
        let (mut file, mut calls) = (None, BTreeMap::new());
        let (mut caller, mut callee) = (String::new(), String::new());
        let mut lines = text.lines().skip_while(|line| !line.is_empty());
        while let Some(line) = lines.next() {
            match line.split_once('=') {
                Some(("fl" | "cfi", value)) => file = Some(name("file", value)),
                Some((key @ ("fn" | "cfn"), value)) => {
                    let function = name("fn", value);
                    // The file stands before each function, and is always the same.
                    let file = file.take().unwrap();
                    let known = functions.entry(function.clone()).or_insert_with(|| file.clone());
                    assert_eq!(*known, file, "tree {at}");
                    *if key == "fn" { &mut caller } else { &mut callee } = function;
                }
                Some(("calls", value)) => {
                    let count: u64 = value.split_once(' ').unwrap().0.parse().unwrap();
                    let (line, _) = lines.next().unwrap().split_once(' ').unwrap();
                    let call = (caller.clone(), line.parse::<u16>().unwrap(), callee.clone());
                    assert_eq!(calls.insert(call, count), None, "tree {at}");
                }
                _ => {}
            }
        }
        let counts = tree.calls().unwrap();
        let mut expected = BTreeMap::new();
        for node in (0..tree.len()).filter(|&node| tree.parent[node] != NO_PARENT) {
            let method = |node: usize| tree.methods[tree.method[node] as usize].to_string();
            let line = if tree.site[node] == 0 { 0 } else { tree.site[node] as u16 };
            let call = (method(tree.parent[node] as usize), line, method(node));
            *expected.entry(call).or_insert(0) += counts[node];
        }
        with_lines += expected.keys().filter(|(_, line, _)| *line > 0).count();
        assert_eq!(calls, expected, "tree {at}");
        let files: Vec<&str> = functions.values().map(String::as_str).collect();
        assert!(
            files.iter().all(|file| ["Ab.java", "c", "d", "e", "f", "g"].contains(file)
                || *file == "java.lang.reflect.Method"),
            "{files:?}"
        );
    }
    assert!(with_lines > 100, "{with_lines} calls are too few to tell");
}

/// One function that calls 100,000 others, and a chain of as many that call each
/// other, the last one first: reading must not look at all of them for each.
#[test]
fn callgrind_reads_functions_with_many_callees() {
    const CALLEES: u64 = 100_000;
    let mut text = "events: Ir\nfn=main\n0 0\n".to_owned();
    for callee in 0..CALLEES {
        text += &format!("cfn=f{callee}\ncalls=1 0\n0 1\n");
    }
    for callee in 0..CALLEES {
        text += &format!("fn=f{callee}\n0 1\n");
    }
    // Too small for contexts of their own, and callers behind callees.
    for link in (0..CALLEES).rev() {
        text += &format!("fn=g{link}\n0 {}\n", u64::from(link % 2 == 0));
        if link + 1 < CALLEES {
            text += &format!("cfn=g{}\ncalls=1 0\n0 {}\n", link + 1, (CALLEES - link - 1) / 2);
        }
    }
    let profile = import::callgrind::read(&[file("many.callgrind", text.as_bytes())]).unwrap();
    let tree = tree(profile);
    assert_eq!(tree.total(), CALLEES + CALLEES / 2);
    let main = tree.methods.iter().position(|method| method.name == "main").unwrap();
    let below_main = (0..tree.len()).filter(|&node| {
        let parent = tree.parent[node];
        parent != NO_PARENT && tree.method[parent as usize] == main as u32
    });
    assert_eq!(below_main.count() as u64, CALLEES);
}

/// Without two callers of anything there is nothing to estimate.
#[test]
fn contexts_of_a_call_tree_are_no_estimate() {
    let text = "\
# callgrind format
version: 1
positions: instr line
events: Ir Dr
fl=(1) a.c
fn=(1) main
0x1 3 10 1
+1 +2 5
cfi=(2) b.c
cfn=(2) work
calls=2 0x10 7
0x3 * 300 30
fn=(2)
0x10 7 100 10
cfn=(3) leaf
calls=4 0x20 9
0x11 8 200 20
fl=(2)
fn=(3)
0x20 9 200 20

totals: 315 31
";
    let tree = tree(import::callgrind::read(&[file("exact.callgrind", text.as_bytes())]).unwrap());
    // By name of the event: Dr, Ir.
    assert_eq!(tree.metric_names(), ["Dr", "Ir"]);
    let expected = [
        (vec!["main"], [1, 15]),
        (vec!["main", "work"], [10, 100]),
        (vec!["main", "work", "leaf"], [20, 200]),
    ];
    let expected = expected
        .map(|(path, costs)| (path.into_iter().map(str::to_owned).collect(), costs.to_vec()));
    assert_eq!(stacks(&tree), BTreeMap::from(expected));
}

#[test]
fn speedscope_opens_and_closes_calls_in_order() {
    for tree in trees(43, 200) {
        let document = json(|out| speedscope::write(&tree, &Stacks::default(), "x", out).unwrap());
        assert_eq!(document["$schema"], "https://www.speedscope.app/file-format-schema.json");
        let frames = document["shared"]["frames"].as_array().unwrap();
        let profile = &document["profiles"][0];
        assert_eq!(profile["endValue"], tree.total());
        let mut found: BTreeMap<Vec<String>, u64> = BTreeMap::new();
        let (mut open, mut last) = (Vec::new(), 0);
        for event in profile["events"].as_array().unwrap() {
            let at = event["at"].as_u64().unwrap();
            assert!(at >= last);
            if at > last {
                let name = |frame: &u64| frames[*frame as usize]["name"].as_str().unwrap().into();
                *found.entry(open.iter().map(name).collect()).or_default() += at - last;
            }
            last = at;
            let frame = event["frame"].as_u64().unwrap();
            match event["type"].as_str().unwrap() {
                "O" => open.push(frame),
                _ => assert_eq!(open.pop(), Some(frame)),
            }
        }
        assert!(open.is_empty());
        let expected = stacks(&tree).into_iter().map(|(path, costs)| (path, costs[0]));
        assert_eq!(found, expected.collect());
    }
}

#[test]
fn firefox_has_tables_of_equal_columns() {
    for tree in trees(44, 200) {
        let document = json(|out| firefox::write(&tree, &Stacks::default(), "x", out).unwrap());
        let thread = &document["threads"][0];
        for table in
            ["frameTable", "funcTable", "stackTable", "samples", "resourceTable", "markers"]
        {
            let length = thread[table]["length"].as_u64().unwrap() as usize;
            for (name, column) in thread[table].as_object().unwrap() {
                if let Some(column) = column.as_array() {
                    assert_eq!(column.len(), length, "{table}.{name}");
                }
            }
        }
        let number =
            |table: &str, column: &str, at: u64| thread[table][column][at as usize].as_u64();
        let mut found: BTreeMap<Vec<String>, u64> = BTreeMap::new();
        for sample in 0..thread["samples"]["length"].as_u64().unwrap() {
            let mut path = Vec::new();
            let mut stack = number("samples", "stack", sample);
            while let Some(at) = stack {
                let frame = number("stackTable", "frame", at).unwrap();
                let function = number("frameTable", "func", frame).unwrap();
                let name = number("funcTable", "name", function).unwrap();
                path.push(thread["stringArray"][name as usize].as_str().unwrap().to_owned());
                stack = number("stackTable", "prefix", at);
            }
            path.reverse();
            *found.entry(path).or_default() += number("samples", "weight", sample).unwrap();
        }
        let expected = stacks(&tree).into_iter().map(|(path, costs)| (path, costs[0]));
        assert_eq!(found, expected.collect());
    }
}

#[test]
fn csv_has_a_row_for_each_context() {
    for tree in trees(45, 200) {
        let mut bytes = Vec::new();
        csv::write(&tree, &mut bytes).unwrap();
        let text = String::from_utf8(bytes).unwrap();
        let rows: Vec<Vec<&str>> =
            text.split_terminator("\r\n").map(|r| r.split(',').collect()).collect();
        assert_eq!(
            rows[0].join(","),
            "context,caller,depth,class,method,descriptor,bytecodes,calls,inclusive bytecodes"
        );
        assert_eq!(rows.len(), tree.len() + 1);
        let inclusive = tree.inclusive();
        for (node, row) in rows[1..].iter().enumerate() {
            assert_eq!(row[0], node.to_string());
            let caller = tree.parent[node];
            assert_eq!(
                row[1],
                if caller == NO_PARENT { String::new() } else { caller.to_string() }
            );
            assert_eq!(row[6], tree.cost()[node].to_string());
            assert_eq!(row[8], inclusive[node].to_string());
        }
    }
}

#[test]
fn parquet_has_the_rows_of_csv() {
    use ::parquet::file::reader::{FileReader, SerializedFileReader};
    for (at, tree) in trees(46, 30).enumerate() {
        let path = file(&format!("{at}.parquet"), &[]);
        parquet::write(&tree, fs::File::create(&path).unwrap()).unwrap();
        let reader = SerializedFileReader::new(fs::File::open(&path).unwrap()).unwrap();
        let mut text = String::new();
        for row in reader.get_row_iter(None).unwrap() {
            let row = row.unwrap().to_line();
            text += &(row + "\r\n");
        }
        let mut bytes = Vec::new();
        csv::write(&tree, &mut bytes).unwrap();
        let expected = String::from_utf8(bytes).unwrap();
        let (_, expected) = expected.split_once("\r\n").unwrap();
        assert_eq!(text, expected);
    }
}

/// A row of Parquet as a line of CSV.
trait AsLine {
    fn to_line(&self) -> String;
}

impl AsLine for ::parquet::record::Row {
    fn to_line(&self) -> String {
        use ::parquet::record::Field;
        let text = |field: &Field| match field {
            Field::Null => String::new(),
            Field::Str(text) => text.clone(),
            other => other.to_string(),
        };
        self.get_column_iter().map(|(_, field)| text(field)).collect::<Vec<_>>().join(",")
    }
}

#[test]
fn gzip_is_recognised() {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(b"a;b 3\n").unwrap();
    let path = file("stacks.folded.gz", &encoder.finish().unwrap());
    let mut importer = import::folded::Importer::default();
    importer.read(&path, &mut import::input::open(&path).unwrap()).unwrap();
    let mut text = Vec::new();
    folded::write(&tree(importer.finish()), &Stacks::default(), false, &mut text).unwrap();
    assert_eq!(text, b"a;b 3\n");
}

/// Lines that share a beginning are read as if they did not.
#[test]
fn folded_stacks_in_any_order_are_the_same() {
    for tree in trees(47, 300) {
        let mut text = Vec::new();
        folded::write(&tree, &Stacks::default(), true, &mut text).unwrap();
        let text = String::from_utf8(text).unwrap();
        let read = |text: &str| {
            let mut importer = import::folded::Importer::default();
            importer.read(Path::new("x"), &mut text.as_bytes()).unwrap();
            stacks(&self::tree(importer.finish()))
        };
        let mut lines: Vec<&str> = text.lines().collect();
        lines.sort_by_key(|line| line.bytes().rev().collect::<Vec<_>>());
        assert_eq!(read(&lines.join("\n")), read(&text));
    }
}

#[test]
fn thread_dumps_are_samples() {
    let dump = |frame: &str| {
        format!(
            "2026-11-20 20:00:00\nFull thread dump OpenJDK 64-Bit Server VM:\n\n\
             \"main\" #1 prio=5 os_prio=0 cpu=1ms elapsed=2s tid=0x1 nid=0x2 runnable  [0x3]\n   \
             java.lang.Thread.State: RUNNABLE\n\tat app//a.B.{frame}(B.java:7)\n\t- locked <0x4> (a a.B)\n\t\
             at a.B.main(B.java:3)\n\n   Locked ownable synchronizers:\n\t- None\n\n\
             \"GC Thread#0\" os_prio=0 cpu=1ms tid=0x5 nid=0x6 runnable\n\n"
        )
    };
    let text = dump("x") + &dump("y") + &dump("x");
    let dumps = [file("dumps.txt", text.as_bytes())];
    let import::jstack::Dumps { profile, waiting } =
        import::jstack::read(&dumps, import::jstack::Threads::Running).unwrap();
    assert_eq!(waiting, 0);
    assert_eq!(profile.threads.len(), 1);
    assert_eq!(profile.threads[0].name, "main");
    let path = |frame: &str| vec!["a.B.main".to_owned(), format!("a.B.{frame}")];
    assert_eq!(
        stacks(&tree(profile)),
        BTreeMap::from([(path("x"), vec![2]), (path("y"), vec![1])])
    );
}

/// Threads that wait use no processor, whether the JVM knows it or not.
#[test]
fn threads_that_wait_are_left_out_of_dumps() {
    use import::jstack::{Threads, read};
    let thread = |name: &str, state: &str, frame: &str| {
        format!(
            "\"{name}\" #1 prio=5 os_prio=0 cpu=1ms elapsed=2s tid=0x1 nid=0x2 [0x3]\n   \
             java.lang.Thread.State: {state}\n\tat {frame}\n\tat a.B.run(B.java:3)\n\n"
        )
    };
    let waiting = [
        ("pool", "WAITING (parking)", "jdk.internal.misc.Unsafe.park(java.base@17/Native Method)"),
        ("timer", "TIMED_WAITING (sleeping)", "java.lang.Thread.sleep(java.base@17/Native Method)"),
        ("lock", "BLOCKED (on object monitor)", "a.B.locked(B.java:9)"),
        ("selector", "RUNNABLE", "sun.nio.ch.EPoll.wait(java.base@17/Native Method)"),
        (
            "Reference Handler",
            "RUNNABLE",
            "java.lang.ref.Reference.waitForReferencePendingList(java.base@17/Native Method)",
        ),
    ];
    let mut idle: String =
        waiting.iter().map(|(name, state, at)| thread(name, state, at)).collect();
    let idle_file = [file("idle.txt", idle.as_bytes())];
    let error = read(&idle_file, Threads::Running).unwrap_err().to_string();
    assert_eq!(error, "all threads with a stack (5) wait; --waiting takes them, too");

    idle += &thread("main", "RUNNABLE", "a.B.work(B.java:7)");
    let dumps = [file("busy.txt", idle.as_bytes())];
    let running = read(&dumps, Threads::Running).unwrap();
    assert_eq!(running.waiting, 5);
    let expected = BTreeMap::from([(vec!["a.B.run".to_owned(), "a.B.work".to_owned()], vec![1])]);
    assert_eq!(stacks(&tree(running.profile)), expected);
    let all = read(&dumps, Threads::All).unwrap();
    assert_eq!((all.waiting, all.profile.threads.len()), (0, 6));
}

#[test]
fn jp2_and_jprofiler() {
    let text = "{\n    a/Main.main([Ljava/lang/String;)V = 1,  @0 [1x5, 10x3] {\n        \
                a/Main.work()V = 10,  @4 [10x7]\n    }\n}\n";
    let profile = import::jp2::read(&[file("jp2.txt", text.as_bytes())]).unwrap();
    let main = || "a.Main.main".to_owned();
    let expected = BTreeMap::from([
        (vec![main()], vec![35, 1]),
        (vec![main(), "a.Main.work".to_owned()], vec![70, 10]),
    ]);
    assert_eq!(stacks(&tree(profile)), expected);

    // Attributes as in exports that people have published; not all of them have
    // the node's own time.
    let text = "<?xml version=\"1.0\"?>\n<tree type=\"invocations\">\n\
        <node leaf=\"false\" class=\"a.Main\" methodName=\"main\" methodSignature=\"([Ljava/lang/String;)V\" \
        time=\"105\" count=\"1\" percent=\"100\">\
        <node leaf=\"true\" class=\"a.Main\" methodName=\"&lt;init&gt;\" methodSignature=\"()V\" time=\"70\" count=\"10\" selfTime=\"66\" lineNumber=\"-1\" percent=\"0.0\"/>\
        </node></tree>";
    let profile = import::jprofiler::read(&[file("jprofiler.xml", text.as_bytes())]).unwrap();
    let mut tree = tree(profile);
    tree.choose_metrics(&["time".to_owned(), "calls".to_owned()]);
    let expected = BTreeMap::from([
        (vec![main()], vec![35, 1]),
        (vec![main(), "a.Main.<init>".to_owned()], vec![66, 10]),
    ]);
    assert_eq!(stacks(&tree), expected);
}

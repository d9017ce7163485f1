//! `split`: contexts of one method that differ by the text of an argument.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde_json::Value;
use support::{Jdk, Launch, Scratch, attach, compiled, in_turn, subsume};
use tree::Tree;
use tree::forest::{MetricChoice, Selection};
use tree::redaction::redact;

use crate::below_main::{BelowMain, differences, read};
use crate::repeatable::REPEATABLE;

const PROGRAM: &str = "SplitsByText";

/// Has a main method below which each run executes the same.
const REPEATED: &str = "SplitsByText$Repeatable";

/// Each method of the program that takes a text.
const SPLIT: &str = "SplitsByText.recurse(1);SplitsByText.fail(1);SplitsByText.<init>(1);\
     SplitsByText.any(2);SplitsByText.sequence(1);SplitsByText.leaf(1);SplitsByText.branching(1);\
     SplitsByText.many(1);SplitsByText.sql(1:sql);SplitsByText.inThread(1)";

fn record(jdk: &Jdk, scratch: &Scratch, jvm: &[&str], agent: &str) -> (PathBuf, String) {
    let profile = scratch.file("splits.subsume");
    let launch = Launch::new(jdk, PROGRAM, scratch.path()).options(REPEATABLE).options(jvm);
    let agent = format!("{agent},out={}", profile.display());
    (profile, launch.agent(&agent).run_well())
}

/// Calls of methods of the program by their names.
fn calls(profile: &Path) -> BTreeMap<String, u64> {
    let read = profile::read_file(profile).expect("the profile can be read");
    read.validate().expect("the profile is consistent");
    let calls = read.by_method("calls");
    let names = read.methods.iter().zip(calls);
    let own = names.filter(|(method, calls)| {
        *calls > 0 && read.classes[method.class.0 as usize].name == PROGRAM
    });
    own.map(|(method, calls)| (method.name.clone(), calls)).collect()
}

/// The tree of a profile without the texts.
fn without_texts(profile: &Path) -> Tree {
    let mut read = profile::read_file(profile).expect("the profile can be read");
    redact(&mut read);
    let selection = Selection { metric: MetricChoice::Every, ..Selection::default() };
    Tree::merge(vec![("splits.subsume".to_owned(), read)], &selection).expect("is consistent")
}

#[test]
fn texts_add_up_and_the_program_stays_as_it_is() {
    for jdk in in_turn() {
        for jvm in
            [&["-Xint"][..], &["-XX:TieredStopAtLevel=1", "-Xcheck:jni", "-Xverify:all"], &[]]
        {
            let what = format!("{jdk} {jvm:?}");
            let scratch = Scratch::new("splits");
            let launch = Launch::new(jdk, PROGRAM, scratch.path());
            let plain = launch.options(REPEATABLE).options(jvm).run();
            assert_eq!(plain.status, Some(0), "{what}: {plain:?}");
            let (profile, said) = record(jdk, &scratch, jvm, "mode=calls");
            assert_eq!(said, plain.stdout, "{what}");
            let whole = read(&profile);
            let whole_calls = calls(&profile);
            let (profile, said) = record(jdk, &scratch, jvm, &format!("split={SPLIT}"));
            assert_eq!(said, plain.stdout, "{what}");
            let folded = without_texts(&profile);
            let different =
                differences(&BelowMain::of(&whole, REPEATED), &BelowMain::of(&folded, REPEATED));
            assert!(
                different.is_empty(),
                "{what}: {} contexts differ, among them\n{}",
                different.len(),
                different[..different.len().min(20)].join("\n")
            );
            let split = calls(&profile);
            let mut sums = BTreeMap::new();
            for (name, calls) in &split {
                *sums.entry(profile::texts::split(name).0.to_owned()).or_default() += calls;
            }
            assert_eq!(sums, whole_calls, "{what}");
            check(&split, &what);
        }
    }
}

/// Checks what the program says about its calls.
fn check(calls: &BTreeMap<String, u64>, what: &str) {
    let of = |name: &str| calls.get(name).copied().unwrap_or(0);
    for (name, expected) in [
        ("recurse: a", 4),
        ("recurse: b", 3),
        ("fail: (empty)", 10),
        ("fail: 12", 10),
        ("fail: 1234", 10),
        ("fail: (null)", 1),
        ("<init>: x", 2),
        ("<init>: (null)", 1),
        // An int, three builders and the hostile one.
        ("any", 3 * 4),
        ("any: (null)", 3),
        ("any: text", 6),
        ("any: 😀", 3),
        ("any: tab and line", 3),
        ("any: a\u{fffd}b", 3),
        ("sequence: (null)", 1),
        ("sequence", 3 * 3),
        ("leaf: even", 500),
        ("branching: four", 250),
        ("many: first 0", 3),
        ("many: later 99", 2),
        ("many: (other texts)", 0),
        ("sql: select * from item where id = ? and name = ?", 50),
        ("sql: select ? from item where id in (?)", 2),
        ("inThread: t29", 4 * 10),
    ] {
        assert_eq!(of(name), expected, "{name} on {what}: {:?}", shown(calls));
    }
    // Two surrogates without their halves are the same text.
    assert_eq!(of("any: \u{fffd}"), 3, "{what}");
}

fn shown(calls: &BTreeMap<String, u64>) -> Vec<String> {
    let start = |name: &String| name.chars().take(60).collect::<String>();
    calls.iter().map(|(name, calls)| format!("{} {calls}", start(name))).collect()
}

#[test]
fn further_texts_are_one() {
    for jdk in in_turn() {
        let scratch = Scratch::new("splits");
        let agent = format!("split-texts=5,split={SPLIT};None.of(1)");
        let (profile, _) = record(jdk, &scratch, &[], &agent);
        let calls = calls(&profile);
        let of = |name: &str| calls.get(name).copied().unwrap_or(0);
        assert_eq!(of("many: first 4"), 3, "{jdk}: {:?}", shown(&calls));
        assert_eq!(of("many: (other texts)"), 200, "{jdk}: {:?}", shown(&calls));
        let info = subsume(&["info", "--json", &profile.display().to_string()]);
        let info: Value = serde_json::from_str(&info).expect("the command prints JSON");
        let splits = info["files"][0]["splits"].as_array().expect("is an array").clone();
        let of = |entry: &str| {
            let found = splits.iter().find(|split| split["split"] == entry);
            found.unwrap_or_else(|| panic!("{entry} is in {splits:?}"))["methods"].clone()
        };
        let many = &of("SplitsByText.many(1)")[0];
        assert_eq!(many["method"], "SplitsByText.many(Ljava/lang/String;)J");
        assert_eq!((&many["texts"], &many["others"]), (&5.into(), &true.into()), "{jdk}");
        assert_eq!(of("None.of(1)"), Value::Array(Vec::new()), "{jdk}");
    }
}

#[test]
fn a_running_jvm_is_split_as_well() {
    for jdk in in_turn() {
        let scratch = Scratch::new("splits");
        let profile = scratch.file("attached.subsume");
        let launch = || Launch::new(jdk, PROGRAM, scratch.path()).options(REPEATABLE);
        let plain = launch().run_well();
        let options = format!("split={SPLIT}");
        let attach = attach(&profile, Some(&options));
        let attach: Vec<_> = attach.iter().map(|word| word.as_os_str()).collect();
        assert_eq!(launch().after(&attach).run_well(), plain, "{jdk}");
        check(&calls(&profile), &format!("{jdk}, attached"));
    }
}

/// Calls of all methods that have texts, by class and name.
fn texts(profile: &Path) -> BTreeMap<String, u64> {
    let read = profile::read_file(profile).expect("the profile can be read");
    let calls = read.by_method("calls");
    let texts = read
        .names()
        .zip(calls)
        .filter(|(name, calls)| *calls > 0 && profile::texts::split(name.name).1.is_some());
    texts.map(|(name, calls)| (name.to_string(), calls)).collect()
}

#[test]
fn routes_and_files_have_contexts() {
    for jdk in in_turn() {
        let scratch = Scratch::new("splits");
        let profile = scratch.file("routes.subsume");
        let launch = || Launch::new(jdk, "ServesRoutes", scratch.path());
        let plain = launch().run_well();
        let agent = format!("split=http-server;files;http-client,out={}", profile.display());
        assert_eq!(launch().agent(&agent).run_well(), plain, "{jdk}");
        let texts = texts(&profile);
        let handler = "sun.net.httpserver.ServerImpl$Exchange$LinkHandler.handle";
        let client = "sun.net.www.protocol.http.HttpURLConnection.writeRequests";
        for (name, calls) in [
            (format!("{handler}: GET /totals"), 7),
            (format!("{handler}: GET /orders/{{id}}"), 5),
            ("sun.nio.fs.UnixChannelFactory.newFileChannel: no/such/file.txt".to_owned(), 1),
        ] {
            assert_eq!(texts.get(&name), Some(&calls), "{name} on {jdk}: {texts:?}");
        }
        let of = |start: &str, end: &str| -> u64 {
            let found =
                texts.iter().filter(|(name, _)| name.starts_with(start) && name.ends_with(end));
            found.map(|(_, calls)| calls).sum()
        };
        assert_eq!(of(client, "/totals"), 7, "{jdk}: {texts:?}");
        assert_eq!(of(client, "/orders/{id}"), 5, "{jdk}: {texts:?}");
        assert_eq!(of("java.io.FileInputStream.open: ", "routes?.txt"), 3, "{jdk}: {texts:?}");
        // Written once and read three times.
        let channel = "sun.nio.fs.UnixChannelFactory.newFileChannel: ";
        assert_eq!(of(channel, "routes?.txt"), 5, "{jdk}: {texts:?}");
        // 50 prices for each total, exactly.
        let read = read(&profile);
        let nodes = 0..read.len();
        let calls = &read.metrics.iter().find(|m| m.name == "calls").expect("has calls").values;
        let prices = nodes.filter(|&node| {
            let mut node = node;
            if read.methods[read.method[node] as usize].name != "price" {
                return false;
            }
            while read.parent[node] != profile::NO_PARENT {
                node = read.parent[node] as usize;
                if read.methods[read.method[node] as usize].name == "handle: GET /totals" {
                    return true;
                }
            }
            false
        });
        assert_eq!(prices.map(|node| calls[node]).sum::<u64>(), 7 * 50, "{jdk}");
    }
}

#[test]
fn presets_know_libraries() {
    for jdk in in_turn() {
        let scratch = Scratch::new("splits");
        let profile = scratch.file("presets.subsume");
        let launch = || {
            let launch = Launch::new(jdk, "UsesPresets", scratch.path());
            launch.class_path(compiled("presets"))
        };
        let plain = launch().run_well();
        let agent = format!("split=http-server;kafka;jpa,out={}", profile.display());
        assert_eq!(launch().options(&["-Xcheck:jni"]).agent(&agent).run_well(), plain, "{jdk}");
        let texts = texts(&profile);
        let expected = [
            ("UsesPresets$Listener.onMessage: paid", 4),
            ("UsesPresets$Manager.createQuery: select o from Orders o where o.id = ?", 5),
            ("UsesPresets$Manager.find: UsesPresets$Request", 5),
            ("UsesPresets$Producer.send: orders", 1),
            ("UsesPresets$Producer.send: paid", 3),
            ("UsesPresets$Servlet.service: (null)", 1),
            ("UsesPresets$Servlet.service: POST /orders/{id}", 2),
            ("UsesPresets$Servlet.service: POST /totals", 1),
            ("io.netty.channel.SimpleChannelInboundHandler.channelRead: (null)", 1),
            ("io.netty.channel.SimpleChannelInboundHandler.channelRead: GET /a/{id}", 1),
            (
                "org.springframework.web.method.support.InvocableHandlerMethod.invokeForRequest: \
                 shop.Orders#list(String)",
                3,
            ),
        ];
        let expected = expected.map(|(name, calls)| (name.to_owned(), calls)).into();
        assert_eq!(texts, expected, "{jdk}");
        // What the agent asks is not recorded.
        let read = profile::read_file(&profile).expect("the profile can be read");
        for (name, calls) in read.names().zip(read.by_method("calls")) {
            let is_asked = ["getMethod", "getRequestURI", "asked"].contains(&name.name);
            assert!(
                calls == 0 || !is_asked || name.class != "UsesPresets$Request",
                "{name} on {jdk}"
            );
        }
    }
}

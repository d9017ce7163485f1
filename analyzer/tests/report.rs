//! `subsume report` and `subsume open`: the page holds what the other commands
//! say, whatever the profile's size and whatever its names.

use crate::fixture;
use std::fs;
use std::io::{Read, Write};
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use crate::fixture::command::subsume;
use base64::Engine;
use made_profiles::random_trees::Random;
use profile::{
    CallSite, ClassId, ClassInfo, MethodInfo, Metric, NO_PARENT, Nodes, Profile, ThreadTree,
};
use serde_json::Value;

fn output(directory: &Path, arguments: &[&str]) -> Vec<u8> {
    let output = subsume(directory, arguments);
    assert!(output.status.success(), "{arguments:?}: {output:?}");
    output.stdout
}

fn json(directory: &Path, arguments: &[&str]) -> Value {
    serde_json::from_slice(&output(directory, arguments)).unwrap()
}

/// What a page holds, as the browser unpacks it.
fn unpack(page: &str) -> Value {
    let start = page.find("<script id=\"data\"").unwrap();
    let data = &page[start..];
    let data = &data[data.find('>').unwrap() + 1..data.find("</script>").unwrap()];
    let packed = base64::engine::general_purpose::STANDARD.decode(data).unwrap();
    let mut text = String::new();
    flate2::read::GzDecoder::new(packed.as_slice()).read_to_string(&mut text).unwrap();
    serde_json::from_str(&text).unwrap()
}

/// A count, which may be written as text.
fn count(value: &Value) -> u64 {
    value.as_u64().unwrap_or_else(|| value.as_str().unwrap().parse().unwrap())
}

fn counts(column: &Value) -> Vec<u64> {
    column.as_array().unwrap().iter().map(count).collect()
}

fn numbers(column: &Value) -> Vec<i64> {
    column.as_array().unwrap().iter().map(|number| number.as_i64().unwrap()).collect()
}

/// Class, name and descriptor of each method.
fn names(profile: &Value) -> Vec<[String; 3]> {
    let methods = &profile["methods"];
    let text = |table: &str, number: i64| methods[table][number as usize].as_str().unwrap().into();
    let classes = numbers(&methods["class"]).into_iter();
    let columns = classes.zip(numbers(&methods["descriptor"]));
    let names = methods["name"].as_array().unwrap().iter();
    let named = columns.zip(names).map(|((class, descriptor), name)| {
        [text("classes", class), name.as_str().unwrap().into(), text("descriptors", descriptor)]
    });
    named.collect()
}

/// What a method induces at each pair at which it subsumes, as the page says it
/// is to be read: `[height][distance]`.
fn decode(code: &Value) -> Vec<Vec<u64>> {
    let Some(code) = code.as_array() else { return Vec::new() };
    let mut steps = code[2..].iter();
    let mut same = 0;
    let mut next = || {
        if same > 0 {
            same -= 1;
            return 0;
        }
        let Some(step) = steps.next() else { return 0 };
        match step.as_i64() {
            Some(zeros) if zeros < 0 => {
                same = -zeros - 1;
                0
            }
            _ => count(step),
        }
    };
    let mut rows: Vec<Vec<u64>> = Vec::new();
    for height in 0..code[0].as_u64().unwrap() as usize {
        let mut row: Vec<u64> = Vec::new();
        for distance in 0..code[1].as_u64().unwrap() as usize {
            let before = match (height, distance) {
                (0, 0) => 0,
                (_, 0) => rows[height - 1][0],
                _ => row[distance - 1],
            };
            row.push(before + next());
        }
        rows.push(row);
    }
    rows
}

/// Everything on a page adds up to the totals of the whole profile.
fn assert_adds_up(profile: &Value) {
    let methods = &profile["methods"];
    let total = count(&profile["total"]);
    let inclusive = counts(&methods["inclusive"]);
    let exclusive = counts(&methods["exclusive"]);
    let rest = &methods["rest"];
    assert!(inclusive.windows(2).all(|two| two[0] >= two[1]));
    assert!(inclusive.last().is_none_or(|&last| last >= count(&rest["largest_inclusive"])));
    assert_eq!(exclusive.iter().sum::<u64>() + count(&rest["exclusive"]), total);
    let contexts = counts(&methods["contexts"]).iter().sum::<u64>() + count(&rest["contexts"]);
    assert_eq!(contexts, count(&profile["contexts"]));
    assert_eq!(exclusive.len() as u64 + count(&rest["methods"]), count(&profile["executed"]));

    let grids: Vec<Vec<Vec<u64>>> =
        methods["grid"].as_array().unwrap().iter().map(decode).collect();
    for pair in 0..121 {
        let (height, distance) = (pair / 11, pair % 11);
        let at = |grid: &Vec<Vec<u64>>| grid.get(height)?.get(distance).copied();
        let listed: u64 = grids.iter().filter_map(at).sum();
        let induced = listed + count(&rest["induced"][pair]) + count(&methods["root"][pair]);
        assert_eq!(induced, total, "height {height}, distance {distance}");
    }

    let own =
        |method: usize| methods["own"].get(method.to_string()).map_or(exclusive[method], count);
    let edges = &profile["edges"];
    let (mut called, mut spent) = (vec![0; inclusive.len()], vec![0; inclusive.len()]);
    let (mut callers, mut callees) = (called.clone(), called.clone());
    let columns = numbers(&edges["caller"]).into_iter().zip(numbers(&edges["callee"]));
    for (edge, ((caller, callee), cost)) in columns.zip(counts(&edges["cost"])).enumerate() {
        called[callee as usize] += cost;
        callers[callee as usize] += u64::from(caller >= 0);
        if caller >= 0 {
            let down = edges["down"].get(edge.to_string()).map_or(cost, |down| count(&down[0]));
            spent[caller as usize] += down;
            callees[caller as usize] += 1;
        }
    }
    let all_listed = count(&rest["methods"]) == 0 && columns_are_whole(profile);
    for method in 0..inclusive.len() {
        assert!(called[method] <= inclusive[method]);
        assert!(own(method) + spent[method] <= inclusive[method]);
        if all_listed {
            assert_eq!(called[method], inclusive[method]);
            assert_eq!(own(method) + spent[method], inclusive[method]);
            // Some edges are seen from one side only.
            assert!(callers[method] >= count(&methods["callers"][method]));
            assert!(callees[method] >= count(&methods["callees"][method]));
        }
    }
    assert_tree_adds_up(profile, total, inclusive.len());
}

fn columns_are_whole(profile: &Value) -> bool {
    profile["edges"]["caller"].as_array().unwrap().len() < 200_000
}

fn assert_tree_adds_up(profile: &Value, total: u64, listed: usize) {
    let tree = &profile["tree"];
    let (parent, inclusive) = (numbers(&tree["parent"]), counts(&tree["inclusive"]));
    let mut left: Vec<i128> = inclusive.iter().map(|&cost| cost.into()).collect();
    let mut contexts = numbers(&tree["contexts"]);
    let mut roots = (count(&tree["rest"]["cost"]), count(&tree["rest"]["contexts"]));
    for node in (0..parent.len()).rev() {
        left[node] -= i128::from(count(&tree["exclusive"][node]));
        contexts[node] -= 1;
        assert!(left[node] >= 0 && contexts[node] >= 0);
        let of_node = (inclusive[node], numbers(&tree["contexts"])[node]);
        match usize::try_from(parent[node]) {
            Ok(above) => {
                assert!(above < node);
                left[above] -= i128::from(of_node.0);
                contexts[above] -= of_node.1;
            }
            Err(_) => {
                roots.0 += of_node.0;
                roots.1 += of_node.1 as u64;
            }
        }
    }
    assert_eq!(roots, (total, count(&profile["contexts"])));
    assert!(numbers(&tree["method"]).iter().all(|&method| (method as usize) < listed));

    let inverted = &profile["inverted"];
    let (parent, cost) = (numbers(&inverted["parent"]), counts(&inverted["cost"]));
    let mut left: Vec<i128> = cost.iter().map(|&cost| cost.into()).collect();
    let mut first = count(&inverted["rest"]["cost"]);
    for node in (0..parent.len()).rev() {
        left[node] -= i128::from(count(&inverted["ends"][node]));
        assert!(left[node] >= 0);
        match usize::try_from(parent[node]) {
            Ok(above) => left[above] -= i128::from(cost[node]),
            Err(_) => first += cost[node],
        }
    }
    assert_eq!(first, total);
}

/// The induced costs of all 121 pairs are those that `methods` prints.
fn assert_is_what_methods_print(directory: &Path, file: &str) {
    let document = json(directory, &["report", "--json", file]);
    let profile = &document["profiles"][0];
    assert_adds_up(profile);
    let names = names(profile);
    let grids: Vec<Vec<Vec<u64>>> =
        profile["methods"]["grid"].as_array().unwrap().iter().map(decode).collect();
    let mut subsuming = 0;
    for pair in 0..121 {
        let (height, distance) = (pair / 11, pair % 11);
        let bounds = [height.to_string(), distance.to_string()];
        let arguments =
            ["methods", "--json", "--height", &bounds[0], "--distance", &bounds[1], file];
        let printed = json(directory, &arguments);
        let mut expected: Vec<([String; 3], u64)> = Vec::new();
        let mut root = 0;
        for method in printed["methods"].as_array().unwrap() {
            let name = ["class", "name", "descriptor"].map(|k| method[k].as_str().unwrap().into());
            if name == ["", "<root>", ""] {
                root = count(&method["induced"]);
            } else {
                expected.push((name, count(&method["induced"])));
            }
        }
        let of_method = |(name, grid): (&[String; 3], &Vec<Vec<u64>>)| {
            Some((name.clone(), *grid.get(height)?.get(distance)?))
        };
        let mut found: Vec<_> = names.iter().zip(&grids).filter_map(of_method).collect();
        expected.sort();
        found.sort();
        assert_eq!(found, expected, "{file}: height {height}, distance {distance}");
        assert_eq!(count(&profile["methods"]["root"][pair]), root);
        subsuming += found.len();
    }
    assert!(subsuming > 0);
}

/// `SUBSUME_PROFILES` names real ones, `:` between several.
#[test]
fn all_pairs_of_thresholds_are_what_methods_print() {
    let directory = fixture::directory("report-pairs");
    output(&directory, &["import", "--from", "folded", "layers.folded", "-o", "layers.subsume"]);
    let mut files = vec!["recording.subsume".to_owned(), "layers.subsume".to_owned()];
    if let Some(list) = std::env::var_os("SUBSUME_PROFILES") {
        files.extend(std::env::split_paths(&list).map(|path| path.display().to_string()));
    }
    for file in files.iter().filter(|file| !file.is_empty()) {
        assert_is_what_methods_print(&directory, file);
    }
}

/// A large profile of random names, which hardly compress.
fn large(methods: u32, contexts: u32) -> Profile {
    let mut random = Random(21);
    let name = |random: &mut Random| format!("{:016x}{:016x}", random.next(), random.next());
    let classes: Vec<ClassInfo> = (0..methods / 8 + 1)
        .map(|_| ClassInfo { name: format!("org.{}", name(&mut random)), ..Default::default() })
        .collect();
    let methods_of = (0..methods).map(|method| MethodInfo {
        class: ClassId(method / 8),
        name: name(&mut random),
        descriptor: "()V".into(),
        access: 1,
        sites: vec![CallSite { bci: 3, line: 1 }],
    });
    let methods_of: Vec<MethodInfo> = methods_of.collect();
    let mut nodes = Nodes::default();
    let (mut calls, mut cost) = (Vec::new(), Vec::new());
    let mut open: Vec<u32> = Vec::new();
    for node in 0..contexts {
        let keep = if random.below(3) == 0 { random.below(open.len() as u64 + 1) } else { 40 };
        open.truncate((keep.max(1) as usize).min(40));
        nodes.parent.push(open.last().copied().unwrap_or(NO_PARENT));
        nodes.method.push(random.below(methods.into()) as u32);
        nodes.site.push(u32::from(!open.is_empty()));
        calls.push(1 + random.below(1 << 20));
        // Far beyond what a browser counts exactly, in the sum.
        cost.push(random.below(1 << 40));
        open.push(node);
    }
    nodes.metrics = vec![
        Metric { name: "calls".into(), values: calls },
        Metric { name: "bytecodes".into(), values: cost },
    ];
    let threads = vec![ThreadTree { name: "main".into(), threads: 1, nodes: 0..contexts }];
    Profile { classes, methods: methods_of, threads, nodes, ..Profile::default() }
}

#[test]
fn large_profiles_are_folded_into_five_megabytes() {
    let directory = fixture::directory("report-large");
    fixture::write(&large(60_000, 300_000), &directory.join("large.subsume"));
    let said = output(&directory, &["report", "large.subsume", "-o", "large.html"]);
    let page = fs::read_to_string(directory.join("large.html")).unwrap();
    assert!(page.len() <= 5_000_000 && page.len() > 3_000_000, "{} bytes", page.len());
    let document = unpack(&page);
    let profile = &document["profiles"][0];
    assert_adds_up(profile);
    assert!(count(&profile["total"]) > 1 << 53, "a sum that browsers would round");
    assert!(profile["total"].is_string());
    let left_out = count(&profile["methods"]["rest"]["methods"]);
    assert!(left_out > 20_000 && left_out < 59_000, "{left_out} methods left out");
    let said = String::from_utf8(said).unwrap();
    let shown = count(&profile["executed"]) - left_out;
    let expected = format!("large.subsume: {},{:03} of ", shown / 1000, shown % 1000);
    assert!(said.contains(&expected), "{said}");
    // Two of them share the room.
    let twice = ["report", "large.subsume", "large.subsume", "-o", "twice.html"];
    output(&directory, &twice);
    let page = fs::read_to_string(directory.join("twice.html")).unwrap();
    assert!(page.len() <= 5_000_000, "{} bytes", page.len());
    let document = unpack(&page);
    document["profiles"].as_array().unwrap().iter().for_each(assert_adds_up);
    assert_eq!(document["diff"]["methods"], Value::Array(Vec::new()));
}

#[test]
fn names_are_text() {
    let hostile = "</script><script>alert(1)</script><!--\u{2028}\"'&";
    let directory = fixture::directory("report-hostile");
    let mut profile = fixture::recording();
    profile.classes[0].name = hostile.into();
    profile.methods[4].name = "<img src=x onerror=alert(1)>".into();
    profile.threads[0].name = hostile.into();
    profile.run.command_line = hostile.into();
    fixture::write(&profile, &directory.join("<script>alert(1)<.subsume"));
    let arguments = ["report", "<script>alert(1)<.subsume", "-o", "page.html"];
    output(&directory, &arguments);
    let page = fs::read_to_string(directory.join("page.html")).unwrap();
    assert!(!page.contains("alert(1)<"), "a name as it is");
    assert!(page.contains("&lt;script&gt;alert(1)&lt;.subsume"), "the title");
    let document = unpack(&page);
    let names = names(&document["profiles"][0]);
    // What would break a line is escaped, as in tables.
    let escaped = hostile.replace('\u{2028}', "\\u{2028}");
    assert!(names.iter().any(|name| name[0] == escaped), "{names:?}");
}

#[test]
fn data_flow_is_what_its_commands_print() {
    let directory = fixture::directory("report-flow");
    let kinds: [(&str, &[&str]); 8] = [
        (
            "for-whom.subsume",
            &["copies", "chains", "clones", "temporaries", "useless", "costs", "dead", "repeats"],
        ),
        ("copies.subsume", &["copies", "chains", "clones", "temporaries", "useless"]),
        ("costs.subsume", &["costs", "dead"]),
        ("nulls.subsume", &["nulls"]),
        ("loops.subsume", &["loops"]),
        ("growth.subsume", &["growth", "loops"]),
        ("results.subsume", &["repeats"]),
        ("typestate.subsume", &["typestate"]),
    ];
    for (file, commands) in kinds {
        for with_start in [&[][..], &["--with-start"]] {
            let document = json(&directory, &[&["report", "--json", file], with_start].concat());
            let flow = document["profiles"][0]["dataflow"].as_object().unwrap();
            assert_eq!(flow.len(), 12);
            for (name, section) in flow {
                if !commands.contains(&name.as_str()) {
                    assert!(section.is_null(), "{file}: {name}");
                    continue;
                }
                // The page has room for loops of linear cost, too.
                let more: &[&str] = match name.as_str() {
                    "growth" => &["--all"],
                    "copies" | "temporaries" | "repeats" => with_start,
                    _ => &[],
                };
                let mut expected = json(&directory, &[&[name, "--json", file], more].concat());
                expected.as_object_mut().unwrap().insert("left_out".into(), 0.into());
                assert_eq!(*section, expected, "{file}: {name}");
            }
        }
    }
}

#[test]
fn the_difference_is_what_diff_prints() {
    let directory = fixture::directory("report-diff");
    let mut profile = fixture::recording();
    profile.nodes.metrics[1].values[2] += 5_000;
    profile.nodes.metrics[1].values[9] -= 1;
    fixture::write(&profile, &directory.join("new.subsume"));
    let document = json(&directory, &["report", "--json", "recording.subsume", "new.subsume"]);
    let printed = json(&directory, &["diff", "--json", "recording.subsume", "new.subsume"]);
    let found = document["diff"]["methods"].as_array().unwrap();
    let expected = printed["methods"].as_array().unwrap();
    assert_eq!(found.len(), expected.len());
    assert!(found.len() > 3);
    for method in expected {
        let same =
            |other: &&Value| ["class", "name", "descriptor"].iter().all(|k| other[k] == method[k]);
        let found = found.iter().find(same).unwrap();
        assert_eq!(found["state"], method["code"]);
        for (at, side) in ["before", "after"].into_iter().enumerate() {
            assert_eq!(found["cost"][at], method[side]["exclusive"]["bytecodes"]);
            assert_eq!(found["calls"][at], method[side]["exclusive"]["calls"]);
            assert_eq!(found["inclusive"][at], method[side]["inclusive"]);
        }
    }
}

#[test]
fn sources_are_shown_where_they_are_found() {
    let directory = fixture::directory("report-sources");
    let package = directory.join("src/com/example");
    fs::create_dir_all(&package).unwrap();
    let mut text: Vec<String> = (1..=30).map(|line| format!("    // line {line}")).collect();
    text[17] = "    void sort(int[] </script>) {".into();
    text[24] = "    }".into();
    fs::write(package.join("App.java"), text.join("\n")).unwrap();
    let arguments = ["report", "--json", "--sources", "src", "recording.subsume"];
    let document = json(&directory, &arguments);
    let profile = &document["profiles"][0];
    let names = names(profile);
    let sort = names.iter().position(|name| name[1] == "sort").unwrap().to_string();
    let sources = &profile["sources"];
    assert_eq!(sources["files"][0]["name"], "com/example/App.java");
    assert_eq!(sources["methods"][&sort], serde_json::json!([0, 18, 25]));
    // From line 20 sort calls itself 10 + 20 times, 5 and 10 of these from
    // Method.invoke; from line 21 it calls less.
    let calls = &sources["lines"][&sort];
    assert_eq!(*calls, serde_json::json!([[20, 30, 49_000], [21, 4_000, 24_000]]));
    assert_eq!(sources["has_executions"], false);
    let arguments = ["report", "--json", "--sources", "src", "lines.subsume"];
    let counted = json(&directory, &arguments);
    let counted = &counted["profiles"][0]["sources"];
    assert_eq!(counted["has_executions"], true);
    let executed = &counted["lines"][&sort];
    assert_eq!(executed[2], serde_json::json!([20, 30, 49_000, 3_000, 12_000]));
    assert_eq!(executed[3], serde_json::json!([21, 4_000, 24_000]));
    let main = names.iter().position(|name| name[1] == "main").unwrap().to_string();
    assert_eq!(sources["methods"][&main], serde_json::json!([0, 8, 13]));
    let chunk = &sources["files"][0]["chunks"][0];
    assert_eq!(chunk["first"], 8);
    assert!(chunk["text"].as_str().unwrap().starts_with("    // line 8\n    // line 9\n"));

    // An archive does as well.
    let mut archive = zip::ZipWriter::new(fs::File::create(directory.join("src.zip")).unwrap());
    let options = zip::write::SimpleFileOptions::default();
    archive.start_file("some.module/com/example/App.java", options).unwrap();
    archive.write_all(text.join("\n").as_bytes()).unwrap();
    archive.finish().unwrap();
    let arguments = ["report", "--json", "--sources", "src.zip", "recording.subsume"];
    let zipped = json(&directory, &arguments);
    let zipped = &zipped["profiles"][0]["sources"];
    assert_eq!(zipped["files"][0]["name"], "some.module/com/example/App.java");
    assert_eq!(zipped["files"][0]["chunks"], sources["files"][0]["chunks"]);
    assert_eq!((&zipped["methods"], &zipped["lines"]), (&sources["methods"], &sources["lines"]));

    for (wrong, code, says) in [
        // What is not there is a note: a command line is for several machines.
        ("nowhere", 0, "subsume: note: nowhere: "),
        ("recording.subsume", 2, "subsume: recording.subsume: "),
    ] {
        let output = subsume(&directory, &["report", "--sources", wrong, "recording.subsume"]);
        assert_eq!(output.status.code(), Some(code));
        let said = String::from_utf8(output.stderr).unwrap();
        assert!(said.starts_with(says) && said.lines().count() == 1, "{said}");
    }
}

#[test]
fn open_starts_a_browser_or_says_where_the_page_is() {
    let directory = fixture::directory("report-open");
    let browser = directory.join("browser");
    fs::write(&browser, "#!/bin/sh\nhead -c 15 \"$2\" > \"$1\"\n").unwrap();
    let executable = std::os::unix::fs::PermissionsExt::from_mode(0o755);
    fs::set_permissions(&browser, executable).unwrap();
    let open = |browser: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_subsume"));
        command.args(["open", "recording.subsume"]).current_dir(&directory);
        command.env("BROWSER", browser).env("TMPDIR", &directory);
        let output = command.env_remove("DISPLAY").env_remove("WAYLAND_DISPLAY").output().unwrap();
        assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
        String::from_utf8(output.stdout).unwrap()
    };
    let said = open(&format!("{} seen %s", browser.display()));
    let page = said.split(' ').next().unwrap();
    assert!(fs::read_to_string(page).unwrap().starts_with("<!doctype html>"), "{said}");
    // The browser is not waited for.
    let since = Instant::now();
    while fs::read_to_string(directory.join("seen")).is_ok_and(|seen| seen != "<!doctype html>")
        || !directory.join("seen").exists()
    {
        assert!(since.elapsed() < Duration::from_secs(60), "the browser got nothing");
        std::thread::sleep(Duration::from_millis(20));
    }
    let said = open("no-such-browser");
    assert_eq!(said.lines().count(), 1);
    assert!(said.contains("no browser found"), "{said}");
    assert!(Path::new(said.split(':').next().unwrap()).exists());
}

#[test]
fn every_file_of_the_view_is_in_the_page() {
    let view = Path::new(env!("CARGO_MANIFEST_DIR")).join("../crates/report/src/view");
    let directory = fixture::directory("report-view");
    output(&directory, &["report", "recording.subsume"]);
    let page = fs::read_to_string(directory.join("report.html")).unwrap();
    for entry in fs::read_dir(view).unwrap() {
        let path = entry.unwrap().path();
        let text = fs::read_to_string(&path).unwrap();
        if path.extension().is_some_and(|extension| extension != "html") {
            assert!(page.contains(&text), "{} is not in the page", path.display());
        }
    }
    assert!(!page.contains("<!--subsume:") && !page.contains("{{title}}"));
}

/// As with recordings: nobody loses the page of another profile who gives no name.
#[test]
fn a_page_that_is_there_stays_unless_it_is_named() {
    let directory = fixture::directory("report-there");
    let said = |arguments: &[&str]| String::from_utf8(output(&directory, arguments)).unwrap();
    fs::write(directory.join("report.html"), "another page").unwrap();
    let first = said(&["report", "recording.subsume"]);
    assert!(first.starts_with("report-2.html, "), "{first}");
    let second = said(&["report", "recording.subsume"]);
    assert!(second.starts_with("report-3.html, "), "{second}");
    assert_eq!(fs::read_to_string(directory.join("report.html")).unwrap(), "another page");
    let named = said(&["report", "recording.subsume", "-o", "report.html"]);
    assert!(named.contains(" MB, in place of what was there: open"), "{named}");
    assert!(fs::read_to_string(directory.join("report.html")).unwrap().contains("<script"));
}

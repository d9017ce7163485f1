//! Files that others have made: read once, bounded by what they are worth, and private.
#![cfg(unix)]

use crate::fixture;
use std::fs;
use std::io::Write;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::thread;

use crate::fixture::command::subsume;
use bytes::Bytes;
use flate2::Compression;
use flate2::write::GzEncoder;
use fleet::run::Run;
use parquet::file::reader::{FileReader, SerializedFileReader};
use serde_json::Value;
use support::ways_in_turn;

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

/// Runs the command with so many kilobytes of address space.
fn within(folder: &Path, kilobytes: u64, line: &str) -> Output {
    let command = format!("ulimit -v {kilobytes}; exec {} {line}", env!("CARGO_BIN_EXE_subsume"));
    Command::new("sh").args(["-c", &command]).current_dir(folder).output().unwrap()
}

/// One line and exit code 2.
fn is_refused(output: &Output, what: &str) -> String {
    let error = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(2), "{what}: {output:?}");
    assert_eq!(error.lines().count(), 1, "{what}: {error}");
    error
}

fn json(folder: &Path, arguments: &[&str]) -> Value {
    let output = subsume(folder, arguments);
    assert!(output.status.success(), "{arguments:?}: {output:?}");
    serde_json::from_slice(&output.stdout).unwrap()
}

/// All files below a folder.
fn files(folder: &Path) -> Vec<PathBuf> {
    let (mut found, mut open) = (Vec::new(), vec![folder.to_owned()]);
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() { open.push(path) } else { found.push(path) }
        }
    }
    found
}

/// What is read is one run; the name is another one's as soon as the file is open.
#[test]
fn a_fleet_reads_a_profile_once() {
    let folder = fixture::directory("read-once");
    let path = folder.join("now.subsume");
    assert!(Command::new("mkfifo").arg(&path).status().unwrap().success());
    let first = fs::read(folder.join("recording.subsume")).unwrap();
    fs::copy(folder.join("lines.subsume"), folder.join("other.subsume")).unwrap();
    let replaced = thread::spawn({
        let (path, first, other) = (path.clone(), first.clone(), folder.join("other.subsume"));
        move || {
            // Waits for the reader.
            let mut pipe = fs::OpenOptions::new().write(true).open(&path).unwrap();
            fs::rename(other, &path).unwrap();
            // A reader who looks at the beginning only and opens it again is gone.
            let _ = pipe.write_all(&first);
        }
    });
    let added = json(&folder, &["fleet", "add", "--json", "fl", "now.subsume"]);
    replaced.join().unwrap();
    let run = added["added"][0]["run"].as_str().unwrap().to_owned();
    let got = subsume(&folder, &["fleet", "get", "fl", &run, "-o", "back.subsume"]);
    assert!(got.status.success(), "{got:?}");
    assert!(fs::read(folder.join("back.subsume")).unwrap() == first, "another run is archived");
    let known = json(&folder, &["fleet", "add", "--json", "other", "recording.subsume"]);
    assert_eq!(known["added"][0]["run"], run);
    let listed = |fleet| json(&folder, &["fleet", "list", "--json", fleet])["runs"].clone();
    assert_eq!(listed("fl"), listed("other"));
}

/// A field of a protocol buffer.
fn field(number: u8, bytes: &[u8]) -> Vec<u8> {
    let mut field = vec![number << 3 | 2];
    let mut length = bytes.len();
    while length > 127 {
        field.push(length as u8 | 128);
        length >>= 7;
    }
    field.push(length as u8);
    field.extend_from_slice(bytes);
    field
}

/// A location stands for so many functions, and a sample is in it so many times.
fn pprof_of(functions: usize, times: usize) -> Vec<u8> {
    let mut file = field(1, &[8, 1, 16, 2]);
    for text in ["", "cpu", "ns", "m"] {
        file.extend(field(6, text.as_bytes()));
    }
    file.extend(field(5, &[8, 1, 16, 3]));
    let mut location = vec![8, 1];
    for _ in 0..functions {
        location.extend(field(4, &[8, 1]));
    }
    file.extend(field(4, &location));
    let mut sample = field(1, &vec![1; times]);
    sample.extend(field(2, &[1]));
    file.extend(field(2, &sample));
    file
}

#[test]
fn little_pprof_does_not_become_many_contexts() {
    let folder = fixture::directory("pprof-bombs");
    for (functions, times) in [(3_000, 3_000), (20_000, 20_000)] {
        let bytes = pprof_of(functions, times);
        fs::write(folder.join("bomb.pprof"), &bytes).unwrap();
        fs::write(folder.join("bomb.pprof.gz"), gzip(&bytes)).unwrap();
        for file in ["bomb.pprof", "bomb.pprof.gz"] {
            let line = format!("import --from pprof {file} -o b.subsume");
            let error = is_refused(&within(&folder, 3_000_000, &line), &line);
            assert!(error.contains(file) && error.contains("than its size is worth"), "{error}");
            let line = format!("fleet add fl {file}");
            is_refused(&within(&folder, 3_000_000, &line), &line);
        }
    }
    // What real profiles have is read.
    fs::write(folder.join("deep.pprof.gz"), gzip(&pprof_of(10, 20_000))).unwrap();
    let read =
        json(&folder, &["import", "--from", "pprof", "--json", "deep.pprof.gz", "-o", "d.subsume"]);
    assert_eq!(read["contexts"], 200_000);
}

/// A location stands for so many functions, and a stack has it so many times.
fn otlp_of(functions: usize, times: usize) -> Vec<u8> {
    let mut dictionary = Vec::new();
    for text in ["", "cpu", "ns", "m"] {
        dictionary.extend(field(5, text.as_bytes()));
    }
    dictionary.extend([field(3, &[]), field(3, &[8, 3])].concat());
    let location = field(3, &[8, 1]).repeat(functions);
    dictionary.extend([field(2, &[]), field(2, &location)].concat());
    dictionary.extend([field(7, &[]), field(7, &field(1, &vec![1; times]))].concat());
    let sample = [vec![8, 1], field(4, &[1])].concat();
    let profile = [field(1, &[8, 1, 16, 2]), field(2, &sample)].concat();
    [field(1, &field(2, &field(2, &profile))), field(2, &dictionary)].concat()
}

#[test]
fn little_otlp_does_not_become_many_contexts() {
    let folder = fixture::directory("otlp-bombs");
    let bytes = otlp_of(3_000, 3_000);
    fs::write(folder.join("bomb.otlp"), &bytes).unwrap();
    fs::write(folder.join("bomb.otlp.gz"), gzip(&bytes)).unwrap();
    for file in ["bomb.otlp", "bomb.otlp.gz"] {
        let line = format!("import --from otlp {file} -o b.subsume");
        let error = is_refused(&within(&folder, 3_000_000, &line), &line);
        assert!(error.contains(file) && error.contains("than its size is worth"), "{error}");
    }
    fs::write(folder.join("deep.otlp"), otlp_of(10, 20_000)).unwrap();
    let read =
        json(&folder, &["import", "--from", "otlp", "--json", "deep.otlp", "-o", "d.subsume"]);
    assert_eq!(read["contexts"], 200_000);
}

#[test]
fn what_has_no_end_is_refused() {
    let folder = fixture::directory("endless");
    let formats = ["folded", "callgrind", "jp2", "jprofiler", "jfr"];
    // Compressed, zeros take a thousandth.
    fs::write(folder.join("line.gz"), gzip(&vec![0; 100 << 20])).unwrap();
    let lines = "\n".repeat(100 << 20);
    fs::write(folder.join("lines.gz"), gzip(lines.as_bytes())).unwrap();
    drop(lines);
    let element = format!("<tree>\n<node methodName=\"{}", "a".repeat(20 << 20));
    fs::write(folder.join("element.gz"), gzip(element.as_bytes())).unwrap();
    let files = ["/dev/zero", "line.gz", "lines.gz", "element.gz"];
    let pairs: Vec<_> =
        formats.iter().flat_map(|format| files.iter().map(move |file| (format, file))).collect();
    for (format, file) in ways_in_turn(&pairs, 10) {
        let line = format!("import --from {format} {file} -o out.subsume");
        is_refused(&within(&folder, 1_000_000, &line), &line);
    }
    for format in ["pprof", "jstack"] {
        for file in ["line.gz", "lines.gz"] {
            let line = format!("import --from {format} {file} -o out.subsume");
            let error = is_refused(&within(&folder, 2_000_000, &line), &line);
            assert!(error.contains("far larger"), "{error}");
        }
    }
    for line in [
        "info /dev/zero",
        "methods /dev/zero",
        "fleet add fl /dev/zero",
        "merge /dev/zero -o m.subsume",
    ] {
        let error = is_refused(&within(&folder, 1_000_000, line), line);
        assert!(error.contains("not a profile"), "{line}: {error}");
    }
}

#[test]
fn an_archive_that_grows_is_refused() {
    let folder = fixture::directory("archive-bomb");
    let added = json(&folder, &["fleet", "add", "--json", "fl", "recording.subsume"]);
    let run = added["added"][0]["run"].as_str().unwrap().to_owned();
    let archive = files(&folder.join("fl/trees")).pop().unwrap();
    let mut bytes = fs::read(folder.join("recording.subsume")).unwrap();
    bytes.resize(300 << 20, 0);
    fs::write(&archive, gzip(&bytes)).unwrap();
    let line = format!("fleet get fl {run} -o x.subsume");
    let error = is_refused(&within(&folder, 1_000_000, &line), &line);
    assert!(error.contains("far larger"), "{error}");
}

/// Every bit of a table counts, not only those in pages.
#[test]
fn a_flipped_bit_in_a_fleet_is_refused() {
    let folder = fixture::directory("flipped-tables");
    json(&folder, &["fleet", "add", "--json", "fl", "recording.subsume"]);
    let table = files(&folder.join("fl/runs")).pop().unwrap();
    let whole = fs::read(&table).unwrap();
    assert!(Run::read(&table).is_ok());
    for at in 0..whole.len() {
        let mut damaged = whole.clone();
        damaged[at] ^= 1 << (at % 8);
        fs::remove_file(&table).unwrap();
        fs::write(&table, &damaged).unwrap();
        let error = Run::read(&table).expect_err(&format!("bit {} of byte {at}", at % 8));
        assert_eq!(error.to_string().lines().count(), 1, "{error}");
    }
    let is_refused = subsume(&folder, &["fleet", "list", "fl"]);
    assert_eq!(is_refused.status.code(), Some(2), "{is_refused:?}");

    // Engines find what is wrong in a page by its own checksum.
    let export = ["export", "--format", "parquet", "recording.subsume", "-o", "e.parquet"];
    assert!(subsume(&folder, &export).status.success());
    for bytes in [whole, fs::read(folder.join("e.parquet")).unwrap()] {
        let reader = SerializedFileReader::new(Bytes::from(bytes.clone())).unwrap();
        let (mut pages, mut columns) = (0, 0);
        for chunk in reader.metadata().row_group(0).columns() {
            let (start, length) = chunk.byte_range();
            // The last byte of the last page of the column.
            let mut damaged = bytes.clone();
            damaged[(start + length - 1) as usize] ^= 1;
            let damaged = SerializedFileReader::new(Bytes::from(damaged)).unwrap();
            let group = damaged.get_row_group(0).unwrap();
            let found: Result<Vec<_>, _> = group.get_column_page_reader(columns).unwrap().collect();
            let error = found.unwrap_err().to_string();
            assert!(error.contains("CRC"), "{error}");
            let group = reader.get_row_group(0).unwrap();
            pages += group.get_column_page_reader(columns).unwrap().map(Result::unwrap).count();
            columns += 1;
        }
        assert!(pages > columns && columns > 5, "{pages} pages of {columns} columns");
    }
}

/// In a build nobody gives commands.
#[test]
fn a_search_without_commands_is_automatic() {
    let folder = fixture::directory("search-alone");
    for json in [&[][..], &["--json"]] {
        let run = |option: &[&str], input: &str| {
            let mut command = Command::new(env!("CARGO_BIN_EXE_subsume"));
            command.arg("search").args(json).args(option).arg("recording.subsume");
            command.current_dir(&folder).stdin(Stdio::piped()).stdout(Stdio::piped());
            let mut process = command.spawn().unwrap();
            process.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
            let output = process.wait_with_output().unwrap();
            assert!(output.status.success(), "{output:?}");
            String::from_utf8(output.stdout).unwrap()
        };
        let found = run(&["--auto"], "");
        assert!(!found.is_empty());
        assert_eq!(run(&[], ""), found);
        // A user who gives commands gets their answers.
        assert!(run(&[], "suggest\n") != found);
    }
}

/// Command lines and names of classes are nobody else's business.
#[test]
fn what_is_written_is_private() {
    let folder = fixture::directory("private");
    let shell = |line: &str| {
        let command = format!("umask 022; exec {} {line}", env!("CARGO_BIN_EXE_subsume"));
        let output = Command::new("sh").args(["-c", &command]).current_dir(&folder).output();
        let output = output.unwrap();
        assert!(output.status.success(), "{line}: {output:?}");
    };
    fs::create_dir(folder.join("out")).unwrap();
    shell("report recording.subsume -o out/report.html");
    for format in
        ["folded", "pprof", "otlp", "jfr", "speedscope", "callgrind", "firefox", "csv", "parquet"]
    {
        shell(&format!("export --format {format} recording.subsume -o out/{format}"));
    }
    shell("blueprint recording.subsume --svg out/b.svg");
    shell("merge recording.subsume recording.subsume -o out/m.subsume");
    shell("import out/folded -o out/i.subsume");
    shell("history recording.subsume recording.subsume --html out/h.html");
    shell("fleet add --contexts --label version=1 out/fl recording.subsume");
    shell("fleet report out/fl -o out/fleet.html");
    let written = files(&folder.join("out"));
    assert!(written.len() > 16, "{written:?}");
    for path in written {
        let mode = path.metadata().unwrap().permissions().mode() & 0o777;
        assert_eq!(mode, 0o600, "{}", path.display());
    }
    // Who has made a file readable means it.
    let shared = folder.join("out/report.html");
    fs::set_permissions(&shared, PermissionsExt::from_mode(0o644)).unwrap();
    shell("report recording.subsume -o out/report.html");
    assert_eq!(shared.metadata().unwrap().permissions().mode() & 0o777, 0o644);
}

#[test]
fn secrets_are_left_out_on_request() {
    let folder = fixture::directory("redacted");
    let mut profile = fixture::recording();
    profile.run.command_line =
        "java -Dpassword=hunter2 -cp x org.example.Main token=hunter3 --key hunter4".to_owned();
    fixture::write(&profile, &folder.join("secret.subsume"));
    let holds = |bytes: &[u8]| bytes.windows(6).any(|part| part == b"hunter");
    let report = |file: &str, option: &[&str]| {
        let arguments = [&["report", "--json", file], option].concat();
        let output = subsume(&folder, &arguments);
        assert!(output.status.success(), "{output:?}");
        output.stdout
    };
    assert!(holds(&report("secret.subsume", &[])));
    let redacted = report("secret.subsume", &["--redact"]);
    assert!(!holds(&redacted) && String::from_utf8_lossy(&redacted).contains("-Dpassword=..."));

    let merge = ["merge", "--redact", "secret.subsume", "-o", "merged.subsume"];
    assert!(subsume(&folder, &merge).status.success());
    assert!(!holds(&report("merged.subsume", &[])));

    let add = ["fleet", "add", "--json", "--contexts", "--redact", "fl", "secret.subsume"];
    let run = json(&folder, &add)["added"][0]["run"].as_str().unwrap().to_owned();
    for path in files(&folder.join("fl")) {
        let bytes = fs::read(&path).unwrap();
        assert!(!holds(&bytes), "{}", path.display());
        if path.to_string_lossy().ends_with(".gz") {
            let plain = formats::import::input::read_all(&path).unwrap();
            assert!(!holds(&plain), "{}", path.display());
        }
    }
    assert!(subsume(&folder, &["fleet", "get", "fl", &run, "-o", "back.subsume"]).status.success());
    assert!(!holds(&report("back.subsume", &[])));
    // It is the same run.
    let again = json(&folder, &["fleet", "add", "--json", "fl", "secret.subsume"]);
    assert_eq!(again["known"][0]["run"], run);
}

/// Methods and their samples or weights, by frames of whole stacks.
fn folded(folder: &Path, file: &str, metric: &[&str]) -> Vec<String> {
    let arguments = [&["export", file], metric].concat();
    let output = subsume(folder, &arguments);
    assert!(output.status.success(), "{output:?}");
    let mut lines: Vec<String> =
        String::from_utf8(output.stdout).unwrap().lines().map(str::to_owned).collect();
    lines.sort();
    lines
}

#[test]
fn frames_without_a_name_are_read() {
    let folder = fixture::directory("empty-frames");
    fs::write(folder.join("in.folded"), "a;;b 1\na;;c 2\n;d 3\na; 4\na;;b 5\n").unwrap();
    assert!(subsume(&folder, &["import", "in.folded", "-o", "f.subsume"]).status.success());
    assert_eq!(
        folded(&folder, "f.subsume", &[]),
        ["[unknown];d 3", "a;[unknown] 4", "a;[unknown];b 6", "a;[unknown];c 2"]
    );
}

#[test]
fn differences_and_texts_of_pprof_are_read() {
    let folder = fixture::directory("pprof-texts");
    let import = |file: &str| {
        json(&folder, &["import", "--from", "pprof", "--json", file, "-o", "p.subsume"])["totals"]
            .clone()
    };
    let negative = {
        // -7 in ten bytes.
        let mut minus: Vec<u8> = vec![0xf9];
        minus.extend([0xff; 8]);
        minus.push(1);
        let mut file = pprof_of(1, 1);
        for value in [&minus[..], &[3]] {
            let mut sample = field(1, &[1]);
            sample.extend(field(2, value));
            file.extend(field(2, &sample));
        }
        let mut sample = field(1, &[1, 1]);
        sample.extend(field(2, &[9]));
        file.extend(field(2, &sample));
        file
    };
    fs::write(folder.join("delta.pprof"), negative).unwrap();
    // One, minus seven and three in the one context, nine in the other.
    assert_eq!(import("delta.pprof"), serde_json::json!({"cpu": 9, "less cpu": 3}));
    let text = "heap profile: 3: 34 [5: 88] @ heap/1048576\n1: 10 [2: 20] @ 0x1 0x2\n\
                #\t0x1\tmain.work+0x3a\tx.go:1\n#\t0x2\tmain.main+0x9\tx.go:2\n\n\
                2: 24 [3: 68] @ 0x9\n";
    fs::write(folder.join("heap.pprof"), text).unwrap();
    let totals = import("heap.pprof");
    assert_eq!((&totals["inuse_space"], &totals["alloc_objects"]), (&34.into(), &5.into()));
    assert_eq!(
        folded(&folder, "p.subsume", &["--metric", "inuse_space"]),
        ["0x9 24", "main.main;main.work 10"]
    );
}

/// As JDK 21 and JDK 25 write them, where threads have no state and where they have.
#[test]
fn dumps_with_virtual_threads_are_read() {
    let folder = fixture::directory("thread-dumps");
    let text = "13711\n2026-11-28T20:39:51Z\n21.0.8+9-LTS\n\n#1 \"main\"\n      \
        java.base/java.lang.Thread.sleep0(Native Method)\n      VT.main(VT.java:9)\n\n\
        #11 \"Signal Dispatcher\"\n\n#24 \"spin\" virtual\n      VT.work(VT.java:3)\n      \
        java.base/java.lang.VirtualThread.run(Unknown Source)\n\n#18 \"\" virtual\n      \
        java.base/java.lang.VirtualThread.parkNanos(Unknown Source)\n      \
        VT.lambda$main$0(VT.java:6)\n\n";
    let later = "13820\n2026-11-28T20:39:56Z\n25.0.3+9-LTS\n\n\
        #3 \"main\" TIMED_WAITING 2026-11-28T20:39:56Z\n    \
        at java.base/java.lang.Thread.sleepNanos0(Native Method)\n    at VT.main(VT.java:9)\n\n\
        #30 \"spin\" virtual RUNNABLE 2026-11-28T20:39:56Z\n    at VT.work(VT.java:3)\n    \
        - locked <java.lang.Object@1>\n    \
        at java.base/java.lang.VirtualThread.run(VirtualThread.java:460)\n\n\
        #22 \"\" virtual TIMED_WAITING 2026-11-28T20:39:56Z\n    \
        at java.base/java.lang.VirtualThread.parkNanos(VirtualThread.java:784)\n    \
        at VT.lambda$main$0(VT.java:6)\n";
    let document = r#"{"threadDump": {"processId": "1", "threadContainers": [{"container": "<root>",
        "threads": [{"tid": "3", "name": "main", "state": "TIMED_WAITING", "stack":
        ["java.base\/java.lang.Thread.sleepNanos0(Native Method)", "VT.main(VT.java:9)"]},
        {"tid": "14", "name": "Signal Dispatcher", "state": "RUNNABLE", "stack": []}]},
        {"container": "x", "threads": [{"tid": "30", "virtual": true, "name": "spin", "state":
        "RUNNABLE", "stack": ["VT.work(VT.java:3)",
        "java.base\/java.lang.VirtualThread.run(VirtualThread.java:460)"]}, {"tid": "22",
        "virtual": true, "name": "", "state": "TIMED_WAITING", "stack":
        ["java.base\/java.lang.VirtualThread.parkNanos(VirtualThread.java:784)",
        "VT.lambda$main$0(VT.java:6)"]}]}]}}"#;
    for (name, dump) in [("text21", text), ("text25", later), ("json", document)] {
        fs::write(folder.join(name), dump).unwrap();
        let import = ["import", "--from", "jstack", "--json", name, "-o", "d.subsume"];
        let read = json(&folder, &import);
        assert_eq!(read["waiting_left_out"], 2, "{name}");
        let running = "java.lang.VirtualThread.run;VT.work 1";
        assert_eq!(folded(&folder, "d.subsume", &[]), [running], "{name}");
        json(&folder, &[&import[..], &["--waiting"]].concat());
        let all = folded(&folder, "d.subsume", &[]);
        assert_eq!(all.len(), 3, "{name}: {all:?}");
        assert!(all.contains(&running.to_owned()), "{name}: {all:?}");
    }
}

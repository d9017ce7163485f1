//! Broken files: every command gives an answer or one line that says what is
//! wrong, with exit code 2.
//!
//! `SUBSUME_DAMAGE=N` makes N damaged copies of each kind instead of a few.

pub mod commands;
mod damage;
mod imports;

use crate::fixture;
use made_profiles::live;
use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use commands::{COMMANDS, check, run};
use damage::Damaged;
use support::random::Random;
use support::{rounds, ways_in_turn};

/// How many damaged copies of each kind there are: `all` of them before a release.
fn copies(all: u64) -> u64 {
    std::env::var("SUBSUME_DAMAGE").map_or(rounds(all), |text| text.parse().unwrap())
}

/// Calls `work` with each item and the number of the worker, with two workers.
fn share_out<T: Sync>(items: &[T], work: impl Fn(&T, usize) + Sync) {
    let next = AtomicUsize::new(0);
    thread::scope(|scope| {
        for worker in 0..2 {
            let (next, work) = (&next, &work);
            scope.spawn(move || {
                while let Some(item) = items.get(next.fetch_add(1, Ordering::Relaxed)) {
                    work(item, worker);
                }
            });
        }
    });
}

/// Runs commands on each file: all of them, or one after the other in turn.
/// Returns how many were refused.
fn every_command(folder: &Path, files: &[Damaged], in_turn: bool) -> usize {
    let refused = AtomicUsize::new(0);
    let numbered: Vec<(usize, &Damaged)> = files.iter().enumerate().collect();
    share_out(&numbered, |(number, file), worker| {
        let name = format!("broken-{worker}.subsume");
        file.write(&folder.join(&name));
        let lines = if in_turn { &COMMANDS[number % COMMANDS.len()..][..1] } else { &COMMANDS[..] };
        for line in lines {
            let line = line.replace("BROKEN", &name).replace("OUT", &format!("out-{worker}"));
            let line = line.replace("GOOD", "recording.subsume");
            let output = run(folder, &line);
            let is_refused = check(&output, !file.is_noticed, &format!("{}: {line}", file.what));
            refused.fetch_add(usize::from(is_refused), Ordering::Relaxed);
        }
    });
    refused.into_inner()
}

#[test]
fn foreign_files() {
    let folder = fixture::directory("foreign");
    every_command(&folder, &damage::foreign(), false);
}

#[test]
fn what_is_no_file() {
    let folder = fixture::directory("no-file");
    fs::create_dir(folder.join("folder")).unwrap();
    std::os::unix::fs::symlink("loop", folder.join("loop")).unwrap();
    for broken in ["missing", "folder", "/dev/null", "loop", "recording.subsume/below"] {
        for line in COMMANDS {
            let line = line.replace("BROKEN", broken).replace("OUT", "out");
            let line = line.replace("GOOD", "recording.subsume");
            check(&run(&folder, &line), false, &line);
        }
    }
    // Root may read everything.
    if rustix::process::geteuid().is_root() {
        return;
    }
    use std::os::unix::fs::PermissionsExt;
    let secret = folder.join("secret");
    fs::copy(folder.join("recording.subsume"), &secret).unwrap();
    fs::set_permissions(&secret, fs::Permissions::from_mode(0o0)).unwrap();
    for line in COMMANDS {
        let line = line.replace("BROKEN", "secret").replace("OUT", "out");
        check(&run(&folder, &line.replace("GOOD", "recording.subsume")), false, &line);
    }
}

#[test]
fn cut_profiles() {
    let folder = fixture::directory("cut");
    for name in ["recording", "copies", "costs", "nulls", "loops", "growth", "results", "typestate"]
    {
        let whole = fs::read(folder.join(format!("{name}.subsume"))).unwrap();
        // In part of the runs each cut is tried.
        let cut = damage::cut(&whole);
        let few = rounds(cut.len() as u64).max(8) as usize;
        let cut: Vec<Damaged> = ways_in_turn(&cut, few).into_iter().cloned().collect();
        every_command(&folder, &cut, name != "recording");
    }
}

#[test]
fn flipped_bits() {
    let folder = fixture::directory("flipped");
    let mut random = Random(5);
    for name in [
        "recording",
        "copies",
        "costs",
        "nulls",
        "loops",
        "growth",
        "results",
        "typestate",
        "cut-short",
        "idle",
    ] {
        let whole = fs::read(folder.join(format!("{name}.subsume"))).unwrap();
        let files = damage::flipped(&whole, copies(160), true, &mut random);
        every_command(&folder, &files, true);
    }
}

/// Damage that checksums do not show reaches the analyses.
#[test]
fn flipped_bits_with_right_checksums() {
    let folder = fixture::directory("signed");
    let mut random = Random(6);
    let mut answered = 0;
    for name in ["recording", "copies", "costs", "nulls", "loops", "growth", "results", "typestate"]
    {
        let whole = fs::read(folder.join(format!("{name}.subsume"))).unwrap();
        let files = damage::signed(&whole, copies(320), &mut random);
        answered += files.len() - every_command(&folder, &files, true);
    }
    assert!(answered > 20, "{answered} answers");
}

/// What a killed JVM leaves behind has no checksums at all.
#[test]
fn flipped_bits_of_the_live_form() {
    let folder = fixture::directory("live-flipped");
    let mut random = Random(7);
    let live = live::live_from(&mut fixture::recording()).bytes();
    fs::write(folder.join("live.subsume"), &live).unwrap();
    let output = run(&folder, "methods live.subsume");
    assert!(output.status.success(), "{output:?}");
    every_command(&folder, &damage::flipped(&live, copies(320), false, &mut random), true);
    let lengths = (0..live.len()).step_by(1 + live.len() / 60);
    let cut = lengths.map(|length| Damaged {
        what: format!("the first {length} bytes"),
        bytes: live[..length].to_vec(),
        is_noticed: true,
    });
    every_command(&folder, &cut.collect::<Vec<_>>(), true);
}

/// Names of files, and names within files, come from others. Printed unchanged, they could set
/// the terminal's title and colours, and have it type input.
#[test]
fn names_are_printed_without_control_characters() {
    let folder = fixture::directory("printable");
    let evil = "\u{1b}]0;x\u{7}\u{9b}2J\u{202e}";
    let file = format!("good{evil}.subsume");
    let mut recording = fixture::recording();
    recording.run.command_line = evil.to_owned();
    recording.run.labels.insert("host".to_owned(), evil.to_owned());
    for class in &mut recording.classes {
        class.name = format!("{}{evil}", class.name);
    }
    for thread in &mut recording.threads {
        thread.name = evil.to_owned();
    }
    fixture::write(&recording, &folder.join(&file));
    fs::write(folder.join(format!("nothing{evil}")), "nothing").unwrap();
    // Where somebody else's name follows our own colours or titles, these are not for pipes.
    let others = [
        "import --format folded GOOD -o OUT",
        "import --format folded BROKEN -o OUT",
        "man OUT-folder",
        "attach 1 -o OUT --agent BROKEN",
        "run -o OUT-no-such-folder/OUT -- java",
        "loops BROKEN --baseline BROKEN",
        "fleet list BROKEN",
        "fleet get BROKEN 1 -o OUT",
        "methods BROKEN --metric BROKEN",
        "methods --top BROKEN",
        "methods BROKEN --time BROKEN",
        "BROKEN",
    ];
    // The CSV format is data for programs, which need names unchanged.
    let is_data = |line: &&str| line.starts_with("export --format csv");
    let lines = COMMANDS.iter().copied().chain(others).filter(|line| !is_data(line));
    let lines: Vec<&str> = lines.collect();
    let wrong = std::sync::Mutex::new(Vec::new());
    share_out(&lines, |line, worker| {
        for broken in [file.clone(), format!("nothing{evil}"), format!("missing{evil}")] {
            let words: Vec<String> = line
                .split(' ')
                .map(|word| word.replace("BROKEN", &broken).replace("GOOD", "recording.subsume"))
                .map(|word| word.replace("OUT", &format!("out{evil}{worker}")))
                .collect();
            let output = commands::run_words(&folder, &words);
            for bytes in [&output.stdout, &output.stderr] {
                // JSON has names as they are, in its own escapes.
                let is_json = bytes.starts_with(b"{") || bytes.starts_with(b"[");
                let text = String::from_utf8_lossy(bytes);
                let is_wrong = |c: char| match c {
                    '\n' | '\t' => false,
                    '\u{202e}' | '\u{9b}' => !is_json,
                    c => c.is_ascii_control(),
                };
                if let Some(printed) = text.lines().find(|printed| printed.contains(is_wrong)) {
                    wrong.lock().unwrap().push(format!("{line}, {broken:?}: {printed:?}"));
                }
            }
        }
    });
    let wrong = wrong.into_inner().unwrap();
    assert!(wrong.is_empty(), "{} lines:\n{}", wrong.len(), wrong.join("\n"));
}

/// A recording of another mode is not a broken file, but has no answer either.
#[test]
fn what_was_not_recorded() {
    let folder = fixture::directory("not-recorded");
    for (line, mode) in [
        ("copies", "copies"),
        ("chains", "copies"),
        ("clones", "copies"),
        ("temporaries", "copies"),
        ("useless", "copies"),
        ("costs", "costs"),
        ("dead", "costs"),
    ] {
        let output = run(&folder, &format!("{line} recording.subsume"));
        check(&output, false, line);
        let error = String::from_utf8_lossy(&output.stderr);
        assert!(error.contains(&format!("mode={mode}")), "{line}: {error}");
    }
    for line in ["graph recording.subsume Main:9", "cost-of recording.subsume Main:9"] {
        check(&run(&folder, line), false, line);
    }
}

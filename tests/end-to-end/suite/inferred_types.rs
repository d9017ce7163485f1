//! Class files before version 50 are verified by inference: where control
//! joins, the verifier loads what it must know the superclass of. The agent
//! must not make it load anything more.

use std::fs;
use std::path::{Path, PathBuf};

use support::{Launch, Scratch, compiled, in_turn};

/// The program's classes as version 48 without the one that it never needs.
fn downgraded(scratch: &Scratch) -> PathBuf {
    let folder = scratch.file("classes");
    fs::create_dir(&folder).expect("the scratch folder can be written");
    for entry in fs::read_dir(compiled("inferred")).expect("the program was compiled") {
        let path = entry.expect("a folder can be read to its end").path();
        let name = path.file_name().expect("a file has a name");
        if name == "Absent.class" {
            continue;
        }
        let mut bytes = fs::read(&path).expect("a class file can be read");
        bytes[6..8].copy_from_slice(&48_u16.to_be_bytes());
        fs::write(folder.join(name), bytes).expect("the scratch folder can be written");
    }
    folder
}

/// Of the JVM's log of loaded classes, those that come from the class path,
/// and what the program printed.
fn split(output: &str) -> (Vec<String>, Vec<&str>) {
    let (log, printed): (Vec<&str>, Vec<&str>) =
        output.lines().partition(|line| line.starts_with('['));
    let from_path = log.iter().filter(|line| line.contains("source: file:"));
    let name = |line: &&str| line.split_whitespace().nth(1).map(str::to_owned);
    (from_path.filter_map(name).collect(), printed)
}

#[test]
fn no_class_is_loaded_for_the_sake_of_the_probes() {
    for jdk in in_turn() {
        let scratch = Scratch::new("inferred");
        let classes = downgraded(&scratch);
        let launch = |folder: &Path| {
            Launch::new(jdk, "Infers", folder)
                .class_path(classes.clone())
                .options(&["-Xlog:class+load:stdout:tags"])
        };
        let plain = launch(scratch.path()).run_well();
        let profile = scratch.file("out.subsume");
        let recorded = launch(scratch.path()).profiled(&profile).run_well();
        let (loaded, printed) = split(&plain);
        assert!(loaded.iter().any(|name| name == "Present"), "{jdk}: {loaded:?}");
        assert_eq!(printed.len(), 18, "{jdk}: {printed:?}");
        assert_eq!(split(&recorded), (loaded, printed), "{jdk}");
    }
}

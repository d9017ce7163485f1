//! Closed pipes and very deep trees.

use crate::fixture;
use std::fs;
use std::process::{Command, Stdio};

use crate::fixture::command::subsume;

#[test]
fn a_closed_pipe_is_no_error() {
    let directory = fixture::directory("pipe");
    // More than a pipe holds, so that writing must fail.
    let frames: String =
        (0..20_000).map(|n| format!("main;com.example.Class.method{n} 1\n")).collect();
    fs::write(directory.join("wide.folded"), frames).unwrap();
    let imported = subsume(&directory, &["import", "wide.folded", "-o", "wide.subsume"]);
    assert!(imported.status.success());
    for command in
        [&["export"][..], &["tree", "--min-percent", "0"], &["methods", "--all", "--json"]]
    {
        let mut child = Command::new(env!("CARGO_BIN_EXE_subsume"))
            .args(command)
            .arg("wide.subsume")
            .current_dir(&directory)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        drop(child.stdout.take());
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{command:?}");
        assert!(output.stderr.is_empty(), "{command:?}: {output:?}");
    }
}

#[test]
fn depth_is_no_limit() {
    let directory = fixture::directory("deep");
    let depth = 300_000;
    let mut stack = "main".to_owned();
    for n in 0..depth {
        stack += [";a", ";b", ";c"][n * n % 7 % 3];
    }
    fs::write(directory.join("deep.folded"), stack + " 5\n").unwrap();
    let imported = subsume(&directory, &["import", "deep.folded", "-o", "deep.subsume"]);
    assert!(imported.status.success(), "{imported:?}");
    for command in [
        &["methods", "--callers", "--height", "0", "--distance", "0", "deep.subsume"][..],
        &["tree", "--json", "deep.subsume"],
        &["tree", "deep.subsume"],
        &["callers", "deep.subsume", "c"],
        &["export", "deep.subsume"],
        &["info", "deep.subsume"],
        &["search", "--auto", "deep.subsume"],
    ] {
        let output = subsume(&directory, command);
        assert_eq!(output.status.code(), Some(0), "{command:?}: {output:?}");
    }
}

/// Two chains of 20,000 methods each: with all candidates at once, the search
/// for dominators would take gigabytes.
#[test]
fn many_methods_on_one_path_fit_into_memory() {
    let directory = fixture::directory("long-chain");
    let chain: String = (0..20_000).map(|n| format!(";m{n}")).collect();
    fs::write(directory.join("chain.folded"), format!("main{chain} 1\nmain;x{chain} 1\n")).unwrap();
    let imported = subsume(&directory, &["import", "chain.folded", "-o", "chain.subsume"]);
    assert!(imported.status.success(), "{imported:?}");
    let limited =
        "ulimit -v 2000000; exec \"$0\" methods --all --top 1 --sort distance chain.subsume";
    let output = Command::new("sh")
        .args(["-c", limited, env!("CARGO_BIN_EXE_subsume")])
        .current_dir(&directory)
        .output()
        .unwrap();
    assert!(output.status.success(), "{output:?}");
}

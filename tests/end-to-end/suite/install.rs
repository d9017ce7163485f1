//! `scripts/install`: what users get, and what their shells and `man` say to it.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use support::{Scratch, artifacts, is_there, oldest};

fn output(command: &mut Command) -> Output {
    command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"))
}

/// Nothing to complain of.
fn assert_silent(output: &Output, what: &str) {
    let said = [&output.stdout[..], &output.stderr[..]].map(String::from_utf8_lossy);
    assert!(output.status.success(), "{what}: {said:?}");
    assert!(said.iter().all(|text| text.is_empty()), "{what}: {said:?}");
}

#[test]
fn installed_files_work_together() {
    let scratch = Scratch::new("install");
    let prefix = scratch.path().join("a prefix");
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scripts/install");
    let built = artifacts().command.parent().expect("the command lies in a folder");
    let installed =
        output(Command::new(script).arg("--from").arg(built).arg("--prefix").arg(&prefix));
    assert!(installed.status.success(), "{installed:?}");

    // The command finds the agent without being told.
    let java = oldest().command("java");
    let recorded = output(
        Command::new(prefix.join("bin/subsume"))
            .args(["run", "-o", "version.subsume", "--"])
            .arg(java)
            .arg("-version")
            .current_dir(scratch.path())
            .env_remove("SUBSUME_AGENT"),
    );
    assert!(recorded.status.success(), "{recorded:?}");
    assert!(scratch.file("version.subsume").is_file(), "{recorded:?}");

    let share = prefix.join("share");
    pages_render(&share.join("man/man1"));
    shells_complete(&share);
}

/// Every page is taken by the programs that show pages, without a warning.
fn pages_render(folder: &Path) {
    let entries = fs::read_dir(folder).expect("pages are installed");
    let pages: Vec<_> =
        entries.map(|entry| entry.expect("the folder can be read").path()).collect();
    assert!(pages.len() > 20, "{pages:?}");
    for page in &pages {
        if is_there("groff") {
            let options = ["-man", "-ww", "-Tutf8", "-z"];
            assert_silent(&output(Command::new("groff").args(options).arg(page)), "groff");
        }
        if is_there("mandoc") {
            let options = ["-T", "lint", "-W", "error"];
            assert_silent(&output(Command::new("mandoc").args(options).arg(page)), "mandoc");
        }
        if is_there("man") {
            let shown = output(Command::new("man").arg("-l").arg(page).env("MANPAGER", "cat"));
            let shown = String::from_utf8_lossy(&shown.stdout).into_owned();
            assert!(shown.contains("SYNOPSIS") && shown.contains("EXAMPLES"), "{shown}");
        }
    }
}

/// Each shell takes its script, and completes a command with it.
fn shells_complete(share: &Path) {
    let bash = share.join("bash-completion/completions/subsume");
    let line = "source \"$0\"; COMP_WORDS=(subsume exp); COMP_CWORD=1; _subsume subsume exp subsume; \
                echo \"${COMPREPLY[@]}\"";
    let completed = output(Command::new("bash").args(["-c", line]).arg(&bash));
    assert_eq!(String::from_utf8_lossy(&completed.stdout).trim(), "export", "{completed:?}");
    if is_there("zsh") {
        let script = share.join("zsh/site-functions/_subsume");
        assert_silent(&output(Command::new("zsh").arg("-n").arg(&script)), "zsh");
        let line = "fpath=(\"$1\" $fpath); autoload -Uz compinit; compinit -u -D; \
                    [[ ${_comps[subsume]} == _subsume ]]";
        let folder = script.parent().expect("the script lies in a folder");
        assert_silent(&output(Command::new("zsh").args(["-fc", line, "zsh"]).arg(folder)), "zsh");
    }
    if is_there("fish") {
        let script = share.join("fish/vendor_completions.d/subsume.fish");
        assert_silent(&output(Command::new("fish").arg("-n").arg(&script)), "fish");
        let line = "source $argv[1]; complete --do-complete 'subsume exp'";
        let completed = output(Command::new("fish").args(["--no-config", "-c", line]).arg(&script));
        assert!(String::from_utf8_lossy(&completed.stdout).starts_with("export"), "{completed:?}");
    }
}

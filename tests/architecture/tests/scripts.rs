//! Each script says what it does when it is asked, and does nothing else then.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Stdio};

#[test]
fn every_script_has_help() {
    let repository = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut checked = 0;
    for folder in ["scripts", "bench"] {
        for entry in fs::read_dir(repository.join(folder)).expect("the folder can be listed") {
            let path = entry.expect("it is there").path();
            let metadata = path.metadata().expect("it is there");
            if !metadata.is_file() || metadata.permissions().mode() & 0o100 == 0 {
                continue;
            }
            let mut script = Command::new(&path);
            let output = script.arg("--help").stdin(Stdio::null()).output();
            let output = output.unwrap_or_else(|error| panic!("{}: {error}", path.display()));
            let said = String::from_utf8_lossy(&output.stdout);
            assert!(output.status.success() && said.lines().count() > 2, "{path:?}: {output:?}");
            checked += 1;
        }
    }
    assert!(checked > 15, "only {checked} scripts were found");
}

/// The files that platforms read name the version of the packages that they fetch.
#[test]
fn platforms_fetch_this_version() {
    let repository = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut checked = 0;
    for file in [
        "action.yml",
        "templates/subsume.yml",
        "integrations/ci/.gitlab-ci.yml",
        "integrations/ci/.github/workflows/bytecodes.yml",
        "integrations/ci/.github/workflows/findings.yml",
    ] {
        let text = fs::read_to_string(repository.join(file)).expect("it is there");
        for (at, line) in text.lines().enumerate() {
            for (named, _) in line.match_indices("subsume-").chain(line.match_indices("download/v"))
            {
                let rest = line[named..].trim_start_matches(|c: char| !c.is_ascii_digit());
                let version = rest.split(['-', '/', '"']).next().unwrap_or_default();
                if line[named..].len() - rest.len() <= "download/v".len() {
                    assert_eq!(version, env!("CARGO_PKG_VERSION"), "{file}, line {}", at + 1);
                    checked += 1;
                }
            }
        }
    }
    assert!(checked >= 10, "{checked} versions");
}

/// The notes of a release are what the changelog says of its version.
#[test]
fn a_release_has_notes() {
    let repository = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let script = repository.join("scripts/release");
    let notes = |tag: &str| {
        let output = Command::new(&script).args(["--notes", tag]).output();
        output.expect("the script can be started")
    };
    let version = concat!("v", env!("CARGO_PKG_VERSION"));
    let good = notes(version);
    let said = String::from_utf8_lossy(&good.stdout);
    assert!(good.status.success() && said.lines().count() > 5, "{good:?}");
    assert!(!said.lines().any(|line| line.starts_with("## ")), "{said}");
    let wrong = notes("v0.0.0");
    assert_eq!(wrong.status.code(), Some(2), "{wrong:?}");
}

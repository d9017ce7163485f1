//! `scripts/exchange`: the tools that exports are for say what `methods` says.

use std::path::Path;
use std::process::Command;

use support::{Launch, Scratch, artifacts, oldest};

#[test]
fn other_tools_agree_on_every_method() {
    let scratch = Scratch::new("exchange");
    let profile = scratch.file("exchange.subsume");
    let run = Launch::new(oldest(), "LanguageFeatures", scratch.path()).profiled(&profile).run();
    assert_eq!(run.status, Some(0), "{run:?}");
    let findings = scratch.file("findings.subsume");
    let agent = format!("mode=results,out={}", findings.display());
    let run = Launch::new(oldest(), "LanguageFeatures", scratch.path()).agent(&agent).run();
    assert_eq!(run.status, Some(0), "{run:?}");
    // What the script fetches stays for the next time.
    let tools = artifacts().command.with_file_name("exchange-tools");
    let output = Command::new(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scripts/exchange"))
        .arg(&artifacts().command)
        .args([&profile, &tools, &findings])
        .output()
        .expect("the script can be started");
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    println!("{said}");
    assert!(output.status.success(), "{said}{}", String::from_utf8_lossy(&output.stderr));
    assert!(said.contains("folded stacks: agrees"), "{said}");
}

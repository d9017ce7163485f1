//! A JVM that is not HotSpot is refused with one line. A small program stands
//! for it, which loads the agent as such a JVM does.

use std::path::Path;
use std::process::Command;

use support::{Scratch, artifacts, oldest};

#[test]
fn a_jvm_that_is_not_hotspot_is_refused() {
    let scratch = Scratch::new("other-jvm");
    let other = scratch.file("other_jvm");
    // The header of JVM TI is the same in every JDK.
    let include = oldest().command("java").with_file_name("../include");
    let compiled = Command::new("cc")
        .arg("-o")
        .arg(&other)
        .arg("-I")
        .arg(&include)
        .arg("-I")
        .arg(include.join("linux"))
        .arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("programs/native/other_jvm.c"))
        .arg("-ldl")
        .output()
        .expect("a C compiler can be started");
    assert!(compiled.status.success(), "{}", String::from_utf8_lossy(&compiled.stderr));

    for (version, said) in [
        ("21", "this JVM is not HotSpot"),
        ("11", "this JVM is Java 11"),
        ("none", "this JVM has no JVM TI 11"),
    ] {
        let output = Command::new(&other)
            .arg(&artifacts().agent)
            .arg(version)
            .current_dir(scratch.path())
            .output()
            .expect("it was compiled for this machine");
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!((output.status.code(), stderr.lines().count()), (Some(2), 1), "{stderr}");
        assert!(stderr.starts_with(&format!("subsume: {said}")), "{version}: {stderr}");
        assert!(stderr.contains("use HotSpot 17 or later"), "{version}: {stderr}");
        assert!(output.stdout.is_empty(), "{version}: {output:?}");
        assert!(!scratch.file("other.subsume").exists(), "{version}");
    }
}

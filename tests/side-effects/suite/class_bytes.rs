//! Programs that look at the bytes of classes.

use std::path::Path;
use std::process::Command;

use crate::same;
use support::{Jdk, Launch, Scratch, compiled, jdks};

/// Runs a command of the JDK, which must succeed.
fn tool(jdk: &Jdk, name: &str, folder: &Path, arguments: &[&str]) {
    let output = Command::new(jdk.command(name))
        .args(arguments)
        .current_dir(folder)
        .output()
        .expect("the JDK's commands can be started");
    assert!(output.status.success(), "{name} {arguments:?} on {jdk}: {output:?}");
}

#[test]
fn signed_jar_and_loader_that_checks_digests() {
    for jdk in jdks() {
        let scratch = Scratch::new("signed");
        let classes = compiled("main");
        let classes_text = classes.to_str().expect("the build folder's name is text");
        let password = ["-storepass", "changeit", "-keystore", "keys"];
        tool(
            jdk,
            "jar",
            scratch.path(),
            &["cf", "signed.jar", "-C", classes_text, "Greeting.class"],
        );
        let generate = ["-genkeypair", "-alias", "us", "-keyalg", "EC", "-dname", "CN=us"];
        tool(jdk, "keytool", scratch.path(), &[&generate[..], &password[..]].concat());
        tool(
            jdk,
            "jarsigner",
            scratch.path(),
            &[&password[..], &["signed.jar", "us"][..]].concat(),
        );
        let launch = || {
            Launch::new(jdk, "ChecksBytes", scratch.path())
                .argument("signed.jar")
                .argument("Greeting")
        };
        let said = same::check(launch, &scratch.file("signed.subsume"));
        assert!(said.contains("signed by 1\n"), "{jdk}: {said}");
        assert!(said.contains("fedcba signers 1 certificates 1\n"), "{jdk}: {said}");
    }
}

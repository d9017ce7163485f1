//! The machine does what the JVM does.

use std::panic::catch_unwind;

use interpreter::Recorded;
use support::{java, jdks};

use crate::batch::programs;
use crate::rig::{ARGUMENTS, compiled, copies, costs, needed};

#[test]
fn programs_print_what_they_print_in_the_jvm() {
    let mut failures = Vec::new();
    for jdk in jdks() {
        for program in programs() {
            let output = java(jdk)
                .args(needed(jdk))
                .args(["-Xshare:auto", "-XX:TieredStopAtLevel=1", "-cp"])
                .arg(compiled())
                .arg(&program)
                .args(ARGUMENTS)
                .output()
                .expect("java can be started");
            assert!(output.status.success(), "{program}: {output:?}");
            let expected = String::from_utf8_lossy(&output.stdout);
            let run = catch_unwind(|| {
                let copied = copies(&program, jdk, 4, Recorded::default()).run;
                let costed = costs(&program, jdk, 16, Recorded::default());
                let methods = copied.methods.len();
                copied.graph.validate(methods).expect("the copy graph is sound");
                costed.graph.validate(methods).expect("the cost graph is sound");
                (copied.printed, costed.printed)
            });
            match run {
                Ok((copies, costs)) if copies == expected && costs == expected => {}
                Ok((copies, _)) => {
                    failures.push(format!("{program} on {jdk}: {copies:?}, not {expected:?}"));
                }
                Err(_) => failures.push(format!("{program} on {jdk} does not end well")),
            }
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

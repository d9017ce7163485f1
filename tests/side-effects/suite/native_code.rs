//! A library that calls back through JNI.

use std::path::{Path, PathBuf};

use crate::same;
use support::{Jdk, Launch, Scratch, compile_native, compiled, jdks};

/// Compiles the native half of `CallsBack`.
fn library(jdk: &Jdk, folder: &Path) -> PathBuf {
    let library = folder.join("libcalls_back.so");
    let programs = Path::new(env!("CARGO_MANIFEST_DIR")).join("programs");
    compile_native(jdk, &programs.join("native/calls_back.c"), &library);
    library
}

#[test]
fn callbacks_and_exceptions_through_native_frames() {
    for jdk in jdks() {
        let scratch = Scratch::new("callbacks");
        let library = library(jdk, scratch.path());
        let classes = compiled("native");
        // The interpreter and both compilers; and the JVM's own checks of code that uses JNI,
        // whose warnings would be a difference.
        for options in [&["-Xint"][..], &["-XX:TieredStopAtLevel=1"], &["-Xcheck:jni"]] {
            let launch = || {
                Launch::new(jdk, "CallsBack", scratch.path())
                    .class_path(classes.clone())
                    .options(options)
                    .argument(&library)
                    .argument(classes.join("Defined.class"))
            };
            let said = same::check(launch, &scratch.file("callbacks.subsume"));
            assert_eq!(said.matches("defined 49").count(), 2, "{said}");
        }
    }
}

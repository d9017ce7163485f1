//! Compiles the programs.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use support::{Jdk, java_files, run, target};
use verifier::toolchain::compile_with_ecj;

use crate::features::Level;

/// Class folders of what was compiled already.
static COMPILED: Mutex<BTreeMap<Level, PathBuf>> = Mutex::new(BTreeMap::new());

/// Folder with the classes of a level.
pub fn classes(level: Level) -> PathBuf {
    // A panicking test leaves the map as it was, so a poisoned lock is as good.
    let mut compiled = COMPILED.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    compiled.entry(level).or_insert_with(|| compile(level)).clone()
}

fn compile(level: Level) -> PathBuf {
    let name = folder(level);
    let sources = java_files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("programs").join(name));
    let out = target().join("tmp/witness/classes").join(name);
    if out.exists() {
        fs::remove_dir_all(&out).expect("classes of an earlier run can be removed");
    }
    fs::create_dir_all(&out).expect("the build's folder can be written");
    let jdk = |release| Jdk::find(release).expect("the JDK that compiles these classes");
    let javac = |release, options: &[&str]| {
        let mut javac = jdk(release).program("javac");
        javac.args(["-g", "-nowarn", "-Xlint:-options"]).args(options);
        javac.arg("-d").arg(&out).args(&sources);
        run(&mut javac).map(drop)
    };
    let done = match level {
        Level::OneThree => compile_with_ecj(&jdk(17), &sources, "1.3", "1.3", &out),
        Level::Five => compile_with_ecj(&jdk(17), &sources, "1.5", "1.5", &out),
        Level::Eight => javac(17, &["--release", "8"]),
        Level::Seventeen => javac(17, &["--release", "17"]),
        Level::Preview => javac(17, &["--release", "17", "--enable-preview"]),
        Level::TwentyFive => javac(25, &["--release", "25"]),
        Level::Made => make(&jdk(25), &sources, &out),
    };
    done.expect("the programs compile");
    out
}

/// Name of the folder with the sources.
fn folder(level: Level) -> &'static str {
    match level {
        Level::OneThree => "1.3",
        Level::Five => "5",
        Level::Eight => "8",
        Level::Seventeen => "17",
        Level::Preview => "17-preview",
        Level::TwentyFive => "25",
        Level::Made => "made",
    }
}

/// Runs each source as a program that writes class files to a folder.
fn make(jdk: &Jdk, sources: &[PathBuf], out: &Path) -> Result<(), String> {
    for source in sources {
        let mut java = jdk.program("java");
        java.arg(source).arg(out);
        run(&mut java)?;
    }
    Ok(())
}

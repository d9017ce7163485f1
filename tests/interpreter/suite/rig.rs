//! Programs, compiled once, and runs of them in the machine.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Mutex, OnceLock, PoisonError};
use std::{fs, thread};

use interpreter::{ClassPath, Copies, Costs, Interpreted, Machine, Nulls, Recorded, Rules};
use profile::MethodId;
use profile::dataflow::{CopyProfile, CostGraph, NullGraph};
use support::{Jdk, compile, java_files, oldest, succeed, target};

use crate::batch::{self, seeds, sources};
use crate::generator::program;

/// What a program is called with: Figure 6 wants five strings.
pub const ARGUMENTS: [&str; 5] = ["a", "b", "c", "d", "e"];

/// What programs share.
fn support() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("support")
}

/// The library with the natives of the class `Back`.
fn natives() -> &'static Path {
    static COMPILED: OnceLock<PathBuf> = OnceLock::new();
    COMPILED.get_or_init(|| {
        let include = oldest().command("java").with_file_name("../include");
        let library = scratch().join("libback.so");
        fs::create_dir_all(scratch()).expect("a folder can be made");
        let mut cc = Command::new("cc");
        cc.args(["-shared", "-fPIC", "-O1", "-o"]).arg(&library);
        cc.arg("-I").arg(&include).arg("-I").arg(include.join("linux"));
        succeed(cc.arg(support().join("back.c")));
        library
    })
}

/// Options of the JVM that programs need.
pub fn needed(jdk: &Jdk) -> Vec<String> {
    let natives = format!("-Drules.natives={}", natives().display());
    // Reflection makes no classes, since the machine makes none.
    let reflection = format!("-Dsun.reflect.inflationThreshold={}", i32::MAX);
    // Up to JDK 21 nobody asks for it.
    let access = (jdk.release >= 22).then(|| "--enable-native-access=ALL-UNNAMED".to_owned());
    [natives, reflection].into_iter().chain(access).collect()
}

/// Where files of the tests go.
pub fn scratch() -> PathBuf {
    target().join("tmp/rules")
}

/// The folder with all programs' classes.
pub fn compiled() -> &'static Path {
    static COMPILED: OnceLock<PathBuf> = OnceLock::new();
    COMPILED.get_or_init(|| {
        let out = scratch().join("classes");
        let mut sources = [java_files(&sources()), java_files(&support())].concat();
        let written = scratch().join("random");
        fs::create_dir_all(&written).expect("a folder can be made");
        for seed in seeds() {
            let source = written.join(format!("R{seed}.java"));
            fs::write(&source, program(seed)).expect("a file can be written");
            sources.push(source);
        }
        for batch in [batch::random(), batch::written()].concat() {
            let Some(text) = batch.source() else { continue };
            let source = written.join(format!("{}.java", batch.name));
            fs::write(&source, text).expect("a file can be written");
            sources.push(source);
        }
        let options = ["-g", "-nowarn", "-XDsuppressNotes", "-Xlint:-removal"].map(OsStr::new);
        compile(&sources, &options, &out);
        out
    })
}

/// The programs and the classes of a JDK, read once.
fn class_path(jdk: &Jdk) -> &'static ClassPath {
    static READ: Mutex<BTreeMap<u32, &'static ClassPath>> = Mutex::new(BTreeMap::new());
    let mut read = READ.lock().unwrap_or_else(PoisonError::into_inner);
    read.entry(jdk.release).or_insert_with(|| {
        let class_path = ClassPath::new(compiled(), jdk, &scratch());
        Box::leak(Box::new(class_path.unwrap_or_else(|why| panic!("{why}"))))
    })
}

/// The copy graph by the rules.
pub fn copies(program: &str, jdk: &Jdk, slots: u32, recorded: Recorded) -> Copied {
    interpret(program, jdk, slots, recorded, |machine: Machine<'_, Copies>| {
        let by_method = machine.rules.rules.by_method.clone();
        let run = machine.finish(|rules, registry, line| rules.graph(registry, line));
        Copied { run, by_method }
    })
}

/// The cost graph by the rules.
pub fn costs(program: &str, jdk: &Jdk, slots: u32, recorded: Recorded) -> Interpreted<CostGraph> {
    interpret(program, jdk, slots, recorded, |machine: Machine<'_, Costs>| {
        machine.finish(|rules, registry, line| rules.graph(registry, line))
    })
}

/// The ways of nulls.
pub fn nulls(program: &str, jdk: &Jdk, recorded: Recorded) -> Interpreted<NullGraph> {
    interpret(program, jdk, 0, recorded, |machine: Machine<'_, Nulls>| {
        machine.finish(|rules, _, line| rules.graph(line))
    })
}

/// A run under the rules of copies.
pub struct Copied {
    /// What came of it.
    pub run: Interpreted<CopyProfile>,
    /// How many values each method copied.
    pub by_method: BTreeMap<MethodId, u64>,
}

/// Runs `main` of a program in the machine and hands the machine on.
///
/// # Panics
/// If the program does not end well.
fn interpret<R: Rules + Default, T: Send>(
    program: &str,
    jdk: &Jdk,
    slots: u32,
    recorded: Recorded,
    then: impl FnOnce(Machine<'_, R>) -> T + Send,
) -> T {
    let class_path = class_path(jdk);
    let run = || {
        let mut machine = Machine::new(class_path, R::default(), slots, recorded);
        if let Err(why) = machine.run_main(program, &ARGUMENTS) {
            panic!("{program} on {jdk}: {why}");
        }
        then(machine)
    };
    thread::scope(|scope| {
        // A call of the program is a few calls of the machine.
        let stack = thread::Builder::new().stack_size(1 << 30);
        let thread = stack.spawn_scoped(scope, run).expect("a thread can be started");
        thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    })
}

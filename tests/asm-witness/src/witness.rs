//! The witness, compiled, and how a JVM gets it.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use support::fetched::asm_class_path;
use support::{compiler, scratch, succeed};

/// What makes programs and the class library do the same in every run.
pub const REPEATABLE: &[&str] = &[
    // A young generation that hardly fills, since collections clear caches and
    // run finalizers when they like. Memory that is not used is not taken.
    "-Xms7g",
    "-Xmx7g",
    "-Xmn6g",
    "-XX:MetaspaceSize=1g",
    "-XX:+UseSerialGC",
    // The same identity hash for all objects, so that hash tables of such
    // objects have the same chains.
    "-XX:+UnlockExperimentalVMOptions",
    "-XX:hashCode=2",
    // The profiler's agent has the JVM do without its archive; objects from the
    // archive have other hash codes.
    "-Xshare:off",
    // Methods grow much by the witness's calls; in the interpreter they would
    // take minutes.
    "-XX:-DontCompileHugeMethods",
];

/// Options for a run in which objects are compared by identity. The agent has the JVM number
/// them.
pub const DISTINCT: &[&str] = &[
    "-Xms2g",
    "-Xmx2g",
    "-Xmn1500m",
    "-XX:+UseSerialGC",
    "-XX:+UnlockExperimentalVMOptions",
    "-XX:hashCode=3",
    "-Xshare:off",
    "-XX:-DontCompileHugeMethods",
];

/// The compiled witness.
#[derive(Debug)]
pub struct Witness {
    /// The Java agent.
    agent: PathBuf,
    /// Classes that the boot loader finds.
    boot: PathBuf,
    /// Compiled drivers, see [`Witness::class_path`].
    drivers: PathBuf,
    asm: String,
}

impl Witness {
    /// The witness, compiled once in a process by the oldest JDK.
    ///
    /// # Panics
    /// If it does not compile or ASM cannot be fetched.
    pub fn compiled() -> &'static Self {
        static COMPILED: OnceLock<Witness> = OnceLock::new();
        COMPILED.get_or_init(Self::compile)
    }

    fn compile() -> Self {
        let folder = scratch("witness");
        let witness = Self {
            agent: folder.join("agent.jar"),
            boot: folder.join("boot"),
            drivers: folder.join("drivers"),
            asm: asm_class_path(),
        };
        javac(BOOT, &witness.boot, &["--add-exports", JDK_INTERNALS]);
        let classes = folder.join("agent");
        let class_path = format!("{}:{}", witness.boot.display(), witness.asm);
        javac(AGENT, &classes, &["-cp", &class_path]);
        let harness = ["App.java", "Size.java"].map(|name| format!("../../../apps/harness/{name}"));
        let sources = ["Once.java", &harness[0], &harness[1]];
        javac(&sources, &witness.drivers, &[]);

        let manifest = folder.join("manifest");
        fs::write(&manifest, "Premain-Class: secondwitness.WitnessAgent\n")
            .expect("the build's temporary folder can be written");
        let mut jar = compiler().program("jar");
        jar.arg("cfm").arg(&witness.agent).arg(&manifest).arg("-C").arg(&classes).arg(".");
        succeed(&mut jar);
        witness
    }

    /// JVM options that load the witness and have it write to a file what it finds:
    /// `counts` or `results` of methods, the latter perhaps with a rule to break behind
    /// the file.
    pub fn options(&self, what: &str, file: &Path, rule: Option<&str>) -> [String; 3] {
        let rule = rule.map_or_else(String::new, |rule| format!(",{rule}"));
        [
            format!("-Xbootclasspath/a:{}", self.boot.display()),
            format!("--add-exports={JDK_INTERNALS}"),
            format!("-javaagent:{}={what},{}{rule}", self.agent.display(), file.display()),
        ]
    }

    /// The class path of a program of the folder `programs` and of the library that it
    /// uses, with ASM.
    pub fn program(&self, name: &str, library: Option<&str>) -> String {
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("programs");
        let classes = self.drivers.with_file_name(name);
        let library = library.map_or_else(String::new, |library| format!(":{library}"));
        let mut javac = compiler().program("javac");
        javac.arg("-d").arg(&classes).arg("-cp").arg(&library);
        succeed(javac.arg(source.join(format!("{name}.java"))));
        format!("{}{library}:{}", classes.display(), self.asm)
    }

    /// The class path of an application with ASM and with the driver
    /// `secondwitness.Once` behind it.
    pub fn class_path(&self, application: &str) -> String {
        format!("{application}:{}:{}", self.drivers.display(), self.asm)
    }
}

/// What rewritten classes call.
const BOOT: &[&str] = &[
    "Counts.java",
    "Results.java",
    "Call.java",
    "Method.java",
    "Outcome.java",
    "MethodResults.java",
    "Rule.java",
    "Same.java",
];

/// What rewrites them.
const AGENT: &[&str] = &[
    "WitnessAgent.java",
    "CountingRewriter.java",
    "ResultsRewriter.java",
    "Run.java",
    "Transfers.java",
];

/// For the hook that writes the counts after all others.
const JDK_INTERNALS: &str = "java.base/jdk.internal.access=ALL-UNNAMED";

fn javac(sources: &[&str], classes: &Path, options: &[&str]) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("java/secondwitness");
    let mut javac = compiler().program("javac");
    javac.args(options).arg("-d").arg(classes);
    javac.args(sources.iter().map(|source| folder.join(source)));
    succeed(&mut javac);
}

//! The programs of a range of seeds, generated and run.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use support::fetched::asm_class_path;
use support::{Jdk, compiler, java, scratch, succeed};

/// Which programs to generate.
#[derive(Debug, Clone, Copy)]
pub struct Seeds {
    /// The first seed.
    pub first: u64,
    /// How many follow each other.
    pub count: u64,
}

/// Programs in jars, for one JDK.
#[derive(Debug)]
pub struct Programs {
    jdk: Jdk,
    seeds: Seeds,
    plain: PathBuf,
    counting: PathBuf,
}

impl Programs {
    /// Generates programs for a JDK, with class files up to its own version.
    ///
    /// # Panics
    /// If the generator fails.
    pub fn generate(jdk: &Jdk, seeds: Seeds, folder: &Path) -> Self {
        let (plain, counting) = (folder.join("plain.jar"), folder.join("counting.jar"));
        // Java 1 had class files of version 45.
        let newest = jdk.release + 44;
        let mut generate = command(jdk, &format!("{}:{}", generator().display(), asm_class_path()));
        generate.arg("generated.Generate");
        generate.args([seeds.first, seeds.count, newest.into()].map(|number| number.to_string()));
        generate.args([&plain, &counting]);
        succeed(&mut generate);
        Self { jdk: jdk.clone(), seeds, plain, counting }
    }

    /// Runs the programs as they are, with these JVM options; returns what
    /// they print: a line for each, its seed first.
    ///
    /// # Panics
    /// If the JVM fails.
    pub fn run(&self, options: &[String]) -> String {
        succeed(self.runner(&self.plain).args(options).args(self.arguments()))
    }

    /// Runs the rewritten programs, which write their counts to a file.
    ///
    /// # Panics
    /// If the JVM fails.
    pub fn run_counting(&self, counts: &Path) -> String {
        succeed(self.runner(&self.counting).args(self.arguments()).arg(counts))
    }

    fn runner(&self, programs: &Path) -> Command {
        command(&self.jdk, &format!("{}:{}", programs.display(), generator().display()))
    }

    /// The class path of the programs as they are, and of what runs them.
    pub fn class_path(&self) -> OsString {
        format!("{}:{}", self.plain.display(), generator().display()).into()
    }

    /// The class that runs them, with its arguments.
    pub fn arguments(&self) -> [String; 3] {
        ["generated.Runner".to_owned(), self.seeds.first.to_string(), self.seeds.count.to_string()]
    }
}

/// What makes programs print the same however they are run.
pub const REPEATABLE: [&str; 3] = [
    // Programs recurse as deep as their fuel lets them, interpreted or compiled.
    "-Xss16m",
    // Otherwise compiled code throws exceptions without messages, and programs
    // print messages.
    "-XX:-OmitStackTraceInFastThrow",
    // Messages that tell what was null describe the bytecodes around it. Writing
    // them, JDK 17 by itself crashes on some of these programs (seed 486).
    "-XX:-ShowCodeDetailsInExceptionMessages",
];

fn command(jdk: &Jdk, class_path: &str) -> Command {
    let mut java = java(jdk);
    java.args(REPEATABLE).args(["-cp", class_path]);
    java
}

/// The generator's classes, compiled once in a process.
fn generator() -> &'static Path {
    static COMPILED: OnceLock<PathBuf> = OnceLock::new();
    COMPILED.get_or_init(|| {
        let classes = scratch("generator");
        let here = Path::new(env!("CARGO_MANIFEST_DIR"));
        let mut javac = compiler().program("javac");
        javac.args(["-cp", &asm_class_path(), "-d"]).arg(&classes);
        javac.arg("-sourcepath");
        javac.arg(format!("{0}/java:{0}/../asm-witness/java", here.display()));
        javac.args(["Generate", "Runner"].map(|c| here.join(format!("java/generated/{c}.java"))));
        succeed(&mut javac);
        classes
    })
}

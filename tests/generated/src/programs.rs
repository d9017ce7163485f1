//! The programs of a range of seeds, generated and run.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use second_witness::fetched::asm_class_path;
use second_witness::jdk::{Jdk, jdks};
use second_witness::witness::{scratch, succeed};

/// Programs in jars, for one JDK.
#[derive(Debug)]
pub struct Programs<'a> {
    jdk: &'a Jdk,
    first: u64,
    count: u64,
    plain: PathBuf,
    counting: PathBuf,
}

impl<'a> Programs<'a> {
    /// Generates the programs of `count` seeds from `first` on, with class
    /// files up to the JDK's own version.
    ///
    /// # Panics
    /// If the generator fails.
    pub fn generate(jdk: &'a Jdk, first: u64, count: u64, folder: &Path) -> Self {
        let (plain, counting) = (folder.join("plain.jar"), folder.join("counting.jar"));
        // Java 1 had class files of version 45.
        let newest = jdk.release + 44;
        let mut java = java(jdk, &format!("{}:{}", generator().display(), asm_class_path()));
        java.arg("generated.Generate");
        java.args([first.to_string(), count.to_string(), newest.to_string()]);
        java.args([&plain, &counting]);
        succeed(&mut java);
        Self { jdk, first, count, plain, counting }
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
        java(self.jdk, &format!("{}:{}", programs.display(), generator().display()))
    }

    fn arguments(&self) -> [String; 3] {
        ["generated.Runner".to_owned(), self.first.to_string(), self.count.to_string()]
    }
}

fn java(jdk: &Jdk, class_path: &str) -> Command {
    let mut java = Command::new(jdk.command("java"));
    java.args(["-cp", class_path]);
    // Options from outside would change what is compared.
    java.env_remove("JAVA_TOOL_OPTIONS").env_remove("JDK_JAVA_OPTIONS").env_remove("CLASSPATH");
    java
}

/// The generator's classes, compiled once in a process.
fn generator() -> &'static Path {
    static COMPILED: OnceLock<PathBuf> = OnceLock::new();
    COMPILED.get_or_init(|| {
        let classes = scratch("generator");
        let here = Path::new(env!("CARGO_MANIFEST_DIR"));
        let mut javac = Command::new(jdks()[0].command("javac"));
        javac.args(["-cp", &asm_class_path(), "-d"]).arg(&classes);
        javac.arg("-sourcepath");
        javac.arg(format!("{0}/java:{0}/../second-witness/java", here.display()));
        javac.args(["Generate", "Runner"].map(|c| here.join(format!("java/generated/{c}.java"))));
        succeed(&mut javac);
        classes
    })
}

//! Programs, compiled once, and recordings of them.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};

use profile::Profile;
use support::{Jdk, agent_option, artifacts, compile, compile_native, java, java_files};

/// A program of a folder of `programs`, to be recorded.
#[derive(Debug)]
pub struct Recording<'a> {
    jdk: &'a Jdk,
    program: &'a str,
    agent: &'a str,
    jvm: &'a [&'a str],
    arguments: &'a [&'a str],
}

/// What came of it.
#[derive(Debug)]
pub struct Recorded {
    /// Lines that the program printed.
    pub lines: Vec<String>,
    /// All that it printed, on both streams.
    pub output: String,
    /// The profile.
    pub profile: Profile,
}

impl<'a> Recording<'a> {
    /// With these options of the agent.
    pub fn new(jdk: &'a Jdk, program: &'a str, agent: &'a str) -> Self {
        Self { jdk, program, agent, jvm: &[], arguments: &[] }
    }

    /// And these of the JVM.
    pub fn with(self, jvm: &'a [&'a str]) -> Self {
        Self { jvm, ..self }
    }

    /// And these arguments of the program.
    pub fn given(self, arguments: &'a [&'a str]) -> Self {
        Self { arguments, ..self }
    }

    /// Runs the program, which must end well, and reads its profile.
    pub fn run(&self) -> Recorded {
        self.record(|output| output.status.success() && is_quiet(output))
    }

    /// Runs the program, which must end well, and asks the command `subsume` about it.
    pub fn answer(&self, command: &str) -> String {
        let ask = |file: &Path| support::subsume(&[command.as_ref(), file.as_os_str()]);
        self.record_and(|output| output.status.success() && is_quiet(output), ask).1
    }

    /// Runs the program, which must end by an exception, without the agent and
    /// with it. Gives what it printed without.
    pub fn run_to_failure(&self) -> (String, Recorded) {
        let plain = self.java(None);
        let is_as_expected = |output: &Output| output.status.code() == Some(1);
        assert!(is_as_expected(&plain), "{self:?}: {plain:?}");
        (printed(&plain), self.record(is_as_expected))
    }

    /// Runs the program without the agent, and with options that the agent refuses. Gives
    /// what was printed both times.
    pub fn refused(&self) -> (String, String) {
        let refused = self.java(Some(agent_option(&artifacts().agent, self.agent)));
        assert!(!refused.status.success(), "{self:?}: {}", printed(&refused));
        (printed(&self.java(None)), printed(&refused))
    }

    fn record(&self, is_as_expected: impl Fn(&Output) -> bool) -> Recorded {
        self.record_and(is_as_expected, |_| ()).0
    }

    /// Has something done with the file before it goes.
    fn record_and<R>(
        &self,
        is_as_expected: impl Fn(&Output) -> bool,
        use_file: impl FnOnce(&Path) -> R,
    ) -> (Recorded, R) {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let file = scratch().join(format!("{}-{number}.subsume", self.program));
        let options = format!("{},out={}", self.agent, file.display());
        let output = self.java(Some(agent_option(&artifacts().agent, &options)));
        assert!(is_as_expected(&output), "{self:?}: {}", printed(&output));
        let profile = profile::read_file(&file).unwrap_or_else(|error| panic!("{self:?}: {error}"));
        let result = use_file(&file);
        // Below the build's own folder it is of no harm if it stays.
        let _ = fs::remove_file(&file);
        (Recorded { lines: lines(&output), output: printed(&output), profile }, result)
    }

    fn java(&self, agent: Option<OsString>) -> Output {
        java(self.jdk)
            .args(agent)
            .args(self.jvm)
            .arg("-cp")
            .arg(compiled())
            .arg(self.program)
            .args(self.arguments)
            .output()
            .expect("the JDK's java can be started")
    }
}

/// True if nothing is on standard error but that the JVM's own options are old.
fn is_quiet(output: &Output) -> bool {
    let text = String::from_utf8_lossy(&output.stderr);
    text.lines().all(|line| line.contains("VM warning: Option") && line.contains("deprecated"))
}

/// Standard output and standard error, one behind the other.
fn printed(output: &Output) -> String {
    let [out, err] = [&output.stdout, &output.stderr].map(|text| String::from_utf8_lossy(text));
    format!("{out}{err}")
}

fn lines(output: &Output) -> Vec<String> {
    String::from_utf8_lossy(&output.stdout).lines().map(str::to_owned).collect()
}

fn scratch() -> &'static Path {
    static MADE: OnceLock<PathBuf> = OnceLock::new();
    MADE.get_or_init(|| support::scratch("flow"))
}

/// The folder with all programs' classes.
fn compiled() -> &'static Path {
    static COMPILED: OnceLock<PathBuf> = OnceLock::new();
    COMPILED.get_or_init(|| {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        let out = scratch().join("classes");
        let folders = ["programs", "../../java-shim/src/api/subsume"];
        let mut files: Vec<PathBuf> =
            folders.iter().flat_map(|folder| java_files(&root.join(folder))).collect();
        files.extend([large("Large", 33_000), large("Largest", 65_510)]);
        compile(&files, &["-g", "-nowarn", "-Xlint:-options"].map(OsStr::new), &out);
        out
    })
}

/// The source of a class that hands values on like `Passing.LeftOut`, in methods with
/// so many bytes of code.
fn large(name: &str, bytes: usize) -> PathBuf {
    let filler = "x++;".repeat(bytes / 3);
    let source = format!(
        "class {name} implements Passing.Link {{\n\
            final Passing.Link inner; final Object other;\n\
            {name}(Passing.Link inner, Object other) {{ this.inner = inner; this.other = other; }}\n\
            public void set(Object value) {{ int x = 0; {filler} inner.set(other); }}\n\
            public Object get(Object value) {{ int x = 0; {filler} inner.get(other); return other; }}\n\
        }}\n"
    );
    let file = scratch().join(format!("{name}.java"));
    fs::write(&file, source).expect("a file can be written");
    file
}

/// A library of native methods, compiled from C.
pub fn library(jdk: &Jdk, source: &str) -> PathBuf {
    let library = scratch().join(format!("lib{}-{}.so", source.replace('/', "-"), jdk.release));
    let programs = Path::new(env!("CARGO_MANIFEST_DIR")).join("programs");
    compile_native(jdk, &programs.join(source), &library);
    library
}

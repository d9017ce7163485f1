//! What is compared: the programs, and how much of each of them.

use support::Jdk;

/// How the classes of a program come about; also the folder of its source.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// By the compiler of the Eclipse project, for Java 1.3.
    OneThree,
    /// By the compiler of the Eclipse project, for Java 5.
    Five,
    /// By JDK 17 for Java 8.
    Eight,
    /// By JDK 17.
    Seventeen,
    /// By JDK 17, with its preview features.
    Preview,
    /// By JDK 25.
    TwentyFive,
    /// By a program that writes class files as no compiler does.
    Made,
}

/// Which contexts must have equal counts.
#[derive(Debug, Clone, Copy)]
pub enum Scope {
    /// All below `main`, methods of the class library included.
    BelowMain,
    /// Those of the program's own classes, on threads whose names begin so. What
    /// the class library does between hand-overs depends on who is first; and what
    /// it does with the methods of a class, on the order in which the JVM lists
    /// them, which is that of addresses in its memory.
    Own(&'static [&'static str]),
    /// Those of the program's own classes down to this depth, and there calls and
    /// bytecodes: where the stack ends depends on the size of frames.
    DownTo(usize),
    /// All below `main`, but only the calls of the methods that are active when
    /// the program leaves by `System.exit`.
    UntilExit,
}

/// A program.
#[derive(Debug)]
pub struct Feature {
    /// Its class with `main`.
    pub name: &'static str,
    /// Its classes.
    pub level: Level,
    /// What is compared.
    pub scope: Scope,
}

impl Feature {
    const fn new(name: &'static str, level: Level) -> Self {
        Self { name, level, scope: Scope::BelowMain }
    }

    const fn scoped(name: &'static str, level: Level, scope: Scope) -> Self {
        Self { name, level, scope }
    }

    /// True if a JDK can run it.
    pub fn runs_on(&self, jdk: &Jdk) -> bool {
        match self.level {
            // Preview features are those of one release.
            Level::Preview => jdk.release == 17,
            Level::TwentyFive => jdk.release >= 25,
            _ => true,
        }
    }

    /// True if it can share a JVM with others: what is below its `main` is compared, and nothing
    /// else in the JVM depends on it.
    pub fn runs_beside_others(&self) -> bool {
        let is_below_main = matches!(self.scope, Scope::BelowMain);
        let is_plain = matches!(self.level, Level::Seventeen) && self.options().is_empty();
        is_below_main && is_plain && !ALONE.contains(&self.name)
    }

    /// Options of the JVM.
    pub fn options(&self) -> Vec<String> {
        let options: &[&str] = match (self.level, self.name) {
            (Level::Preview, _) => &["--enable-preview"],
            (_, "Assertions") => &["-ea"],
            // Without other processors, nobody else takes part in a fork.
            (_, "VirtualThreads") => &["-Djdk.virtualThreadScheduler.parallelism=1"],
            _ => &[],
        };
        options.iter().map(|option| (*option).to_owned()).collect()
    }
}

use Level::{Eight, Five, Made, OneThree, Preview, Seventeen, TwentyFive};

/// The class that calls the `main` of each class it is given.
pub const TOGETHER: &str = "Together";

/// Programs that need a JVM of their own: they end by an exception.
const ALONE: &[&str] = &["ThrowsFar", "Uncaught"];

/// The language, without exceptions.
pub const LANGUAGE: &[Feature] = &[
    Feature::new("Arithmetic", Seventeen),
    Feature::new("ArrayKinds", Seventeen),
    Feature::new("Assertions", Seventeen),
    Feature::new("Bridges", Seventeen),
    Feature::new("Concatenation", Seventeen),
    Feature::new("Enums", Seventeen),
    Feature::new("Inheritance", Seventeen),
    Feature::new("InnerClasses", Seventeen),
    Feature::new("Interfaces", Seventeen),
    Feature::new("Loops", Seventeen),
    Feature::new("Recursion", Seventeen),
    Feature::new("Records", Seventeen),
    Feature::new("Switches", Seventeen),
];

/// Everything that throws, initialises or locks.
pub const FLOW: &[Feature] = &[
    Feature::new("ClassInitialisation", Seventeen),
    Feature::new("Constructors", Seventeen),
    Feature::new("ExceptionsBeforeCalls", Seventeen),
    Feature::new("ImplicitExceptions", Seventeen),
    Feature::new("Initialisers", Seventeen),
    Feature::new("Monitors", Seventeen),
    Feature::new("ThrowsFar", Seventeen),
    Feature::new("ThrowsThroughNative", Seventeen),
    Feature::new("TryFinally", Seventeen),
    Feature::new("Uncaught", Seventeen),
    Feature::scoped("Exits", Seventeen, Scope::UntilExit),
    Feature::scoped("Overflows", Seventeen, Scope::DownTo(200)),
];

/// What calls methods by other means than an instruction that names them.
pub const INDIRECT: &[Feature] = &[
    Feature::new("Handles", Seventeen),
    Feature::new("HiddenClasses", Seventeen),
    Feature::new("DefinedByLookup", Seventeen),
    Feature::new("Lambdas", Seventeen),
    Feature::new("Loaders", Seventeen),
    Feature::new("MethodReferences", Seventeen),
    Feature::new("Natives", Seventeen),
    Feature::scoped("Proxies", Seventeen, Scope::Own(&["main"])),
    Feature::scoped("Reflects", Seventeen, Scope::Own(&["main"])),
    Feature::new("ReflectsSimply", Seventeen),
    Feature::new("Variables", Seventeen),
];

/// Much of the class library at once.
pub const LIBRARY: &[Feature] = &[
    Feature::new("BigNumbers", Seventeen),
    Feature::new("Streams", Seventeen),
    Feature::new("WalksStacks", Seventeen),
];

/// Several threads.
pub const THREADS: &[Feature] = &[
    Feature::scoped("Cleaners", Seventeen, Scope::Own(&["main", "Cleaner-"])),
    Feature::scoped("Executors", Seventeen, Scope::Own(&["main", "pool-"])),
    Feature::scoped("Finalizers", Seventeen, Scope::Own(&["main", "Finalizer"])),
    Feature::scoped("ForkJoin", Seventeen, Scope::Own(&["main", "ForkJoinPool"])),
    Feature::scoped("Megamorphic", Seventeen, Scope::Own(&["main", "worker"])),
    Feature::scoped("Threads", Seventeen, Scope::Own(&["main", "worker", "sleeper", "fails"])),
    Feature::scoped("VirtualThreads", TwentyFive, Scope::Own(&["main", "virtual"])),
];

/// Classes of other releases, and of no compiler.
pub const CLASS_FILES: &[Feature] = &[
    Feature::new("OneThree", OneThree),
    Feature::new("Five", Five),
    Feature::new("Eight", Eight),
    Feature::new("Patterns17", Preview),
    Feature::new("Patterns", TwentyFive),
    Feature::new("Latest", TwentyFive),
    Feature::new("Irreducible", Made),
    Feature::new("OddCode", Made),
];

/// Natives that a program calls on null: program, class, method, and how often.
/// The caller counts them before the JVM finds that there is nothing to call.
pub const NATIVES_ON_NULL: &[(&str, &str, &str, u64)] =
    &[("ImplicitExceptions", "java.lang.Object", "notify", 3)];

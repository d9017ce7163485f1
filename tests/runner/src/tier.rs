//! What is run when.

/// How much is run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Tier {
    /// What needs Rust only.
    Unit,
    /// Also what starts JVMs and needs nothing that has to be fetched.
    Local,
    /// Also what comes from the Maven repository, and the browser: before a change lands.
    Change,
    /// Everything.
    All,
}

/// The names of the tiers, for a message.
pub const NAMES: &str = "unit|local|change|all";

impl Tier {
    pub fn named(name: &str) -> Option<Self> {
        match name {
            "unit" => Some(Self::Unit),
            "local" => Some(Self::Local),
            "change" => Some(Self::Change),
            "all" => Some(Self::All),
            _ => None,
        }
    }
}

/// Suites that start no JVM, beside the tests in the sources.
const WITHOUT_JVM: &[&str] =
    &["analysis", "analyzer", "architecture", "classfile", "formats", "profile", "tree"];

/// Suites that run on a runtime without a compiler, too, such as that of JDK 21.
const ON_RUNTIMES: &[&str] = &["interpreter", "side-effects", "witness"];

/// Suites that need Maven's repository or a browser, whole.
const FETCHING: &[&str] = &["asm-witness", "browser", "random-classes", "verifier", "witness"];

/// Modules that do, of other suites.
const FETCHING_MODULES: &[&str] = &[
    "agents",
    "bench",
    "ci_templates",
    "continuous_integration",
    "gradle",
    "guide",
    "jmh",
    "install",
    "maven",
    "maven_costs",
    "maven_loops",
    "maven_plugin",
    "oracle",
    "statements",
];

/// Modules for a release: packages as users get them, other people's tools and engines.
const RARE: &[&str] = &["axe", "exchange", "fleet_engines", "packages"];

/// Modules that use Maven's cache, which takes one process at a time.
pub const ONE_AT_A_TIME: &[&str] = &[
    "ci_templates",
    "continuous_integration",
    "exchange",
    "gradle",
    "guide",
    "jmh",
    "maven",
    "maven_costs",
    "maven_plugin",
    "oracle",
    "packages",
];

/// The first tier that runs a module of a program.
pub fn first(package: &str, is_suite: bool, module: &str) -> Tier {
    if !is_suite && package != "support" || WITHOUT_JVM.contains(&package) && module != "jfr" {
        Tier::Unit
    } else if RARE.contains(&module) {
        Tier::All
    } else if FETCHING.contains(&package) || FETCHING_MODULES.contains(&module) {
        Tier::Change
    } else {
        Tier::Local
    }
}

pub fn is_for_runtimes(package: &str) -> bool {
    ON_RUNTIMES.contains(&package)
}

//! What makes the class library do the same in every run, and where nothing does.

/// JVM options with which a deterministic program has the same tree in every run.
pub const REPEATABLE: &[&str] = &[
    // A young generation that the programs here do not fill, so that no
    // collection clears weak tables.
    "-Xmx2g",
    "-Xms2g",
    "-Xmn1500m",
    // The same identity hash for all objects. Otherwise they depend on which
    // thread of the JVM asks first, and with them the chains of hash tables
    // whose keys are classes.
    "-XX:+UnlockExperimentalVMOptions",
    "-XX:hashCode=2",
];

/// Where the class library takes a different way in every run, with or without
/// an agent: it lays out immutable sets and maps by a number taken from the
/// clock, and fills the tables of modules in the order of such sets. Classes by
/// the start of their name, with the method if only one is concerned.
const RANDOMISED: &[(&str, Option<&str>)] = &[
    ("java.util.ImmutableCollections", None),
    ("java.lang.Module", Some("implIsExportedOrOpen")),
    ("jdk.internal.loader.BuiltinClassLoader", Some("findLoadedModule")),
];

/// True if nothing from this method on can be compared.
pub fn is_randomised(class: &str, method: &str) -> bool {
    RANDOMISED
        .iter()
        .any(|(start, name)| class.starts_with(start) && name.is_none_or(|name| method == name))
}

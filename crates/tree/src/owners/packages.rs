//! Packages of classes, by their names.

/// What stands for the package of classes without one.
pub const NO_PACKAGE: &str = "(no package)";

/// First parts of packages that say little.
const GENERAL: [&str; 7] = ["com", "org", "net", "io", "edu", "gov", "de"];

/// The whole name of a class's package; empty for none.
pub fn package_of(class: &str) -> &str {
    let named = class.split('/').next().unwrap_or_default();
    named.rsplit_once('.').map_or("", |(package, _)| package)
}

/// The package that a class counts for: two names deep, three for com and org.
pub fn package(class: &str) -> String {
    let class = class.split('/').next().unwrap_or_default();
    let names: Vec<&str> = class.split('.').collect();
    let deep = if GENERAL.contains(&names[0]) { 3 } else { 2 };
    let package = names[..deep.min(names.len() - 1)].join(".");
    if package.is_empty() { NO_PACKAGE.to_owned() } else { package }
}

/// Whether a class is in a package or below it.
pub fn is_in(class: &str, package: &str) -> bool {
    if package == NO_PACKAGE {
        return !class.contains('.');
    }
    let rest = class.strip_prefix(package);
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
}

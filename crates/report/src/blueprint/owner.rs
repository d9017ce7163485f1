//! Whose code a class is, by its name.

use tree::names::method::Method;

/// Whose code it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Owner {
    /// One's own.
    Own,
    /// Of libraries.
    Library,
    /// Of the JDK.
    Platform,
}

/// What stands for the package of classes without one.
pub const NO_PACKAGE: &str = "(no package)";

/// What starts others' programs, and is nobody's own code.
const LAUNCHERS: [&str; 6] = [
    "org.junit.",
    "org.testng.",
    "org.apache.maven.",
    "org.codehaus.",
    "org.gradle.",
    "worker.org.",
];

/// First parts of packages that say little.
const GENERAL: [&str; 7] = ["com", "org", "net", "io", "edu", "gov", "de"];

/// The package that a class counts for: two names deep, three for com and org.
pub fn package(class: &str) -> String {
    let class = class.split('/').next().unwrap_or_default();
    let names: Vec<&str> = class.split('.').collect();
    let deep = if GENERAL.contains(&names[0]) { 3 } else { 2 };
    let package = names[..deep.min(names.len() - 1)].join(".");
    if package.is_empty() { NO_PACKAGE.to_owned() } else { package }
}

/// The package of one's own code: that of the first of these methods that is neither
/// the JDK's nor a launcher's. With the costliest first it is the program's main method.
pub fn own_package<'a>(methods: impl IntoIterator<Item = &'a Method>) -> String {
    let is_launcher = |class: &str| LAUNCHERS.iter().any(|launcher| class.starts_with(launcher));
    let mut methods = methods.into_iter();
    methods
        .find(|method| !method.is_platform() && !is_launcher(&method.class))
        .map_or_else(|| NO_PACKAGE.to_owned(), |method| package(&method.class))
}

/// Whose code a method is, where one's own is in this package.
pub fn owner(method: &Method, own: &str) -> Owner {
    if method.is_platform() {
        return Owner::Platform;
    }
    let is_own = if own == NO_PACKAGE {
        !method.class.contains('.')
    } else {
        let rest = method.class.strip_prefix(own);
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
    };
    if is_own { Owner::Own } else { Owner::Library }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packages_and_owners() {
        assert_eq!(package("org.apache.fop.fo.Block"), "org.apache.fop");
        assert_eq!(package("app.Main"), "app");
        assert_eq!(package("a.b.c.D"), "a.b");
        assert_eq!(package("Main"), NO_PACKAGE);
        assert_eq!(package(""), NO_PACKAGE);
        let method = |class: &str| Method { class: class.into(), ..Method::default() };
        let methods = ["java.lang.Thread", "org.junit.Run", "org.x.y.Main"].map(method);
        let own = own_package(&methods);
        assert_eq!(own, "org.x.y");
        assert_eq!(owner(&method("org.x.y.z.A"), &own), Owner::Own);
        assert_eq!(owner(&method("org.x.yz.A"), &own), Owner::Library);
        assert_eq!(owner(&method("sun.misc.A"), &own), Owner::Platform);
        assert_eq!(owner(&method("Main"), NO_PACKAGE), Owner::Own);
    }
}

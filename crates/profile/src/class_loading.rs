//! Methods under which classes are loaded, and lambdas and concatenations linked: the JVM
//! calls them the first time that the program needs something, wherever that is.

use base::wildcard::matches;

/// What finds and defines classes, and what links lambdas and concatenations: the methods of
/// `java.lang.invoke` have no probes, so what they call lies directly below the program's.
const BY_NAME: [&str; 5] = [
    "java.lang.Class.forName*",
    "java.lang.invoke.*",
    "sun.invoke.*",
    "jdk.internal.org.objectweb.asm.*",
    "jdk.internal.classfile.*",
];

/// Methods of class loaders that find and define classes.
const LOADS: [&str; 6] = [
    "loadClass",
    "loadClassOrNull",
    "findClass",
    "findClassOnClassPathOrNull",
    "checkPackageAccess",
    "defineClass",
];

/// Packages of class loaders, and the class of which all are.
const LOADERS: [&str; 2] = ["jdk.internal.loader.", "java.lang.ClassLoader"];

/// Whether a method does so: of this class, with the names of the classes above it.
pub fn loads_classes<'a>(
    class: &str,
    method: &str,
    superclasses: impl IntoIterator<Item = &'a str>,
) -> bool {
    let is_loader = |class: &str| LOADERS.iter().any(|start| class.starts_with(start));
    let name = format!("{class}.{method}");
    BY_NAME.iter().any(|pattern| matches(pattern, &name))
        || LOADS.contains(&method) && (is_loader(class) || superclasses.into_iter().any(is_loader))
}

#[cfg(test)]
mod tests {
    use super::loads_classes;

    #[test]
    fn only_class_loaders_load_classes() {
        let above = ["java.net.URLClassLoader", "java.lang.ClassLoader"];
        for (class, method, above, expected) in [
            ("demo.Loader", "findClass", &above[..], true),
            ("demo.Plugins", "findClass", &[], false),
            ("java.lang.ClassLoader", "loadClass", &[], true),
            ("java.lang.ClassLoader", "getResource", &[], false),
            ("java.lang.Class", "forName0", &[], true),
            ("jdk.internal.org.objectweb.asm.ClassWriter", "toByteArray", &[], true),
        ] {
            let found = loads_classes(class, method, above.iter().copied());
            assert_eq!(found, expected, "{class}.{method}");
        }
    }
}

//! Which classes the JDK comes with: by the loader that defined them, the module that they come
//! from, and where neither tells, by their packages.

use crate::definition::{Definition, Loader};

/// Packages of the JDK 17, 21 and 25 that do not begin as [`RESERVED`] says, in the order
/// of their bytes: those of `ModuleFinder.ofSystem()`, and the one that proxies had before.
/// Names alone do not tell them apart: `javax.servlet`, `javax.inject` and `com.sun.faces`
/// are libraries.
const PACKAGES: &str = include_str!("jdk_packages.txt");

/// Nobody else has packages that begin so.
const RESERVED: [&str; 4] = ["java.", "jdk.", "sun.", "com.sun.proxy."];

/// Whether the JDK comes with a class of this name and definition.
pub fn is_platform(class: &str, definition: &Definition) -> bool {
    let Definition { loader, location } = definition;
    match loader {
        Loader::Platform => true,
        // An image may have modules of others.
        _ if location.starts_with("jrt:/") => {
            ["jrt:/java.", "jrt:/jdk."].iter().any(|start| location.starts_with(start))
        }
        // Agents put classes there, too.
        Loader::Unknown | Loader::Boot => is_of_jdk(class),
        Loader::Application | Loader::Other => location.is_empty() && is_of_jdk(class),
    }
}

/// Whether the JDK has the package of a class of this name.
fn is_of_jdk(class: &str) -> bool {
    if RESERVED.iter().any(|start| class.starts_with(start)) {
        return true;
    }
    let Some((package, _)) = class.rsplit_once('.') else { return false };
    // Most classes are of packages that begin otherwise than any of the list.
    let may_be = ["javax.", "com.sun.", "org.", "netscape."];
    may_be.iter().any(|start| package.starts_with(start)) && is_listed(package)
}

fn is_listed(package: &str) -> bool {
    use std::sync::OnceLock;
    static LIST: OnceLock<Vec<&str>> = OnceLock::new();
    let list = LIST.get_or_init(|| PACKAGES.lines().collect());
    list.binary_search(&package).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn libraries_are_not_the_jdk() {
        for (class, expected) in [
            ("java.lang.String", true),
            ("jdk.internal.misc.Unsafe", true),
            ("sun.nio.ch.Net", true),
            ("javax.swing.JButton", true),
            ("javax.xml.parsers.SAXParser", true),
            ("javax.crypto.Cipher$Transform", true),
            ("com.sun.org.apache.xerces.internal.parsers.SAXParser", true),
            ("com.sun.proxy.$Proxy5", true),
            ("org.xml.sax.InputSource", true),
            ("javax.servlet.http.HttpServlet", false),
            ("javax.inject.Provider", false),
            ("javax.annotation.PostConstruct", false),
            ("javax.annotation.processing.Processor", true),
            ("javax.transaction.UserTransaction", false),
            ("javax.xml.bind.JAXBContext", false),
            ("com.sun.faces.lifecycle.Phase", false),
            ("com.sun.jna.Native", false),
            ("jakarta.servlet.Servlet", false),
            ("org.w3c.dom.svg.SVGElement", false),
            ("org.example.App", false),
            ("App", false),
            ("javax", false),
            ("", false),
        ] {
            assert_eq!(is_of_jdk(class), expected, "{class}");
        }
    }

    #[test]
    fn the_list_is_in_order() {
        let list: Vec<&str> = PACKAGES.lines().collect();
        assert!(list.len() > 300 && list.is_sorted());
    }

    #[test]
    fn definitions_decide_before_names() {
        for (loader, location, class, expected) in [
            (Loader::Platform, "", "anything", true),
            (Loader::Boot, "", "java.util.List", true),
            (Loader::Boot, "", "org.agent.Probe", false),
            (Loader::Application, "jrt:/jdk.compiler", "com.sun.tools.javac.Main", true),
            (Loader::Application, "jrt:/shop", "java.shop.Till", false),
            (Loader::Application, "file:/app/javax.jar", "javax.swing.Own", false),
            (Loader::Other, "", "jdk.proxy2.$Proxy7", true),
            (Loader::Unknown, "", "org.example.App", false),
        ] {
            let definition = Definition { loader, location: location.to_owned() };
            assert_eq!(is_platform(class, &definition), expected, "{class} of {definition:?}");
        }
    }
}

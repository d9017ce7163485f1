//! The image of Java that a program runs on.

use std::ffi::OsStr;
use std::fs;
use std::path::Path;

use base::java_home::home_of;

/// What lists the modules of an image, in its file `release`.
const MODULES: &str = "MODULES=";

/// Whether the image of a `java` command is known to lack a module, as one that jlink has made
/// of what a program needs.
pub fn lacks_module(java: &OsStr, module: &str) -> bool {
    let home = home_of(Path::new(java));
    let release = home.and_then(|home| fs::read_to_string(home.join("release")).ok());
    let Some(release) = release else { return false };
    let modules = release.lines().find_map(|line| line.strip_prefix(MODULES));
    modules.is_some_and(|list| list.trim_matches('"').split(' ').all(|one| one != module))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_release_lists_modules() {
        let home = std::env::temp_dir().join(format!("subsume-image-{}", std::process::id()));
        let java = home.join("bin/java");
        fs::create_dir_all(home.join("bin")).expect("there is room");
        fs::write(&java, "").expect("there is room");
        let lacks = || lacks_module(java.as_os_str(), "jdk.jfr");
        assert!(!lacks(), "nothing is known");
        for (release, expected) in [
            ("JAVA_VERSION=\"21\"\nMODULES=\"java.base jdk.jfr\"\n", false),
            ("JAVA_VERSION=\"21\"\nMODULES=\"java.base jdk.jfr.more\"\n", true),
            ("JAVA_VERSION=\"21\"\n", false),
        ] {
            fs::write(home.join("release"), release).expect("there is room");
            assert_eq!(lacks(), expected, "{release}");
        }
        fs::remove_dir_all(home).expect("it is there");
    }
}

//! Archives of source files that lie where a profile says the classes came from.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use base::java_home;
use profile::{Definition, Profile, RunInfo};

/// Archives with the sources of what was recorded, as far as they are on this machine: those
/// of the JVM's own classes, and of libraries beside their jars, where Maven keeps them, or in
/// Gradle's cache.
pub fn archives(profile: &Profile) -> Vec<PathBuf> {
    let mut found: Vec<PathBuf> = jdk_sources(&profile.run).into_iter().collect();
    let jars: BTreeSet<PathBuf> =
        profile.classes.iter().filter_map(|class| jar(&class.definition)).collect();
    found.extend(jars.iter().filter_map(|jar| library_sources(jar)));
    found
}

/// The sources in the JDK that was recorded: the one that the command line names, or the one
/// that commands here run, if it is of that version.
fn jdk_sources(run: &RunInfo) -> Option<PathBuf> {
    let named = home_of(&run.command_line).map(PathBuf::from);
    let here = std::env::var_os("JAVA_HOME")
        .map(PathBuf::from)
        .into_iter()
        .chain(java_home::home_of(Path::new("java")));
    let here = here.filter(|home| is_of_version(home, &run.jvm));
    let archives = named.into_iter().chain(here).map(|home| home.join("lib/src.zip"));
    // Packages of distributions leave a link to what another package has.
    archives.into_iter().find(|archive| archive.is_file())
}

/// The folder of the JDK whose `java` a command line begins with.
fn home_of(command_line: &str) -> Option<&Path> {
    let end = command_line.find("/bin/java ").or_else(|| {
        let is_all = command_line.ends_with("/bin/java");
        is_all.then(|| command_line.len() - "/bin/java".len())
    })?;
    Some(Path::new(&command_line[..end])).filter(|home| home.is_absolute())
}

/// Whether a JDK says that it has the version that is in the name of a JVM.
fn is_of_version(home: &Path, jvm: &str) -> bool {
    let Ok(release) = fs::read_to_string(home.join("release")) else { return false };
    let version = release.lines().find_map(|line| line.strip_prefix("JAVA_VERSION="));
    let version = version.map(|version| version.trim_matches('"'));
    version.is_some_and(|version| jvm.split([' ', '+', '-']).any(|word| word == version))
}

/// The jar that a class came from.
fn jar(definition: &Definition) -> Option<PathBuf> {
    let path = PathBuf::from(definition.path()?.into_owned());
    let is_jar = path.extension().is_some_and(|extension| extension == "jar");
    (is_jar && path.is_absolute()).then_some(path)
}

/// The archive `NAME-sources.jar` of a jar: beside it, or in the next folder, as Gradle has a
/// folder for each file.
fn library_sources(jar: &Path) -> Option<PathBuf> {
    let name = format!("{}-sources.jar", jar.file_stem()?.to_str()?);
    let folder = jar.parent()?;
    let beside = folder.join(&name);
    if beside.is_file() {
        return Some(beside);
    }
    let is_of_gradle = jar.components().any(|part| part.as_os_str() == "files-2.1");
    let version = folder.parent().filter(|_| is_of_gradle)?;
    let folders = fs::read_dir(version).ok()?.flatten();
    let mut found: Vec<PathBuf> =
        folders.map(|folder| folder.path().join(&name)).filter(|path| path.is_file()).collect();
    // The order of a folder's entries is not always the same.
    found.sort();
    found.into_iter().next()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn archives_lie_beside_what_was_run() {
        let folder = std::env::temp_dir().join(format!("known-places-{}", std::process::id()));
        let make = |name: &str| {
            let path = folder.join(name);
            fs::create_dir_all(path.parent().expect("it is in the folder")).expect("it is made");
            fs::write(&path, "").expect("it can be written");
            path
        };
        let src = make("jdk 17/lib/src.zip");
        let java = folder.join("jdk 17/bin/java").display().to_string();
        let run = |command_line: &str| RunInfo {
            command_line: command_line.to_owned(),
            jvm: "A JVM 17.0.2+8".to_owned(),
            ..RunInfo::default()
        };
        assert_eq!(jdk_sources(&run(&format!("{java} -cp a Main"))), Some(src.clone()));
        assert_eq!(jdk_sources(&run(&java)), Some(src));
        assert_eq!(home_of("java -cp a Main"), None);
        assert_eq!(home_of("/nowhere/bin/java Main"), Some(Path::new("/nowhere")));
        let home = folder.join("jdk 17");
        assert!(!is_of_version(&home, "A JVM 17.0.2+8"));
        fs::write(home.join("release"), "X=1\nJAVA_VERSION=\"17.0.2\"\n")
            .expect("it can be written");
        assert!(is_of_version(&home, "A JVM 17.0.2+8-Debian (Debian)"));
        assert!(!is_of_version(&home, "A JVM 17.0.21+8"));
        let jar_of_maven = make(".m2/repository/a/b/1.0/b-1.0.jar");
        assert_eq!(library_sources(&jar_of_maven), None);
        let sources = make(".m2/repository/a/b/1.0/b-1.0-sources.jar");
        assert_eq!(library_sources(&jar_of_maven), Some(sources));
        let jar_of_gradle = make(".gradle/caches/modules-2/files-2.1/a/c/2/11ff/c-2.jar");
        let sources = make(".gradle/caches/modules-2/files-2.1/a/c/2/99ee/c-2-sources.jar");
        assert_eq!(library_sources(&jar_of_gradle), Some(sources));
        let jar = |location: &str| {
            jar(&Definition { location: location.to_owned(), ..Definition::UNKNOWN })
        };
        assert_eq!(jar("file:/a/b-1.0.jar"), Some(PathBuf::from("/a/b-1.0.jar")));
        assert_eq!(jar("file:/a%20b/c.jar"), Some(PathBuf::from("/a b/c.jar")));
        assert_eq!(jar("file:/a/classes/"), None);
        assert_eq!(jar("jrt:/java.base"), None);
        fs::remove_dir_all(&folder).expect("it was made");
    }
}

//! `scripts/package`: each package is put into an empty folder, and used by the
//! commands of `docs/how-to/install.md`.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::OnceLock;

use support::{Scratch, artifacts, compiler, oldest, repository};

fn package(kinds: &[&str], out: &Path) {
    let mut script = Command::new(repository().join("scripts/package"));
    script.arg("--out").arg(out).args(kinds).env("JAVA_HOME", compiler().home());
    // Making a build that runs elsewhere, too, is left to the script.
    script.arg("--from").arg(artifacts().command.parent().expect("it lies in a folder"));
    let made = script.output().expect("the script can be started");
    assert!(made.status.success(), "{kinds:?}: {made:?}");
}

/// The packages with programs, made once.
fn packages() -> &'static Path {
    static MADE: OnceLock<PathBuf> = OnceLock::new();
    MADE.get_or_init(|| {
        let out = support::target().join("tmp/packages");
        package(&["tar", "deb", "wheel", "container", "sdkman"], &out);
        out
    })
}

/// The Maven repository, made once; making it puts the artifacts into the local repository
/// of Maven, too, so that builds of other tests may not run meanwhile.
pub fn maven_repository() -> &'static Path {
    static MADE: OnceLock<PathBuf> = OnceLock::new();
    MADE.get_or_init(|| {
        let out = support::target().join("tmp/java-packages");
        package(&["maven"], &out);
        out.join("maven")
    })
}

/// The Maven repository with the plugin of Gradle.
pub fn gradle_repository() -> &'static Path {
    static MADE: OnceLock<PathBuf> = OnceLock::new();
    MADE.get_or_init(|| {
        let out = support::target().join("tmp/gradle-packages");
        package(&["gradle"], &out);
        out.join("maven")
    })
}

/// The one package with this ending.
pub fn file(ending: &str) -> PathBuf {
    let entries = fs::read_dir(packages()).expect("packages were made");
    let mut paths = entries.map(|entry| entry.expect("the folder can be read").path());
    let is_it = |path: &PathBuf| path.to_string_lossy().ends_with(ending);
    paths.find(is_it).unwrap_or_else(|| panic!("no package ends with {ending}"))
}

/// The commands under a heading of the document.
fn commands(heading: &str) -> String {
    let document =
        fs::read_to_string(repository().join("docs/how-to/install.md")).expect("it is there");
    let section = document.split("\n## ").find(|section| section.starts_with(heading));
    let blocks = section.expect("the document has the section").split("```sh\n").skip(1);
    let blocks: Vec<_> = blocks.map(|block| block.split("```").next().unwrap_or("")).collect();
    assert!(!blocks.is_empty(), "{heading} has no commands");
    blocks.concat()
}

/// Runs the commands of a section where there is nothing but the package.
fn use_package(heading: &str, ending: &str) -> Scratch {
    let scratch = Scratch::new(ending);
    let package = file(ending);
    let name = package.file_name().expect("packages have names");
    fs::copy(&package, scratch.path().join(name)).expect("it can be copied");
    let java = oldest().home().join("bin");
    let path = [java.as_os_str(), OsStr::new("/usr/local/bin:/usr/bin:/bin")].join(OsStr::new(":"));
    let used = Command::new("bash")
        .args(["-e", "-c", &commands(heading)])
        .current_dir(scratch.path())
        .env("PATH", with_python(&path))
        .env_remove("SUBSUME_AGENT")
        .env_remove("PYTHONPATH")
        .output()
        .expect("bash can be started");
    let said = String::from_utf8_lossy(&used.stdout);
    assert!(used.status.success(), "{heading}: {used:?}");
    assert!(said.contains("recorded to the end of the run"), "{heading}: {used:?}");
    scratch
}

/// The folders, with that of Python behind.
fn with_python(path: &OsStr) -> std::ffi::OsString {
    let python: Output = Command::new("python3")
        .args(["-c", "import sys; print(sys.base_prefix + '/bin', end='')"])
        .output()
        .expect("Python can be started");
    let python = String::from_utf8_lossy(&python.stdout).into_owned();
    [path, OsStr::new(&python)].join(OsStr::new(":"))
}

#[test]
fn an_archive_is_unpacked_and_used() {
    let scratch = use_package("Archive", ".tar.gz");
    let documents = scratch.path().join("subsume-0.1.0/share/doc/subsume");
    for licence in ["LICENSE-APACHE", "LICENSE-MIT", "THIRD-PARTY"] {
        assert!(documents.join(licence).is_file(), "{licence}");
    }
    let third = fs::read_to_string(documents.join("THIRD-PARTY")).expect("it is there");
    assert!(third.contains("\nclap 4.6.7: MIT OR Apache-2.0\n"), "{}", &third[..400]);
    assert!(!third.contains("yaml-rust2"), "crates of tests are linked with nothing");
}

#[test]
fn a_debian_package_is_unpacked_and_used() {
    let scratch = use_package("Debian package", ".deb");
    let pages = scratch.path().join("unpacked/usr/share/man/man1");
    assert!(pages.join("subsume.1.gz").is_file());
    let fields = ["Package", "Architecture", "Depends"];
    let told = Command::new("dpkg-deb").arg("-f").arg(file(".deb")).args(fields).output();
    let told = told.expect("dpkg-deb can be started").stdout;
    let told = String::from_utf8_lossy(&told);
    assert!(
        told.starts_with("Package: subsume\nArchitecture: amd64\nDepends: libc6 (>= 2."),
        "{told}"
    );
}

#[test]
fn pip_installs_the_command_with_the_agent() {
    let scratch = use_package("Python package", ".whl");
    assert!(scratch.path().join("tools/lib/libsubsume.so").is_file());
    let mut pip = Command::new(scratch.path().join("tools/bin/pip"));
    support::succeed(pip.args(["uninstall", "--yes", "subsume"]));
    assert!(!scratch.path().join("tools/bin/subsume").exists());
    assert!(!scratch.path().join("tools/lib/libsubsume.so").exists());
}

#[test]
fn sdkmans_archive_has_one_folder_at_its_root() {
    use_package("SDKMAN and JBang", ".zip");
    let listed = Command::new("python3").args(["-m", "zipfile", "-l"]).arg(file(".zip")).output();
    let listed =
        String::from_utf8_lossy(&listed.expect("Python can be started").stdout).into_owned();
    let mut names = listed.lines().skip(1).filter_map(|line| line.split(' ').next());
    assert!(names.all(|name| name.starts_with("subsume-0.1.0/")), "{listed}");
}

/// The script that JBang starts is a source file that `java` runs, too. It fetches the archive once.
#[test]
fn jbangs_script_fetches_the_archive_and_records() {
    let scratch = Scratch::new("jbang");
    let catalogue = fs::read(repository().join("jbang-catalog.json")).expect("it is there");
    let catalogue: serde_json::Value = serde_json::from_slice(&catalogue).expect("it is JSON");
    let script = catalogue["aliases"]["subsume"]["script-ref"].as_str().expect("it names a file");
    let archive = file("x86_64.tar.gz");
    let name = archive.file_name().expect("packages have names");
    fs::create_dir(scratch.file("packages")).expect("a folder can be made");
    fs::copy(&archive, scratch.file("packages").join(name)).expect("it can be copied");
    let start = |words: &[&str], packages: Option<&str>| {
        let mut java = oldest().program("java");
        java.arg(repository().join(script)).args(words).current_dir(scratch.path());
        java.env("PATH", "/usr/bin:/bin").env("XDG_CACHE_HOME", scratch.file("cache"));
        java.env_remove("JAVA_TOOL_OPTIONS")
            .env_remove("SUBSUME_AGENT")
            .env_remove("SUBSUME_PACKAGES");
        if let Some(packages) = packages {
            java.env("SUBSUME_PACKAGES", format!("file://{}", scratch.file(packages).display()));
        }
        java.output().expect("java can be started")
    };
    let said = |output: &Output| String::from_utf8_lossy(&output.stderr).into_owned();
    let nowhere = start(&["--version"], None);
    assert_eq!(nowhere.status.code(), Some(2), "{nowhere:?}");
    assert!(said(&nowhere).starts_with("subsume: there is no command 'subsume'"), "{nowhere:?}");

    // An archive that is not the one of the checksums is not unpacked.
    let sums = scratch.file("packages/SHA256SUMS");
    fs::write(&sums, format!("{}  ./{}\n", "0".repeat(64), name.display()))
        .expect("it can be written");
    let other = start(&["--version"], Some("packages"));
    assert!(said(&other).contains("does not have the checksum"), "{other:?}");
    let sum = support::succeed(Command::new("sha256sum").arg(&archive));
    let sum = sum.split(' ').next().expect("it prints one");
    fs::write(&sums, format!("{sum}  ./{}\n", name.display())).expect("it can be written");

    let classes = support::compiled("main");
    let jar = scratch.file("program.jar");
    let mut make = compiler().program("jar");
    make.args(["-cfe"]).arg(&jar).arg("HandCounted").arg("-C").arg(&classes).arg(".");
    support::succeed(&mut make);
    let recorded = start(&["program.jar"], Some("packages"));
    assert!(recorded.status.success(), "{recorded:?}");
    // Fetched before, so nothing is asked.
    let profile = fs::read_dir(scratch.path())
        .expect("it is there")
        .map(|entry| entry.expect("it can be read").path())
        .find(|path| path.extension().is_some_and(|ending| ending == "subsume"))
        .expect("a profile was written");
    let profile = profile.display().to_string();
    let told = start(&["info", &profile], None);
    assert!(String::from_utf8_lossy(&told.stdout).contains("-jar program.jar"), "{told:?}");
}

/// What a Dockerfile adds lies beside it.
#[test]
fn a_container_has_what_it_is_made_of() {
    let folder = packages().join("container");
    for dockerfile in ["Dockerfile", "slim.Dockerfile"] {
        let text = fs::read_to_string(folder.join(dockerfile)).expect("it was made");
        let added: Vec<_> =
            text.lines().filter_map(|line| line.strip_prefix("ADD ")?.split(' ').next()).collect();
        assert_eq!(added, ["subsume.tar.gz"]);
        assert_eq!(
            fs::read(folder.join(added[0])).expect("it was made"),
            fs::read(file("x86_64.tar.gz")).expect("it was made")
        );
    }
    // The base of the slim image has these libraries.
    for built in [&artifacts().command, &artifacts().agent] {
        let needed = support::succeed(Command::new("readelf").arg("-d").arg(built));
        for line in needed.lines().filter(|line| line.contains("(NEEDED)")) {
            let known = ["libc.so", "libm.so", "libgcc_s.so", "ld-linux"];
            assert!(known.iter().any(|name| line.contains(name)), "{line}");
        }
    }
}

/// A build resolves the artifact from the repository alone, and compiles with it.
#[test]
fn maven_takes_the_artifacts_from_the_repository() {
    let scratch = Scratch::new("maven-repository");
    let repository = maven_repository();
    for name in ["subsume-junit", "subsume-jmh", "subsume-maven-plugin"] {
        let artifact = repository.join(format!("subsume/{name}/0.1.0"));
        for ending in ["jar", "jar.sha1", "pom"] {
            let file = artifact.join(format!("{name}-0.1.0.{ending}"));
            assert!(file.is_file(), "{} is missing", file.display());
        }
    }
    let jar = repository.join("subsume/subsume-junit/0.1.0/subsume-junit-0.1.0.jar");
    let source = scratch.file("Uses.java");
    let text = "class Uses { Object profile = new subsume.Profile[0]; \
                Class<?> extension = subsume.junit.RepeatedReads.class; }";
    fs::write(&source, text).expect("the folder of the test can be written");
    let mut javac = compiler().program("javac");
    support::succeed(javac.arg("-cp").arg(&jar).arg("-d").arg(scratch.path()).arg(&source));
}

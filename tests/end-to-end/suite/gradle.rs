//! `integrations/gradle/subsume.gradle`: Gradle's tests and programs are recorded, and compared.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use support::{Scratch, artifacts, copy_folder, methods, oldest, own_code};

/// A checkout of the project, beside a folder in which subsume is installed.
struct Project {
    scratch: Scratch,
}

impl Project {
    fn new() -> Self {
        let scratch = Scratch::new("gradle");
        let suite = Path::new(env!("CARGO_MANIFEST_DIR"));
        copy_folder(&suite.join("programs/gradle"), &scratch.file("shop"));
        let script = suite.join("../../integrations/gradle/subsume.gradle");
        fs::copy(script, scratch.file("shop/subsume.gradle")).expect("it is there");
        let installed =
            [("bin/subsume", &artifacts().command), ("lib/libsubsume.so", &artifacts().agent)];
        for (place, file) in installed {
            let place = scratch.file("installed").join(place);
            fs::create_dir_all(place.parent().expect("it has one")).expect("a folder can be made");
            symlink(file, place).expect("a link can be made");
        }
        Self { scratch }
    }

    fn gradle(&self, arguments: &[&str]) -> Output {
        Command::new("gradle")
            .args(["--no-daemon", "-q"])
            .arg(format!("-Psubsume={}", self.scratch.file("installed").display()))
            .args(arguments)
            .current_dir(self.scratch.file("shop"))
            .env("JAVA_HOME", oldest().home())
            .env_remove("JAVA_TOOL_OPTIONS")
            .output()
            .expect("Gradle can be started")
    }

    fn file(&self, name: &str) -> PathBuf {
        self.scratch.file("shop").join(name)
    }
}

fn calls(profile: &Path) -> u64 {
    methods(profile, "shop.Bill", &[])["add"]["calls"].as_u64().expect("calls are a number")
}

#[test]
#[ignore = "needs Gradle: --ignored gradle_"]
fn gradle_records_and_compares() {
    let project = Project::new();
    let built = project.gradle(&["subsumeMerge", "run"]);
    assert!(built.status.success(), "{built:?}");
    // A JVM for each class of tests, and one of the program.
    let forks =
        |task| fs::read_dir(project.file("build/subsume").join(task)).expect("it was made").count();
    assert_eq!((forks("test"), forks("run")), (2, 1));
    let merged = project.file("build/subsume/test.subsume");
    assert_eq!(calls(&merged), 3000);
    let own = own_code(&merged);
    let classes = project.file("build/classes/java/main");
    assert!(own.contains(&format!("file:{}/", classes.display())), "{own}");
    assert!(own.ends_with("as the agent's option own= says"), "{own}");

    let baseline = project.file("baseline.subsume");
    fs::copy(&merged, &baseline).expect("it can be copied");
    let without = project.gradle(&["subsumeCheck"]);
    let said = String::from_utf8_lossy(&without.stderr).into_owned();
    assert!(said.contains("-PsubsumeBaseline must say what to compare with"), "{said}");
    let baseline = format!("-PsubsumeBaseline={}", baseline.display());
    let same = project.gradle(&["subsumeCheck", &baseline]);
    assert!(same.status.success(), "{same:?}");

    let source = project.file("src/main/java/shop/Bill.java");
    let text = fs::read_to_string(&source).expect("it was copied");
    let changed = text.replace("total += price;", "total += price + 1 - 1;");
    assert_ne!(changed, text);
    fs::write(&source, changed).expect("it can be written");
    let costlier = project.gradle(&["subsumeCheck", &baseline]);
    assert!(!costlier.status.success(), "{costlier:?}");
    let said = String::from_utf8_lossy(&costlier.stdout).into_owned();
    let blamed = |line: &str| line.contains("changed") && line.contains("shop.Bill.add");
    assert!(said.contains("Broken: bytecodes>+1%") && said.lines().any(blamed), "{said}");
    assert_eq!(calls(&merged), 3000, "profiles of the build before are gone");
}

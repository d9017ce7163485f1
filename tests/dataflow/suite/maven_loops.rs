//! Performance bugs of libraries from the Maven repository: the loop is named in the
//! version with the bug, and nothing is in the one where it is mended.

use std::path::{Path, PathBuf};
use std::process::Command;

use analysis::dataflow::loops::clusters::cluster;
use analysis::dataflow::loops::unite;
use support::{Jdk, Scratch, agent_option, artifacts, each, in_turn, java, oldest, succeed};
use tree::owners::OwnCode;

/// Folder of the program, artifact and version, the case, and the loops that are to be
/// named.
type Case = (&'static str, &'static str, &'static str, &'static [&'static str]);

const CASES: [Case; 19] = [
    ("collections3", "commons-collections-3.2.1", "COLLECTIONS-406", &["ListUtils.subtract"]),
    ("collections4", "commons-collections4-4.1", "COLLECTIONS-406", &[]),
    (
        "collections3",
        "commons-collections-3.2.1",
        "COLLECTIONS-408",
        &["AbstractSet.removeAll", "ArrayList.batchRemove"],
    ),
    ("collections4", "commons-collections4-4.1", "COLLECTIONS-408", &[]),
    ("collections3", "commons-collections-3.2.1", "COLLECTIONS-412", &["CollectionUtils.subtract"]),
    ("collections4", "commons-collections4-4.1", "COLLECTIONS-412", &[]),
    ("collections3", "commons-collections-3.2.1", "COLLECTIONS-425", &["Cases.removeEach"]),
    ("collections4", "commons-collections4-4.1", "COLLECTIONS-425", &[]),
    ("collections3", "commons-collections-3.2.1", "COLLECTIONS-410", &[]),
    ("collections4", "commons-collections4-4.1", "COLLECTIONS-410", &[]),
    ("ant", "ant-1.8.1", "IdentityStack.removeAll", &["Vector.bulkRemove"]),
    ("ant", "ant-1.9.4", "IdentityStack.removeAll", &[]),
    // Its elements are moved by arraycopy.
    ("ant", "ant-1.8.1", "VectorSet.add", &["Cases.fill"]),
    ("ant", "ant-1.9.4", "VectorSet.add", &[]),
    ("guava", "guava-12.0", "HashMultimap.keySet", &["AbstractSet.removeAll"]),
    ("guava", "guava-13.0", "HashMultimap.keySet", &[]),
    ("guava", "guava-12.0", "HashMultiset.elementSet", &["AbstractSet.removeAll"]),
    ("guava", "guava-13.0", "HashMultiset.elementSet", &[]),
    ("jfreechart", "jfreechart-1.5.3", "getCategoriesForAxis", CHART),
];

/// Each value that is added is put into a table whose columns are searched for its own;
/// that is another bug.
const CHART: &[&str] = &["Cases.main", "CategoryPlot.getCategoriesForAxis"];

fn programs() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("libraries")
}

/// Has Maven fetch the artifacts into a folder.
fn fetch(jars: &Path) {
    let java = oldest().command("java");
    let home = java.ancestors().nth(2).expect("java lies in HOME/bin");
    let mut maven = Command::new("mvn");
    maven.args(["-B", "-q", "dependency:copy", "-f"]).arg(programs().join("pom.xml"));
    maven.arg(format!("-Djars={}", jars.display())).env("JAVA_HOME", home);
    succeed(&mut maven);
}

/// The methods of the loops that are found, without their packages.
fn found(jdk: &Jdk, scratch: &Scratch, (program, artifact, case, _): &Case) -> Vec<String> {
    let jar = scratch.file("jars").join(format!("{artifact}.jar"));
    let folder = scratch.file(&format!("{}-{artifact}-{case}", jdk.release));
    std::fs::create_dir(&folder).expect("a folder can be made");
    let source = programs().join(program).join("Cases.java");
    jdk.compile(&[source], &jar, &folder).unwrap_or_else(|e| panic!("{artifact}: {e}"));
    let profile = folder.join("loops.subsume");
    let class_path = std::env::join_paths([&folder, &jar]).expect("the folders have plain names");
    let options = format!("mode=loops,out={}", profile.display());
    let mut program = java(jdk);
    program.arg(agent_option(&artifacts().agent, &options)).arg("-cp").arg(class_path);
    succeed(program.args(["Cases", case]));
    let profile = profile::read_file(&profile).expect("the profile can be read");
    let loops = unite(&[(artifact.to_string(), profile)], &OwnCode::default())
        .expect("loops were recorded");
    let mut clusters = cluster(&loops.loops);
    clusters.retain(|cluster| !cluster.is_rare());
    let method = |number: u32| loops.methods[number as usize].qualified();
    let methods = clusters.iter().filter_map(|cluster| cluster.place.method);
    let without_package = |name: String| {
        let parts: Vec<&str> = name.rsplitn(3, '.').collect();
        format!("{}.{}", parts[1], parts[0])
    };
    let mut names: Vec<String> = methods.map(|m| without_package(method(m.0))).collect();
    names.sort();
    names
}

#[test]
fn bugs_of_libraries_are_found_and_their_fixes_are_silent() {
    let scratch = Scratch::new("loops-in-libraries");
    fetch(&scratch.file("jars"));
    for jdk in in_turn() {
        each(&CASES, |case| {
            assert_eq!(found(jdk, &scratch, case), case.3, "{} of {}, {jdk}", case.2, case.1);
        });
    }
}

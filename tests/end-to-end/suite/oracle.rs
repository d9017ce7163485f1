//! Tests that fail because a loop reads the same data again and again: a Maven project
//! with 500 tests, in parallel, run by Surefire and by JUnit's own launcher. Names have
//! `maven` in them, as what brings it is not asked for on every machine.

use std::ffi::OsString;
use std::fmt::Write;
use std::fs;
use std::process::{Command, Output};

use support::{Jdk, agent_option, artifacts, copy_folder, oldest, repository};

use crate::junit_project::{JunitProject, Results, programs, said};

/// Tests of the project in all.
const TESTS: usize = 500;
/// Where the launcher writes its reports.
const LAUNCHER_REPORTS: &str = "target/launcher-reports";
/// Tests in each class that is generated.
const IN_CLASS: usize = 20;

/// What fails, and nothing else: class, method and the number of the invocation.
const FAIL: [&str; 15] = [
    "shop.DynamicOrdersTest.shops 4",
    "shop.OrdersTest.searchesAList",
    "shop.OwnLoopTest.eachOrder",
    "shop.SearchesTest.byHand",
    "shop.SearchesTest.byStreams",
    "shop.SearchesTest.byTwoLoops",
    "shop.SearchesTest.inALinkedList",
    "shop.SearchesTest.inAListThatNeverChanges",
    "shop.SearchesTest.inAnArrayAsList",
    "shop.SearchesTest.inAnArrayList",
    "shop.Shop03Test.orders7",
    "shop.Shop11Test.orders19",
    "shop.Shop17Test.orders0",
    "shop.SizesTest.sizes 4",
    "shop.SizesTest.sizes 5",
];

/// Of the classes that are generated, which test searches a list.
fn is_slow(class: usize, test: usize) -> bool {
    matches!((class, test), (3, 7) | (11, 19) | (17, 0))
}

/// The project with the artifact beside it.
struct Project<'a>(JunitProject<'a>);

impl<'a> Project<'a> {
    fn new(jdk: &'a Jdk) -> Self {
        let project = JunitProject::new(jdk, "oracle");
        copy_folder(&programs().join("oracle"), project.scratch.path());
        let tests = project.shop("src/test/java/shop");
        let written: usize = fs::read_dir(&tests)
            .expect("it was copied")
            .map(|entry| {
                tests_in(&fs::read_to_string(entry.expect("a file").path()).expect("text"))
            })
            .sum();
        let mut rest = TESTS - written;
        for class in 0.. {
            if rest == 0 {
                break;
            }
            let count = rest.min(IN_CLASS);
            let file = tests.join(format!("Shop{class:02}Test.java"));
            fs::write(file, generated(class, count)).expect("a file can be written");
            rest -= count;
        }
        Self(project)
    }

    /// Runs Maven's tests; the agent goes on the line of arguments of the tests' JVM.
    fn maven(&self, agent: bool, options: &[&str]) -> Output {
        let line = agent.then(|| {
            let mut line = OsString::from("-DargLine=");
            line.push(self.agent());
            line
        });
        let _ = fs::remove_dir_all(self.0.shop("target/surefire-reports"));
        let options = ["test"].iter().chain(options).map(OsString::from).chain(line);
        self.0.maven(&options.collect::<Vec<_>>())
    }

    /// Runs all tests, or those of some classes, by JUnit's launcher for the command line.
    fn launcher(&self, agent: bool, classes: &[&str], options: &[&str]) -> Output {
        let agent = agent.then(|| self.agent());
        self.0.launcher(agent, classes, options, LAUNCHER_REPORTS)
    }

    /// Runs all tests by Gradle; Maven must have compiled the artifact before.
    fn gradle(&self, agent: bool) -> Output {
        let mut gradle = Command::new("gradle");
        gradle.args(["--no-daemon", "--rerun-tasks", "junitPlatformTest"]);
        if agent {
            let mut property = OsString::from("-Pagent=");
            property.push(self.agent());
            gradle.arg(property);
        }
        gradle
            .current_dir(self.0.shop("."))
            .env("JAVA_HOME", self.0.home())
            .env_remove("JAVA_TOOL_OPTIONS")
            .output()
            .expect("Gradle can be started")
    }

    fn agent(&self) -> OsString {
        let out = self.0.scratch.file("loops.subsume");
        agent_option(&artifacts().agent, &format!("mode=loops,out={}", out.display()))
    }

    fn maven_results(&self) -> Results {
        Results::read(&self.0.shop("target/surefire-reports"))
    }

    fn gradle_results(&self) -> Results {
        Results::read(&self.0.shop("build/test-results/junit-platform"))
    }

    fn launcher_results(&self) -> Results {
        Results::read(&self.0.shop(LAUNCHER_REPORTS))
    }
}

/// How many tests a source has: annotated methods, and the five invocations each of the
/// parametrised and the dynamic ones.
fn tests_in(source: &str) -> usize {
    let annotated = |annotation: &str| source.matches(&format!("    @{annotation}\n")).count();
    annotated("Test") + 5 * (annotated("ParameterizedTest") + annotated("TestFactory"))
}

fn generated(class: usize, count: usize) -> String {
    let mut text = format!(
        "package shop;\n\nimport static org.junit.jupiter.api.Assertions.assertEquals;\n\
         import static shop.Orders.numbers;\n\nimport java.util.HashSet;\n\
         import org.junit.jupiter.api.Test;\n\nclass Shop{class:02}Test {{\n"
    );
    for test in 0..count {
        let cancelled = match is_slow(class, test) {
            true => "numbers(1000, 30)",
            false => "new HashSet<>(numbers(1000, 30))",
        };
        let _ = writeln!(
            text,
            "    @Test\n    void orders{test}() {{\n        \
             assertEquals(30, Orders.open(numbers({test}, 30), {cancelled}).size());\n    }}\n"
        );
    }
    text.push_str("}\n");
    text
}

/// A text without the line of the JDK's search, which another release has elsewhere.
fn without_line(text: &str) -> String {
    let mut parts = text.split("ArrayList.indexOfRange:");
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |all, part| all + part.trim_start_matches(|c: char| c.is_ascii_digit()))
}

const WITHOUT_AGENT: &str = "subsume: loops of tests are not judged: the agent does not record \
                             (-agentpath:libsubsume.so=mode=loops)";

#[test]
fn maven_tests_fail_whose_loops_read_the_same_again() {
    let project = Project::new(oldest());

    let plain = project.maven(false, &[]);
    assert!(plain.status.success(), "{}", said(&plain));
    assert_eq!(said(&plain).matches(WITHOUT_AGENT).count(), 1, "{}", said(&plain));
    assert_eq!(project.maven_results().tests, TESTS);

    let judged = project.maven(true, &["-o"]);
    assert!(!judged.status.success(), "{}", said(&judged));
    let results = project.maven_results();
    // Surefire has one name for all dynamic tests of a method.
    let failed =
        FAIL.map(|name| if name.contains("Dynamic") { &name[..name.len() - 2] } else { name });
    assert_eq!((results.tests, results.names()), (TESTS, failed.to_vec()), "{}", said(&judged));
    // The documentation shows what a developer reads.
    let message = &results.failed["shop.OrdersTest.searchesAList"];
    let documentation =
        fs::read_to_string(repository().join("docs/how-to/junit.md")).expect("is text");
    let shown: String = message.lines().fold(String::new(), |shown, line| {
        let line = format!("    {line}");
        shown + line.trim_end() + "\n"
    });
    let shown = without_line(&shown);
    assert!(without_line(&documentation).contains(&shown), "not in docs/how-to/junit.md:\n{shown}");
    for source in ["main/java/shop/Orders.java", "test/java/shop/OrdersTest.java"] {
        let source = fs::read_to_string(project.0.shop("src").join(source)).expect("is text");
        let method = if source.contains("@Test") { "    @Test" } else { "    public static" };
        let from = source.find(method).expect("has one");
        let end = from + source[from..].find("    }\n").expect("it ends");
        let shown = &source[from..end];
        assert!(documentation.contains(shown), "not in docs/how-to/junit.md:\n{shown}");
    }
    let own = &results.failed["shop.OwnLoopTest.eachOrder"];
    assert!(own.contains("(OwnLoopTest.java:15), in test code\n"), "{own}");
    assert!(!message.contains("in test code"), "{message}");
    let dynamic = &results.failed["shop.DynamicOrdersTest.shops"];
    assert!(dynamic.contains("shop.Orders.open(Orders.java:11)\n"), "{dynamic}");

    // Old code is taken as it is, and nothing new is.
    let known = project.0.scratch.file("known.txt");
    let baseline = format!("-Dsubsume.loops.baseline={}", known.display());
    let written = project.maven(true, &["-o", &baseline, "-Dsubsume.loops.write-baseline=true"]);
    assert!(written.status.success(), "{}", said(&written));
    assert_eq!(project.maven_results().tests, TESTS);
    let lines = fs::read_to_string(&known).expect("it was written");
    let others: Vec<&str> =
        lines.lines().filter(|line| !line.starts_with("shop.OwnLoopTest.")).collect();
    assert!(others.len() < lines.lines().count() && others.len() > 1, "{lines}");
    fs::write(&known, others.join("\n")).expect("it can be written");

    // The same by JUnit's launcher.
    let plain = project.launcher(false, &[], &[]);
    assert!(plain.status.success(), "{}", said(&plain));
    assert_eq!(said(&plain).matches(WITHOUT_AGENT).count(), 1, "{}", said(&plain));
    assert_eq!(project.launcher_results().tests, TESTS);
    let judged = project.launcher(true, &[], &[]);
    assert!(!judged.status.success(), "{}", said(&judged));
    let results = project.launcher_results();
    assert_eq!((results.tests, results.names()), (TESTS, FAIL.to_vec()), "{}", said(&judged));
    let new = project.launcher(true, &[], &[&baseline]);
    let results = project.launcher_results();
    assert_eq!(results.names(), ["shop.OwnLoopTest.eachOrder"], "{}", said(&new));
    let classes = ["AllPairsTest", "OrdersTest"];
    let similar = project.launcher(true, &classes, &["-Dsubsume.loops.fail=similar"]);
    let results = project.launcher_results();
    let expected = ["shop.AllPairsTest.product", "shop.OrdersTest.searchesAList"];
    assert_eq!((results.tests, results.names()), (3, expected.to_vec()), "{}", said(&similar));

    // What makes no sense is said by a test that would need it.
    let wrong = project.launcher(true, &["OrdersTest"], &["-Dsubsume.loops.fail=everything"]);
    let message = "subsume.loops.fail=everything: it is redundant, similar or nothing";
    assert!(said(&wrong).contains(message), "{}", said(&wrong));
}

#[test]
#[ignore = "needs Gradle: --ignored gradle_tests"]
fn gradle_tests_fail_whose_loops_read_the_same_again() {
    let project = Project::new(oldest());
    let compiled = project.maven(false, &["-DskipTests"]);
    assert!(compiled.status.success(), "{}", said(&compiled));
    let plain = project.gradle(false);
    assert!(plain.status.success(), "{}", said(&plain));
    assert_eq!(said(&plain).matches(WITHOUT_AGENT).count(), 1, "{}", said(&plain));
    assert_eq!(project.gradle_results().tests, TESTS);
    let judged = project.gradle(true);
    assert!(!judged.status.success(), "{}", said(&judged));
    let results = project.gradle_results();
    assert_eq!((results.tests, results.names()), (TESTS, FAIL.to_vec()), "{}", said(&judged));
}

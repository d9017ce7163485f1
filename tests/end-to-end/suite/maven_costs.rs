//! Limits of the costs of tests, in a build by Maven.

use std::ffi::OsString;
use std::fs;
use std::process::Output;

use support::{Jdk, agent_option, artifacts, copy_folder, oldest, repository};

use crate::junit_project::{JunitProject, Results, programs, said};

/// A Maven project with the artifact beside it, run by JUnit's launcher.
struct Project<'a>(JunitProject<'a>);

impl<'a> Project<'a> {
    fn new(jdk: &'a Jdk) -> Self {
        let project = JunitProject::new(jdk, "cost-tests");
        let folder = project.scratch.path();
        copy_folder(&programs().join("cost-tests"), &folder.join("shop"));
        for file in ["pom.xml", "shop/pom.xml", "shop/src/main/java/shop/Orders.java"] {
            let to = folder.join(file);
            fs::create_dir_all(to.parent().expect("has a folder")).expect("there is room");
            fs::copy(programs().join("oracle").join(file), to).expect("it is there");
        }
        let compiled = project.maven(&["-q", "test-compile"].map(OsString::from));
        assert!(compiled.status.success(), "{}", said(&compiled));
        Self(project)
    }

    /// Runs the tests of some classes, in this order.
    fn run(&self, agent: Option<&str>, classes: &[&str], options: &[&str]) -> (Output, Results) {
        const REPORTS: &str = "target/reports";
        let agent = agent.map(|agent| {
            let out = self.0.scratch.file("tests.subsume");
            agent_option(&artifacts().agent, &format!("{agent}out={}", out.display()))
        });
        let output = self.0.launcher(agent, classes, options, REPORTS);
        (output, Results::read(&self.0.shop(REPORTS)))
    }
}

/// What fails under the agent, and how its message begins.
const FAIL: [(&str, &str); 10] = [
    ("shop.LimitsTest.allocatesBytes", "allocates 4,016 bytes, and at most 4,015 are allowed"),
    ("shop.LimitsTest.allocatesMuch", "allocates "),
    ("shop.LimitsTest.callsAWrapperOften", CALLED_BY_WRAPPER),
    ("shop.LimitsTest.callsManyMethods", CALLED_OF_MANY),
    ("shop.LimitsTest.callsOften", "calls java.util.Collection.contains 30 times, and at most 29"),
    ("shop.LimitsTest.executesMuch", "executes "),
    ("shop.LimitsTest.fibonacciOnceTooOften", "calls shop.Orders.fibonacci 177 times, and at"),
    ("shop.LimitsTest.throwsItself", "meant"),
    ("shop.LimitsTest.twoLimits", "executes "),
    ("shop.OfClassTest.ofTheClass", "executes "),
];

/// The wrapper calls the list once for each of 30 orders.
const CALLED_BY_WRAPPER: &str = "\
calls java.util.Collection.contains 60 times, and at most 59 are allowed
calls of each method that counts as java.util.Collection.contains:
       30  java.util.ArrayList.contains
       30  java.util.Collections$UnmodifiableCollection.contains";

/// The least called of four methods is left out, but counts.
const CALLED_OF_MANY: &str = "\
calls shop.LimitsTest$*.add 1,006 times, and at most 10 are allowed
calls shop.LimitsTest$First.add 3 times, and at most 2 are allowed
calls of each method that counts as shop.LimitsTest$*.add, the 3 most called of 4:
    1,000  shop.LimitsTest$Second.add
        3  shop.LimitsTest$First.add
        2  shop.LimitsTest$Third.add";

const WITHOUT_AGENT: &str = "subsume: costs of tests are not checked: the agent does not record \
                             (-agentpath:libsubsume.so)";
const WRONG_MODE: &str = "subsume: costs of tests are not checked: the agent records another mode \
                          than calls";

#[test]
fn maven_tests_have_limits_of_costs() {
    let project = Project::new(oldest());
    let classes = ["LimitsTest", "OfClassTest", "GrowthTest"];
    let (output, results) = project.run(Some(""), &classes, &[]);
    // JUnit reports a failed container as a failure of each of its invocations.
    let (of_growth, others): (Vec<&str>, Vec<&str>) =
        results.names().iter().partition(|name| name.starts_with("shop.GrowthTest."));
    let failed: Vec<&str> = FAIL.iter().map(|(name, _)| *name).collect();
    assert_eq!(others, failed, "{}", said(&output));
    let mut of_growth: Vec<&str> =
        of_growth.iter().filter_map(|name| name.split(['.', ' ']).nth(2)).collect();
    of_growth.dedup();
    assert_eq!(of_growth, ["growsWithTheText", "hasTwoSizes", "searchesAList"]);
    for (name, message) in FAIL {
        let found = &results.failed[name];
        assert!(found.starts_with(message), "{name}: {found}");
        assert!(found.lines().count() <= 6, "{name}: {found}");
    }
    let message = &results.failed["shop.LimitsTest.executesMuch"];
    let heading = "\nmethods with the most bytecodes, including the JDK methods that they call:\n";
    assert!(message.contains(heading), "{message}");
    // Only the method counts that the limit names, so there is nothing to say about calls.
    let of_one = &results.failed["shop.LimitsTest.fibonacciOnceTooOften"];
    assert!(of_one.contains(heading), "{of_one}");
    assert!(message.contains(" %  shop.Orders.open\n"), "{message}");
    // The documentation shows what a developer reads; another JDK has other counts.
    let page = fs::read_to_string(repository().join("docs/how-to/cost-tests.md")).expect("is text");
    let without_digits = |text: &str| text.replace(|c: char| c.is_ascii_digit(), "");
    for message in [message, &results.failed["shop.LimitsTest.callsAWrapperOften"]] {
        let shown: String = message.lines().map(|line| format!("    {line}\n")).collect();
        let is_shown = without_digits(&page).contains(&without_digits(&shown));
        assert!(is_shown, "not in docs/how-to/cost-tests.md:\n{shown}");
    }
    let said_growth = said(&output);
    assert!(said_growth.contains("cost grows with the size to the power of 1.9"), "{said_growth}");
    assert!(!said_growth.contains("subsume: costs of tests"), "{said_growth}");
    assert!(said_growth.contains("@GrowsAtMost needs invocations with at least 3 sizes, and 2"));
    assert!(said_growth.contains("[         3 containers failed"), "{said_growth}");

    // No agent, or no calls: tests run, and one line says that nothing is checked.
    for (agent, line) in [(None, WITHOUT_AGENT), (Some("mode=copies,"), WRONG_MODE)] {
        let (output, results) = project.run(agent, &classes, &[]);
        assert_eq!(results.names(), ["shop.LimitsTest.throwsItself"], "{}", said(&output));
        assert_eq!(said(&output).matches(line).count(), 1, "{}", said(&output));
        assert_eq!(said(&output).matches("subsume: ").count(), 1, "{}", said(&output));
    }

    // All messages, which have the counts, are the same in any order, and side by side.
    let seed = "-Djunit.jupiter.execution.order.random.seed=";
    let [first, second] = ["1", "2"].map(|number| format!("{seed}{number}"));
    let parallel = "-Djunit.jupiter.execution.parallel.enabled=true";
    let concurrent = "-Djunit.jupiter.execution.parallel.mode.default=concurrent";
    let orders = [&[&*first][..], &[&second], &[parallel, concurrent]].map(|options| {
        let (output, results) = project.run(Some(""), &["OrderTest"], options);
        assert_eq!(results.failed.len(), results.tests, "{}", said(&output));
        results.failed
    });
    assert_eq!(orders[0].len(), 9, "{orders:?}");
    assert_eq!(orders[0], orders[1]);
    assert_eq!(orders[0], orders[2]);
}

#[test]
#[ignore = "starts ten JVMs: --ignored maven_tests_are_compared"]
fn maven_tests_are_compared_with_a_snapshot() {
    let project = Project::new(oldest());
    let snapshot = project.0.scratch.file("folder/costs.txt");
    let file = format!("-Dsubsume.costs.snapshot={}", snapshot.display());
    let run = |options: &[&str]| {
        let detect = "-Djunit.jupiter.extensions.autodetection.enabled=true";
        let always = [detect, "-Dsubsume.loops.fail=nothing", &file];
        project.run(Some("mode=loops,"), &["SnapshotTest"], &[&always[..], options].concat())
    };
    let passes = |options: &[&str]| {
        let (output, results) = run(options);
        assert_eq!((results.tests, results.names()), (4, vec![]), "{}", said(&output));
        fs::read_to_string(&snapshot).expect("it was written")
    };
    let (output, results) = run(&[]);
    assert_eq!(results.failed.len(), 4, "{}", said(&output));
    assert!(said(&output).contains("-Dsubsume.costs.write-snapshot=renew writes it"));

    let written = passes(&["-Dsubsume.costs.write-snapshot=renew"]);
    let names: Vec<&str> =
        written.lines().skip(1).filter_map(|line| line.split(" | ").next()).collect();
    let expected = ["opens()", "sizes(int)#1", "sizes(int)#2", "staysTheSame()"]
        .map(|name| format!("shop.SnapshotTest.{name}"));
    assert_eq!(names, expected, "{written}");
    assert_eq!(passes(&[]), written);

    let (output, results) = run(&["-Dshop.orders=33"]);
    assert_eq!(results.names(), ["shop.SnapshotTest.opens"], "{}", said(&output));
    let message = &results.failed["shop.SnapshotTest.opens"];
    assert!(message.starts_with("executes "), "{message}");
    assert!(
        message.contains(" in the snapshot\nmost of it: shop.Orders.open executes ")
            && message.contains(" bytecodes more, including the JDK methods that it calls\n"),
        "{message}"
    );

    // The spread is what was between the least and the most.
    let widened = passes(&["-Dsubsume.costs.write-snapshot=widen", "-Dshop.orders=40"]);
    assert_eq!(widened.lines().filter(|line| !written.contains(line)).count(), 1, "{widened}");
    passes(&["-Dshop.orders=45"]);
    let (output, results) = run(&["-Dshop.orders=55"]);
    assert_eq!(results.names(), ["shop.SnapshotTest.opens"], "{}", said(&output));
    assert_eq!(passes(&["-Dsubsume.costs.write-snapshot=renew"]), written);

    fs::write(&snapshot, "nothing\n").expect("it can be written");
    let (output, _) = run(&[]);
    assert!(said(&output).contains("costs.txt: line 1 is not the costs of a test"));
    let (output, _) = run(&["-Dsubsume.costs.write-snapshot=yes"]);
    assert!(said(&output).contains("subsume.costs.write-snapshot=yes: it is renew or widen"));
}

/// What fails under the agent in TestNG, and how its message begins.
const FAIL_IN_TESTNG: [(&str, &str); 5] = [
    ("shop.LimitsTest.allocatesMuch", "allocates "),
    ("shop.LimitsTest.callsOften", "calls java.util.Collection.contains 30 times, and at most 29"),
    ("shop.LimitsTest.executesMuch", "executes "),
    ("shop.LimitsTest.executesMuchOnce", "executes "),
    ("shop.LimitsTest.throwsItself", "meant"),
];

/// Surefire runs TestNG, which finds the listener; there is no JUnit.
#[test]
fn maven_tests_of_testng_have_limits_of_costs() {
    let project = JunitProject::new(oldest(), "testng");
    let folder = project.scratch.path();
    copy_folder(&programs().join("testng/shop"), &folder.join("shop"));
    for file in ["pom.xml", "shop/src/main/java/shop/Orders.java"] {
        let to = folder.join(file);
        fs::create_dir_all(to.parent().expect("has a folder")).expect("there is room");
        fs::copy(programs().join("oracle").join(file), to).expect("it is there");
    }
    let run = |options: &[String]| {
        let arguments = [&["test".to_owned()], options].concat();
        let output = project.maven(&arguments.into_iter().map(OsString::from).collect::<Vec<_>>());
        assert!(output.status.success(), "{}", said(&output));
        (output, Results::read(&project.shop("target/surefire-reports")))
    };
    let agent = format!(
        "-DargLine=-agentpath:{}=out={}",
        artifacts().agent.display(),
        project.scratch.file("tests.subsume").display()
    );
    let (output, results) = run(&[agent]);
    assert_eq!(results.tests, 8, "{}", said(&output));
    assert_eq!(results.names(), FAIL_IN_TESTNG.map(|one| one.0), "{}", said(&output));
    for (name, message) in FAIL_IN_TESTNG {
        let found = &results.failed[name];
        assert!(found.starts_with(message), "{name}: {found}");
    }
    let message = &results.failed["shop.LimitsTest.executesMuch"];
    assert!(message.contains(" %  shop.Orders.open"), "{message}");

    let (output, results) = run(&[]);
    assert_eq!(results.names(), ["shop.LimitsTest.throwsItself"], "{}", said(&output));
    assert_eq!(said(&output).matches(WITHOUT_AGENT).count(), 1, "{}", said(&output));
}

//! The plugin of Maven: each JVM of the tests is recorded, builds fail that execute more than a
//! bound or a baseline allows, and what tests waste is diagnosed. Names have `maven` in them, as what brings it is not
//! asked for on every machine.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use support::{Jdk, Scratch, artifacts, copy_folder, in_turn, methods, oldest, own_code};

use crate::packages;

/// What tells a build that fails from one that cannot be done.
const FAILURE: &str = "MojoFailureException";
const ERROR: &str = "MojoExecutionException";

/// The path on which the command is found that the tests are about.
pub fn path_with_command() -> OsString {
    let mut path =
        artifacts().command.parent().expect("it lies in a folder").as_os_str().to_owned();
    path.push(":");
    path.push(std::env::var_os("PATH").expect("there is a path"));
    path
}

/// A checkout of the project.
struct Checkout<'a> {
    jdk: &'a Jdk,
    folder: PathBuf,
}

/// Where the projects are.
fn programs() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("programs")
}

impl<'a> Checkout<'a> {
    fn new(jdk: &'a Jdk, scratch: &Scratch, name: &str) -> Self {
        Self::of("maven-plugin", jdk, scratch, name)
    }

    /// Of another project than the usual one.
    fn of(project: &str, jdk: &'a Jdk, scratch: &Scratch, name: &str) -> Self {
        let folder = scratch.file(name);
        copy_folder(&programs().join(project), &folder);
        Self { jdk, folder }
    }

    /// Has a file of another project, too.
    fn take(&self, project: &str, file: &str) {
        let copy = self.file(file);
        fs::create_dir_all(copy.parent().expect("it is in a folder")).expect("a folder is made");
        fs::copy(programs().join(project).join(file), copy).expect("the file is copied");
    }

    fn maven(&self, arguments: &[&str]) -> Output {
        let repository = packages::maven_repository();
        let packages = repository.parent().expect("it lies in a folder");
        Command::new("mvn")
            .args(["-B", "-Dstyle.color=never"])
            .args(arguments)
            .current_dir(&self.folder)
            .env("JAVA_HOME", self.jdk.home())
            .env("PATH", path_with_command())
            .env("SUBSUME_PACKAGES", format!("file://{}", packages.display()))
            .env("SUBSUME_AGENT", &artifacts().agent)
            .env_remove("JAVA_TOOL_OPTIONS")
            .output()
            .expect("Maven can be started")
    }

    /// A build that must succeed; what it printed.
    fn succeeds(&self, arguments: &[&str]) -> String {
        let output = self.maven(arguments);
        assert!(output.status.success(), "{arguments:?} on {}: {}", self.jdk, said(&output));
        said(&output)
    }

    /// A build that must fail, in this way and for this reason; what it printed.
    fn fails(&self, arguments: &[&str], way: &str, reason: &str) -> String {
        let output = self.maven(arguments);
        let said = said(&output);
        let last = said.lines().find(|line| line.contains("Failed to execute goal subsume:"));
        assert!(last.is_some_and(|line| line.contains(reason)), "{arguments:?}: {said}");
        assert!(said.contains(way), "{arguments:?}: {said}");
        assert_eq!(output.status.code(), Some(1), "{said}");
        said
    }

    fn file(&self, path: &str) -> PathBuf {
        self.folder.join(path)
    }

    /// How many JVMs of a module were recorded.
    fn forks(&self, module: &str) -> usize {
        let entries = fs::read_dir(self.file(module).join("target/subsume/forks"));
        entries.map_or(0, Iterator::count)
    }

    fn replace(&self, path: &str, from: &str, to: &str) {
        let file = self.file(path);
        let text = fs::read_to_string(&file).expect("it was copied");
        assert!(text.contains(from), "{path} has no {from}");
        fs::write(&file, text.replace(from, to)).expect("it can be written");
    }
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&[&output.stdout[..], &output.stderr].concat()).into_owned()
}

/// Calls of a method in a profile.
fn calls(profile: &Path, class: &str, name: &str) -> u64 {
    methods(profile, class, &[])[name]["calls"].as_u64().expect("calls are a number")
}

#[test]
fn maven_plugin_records_and_checks_each_module() {
    let scratch = Scratch::new("maven-plugin");
    for jdk in in_turn() {
        let base = Checkout::new(jdk, &scratch, &format!("base-{}", jdk.release));
        let text = base.succeeds(&["-T", "2", "verify"]);
        // A JVM for each of two classes, which run at the same time, one, and none.
        assert_eq!(
            ["orders", "bills", "forms"].map(|module| base.forks(module)),
            [2, 1, 0],
            "{text}"
        );
        let merged = base.file("orders/target/subsume/profile.subsume");
        // From 1000 and 2000 numbers.
        assert_eq!(calls(&merged, "shop.Orders", "plus"), 3000, "{jdk}");
        assert_eq!(calls(&merged, "shop.Orders", "sum"), 2, "{jdk}");
        let profile = base.file("bills/target/subsume/profile.subsume");
        assert_eq!(calls(&profile, "shop.Bill", "add"), 100, "{jdk}");
        // What each module was compiled to is its own code, by the option that the goal gives.
        for module in ["orders", "bills"] {
            let own = own_code(&base.file(module).join("target/subsume/profile.subsume"));
            let classes = base.file(module).join("target/classes");
            assert!(own.contains(&format!("file:{}/", classes.display())), "{jdk}: {own}");
            assert!(own.ends_with("as the agent's option own= says"), "{jdk}: {own}");
        }
        for module in ["orders", "bills"] {
            let page = fs::read_to_string(base.file(module).join("target/subsume/report.html"));
            assert!(page.expect("it was written").starts_with("<!doctype html>"), "{jdk}");
            let summary = fs::read_to_string(base.file(module).join("target/subsume/summary.md"));
            assert!(summary.expect("it was written").contains("Repeated patterns"), "{jdk}");
        }
        assert!(
            text.contains("nothing was recorded: no JVM of shop:forms:jar:1 had the agent"),
            "{text}"
        );

        // The same again, in place of the recording before: what lies below the modules' own
        // classes costs the same to the last bytecode, whatever else runs on the machine.
        let baseline = format!("-Dsubsume.baseline={}", base.folder.display());
        let new = Checkout::new(jdk, &scratch, &format!("new-{}", jdk.release));
        new.succeeds(&["verify", &baseline, "-pl", "bills"]);
        let text = new.succeeds(&["verify", &baseline, "-Dsubsume.maxIncrease=0"]);
        assert_eq!(
            ["orders", "bills", "forms"].map(|module| new.forks(module)),
            [2, 1, 0],
            "{text}"
        );
        assert_eq!(text.matches("bytecodes are the same, ").count(), 2, "{text}");

        // Four more instructions in each round, which had 14.
        new.replace(
            "orders/src/main/java/shop/Orders.java",
            "sum + number",
            "sum + number + 1 - 1",
        );
        let reason = "by more than the 1 % allowed";
        let text = new.fails(&["verify", &baseline, "-pl", "orders"], FAILURE, reason);
        let blamed =
            |line: &&str| line.starts_with("[ERROR] ") && line.contains("shop.Orders.plus");
        assert!(text.lines().any(|line| blamed(&line) && line.contains("changed")), "{text}");
        let comment = fs::read_to_string(new.file("orders/target/subsume/check.md"));
        let comment = comment.expect("it was written");
        assert!(comment.starts_with("**bytecodes rose by "), "{comment}");
        assert!(comment.contains("| changed | shop.Orders.plus |"), "{comment}");
    }
}

#[test]
fn maven_plugin_keeps_bounds_and_says_what_is_wrong() {
    let jdk = oldest();
    let scratch = Scratch::new("maven-plugin");
    let checkout = Checkout::new(jdk, &scratch, "checkout");
    checkout.succeeds(&["verify", "-Dsubsume.skip"]);
    assert_eq!(checkout.forks("bills"), 0);

    // Arguments of the JVM that exec starts; then nothing else is run.
    let bills = ["-pl", "bills"];
    let all = |goals: &[&'static str]| [&bills[..], goals].concat();
    let text = checkout.succeeds(&all(&["subsume:record", "exec:exec"]));
    assert!(text.contains("total 42\n"), "{text}");
    let exec =
        all(&["subsume:check", "-Dsubsume.under=shop.Bill.main", "-Dsubsume.maxBytecodes=1"]);
    let text = checkout.fails(&exec, FAILURE, "more than the 1 allowed");
    let cost = text.split("all that is checked costs ").nth(1).expect("it says so");
    let cost = cost.split(' ').next().expect("and how much").replace(',', "");
    // The same number is kept.
    let enough = format!("-Dsubsume.maxBytecodes={cost}");
    checkout.succeeds(&[
        "-pl",
        "bills",
        "subsume:check",
        "-Dsubsume.under=shop.Bill.main",
        &enough,
    ]);
    // All of the JVM counts if that is asked for, and nothing where no own class was executed.
    let all_methods = ["subsume:check", "-Dsubsume.under=*", "-Dsubsume.maxBytecodes=100000"];
    let warned = [&all_methods[..], &["-Dsubsume.failOnIncrease=false"]].concat();
    let text = checkout.succeeds(&all(&warned));
    assert!(text.contains("more than the 100,000 allowed"), "{text}");
    checkout.replace("bills/pom.xml", "shop.Bill 19 23", "-version");
    let nothing = ["subsume:record", "exec:exec", "subsume:check", "-Dsubsume.maxBytecodes=1"];
    let text = checkout.succeeds(&all(&nothing));
    assert!(text.contains("no class of shop:bills:jar:1 was executed"), "{text}");
    checkout.replace("bills/pom.xml", "-version", "shop.Bill 19 23");
    checkout.succeeds(&all(&["subsume:record", "exec:exec"]));

    // A bound on a method, with what it calls: 2 calls of 7 instructions.
    let bound = |max: u32| {
        format!(
            "<configuration><bounds><bound><method>shop.Bill.add</method><max>{max}</max>\
             </bound></bounds></configuration>\n        <executions>"
        )
    };
    checkout.replace("pom.xml", "<executions>", &bound(14));
    checkout.succeeds(&all(&["subsume:check"]));
    checkout.replace("pom.xml", "<max>14</max>", "<max>13</max>");
    let reason =
        "shop.Bill.add, with all that it calls, costs 14 bytecodes, more than the 13 allowed";
    checkout.fails(&all(&["subsume:check"]), FAILURE, reason);
    // A method that is not called keeps its bound, as in a module that shares its parent's.
    checkout.replace(
        "pom.xml",
        "<method>shop.Bill.add</method>",
        "<method>shop.Bill.never</method>",
    );
    let text = checkout.succeeds(&all(&["subsume:check"]));
    let kept = "shop.Bill.never was not executed, so its bound of 13 bytecodes is kept";
    assert!(text.contains(kept), "{text}");
    checkout.replace(
        "pom.xml",
        "<method>shop.Bill.never</method>",
        "<method>shop.Bill.add</method>",
    );
    checkout.replace("pom.xml", &bound(13), "<executions>");

    // What cannot be done.
    let missing = all(&["subsume:check", "-Dsubsume.baseline=nowhere"]);
    checkout.fails(&missing, ERROR, "there is no such baseline");
    let missing = all(&["subsume:check", "-Dsubsume.command=/nowhere/subsume"]);
    checkout.fails(&missing, ERROR, "/nowhere/subsume is not a command");
    let none = all(&["subsume:check", "-Dsubsume.under=nobody.calls"]);
    checkout.fails(
        &[&none[..], &["-Dsubsume.maxBytecodes=1"]].concat(),
        ERROR,
        "no method matches",
    );
    let negative = all(&["subsume:check", "-Dsubsume.maxIncrease=-1"]);
    checkout.fails(&negative, ERROR, "it is per cent from 0 on");

    // A baseline with nothing to compare: Surefire's arguments have lost the agent.
    let other = Checkout::new(jdk, &scratch, "other");
    other.replace(
        "pom.xml",
        "<artifactId>maven-surefire-plugin</artifactId><version>3.2.5</version>",
        "<artifactId>maven-surefire-plugin</artifactId><version>3.2.5</version>\
         <configuration><argLine>-Xmx128m</argLine></configuration>",
    );
    let baseline = format!("-Dsubsume.baseline={}", checkout.folder.display());
    other.fails(&["verify", &baseline, "-pl", "bills"], FAILURE, "It must begin with @{argLine}");

    // Recording again removes what was there.
    let missing = all(&["subsume:record", "-Dsubsume.command=/nowhere/subsume"]);
    let text = checkout.succeeds(&missing);
    assert!(text.contains("argLine set to"), "SUBSUME_AGENT is enough: {text}");
    let missing = all(&["subsume:record", "-Dsubsume.agent=/nowhere/libsubsume.so"]);
    checkout.fails(&missing, ERROR, "/nowhere/libsubsume.so: there is no such library");
}

/// The calls of the method that computes the same again, in a folder of recordings.
fn rates(checkout: &Checkout<'_>, folder: &str) -> u64 {
    calls(&checkout.file(folder).join("calls.subsume"), "shop.Prices", "rate")
}

#[test]
fn maven_plugin_diagnoses_what_tests_waste() {
    const WASTE: &str = "same result again: shop.Prices.rate";
    let scratch = Scratch::new("maven-diagnose");
    let checkout = Checkout::of("maven-diagnose", oldest(), &scratch, "checkout");
    // Orders need prices, which are not installed.
    let text = checkout.succeeds(&["subsume:diagnose"]);
    for (module, times) in [("prices", 3002), ("orders", 2000)] {
        let heading = format!("shop:{module}:jar:1: what its tests waste");
        let answer = text.split(&heading).nth(1).unwrap_or_else(|| panic!("{module}: {text}"));
        let first = answer.lines().find(|line| line.starts_with("[INFO]   1 "));
        assert!(first.is_some_and(|line| line.contains(WASTE)), "{module}: {text}");
        let folder = format!("{module}/target/subsume/diagnosis");
        assert!(answer.contains(&format!("recordings: {}", checkout.file(&folder).display())));
        assert_eq!(rates(&checkout, &folder), times, "{module}");
        let own = own_code(&checkout.file(&folder).join("calls.subsume"));
        assert!(own.ends_with("as the agent's option own= says"), "{module}: {own}");
        // The goal `record`, which the build has, leaves these tests to this one.
        assert_eq!(checkout.forks(module), 0, "{text}");
    }
    assert!(text.contains("shop:forms:jar:1 has no tests, so it is left out"), "{text}");
    // What tests print does not depend on the agent.
    assert!(!text.contains("printed something else"), "{text}");

    // The change is compared with what was in the folder.
    let prices = ["-pl", "prices", "subsume:diagnose"];
    let all = |options: &[&'static str]| [&prices[..], options].concat();
    let source = "prices/src/main/java/shop/Prices.java";
    let (wasteful, mended) = ("price * rate(price % 3)", "price * rates[price % 3]");
    checkout.replace(source, wasteful, mended);
    checkout.replace(
        source,
        "long sum = 0;",
        "long sum = 0; long[] rates = {rate(0), rate(1), rate(2)};",
    );
    let against = "-Dsubsume.against=target/subsume/diagnosis";
    let text = checkout.succeeds(&all(&[against, "-Dsubsume.failAbove=60"]));
    let fate = text.lines().find(|line| line.contains(WASTE));
    assert!(fate.is_some_and(|line| line.starts_with("[INFO]   gone ")), "{text}");
    assert_eq!(rates(&checkout, "prices/target/subsume/diagnosis"), 5);
    assert_eq!(rates(&checkout, "prices/target/subsume/diagnosis-before"), 3002);

    // And back: the finding is new.
    checkout.replace(source, mended, wasteful);
    let reason = "new: shop.Prices.rate wastes up to ";
    checkout.fails(&all(&[against, "-Dsubsume.failAbove=60"]), FAILURE, reason);
}

#[test]
fn maven_plugin_diagnoses_chosen_tests_and_says_what_is_wrong() {
    let scratch = Scratch::new("maven-diagnose");
    let checkout = Checkout::of("maven-diagnose", oldest(), &scratch, "checkout");
    let prices = ["-pl", "prices", "subsume:diagnose"];
    let all = |options: &[&'static str]| [&prices[..], options].concat();

    // As many recordings as time allows, and the others later.
    let one = "-Dsubsume.test=RateTest#testRate";
    let text = checkout.succeeds(&all(&[one, "-Dsubsume.within=1s"]));
    assert!(text.contains("to record them: mvn subsume:diagnose -Dsubsume.continue\n"), "{text}");
    let folder = "prices/target/subsume/diagnosis";
    assert_eq!(rates(&checkout, folder), 2);
    assert!(!checkout.file(folder).join("results.subsume").exists(), "{text}");
    let text = checkout.succeeds(&all(&[one, "-Dsubsume.continue"]));
    assert!(text.contains("5 recorded runs follow"), "{text}");
    assert!(checkout.file(folder).join("results.subsume").exists(), "{text}");

    // What was recorded before stays where nothing is recorded.
    let reason = "tests of shop:prices:jar:1 fail without the agent, so nothing is recorded: \
                  shop.PricesTest";
    checkout.fails(&all(&["-Dfails=true"]), FAILURE, reason);
    let reason = "no test of shop:prices:jar:1 matches Nobody";
    checkout.fails(&all(&["-Dtest=Nobody"]), FAILURE, reason);
    let text = checkout.succeeds(&["subsume:diagnose", "-Dtest=Nobody"]);
    assert!(text.contains("shop:orders:jar:1 has no test that matches Nobody"), "{text}");
    let reason = "nowhere has no diagnosis of shop:prices:jar:1";
    checkout.fails(&all(&["-Dsubsume.against=nowhere"]), ERROR, reason);
    let reason = "src has other files than those of a diagnosis";
    checkout.fails(&all(&["-Dsubsume.diagnosis=src"]), ERROR, reason);
    let reason = "--fail-above takes a number from 0 to 100";
    checkout.fails(&all(&["-Dsubsume.failAbove=101"]), ERROR, reason);
    assert_eq!(rates(&checkout, folder), 2);

    // As an execution: tests are recorded by `record` once, and then by this goal.
    checkout.replace("pom.xml", "<goal>record</goal>", "<goal>record</goal><goal>diagnose</goal>");
    checkout.succeeds(&["verify", "-pl", "prices", "-Dsubsume.within=1s"]);
    assert_eq!(checkout.forks("prices"), 1);
    assert_eq!(rates(&checkout, folder), 3002);
}

/// The extension of JUnit needs loops, and so that is what its module records; what the plugin
/// counts is the same.
#[test]
fn maven_plugin_records_what_the_extension_of_junit_judges() {
    let scratch = Scratch::new("maven-judged");
    let checkout = Checkout::of("maven-judged", oldest(), &scratch, "checkout");
    let test = "src/test/java/shop/OrdersTest.java";
    for file in ["src/main/java/shop/Orders.java", test] {
        checkout.take("oracle/shop", file);
    }
    let output = checkout.maven(&["verify"]);
    let text = said(&output);
    assert!(!output.status.success(), "{text}");
    assert!(text.contains("OrdersTest.searchesAList"), "{text}");
    assert!(text.contains("1 loop reads the same data again and again"), "{text}");
    assert!(text.contains("Tests run: 2, Failures: 1, Errors: 0"), "{text}");

    // Mended, by the answers of the goals that follow it is a recording like all others.
    checkout.replace(
        test,
        "numbers(0, 30), cancelled)",
        "numbers(0, 30), new HashSet<>(cancelled))",
    );
    checkout.succeeds(&["verify", "-Dsubsume.maxBytecodes=1000000"]);
    let profile = checkout.file("target/subsume/profile.subsume");
    let judged = calls(&profile, "shop.Orders", "open");
    let reason = "more than the 10 allowed";
    checkout.fails(&["verify", "-Dsubsume.maxBytecodes=10"], FAILURE, reason);

    // Another mode of the user's own is taken, and one line says what is missing.
    let text = checkout.succeeds(&["verify", "-Dsubsume.mode=calls"]);
    let line = "subsume: loops of tests are not judged: the agent records another mode than loops";
    assert_eq!(text.matches(line).count(), 1, "{text}");
    assert_eq!(calls(&profile, "shop.Orders", "open"), judged);

    // A test that fails does less: a diagnosis leaves the loops to the answer.
    checkout.replace(
        test,
        "numbers(0, 30), new HashSet<>(cancelled))",
        "numbers(0, 30), cancelled)",
    );
    let text = checkout.succeeds(&["subsume:diagnose"]);
    assert!(text.contains("same data read again: shop.Orders.open:11"), "{text}");
    assert!(!text.contains("printed something else"), "{text}");
}

#[test]
fn maven_plugin_adds_runs_to_a_fleet() {
    let scratch = Scratch::new("maven-plugin-fleet");
    let build = Checkout::new(oldest(), &scratch, "build");
    let fleet = scratch.file("fleet");
    let option = format!("-Dsubsume.fleet={}", fleet.display());
    let said = build.succeeds(&["verify", "subsume:add", &option]);
    assert_eq!(said.matches("1 run added").count(), 2, "{said}");
    assert!(said.contains("nothing is added: no JVM of "), "{said}");
    let mut list = Command::new(&artifacts().command);
    let list = support::succeed(list.args(["fleet", "list", "--json"]).arg(&fleet));
    let list: serde_json::Value = serde_json::from_str(&list).expect("it is JSON");
    let runs = list["runs"].as_array().expect("runs are a list");
    let mut programs: Vec<_> = runs.iter().map(|run| run["program"].as_str()).collect();
    programs.sort_unstable();
    assert_eq!(programs, [Some("bills"), Some("orders")], "{list}");
    assert!(runs.iter().all(|run| run["labels"]["version"] == "1"), "{list}");
    // The same profiles again are the same runs.
    let again = build.succeeds(&["subsume:add", &option]);
    assert_eq!(again.matches("there before").count(), 2, "{again}");
}

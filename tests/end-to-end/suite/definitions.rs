//! Profiles say which loader defined a class, and where it was found.

use profile::{Definition, Loader, Profile};
use support::{Launch, Scratch, in_turn, jdks, subsume};

fn definition<'p>(profile: &'p Profile, class: &str) -> &'p Definition {
    let found = profile.classes.iter().find(|known| known.name == class);
    &found.unwrap_or_else(|| panic!("{class} was not recorded")).definition
}

fn check(profile: &Profile, folder: &str, jdk: &support::Jdk) {
    let place = |loader, location: &str| Definition { loader, location: location.to_owned() };
    for (class, expected) in [
        ("java.lang.String", Definition::BOOT),
        ("java.sql.Timestamp", place(Loader::Platform, "jrt:/java.sql")),
        ("DefinesClasses", place(Loader::Application, folder)),
        ("DefinesClasses$Plugin", place(Loader::Other, folder)),
    ] {
        assert_eq!(*definition(profile, class), expected, "{class} on {jdk}");
    }
    let is_proxy = |name: &str| name.contains(".$Proxy");
    let proxy = profile.classes.iter().find(|class| is_proxy(&class.name)).expect("it was used");
    assert_eq!(*proxy.definition, place(Loader::Application, ""), "{} on {jdk}", proxy.name);
}

#[test]
fn classes_have_loaders_and_places() {
    for jdk in jdks() {
        let scratch = Scratch::new("definitions");
        let folder = format!("file:{}/", support::compiled("main").display());
        for (number, options) in ["", "mode=costs,", "mode=calls+nulls,"].into_iter().enumerate() {
            let file = scratch.file(&format!("{number}.subsume"));
            let launch = Launch::new(jdk, "DefinesClasses", scratch.path());
            let run = launch.agent(&format!("{options}out={}", file.display())).run();
            assert_eq!((run.status, &*run.stdout), (Some(0), "5000042\n"), "{jdk}: {run:?}");
            let read = profile::read_file(&file).expect("the profile was written");
            // Recordings of data flow alone have the classes that it meets.
            if read.classes.iter().any(|class| class.name == "java.sql.Timestamp") {
                check(&read, &folder, jdk);
            } else {
                assert_eq!(
                    *definition(&read, "DefinesClasses"),
                    Definition { loader: Loader::Application, location: folder.clone() }
                );
            }
        }
        let file = scratch.file("attached.subsume");
        Launch::new(jdk, "DefinesClasses", scratch.path()).attached(&file).run();
        let read = profile::read_file(&file).expect("the profile was written");
        check(&read, &folder, jdk);
    }
}

/// The agent waits for no class of the program to be initialised, and believes the fields of
/// the JDK's classes only.
#[test]
fn domains_of_the_programs_own_classes_are_left_alone() {
    for jdk in jdks() {
        let scratch = Scratch::new("slow-domains");
        let file = scratch.file("slow.subsume");
        let run = Launch::new(jdk, "SlowDomains", scratch.path()).profiled(&file).run();
        assert_eq!((run.status, &*run.stdout, &*run.stderr), (Some(0), "3\n", ""), "{jdk}");
        let read = profile::read_file(&file).expect("the profile was written");
        for (class, location) in [("First", "file:/slow/"), ("Second", "file:/right/")] {
            let found = definition(&read, &format!("SlowDomains${class}"));
            let expected = Definition { loader: Loader::Other, location: location.to_owned() };
            assert_eq!(*found, expected, "{class} on {jdk}");
        }
    }
}

/// What the user says is their own code goes before what is known: the agent's option, and
/// before that the command's.
#[test]
fn own_code_is_what_the_user_says() {
    for jdk in in_turn() {
        let scratch = Scratch::new("own");
        let file = scratch.file("own.subsume").display().to_string();
        Launch::new(jdk, "DefinesClasses", scratch.path())
            .agent(&format!("own=java.sql.*;DefinesClasses,out={file}"))
            .run_well();
        let own = |options: &[&str]| -> String {
            let command = [&["info", "--json"], options, &[&file]].concat();
            let info: serde_json::Value =
                serde_json::from_str(&subsume(&command)).expect("it is JSON");
            info["files"][0]["own_code"].as_str().expect("a sentence").to_owned()
        };
        let says =
            "classes that match 'java.sql.*;DefinesClasses', as the agent's option own= says";
        assert_eq!(own(&[]), says, "{jdk}");
        let says = "classes that match 'java.util.*', as --own says";
        assert_eq!(own(&["--own", "java.util.*"]), says, "{jdk}");
        let folder = scratch.path().join("by-default.subsume");
        Launch::new(jdk, "DefinesClasses", scratch.path()).profiled(&folder).run_well();
        let file = folder.display().to_string();
        let places = |options: &[&str]| -> Vec<serde_json::Value> {
            let command = [&["summary", "--with-start", "--json"], options, &[&file]].concat();
            let summary: serde_json::Value =
                serde_json::from_str(&subsume(&command)).expect("it is JSON");
            summary["places"].as_array().expect("places").clone()
        };
        let is_of_jdk = |place: &serde_json::Value| {
            place["class"].as_str().is_some_and(|class| class.starts_with("java.util."))
        };
        assert!(!places(&[]).iter().any(is_of_jdk), "the JDK's work is the program's");
        assert!(places(&["--own", "java.util.*"]).iter().any(is_of_jdk), "unless it is one's own");
    }
}

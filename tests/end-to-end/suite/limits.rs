//! What happens where something ends: the disk, memory, a limit of the system,
//! a limit of the class file. The program always runs on to its own end, and
//! the profile says what is missing.

use std::fs;
use std::io::Read;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::thread::sleep;
use std::time::Duration;

use profile::{Completeness, Profile};

use crate::bounds::BelowMain;
use crate::repeatable::REPEATABLE;
use support::{
    Jdk, Launch, Scratch, after_command, api_classes, artifacts, attach, compiled, in_turn,
    methods, oldest, subsume,
};

/// A JVM with these options, in a shell that first executes `before`.
fn java_after(before: &str, jdk: &Jdk, options: &[&str]) -> Command {
    let mut command = Command::new("bash");
    command.args(["-c", &format!("{before}; exec \"$@\""), "-"]).arg(jdk.command("java"));
    command.args(options);
    command.env_remove("JAVA_TOOL_OPTIONS").stdin(Stdio::null());
    command
}

/// Runs the deterministic program from a shell that first executes `before`.
pub fn run_after(before: &str, jdk: &Jdk, options: &[&str], agent: Option<&str>) -> Output {
    let mut command = java_after(before, jdk, options);
    if let Some(agent) = agent {
        let library = artifacts().agent.display();
        command.arg(format!("-agentpath:{library}={agent}"));
    }
    command.arg("-cp").arg(compiled("main")).arg("Deterministic");
    command.output().expect("bash can be started")
}

/// Runs the program with the agent attached to the JVM just before the program begins.
fn run_attached(before: &str, jdk: &Jdk, profile: &Path, options: Option<&str>) -> Output {
    let mut command = java_after(before, jdk, REPEATABLE);
    command.arg("-XX:+EnableDynamicAgentLoading");
    let attach = attach(profile, options);
    command.arg("-cp").arg(after_command(&compiled("main"))).arg("AfterCommand");
    command.arg(attach.len().to_string()).args(attach).arg("Deterministic");
    command.output().expect("bash can be started")
}

/// Checks that the program did what it does without the agent and that there
/// is this number of lines on standard error, all of them ours.
pub fn assert_undisturbed(output: &Output, plain: &Output, lines: usize, what: &str) -> String {
    let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), plain.status.code(), "{what}: {stderr}");
    assert_eq!(output.stdout, plain.stdout, "{what}: {stderr}");
    assert_eq!(stderr.lines().count(), lines, "{what}: {stderr}");
    assert!(stderr.lines().all(|line| line.starts_with("subsume: ")), "{what}: {stderr}");
    stderr
}

/// Checks that a profile is valid and says that something is missing.
pub fn assert_says_what_is_missing(file: &Path, shortage: &str, what: &str) -> Profile {
    let profile = profile::read_file(file).unwrap_or_else(|error| panic!("{what}: {error}"));
    assert!(profile.validate().is_ok(), "{what}");
    assert!(profile.run.shortage.contains(shortage), "{what}: {}", profile.run.shortage);
    assert!(profile.run.contexts_lost > 0, "{what}");
    let info = subsume(&["info".as_ref(), file.as_os_str()]);
    assert!(info.contains("no room for") && info.contains(shortage), "{what}: {info}");
    profile
}

#[test]
fn contexts_memory_and_disk_come_to_an_end() {
    for jdk in in_turn() {
        let scratch = Scratch::new("shortage");
        let file = scratch.file("whole.subsume");
        let whole = format!("out={}", file.display());
        let plain = run_after(":", jdk, REPEATABLE, None);
        assert_eq!(plain.status.code(), Some(0));
        let recorded =
            run_after(&format!("cd {}", scratch.path().display()), jdk, REPEATABLE, Some(&whole));
        assert_undisturbed(&recorded, &plain, 0, "a whole run");
        let whole = BelowMain::of(&file, "Deterministic");

        for (before, option, shortage) in [
            (":", ",max-contexts=9000", "max-contexts=9000"),
            (":", ",max-memory=3m", "max-memory=3145728"),
            // In blocks of 1,024 bytes.
            ("ulimit -f 3000", "", "no room on the disk"),
        ] {
            let what = format!("{before} {option} on {jdk}");
            let file = scratch.file("part.subsume");
            let agent = format!("out={}{option}", file.display());
            let before = format!("cd {}; {before}", scratch.path().display());
            let output = run_after(&before, jdk, REPEATABLE, Some(&agent));
            let stderr = assert_undisturbed(&output, &plain, 1, &what);
            assert!(stderr.contains(shortage), "{what}: {stderr}");
            let profile = assert_says_what_is_missing(&file, shortage, &what);
            assert_eq!(profile.run.completeness, Completeness::Complete, "{what}");
            assert!(profile.run.calls_lost > 1000, "{what}: {}", profile.run.calls_lost);
            assert!(profile.run.bytecodes_lost > profile.run.calls_lost, "{what}");
            if option.starts_with(",max-contexts") {
                // Beside them there are contexts that need no room.
                assert!(profile.nodes.len() < 20_000, "{what}: {}", profile.nodes.len());
            }
            BelowMain::of(&file, "Deterministic").assert_within(&whole, &what);
        }
    }
}

#[test]
fn what_an_attached_recording_needs_comes_to_an_end() {
    for jdk in in_turn() {
        let scratch = Scratch::new("attached-shortage");
        let here = format!("cd {}", scratch.path().display());
        let plain = run_after(":", jdk, REPEATABLE, None);
        let file = scratch.file("whole.subsume");
        let recorded = run_attached(&here, jdk, &file, None);
        assert_undisturbed(&recorded, &plain, 0, "a whole run");
        let whole = BelowMain::of(&file, "Deterministic");

        // The start of the JVM is not in it, so less comes to an end.
        for (before, options, shortage) in [
            (":", Some("max-contexts=2000"), "max-contexts=2000"),
            (":", Some("max-memory=2m"), "max-memory=2097152"),
            ("ulimit -f 4000", None, "no room on the disk"),
        ] {
            let what = format!("{before} {options:?}, attached on {jdk}");
            let file = scratch.file("part.subsume");
            let output = run_attached(&format!("{here}; {before}"), jdk, &file, options);
            let stderr = assert_undisturbed(&output, &plain, 1, &what);
            assert!(stderr.contains(shortage), "{what}: {stderr}");
            let profile = assert_says_what_is_missing(&file, shortage, &what);
            assert_eq!(profile.run.completeness, Completeness::Complete, "{what}");
            assert!(profile.run.is_attached && profile.run.calls_lost > 1000, "{what}");
            let part = BelowMain::of(&file, "Deterministic");
            assert!(part.len() < whole.len(), "{what}: all of {}", whole.len());
            part.assert_within(&whole, &what);
        }
    }
}

/// Needs the right to mount a file system in a namespace of its own.
#[test]
fn a_disk_fills_up() {
    let mount =
        |folder: &Path| format!("mount -t tmpfs -o size=3m tmpfs {} && cd {0}", folder.display());
    let jdk = oldest();
    let scratch = Scratch::new("full-disk");
    let disk = scratch.file("disk");
    let kept = scratch.file("kept.subsume");
    fs::create_dir(&disk).expect("a new folder");
    let run = |agent: &str| {
        let library = artifacts().agent.display();
        let script = format!(
            "{} || exit 77; {} {} -Xlog:disable {agent} -cp {} Deterministic; \
             status=$?; [ -e full.subsume ] && cp full.subsume {}; exit $status",
            mount(&disk),
            jdk.command("java").display(),
            REPEATABLE.join(" "),
            compiled("main").display(),
            kept.display(),
        );
        let script = script.replace("LIBRARY", &library.to_string());
        let mut command = Command::new("unshare");
        command.args(["--user", "--map-root-user", "--mount", "bash", "-c", &script]);
        command.stdin(Stdio::null()).output()
    };
    let plain = match run("") {
        Ok(output) if output.status.code() == Some(0) => output,
        other => {
            eprintln!("not tested: file systems cannot be mounted here ({other:?})");
            return;
        }
    };
    let output = run("-agentpath:LIBRARY=out=full.subsume").expect("it could be started before");
    let stderr = assert_undisturbed(&output, &plain, 1, "a full disk");
    assert!(stderr.contains("No space left"), "{stderr}");
    let profile = assert_says_what_is_missing(&kept, "no room on the disk", "a full disk");
    // The compact form had no room beside the live one, which says as much.
    assert_eq!(profile.run.completeness, Completeness::Complete);
}

#[test]
fn a_profile_that_cannot_be_written_is_none() {
    for jdk in in_turn() {
        for path in ["/no/such/folder/x.subsume", "/proc/x.subsume", "/dev/null", "/", "link"] {
            let scratch = Scratch::new("unwritable");
            // As /dev/stdout is one.
            let link = scratch.file("link");
            std::os::unix::fs::symlink("/proc/self/fd/1", &link).expect("a new name");
            let what = format!("{path} on {jdk}");
            let run = Launch::new(jdk, "ExitsWithStatus", scratch.path())
                .agent(&format!("out={path}"))
                .run();
            assert_eq!((run.status, run.stdout.as_str()), (Some(3), "before\nhook\n"), "{what}");
            let (ours, programs): (Vec<_>, Vec<_>) =
                run.stderr.lines().partition(|line| line.starts_with("subsume: "));
            assert_eq!(programs, ["leaving"], "{what}");
            assert_eq!(ours.len(), 1, "{what}: {}", run.stderr);
            assert!(ours[0].contains("nothing is recorded") && ours[0].contains(path), "{what}");
            assert!(link.is_symlink(), "{what}");
        }
        // The API is there and says that it cannot record.
        let scratch = Scratch::new("unwritable-api");
        let mut class_path = compiled("main").into_os_string();
        class_path.push(":");
        class_path.push(api_classes());
        let run = Launch::new(jdk, "UsesProfile", scratch.path())
            .class_path(class_path.into())
            .agent("out=/no/such/folder/x.subsume")
            .run();
        let expected = "recording false\nstart false recording false\nstop true recording false\n\
                        dump nowhere falsefalse\nno text false\nemoji false\ntotal 450\n";
        assert_eq!((run.status, run.stdout.as_str()), (Some(0), expected), "{jdk}");
    }
}

#[test]
fn archives_of_classes_that_must_be_used_or_made_are_refused() {
    for jdk in in_turn() {
        let mut refused = vec!["-Xshare:on"];
        if jdk.release >= 25 {
            // The JVM would crash in the attempt.
            refused.extend(["-XX:AOTMode=on", "-XX:AOTMode=record", "-XX:AOTCacheOutput=made.aot"]);
        }
        for option in refused {
            let what = format!("{option} on {jdk}");
            let scratch = Scratch::new("archives");
            let mut options = vec![option];
            if option == "-XX:AOTMode=record" {
                options.push("-XX:AOTConfiguration=made.conf");
            } else if option == "-XX:AOTMode=on" {
                options.push("-XX:AOTCache=made.aot");
            }
            let run = Launch::new(jdk, "HandCounted", scratch.path())
                .options(&options)
                .agent("out=x.subsume")
                .run();
            assert_eq!((run.status, run.stdout.as_str()), (Some(2), ""), "{what}: {run:?}");
            assert_eq!(run.stderr.lines().count(), 1, "{what}: {}", run.stderr);
            assert!(run.stderr.starts_with("subsume: "), "{what}: {}", run.stderr);
            assert!(!scratch.file("x.subsume").exists(), "{what}");
        }
    }
}

#[test]
fn limits_of_the_system() {
    for jdk in in_turn() {
        let scratch = Scratch::new("ulimit");
        let options = ["-Xmx128m", "-XX:ReservedCodeCacheSize=64m"];
        let small =
            [&options[..], &["-XX:CompressedClassSpaceSize=64m", "-XX:+UseSerialGC"]].concat();
        for (limit, options, is_recorded) in [
            // Address space in blocks of 1,024 bytes: some, and too little for the agent.
            ("ulimit -v 6000000", &options[..], true),
            ("export MALLOC_ARENA_MAX=1; ulimit -v 1000000", &small, false),
            ("ulimit -n 40", &options, true),
        ] {
            let what = format!("{limit} on {jdk}");
            let plain = run_after(limit, jdk, options, None);
            assert_eq!(plain.status.code(), Some(0), "{what} without the agent: {plain:?}");
            let file = scratch.file("limited.subsume");
            let agent = format!("out={}", file.display());
            let output = run_after(limit, jdk, options, Some(&agent));
            let stderr = assert_undisturbed(&output, &plain, usize::from(!is_recorded), &what);
            if is_recorded {
                let profile = profile::read_file(&file).expect("the profile was written");
                assert_eq!(profile.run.completeness, Completeness::Complete, "{what}");
                assert_eq!(profile.run.contexts_lost, 0, "{what}");
                fs::remove_file(&file).expect("it was read");
            } else {
                assert!(stderr.contains("ulimit -v"), "{what}: {stderr}");
                assert!(!file.exists(), "{what}");
            }
        }
    }
}

#[test]
fn somebody_takes_the_file_away() {
    for jdk in in_turn() {
        for (what, act) in [
            ("emptied", (|file| fs::File::create(file).map(drop)) as fn(&Path) -> _),
            ("halved", |file| {
                let opened = fs::File::options().write(true).open(file)?;
                opened.set_len(opened.metadata()?.len() / 2 + 100)
            }),
            ("removed", |file| fs::remove_file(file)),
        ] {
            let what = format!("{what} on {jdk}");
            let scratch = Scratch::new("taken");
            let (file, end) = (scratch.file("taken.subsume"), scratch.file("end"));
            let launch = Launch::new(jdk, "Serves", scratch.path()).profiled(&file).argument(&end);
            let mut child = launch.start();
            let mut stdout = child.stdout.take().expect("standard output is piped");
            let mut ready = [0; 6];
            stdout.read_exact(&mut ready).expect("the program prints a line");
            sleep(Duration::from_millis(100));
            act(&file).expect("the test owns the file");
            sleep(Duration::from_millis(500));
            fs::write(&end, "").expect("the folder of the test can be written");
            let mut rest = String::new();
            stdout.read_to_string(&mut rest).expect("the program prints UTF-8");
            let output = child.wait_with_output().expect("a started child can be waited for");
            let stderr = String::from_utf8_lossy(&output.stderr);
            assert_eq!(output.status.code(), Some(0), "{what}: {stderr}");
            assert!(rest.starts_with("threads ["), "{what}: {rest}");
            let profile = profile::read_file(&file).unwrap_or_else(|e| panic!("{what}: {e}"));
            assert!(profile.validate().is_ok(), "{what}");
            if what.starts_with("removed") {
                assert_eq!(stderr, "", "{what}");
                assert_eq!(profile.run.completeness, Completeness::Complete, "{what}");
                assert_eq!(profile.run.contexts_lost, 0, "{what}");
            } else {
                assert_eq!(stderr.lines().count(), 1, "{what}: {stderr}");
                assert!(stderr.contains("taken away"), "{what}: {stderr}");
                assert_eq!(profile.run.completeness, Completeness::CutShort, "{what}");
            }
        }
    }
}

#[test]
fn odd_names_are_shown_on_one_line() {
    for jdk in in_turn() {
        let scratch = Scratch::new("odd-names");
        let file = scratch.file("odd.subsume");
        let output = Launch::new(jdk, "DefinesOddNames", scratch.path()).profiled(&file).run_well();
        assert_eq!(output, "16 odd classes\n");
        let profile = profile::read_file(&file).expect("the profile was written");
        let odd: Vec<_> = profile
            .classes
            .iter()
            .map(|class| &class.name)
            .filter(|n| n.starts_with("Odd"))
            .collect();
        for start in [
            "OddA\n",
            "OddB\t",
            "OddF\u{1}",
            "OddI\u{2028}",
            "OddJ\u{1f600}",
            "OddO\0z",
            "OddP\\ud800z",
        ] {
            assert!(
                odd.iter().any(|name| name.starts_with(start)),
                "{start:?} in {odd:?} on {jdk}"
            );
        }
        // The JSON has the names as they are.
        let class = odd.iter().find(|name| name.starts_with("OddA\n")).expect("seen above");
        let methods = methods(&file, class, &[]);
        assert!(methods.keys().any(|name| name.starts_with("m\n")), "{methods:?}");
        // Lines are for one method each.
        let path = file.as_os_str();
        for arguments in [
            &["export".as_ref(), "--format".as_ref(), "folded".as_ref(), path][..],
            &["methods".as_ref(), "--all".as_ref(), "--class".as_ref(), "Odd*".as_ref(), path],
        ] {
            let text = subsume(arguments);
            assert!(text.contains("OddA\\nz") && text.contains("OddF\\u{1}z"), "{text}");
            assert!(!text.chars().any(|c| c.is_control() && c != '\n'), "{arguments:?}");
        }
        let folded = subsume(&["export".as_ref(), "--format".as_ref(), "folded".as_ref(), path]);
        for line in folded.lines() {
            let cost = line.rsplit(' ').next().and_then(|cost| cost.parse::<u64>().ok());
            assert!(cost.is_some(), "{line}");
        }
    }
}

/// Java source whose class file is as large as class files can be.
fn large_class() -> String {
    use std::fmt::Write;
    let mut source = String::from("public final class Large {\n    static int sum;\n");
    let mut add = |text: std::fmt::Arguments<'_>| source.write_fmt(text).expect("a string grows");
    // 10,000 call sites.
    for method in 0..25 {
        add(format_args!("    static void calls{method}() {{\n"));
        (0..400).for_each(|_| add(format_args!("        one();\n")));
        add(format_args!("    }}\n"));
    }
    // Six bytes of code for each statement: 65,522 in all, of 65,535.
    add(format_args!("    static int huge(int x) {{\n"));
    (0..10_920).for_each(|_| add(format_args!("        x = x * 3 + 1;\n")));
    add(format_args!("        return x;\n    }}\n    static void one() {{ sum++; }}\n"));
    add(format_args!("    public static void main(String[] args) {{\n"));
    (0..25).for_each(|method| add(format_args!("        calls{method}();\n")));
    add(format_args!(
        "        System.out.println(sum + \" \" + huge(7) + \" \" + Constants.all());\n"
    ));
    add(format_args!("    }}\n}}\n"));
    // Two constants for each string, 65,478 of 65,535, and those for methods:
    // too few are left for those of probes.
    add(format_args!("final class Constants {{\n"));
    for method in 0..11 {
        add(format_args!("    static int part{method}() {{\n        int sum = 0;\n"));
        for string in 0..2_975 {
            add(format_args!("        sum += \"{method}.{string}\".length();\n"));
        }
        add(format_args!("        return sum;\n    }}\n"));
    }
    add(format_args!("    static int all() {{\n        int sum = 0;\n"));
    (0..11).for_each(|method| add(format_args!("        sum += part{method}();\n")));
    (0..14).for_each(|string| add(format_args!("        sum += \"{string}\".length();\n")));
    add(format_args!("        return sum;\n    }}\n}}\n"));
    source
}

#[test]
fn class_files_as_large_as_can_be() {
    let scratch = Scratch::new("large");
    let source = scratch.file("Large.java");
    fs::write(&source, large_class()).expect("the folder of the test can be written");
    let compiled = Command::new(oldest().command("javac"))
        .args(["--release", "17", "-Xlint:-options", "-d"])
        .arg(scratch.path())
        .arg(&source)
        .output()
        .expect("javac can be started");
    assert!(compiled.status.success(), "{}", String::from_utf8_lossy(&compiled.stderr));
    for jdk in in_turn() {
        let launch =
            || Launch::new(jdk, "Large", scratch.path()).class_path(scratch.path().to_path_buf());
        let file = scratch.file("large.subsume");
        let plain = launch().run_well();
        assert_eq!(launch().profiled(&file).run_well(), plain, "{jdk}");
        let found = methods(&file, "Large", &[]);
        assert_eq!(found["one"]["calls"], 10_000, "{jdk}");
        // iconst/iload, arithmetic, store: too long with probes, so it is left alone.
        assert!(!found.contains_key("huge"), "{jdk}");
        let profile = profile::read_file(&file).expect("the profile was written");
        let skipped: Vec<_> = profile
            .skipped
            .iter()
            .filter(|s| s.class == "Large" || s.class == "Constants")
            .collect();
        assert!(skipped.iter().any(|s| s.method == "huge(I)I"), "{skipped:?} on {jdk}");
        assert!(skipped.iter().any(|s| s.class == "Constants"), "{skipped:?} on {jdk}");
        assert!(skipped.iter().all(|s| !s.reason.is_empty()), "{skipped:?} on {jdk}");
    }
}

//! The reports that the tests open, each made once.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use profile::dataflow::{MethodResults, ResultsProfile, ResultsTotals};
use profile::results::{NULL, ONE_VALUE, VOID};
use profile::{CallSite, MethodId, Metric};
use serde_json::Value;

use support::{Launch, Scratch, oldest, subsume};

/// A report, and the profile that it shows.
#[derive(Debug)]
pub struct Report {
    /// The profile, the last one if there are several.
    pub profile: PathBuf,
    /// The page.
    pub page: PathBuf,
}

impl Report {
    fn of(folder: &Path, profiles: &[PathBuf], options: &[&OsStr]) -> Self {
        let page = folder.join("report.html");
        // With the start, so that tables and commands have the same figures.
        let mut arguments = ["report", "--with-start"].map(OsString::from).to_vec();
        arguments.extend(options.iter().map(OsString::from));
        arguments.extend(profiles.iter().map(OsString::from));
        arguments.extend([OsString::from("-o"), page.clone().into()]);
        subsume(&arguments);
        let profile = profiles.last().expect("a report has a profile").clone();
        Self { profile, page }
    }

    /// What a command says about the profile, with `--json`.
    pub fn says(&self, command: &[&str]) -> Value {
        let mut arguments: Vec<OsString> = command.iter().map(OsString::from).collect();
        arguments.extend([OsString::from("--json"), self.profile.clone().into()]);
        serde_json::from_str(&subsume(&arguments)).expect("the command prints valid JSON")
    }
}

/// A folder that stays until the tests have ended.
fn folder(name: &str) -> PathBuf {
    let scratch = Scratch::new(name);
    let path = scratch.path().to_path_buf();
    std::mem::forget(scratch);
    path
}

/// Runs a program of the folder `programs/main` in a mode.
fn recorded(name: &str, program: &str, mode: &str) -> Report {
    let folder = folder(name);
    let profile = folder.join("program.subsume");
    let jdk = oldest();
    Launch::new(jdk, program, &folder)
        .agent(&format!("out={},mode={mode}", profile.display()))
        .run_well();
    let sources = concat!(env!("CARGO_MANIFEST_DIR"), "/programs/main");
    Report::of(&folder, &[profile], &[OsStr::new("--sources"), OsStr::new(sources)])
}

/// A Java program with all that `mode=copies` tells, and its sources.
pub fn copies() -> &'static Report {
    static MADE: OnceLock<Report> = OnceLock::new();
    MADE.get_or_init(|| recorded("report-copies", "SortsOrders", "copies"))
}

/// A Java program with all that `mode=costs` tells.
pub fn costs() -> &'static Report {
    static MADE: OnceLock<Report> = OnceLock::new();
    MADE.get_or_init(|| recorded("report-costs", "SortsOrders", "costs"))
}

/// A Java program that meets three nulls, with the ways that they came.
pub fn nulls() -> &'static Report {
    static MADE: OnceLock<Report> = OnceLock::new();
    MADE.get_or_init(|| recorded("report-nulls", "MissesPrices", "nulls"))
}

/// A Java program with a loop that searches a list again and again.
pub fn loops() -> &'static Report {
    static MADE: OnceLock<Report> = OnceLock::new();
    MADE.get_or_init(|| recorded("report-loops", "SearchesOrders", "loops"))
}

/// A Java program with a loop that takes four times as long for twice the input.
pub fn growth() -> &'static Report {
    static MADE: OnceLock<Report> = OnceLock::new();
    MADE.get_or_init(|| recorded("report-growth", "ListsOrders", "growth"))
}

/// A Java program that reads files after they were closed, and leaves others open.
pub fn typestate() -> &'static Report {
    static MADE: OnceLock<Report> = OnceLock::new();
    MADE.get_or_init(|| recorded("report-typestate", "ReadsBills", "typestate"))
}

/// The same program with its calls alone.
pub fn calls() -> &'static Report {
    static MADE: OnceLock<Report> = OnceLock::new();
    MADE.get_or_init(|| recorded("report-calls", "ReadsBills", "calls"))
}

/// Folded stacks of a program that nobody wrote: `main` calls `a`, `b` and `c`
/// in the proportion 5 : 3 : 2, and a helper below each of them.
const SMALL: &str = "\
app.Main.main 10
app.Main.main;app.Work.a 30
app.Main.main;app.Work.a;lib.Text.format 20
app.Main.main;app.Work.b 10
app.Main.main;app.Work.b;lib.Text.format 20
app.Main.main;app.Work.c 20
";

/// The same with a more expensive helper, without `c`, and with `d`.
const CHANGED: &str = "\
app.Main.main 10
app.Main.main;app.Work.a 30
app.Main.main;app.Work.a;lib.Text.format 50
app.Main.main;app.Work.b 10
app.Main.main;app.Work.b;lib.Text.format 20
app.Main.main;app.Work.d 5
";

/// More leaves than a page has room for contexts.
const MANY: usize = 250_000;

/// A profile of which a page folds a part: `main` calls `often` with a cost of
/// its own, and so many others that cost 1 each, in two packages.
pub fn wide() -> &'static Report {
    static MADE: OnceLock<Report> = OnceLock::new();
    MADE.get_or_init(|| {
        let folder = folder("report-wide");
        let mut stacks = String::from("app.Main.main;lib.Text.often 100000\n");
        for leaf in 0..MANY {
            let (caller, callee) = (leaf / 500, leaf % 500);
            stacks += &format!("app.Main.main;app.Work.w{caller};lib.Text.t{callee} 1\n");
        }
        let profile = imported(&folder, "wide", &stacks);
        Report::of(&folder, &[profile], &[])
    })
}

/// Names that would be markup if anything read them as such.
pub const HOSTILE: [&str; 5] = [
    "<script>document.title='taken'</script>",
    "</script><img src=x onerror=\"document.title='taken'\">",
    "<!--<script>",
    "a'\"&amp&lt b",
    "]]></style>{{title}}<!--subsume:data-->",
];

fn imported(folder: &Path, name: &str, stacks: &str) -> PathBuf {
    let folded = folder.join(format!("{name}.folded"));
    let profile = folder.join(format!("{name}.subsume"));
    fs::write(&folded, stacks).expect("the stacks can be written");
    let arguments: [&OsStr; 6] = [
        "import".as_ref(),
        "--from".as_ref(),
        "folded".as_ref(),
        folded.as_ref(),
        "-o".as_ref(),
        profile.as_ref(),
    ];
    subsume(&arguments);
    profile
}

/// A profile small enough to know every number of it: 110 in all, of which
/// `main` has 10 itself.
pub fn small() -> &'static Report {
    static MADE: OnceLock<Report> = OnceLock::new();
    MADE.get_or_init(|| {
        let folder = folder("report-small");
        let profile = imported(&folder, "small", SMALL);
        Report::of(&folder, &[profile], &[])
    })
}

/// The small profile with calls, a superclass, and with results: `a` is a candidate for
/// a cache, `b` returns nothing, `c` always null, and `format` different things.
pub fn results() -> &'static Report {
    static MADE: OnceLock<Report> = OnceLock::new();
    MADE.get_or_init(|| {
        let folder = folder("report-results");
        let path = imported(&folder, "results", SMALL);
        let mut small = profile::read_file(&path).expect("it was imported");
        small.nodes.metrics[0].name = "bytecodes".into();
        let values = vec![30; small.nodes.method.len()];
        small.nodes.metrics.push(Metric { name: "calls".into(), values });
        for class in small.classes.iter_mut().filter(|class| class.name == "app.Work") {
            class.superclass = "app.Main".into();
        }
        let returned = 30;
        let results = |name: &str| match name {
            "a" => MethodResults {
                inputs: 3,
                hits: 27,
                last_hits: 27,
                cost: 50,
                saving: 45,
                receivers: 99,
                ..MethodResults::default()
            },
            "b" => MethodResults { kinds: VOID, receivers: 9, ..MethodResults::default() },
            "c" => MethodResults {
                kinds: NULL | ONE_VALUE,
                cost: 20,
                level: 1,
                inputs: 8,
                receivers: 1,
                ..MethodResults::default()
            },
            _ => MethodResults {
                inputs: 4,
                hits: 6,
                conflicts: 20,
                cost: 40,
                ..MethodResults::default()
            },
        };
        let mut methods = Vec::new();
        for (number, method) in (0..).zip(&mut small.methods) {
            method.sites = vec![CallSite { bci: 1, line: 2 }];
            if method.name != "main" {
                let results = results(&method.name);
                methods.push(MethodResults { method: MethodId(number), returned, ..results });
            }
        }
        let totals = ResultsTotals { threads: 1, identities: 9, too_deep: 0 };
        small.dataflow.results = Some(ResultsProfile { methods, totals });
        let out = fs::File::create(&path).expect("the profile can be written");
        profile::write(&small, out).expect("it can be written");
        Report::of(&folder, &[path], &[])
    })
}

/// Six frames that lead to `main`, which calls a method that calls itself by way of
/// another: 100 in all.
const DEEP: &str = "\
@;app.Main.main 10
@;app.Main.main;app.Tree.walk 10
@;app.Main.main;app.Tree.walk;app.Tree.visit 15
@;app.Main.main;app.Tree.walk;app.Tree.visit;app.Tree.walk 20
@;app.Main.main;app.Tree.walk;app.Tree.visit;app.Tree.walk;app.Tree.leaf 10
@;app.Main.main;app.Tree.walk;app.Tree.visit;app.Tree.walk;app.Tree.visit 5
@;app.Main.main;app.Other.rest 30
";

/// A profile with frames at the root and a recursion.
pub fn deep() -> &'static Report {
    static MADE: OnceLock<Report> = OnceLock::new();
    MADE.get_or_init(|| {
        let folder = folder("report-deep");
        let start: Vec<String> = (0..6).map(|at| format!("boot.Boot.s{at}")).collect();
        let profile = imported(&folder, "deep", &DEEP.replace('@', &start.join(";")));
        Report::of(&folder, &[profile], &[])
    })
}

/// Two profiles in one report.
pub fn two() -> &'static Report {
    static MADE: OnceLock<Report> = OnceLock::new();
    MADE.get_or_init(|| {
        let folder = folder("report-two");
        let profiles = [("before", SMALL), ("after", CHANGED)]
            .map(|(name, stacks)| imported(&folder, name, stacks));
        Report::of(&folder, &profiles, &[])
    })
}

/// Two runs of one program.
pub fn same() -> &'static Report {
    static MADE: OnceLock<Report> = OnceLock::new();
    MADE.get_or_init(|| {
        let folder = folder("report-same");
        let profiles = ["one", "other"].map(|name| imported(&folder, name, SMALL));
        Report::of(&folder, &profiles, &[])
    })
}

/// The page of a history of three versions, of which the last one is as the first.
pub fn versions() -> &'static Report {
    static MADE: OnceLock<Report> = OnceLock::new();
    MADE.get_or_init(|| {
        history("report-versions", &[("v1", SMALL), ("v2", CHANGED), ("v3", SMALL)])
    })
}

/// That of two versions.
pub fn two_versions() -> &'static Report {
    static MADE: OnceLock<Report> = OnceLock::new();
    MADE.get_or_init(|| history("report-two-versions", &[("v1", SMALL), ("v2", CHANGED)]))
}

fn history(name: &str, versions: &[(&str, &str)]) -> Report {
    let folder = folder(name);
    let profiles: Vec<PathBuf> =
        versions.iter().map(|(name, stacks)| imported(&folder, name, stacks)).collect();
    let page = folder.join("history.html");
    let mut arguments = vec![OsString::from("history")];
    arguments.extend(profiles.iter().map(OsString::from));
    arguments.extend([OsString::from("--html"), page.clone().into()]);
    subsume(&arguments);
    Report { profile: profiles.last().expect("there are versions").clone(), page }
}

/// Three profiles in one report, as the JVMs of one build.
pub fn three() -> &'static Report {
    static MADE: OnceLock<Report> = OnceLock::new();
    MADE.get_or_init(|| {
        let folder = folder("report-three");
        let profiles = [("one", SMALL), ("two", CHANGED), ("three", SMALL)]
            .map(|(name, stacks)| imported(&folder, name, stacks));
        Report::of(&folder, &profiles, &[])
    })
}

/// The page of a fleet: three versions with two or three runs each, of which the second one
/// costs most; a run of it on another host costs even more.
pub fn fleet() -> &'static Report {
    static MADE: OnceLock<Report> = OnceLock::new();
    MADE.get_or_init(|| {
        let folder = folder("report-fleet");
        let costly = CHANGED.replace("format 50", "format 90");
        assert_ne!(costly, CHANGED);
        let fleet = folder.join("fleet");
        let runs = [
            ("1.9", "a", SMALL.to_owned()),
            ("1.9", "b", format!("{SMALL}idle.Thread.run 1\n")),
            ("1.10", "a", CHANGED.to_owned()),
            ("1.10", "a", format!("{CHANGED}idle.Thread.run 1\n")),
            ("1.10", "b", format!("{costly}idle.Thread.run 2\n")),
            ("1.11", "a", SMALL.to_owned() + "idle.Thread.run 2\n"),
            ("", "c", SMALL.to_owned() + "idle.Thread.run 3\n"),
        ];
        let mut last = PathBuf::new();
        for (at, (version, host, stacks)) in runs.iter().enumerate() {
            last = imported(&folder, &format!("run-{at}"), stacks);
            let mut arguments: Vec<OsString> =
                ["fleet", "add"].into_iter().map(OsString::from).collect();
            arguments.extend([fleet.clone().into(), last.clone().into()]);
            let labels = [format!("version={version}"), format!("host={host}")];
            for label in labels.iter().filter(|label| !label.ends_with('=')) {
                arguments.extend([OsString::from("--label"), label.into()]);
            }
            subsume(&arguments);
        }
        let page = folder.join("fleet.html");
        let words = ["fleet", "report"].map(OsString::from);
        let rest = [fleet.into(), OsString::from("-o"), page.clone().into()];
        subsume(&words.into_iter().chain(rest).collect::<Vec<_>>());
        Report { profile: last, page }
    })
}

/// Methods of [`large`].
pub const LARGE: usize = 15_000;

/// A profile with as many methods as a large application has, in 600 classes of 30
/// packages, each method called by an earlier one.
pub fn large() -> &'static Report {
    static MADE: OnceLock<Report> = OnceLock::new();
    MADE.get_or_init(|| {
        let folder = folder("report-large");
        let name = |at: usize| format!("org.p{}.large.C{}.m{at}", at / 25 % 30, at / 25);
        // A method's caller has a seventh of its number, so stacks are short.
        let mut stacks = String::new();
        for at in 0..LARGE {
            let callers = std::iter::successors(Some(at), |&at| (at > 0).then_some(at / 7));
            let mut frames: Vec<String> = callers.map(name).collect();
            frames.reverse();
            stacks += &format!("{} {}\n", frames.join(";"), 1 + at * at % 7919);
        }
        let profile = imported(&folder, "large", &stacks);
        Report::of(&folder, &[profile], &[])
    })
}

/// A profile of methods with hostile names, in a file with one.
pub fn hostile() -> &'static Report {
    static MADE: OnceLock<Report> = OnceLock::new();
    MADE.get_or_init(|| {
        let folder = folder("report-hostile");
        let stacks: String = HOSTILE
            .iter()
            .enumerate()
            .map(|(number, name)| format!("app.Main.main;{name} {}\n", 10 * (number + 1)))
            .collect();
        let profile = imported(&folder, "<img src=x onerror=alert(1)>", &stacks);
        Report::of(&folder, &[profile], &[])
    })
}

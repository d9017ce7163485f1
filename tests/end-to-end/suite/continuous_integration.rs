//! `integrations/ci`: the workflows of GitHub Actions and the jobs of GitLab, read from their
//! files and run step by step, on a change that costs more and on one that does not.
//! Names have `maven` in them, as what brings it is not asked for on every machine.
//!
//! What only the platforms have is stood in for: the steps of [`PLATFORM`] are not run,
//! as the checkout and the JDK are there; `gh` is a script that keeps what it was given;
//! comments to GitLab go to a server of the test; packages are fetched from a folder.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs;
use std::io::{Read, Write};
use std::net::TcpListener;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::thread::JoinHandle;

use support::{Jdk, Scratch, copy_folder, newest, oldest, succeed};
use yaml_rust2::{Yaml, YamlLoader};

use crate::packages;

/// What steps of GitHub's own do.
const PLATFORM: [&str; 4] = [
    "actions/checkout@v4",
    "actions/setup-java@v4",
    "actions/upload-artifact@v4",
    "github/codeql-action/upload-sarif@v4",
];

/// The number of the request that is checked.
const REQUEST: &str = "7";

const LOOK_UP: &str = "Integer cents = prices.get(product);";

/// Costs more: looks at all products.
const SCAN: &str = "Integer cents = null;
        for (Map.Entry<String, Integer> entry : prices.entrySet()) {
            if (entry.getKey().equals(product)) {
                cents = entry.getValue();
            }
        }";

/// Costs an instruction or two.
const SAME: &str = "Map<String, Integer> known = prices;
        Integer cents = known.get(product);";

/// A repository with a base and a change, and the packages to install.
struct Request<'a> {
    jdk: &'a Jdk,
    scratch: Scratch,
    base: String,
}

/// What became of a job.
#[derive(Debug, PartialEq, Eq)]
struct Outcome {
    /// The step that failed, or the end of the command.
    failed: Option<String>,
    comment: String,
}

impl<'a> Request<'a> {
    fn new(jdk: &'a Jdk, changed: &str) -> Self {
        let scratch = Scratch::new("ci-maven");
        let packages = scratch.file("packages");
        fs::create_dir(&packages).expect("a folder can be made");
        let archive = packages::file("x86_64.tar.gz");
        for package in [archive.as_path(), packages::maven_repository()] {
            let name = package.file_name().expect("packages have names");
            symlink(package, packages.join(name)).expect("a link can be made");
        }
        let example = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../integrations/ci");
        copy_folder(&example, &scratch.file("repository"));
        let mut request = Self { jdk, scratch, base: String::new() };
        request.git(&["init", "--quiet", "--initial-branch=main"]);
        fs::write(request.file(".gitignore"), "target/\n").expect("it can be written");
        request.commit("base");
        request.base = request.git(&["rev-parse", "HEAD"]).trim().to_owned();
        request.git(&["checkout", "--quiet", "-b", "change"]);
        let source = request.file("src/main/java/shop/Catalogue.java");
        let text = fs::read_to_string(&source).expect("it was copied");
        assert!(text.contains(LOOK_UP), "{text}");
        fs::write(&source, text.replace(LOOK_UP, changed)).expect("it can be written");
        request.commit("change");
        request
    }

    fn file(&self, name: &str) -> PathBuf {
        self.scratch.file("repository").join(name)
    }

    fn git(&self, arguments: &[&str]) -> String {
        let mut git = Command::new("git");
        git.args(["-c", "user.name=a", "-c", "user.email=a@b.c"]).args(arguments);
        succeed(git.current_dir(self.file(".")))
    }

    fn commit(&self, message: &str) {
        self.git(&["add", "--all"]);
        self.git(&["commit", "--quiet", "-m", message]);
    }

    fn packages(&self) -> String {
        format!("file://{}", self.scratch.file("packages").display())
    }

    /// Runs a script as a platform does.
    fn bash(
        &self,
        options: &[&str],
        script: &str,
        path: &OsString,
        variables: &Variables,
    ) -> Output {
        Command::new("bash")
            .args(options)
            .args(["-c", script])
            .current_dir(self.file("."))
            .env("JAVA_HOME", self.jdk.home())
            .env("PATH", path)
            .envs(variables)
            .env_remove("SUBSUME_AGENT")
            .env_remove("JAVA_TOOL_OPTIONS")
            .output()
            .expect("bash can be started")
    }
}

type Variables = BTreeMap<String, String>;

fn path() -> OsString {
    std::env::var_os("PATH").expect("there is a path")
}

fn parsed(file: &Path) -> Yaml {
    let text = fs::read_to_string(file).expect("the example has it");
    YamlLoader::load_from_str(&text).expect("it is YAML").remove(0)
}

fn text(yaml: &Yaml) -> String {
    match yaml {
        Yaml::Integer(number) => number.to_string(),
        _ => yaml.as_str().expect("it is a text").to_owned(),
    }
}

/// The workflow's expressions, by what they stand for here.
fn evaluated(text: &str, request: &Request<'_>) -> String {
    let value = match text.strip_prefix("${{").and_then(|rest| rest.strip_suffix("}}")) {
        Some(expression) => match expression.trim() {
            "vars.SUBSUME_PACKAGES" => request.packages(),
            "github.token" => "secret".to_owned(),
            "github.event.pull_request.number" => REQUEST.to_owned(),
            other => panic!("nothing stands for {other}"),
        },
        None => text.to_owned(),
    };
    assert!(!value.contains("${{"), "{text}: expressions are for variables of their own");
    value
}

fn add_variables(variables: &mut Variables, yaml: &Yaml, request: &Request<'_>) {
    for (name, value) in yaml.as_hash().into_iter().flatten() {
        variables.insert(text(name), evaluated(&text(value), request));
    }
}

/// Runs the workflow that compares with the base, and says what it commented.
fn github(request: &Request<'_>) -> Outcome {
    let failed = run_workflow(request, "bytecodes");
    let said = request.scratch.file("said");
    let said = fs::read_to_string(said).expect("a comment was made");
    let (arguments, comment) = said.split_once('\n').expect("there are two parts");
    let expected = "pr comment 7 --edit-last --create-if-none --body-file target/subsume/check.md";
    assert_eq!(arguments, expected);
    Outcome { failed, comment: comment.to_owned() }
}

/// Runs a workflow, whose only job has its name, on the merge of the change into its base; the
/// step that failed.
fn run_workflow(request: &Request<'_>, name: &str) -> Option<String> {
    request.git(&["checkout", "--quiet", "main"]);
    request.git(&["merge", "--quiet", "--no-ff", "-m", "merge", "change"]);
    let scratch = &request.scratch;
    let gh = scratch.file("bin/gh");
    fs::create_dir(scratch.file("bin")).expect("a folder can be made");
    let stand_in =
        "#!/bin/sh -e\necho \"$*\" >\"$SAID\"\nfor last; do :; done\ncat \"$last\" >>\"$SAID\"\n";
    fs::write(&gh, stand_in).expect("it can be written");
    fs::set_permissions(&gh, fs::Permissions::from_mode(0o755)).expect("it is ours");
    let mut path = [scratch.file("bin").into_os_string(), path()].join(":".as_ref());

    let workflow = parsed(&request.file(&format!(".github/workflows/{name}.yml")));
    let job = &workflow["jobs"][name];
    let mut variables = Variables::new();
    add_variables(&mut variables, &job["env"], request);
    let added = scratch.file("added-to-path");
    fs::create_dir(scratch.file("temporary")).expect("a folder can be made");
    for (name, file) in [("GITHUB_PATH", &added), ("SAID", &scratch.file("said"))] {
        variables.insert(name.to_owned(), file.display().to_string());
    }
    let temporary = scratch.file("temporary").display().to_string();
    variables.insert("RUNNER_TEMP".to_owned(), temporary);

    let mut failed = None;
    for step in job["steps"].as_vec().expect("a job has steps") {
        if let Some(action) = step["uses"].as_str() {
            assert!(PLATFORM.contains(&action), "nothing stands in for {action}");
            if action.contains("upload-artifact") {
                assert!(request.file(&text(&step["with"]["path"])).is_dir());
            }
            if action.contains("upload-sarif") {
                assert!(request.file(&text(&step["with"]["sarif_file"])).is_file());
            }
            continue;
        }
        match step["if"].as_str() {
            None if failed.is_some() => continue,
            None | Some("always()") => {}
            Some(condition) => panic!("nothing stands for {condition}"),
        }
        let mut of_step = variables.clone();
        add_variables(&mut of_step, &step["env"], request);
        let output = request.bash(&["-e"], &text(&step["run"]), &path, &of_step);
        if let Ok(folders) = fs::read_to_string(&added) {
            for folder in folders.lines() {
                path = [folder.into(), path].join(":".as_ref());
            }
            fs::remove_file(&added).expect("it is ours");
        }
        if !output.status.success() {
            let name = text(&step["name"]);
            assert!(name == "Compare" && failed.is_none(), "{name}: {output:?}");
            failed = Some(name);
        }
    }
    failed
}

/// Runs the job on the change.
fn gitlab(request: &Request<'_>) -> Outcome {
    let job = &parsed(&request.file(".gitlab-ci.yml"))["bytecodes"];
    let (address, server) = comments();
    let mut variables = Variables::new();
    add_variables(&mut variables, &job["variables"], request);
    for (name, value) in [
        ("SUBSUME_PACKAGES", request.packages()),
        ("SUBSUME_TOKEN", "secret".to_owned()),
        ("CI_MERGE_REQUEST_DIFF_BASE_SHA", request.base.clone()),
        ("CI_API_V4_URL", format!("http://{address}/api/v4")),
        ("CI_PROJECT_ID", "1".to_owned()),
        ("CI_MERGE_REQUEST_IID", REQUEST.to_owned()),
        ("TMPDIR", request.scratch.path().display().to_string()),
    ] {
        variables.insert(name.to_owned(), value);
    }
    let output = request.bash(&GITLAB, &script(job, "script"), &path(), &variables);
    let failed = (!output.status.success()).then(|| {
        let said = String::from_utf8_lossy(&output.stdout).into_owned();
        said.lines()
            .find(|line| line.contains("Failed to execute goal"))
            .unwrap_or(&said)
            .to_owned()
    });
    let after = request.bash(&GITLAB, &script(job, "after_script"), &path(), &variables);
    assert!(after.status.success(), "{after:?}");
    let (head, body) = server.join().expect("a comment was made");
    assert!(
        head.starts_with("POST /api/v4/projects/1/merge_requests/7/notes HTTP/1.1\r\n"),
        "{head}"
    );
    assert!(head.contains("\r\nPRIVATE-TOKEN: secret\r\n"), "{head}");
    let comment = decoded(body.strip_prefix("body=").expect("a note has a body"));
    Outcome { failed, comment }
}

/// The options with which GitLab starts a shell.
const GITLAB: [&str; 3] = ["-e", "-o", "pipefail"];

/// A script of a job of GitLab.
fn script(job: &Yaml, name: &str) -> String {
    let lines = job[name].as_vec().expect("it is a list");
    lines.iter().map(text).collect::<Vec<_>>().join("\n")
}

/// A server that takes one request; its head and body.
fn comments() -> (String, JoinHandle<(String, String)>) {
    let server = TcpListener::bind("127.0.0.1:0").expect("a port is free");
    let address = server.local_addr().expect("it has one").to_string();
    let taken = std::thread::spawn(move || {
        let (mut connection, _) = server.accept().expect("somebody connects");
        let mut bytes = Vec::new();
        let mut buffer = [0; 1 << 12];
        loop {
            let read = connection.read(&mut buffer).expect("a request comes");
            assert!(read > 0, "the request is cut short");
            bytes.extend_from_slice(&buffer[..read]);
            let request = String::from_utf8_lossy(&bytes).into_owned();
            let Some((head, body)) = request.split_once("\r\n\r\n") else { continue };
            let length = head.split("Content-Length: ").nth(1).expect("it says how long it is");
            let length: usize = length.lines().next().unwrap_or("").parse().expect("a number");
            if body.len() == length {
                let answer = b"HTTP/1.1 201 Created\r\nContent-Length: 2\r\n\r\n{}";
                connection.write_all(answer).expect("it waits for an answer");
                return (head.to_owned() + "\r\n", body.to_owned());
            }
        }
    });
    (address, taken)
}

/// A value of a form.
fn decoded(text: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        bytes.push(match byte {
            b'+' => b' ',
            b'%' => {
                let digits: String = rest.by_ref().take(2).map(char::from).collect();
                u8::from_str_radix(&digits, 16).expect("two digits stand behind %")
            }
            _ => byte,
        });
    }
    String::from_utf8(bytes).expect("a comment is UTF-8")
}

fn check(name: &str, run: impl Fn(&Request<'_>) -> Outcome, jdk: &Jdk) {
    let costlier = run(&Request::new(jdk, SCAN));
    assert!(costlier.failed.is_some(), "{name} on {jdk}: {costlier:?}");
    let comment = &costlier.comment;
    assert!(comment.contains("**bytecodes rose by "), "{name} on {jdk}: {comment}");
    assert!(comment.contains(", by more than the 1 % allowed**"), "{name} on {jdk}: {comment}");
    let blamed = |line: &str| line.contains("| changed | shop.Catalogue.price |");
    assert!(comment.lines().any(blamed), "{name} on {jdk}: {comment}");

    let same = run(&Request::new(jdk, SAME));
    assert_eq!(same.failed, None, "{name} on {jdk}: {same:?}");
    assert!(same.comment.contains("**, within the 1 % allowed."), "{name} on {jdk}: {same:?}");
}

#[test]
fn maven_workflow_of_github_comments_and_fails_what_costs_more() {
    check("GitHub", github, oldest());
}

#[test]
fn maven_job_of_gitlab_comments_and_fails_what_costs_more() {
    check("GitLab", gitlab, newest());
}

/// A JSON file that a job left.
fn left(request: &Request<'_>, name: &str) -> serde_json::Value {
    let text = fs::read(request.file("target/subsume").join(name)).expect("the job left it");
    serde_json::from_slice(&text).expect("it is JSON")
}

/// The loop in which each iteration looks at all products again.
const FOUND_IN: &str = "src/main/java/shop/Invoice.java";

#[test]
fn maven_workflow_of_github_uploads_findings() {
    let request = Request::new(oldest(), SCAN);
    assert_eq!(run_workflow(&request, "findings"), None);
    let log = left(&request, "findings.sarif");
    let results = log["runs"][0]["results"].as_array().expect("a run has results");
    let location = "/locations/0/physicalLocation/artifactLocation/uri";
    let is_it = |one: &serde_json::Value| one.pointer(location).is_some_and(|at| at == FOUND_IN);
    assert!(results.iter().any(is_it), "{results:#?}");
}

#[test]
#[ignore = "takes two minutes, most of it for recordings that the test of GitHub has, too"]
fn maven_job_of_gitlab_shows_findings() {
    let request = Request::new(newest(), SCAN);
    let job = &parsed(&request.file(".gitlab-ci.yml"))["findings"];
    let mut variables = Variables::new();
    for (name, value) in [
        ("SUBSUME_PACKAGES", request.packages()),
        ("TMPDIR", request.scratch.path().display().to_string()),
    ] {
        variables.insert(name.to_owned(), value);
    }
    let output = request.bash(&GITLAB, &script(job, "script"), &path(), &variables);
    assert!(output.status.success(), "{output:?}");
    let issues = left(&request, "code-quality.json");
    let issues = issues.as_array().expect("the format is a list");
    assert!(issues.iter().any(|one| one["location"]["path"] == FOUND_IN), "{issues:#?}");
    for issue in issues {
        for field in ["check_name", "description", "fingerprint", "severity"] {
            assert!(issue[field].as_str().is_some_and(|text| !text.is_empty()), "{issue}");
        }
        assert!(issue["location"]["lines"]["begin"].is_u64(), "{issue}");
    }
}

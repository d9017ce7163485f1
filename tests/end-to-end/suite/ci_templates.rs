//! `action.yml` and `templates/subsume.yml`: the action for GitHub and the component for GitLab, read
//! from their files and run step by step on `programs/pull-request`, whose change adds a query for
//! each customer, a copy and a quadratic loop.
//!
//! What only the platforms have is stood in for: `gh` is a script that answers from a list of
//! artifacts and keeps the comment; artifacts are folders; a server of the test stands for GitLab's.

use std::collections::BTreeMap;
use std::fs;
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::thread::JoinHandle;

use serde_json::json;
use support::{Jdk, Scratch, copy_folder, newest, oldest, repository, succeed};
use yaml_rust2::{Yaml, YamlLoader};

use crate::packages;

type Variables = BTreeMap<String, String>;

/// What the comment on the change has to name: the query, the copy and the quadratic loop, by the calls
/// that are new, and the last two also as findings.
const NAMED: [&str; 5] = [
    "| new | shop.Shop.name | shop.sql.Connection.executeQuery, 0 -> 4,000 calls |",
    "| changed | shop.Shop.price |",
    "| changed | shop.Shop.distinct | java.util.ArrayList.contains, 0 -> 4,000 calls |",
    "short-lived objects: shop.Shop.price",
    "same data read again: shop.Shop.distinct",
];

const RUN: &str = "java -cp classes shop.Shop";

/// A checkout of the program, and the packages to install.
struct Checkout<'a> {
    jdk: &'a Jdk,
    scratch: Scratch,
}

impl<'a> Checkout<'a> {
    fn new(jdk: &'a Jdk) -> Self {
        let scratch = Scratch::new("ci-templates");
        for folder in ["packages", "repository", "bin", "artifacts"] {
            fs::create_dir(scratch.file(folder)).expect("a folder can be made");
        }
        let archive = packages::file("x86_64.tar.gz");
        let name = archive.file_name().expect("packages have names");
        symlink(&archive, scratch.file("packages").join(name)).expect("a link can be made");
        let checkout = Self { jdk, scratch };
        // Findings name files below the root of the repository.
        let mut git = Command::new("git");
        succeed(git.args(["init", "--quiet"]).current_dir(checkout.file(".")));
        checkout.take("base");
        checkout
    }

    /// Takes the files of a version, and compiles them.
    fn take(&self, version: &str) {
        let programs = Path::new(env!("CARGO_MANIFEST_DIR")).join("programs/pull-request");
        copy_folder(&programs.join(version), &self.file("src"));
        let sources = support::java_files(&self.file("src"));
        let mut javac = self.jdk.program("javac");
        succeed(javac.arg("-d").arg(self.file("classes")).args(sources));
    }

    fn file(&self, name: &str) -> PathBuf {
        self.scratch.file("repository").join(name)
    }

    fn packages(&self) -> String {
        format!("file://{}", self.scratch.file("packages").display())
    }

    fn bash(&self, options: &[&str], script: &str, variables: &Variables) -> Output {
        let added = fs::read_to_string(self.scratch.file("added-to-path")).unwrap_or_default();
        let mut path: Vec<PathBuf> = added.lines().map(PathBuf::from).collect();
        path.extend([self.scratch.file("bin"), self.jdk.home().join("bin")]);
        path.extend(std::env::split_paths(&std::env::var_os("PATH").expect("there is a path")));
        Command::new("bash")
            .args(options)
            .args(["-c", script])
            .current_dir(self.file("."))
            .env("PATH", std::env::join_paths(path).expect("folders have plain names"))
            .env("TMPDIR", self.scratch.path())
            .envs(variables)
            .env_remove("SUBSUME_AGENT")
            .env_remove("JAVA_TOOL_OPTIONS")
            .output()
            .expect("bash can be started")
    }
}

fn assert_names_all(comment: &str, named: &[&str]) {
    for part in named {
        assert!(comment.contains(part), "{part}\n{comment}");
    }
}

fn text(yaml: &Yaml) -> String {
    match yaml {
        Yaml::Integer(number) => number.to_string(),
        _ => yaml.as_str().expect("it is a text").to_owned(),
    }
}

/// A value with the expressions that stand in it, by their names.
fn evaluated(text: &str, known: &Variables) -> String {
    let mut value = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("${{") {
        let (expression, behind) = after.split_once("}}").expect("an expression ends");
        let expression = expression.trim();
        let found =
            known.get(expression).unwrap_or_else(|| panic!("nothing stands for {expression}"));
        value += before;
        value += found;
        rest = behind;
    }
    value + rest
}

/// Whether a condition such as `a == 'b' && c == 'd'` holds.
fn holds(condition: &str, known: &Variables) -> bool {
    condition.split(" && ").all(|part| {
        let (name, value) = part.split_once(" == ").expect("it is a comparison");
        let found = known.get(name).unwrap_or_else(|| panic!("nothing stands for {name}"));
        found == value.trim_matches('\'')
    })
}

/// What became of the action.
struct Outcome {
    failed: Option<String>,
    recordings: PathBuf,
}

/// Runs the action for an event.
fn act(checkout: &Checkout<'_>, event: &str) -> Outcome {
    let yaml = fs::read_to_string(repository().join("action.yml")).expect("it is there");
    let action = YamlLoader::load_from_str(&yaml).expect("it is YAML").remove(0);
    let mut known = Variables::from([
        ("github.event_name".to_owned(), event.to_owned()),
        ("github.event.pull_request.number".to_owned(), "7".to_owned()),
        ("github.token".to_owned(), "secret".to_owned()),
        ("github.server_url".to_owned(), "https://example.org".to_owned()),
        ("github.action_repository".to_owned(), "a/subsume".to_owned()),
    ]);
    let given = [
        ("run", RUN.to_owned()),
        ("packages", checkout.packages()),
        ("sources", "src\nno".to_owned()),
    ];
    for (name, input) in action["inputs"].as_hash().expect("it has inputs") {
        let name = text(name);
        let is_given = given.iter().find(|one| one.0 == name).map(|one| one.1.clone());
        let value = is_given.unwrap_or_else(|| evaluated(&text(&input["default"]), &known));
        known.insert(format!("inputs.{name}"), value);
    }
    let scratch = &checkout.scratch;
    let mut variables = Variables::new();
    let folder = |name: &str| scratch.file(name).display().to_string();
    for (name, value) in [
        ("GITHUB_PATH", folder("added-to-path")),
        ("GITHUB_STEP_SUMMARY", folder("summary")),
        ("GITHUB_REPOSITORY", "b/shop".to_owned()),
        ("GITHUB_BASE_REF", if event == "pull_request" { "main" } else { "" }.to_owned()),
        ("RUNNER_TEMP", folder("temporary")),
        ("ARTIFACTS", folder("artifacts")),
        ("SAID", folder("said")),
    ] {
        variables.insert(name.to_owned(), value);
    }
    fs::create_dir_all(scratch.file("temporary")).expect("a folder can be made");

    let mut failed = None;
    for step in action["runs"]["steps"].as_vec().expect("it has steps") {
        if step["if"].as_str().is_some_and(|condition| !holds(condition, &known))
            || failed.is_some()
        {
            continue;
        }
        let with = |name: &str| evaluated(&text(&step["with"][name]), &known);
        match step["uses"].as_str() {
            None => {}
            Some("github/codeql-action/upload-sarif@v4") => {
                let log = fs::read(with("sarif_file")).expect("the log was written");
                let log: serde_json::Value = serde_json::from_slice(&log).expect("it is JSON");
                let location = "/locations/0/physicalLocation/artifactLocation/uri";
                let results = log["runs"][0]["results"].as_array().expect("a run has results");
                let is_ours = |one: &serde_json::Value| {
                    one.pointer(location).is_some_and(|place| place == "src/shop/Shop.java")
                };
                assert!(results.iter().any(is_ours), "{log}");
                continue;
            }
            Some("actions/upload-artifact@v4") => {
                copy_folder(
                    Path::new(&with("path")),
                    &scratch.file("artifacts").join(with("name")),
                );
                continue;
            }
            Some(other) => panic!("nothing stands in for {other}"),
        }
        assert_eq!(step["shell"].as_str(), Some("bash"), "composite actions name the shell");
        let mut of_step = variables.clone();
        for (name, value) in step["env"].as_hash().into_iter().flatten() {
            of_step.insert(text(name), evaluated(&text(value), &known));
        }
        let outputs = scratch.file("outputs");
        of_step.insert("GITHUB_OUTPUT".to_owned(), outputs.display().to_string());
        fs::write(&outputs, "").expect("it can be written");
        // As GitHub starts the shell of a step that names it.
        let options = ["--noprofile", "--norc", "-e", "-o", "pipefail"];
        let output = checkout.bash(&options, &text(&step["run"]), &of_step);
        if !output.status.success() {
            let name = text(&step["name"]);
            assert_eq!(name, "Check the limit", "{output:?}");
            failed = Some(name);
        }
        for line in fs::read_to_string(&outputs).expect("it is there").lines() {
            let (name, value) = line.split_once('=').expect("an output has a value");
            let id = text(&step["id"]);
            known.insert(format!("steps.{id}.outputs.{name}"), value.to_owned());
        }
    }
    let recordings = PathBuf::from(&known["steps.record.outputs.recordings"]);
    Outcome { failed, recordings }
}

/// `gh` as the action calls it: asks for artifacts, fetches one, comments.
const GH: &str = r#"#!/bin/bash -e
case "$1 $2" in
"api "*) [ "$3" = --jq ] && jq -r "$4" "$ARTIFACTS/list.json" ;;
"run download")
    [ "$3 $4 $5 $6 $7 $8" = "42 --repo b/shop --name subsume --dir" ]
    cp -r "$ARTIFACTS/subsume" "$9"
    ;;
"pr comment")
    [ "$GH_TOKEN $3 $4 $5 $6 $7 $8" = "secret 7 --repo b/shop --edit-last --create-if-none --body-file" ]
    cp "$9" "$SAID"
    ;;
*) exit 3 ;;
esac
"#;

#[test]
fn maven_free_action_of_github_comments_on_a_query_a_copy_and_a_quadratic_loop() {
    let checkout = Checkout::new(oldest());
    let scratch = &checkout.scratch;
    let gh = scratch.file("bin/gh");
    fs::write(&gh, GH).expect("it can be written");
    fs::set_permissions(&gh, fs::Permissions::from_mode(0o755)).expect("it is ours");

    // A push to the base branch: nothing to compare with, and recordings for later.
    let pushed = act(&checkout, "push");
    assert_eq!(pushed.failed, None);
    assert!(!scratch.file("said").exists());
    // Newer ones of a fork's branch with the same name, and one that is gone, do not count.
    let artifact = |id: u64, branch: &str, from: u64, expired: bool| {
        json!({ "expired": expired, "workflow_run": {
            "id": id, "head_branch": branch, "head_repository_id": from, "repository_id": 1 } })
    };
    let list = [
        artifact(45, "main", 2, false),
        artifact(44, "change", 1, false),
        artifact(43, "main", 1, true),
        artifact(42, "main", 1, false),
        artifact(41, "main", 1, false),
    ];
    let list = json!({ "artifacts": list }).to_string();
    fs::write(scratch.file("artifacts/list.json"), list).expect("it can be written");

    checkout.take("change");
    let asked = act(&checkout, "pull_request");
    assert_eq!(asked.failed.as_deref(), Some("Check the limit"));
    let comment = fs::read_to_string(scratch.file("said")).expect("a comment was made");
    assert_names_all(&comment, &NAMED);
    assert!(comment.contains("Broken: bytecodes>+1%"), "{comment}");
    assert!(asked.recordings.join("copies.subsume").is_file());
}

/// A server with artifacts that takes comments: what it was asked, by the first lines of requests.
fn server(
    artifacts: Option<Vec<u8>>,
    requests: usize,
) -> (String, JoinHandle<Vec<(String, String)>>) {
    let server = TcpListener::bind("127.0.0.1:0").expect("a port is free");
    let address = server.local_addr().expect("it has one").to_string();
    let taken = std::thread::spawn(move || {
        let mut all = Vec::new();
        for _ in 0..requests {
            let (mut connection, _) = server.accept().expect("somebody connects");
            let (head, body) = request(&mut connection);
            let (status, answer) = match (&artifacts, head.starts_with("POST ")) {
                (_, true) => ("201 Created", b"{}".to_vec()),
                (Some(zip), false) => ("200 OK", zip.clone()),
                (None, false) => ("404 Not Found", Vec::new()),
            };
            let length = answer.len();
            write!(
                connection,
                "HTTP/1.1 {status}\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n"
            )
            .expect("it waits for an answer");
            connection.write_all(&answer).expect("it waits for an answer");
            all.push((head, body));
        }
        all
    });
    (address, taken)
}

fn request(connection: &mut TcpStream) -> (String, String) {
    let mut bytes = Vec::new();
    let mut buffer = [0; 1 << 12];
    loop {
        let text = String::from_utf8_lossy(&bytes).into_owned();
        if let Some((head, body)) = text.split_once("\r\n\r\n") {
            let length = head.split("Content-Length: ").nth(1);
            let length = length
                .map_or(0, |rest| rest.lines().next().unwrap_or("").parse().expect("a number"));
            if body.len() == length {
                return (head.to_owned() + "\r\n", body.to_owned());
            }
            if bytes.is_empty() {
                continue;
            }
        }
        let read = connection.read(&mut buffer).expect("a request comes");
        assert!(read > 0, "the request is cut short");
        bytes.extend_from_slice(&buffer[..read]);
        if text.contains("Expect: 100-continue") && !text.contains("\r\n\r\nbody") {
            connection.write_all(b"HTTP/1.1 100 Continue\r\n\r\n").expect("it waits");
        }
    }
}

/// The job of the component with these inputs; others have their defaults.
fn job(inputs: &[(&str, &str)]) -> Yaml {
    let text = fs::read_to_string(repository().join("templates/subsume.yml")).expect("it is there");
    let parts = YamlLoader::load_from_str(&text).expect("it is YAML");
    let (_, job) = text.split_once("\n---\n").expect("a component has two documents");
    let mut job = job.to_owned();
    for (name, input) in parts[0]["spec"]["inputs"].as_hash().expect("it has inputs") {
        let name = name.as_str().expect("it is a text");
        let given = inputs.iter().find(|one| one.0 == name).map(|one| one.1);
        let value =
            given.or(input["default"].as_str()).unwrap_or_else(|| panic!("{name} is not given"));
        // Values that YAML would take for something else are quoted, as GitLab does.
        let quoted = format!(": {}", json!(value));
        job = job.replace(&format!(": $[[ inputs.{name} ]]"), &quoted);
        job = job.replace(&format!("$[[ inputs.{name} ]]"), value);
    }
    assert!(!job.contains("$[["), "{job}");
    YamlLoader::load_from_str(&job).expect("it is YAML").remove(0)["subsume"].clone()
}

/// Runs the job; whether it succeeded, and what it was asked and commented.
fn run_job(
    checkout: &Checkout<'_>,
    job: &Yaml,
    artifacts: Option<Vec<u8>>,
    of_request: bool,
) -> (bool, Vec<(String, String)>) {
    let (address, asked) = server(artifacts, if of_request { 2 } else { 0 });
    let mut variables = Variables::new();
    for (name, value) in job["variables"].as_hash().expect("it has variables") {
        variables.insert(text(name), text(value));
    }
    for (name, value) in [
        ("CI_API_V4_URL", format!("http://{address}/api/v4")),
        ("CI_PROJECT_ID", "1".to_owned()),
        ("CI_JOB_NAME", "subsume".to_owned()),
        ("CI_JOB_TOKEN", "of the job".to_owned()),
    ] {
        variables.insert(name.to_owned(), value);
    }
    if of_request {
        for (name, value) in [
            ("CI_MERGE_REQUEST_TARGET_BRANCH_NAME", "main"),
            ("CI_MERGE_REQUEST_IID", "7"),
            ("SUBSUME_TOKEN", "secret"),
        ] {
            variables.insert(name.to_owned(), value.to_owned());
        }
    }
    let script = |name: &str| {
        let lines = job[name].as_vec().expect("it is a list");
        lines.iter().map(text).collect::<Vec<_>>().join("\n")
    };
    let options = ["-e", "-o", "pipefail"];
    let lines = [script("before_script"), script("script")].join("\n");
    let output = checkout.bash(&options, &lines, &variables);
    let after = checkout.bash(&options, &script("after_script"), &variables);
    assert!(after.status.success(), "{output:?} {after:?}");
    assert!(checkout.file("subsume-code-quality.json").is_file(), "{output:?}");
    (output.status.success(), asked.join().expect("it was asked"))
}

#[test]
fn maven_free_component_of_gitlab_comments_on_what_calls_show() {
    let checkout = Checkout::new(newest());
    let packages = checkout.packages();
    // Calls are enough to compare: only they are recorded in this time.
    let inputs = [
        ("run", RUN),
        ("packages", &packages),
        ("sources", "src"),
        ("within", "1s"),
        ("build", "touch built; echo 'it is built'"),
    ];
    let job = job(&inputs);
    let (succeeded, _) = run_job(&checkout, &job, None, false);
    assert!(succeeded && checkout.file("built").is_file());

    // What GitLab keeps of the job.
    let kept = job["artifacts"]["paths"].as_vec().expect("paths are a list");
    let zip = checkout.scratch.file("artifacts.zip");
    let mut jar = checkout.jdk.program("jar");
    succeed(jar.arg("-cfM").arg(&zip).args(kept.iter().map(text)).current_dir(checkout.file(".")));
    let zip = fs::read(zip).expect("it was made");

    checkout.take("change");
    let (succeeded, asked) = run_job(&checkout, &job, Some(zip), true);
    assert!(!succeeded, "the limit is broken");
    let (fetch, _) = &asked[0];
    let expected = "GET /api/v4/projects/1/jobs/artifacts/main/download?job=subsume HTTP/1.1\r\n";
    assert!(
        fetch.starts_with(expected) && fetch.contains("\r\nJOB-TOKEN: of the job\r\n"),
        "{fetch}"
    );
    let (head, body) = &asked[1];
    assert!(
        head.starts_with("POST /api/v4/projects/1/merge_requests/7/notes HTTP/1.1\r\n"),
        "{head}"
    );
    assert!(head.contains("\r\nPRIVATE-TOKEN: secret\r\n"), "{head}");
    let comment = fs::read_to_string(checkout.file("subsume.md")).expect("it was written");
    assert_names_all(&comment, &NAMED[..3]);
    assert!(body.starts_with("body=") && body.contains("shop.Shop.distinct"), "{body}");

    // Without recordings of the target branch, the job finds waste and compares nothing.
    let (succeeded, _) = run_job(&checkout, &job, None, true);
    assert!(succeeded);
}

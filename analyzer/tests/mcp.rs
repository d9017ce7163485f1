//! `subsume mcp`, spoken to as a client would, a message a line.

use crate::fixture;
use std::fs::{self, File};
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use serde_json::{Value, json};

/// What the server says on standard error, in the folder that it works in.
const SAID: &str = "said.txt";

/// A server and what connects it.
struct Server {
    process: Child,
    requests: Option<ChildStdin>,
    answers: BufReader<ChildStdout>,
    number: u64,
}

impl Server {
    /// One that works in a folder, after the greeting.
    fn start(folder: &Path) -> Self {
        Self::start_with(folder, &[])
    }

    fn start_with(folder: &Path, options: &[&str]) -> Self {
        Self::start_as(folder, options, json!({}))
    }

    /// Starts the server for a client with these capabilities.
    fn start_as(folder: &Path, options: &[&str], capabilities: Value) -> Self {
        let mut process = Command::new(env!("CARGO_BIN_EXE_subsume"))
            .arg("mcp")
            .args(options)
            .current_dir(folder)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(File::create(folder.join(SAID)).unwrap())
            .spawn()
            .unwrap();
        let requests = process.stdin.take();
        let answers = BufReader::new(process.stdout.take().unwrap());
        let mut server = Self { process, requests, answers, number: 0 };
        let greeting = json!({
            "protocolVersion": "2025-06-18",
            "capabilities": capabilities,
            "clientInfo": {"name": "test", "version": "1"},
        });
        let hello = server.ask("initialize", greeting);
        assert_eq!(hello["result"]["serverInfo"]["name"], "subsume");
        assert!(hello["result"]["instructions"].as_str().unwrap().contains("summary"));
        server.send(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
        server
    }

    fn send(&mut self, message: &Value) {
        let requests = self.requests.as_mut().unwrap();
        writeln!(requests, "{message}").unwrap();
        requests.flush().unwrap();
    }

    fn ask(&mut self, method: &str, params: Value) -> Value {
        self.number += 1;
        let number = self.number;
        self.send(&json!({"jsonrpc": "2.0", "id": number, "method": method, "params": params}));
        let answer = self.receive();
        assert_eq!(answer["id"], number, "{answer}");
        answer
    }

    fn receive(&mut self) -> Value {
        let mut line = String::new();
        self.answers.read_line(&mut line).unwrap();
        serde_json::from_str(&line).unwrap()
    }

    /// A tool's text, and whether it is an error.
    fn call(&mut self, name: &str, arguments: Value) -> (String, bool) {
        let answer = self.ask("tools/call", json!({"name": name, "arguments": arguments}));
        let result = &answer["result"];
        let text = result["content"][0]["text"].as_str().unwrap_or_else(|| panic!("{answer}"));
        (text.to_owned(), result["isError"] == true)
    }
}

#[test]
fn tools_answer_as_commands_do() {
    let directory = fixture::directory("mcp");
    let mut server = Server::start(&directory);
    let listed = server.ask("tools/list", json!({}));
    let tools = listed["result"]["tools"].as_array().unwrap();
    let names: Vec<&str> = tools.iter().map(|tool| tool["name"].as_str().unwrap()).collect();
    // What records and writes is not there unless the user says so.
    assert_eq!(names, ["ask", "open", "lines", "compare", "findings", "fleet"]);
    let ask = &tools[0];
    assert_eq!(ask["inputSchema"]["properties"]["top"]["type"], "integer");
    assert_eq!(ask["annotations"]["readOnlyHint"], true);
    // Tools write nothing.
    assert!(ask["inputSchema"]["properties"]["baseline"].is_object());
    assert!(ask["inputSchema"]["properties"]["write_baseline"].is_null());

    let file = "recording.subsume";
    let of = |question: &str, file: &str| json!({"question": question, "files": [file]});
    for (name, given, line) in [
        (
            "ask",
            json!({"question": "methods", "files": [file], "all": true}),
            vec!["methods", "--all", file],
        ),
        ("ask", of("search", file), vec!["search", "--auto", file]),
        ("compare", json!({"before": [file], "after": [file]}), vec!["diff", file, file]),
        ("ask", of("info", file), vec!["info", file]),
        ("ask", of("loops", "loops.subsume"), vec!["loops", "loops.subsume"]),
        ("ask", of("typestate", "typestate.subsume"), vec!["typestate", "typestate.subsume"]),
        ("lines", json!({"files": ["lines.subsume"]}), vec!["lines", "lines.subsume"]),
    ] {
        let (text, is_error) = server.call(name, given);
        assert!(!is_error, "{text}");
        let mut arguments = line.clone();
        arguments.push("--markdown");
        let printed = fixture::command::subsume(&directory, &arguments);
        let printed = String::from_utf8_lossy(&printed.stdout).into_owned();
        let has_calls = printed.contains("subsume ") || printed.contains("--");
        assert!(has_calls || text == printed, "{line:?}\n{text}\n{printed}");
        assert_eq!(text.lines().next(), printed.lines().next(), "{line:?}");
        assert!(!text.contains("'subsume "), "{text}");
    }

    // What is wrong is told, and the next question is answered.
    let (text, is_error) = server.call("ask", of("summary", "missing.subsume"));
    assert!(is_error && text.contains("missing.subsume"), "{text}");
    let (text, is_error) = server.call("ask", json!({"file": file}));
    assert!(is_error && text.contains("no argument 'file'; it takes question,"), "{text}");
    let (text, is_error) = server.call("ask", json!({}));
    assert!(is_error && text.contains("needs 'files'"), "{text}");
    let refused = server.ask("tools/call", json!({"name": "record", "arguments": {}}));
    let message = refused["error"]["message"].as_str().unwrap();
    assert!(message.contains("without --allow-record"), "{message}");
    assert!(!server.call("ask", of("summary", file)).1);

    // It ends with its input.
    drop(server.requests.take());
    assert!(server.process.wait().unwrap().success());
}

/// Answers have JSON beside the text, and what comes next is a call that can be made.
#[test]
fn next_steps_are_calls() {
    let directory = fixture::directory("mcp-next");
    let mut server = Server::start(&directory);
    let given = json!({"question": "summary", "files": ["recording.subsume"]});
    let answer = server.ask("tools/call", json!({"name": "ask", "arguments": given}));
    let text = answer["result"]["content"][0]["text"].as_str().unwrap();
    assert!(!text.contains("subsume methods") && !text.contains("subsume callers"), "{text}");
    let structured = &answer["result"]["structuredContent"];
    assert_eq!(structured["version"], 1, "{structured}");
    let next = structured["next"].as_array().unwrap();
    assert!(!next.is_empty(), "{text}");
    for call in next {
        let name = call["tool"].as_str().unwrap();
        let (text, is_error) = server.call(name, call["arguments"].clone());
        assert!(!is_error, "{call}: {text}");
    }
}

/// The text and the JSON are of one and the same run of a command.
#[test]
fn a_question_is_answered_once() {
    let directory = fixture::directory("mcp-once");
    let mut server = Server::start(&directory);
    let given =
        json!({"question": "methods", "files": ["cut-short.subsume"], "all": true, "top": 3});
    let answer = server.ask("tools/call", json!({"name": "ask", "arguments": given}));
    let result = &answer["result"];
    let text = result["content"][0]["text"].as_str().unwrap();
    let listed = result["structuredContent"]["methods"].as_array().unwrap();
    assert_eq!(listed.len(), 3, "{answer}");
    let names = listed.iter().map(|method| method["name"].as_str().unwrap());
    for name in names.filter(|name| !name.starts_with('<')) {
        assert!(text.contains(name), "{name}: {text}");
    }
    // Each run tells of the file's flaw.
    drop(server.requests.take());
    assert!(server.process.wait().unwrap().success());
    let said = fs::read_to_string(directory.join(SAID)).unwrap();
    assert_eq!(said.matches("cut-short.subsume").count(), 1, "{said}");
}

/// What runs or writes something does so only if the user agrees.
#[test]
#[cfg(target_os = "linux")]
fn recording_takes_the_users_leave() {
    let directory = fixture::directory("mcp-record");
    let options = ["--allow-record", "--root", "."];
    let mut server = Server::start_with(&directory, &options);
    let listed = server.ask("tools/list", json!({}));
    let tools = listed["result"]["tools"].as_array().unwrap();
    let record = tools.iter().find(|tool| tool["name"] == "record").unwrap();
    assert_eq!(record["annotations"]["readOnlyHint"], false);
    // The client asks by itself.
    let convert = json!({
        "how": "export", "files": ["recording.subsume"], "output": "out.folded",
    });
    let (text, is_error) = server.call("convert", convert.clone());
    assert!(!is_error, "{text}");
    assert!(directory.join("out.folded").is_file(), "{text}");
    let elsewhere = json!({"how": "merge", "files": ["out.folded"], "output": "../x.subsume"});
    let (text, is_error) = server.call("convert", elsewhere);
    assert!(is_error && text.contains("not below the root"), "{text}");

    let capabilities = json!({"elicitation": {}});
    let mut server = Server::start_as(&directory, &options, capabilities);
    let run = json!({"command": ["true"], "output": "a.subsume"});
    for (name, given, answer, says) in [
        ("record", run.clone(), "decline", "the user does not want this"),
        // There is no JVM in it.
        ("record", run, "accept", "subsume: "),
        ("convert", convert, "accept", "out.folded"),
    ] {
        let params = json!({"name": name, "arguments": given});
        server.send(&json!({"jsonrpc": "2.0", "id": 77, "method": "tools/call", "params": params}));
        let asked = server.receive();
        assert_eq!(asked["method"], "elicitation/create", "{asked}");
        let message = asked["params"]["message"].as_str().unwrap();
        assert!(message.contains("subsume "), "{message}");
        let result = json!({"action": answer, "content": {}});
        server.send(&json!({"jsonrpc": "2.0", "id": asked["id"], "result": result}));
        let answer = server.receive();
        let text = answer["result"]["content"][0]["text"].as_str().unwrap();
        assert!(text.contains(says), "{text}");
    }
}

/// One assistant's question neither stops the server nor takes all memory.
#[test]
#[cfg(unix)]
fn what_has_no_end_is_not_opened() {
    let directory = fixture::directory("mcp-pipes");
    let made = Command::new("mkfifo").arg(directory.join("pipe")).status().unwrap();
    assert!(made.success());
    let mut server = Server::start(&directory);
    let file = "recording.subsume";
    for (name, given) in [
        ("ask", json!({"question": "info", "files": ["pipe"]})),
        ("ask", json!({"question": "summary", "files": ["/dev/zero"]})),
        ("open", json!({"show": "callers", "files": ["pipe"], "method": "a.B.c"})),
        ("ask", json!({"question": "search", "files": [file], "against": ["pipe"]})),
        ("fleet", json!({"question": "list", "fleet": "pipe"})),
        ("lines", json!({"files": [file], "sources": ["pipe"]})),
        ("ask", json!({"question": "loops", "files": [file], "baseline": "/proc/kmsg"})),
    ] {
        let (text, is_error) = server.call(name, given);
        assert!(is_error && text.lines().count() == 1, "{name}: {text}");
        assert!(text.contains("not a file") || text.contains("empty"), "{name}: {text}");
    }
    assert!(!server.call("ask", json!({"files": [file]})).1);
}

#[test]
#[cfg(unix)]
fn files_elsewhere_are_not_read() {
    let directory = fixture::directory("mcp-root");
    let inner = directory.join("inner");
    fs::create_dir(&inner).unwrap();
    fs::copy(directory.join("recording.subsume"), inner.join("in.subsume")).unwrap();
    std::os::unix::fs::symlink("../recording.subsume", inner.join("link.subsume")).unwrap();
    let mut server = Server::start_with(&directory, &["--root", "inner"]);
    let absolute = inner.join("in.subsume").canonicalize().unwrap();
    for inside in ["in.subsume", "./in.subsume", absolute.to_str().unwrap()] {
        let (text, is_error) = server.call("ask", json!({"files": [inside]}));
        assert!(!is_error, "{text}");
    }
    let mut refused = Vec::new();
    for outside in ["../recording.subsume", "link.subsume", "/etc/shadow", "/etc/none", "none"] {
        for (name, given) in [
            ("ask", json!({"question": "summary", "files": [outside]})),
            ("ask", json!({"question": "search", "files": ["in.subsume"], "against": [outside]})),
            ("open", json!({"show": "callers", "files": [outside], "method": "a.B.c"})),
        ] {
            let (text, is_error) = server.call(name, given);
            assert!(is_error, "{name} {outside}: {text}");
            refused.push(text.replace(outside, "X"));
        }
    }
    // Not even that there is something is told.
    refused.dedup();
    assert_eq!(refused, ["X: there is no such file below the root"]);
}

#[test]
fn somebody_who_does_not_speak_the_protocol_is_told_so() {
    let directory = fixture::directory("mcp-nobody");
    let output = Command::new(env!("CARGO_BIN_EXE_subsume"))
        .arg("mcp")
        .current_dir(&directory)
        .stdin(Stdio::null())
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(said.lines().count() == 1 && said.contains("Model Context Protocol"), "{said}");
}

//! `subsume mcp`, spoken to as a client would, a message a line.

use crate::fixture;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use serde_json::{Value, json};

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
        let mut process = Command::new(env!("CARGO_BIN_EXE_subsume"))
            .arg("mcp")
            .args(options)
            .current_dir(folder)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let requests = process.stdin.take();
        let answers = BufReader::new(process.stdout.take().unwrap());
        let mut server = Self { process, requests, answers, number: 0 };
        let greeting = json!({
            "protocolVersion": "2025-06-18",
            "capabilities": {},
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
        let mut line = String::new();
        self.answers.read_line(&mut line).unwrap();
        let answer: Value = serde_json::from_str(&line).unwrap();
        assert_eq!(answer["id"], number, "{answer}");
        answer
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
    let methods = tools.iter().find(|tool| tool["name"] == "methods").unwrap();
    assert_eq!(methods["inputSchema"]["properties"]["top"]["type"], "integer");
    assert_eq!(methods["inputSchema"]["required"], json!(["files"]));
    assert_eq!(methods["annotations"]["readOnlyHint"], true);

    // Tools write nothing.
    let loops = tools.iter().find(|tool| tool["name"] == "loops").unwrap();
    assert!(loops["inputSchema"]["properties"]["baseline"].is_object());
    assert!(loops["inputSchema"]["properties"]["write_baseline"].is_null());

    let file = "recording.subsume";
    for (name, given, line) in [
        ("methods", json!({"files": [file], "all": true}), vec!["methods", "--all", file]),
        ("summary", json!({"files": [file]}), vec!["summary", file]),
        ("search", json!({"files": [file]}), vec!["search", "--auto", file]),
        ("diff", json!({"files": [file, file]}), vec!["diff", file, file]),
        ("info", json!({"files": [file]}), vec!["info", file]),
        ("loops", json!({"files": ["loops.subsume"]}), vec!["loops", "loops.subsume"]),
        ("growth", json!({"files": ["growth.subsume"]}), vec!["growth", "growth.subsume"]),
        (
            "typestate",
            json!({"files": ["typestate.subsume"]}),
            vec!["typestate", "typestate.subsume"],
        ),
        ("repeats", json!({"files": ["results.subsume"]}), vec!["repeats", "results.subsume"]),
        ("lines", json!({"files": ["lines.subsume"]}), vec!["lines", "lines.subsume"]),
    ] {
        let (text, is_error) = server.call(name, given);
        assert!(!is_error, "{text}");
        let mut arguments = line.clone();
        arguments.push("--markdown");
        let printed = fixture::command::subsume(&directory, &arguments);
        assert_eq!(text, String::from_utf8_lossy(&printed.stdout), "{line:?}");
    }

    // What is wrong is told, and the next question is answered.
    let (text, is_error) = server.call("summary", json!({"files": ["missing.subsume"]}));
    assert!(is_error && text.contains("missing.subsume"), "{text}");
    let (text, is_error) = server.call("summary", json!({"file": file}));
    assert!(is_error && text.contains("no argument 'file'"), "{text}");
    let (text, is_error) = server.call("summary", json!({}));
    assert!(is_error && text.contains("FILE"), "{text}");
    let refused = server.ask("tools/call", json!({"name": "run", "arguments": {}}));
    assert!(refused["error"]["message"].as_str().unwrap().contains("no tool 'run'"));
    assert!(!server.call("summary", json!({"files": [file]})).1);

    // It ends with its input.
    drop(server.requests.take());
    assert!(server.process.wait().unwrap().success());
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
        ("info", json!({"files": ["pipe"]})),
        ("summary", json!({"files": ["/dev/zero"]})),
        ("methods", json!({"files": [file], "time": "/dev/zero"})),
        ("methods", json!({"files": [file], "time": "pipe"})),
        ("callers", json!({"files_and_method": ["pipe", "a.B.c"]})),
        ("search", json!({"files": [file], "against": ["pipe"]})),
        ("fleet-list", json!({"fleet": "pipe"})),
        ("lines", json!({"files": [file], "sources": ["pipe"]})),
        ("loops", json!({"files": [file], "baseline": "/proc/kmsg"})),
    ] {
        let (text, is_error) = server.call(name, given);
        assert!(is_error && text.lines().count() == 1, "{name}: {text}");
        assert!(text.contains("no file") || text.contains("empty"), "{name}: {text}");
    }
    assert!(!server.call("summary", json!({"files": [file]})).1);
}

#[test]
#[cfg(unix)]
fn files_elsewhere_are_not_read() {
    let directory = fixture::directory("mcp-root");
    let inner = directory.join("inner");
    std::fs::create_dir(&inner).unwrap();
    std::fs::copy(directory.join("recording.subsume"), inner.join("in.subsume")).unwrap();
    std::os::unix::fs::symlink("../recording.subsume", inner.join("link.subsume")).unwrap();
    let mut server = Server::start_with(&directory, &["--root", "inner"]);
    let absolute = inner.join("in.subsume").canonicalize().unwrap();
    for inside in ["in.subsume", "./in.subsume", absolute.to_str().unwrap()] {
        let (text, is_error) = server.call("summary", json!({"files": [inside]}));
        assert!(!is_error, "{text}");
    }
    let mut refused = Vec::new();
    for outside in ["../recording.subsume", "link.subsume", "/etc/shadow", "/etc/none", "none"] {
        for (name, given) in [
            ("summary", json!({"files": [outside]})),
            ("methods", json!({"files": ["in.subsume"], "time": outside})),
            ("callers", json!({"files_and_method": [outside, "a.B.c"]})),
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

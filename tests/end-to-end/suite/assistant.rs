//! The tool `record` of `subsume mcp` with JVMs: what it records, and what an assistant can ask
//! of it afterwards.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use serde_json::{Value, json};
use support::{Launch, Scratch, artifacts, compiled, in_turn, methods, oldest};

/// A server that may record, below the folder of a test.
struct Assistant {
    server: Child,
    requests: ChildStdin,
    answers: BufReader<ChildStdout>,
    number: u64,
}

impl Assistant {
    fn new(scratch: &Scratch) -> Self {
        let mut server = Command::new(&artifacts().command)
            .args(["mcp", "--allow-record", "--root", "."])
            .current_dir(scratch.path())
            .env("SUBSUME_AGENT", &artifacts().agent)
            .env_remove("JAVA_TOOL_OPTIONS")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the command can be started");
        let requests = server.stdin.take().expect("it is piped");
        let answers = BufReader::new(server.stdout.take().expect("it is piped"));
        let mut assistant = Self { server, requests, answers, number: 0 };
        let greeting = json!({
            "protocolVersion": "2025-06-18",
            "capabilities": {},
            "clientInfo": {"name": "test", "version": "1"},
        });
        assistant.ask("initialize", &greeting);
        assistant.send(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
        assistant
    }

    fn send(&mut self, message: &Value) {
        writeln!(self.requests, "{message}").expect("the server reads");
        self.requests.flush().expect("the server reads");
    }

    fn ask(&mut self, method: &str, params: &Value) -> Value {
        self.number += 1;
        let number = self.number;
        self.send(&json!({"jsonrpc": "2.0", "id": number, "method": method, "params": params}));
        let mut line = String::new();
        self.answers.read_line(&mut line).expect("the server answers");
        let answer: Value = serde_json::from_str(&line).expect("messages are JSON");
        assert_eq!(answer["id"], number, "{answer}");
        answer["result"].clone()
    }

    /// The answer of a tool: its text, and the same as JSON.
    fn call(&mut self, name: &str, given: &Value) -> (String, Value) {
        let answer = self.ask("tools/call", &json!({"name": name, "arguments": given}));
        let text = answer["content"][0]["text"].as_str().unwrap_or_else(|| panic!("{answer}"));
        (text.to_owned(), answer["structuredContent"].clone())
    }
}

impl Drop for Assistant {
    fn drop(&mut self) {
        // It may have ended by itself, as after a failure.
        let _ = self.server.kill();
        let _ = self.server.wait();
    }
}

#[test]
fn an_assistant_records_a_program_and_asks_about_it() {
    for jdk in in_turn() {
        let scratch = Scratch::new("assistant-run");
        let mut assistant = Assistant::new(&scratch);
        let java = jdk.command("java").display().to_string();
        let classes = compiled("main").display().to_string();
        let command = [&java, "-cp", &classes, "Recursion"];
        let given = json!({"how": "run", "command": command, "output": "a.subsume"});
        let (text, told) = assistant.call("record", &given);
        assert_eq!(
            (&told["exit_code"], &told["output"]),
            (&json!(0), &json!("a.subsume")),
            "{text}"
        );
        assert!(text.contains("bytecodes"), "{jdk}: {text}");
        let profile = scratch.file("a.subsume");
        assert!(!methods(&profile, "Recursion", &[]).is_empty(), "{jdk}");
        // Next steps are about the recording, and can be made.
        let next = told["next"].as_array().expect("there are some");
        assert!(!next.is_empty(), "{text}");
        for call in next {
            let name = call["tool"].as_str().expect("tools have names");
            // To record again, with time, is another test's.
            if name == "record" {
                continue;
            }
            let (text, told) = assistant.call(name, &call["arguments"]);
            assert_eq!(told["version"], 1, "{jdk}: {call}: {text}");
        }
        // The program's own code and words come back.
        let command = [&java, "-cp", &classes, "ExitsWithStatus"];
        let plain = Command::new(&java).args(&command[1..]).output().expect("java starts");
        let (text, told) = assistant.call("record", &json!({"command": command}));
        assert_eq!(told["exit_code"], json!(plain.status.code()), "{jdk}: {text}");
        for line in String::from_utf8_lossy(&plain.stdout).lines() {
            assert!(text.contains(line), "{jdk}: {line} is in {text}");
        }
    }
}

#[test]
fn an_assistant_records_a_running_jvm() {
    let scratch = Scratch::new("assistant-attach");
    let end = scratch.file("end");
    let mut jvm = Launch::new(oldest(), "Serves", scratch.path()).argument(&end).start();
    let mut ready = String::new();
    BufReader::new(jvm.stdout.take().expect("it is piped"))
        .read_line(&mut ready)
        .expect("it says so");
    assert_eq!(ready, "ready\n");
    let mut assistant = Assistant::new(&scratch);
    let process = jvm.id().to_string();
    let given = json!({"how": "attach", "process": process, "for": "2s", "output": "b.subsume"});
    let (text, told) = assistant.call("record", &given);
    std::fs::write(&end, "").expect("the folder of the test can be written");
    assert!(jvm.wait().expect("it ends").success(), "{text}");
    assert_eq!(told["exit_code"], 0, "{text}");
    let asked = json!({
        "question": "methods", "files": ["b.subsume"], "all": true, "class": "Serves",
    });
    let (text, told) = assistant.call("ask", &asked);
    let listed = told["methods"].as_array().unwrap_or_else(|| panic!("{text}"));
    assert!(listed.iter().any(|one| one["class"] == "Serves"), "{text}");
}

//! Profiles sent to a collector of OpenTelemetry, which is a server of this test's own.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpListener;
use std::path::Path;
use std::process::{Command, Output};
use std::thread;

use formats::protobuf::{Value, for_each_field};

use crate::fixture;

/// What came of a request.
struct Sent {
    /// The first line, and the lines of the header.
    head: Vec<String>,
    body: Vec<u8>,
    /// What the command says.
    output: Output,
}

/// Runs a command that sends something to a server, which gives this answer.
fn send(folder: &Path, line: &str, answer: &[u8]) -> Sent {
    let server = TcpListener::bind("127.0.0.1:0").expect("a port is free");
    let address = format!("http://{}", server.local_addr().expect("it is bound"));
    let answer = answer.to_vec();
    let serving = thread::spawn(move || {
        let (stream, _) = server.accept().expect("somebody connects");
        let mut input = BufReader::new(&stream);
        let mut head = Vec::new();
        loop {
            let mut line = String::new();
            input.read_line(&mut line).expect("a line comes");
            match line.trim_end() {
                "" => break,
                line => head.push(line.to_owned()),
            }
        }
        let length = head.iter().find_map(|line| {
            let (name, value) = line.split_once(": ")?;
            name.eq_ignore_ascii_case("content-length").then(|| value.parse().ok())?
        });
        let mut body = vec![0; length.expect("the length is said")];
        input.read_exact(&mut body).expect("the body comes");
        (&stream).write_all(&answer).expect("the answer goes");
        (head, body)
    });
    let output = run(folder, &line.replace("COLLECTOR", &address));
    let (head, body) = serving.join().expect("the server ends");
    Sent { head, body, output }
}

fn run(folder: &Path, line: &str) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_subsume"));
    command.args(line.split(' ')).current_dir(folder);
    for proxy in ["http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"] {
        command.env_remove(proxy);
    }
    command.output().expect("the command starts")
}

fn answer(status: &str, kind: &str, body: &[u8]) -> Vec<u8> {
    let length = body.len();
    let head =
        format!("HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {length}\r\n\r\n");
    [head.as_bytes(), body].concat()
}

/// The only line on standard error of a command that fails.
fn error(output: &Output) -> String {
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    assert_eq!(text.lines().count(), 1, "{text}");
    assert!(output.stdout.is_empty(), "{output:?}");
    text
}

/// Keys and values of the attributes of the resource.
fn attributes(message: &[u8]) -> Vec<(String, String)> {
    let within = |message: &[u8], number: u32| {
        let mut found = Vec::new();
        for_each_field(message, |field, value| {
            if let (true, Value::Bytes(bytes)) = (field == number, value) {
                found.push(bytes.to_vec());
            }
            Some(())
        })
        .expect("a message");
        found
    };
    let one = |message: &[u8], number: u32| within(message, number).remove(0);
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("it is text");
    // ExportProfilesServiceRequest, ResourceProfiles, Resource.
    let resource = one(&one(message, 1), 1);
    let attributes = within(&resource, 1);
    attributes.iter().map(|pair| (text(one(pair, 1)), text(one(&one(pair, 2), 1)))).collect()
}

fn pairs(pairs: &[(&str, &str)]) -> Vec<(String, String)> {
    pairs.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect()
}

#[test]
fn what_is_sent_is_what_is_written() {
    let folder = fixture::directory("collector");
    let labels = "--label deployment.environment.name=test --label a=b=c";
    let line = format!("export --format otlp {labels} recording.subsume");
    let ok = answer("200 OK", "application/x-protobuf", b"");
    let sent = send(&folder, &format!("{line} --to COLLECTOR"), &ok);
    assert!(sent.output.status.success(), "{:?}", sent.output);
    assert!(sent.output.stderr.is_empty(), "{:?}", sent.output);
    let said = String::from_utf8_lossy(&sent.output.stdout).into_owned();
    assert!(said.starts_with("sent 3 profiles ("), "{said}");
    assert_eq!(sent.head[0], "POST /v1development/profiles HTTP/1.1");
    let has = |wanted: &str| sent.head.iter().any(|line| line.eq_ignore_ascii_case(wanted));
    assert!(has("content-type: application/x-protobuf"), "{:?}", sent.head);

    assert!(run(&folder, &format!("{line} -o written.otlp")).status.success());
    let written = fs::read(folder.join("written.otlp")).expect("it was written");
    assert!(sent.body == written, "{} and {} bytes", sent.body.len(), written.len());
    let expected = [
        ("service.name", "com.example.App"),
        ("a", "b=c"),
        ("deployment.environment.name", "test"),
    ];
    assert_eq!(attributes(&sent.body), pairs(&expected));
    // Below another path, and chunked answers without a type.
    let chunked =
        b"HTTP/1.1 202 Accepted\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n";
    let sent = send(&folder, &format!("{line} --to COLLECTOR/otlp/"), chunked);
    assert!(sent.output.status.success(), "{:?}", sent.output);
    assert_eq!(sent.head[0], "POST /otlp/v1development/profiles HTTP/1.1");
}

#[test]
fn labels_name_the_service() {
    let folder = fixture::directory("collector-names");
    let mut profile = fixture::recording();
    let mut labelled = |name: &str, labels: &[(&str, &str)]| {
        profile.run.labels = pairs(labels).into_iter().collect();
        fixture::write(&profile, &folder.join(name));
    };
    labelled("one.subsume", &[("program", "shop"), ("version", "1"), ("host", "a")]);
    labelled("two.subsume", &[("program", "shop"), ("version", "2"), ("host", "a")]);
    for (arguments, expected) in [
        (
            "one.subsume",
            &[("service.name", "shop"), ("host", "a"), ("program", "shop"), ("version", "1")][..],
        ),
        (
            "one.subsume two.subsume",
            &[("service.name", "shop"), ("host", "a"), ("program", "shop")],
        ),
        ("recording.subsume one.subsume", &[("service.name", "com.example.App")]),
        ("--label service.name=till recording.subsume", &[("service.name", "till")]),
        ("example1.subsume", &[("service.name", "example1")]),
    ] {
        if arguments.starts_with("example1") {
            assert!(run(&folder, "import example1.folded -o example1.subsume").status.success());
        }
        let written = run(&folder, &format!("export --format otlp {arguments}"));
        assert!(written.status.success(), "{written:?}");
        assert_eq!(attributes(&written.stdout), pairs(expected), "{arguments}");
    }
}

#[test]
fn what_a_collector_refuses_is_an_error() {
    let folder = fixture::directory("collector-refuses");
    let line = "export --format otlp recording.subsume --to COLLECTOR";
    let protobuf = "application/x-protobuf";
    // A Status with code and message; a response with what is refused, and why.
    let status = b"\x08\x03\x12\x0ano\nprofiles";
    let partial = b"\x0a\x0b\x08\x02\x12\x07too new";
    for (answer, says) in [
        (answer("503 Service Unavailable", "text/plain", b"busy\nvery"), "503 Service Unavailable: busy"),
        (answer("404 Not Found", "text/plain", b""), "answers 404 Not Found"),
        (answer("400 Bad Request", protobuf, status), "400 Bad Request: no"),
        (answer("200 OK", protobuf, partial), "refuses 2 profiles: too new"),
        (b"HTTP/1.1 307 Temporary Redirect\r\nLocation: http://127.0.0.1:1/\r\nContent-Length: 0\r\n\r\n".to_vec(), "answers 307"),
        (answer("500 Internal Server Error", "text/plain", &[0xff; 1_000_000]), "answers 500"),
        (b"SSH-2.0-OpenSSH\r\n".to_vec(), "/v1development/profiles: "),
        (Vec::new(), "/v1development/profiles: "),
    ] {
        let sent = send(&folder, line, &answer);
        let error = error(&sent.output);
        assert!(error.starts_with("subsume: http://127.0.0.1:") && error.contains(says), "{error}");
        assert!(error.len() < 1_500, "{error}");
    }
    // What was taken with a word of advice was taken.
    let advice = answer("200 OK", protobuf, b"\x0a\x06\x12\x04slow");
    let sent = send(&folder, line, &advice);
    assert!(sent.output.status.success(), "{:?}", sent.output);
    assert!(
        String::from_utf8_lossy(&sent.output.stderr).contains("says: slow"),
        "{:?}",
        sent.output
    );

    let closed = TcpListener::bind("127.0.0.1:0").expect("a port is free");
    let address = format!("http://{}", closed.local_addr().expect("it is bound"));
    drop(closed);
    let error = error(&run(&folder, &line.replace("COLLECTOR", &address)));
    assert!(error.contains("Connection refused"), "{error}");
}

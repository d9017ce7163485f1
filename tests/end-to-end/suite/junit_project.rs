//! A Maven project whose tests use our extension of JUnit, and what their reports say.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use support::{Jdk, Scratch, copy_folder, repository};

/// Where the programs of this suite lie.
pub fn programs() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("programs")
}

/// A project in the folder `shop`, with the extension's artifact beside it.
pub struct JunitProject<'a> {
    jdk: &'a Jdk,
    pub scratch: Scratch,
}

impl<'a> JunitProject<'a> {
    /// The artifact alone.
    pub fn new(jdk: &'a Jdk, name: &str) -> Self {
        let scratch = Scratch::new(name);
        let folder = scratch.path();
        let artifact = repository().join("integrations/junit");
        copy_folder(&artifact.join("src"), &folder.join("junit/src"));
        fs::copy(artifact.join("pom.xml"), folder.join("junit/pom.xml")).expect("it is there");
        Self { jdk, scratch }
    }

    pub fn shop(&self, path: &str) -> PathBuf {
        self.scratch.file("shop").join(path)
    }

    pub fn home(&self) -> PathBuf {
        let java = self.jdk.command("java");
        java.ancestors().nth(2).expect("java lies in HOME/bin").to_owned()
    }

    /// Runs Maven's goals, with options.
    pub fn maven(&self, arguments: &[OsString]) -> Output {
        let api = repository().join("java-shim/src/api");
        Command::new("mvn")
            .args(["-B", "-Dstyle.color=never"])
            .args(arguments)
            .arg(format!("-Dsubsume.api={}", api.display()))
            .current_dir(self.scratch.path())
            .env("JAVA_HOME", self.home())
            .env_remove("JAVA_TOOL_OPTIONS")
            .output()
            .expect("Maven can be started")
    }

    /// Runs all tests, or those of some classes, by JUnit's launcher for the command line.
    pub fn launcher(
        &self,
        agent: Option<OsString>,
        classes: &[&str],
        options: &[&str],
        reports: &str,
    ) -> Output {
        let reports = self.shop(reports);
        let _ = fs::remove_dir_all(&reports);
        let class_path = ["target/test-classes", "target/classes", "../junit/target/classes"]
            .map(|path| self.shop(path));
        let mut java = self.jdk.program("java");
        java.args(agent).args(options);
        java.arg("-jar").arg(self.shop("target/console.jar")).arg("execute");
        match classes {
            [] => java.arg(format!("--scan-class-path={}", class_path[0].display())),
            _ => java.args(classes.iter().map(|class| format!("--select-class=shop.{class}"))),
        };
        java.arg("--details=none");
        java.arg("--class-path").arg(std::env::join_paths(class_path).expect("has no colon"));
        java.arg("--reports-dir").arg(&reports);
        java.current_dir(self.shop("."))
            .env_remove("JAVA_TOOL_OPTIONS")
            .output()
            .expect("java can be started")
    }
}

/// What the reports of a run say.
#[derive(Debug)]
pub struct Results {
    pub tests: usize,
    /// Messages of those that failed.
    pub failed: BTreeMap<String, String>,
}

impl Results {
    pub fn read(folder: &Path) -> Self {
        let mut results = Self { tests: 0, failed: BTreeMap::new() };
        for entry in fs::read_dir(folder).expect("there are reports") {
            let path = entry.expect("and to their end").path();
            if path.extension().is_none_or(|extension| extension != "xml") {
                continue;
            }
            let text = fs::read_to_string(path).expect("reports are UTF-8");
            for test in text.split("<testcase ").skip(1) {
                results.tests += 1;
                let test = test.split("</testcase>").next().unwrap_or_default();
                if let Some(at) = test.find("<failure").or_else(|| test.find("<error")) {
                    let message = attribute(&test[at..], "message");
                    results.failed.insert(name(test), message);
                }
            }
        }
        results
    }

    pub fn names(&self) -> Vec<&str> {
        self.failed.keys().map(String::as_str).collect()
    }
}

/// Class and method of a test case, and which invocation of it that is.
fn name(test: &str) -> String {
    let (class, name) = (attribute(test, "classname"), attribute(test, "name"));
    let method: String = name.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
    let number = name.rsplit('[').next().and_then(|rest| rest.strip_suffix(']'));
    match number {
        Some(number) if name.contains('[') => format!("{class}.{method} {number}"),
        _ => format!("{class}.{method}"),
    }
}

fn attribute(xml: &str, name: &str) -> String {
    let start = format!(" {name}=\"");
    let at = xml.find(&start).map(|at| at + start.len());
    // The first one of an element has no space before it here.
    let at = at.or_else(|| xml.strip_prefix(&start[1..]).map(|_| start.len() - 1));
    let value = at.and_then(|at| xml[at..].split('"').next()).unwrap_or_default();
    let mut value = value.to_owned();
    for (escaped, plain) in [
        ("&#10;", "\n"),
        ("&lt;", "<"),
        ("&gt;", ">"),
        ("&quot;", "\""),
        ("&apos;", "'"),
        ("&amp;", "&"),
    ] {
        value = value.replace(escaped, plain);
    }
    value
}

pub fn said(output: &Output) -> String {
    String::from_utf8_lossy(&[&output.stdout[..], &output.stderr].concat()).into_owned()
}

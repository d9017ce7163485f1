//! One build of everything, so that all share the same dependencies.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::Value;

/// What cargo has built.
pub struct Built {
    /// The folder of the agent and the command.
    pub artifacts: PathBuf,
    pub programs: Vec<Program>,
}

/// A program of tests.
pub struct Program {
    pub package: String,
    /// False for the tests that lie in a crate's sources.
    pub is_suite: bool,
    pub file: PathBuf,
    /// The package's folder, in which cargo starts it.
    pub folder: PathBuf,
}

/// Builds everything; `None` if that fails, which cargo has said then.
pub fn build() -> Option<Built> {
    let profile = std::env::var("SUBSUME_PROFILE").unwrap_or_else(|_| "checks".to_owned());
    let output = Command::new(env!("CARGO"))
        .args(["build", "--workspace", "--all-targets", "--profile", &profile])
        .arg("--message-format=json-render-diagnostics")
        .current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
        .stderr(Stdio::inherit())
        .output()
        .expect("cargo can be started");
    if !output.status.success() {
        return None;
    }
    let messages = String::from_utf8(output.stdout).expect("cargo tells JSON");
    let messages: Vec<Value> =
        messages.lines().filter_map(|l| serde_json::from_str(l).ok()).collect();
    let programs: Vec<Program> = messages.iter().filter_map(program).collect();
    // TARGET/PROFILE/deps/PROGRAM
    let artifacts = programs.first()?.file.ancestors().nth(2)?.to_path_buf();
    Some(Built { artifacts, programs })
}

fn program(message: &Value) -> Option<Program> {
    if message["profile"]["test"] != true {
        return None;
    }
    let manifest = Path::new(message["manifest_path"].as_str()?);
    let folder = manifest.parent()?.to_path_buf();
    // Folder or name: `path+file:///FOLDER#VERSION`, `path+file:///FOLDER#NAME@VERSION`.
    let id = message["package_id"].as_str()?.rsplit('#').next()?;
    let named = id.split_once('@').map(|(name, _)| name.to_owned());
    let of_folder = || folder.file_name().map(|name| name.to_string_lossy().into_owned());
    let package = named.or_else(of_folder)?;
    Some(Program {
        package: package.strip_prefix("subsume-").unwrap_or(&package).to_owned(),
        is_suite: message["target"]["kind"][0] == "test",
        file: message["executable"].as_str()?.into(),
        folder,
    })
}

//! What comes from the Maven repository, by the scripts that the benchmarks use.

use std::fs::File;
use std::path::Path;
use std::process::Command;

use crate::target;

/// The class path of ASM.
///
/// # Panics
/// If it cannot be fetched, since then no test can say anything.
pub fn asm_class_path() -> String {
    from_scripts("fetch_app asm && echo \"$apps_cache/asm/lib/*\"")
}

/// The class path of an application of `tests/apps`, its driver compiled.
///
/// # Panics
/// If it cannot be fetched or compiled.
pub fn app_class_path(app: &str) -> String {
    from_scripts(&format!("prepare_app {app} && app_class_path {app}"))
}

/// The class path of the drivers in a folder of `tests/apps`, compiled.
///
/// # Panics
/// If they cannot be fetched or compiled.
pub fn drivers_class_path(folder: &str) -> String {
    let line = "fetch_app FOLDER && compile_app FOLDER && \
                echo \"$apps_cache/FOLDER/classes:$apps_cache/FOLDER/lib/*\"";
    from_scripts(&line.replace("FOLDER", folder))
}

/// What an application of `tests/apps` must compute in a small or a normal run.
pub fn digest(app: &str, size: &str) -> String {
    let field = if size == "small" { 3 } else { 4 };
    from_scripts(&format!("app_field {app} {field}"))
}

/// Runs a line of shell with the functions of `scripts/lib-apps.sh`; returns
/// the last line that it prints. One at a time, over all test programs that run.
fn from_scripts(line: &str) -> String {
    let lock = File::create(target().join("fetching.lock")).expect("a file can be made");
    lock.lock().expect("the build's folder lets itself be locked");
    let root = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."));
    let script = format!(
        "set -euo pipefail
         root=$(pwd)
         source scripts/lib-needs.sh
         find_jdk ''
         source scripts/lib-apps.sh
         {line}"
    );
    let output = Command::new("bash")
        .args(["-c", &script])
        .current_dir(root)
        .output()
        .expect("bash can be started");
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{line}: {stderr}");
    let stdout = String::from_utf8(output.stdout).expect("paths of the build are UTF-8");
    stdout.lines().last().expect("the line prints something").to_owned()
}

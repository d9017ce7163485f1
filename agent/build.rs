//! Compiles the Java classes that the agent brings along.

#![allow(clippy::disallowed_macros, reason = "cargo reads what is printed")]

use std::path::Path;
use std::process::Command;

fn main() {
    // Asked for now: a copied target folder was built for another place.
    let here = std::env::var("CARGO_MANIFEST_DIR").expect("cargo says where the crate is");
    let root = Path::new(&here).join("../java-shim");
    println!("cargo::rerun-if-changed={}", root.join("src").display());
    println!("cargo::rerun-if-changed={}", root.join("compile").display());
    println!("cargo::rerun-if-env-changed=JAVA_HOME");
    let out = std::env::var("OUT_DIR").expect("cargo sets OUT_DIR for build scripts");
    let status = Command::new("bash").arg(root.join("compile")).arg(format!("{out}/shim")).status();
    match status {
        Ok(status) if status.success() => list_runtime_classes(Path::new(&out)),
        Ok(_) => panic!("the Java classes of the agent do not compile; see the lines above"),
        Err(error) => panic!("cannot run java-shim/compile with bash: {error}"),
    }
}

/// Writes the table of runtime classes: each name with the bytes of its class file.
fn list_runtime_classes(out: &Path) {
    let folder = out.join("shim/java.base/java/lang");
    let entries = std::fs::read_dir(&folder).expect("the classes were compiled to there");
    let mut names: Vec<String> = entries
        .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
        .filter_map(|file| Some(file.strip_suffix(".class")?.to_owned()))
        .filter(|name| name.starts_with("Subsume"))
        .collect();
    names.sort();
    let mut table = "&[\n".to_owned();
    for name in names {
        let file = folder.join(format!("{name}.class"));
        table += &format!("    ({name:?}, include_bytes!({:?})),\n", file.display().to_string());
    }
    table += "]\n";
    std::fs::write(out.join("runtime_classes.rs"), table).expect("cargo's folder can be written");
}

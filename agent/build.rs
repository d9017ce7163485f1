//! Compiles the Java classes that the agent brings along.

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
        Ok(status) if status.success() => {}
        Ok(_) => panic!("the Java classes of the agent do not compile; see the lines above"),
        Err(error) => panic!("cannot run java-shim/compile with bash: {error}"),
    }
}

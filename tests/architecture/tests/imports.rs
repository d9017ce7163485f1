//! A folder's imports go one way: among the files and folders that lie beside
//! each other in a crate's sources, none imports what imports it.

use std::fs;
use std::path::{Path, PathBuf};

use architecture::{Circle, Modules, circles};

fn circles_of(folder: &Path) -> Vec<Circle> {
    let crate_name = folder.file_name().and_then(|name| name.to_str()).expect("it has a name");
    let modules = Modules::of_crate(crate_name, &folder.join("src"));
    circles(&modules.expect("the sources are part of the repository"))
}

#[test]
fn imports_go_one_way() {
    let repository = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let crates = fs::read_dir(repository.join("crates")).expect("the folder can be listed");
    let mut folders: Vec<PathBuf> =
        crates.map(|entry| entry.expect("it is there").path()).collect();
    assert!(folders.len() > 8, "{folders:?}");
    folders.extend(["agent", "analyzer"].map(|name| repository.join(name)));
    let mut wrong = Vec::new();
    for folder in folders {
        let found = circles_of(&folder);
        wrong.extend(found.iter().map(|circle| format!("{}/src/{circle}", folder.display())));
    }
    assert!(wrong.is_empty(), "{} circles:\n{}", wrong.len(), wrong.join("\n"));
}

/// A crate of these files.
fn written(name: &str, files: &[(&str, &str)]) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&folder);
    for (file, text) in files {
        let file = folder.join(file);
        fs::create_dir_all(file.parent().expect("it lies in the folder")).expect("room");
        fs::write(file, text).expect("room");
    }
    folder
}

fn found(name: &str, files: &[(&str, &str)]) -> Vec<(String, Vec<String>)> {
    let modules = Modules::of_crate("own", &written(name, files)).expect("they are Rust");
    let named = |circle: Circle| (circle.folder, circle.names.into_iter().collect());
    circles(&modules).into_iter().map(named).collect()
}

fn circle(folder: &str, names: &[&str]) -> (String, Vec<String>) {
    (folder.to_owned(), names.iter().map(|&name| name.to_owned()).collect())
}

#[test]
fn circles_are_found_through_folders_re_exports_and_paths() {
    let files = [
        ("lib.rs", "mod a; mod b; mod c; pub use b::deep::Thing;"),
        ("a.rs", "use crate::Thing; pub struct A;"),
        ("b/mod.rs", "pub mod deep; pub mod other;"),
        ("b/deep.rs", "pub struct Thing; fn f() { crate::c::g(); }"),
        ("b/other.rs", "use super::deep::Thing;"),
        ("c.rs", "pub fn g() { let _ = super::a::A; }"),
    ];
    assert_eq!(found("circle", &files), [circle("", &["a", "b", "c"])]);
}

#[test]
fn parents_tests_and_one_way_imports_make_none() {
    let files = [
        ("lib.rs", "mod a; mod b; pub struct Error;"),
        ("a.rs", "use crate::Error; #[cfg(test)] mod tests { use crate::b::B; }"),
        ("b/mod.rs", "mod c; use crate::a; pub struct B;"),
        ("b/c.rs", "use super::B; use std::fmt; // crate::a::b"),
    ];
    assert_eq!(found("no-circle", &files), []);
}

#[test]
fn a_circle_within_a_folder_is_of_that_folder() {
    let files = [
        ("lib.rs", "mod f;"),
        ("f/mod.rs", "mod x; mod y;"),
        ("f/x.rs", "use super::y::{self, Y}; fn f() { y::g(); }"),
        ("f/y.rs", "pub fn g() -> own::f::x::X { todo() }"),
    ];
    assert_eq!(found("folder", &files), [circle("f", &["x", "y"])]);
}

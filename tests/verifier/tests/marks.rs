//! Marked code corresponds to the original, also with memory that served
//! other classes before, and the comparison notices any single changed byte.

use classfile::{ClassFile, Scratch};
use std::fs;
use std::path::{Path, PathBuf};
use support::Jdk;
use verifier::fixture_run::{fresh_folder, sources};
use verifier::generated;
use verifier::marks::{compare_class, mark_class, prove};
use verifier::toolchain::{class_files, compile_with_ecj};

/// Modern classes, old ones with subroutines, and methods at the limits.
fn classes(name: &str) -> Vec<(PathBuf, Vec<u8>)> {
    let folder = fresh_folder(Path::new(env!("CARGO_TARGET_TMPDIR")), name).unwrap();
    let jdk = Jdk::find(17).unwrap();
    jdk.compile(&sources("modern").unwrap().0, &folder, &folder.join("modern")).unwrap();
    let mut old = sources("old").unwrap().0;
    for (name, text) in generated::all() {
        let file = folder.join(format!("{name}.java"));
        fs::write(&file, text).unwrap();
        old.push(file);
    }
    compile_with_ecj(&jdk, &old, "1.3", "1.1", &folder.join("old")).unwrap();
    compile_with_ecj(&jdk, &old, "8", "8", &folder.join("eight")).unwrap();
    let files = class_files(&folder).unwrap();
    files.into_iter().map(|file| (file.clone(), fs::read(file).unwrap())).collect()
}

#[test]
fn marked_code_corresponds_to_the_original() {
    let mut reused = Scratch::default();
    let mut methods = 0;
    for (file, bytes) in classes("marks") {
        match prove(&bytes, &mut reused) {
            Ok(count) => methods += count,
            Err(difference) => panic!("{}: {difference}", file.display()),
        }
        let fresh = mark_class(&bytes, &mut Scratch::default()).unwrap();
        let again = mark_class(&bytes, &mut reused).unwrap();
        assert!(fresh.bytes == again.bytes, "{}: memory is remembered", file.display());
    }
    assert!(methods > 200, "only {methods} methods");
}

#[test]
fn any_changed_byte_is_a_difference() {
    let (_, bytes) = classes("tampered")
        .into_iter()
        .find(|(file, _)| file.ends_with("modern/LoopsAtEntry.class"))
        .unwrap();
    let mut marked = mark_class(&bytes, &mut Scratch::default()).unwrap();
    compare_class(&bytes, &marked).unwrap();
    let ranges: Vec<_> = {
        let class = ClassFile::parse(&marked.bytes).unwrap();
        let start = marked.bytes.as_ptr() as usize;
        let codes = class.methods().iter().filter_map(|method| method.code().unwrap());
        codes
            .map(|code| code.bytecode().as_ptr_range())
            .map(|range| range.start as usize - start..range.end as usize - start)
            .collect()
    };
    for at in ranges.into_iter().flatten() {
        marked.bytes[at] ^= 1;
        assert!(compare_class(&bytes, &marked).is_err(), "byte {at} was changed unnoticed");
        marked.bytes[at] ^= 1;
    }
}

//! The fuzz target's check, with seeded mutations of freshly compiled
//! classes: a few seconds of it belong to every test run.

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};
use support::Jdk;
use support::random::Random;
use verifier::fixture_run::{fresh_folder, sources};
use verifier::generated;
use verifier::invariants::{Checked, check};
use verifier::mutation::mutate;
use verifier::toolchain::{class_files, compile_with_ecj};

const TIME: Duration = Duration::from_secs(5);

fn corpus() -> Vec<Vec<u8>> {
    let folder = fresh_folder(Path::new(env!("CARGO_TARGET_TMPDIR")), "corpus").unwrap();
    let modern = folder.join("modern");
    let old = folder.join("old");
    let jdk = Jdk::find(17).unwrap();
    jdk.compile(&sources("modern").unwrap().0, &folder, &modern).unwrap();
    compile_with_ecj(&jdk, &sources("old").unwrap().0, "1.3", "1.1", &old).unwrap();
    let wide = folder.join("WideLocals.java");
    fs::write(&wide, generated::wide_locals()).unwrap();
    compile_with_ecj(&jdk, &[wide], "1.6", "1.6", &old).unwrap();
    let files = class_files(&folder).unwrap();
    files.iter().map(|file| fs::read(file).unwrap()).collect()
}

#[test]
fn damaged_classes_never_break_a_promise() {
    let corpus = corpus();
    for class in &corpus {
        assert_ne!(check(class), Checked::Unreadable, "a class fresh from the compiler");
    }
    let seed = 20_261_120;
    let mut random = Random(seed);
    let (mut inputs, mut readable, mut edited) = (0, 0, 0);
    let start = Instant::now();
    while start.elapsed() < TIME {
        let mut bytes = corpus[random.index(corpus.len())].clone();
        mutate(&mut bytes, &mut random);
        inputs += 1;
        let input = bytes.clone();
        match std::panic::catch_unwind(|| check(&input)) {
            Ok(Checked::Unreadable) => {}
            Ok(Checked::Rewritten(methods)) => {
                readable += 1;
                edited += methods;
            }
            Err(_) => {
                let kept = Path::new(env!("CARGO_TARGET_TMPDIR")).join("broken-promise.class");
                fs::write(&kept, &bytes).unwrap();
                panic!("input {inputs} of seed {seed}, kept as {}", kept.display());
            }
        }
    }
    // A mutator that only makes unreadable files would test nothing.
    assert!(readable * 5 > inputs, "{readable} of {inputs} inputs were readable");
    assert!(edited > readable, "{edited} methods edited in {readable} classes");
}

//! The analysis agrees with the literal algorithms on real profiles.
//!
//! `SUBSUME_PROFILES` names them, `:` between several. Without it only the
//! recording of the other tests is tried.

#![allow(clippy::disallowed_macros, reason = "tests print for whoever reads them")]

use crate::common;
use std::env;
use std::path::Path;
use std::thread;

use made_profiles::recordings;
use subsume_analysis::subsuming::Thresholds;
use tree::Tree;
use tree::forest::Selection;

/// The literal algorithms recurse as deeply as the tree is high.
const STACK: usize = 4 << 30;

#[test]
fn real_profiles_agree_with_the_literal_algorithms() {
    let made = Path::new(env!("CARGO_TARGET_TMPDIR")).join("recording.subsume");
    recordings::write(&recordings::recording(), &made);
    let mut files = vec![made];
    if let Some(list) = env::var_os("SUBSUME_PROFILES") {
        files.extend(env::split_paths(&list).filter(|path| !path.as_os_str().is_empty()));
    }
    for file in files {
        let name = file.display().to_string();
        let profile = profile::read_file(&file).unwrap_or_else(|e| panic!("{name}: {e}"));
        let tree = Tree::merge(vec![(name.clone(), profile)], &Selection::default()).unwrap();
        println!("{name}: {} contexts", tree.len());
        let agree = move || common::agree(&tree, Thresholds::default());
        let result = thread::Builder::new().stack_size(STACK).spawn(agree).unwrap().join().unwrap();
        let moved = result.unwrap_or_else(|difference| panic!("{name}: {difference}"));
        println!("{name}: agrees, recursion has moved {moved} contexts");
    }
}

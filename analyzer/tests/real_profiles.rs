//! The analysis agrees with the literal algorithms on real profiles.
//!
//! `SUBSUME_PROFILES` names them, `:` between several. Without it only the
//! recording of the other tests is tried.

#![allow(clippy::disallowed_macros, reason = "tests print for whoever reads them")]

use crate::common;
use crate::fixture;
use std::env;
use std::thread;

use analyzer::subsuming::Thresholds;
use analyzer::tree::Tree;
use analyzer::tree::forest::Selection;

/// The literal algorithms recurse as deeply as the tree is high.
const STACK: usize = 4 << 30;

#[test]
fn real_profiles_agree_with_the_literal_algorithms() {
    let directory = fixture::directory("real");
    let mut files = vec![directory.join("recording.subsume")];
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

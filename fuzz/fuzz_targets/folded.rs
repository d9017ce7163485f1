//! Any text, imported as folded stacks, is an error or a profile that keeps
//! all rules. Exported and imported again, it has the same costs.

#![no_main]

use std::path::Path;

use formats::export::folded::{Stacks, write};
use formats::import::folded::Importer;
use libfuzzer_sys::fuzz_target;
use profile::Profile;
use tree::Tree;
use tree::forest::Selection;

fuzz_target!(|text: &[u8]| {
    let Some(profile) = import(text) else { return };
    profile.validate().expect("what was imported keeps all rules");
    let mut written = Vec::new();
    profile::write(&profile, &mut written).expect("what was imported can be written");
    let again = profile::read(&written).expect("what was written can be read");
    assert_eq!(profile.nodes.metrics, again.nodes.metrics);

    let Some(tree) = merge(profile) else { return };
    let mut exported = Vec::new();
    write(&tree, &Stacks::default(), true, &mut exported).expect("memory takes everything");
    if exported.is_empty() {
        // Stacks that cost nothing are not exported, and a file without stacks
        // is refused.
        assert_eq!(tree.total(), 0);
        return;
    }
    let imported = import(&exported).expect("what was exported can be imported");
    let same = merge(imported).expect("the costs add up as before");
    assert_eq!(tree.total(), same.total(), "{}", String::from_utf8_lossy(&exported));
});

fn import(mut text: &[u8]) -> Option<Profile> {
    let mut importer = Importer::default();
    importer.read(Path::new("fuzzed"), &mut text).ok()?;
    Some(importer.finish())
}

fn merge(profile: Profile) -> Option<Tree> {
    Tree::merge(vec![("fuzzed".to_owned(), profile)], &Selection::default()).ok()
}

//! Contexts: the site of the receiver of the method that makes an object, also by way
//! of static methods; or the call of these.

use std::collections::{BTreeMap, BTreeSet};

use profile::dataflow::{SiteId, SiteKind, TagId};
use support::in_turn;

use super::objects;
use crate::rig::Recording;

/// What the program printed: what was made, on whose behalf, and its tag.
fn parse(lines: &[String]) -> Vec<(&str, TagId, TagId)> {
    lines
        .iter()
        .map(|line| {
            let mut parts = line.split('\t');
            let what = parts.next().expect("a line is not empty");
            let mut tag = || TagId(parts.next().and_then(|tag| tag.parse().ok()).expect("a tag"));
            (what, tag(), tag())
        })
        .collect()
}

#[test]
fn an_object_is_told_apart_by_the_site_of_the_receiver() {
    for jdk in in_turn() {
        let recorded = Recording::new(jdk, "Contexts", "mode=copies,slots=256").run();
        let objects = objects(&recorded.profile);
        assert_eq!(objects.slots, 256);
        let mut tags: BTreeMap<(&str, TagId), BTreeSet<TagId>> = BTreeMap::new();
        for (what, owner, made) in parse(&recorded.lines) {
            tags.entry((what, owner)).or_default().insert(made);
            let contexts: Vec<SiteId> = objects
                .contexts
                .iter()
                .filter(|context| context.tag == made)
                .map(|context| SiteId(context.context))
                .collect();
            let has_slot = objects.tags[made.0 as usize].slot != 0;
            let kinds = contexts.iter().map(|site| objects.sites[site.0 as usize].kind);
            match what {
                "static" => {
                    assert!(has_slot, "{jdk} {what}");
                    assert_eq!(kinds.collect::<Vec<_>>(), [SiteKind::Call], "{jdk} {what}");
                }
                "reflected" => assert!(!has_slot && contexts.is_empty(), "{jdk} {what}"),
                _ => {
                    assert!(has_slot, "{jdk} {what}");
                    let owner = objects.tags[owner.0 as usize].site;
                    assert!(contexts.contains(&owner), "{jdk} {what}: {contexts:?}, not {owner:?}");
                }
            }
        }
        assert!(tags.values().all(|tags| tags.len() == 1), "{jdk}: {tags:?}");
        // Two receivers of different sites, and one site below them.
        for what in ["make", "array", "after", "helped"] {
            let made: BTreeSet<_> = tags
                .iter()
                .filter(|((label, _), _)| *label == what)
                .map(|(_, tags)| tags)
                .collect();
            assert_eq!(made.len(), 2, "{jdk} {what}");
        }
    }
}

#[test]
fn without_contexts_a_site_has_one_tag() {
    for jdk in in_turn() {
        for options in ["mode=copies,context=none", "mode=copies,slots=0"] {
            let recorded = Recording::new(jdk, "Contexts", options).run();
            let objects = objects(&recorded.profile);
            assert_eq!((objects.slots, objects.contexts.len()), (0, 0));
            let made: BTreeSet<TagId> = parse(&recorded.lines)
                .into_iter()
                .filter(|(what, _, _)| *what == "make")
                .map(|(_, _, made)| made)
                .collect();
            assert_eq!(made.len(), 1, "{jdk} {options}");
            let sites: BTreeSet<_> = objects.tags.iter().skip(1).map(|tag| tag.site).collect();
            assert_eq!(sites.len(), objects.tags.len() - 1, "{jdk}: no site has two tags");
        }
    }
}

#[test]
fn slots_are_the_same_in_every_run() {
    for jdk in in_turn() {
        let runs = [(); 2].map(|()| {
            let recorded = Recording::new(jdk, "Contexts", "mode=copies,slots=8").run();
            let objects = objects(&recorded.profile).clone();
            let slots: Vec<u32> = parse(&recorded.lines)
                .into_iter()
                .map(|(_, _, made)| objects.tags[made.0 as usize].slot)
                .collect();
            slots
        });
        assert_eq!(runs[0], runs[1], "{jdk}");
    }
}

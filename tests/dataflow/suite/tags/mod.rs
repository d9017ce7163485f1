//! Tags of objects: every object says where it was made, and in which context.
//!
//! The programs ask the agent for tags at run time and print them beside what
//! the stack walker, or the reader of the program, says of the same objects.

mod contexts;
mod counts;
mod headers;
mod kinds;
mod switching;

use profile::Profile;
use profile::dataflow::{Objects, Site, TagId};

/// The objects of a recording.
fn objects(profile: &Profile) -> &Objects {
    &profile.dataflow.copies.as_ref().expect("copies were recorded").objects
}

/// A site in the words of the programs.
fn describe(profile: &Profile, site: &Site) -> String {
    let method = site.place.method.map_or(String::new(), |method| {
        let info = &profile.methods[method.0 as usize];
        format!("{}.{}", profile.classes[info.class.0 as usize].name, info.name)
    });
    format!("{:?}\t{}\t{method}\t{}", site.kind, site.class, site.place.line)
}

/// Checks a line that a program printed about an object; empty if it is right.
fn check(profile: &Profile, line: &str) -> Option<String> {
    let Some((tag, expected)) = line.split_once('\t') else {
        return Some(format!("the program says {line}"));
    };
    let tag: u32 = tag.parse().expect("a tag is a number");
    let objects = objects(profile);
    if tag == 0 || tag as usize >= objects.tags.len() {
        return Some(format!("tag {tag} is not a tag, expected {expected}"));
    }
    let found = describe(profile, objects.site(TagId(tag)));
    // Where the program does not say the line, none is compared.
    let matches = match expected.strip_suffix("\t0") {
        Some(stem) => found.rsplit_once('\t').is_some_and(|(found, _)| found == stem),
        None => found == expected,
    };
    (!matches).then(|| format!("{expected}\n    is recorded as {found}"))
}

//! The copies of the paper's running example (Figure 6), in the version that
//! copies 1,000 elements.

use profile::dataflow::{CopyProfile, Origin};

use super::build::{at, copy, from, site, tag};

/// The copies of Figure 6, 1-object-sensitive.
pub fn figure_6() -> CopyProfile {
    let mut copies = CopyProfile::default();
    let o = &mut copies.objects;
    let s39 = site(o, "List", 39);
    let s42 = site(o, "List", 42);
    let s46 = site(o, "ListClient", 46);
    let s47 = site(o, "ListClient", 47);
    let s31 = site(o, "List", 31);
    let s3 = site(o, "Object[]", 3);
    let s41 = site(o, "Integer", 41);
    let s44 = site(o, "String", 44);
    let s32 = site(o, "ListClient", 32);
    let s35 = site(o, "ListClient", 35);
    let s16 = site(o, "ListIterator", 16);
    let (o39, o42) = (tag(o, s39, None, 1), tag(o, s42, None, 1));
    let (o46, o47) = (tag(o, s46, None, 1), tag(o, s47, None, 1));
    let o31 = tag(o, s31, Some(s46), 1);
    let elements = [s39, s42, s31].map(|owner| tag(o, s3, Some(owner), 1));
    let (o41, o44) = (tag(o, s41, None, 1_000), tag(o, s44, None, 5));
    let o32 = tag(o, s32, Some(s46), 1);
    let o35 = tag(o, s35, Some(s47), 1);
    let o16 = tag(o, s16, Some(s39), 1);
    let _ = (o32, o35);

    let new = Origin::Producer;
    for (list, elements) in [o39, o42, o31].into_iter().zip(elements) {
        let to = at(&mut copies.objects, list, "elems");
        copy(&mut copies, new(elements), to, (1, 4), 3);
    }
    let o = &mut copies.objects;
    let [e39, e42, e31] = elements.map(|elements| at(o, elements, "ELM"));
    copy(&mut copies, new(o41), e39, (1_000, 4), 9);
    copy(&mut copies, new(o44), e42, (5, 4), 9);
    copy(&mut copies, Origin::Location(e39), e31, (1_000, 4), 9);
    for (list, client) in [(o39, o46), (o42, o47), (o31, o32)] {
        let to = at(&mut copies.objects, client, "myList");
        copy(&mut copies, new(list), to, (1, 4), 29);
    }
    let o = &mut copies.objects;
    let (shared, to) = (from(o, o47, "myList"), at(o, o35, "myList"));
    copy(&mut copies, shared, to, (1, 4), 29);
    let o = &mut copies.objects;
    let (iterated, to) = (from(o, o46, "myList"), at(o, o16, "list"));
    copy(&mut copies, iterated, to, (1, 4), 22);
    let o = &mut copies.objects;
    let counted = [(o39, "count"), (o42, "count"), (o31, "count"), (o16, "pos")];
    copies.consumed = counted.map(|(tag, name)| from(o, tag, name)).to_vec();
    copies.consumed.push(Origin::Location(e42));
    copies
}

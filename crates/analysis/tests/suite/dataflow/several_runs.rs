//! Copies of runs that number everything differently are added up by names.

use profile::dataflow::{CopyProfile, Origin};
use subsume_analysis::dataflow::copies::graph::CopyGraph;
use subsume_analysis::dataflow::copies::unite::{Sensitivity, unite};

use made_profiles::dataflow::build::{at, copy, recording, site, tag};

/// An array of line 3 with one of two receivers is filled; the sites are made
/// in the order of `lines`, so that numbers and slots differ from run to run.
fn run(lines: [u16; 3]) -> CopyProfile {
    let mut copies = CopyProfile::default();
    let o = &mut copies.objects;
    let mut sites = lines.map(|line| (line, site(o, "int[]", line)));
    sites.sort_unstable();
    let [(_, array), (_, one), (_, two)] = sites;
    for (receiver, count) in [(one, 10), (two, 7)] {
        let owner = tag(&mut copies.objects, array, Some(receiver), 1);
        let to = at(&mut copies.objects, owner, "ELM");
        copy(&mut copies, Origin::Location(to), to, (count, 4), 9);
        copies.consumed.push(Origin::Location(to));
    }
    copies
}

#[test]
fn tags_agree_by_their_contexts() {
    let runs = [run([3, 20, 30]), run([30, 3, 20])].map(|copies| ("run".into(), recording(copies)));
    let united = unite(&runs, Sensitivity::Contexts).unwrap();
    united.profile.validate(united.methods.len()).unwrap();
    let graph = CopyGraph::new(&united.profile);
    let counts: Vec<u64> = graph.edges.iter().map(|edge| edge.count).collect();
    assert_eq!(counts, [20, 14]);
    assert_eq!(united.profile.objects.allocations[1].objects, 2);
    assert_eq!(united.profile.consumed.len(), 2);

    let by_site = unite(&runs, Sensitivity::Sites).unwrap();
    let graph = CopyGraph::new(&by_site.profile);
    assert_eq!(graph.edges.iter().map(|edge| edge.count).collect::<Vec<_>>(), [34]);
}

#[test]
fn a_file_without_copies_is_refused() {
    let empty = profile::Profile::default();
    let error = unite(&[("x.subsume".into(), empty)], Sensitivity::Sites).unwrap_err();
    assert_eq!(error.to_string(), "x.subsume: no copies were recorded; record with mode=copies");
}

//! Ways of nulls from where they are born to where they are met.

use profile::dataflow::{DataFlow, NullNodeId};
use subsume_analysis::dataflow::nulls::{raised, unite};

use made_profiles::dataflow::build::profile;
use made_profiles::dataflow::nulls::nulls;

#[test]
fn uncaught_ones_first_and_every_origin() {
    let found = raised(&nulls());
    assert_eq!(found.len(), 2);
    assert_eq!((found[0].place.line, found[0].uncaught), (7, 1));
    assert_eq!((found[1].place.line, found[1].caught, found[1].unknown), (4, 3, 1));
    let lines = |at: usize| {
        let ways = found[at].ways.iter();
        let line = |node: &NullNodeId| nulls().nodes[node.0 as usize].place.line;
        ways.map(|way| way.nodes.iter().map(line).collect()).collect::<Vec<Vec<u16>>>()
    };
    assert_eq!(lines(1), [vec![5, 3], vec![1, 2, 3]]);
    // Nothing is known of what came before the return.
    assert_eq!(lines(0), [[6]]);
}

#[test]
fn runs_are_united_by_place() {
    let run = |name: &str| {
        (name.to_owned(), profile(DataFlow { nulls: Some(nulls()), ..DataFlow::default() }))
    };
    let united = unite(&[run("one"), run("two")]).unwrap();
    assert_eq!((united.graph.nodes.len(), united.graph.edges.len()), (5, 4));
    let found = raised(&united.graph);
    assert_eq!((found[0].uncaught, found[1].caught, found[1].unknown), (2, 6, 2));
    assert_eq!(found[1].ways[0].exceptions, 4);
    let other = profile(DataFlow::default());
    let error = unite(&[("other".into(), other)]).unwrap_err().to_string();
    assert_eq!(error, "other: no nulls were recorded; record with mode=nulls");
}

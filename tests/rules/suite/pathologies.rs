//! The inefficiencies that the paper found in real programs (sections 1.2, 3.6
//! and 4.3.2), rebuilt as small programs: in the graphs that the rules give,
//! each is among the first three that the analysis for it names.

use analyzer::flow::copies::clones::clones;
use analyzer::flow::copies::graph::CopyGraph;
use analyzer::flow::copies::temporaries::temporaries;
use analyzer::flow::costs::dead::{by_place, dead};
use analyzer::flow::costs::fields::Fields;
use analyzer::flow::costs::graph::Dependences;
use analyzer::flow::costs::relative::Relative;
use analyzer::flow::costs::structures::Structures;
use kit::jdks;
use profile::dataflow::{Objects, Place, Site, SiteKind, TagId};
use rules::Recorded;

use crate::rig::{copies, costs};

const FIRST: usize = 3;

/// A site as `class[line]`.
fn show(site: &Site) -> String {
    format!("{}[{}]", site.class, site.place.line)
}

fn show_tag(objects: &Objects, tag: TagId) -> String {
    show(objects.site(tag))
}

/// The first temporaries of a program.
fn first_temporaries(program: &str) -> Vec<Site> {
    let (run, _) = copies(program, &jdks()[0], 4, Recorded::default());
    let found = temporaries(&run.graph, &CopyGraph::new(&run.graph));
    let sites = found.iter().take(FIRST).map(|t| &run.graph.objects.sites[t.site.0 as usize]);
    sites.cloned().collect()
}

/// The first data structures by costs and benefits.
fn first_structures(program: &str) -> Vec<String> {
    let run = costs(program, &jdks()[0], 16, Recorded::default());
    let fields = Fields::new(&run.graph, &Relative::new(&Dependences::new(&run.graph)));
    let ranked = Structures::new(&run.graph, &fields).ranked(4);
    ranked.iter().take(FIRST).map(|s| show_tag(&run.graph.objects, s.tag)).collect()
}

fn any_of(found: &[String], class: &str) {
    assert!(found.iter().any(|name| name.starts_with(class)), "no {class} among {found:?}");
}

#[test]
fn temporaries_that_carry_data_over_one_call() {
    let found: Vec<String> = first_temporaries("CarryingTemporaries").iter().map(show).collect();
    any_of(&found, "CarryingTemporaries$MethodInfo[");
}

#[test]
fn strings_for_an_assertion_that_never_fires() {
    let found = first_temporaries("UnusedMessages");
    let message = found.iter().find(|site| site.kind == SiteKind::Concat && site.place.line == 11);
    assert!(message.is_some(), "{found:?}");
}

#[test]
fn a_list_built_to_ask_its_size() {
    // The array of the list: what it holds is what nobody asks for.
    any_of(&first_structures("ListForItsSize"), "ListForItsSize$Item[][4]");
}

#[test]
fn objects_cloned_to_be_compared() {
    let (run, _) = copies("ClonesToCompare", &jdks()[0], 4, Recorded::default());
    let found = clones(&CopyGraph::new(&run.graph)).clones;
    let objects = &run.graph.objects;
    let outermost = found.iter().take(FIRST).filter_map(|clone| clone.pairs.first());
    let pairs: Vec<(String, SiteKind)> =
        outermost.map(|pair| (show_tag(objects, pair.from), objects.site(pair.to).kind)).collect();
    let calendar = pairs
        .iter()
        .any(|(from, to)| from.starts_with("ClonesToCompare$Calendar[") && *to == SiteKind::Clone);
    assert!(calendar, "{pairs:?}");
}

#[test]
fn floats_turned_into_ints_and_back() {
    any_of(&first_structures("ThereAndBack"), "ThereAndBack$Matrix[");
}

#[test]
fn hash_codes_computed_again() {
    let run = costs("HashedAgain", &jdks()[0], 16, Recorded::default());
    let dead = dead(&Dependences::new(&run.graph));
    let of_method = |place: Place| Place { bci: 0, line: 0, ..place };
    let places = by_place(&[(&run.graph, &dead)], of_method);
    let methods: Vec<String> = places
        .iter()
        .take(FIRST)
        .filter_map(|place| place.place.method)
        .map(|method| run.methods[method.0 as usize].clone())
        .collect();
    any_of(&methods, "HashedAgain$Word.hash(");
}

#[test]
fn an_array_written_more_often_than_read() {
    let found = first_structures("WrittenMoreThanRead");
    any_of(&found, "WrittenMoreThanRead$Statistics[");
}

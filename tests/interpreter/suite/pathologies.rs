//! The inefficiencies that the paper found in real programs (sections 1.2, 3.6
//! and 4.3.2), rebuilt as small programs: in the graphs that the rules give,
//! each is among the first three that the analysis for it names.

use analysis::dataflow::copies::clones::clones;
use analysis::dataflow::copies::graph::CopyGraph;
use analysis::dataflow::copies::temporaries::temporaries;
use analysis::dataflow::costs::balance::Balances;
use analysis::dataflow::costs::dead::{by_place, dead};
use analysis::dataflow::costs::graph::Dependences;
use analysis::dataflow::costs::ranking::{Ranked, Ranking};
use interpreter::Recorded;
use profile::dataflow::{Objects, Place, Site, SiteId, SiteKind, TagId};
use support::oldest;

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
    let run = copies(program, oldest(), 4, Recorded::default()).run;
    let found = temporaries(&run.graph, &CopyGraph::new(&run.graph));
    let sites = found.iter().take(FIRST).map(|t| &run.graph.objects.sites[t.site.0 as usize]);
    sites.cloned().collect()
}

/// The first data structures by excess cost, with that part
/// of their cost: of the program's own, and of the JDK's that it makes.
fn first_structures(program: &str) -> Vec<(String, f64)> {
    let run = costs(program, oldest(), 16, Recorded::default());
    let graph = &run.graph;
    let balances = Balances::new(graph, &Dependences::new(graph));
    let is_own = |site: &SiteId| {
        let place = graph.objects.sites[site.0 as usize].place;
        place.method.is_some_and(|method| run.methods[method.0 as usize].starts_with(program))
    };
    let sites = (0..graph.objects.sites.len() as u32).map(SiteId).filter(is_own);
    let ranked = Ranking::new(graph, &balances, 4).ranked(sites);
    let shown = |entry: &Ranked| show(&graph.objects.sites[entry.site.0 as usize]);
    let part = |entry: &Ranked| entry.excess / entry.cost;
    ranked.iter().take(FIRST).map(|entry| (shown(entry), part(entry))).collect()
}

/// The first structures of a program that have some excess cost.
fn first_with_excess(program: &str) -> Vec<String> {
    let found = first_structures(program).into_iter().filter(|(_, part)| *part > 0.0);
    found.map(|(name, _)| name).collect()
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
    any_of(&first_with_excess("ListForItsSize"), "ListForItsSize$Bag[");
}

#[test]
fn a_directory_list_built_to_ask_whether_it_is_empty() {
    any_of(&first_with_excess("DirectoryList"), "java.util.ArrayList[15]");
}

#[test]
fn buffers_for_assertions_that_never_fire() {
    let found = first_with_excess("BuffersForAssertions");
    assert_eq!(found.len(), FIRST);
    let are_buffers = found.iter().all(|name| name.starts_with("java.lang.StringBuffer["));
    assert!(are_buffers, "{found:?}");
}

#[test]
fn a_counter_nobody_reads() {
    any_of(&first_with_excess("CounterNobodyReads"), "CounterNobodyReads$Cache[");
}

#[test]
fn objects_cloned_to_be_compared() {
    let run = copies("ClonesToCompare", oldest(), 4, Recorded::default()).run;
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
    // Every value is used, so there is no excess: it only costs.
    let found: Vec<String> =
        first_structures("ThereAndBack").into_iter().map(|(name, _)| name).collect();
    any_of(&found, "ThereAndBack$Matrix[");
}

#[test]
fn hash_codes_computed_again() {
    let run = costs("HashedAgain", oldest(), 16, Recorded::default());
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
    any_of(&first_with_excess("WrittenMoreThanRead"), "WrittenMoreThanRead$Statistics[");
}

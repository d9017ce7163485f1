//! The paper's running example (Figures 6 to 8), in the version that copies
//! 1,000 elements, and its other examples of chains and clones.

use profile::dataflow::{CopyProfile, Origin, TagId};
use subsume_analysis::dataflow::conflicts::conflicts;
use subsume_analysis::dataflow::copies::chains::{Limits, chains};
use subsume_analysis::dataflow::copies::clones::{Pair, clones};
use subsume_analysis::dataflow::copies::graph::CopyGraph;
use subsume_analysis::dataflow::copies::temporaries::temporaries;
use subsume_analysis::dataflow::copies::unite::{Copies, Sensitivity, unite};
use subsume_analysis::dataflow::copies::useless::{Owner, useless};
use subsume_analysis::dataflow::name::{Contexts, Naming};

use made_profiles::dataflow::build::{at, copy, recording, site, tag};
use made_profiles::dataflow::figure_6::figure_6;

fn united(sensitivity: Sensitivity) -> Copies {
    unite(&[("figure 6".into(), recording(figure_6()))], sensitivity).unwrap()
}

/// All edges by the lines of their ends: `41 -> 3^39.ELM <1000,4>`.
fn edges(copies: &Copies) -> Vec<String> {
    let graph = CopyGraph::new(&copies.profile);
    let objects = &copies.profile.objects;
    let tag = |tag: TagId| {
        let line = objects.site(tag).place.line;
        let own = objects.contexts.iter().filter(|c| c.tag == tag);
        let contexts = own.map(|c| objects.sites[c.context as usize].place.line);
        contexts.fold(line.to_string(), |name, context| format!("{name}^{context}"))
    };
    let location = |number: u32| {
        let location = graph.location(number);
        format!("{}.{}", tag(location.tag), objects.field(location).name)
    };
    let produced = graph.produced.iter().map(|p| (tag(p.tag), location(p.to), p.count, p.bytes));
    let between = graph.edges.iter().map(|e| (location(e.from), location(e.to), e.count, e.bytes));
    let all = produced.chain(between);
    all.map(|(from, to, count, bytes)| format!("{from} -> {to} <{count},{bytes}>")).collect()
}

#[test]
fn figure_8a_tells_objects_apart_by_their_sites() {
    let copies = united(Sensitivity::Sites);
    let edges = edges(&copies);
    for edge in ["41 -> 3.ELM <1000,4>", "44 -> 3.ELM <5,4>", "3.ELM -> 3.ELM <1000,4>"] {
        assert!(edges.iter().any(|found| found == edge), "{edge} in {edges:?}");
    }
    assert_eq!(edges.iter().filter(|edge| edge.ends_with("3.ELM <1000,4>")).count(), 2);
    // Everything that flows into the array seems to be consumed.
    let graph = CopyGraph::new(&copies.profile);
    let useless = useless(&copies.profile, &graph);
    let array = |entry: &Owner| match entry {
        Owner::Site(site) => copies.profile.objects.sites[site.0 as usize].place.line == 3,
        Owner::Static(_) => false,
    };
    assert!(!useless.iter().any(|entry| array(&entry.owner)));
}

#[test]
fn figure_8b_tells_them_apart_by_receivers() {
    let copies = united(Sensitivity::Contexts);
    let edges = edges(&copies);
    for edge in ["41 -> 3^39.ELM <1000,4>", "44 -> 3^42.ELM <5,4>", "3^39.ELM -> 3^31.ELM <1000,4>"]
    {
        assert!(edges.iter().any(|found| found == edge), "{edge} in {edges:?}");
    }
    let graph = CopyGraph::new(&copies.profile);
    let first = &useless(&copies.profile, &graph)[0];
    let Owner::Site(site) = first.owner else { panic!("{first:?}") };
    assert_eq!(copies.profile.objects.sites[site.0 as usize].place.line, 3);
    // 1,000 references into data1's array, 1,000 into its copy.
    assert_eq!((first.values, first.bytes, first.bytes_nowhere), (2_000, 8_000, 8_000));
}

#[test]
fn lists_hold_arrays_and_lead_on_to_what_is_consumed() {
    let copies = united(Sensitivity::Contexts);
    let graph = CopyGraph::new(&copies.profile);
    let useless = useless(&copies.profile, &graph);
    let field = |line: u16, name: &str| {
        let objects = &copies.profile.objects;
        let found = useless.iter().flat_map(|entry| &entry.locations).find(|l| {
            let location = graph.location(l.location);
            objects.site(location.tag).place.line == line && objects.field(location).name == name
        });
        found.map(|location| location.leads_on)
    };
    // data2's array is printed from; the elements of data1 are only counted.
    assert_eq!(field(42, "elems"), Some(true));
    assert_eq!(field(39, "elems"), Some(false));
    assert_eq!(field(47, "myList"), Some(true));
    assert_eq!(field(42, "count"), None);
}

#[test]
fn clones_are_found_up_to_the_client() {
    let copies = united(Sensitivity::Contexts);
    let graph = CopyGraph::new(&copies.profile);
    let found = clones(&graph);
    let largest = &found.clones[0];
    assert_eq!(largest.volume, 4_000);
    let lines = |pair: &Pair| {
        assert_eq!(pair.reached, 4_000);
        [pair.from, pair.to].map(|tag| copies.profile.objects.site(tag).place.line)
    };
    let pairs: Vec<[u16; 2]> = largest.pairs.iter().map(lines).collect();
    assert!([[46, 32], [39, 31], [3, 3]].iter().all(|pair| pairs.contains(pair)), "{pairs:?}");
    assert_eq!(pairs[0], [46, 32], "outermost first: {pairs:?}");
    assert_eq!(pairs.last(), Some(&[3, 3]));
    assert_eq!(largest.flows.len(), 1);
    assert_eq!(found.cut, Default::default());
}

#[test]
fn five_sites_are_not_assigned_to_the_heap() {
    for sensitivity in [Sensitivity::Sites, Sensitivity::Contexts] {
        let copies = united(sensitivity);
        let found = temporaries(&copies.profile, &CopyGraph::new(&copies.profile));
        let line = |site| copies.profile.objects.sites[site as usize].place.line;
        let mut lines: Vec<u16> = found.iter().map(|entry| line(entry.site.0)).collect();
        lines.sort_unstable();
        assert_eq!(lines, [16, 32, 35, 46, 47]);
        assert!(found.iter().all(|entry| entry.objects == 1 && entry.bytes == 16));
    }
}

#[test]
fn contexts_in_one_slot_are_in_conflict() {
    let mut copies = figure_6();
    assert_eq!(conflicts(&copies.objects).ratio, 0.0);
    // A second context in a slot of the array's site, which has four then.
    let array = TagId(6);
    assert_eq!(copies.objects.site(array).place.line, 3);
    let context = profile::dataflow::TagContext { tag: array, context: 4 };
    copies.objects.contexts.push(context);
    let found = conflicts(&copies.objects);
    assert_eq!((found.sites_in_conflict, found.sites), (1, 11));
    assert_eq!(found.ratio, 2.0 / 4.0 / 11.0);
}

#[test]
fn the_chain_of_antlr() {
    let mut copies = CopyProfile::default();
    let o = &mut copies.objects;
    let [a, b, c] = [61, 62, 63].map(|line| {
        let site = site(o, "char[]", line);
        tag(o, site, None, 1)
    });
    let [a, b, c] = [a, b, c].map(|tag| at(o, tag, "ELM"));
    copy(&mut copies, Origin::Location(a), b, (177_581, 2), 198);
    copy(&mut copies, Origin::Location(b), c, (177_581, 2), 199);
    let graph = CopyGraph::new(&copies);
    let found = chains(&graph, Limits { length: 5, top: 10, paths: 1_000 }, |_| true);
    assert_eq!(found.chains.len(), 1, "the shorter ones are inside");
    let chain = &found.chains[0];
    // The paper prints the volume, 355,162; the waste factor is twice that.
    assert_eq!((chain.waste, chain.frequency, chain.bytes), (710_324, 177_581, 2));
    assert_eq!((chain.edges.len(), chain.folded), (2, 2));
}

#[test]
fn the_clones_of_calendars() {
    let mut copies = CopyProfile::default();
    let o = &mut copies.objects;
    let calendar = site(o, "GregorianCalendar", 11);
    let calendar = tag(o, calendar, None, 1);
    let mut array = |line| {
        let site = site(o, "int[]", line);
        tag(o, site, None, 1)
    };
    let fields = [906, 907, 908].map(&mut array);
    let cloned = [2168, 2169, 2170].map(&mut array);
    for ((field, clone), name) in fields.into_iter().zip(cloned).zip(["a", "b", "c"]) {
        let o = &mut copies.objects;
        let (to, from) = (at(o, calendar, name), at(o, field, "ELM"));
        copy(&mut copies, Origin::Producer(field), to, (1, 4), 900);
        let to = at(&mut copies.objects, clone, "ELM");
        copy(&mut copies, Origin::Location(from), to, (85_000, 4), 2168);
    }
    let found = clones(&CopyGraph::new(&copies));
    assert_eq!(found.clones.len(), 3);
    for (entry, (field, clone)) in found.clones.iter().zip(fields.into_iter().zip(cloned)) {
        assert_eq!(entry.volume, 340_000);
        let pair = |from| Pair { from, to: clone, reached: 340_000 };
        assert_eq!(entry.pairs, [pair(calendar), pair(field)]);
    }
}

#[test]
fn names_are_the_papers() {
    let copies = united(Sensitivity::Contexts);
    let naming = Naming::new(&copies.methods, &copies.profile.objects, Contexts::Receiver);
    let graph = CopyGraph::new(&copies.profile);
    let names: Vec<String> = graph.locations.iter().map(|&l| naming.location(l)).collect();
    for name in
        ["array[Main:3]^List[Main:39].ELM", "List[Main:39].elems", "ListClient[Main:32].myList"]
    {
        assert!(names.iter().any(|found| found == name), "{name} in {names:?}");
    }
}

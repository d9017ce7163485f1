//! The paper's running example. Sites are called by the lines of Figure 6, as
//! in the paper: `O3` is made in line 3, `O3^O39` by a receiver from line 39.

use std::collections::{BTreeMap, BTreeSet};

use interpreter::{Interpreted, Recorded};
use profile::MethodId;
use profile::dataflow::{CopyProfile, Location, Objects, Origin, SiteId, SiteKind, TagId};
use support::oldest;

use crate::rig::copies;

/// A graph with the paper's names.
struct Figure {
    interpreted: Interpreted<CopyProfile>,
    by_method: BTreeMap<MethodId, u64>,
}

/// No two contexts of the example share one of so many slots.
const APART: u32 = 10_000;

impl Figure {
    fn of(program: &str, slots: u32) -> Self {
        let copied = copies(program, oldest(), slots, Recorded::default());
        Self { interpreted: copied.run, by_method: copied.by_method }
    }

    fn objects(&self) -> &Objects {
        &self.interpreted.graph.objects
    }

    fn site(&self, site: SiteId) -> String {
        let site = &self.objects().sites[site.0 as usize];
        let method = site.place.method.map(|method| &self.interpreted.methods[method.0 as usize]);
        match method {
            Some(method) if method.starts_with("Figure6") => format!("O{}", site.place.line),
            _ => format!("{:?} {}", site.kind, site.class),
        }
    }

    fn tag(&self, tag: TagId) -> String {
        let site = self.site(self.objects().tags[tag.0 as usize].site);
        let contexts = self.objects().contexts.iter().filter(|context| context.tag == tag);
        let contexts: Vec<String> =
            contexts.map(|context| self.site(SiteId(context.context))).collect();
        match &contexts[..] {
            [context] if self.objects().slots > 0 => format!("{site}^{context}"),
            _ => site,
        }
    }

    fn location(&self, location: Location) -> String {
        format!("{}.{}", self.tag(location.tag), self.objects().field(location).name)
    }

    fn origin(&self, origin: Origin) -> String {
        match origin {
            Origin::Producer(tag) => self.tag(tag),
            Origin::Location(location) => self.location(location),
        }
    }

    /// Frequency and bytes of all edges to elements of arrays, by name.
    fn element_edges(&self) -> BTreeMap<(String, String), (u64, u8)> {
        let mut edges = BTreeMap::new();
        for edge in &self.interpreted.graph.edges {
            let to = self.location(edge.to);
            if to.ends_with(".ELM") && to.starts_with('O') {
                let sum = edges.entry((self.origin(edge.from), to)).or_insert((0, edge.bytes));
                sum.0 += edge.count;
            }
        }
        edges
    }

    fn consumes(&self, name: &str) -> bool {
        self.interpreted.graph.consumed.iter().any(|&origin| self.origin(origin) == name)
    }

    /// Lines of sites whose objects are never assigned to the heap.
    fn never_assigned(&self) -> BTreeSet<String> {
        let graph = &self.interpreted.graph;
        let assigned: BTreeSet<SiteId> = graph
            .edges
            .iter()
            .filter_map(|edge| match edge.from {
                Origin::Producer(tag) => Some(self.objects().tags[tag.0 as usize].site),
                Origin::Location(_) => None,
            })
            .collect();
        let sites = (0..self.objects().sites.len() as u32).map(SiteId);
        sites
            .filter(|site| self.objects().sites[site.0 as usize].kind != SiteKind::Untracked)
            .filter(|site| !assigned.contains(site))
            .map(|site| self.site(site))
            .filter(|name| name.starts_with('O'))
            .collect()
    }

    /// Tags of the objects to which fields of objects with this tag refer, along
    /// at most `depth` references; a chain that begins at a producer and passes
    /// a field says that the field refers to the producer's object.
    fn reachable(&self, from: TagId, depth: u32) -> BTreeSet<TagId> {
        let mut found = BTreeSet::from([from]);
        for _ in 0..depth {
            let owners = found.clone();
            for producer in (0..self.objects().tags.len() as u32).map(TagId) {
                let fields = self.flows_to(Origin::Producer(producer));
                if fields.iter().any(|field| owners.contains(&field.tag)) {
                    found.insert(producer);
                }
            }
        }
        found
    }

    fn flows_to(&self, from: Origin) -> BTreeSet<Location> {
        let mut found = BTreeSet::new();
        let mut open = vec![from];
        while let Some(origin) = open.pop() {
            for edge in &self.interpreted.graph.edges {
                if edge.from == origin && found.insert(edge.to) {
                    open.push(Origin::Location(edge.to));
                }
            }
        }
        found
    }

    /// Bytes copied from the structure below one tag to that below another.
    fn clone_volume(&self, from: &str, to: &str) -> u64 {
        let tags = || (1..self.objects().tags.len() as u32).map(TagId);
        let named = |name: &str| tags().find(|&tag| self.tag(tag) == name).expect("it is there");
        let (sources, targets) = (self.reachable(named(from), 3), self.reachable(named(to), 3));
        let edges = self.interpreted.graph.edges.iter();
        edges
            .filter(|edge| match edge.from {
                Origin::Location(from) => sources.contains(&from.tag),
                Origin::Producer(_) => false,
            })
            .filter(|edge| targets.contains(&edge.to.tag))
            .map(|edge| edge.count * u64::from(edge.bytes))
            .sum()
    }

    /// Copies that a method of this name executed.
    fn copies_in(&self, name: &str) -> u64 {
        let of = |(method, count): (&MethodId, &u64)| {
            self.interpreted.methods[method.0 as usize].starts_with(name).then_some(*count)
        };
        self.by_method.iter().filter_map(of).sum()
    }
}

fn edges(expected: &[(&str, &str, u64)]) -> BTreeMap<(String, String), (u64, u8)> {
    let edges = expected.iter();
    edges.map(|&(from, to, count)| ((from.to_owned(), to.to_owned()), (count, 4))).collect()
}

#[test]
fn context_insensitive() {
    let figure = Figure::of("Figure6Full", 0);
    let expected =
        edges(&[("O41", "O3.ELM", 1000), ("O44", "O3.ELM", 5), ("O3.ELM", "O3.ELM", 1000)]);
    assert_eq!(figure.element_edges(), expected);
    assert!(figure.consumes("O3.ELM"), "the strings are printed");
    assert_eq!(figure.copies_in("Figure6Full$List.add("), 1000);
}

#[test]
fn one_object_sensitive() {
    let figure = Figure::of("Figure6Full", APART);
    let expected = edges(&[
        ("O41", "O3^O39.ELM", 1000),
        ("O44", "O3^O42.ELM", 5),
        ("O3^O39.ELM", "O3^O31.ELM", 1000),
    ]);
    assert_eq!(figure.element_edges(), expected);
    assert!(figure.consumes("O3^O42.ELM"), "the strings are printed");
    assert!(!figure.consumes("O3^O39.ELM"), "the numbers are not");
}

#[test]
fn as_printed_the_last_element_is_not_copied() {
    let figure = Figure::of("Figure6", APART);
    let copied = ("O3^O39.ELM".to_owned(), "O3^O31.ELM".to_owned());
    assert_eq!(figure.element_edges()[&copied], (999, 4));
    assert_eq!(figure.clone_volume("O3^O39", "O3^O31"), 3996);
}

#[test]
fn clones() {
    let figure = Figure::of("Figure6Full", APART);
    for (from, to) in [("O3^O39", "O3^O31"), ("O39", "O31^O46"), ("O46", "O32^O46")] {
        assert_eq!(figure.clone_volume(from, to), 4000, "from {from} to {to}");
    }
    assert_eq!(figure.clone_volume("O42", "O31^O46"), 0);
}

#[test]
fn not_assigned_to_the_heap() {
    for slots in [0, 4, APART] {
        let found = Figure::of("Figure6Full", slots).never_assigned();
        let expected = ["O16", "O32", "O35", "O46", "O47"].map(str::to_owned);
        assert_eq!(found, BTreeSet::from(expected));
    }
}

//! Graphs whose nodes have names instead of numbers, so that two recordings of
//! a program can be compared.

use std::collections::{BTreeMap, BTreeSet};

use profile::MethodId;
use profile::dataflow::{
    CopyProfile, CostGraph, CostNodeId, Effect, Location, NullGraph, NullKind, NullNodeId, Objects,
    Origin, Place, SiteId, SiteKind, TagId,
};

use crate::rules::SiteName;

/// What numbers of a recording stand for.
pub struct Names<'a> {
    /// Class, name and descriptor of a method: `a.B.c()V`.
    pub method: &'a dyn Fn(MethodId) -> String,
    /// The program's own classes. Of everything else only what these touch is
    /// compared: the JDK does a lot before `main`, and not the same everywhere.
    pub own: &'a BTreeSet<String>,
}

/// A name, and whether what it names is the program's own.
type Named = (String, bool);

impl Names<'_> {
    /// The name of a site, which other recordings of the program share.
    pub fn site(&self, objects: &Objects, site: SiteId) -> SiteName {
        let site = &objects.sites[site.0 as usize];
        SiteName {
            method: site.place.method.map(self.method).unwrap_or_default(),
            bci: site.place.bci,
            class: site.class.clone(),
            kind: site.kind,
        }
    }

    fn is_own(&self, method: &str) -> bool {
        let class_and_name = method.split('(').next().unwrap_or_default();
        class_and_name.rsplit_once('.').is_some_and(|(class, _)| self.own.contains(class))
    }

    fn tag(&self, objects: &Objects, tag: TagId) -> Named {
        if tag == TagId::UNKNOWN {
            return ("unknown".to_owned(), false);
        }
        let slot = objects.tags[tag.0 as usize].slot;
        let site = self.site(objects, objects.tags[tag.0 as usize].site);
        if site.kind == SiteKind::Untracked {
            return (format!("untracked {}", site.class), false);
        }
        let SiteName { method, bci, class, kind } = &site;
        (format!("{kind:?} {class} at {method}:{bci}^{slot}"), self.is_own(method))
    }

    fn location(&self, objects: &Objects, location: Location) -> Named {
        let field = objects.field(location);
        if field.is_static {
            return (format!("{}.{}", field.class, field.name), self.own.contains(&field.class));
        }
        let (tag, own_tag) = self.tag(objects, location.tag);
        if field.class.is_empty() {
            return (format!("[{tag}].ELM"), own_tag);
        }
        let own = self.own.contains(&field.class);
        (format!("[{tag}].{}.{}", field.class, field.name), own)
    }

    fn origin(&self, objects: &Objects, origin: Origin) -> Named {
        match origin {
            Origin::Producer(tag) => self.tag(objects, tag),
            Origin::Location(location) => self.location(objects, location),
        }
    }

    fn place(&self, place: Place) -> Named {
        let method = place.method.map(self.method).unwrap_or_default();
        let own = self.is_own(&method);
        (format!("{method}:{}", place.bci), own)
    }
}

/// A recording with names, as far as the program's own classes are concerned:
/// what it consists of, in groups, each entry with a count (1 where there is
/// none).
#[derive(Debug, Default, PartialEq, Eq)]
pub struct NamedGraph {
    groups: BTreeMap<&'static str, BTreeMap<String, u64>>,
}

impl NamedGraph {
    /// A copy graph.
    pub fn of_copies(copies: &CopyProfile, names: &Names<'_>) -> Self {
        let objects = &copies.objects;
        let mut graph = Self::of_objects(objects, names);
        for edge in &copies.edges {
            let (from, own_from) = names.origin(objects, edge.from);
            let (to, own_to) = names.location(objects, edge.to);
            let (store, own_store) = names.place(copies.stores[edge.store.0 as usize].place);
            let own_location = matches!(edge.from, Origin::Location(_)) && own_from;
            if own_store || own_to || own_location {
                let bytes = edge.bytes;
                graph.add("edge", format!("{from} -> {to} by {store}, {bytes} bytes"), edge.count);
            }
        }
        for at in 0..objects.tags.len() as u32 {
            let (tag, own) = names.tag(objects, TagId(at));
            if own {
                graph.add("assigned", tag, copies.assigned(TagId(at)).objects);
            }
        }
        for &origin in &copies.consumed {
            graph.note("consumed", names.origin(objects, origin));
        }
        for context in &objects.contexts {
            let (tag, own) = names.tag(objects, context.tag);
            if own {
                let SiteName { method, bci, class, kind } =
                    names.site(objects, SiteId(context.context));
                let receiver = format!("{kind:?} {class} at {method}:{bci}");
                graph
                    .groups
                    .entry("context")
                    .or_default()
                    .insert(format!("{tag} of {receiver}"), 1);
            }
        }
        graph
    }

    /// A cost graph.
    pub fn of_costs(costs: &CostGraph, names: &Names<'_>) -> Self {
        let objects = &costs.objects;
        let mut graph = Self::of_objects(objects, names);
        let node = |id: CostNodeId| {
            let instruction = costs.instruction(id);
            let (place, own) = names.place(instruction.place);
            let slot = costs.nodes[id.0 as usize].slot;
            let slot = slot.map_or("-".to_owned(), |slot| slot.to_string());
            (format!("{:?} {place}^{slot}", instruction.kind), own)
        };
        for (at, of) in costs.nodes.iter().enumerate() {
            let (name, own) = node(CostNodeId(at as u32));
            if own {
                graph.add("node", name, of.frequency);
            }
        }
        for &(from, to) in &costs.edges {
            let ((from, own_from), (to, own_to)) = (node(from), node(to));
            graph.note("dependence", (format!("{from} -> {to}"), own_from && own_to));
        }
        for effect in &costs.effects {
            let (node, own) = node(effect.node);
            let what = match effect.effect {
                Effect::Allocates(tag) => format!("U {}", names.tag(objects, tag).0),
                Effect::Stores(to) => format!("B {}", names.location(objects, to).0),
                Effect::Loads(from) => format!("C {}", names.location(objects, from).0),
            };
            let named = format!("{node}: {what}");
            graph.note("effect", (named.clone(), own));
            if own && effect.times > 0 {
                graph.add("times", named, effect.times);
            }
        }
        for reference in &costs.references {
            let (from, own) = names.location(objects, reference.from);
            let to = names.tag(objects, reference.to).0;
            graph.note("reference", (format!("{from} -> {to}"), own));
        }
        for used in &costs.locations {
            let (location, own) = names.location(objects, used.location);
            if own {
                graph.add("reads", location.clone(), used.reads);
                graph.add("writes", location.clone(), used.writes);
                graph.add("overwritten", location, used.overwritten);
            }
        }
        graph
    }

    /// Exceptions for nulls, each with the node that handled the null last, and the ways
    /// that led there.
    pub fn of_nulls(nulls: &NullGraph, names: &Names<'_>) -> Self {
        let mut graph = Self::default();
        let node = |id: NullNodeId| {
            let node = &nulls.nodes[id.0 as usize];
            let (place, own) = names.place(node.place);
            let argument = if node.kind == NullKind::Argument { &*node.what } else { "" };
            (format!("{:?} {argument} {place}", node.kind), own)
        };
        // Classes of lambda expressions share their names, so ways are those of names.
        let mut ways: BTreeMap<String, Vec<Named>> = BTreeMap::new();
        for &(from, to) in &nulls.edges {
            let ((from, _), (to, own)) = (node(from), node(to));
            ways.entry(to).or_default().push((from, own));
        }
        let mut open: Vec<String> = Vec::new();
        for raised in &nulls.exceptions {
            let (place, own) = names.place(raised.place);
            if own {
                let last = raised.last.map(|last| node(last).0);
                let by = last.as_deref().unwrap_or("something unknown");
                graph.add("raised", format!("{place} by {by}"), raised.caught + raised.uncaught);
                open.extend(last);
            }
        }
        while let Some(to) = open.pop() {
            // Each node leads to others once.
            for (from, own) in ways.remove(&to).unwrap_or_default() {
                graph.note("null", (format!("{from} -> {to}"), own));
                open.push(from);
            }
        }
        graph
    }

    fn of_objects(objects: &Objects, names: &Names<'_>) -> Self {
        let mut graph = Self::default();
        for (at, allocations) in objects.allocations.iter().enumerate() {
            let (tag, own) = names.tag(objects, TagId(at as u32));
            if own {
                graph.add("objects", tag, allocations.objects);
            }
        }
        graph
    }

    fn add(&mut self, group: &'static str, name: String, count: u64) {
        if count > 0 {
            *self.groups.entry(group).or_default().entry(name).or_default() += count;
        }
    }

    /// Adds what has no count, if it is the program's own.
    fn note(&mut self, group: &'static str, (name, own): Named) {
        if own {
            self.groups.entry(group).or_default().insert(name, 1);
        }
    }

    /// How many entries there are.
    pub fn len(&self) -> usize {
        self.groups.values().map(BTreeMap::len).sum()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Every entry that the two have not alike, one line each.
    pub fn differences(&self, recorded: &Self) -> Vec<String> {
        let empty = BTreeMap::new();
        let groups: BTreeSet<_> = self.groups.keys().chain(recorded.groups.keys()).collect();
        let mut lines = Vec::new();
        for group in groups {
            let [mine, theirs] =
                [self, recorded].map(|graph| graph.groups.get(group).unwrap_or(&empty));
            let names: BTreeSet<_> = mine.keys().chain(theirs.keys()).collect();
            for name in names {
                let [by_rules, by_agent] =
                    [mine, theirs].map(|group| group.get(name).copied().unwrap_or_default());
                if by_rules != by_agent {
                    lines.push(format!(
                        "{group} {name}: {by_rules} by the rules, {by_agent} recorded"
                    ));
                }
            }
        }
        lines
    }
}

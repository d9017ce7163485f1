//! Typestate histories (Xu et al. 2014, section 2.1): objects that broke their protocol, what
//! led there, and objects that leak.

use std::collections::{BTreeMap, VecDeque};

use profile::Profile;
use profile::dataflow::{
    ERROR_STATE, Place, TypestateEdge, TypestateNode, TypestateProfile, TypestateProtocol,
    TypestateSite,
};
use rustc_hash::FxHashMap;

use crate::dataflow::method_table::{MethodTable, Renumbering};
use tree::error::{Error, Result};
use tree::names::method::Method;

/// The histories of one or several runs.
#[derive(Debug, Default)]
pub struct Histories {
    /// The methods that places refer to.
    pub methods: Vec<Method>,
    /// The histories, edges between two nodes once each.
    pub graph: TypestateProfile,
}

/// Objects of one protocol that were made or obtained at the same site.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Group {
    /// Index of the protocol.
    pub protocol: u32,
    /// Index of the site; `None` of objects that nobody saw being made.
    pub site: Option<u32>,
    /// How many there were.
    pub objects: u64,
    /// How many broke the protocol, by what they did.
    pub broken: Vec<Violation>,
    /// How many ended in states in which objects leak.
    pub leaks: Vec<Leak>,
}

/// A call that broke the protocol.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Violation {
    /// Index of its node.
    pub node: u32,
    /// How many objects it happened to.
    pub objects: u64,
    /// Indices of all nodes from which the way leads there, in the order of the calls, the
    /// node itself last.
    pub history: Vec<u32>,
}

/// Objects that ended in a state in which they leak.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Leak {
    /// Index of the state.
    pub state: u32,
    /// How many.
    pub objects: u64,
    /// Indices of the nodes of their last events, and how many objects each was the last
    /// one of, the most first.
    pub last: Vec<(u32, u64)>,
}

impl Group {
    /// How many objects broke the protocol.
    pub fn broken(&self) -> u64 {
        self.broken.iter().fold(0, |sum, one| sum.saturating_add(one.objects))
    }

    /// How many objects leak.
    pub fn leaking(&self) -> u64 {
        self.leaks.iter().fold(0, |sum, one| sum.saturating_add(one.objects))
    }
}

/// Joins the histories of some profiles; each comes with the name it has in messages.
///
/// # Errors
/// If a profile has none, or two have different protocols of one name.
pub fn unite(profiles: &[(String, Profile)]) -> Result<Histories> {
    let mut table = MethodTable::default();
    let mut union = Union::default();
    for (file, profile) in profiles {
        let Some(typestates) = &profile.dataflow.typestates else {
            return Err(Error::new(format!(
                "{file}: no typestate histories were recorded; record with mode=typestate"
            )));
        };
        let methods = table.add(profile);
        union.add(file, typestates, &methods)?;
    }
    let Union { mut graph, edges, .. } = union;
    let edges = edges.into_iter();
    graph.edges = edges.map(|((from, to), count)| TypestateEdge { from, to, count }).collect();
    Ok(Histories { methods: table.finish(), graph })
}

/// Several graphs in one.
#[derive(Default)]
struct Union {
    graph: TypestateProfile,
    sites: BTreeMap<(Place, String, bool), u32>,
    nodes: BTreeMap<NodeKey, u32>,
    edges: BTreeMap<(Option<u32>, u32), u64>,
}

/// What a node is known by: protocol, site, place, event, and the states around.
type NodeKey = (u32, Option<u32>, Place, Option<String>, u32, u32);

impl Union {
    /// Adds the graph of a file.
    fn add(&mut self, file: &str, other: &TypestateProfile, methods: &Renumbering) -> Result<()> {
        let mut protocols = Vec::new();
        for protocol in &other.protocols {
            protocols.push(self.protocol(file, protocol)?);
        }
        let mut sites = Vec::new();
        for site in &other.sites {
            let place = methods.place(site.place);
            let key = (place, site.class.clone(), site.is_obtained);
            let next = self.graph.sites.len() as u32;
            sites.push(*self.sites.entry(key).or_insert_with(|| {
                self.graph.sites.push(TypestateSite { place, ..site.clone() });
                next
            }));
        }
        let mut nodes = Vec::new();
        for node in &other.nodes {
            let node = TypestateNode {
                protocol: protocols[node.protocol as usize],
                site: node.site.map(|site| sites[site as usize]),
                place: methods.place(node.place),
                ..node.clone()
            };
            let TypestateNode { protocol, site, place, event, before, after } = node.clone();
            let next = self.graph.nodes.len() as u32;
            let key = (protocol, site, place, event, before, after);
            nodes.push(*self.nodes.entry(key).or_insert_with(|| {
                self.graph.nodes.push(node);
                next
            }));
        }
        for edge in &other.edges {
            let from = edge.from.map(|from| nodes[from as usize]);
            let sum = self.edges.entry((from, nodes[edge.to as usize])).or_default();
            *sum = sum.saturating_add(edge.count);
        }
        self.graph.lost = self.graph.lost.saturating_add(other.lost);
        self.graph.unfollowed = self.graph.unfollowed.max(other.unfollowed);
        Ok(())
    }

    fn protocol(&mut self, file: &str, protocol: &TypestateProtocol) -> Result<u32> {
        let known = self.graph.protocols.iter().position(|one| one.name == protocol.name);
        match known {
            Some(at) if self.graph.protocols[at] == *protocol => Ok(at as u32),
            Some(_) => Err(Error::new(format!(
                "{file}: its protocol '{}' is not that of the others",
                protocol.name
            ))),
            None => {
                self.graph.protocols.push(protocol.clone());
                Ok(self.graph.protocols.len() as u32 - 1)
            }
        }
    }
}

/// How often each node was met.
pub fn counts(graph: &TypestateProfile) -> Vec<u64> {
    let mut counts = vec![0u64; graph.nodes.len()];
    for edge in &graph.edges {
        let count = &mut counts[edge.to as usize];
        *count = count.saturating_add(edge.count);
    }
    counts
}

/// All objects by protocol and site.
pub fn groups(graph: &TypestateProfile) -> Vec<Group> {
    let counts = counts(graph);
    let mut left = counts.clone();
    let mut before: Vec<Vec<u32>> = vec![Vec::new(); graph.nodes.len()];
    // Objects of unknown sites that were obtained later have one.
    let mut objects: BTreeMap<(u32, Option<u32>), u64> = BTreeMap::new();
    for edge in &graph.edges {
        let to = &graph.nodes[edge.to as usize];
        let of_site = objects.entry((to.protocol, to.site)).or_default();
        if edge.from.is_none() || to.event.is_none() {
            *of_site = of_site.saturating_add(edge.count);
        }
        let Some(from) = edge.from else { continue };
        left[from as usize] = left[from as usize].saturating_sub(edge.count);
        before[edge.to as usize].push(from);
        if to.event.is_none() {
            let unknown = objects.entry((to.protocol, None)).or_default();
            *unknown = unknown.saturating_sub(edge.count);
        }
    }
    let mut groups: FxHashMap<(u32, Option<u32>), Group> = FxHashMap::default();
    for ((protocol, site), objects) in objects {
        let group = Group { protocol, site, objects, broken: Vec::new(), leaks: Vec::new() };
        groups.insert((protocol, site), group);
    }
    for (index, node) in (0..).zip(&graph.nodes) {
        let Some(group) = groups.get_mut(&(node.protocol, node.site)) else { continue };
        let at = index as usize;
        if node.after == ERROR_STATE && counts[at] > 0 {
            let history = history(graph, &before, index);
            group.broken.push(Violation { node: index, objects: counts[at], history });
        }
        let state = &graph.protocols[node.protocol as usize].states[node.after as usize];
        if state.is_leak && left[at] > 0 {
            let known = group.leaks.iter().position(|leak| leak.state == node.after);
            let known = known.unwrap_or_else(|| {
                group.leaks.push(Leak { state: node.after, objects: 0, last: Vec::new() });
                group.leaks.len() - 1
            });
            let leak = &mut group.leaks[known];
            leak.objects = leak.objects.saturating_add(left[at]);
            leak.last.push((index, left[at]));
        }
    }
    let mut groups: Vec<Group> = groups.into_values().collect();
    for group in &mut groups {
        let place = |node: u32| graph.nodes[node as usize].place;
        group.broken.sort_by_key(|one| (std::cmp::Reverse(one.objects), place(one.node), one.node));
        group.leaks.sort_by_key(|leak| leak.state);
        for leak in &mut group.leaks {
            leak.last
                .sort_by_key(|&(node, objects)| (std::cmp::Reverse(objects), place(node), node));
        }
    }
    groups.sort_by_key(|group| (group.protocol, group.site));
    groups
}

/// The nodes from which a way leads to a node, which comes last: in the order of their
/// distance from the first events.
fn history(graph: &TypestateProfile, before: &[Vec<u32>], last: u32) -> Vec<u32> {
    let mut reached = vec![last];
    let mut is_reached = vec![false; graph.nodes.len()];
    is_reached[last as usize] = true;
    let mut next = 0;
    while let Some(&node) = reached.get(next) {
        next += 1;
        for &from in &before[node as usize] {
            if !std::mem::replace(&mut is_reached[from as usize], true) {
                reached.push(from);
            }
        }
    }
    // Forward from those to which no way leads within them.
    let mut distances: FxHashMap<u32, u32> = FxHashMap::default();
    let firsts = graph.edges.iter().filter(|edge| edge.from.is_none()).map(|edge| edge.to);
    let mut queue: VecDeque<(u32, u32)> =
        firsts.filter(|&node| is_reached[node as usize]).map(|node| (node, 0)).collect();
    let mut after: FxHashMap<u32, Vec<u32>> = FxHashMap::default();
    for &node in &reached {
        for &from in &before[node as usize] {
            after.entry(from).or_default().push(node);
        }
    }
    while let Some((node, distance)) = queue.pop_front() {
        if distances.contains_key(&node) {
            continue;
        }
        distances.insert(node, distance);
        for &next in after.get(&node).into_iter().flatten() {
            queue.push_back((next, distance + 1));
        }
    }
    let key = |&node: &u32| {
        let distance = distances.get(&node).copied().unwrap_or(u32::MAX);
        (node == last, distance, graph.nodes[node as usize].place, node)
    };
    reached.sort_by_key(key);
    reached
}

#[cfg(test)]
mod tests {
    use profile::dataflow::TypestateState;
    use profile::{ClassId, ClassInfo, MethodId, MethodInfo};

    use super::*;

    const START: u32 = 1;
    const CLOSED: u32 = 2;

    fn node(line: u16, event: &str, site: Option<u32>, before: u32, after: u32) -> TypestateNode {
        let place = Place { method: Some(MethodId(0)), bci: line, line };
        let event = (!event.is_empty()).then(|| event.to_owned());
        TypestateNode { protocol: 0, site, place, event, before, after }
    }

    /// Three files: one read after it was closed, one that stays open, one unknown.
    fn graph() -> TypestateProfile {
        let state = |name: &str| TypestateState { name: name.into(), is_leak: name == "open" };
        let states = ["error", "open", "closed"].map(state).to_vec();
        let place = Place { method: Some(MethodId(0)), bci: 1, line: 1 };
        let edge = |from, to, count| TypestateEdge { from, to, count };
        TypestateProfile {
            protocols: vec![TypestateProtocol { name: "file".into(), start: START, states }],
            sites: vec![TypestateSite { place, class: "File".into(), is_obtained: false }],
            nodes: vec![
                node(1, "", Some(0), START, START),
                node(5, "read", Some(0), START, START),
                node(6, "close", Some(0), START, CLOSED),
                node(5, "read", Some(0), CLOSED, ERROR_STATE),
                node(5, "read", None, START, START),
            ],
            edges: vec![
                edge(None, 0, 2),
                edge(Some(0), 1, 2),
                edge(Some(1), 1, 8),
                edge(Some(1), 2, 1),
                edge(Some(2), 3, 1),
                edge(None, 4, 1),
            ],
            lost: 0,
            unfollowed: 0,
        }
    }

    #[test]
    fn objects_are_counted_by_site() {
        let groups = groups(&graph());
        let expected = [
            Group {
                protocol: 0,
                site: None,
                objects: 1,
                broken: Vec::new(),
                leaks: vec![Leak { state: START, objects: 1, last: vec![(4, 1)] }],
            },
            Group {
                protocol: 0,
                site: Some(0),
                objects: 2,
                broken: vec![Violation { node: 3, objects: 1, history: vec![0, 1, 2, 3] }],
                leaks: vec![Leak { state: START, objects: 1, last: vec![(1, 1)] }],
            },
        ];
        assert_eq!(groups, expected);
        assert_eq!(counts(&graph()), [2, 10, 1, 1, 1]);
    }

    #[test]
    fn what_is_obtained_is_no_object_of_unknown_site() {
        let mut graph = graph();
        graph.nodes.push(node(9, "", Some(0), START, START));
        graph.edges.push(TypestateEdge { from: Some(4), to: 5, count: 1 });
        let groups = groups(&graph);
        assert_eq!((groups[0].objects, groups[0].leaking()), (0, 0));
        assert_eq!((groups[1].objects, groups[1].leaking()), (3, 2));
    }

    fn run(mut edit: impl FnMut(&mut TypestateProfile)) -> (String, Profile) {
        let method = MethodInfo::new(ClassId(0), "m", "()V");
        let mut typestates = graph();
        edit(&mut typestates);
        let mut profile = Profile {
            classes: vec![ClassInfo::default()],
            methods: vec![method],
            ..Profile::default()
        };
        profile.dataflow.typestates = Some(typestates);
        ("run".into(), profile)
    }

    #[test]
    fn runs_are_added_up() {
        let one = unite(&[run(|_| ())]).expect("has histories").graph;
        let two = unite(&[run(|_| ()), run(|_| ())]).expect("have histories").graph;
        assert_eq!((one.nodes, one.sites), (two.nodes.clone(), two.sites.clone()));
        let (one, two) = (counts(&graph()), counts(&two));
        assert!(one.iter().zip(two).all(|(one, two)| one * 2 == two));
        let other = run(|graph| graph.protocols[0].states[1].is_leak = false);
        let refused = unite(&[run(|_| ()), other]).expect_err("another protocol");
        assert!(refused.to_string().contains("its protocol 'file' is not that of the others"));
    }
}

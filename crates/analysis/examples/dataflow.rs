//! Writes a profile with copies and costs of a size that large programs have:
//! `cargo run --release --example dataflow -- FILE [NODES EDGES [SEED]]`.
//!
//! Sites, locations and instructions are linked at random: most to close ones, as
//! within a method, some to a few that everybody uses, as in a class library.

use std::fs::File;
use std::path::PathBuf;

use profile::dataflow::{
    Allocations, CopyEdge, CopyProfile, CostGraph, CostNode, CostNodeId, DataFlow, Effect, Field,
    FieldId, HeapEffect, Instruction, InstructionId, InstructionKind, Location, LocationUse,
    Objects, Origin, Place, Reference, Site, SiteId, SiteKind, Store, StoreId, Tag, TagContext,
    TagId,
};
use profile::{ClassId, ClassInfo, MethodId, MethodInfo, Profile};
use support::random::Random;

const METHODS: u32 = 20_000;
const CLASSES: u32 = 2_000;
const FIELDS: u32 = 10_000;
const SLOTS: u32 = 4;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args_os().skip(1);
    let file = PathBuf::from(arguments.next().ok_or("the file to write is missing")?);
    let numbers = arguments.map(|text| text.to_string_lossy().parse::<u64>());
    let numbers = numbers.collect::<Result<Vec<u64>, _>>()?;
    let number = |at: usize, usual: u64| numbers.get(at).copied().unwrap_or(usual);
    let (nodes, edges) = (number(0, 500_000), number(1, 2_000_000));
    let mut random = Random(number(2, 1));

    let flow = DataFlow {
        copies: Some(copies(&mut random, nodes, edges)),
        costs: Some(costs(&mut random, nodes, edges)),
        ..DataFlow::default()
    };
    let class =
        |number| ClassInfo { name: format!("org.example.C{number}"), ..ClassInfo::default() };
    let method =
        |number: u32| MethodInfo::new(ClassId(number % CLASSES), format!("m{number}"), "()V");
    let profile = Profile {
        classes: (0..CLASSES).map(class).collect(),
        methods: (0..METHODS).map(method).collect(),
        dataflow: flow,
        ..Profile::default()
    };
    profile.validate()?;
    profile::write(&profile, File::create(file)?)?;
    Ok(())
}

/// Draws of a synthetic recording.
trait Draws {
    /// Mostly small, sometimes up to 2^`bits`.
    fn mostly_small(&mut self, bits: u64) -> u64;

    /// A number below `bound` that is most often close to `near`, sometimes one
    /// of a few popular ones.
    fn linked(&mut self, near: u64, bound: u64) -> u64;

    /// A place in code.
    fn place(&mut self) -> Place;
}

impl Draws for Random {
    fn mostly_small(&mut self, bits: u64) -> u64 {
        let bits = self.below(bits + 1);
        1 + self.below(1 << bits)
    }

    fn linked(&mut self, near: u64, bound: u64) -> u64 {
        match self.below(10) {
            0 => self.mostly_small(10).min(bound - 1),
            1 => self.below(bound),
            _ => (near + self.below(64)).saturating_sub(32).min(bound - 1),
        }
    }

    fn place(&mut self) -> Place {
        let method = Some(MethodId(self.below(METHODS.into()) as u32));
        let bci = self.below(2_000) as u16;
        Place { method, bci, line: bci / 3 + 1 }
    }
}

fn objects(random: &mut Random, tags: u64) -> Objects {
    let mut objects = Objects { slots: SLOTS, ..Objects::default() };
    let sites = (tags / 3).max(1);
    for number in 0..sites {
        let array = number % 3 == 0;
        objects.sites.push(Site {
            place: random.place(),
            class: format!("org.example.C{}{}", number % 777, if array { "[]" } else { "" }),
            kind: if array { SiteKind::Array } else { SiteKind::New },
        });
    }
    for tag in 1..=tags {
        let site = SiteId(1 + (tag % sites) as u32);
        let context = 1 + random.below(sites) as u32;
        objects.tags.push(Tag { site, slot: 1 + context % SLOTS });
        objects.contexts.push(TagContext { tag: TagId(tag as u32), context });
        let made = random.mostly_small(24);
        objects.allocations.push(Allocations { objects: made, bytes: 24 * made });
    }
    for number in 0..FIELDS {
        objects.fields.push(Field {
            class: format!("org.example.C{}", number % 777),
            name: format!("f{number}"),
            descriptor: "Ljava/lang/Object;".into(),
            is_static: number % 50 == 0,
        });
    }
    objects
}

/// A location of objects of that tag, or a static field.
fn location(random: &mut Random, objects: &Objects, tag: u64) -> Location {
    let field = FieldId((tag % 97 * 100 + random.below(4)) as u32);
    let is_static = objects.fields[field.0 as usize].is_static;
    Location { tag: if is_static { TagId::UNKNOWN } else { TagId(tag as u32) }, field }
}

fn copies(random: &mut Random, nodes: u64, edges: u64) -> CopyProfile {
    let tags = (nodes / 4).clamp(1, (1 << 17) - 1);
    let objects = objects(random, tags);
    let stores: Vec<Store> =
        (0..50_000).map(|_| Store { place: random.place(), field: FieldId(0) }).collect();
    let mut copies = CopyProfile { objects, stores, ..CopyProfile::default() };
    for _ in 0..edges {
        let tag = random.below(tags);
        let from = if random.below(5) == 0 {
            Origin::Producer(TagId(tag as u32 + 1))
        } else {
            Origin::Location(location(random, &copies.objects, tag + 1))
        };
        let owner = random.linked(tag, tags) + 1;
        copies.edges.push(CopyEdge {
            from,
            to: location(random, &copies.objects, owner),
            store: StoreId(random.below(50_000) as u32),
            count: random.mostly_small(26),
            bytes: 1 << random.below(4),
        });
    }
    for _ in 0..nodes / 4 {
        let tag = random.below(tags) + 1;
        copies.consumed.push(Origin::Location(location(random, &copies.objects, tag)));
    }
    copies
}

fn costs(random: &mut Random, nodes: u64, edges: u64) -> CostGraph {
    use InstructionKind::{Allocate, Compute, Load, Native, Predicate, Store};
    const KINDS: [InstructionKind; 16] = [
        Compute, Compute, Compute, Compute, Compute, Compute, Compute, Load, Load, Load, Load,
        Store, Store, Allocate, Predicate, Native,
    ];
    let tags = (nodes / 4).clamp(1, (1 << 17) - 1);
    let mut graph = CostGraph { objects: objects(random, tags), ..CostGraph::default() };
    let mut stores: Vec<u64> = Vec::new();
    for number in 0..nodes {
        let kind = KINDS[random.below(16) as usize];
        let instruction = Instruction { place: random.place(), kind, field: FieldId(0) };
        graph.instructions.push(instruction);
        graph.nodes.push(CostNode {
            instruction: InstructionId(number as u32),
            slot: (!kind.consumes()).then(|| random.below(SLOTS.into()) as u32),
            frequency: random.mostly_small(28),
        });
        let node = CostNodeId(number as u32);
        for _ in 0..random.mostly_small(2) {
            let tag = random.linked(number / 4, tags) + 1;
            let at = location(random, &graph.objects, tag);
            let times = random.mostly_small(20);
            match kind {
                Load => graph.effects.push(HeapEffect { node, effect: Effect::Loads(at), times }),
                Store => {
                    graph.effects.push(HeapEffect { node, effect: Effect::Stores(at), times });
                    let to = TagId(random.linked(tag, tags) as u32 + 1);
                    graph.references.push(Reference { from: at, to });
                    let (writes, reads) = (random.mostly_small(20), random.mostly_small(20));
                    let used = LocationUse { location: at, writes, reads, overwritten: 0 };
                    graph.locations.push(used);
                }
                _ => {}
            }
        }
        if kind == Store {
            stores.push(number);
        }
    }
    let kind = |graph: &CostGraph, node: u64| graph.instructions[node as usize].kind;
    while (graph.edges.len() as u64) < edges {
        let to = random.below(nodes);
        // What is loaded was stored; all else uses what was made before it, but
        // for one in a hundred in loops.
        let from = match kind(&graph, to) {
            Load => stores.get(random.below(stores.len() as u64) as usize).copied().unwrap_or(0),
            _ if random.below(100) == 0 => random.linked(to, nodes),
            _ => to.saturating_sub(1 + random.mostly_small(6)),
        };
        if !matches!(kind(&graph, from), Store | Predicate | Native) || kind(&graph, to) == Load {
            graph.edges.push((CostNodeId(from as u32), CostNodeId(to as u32)));
        }
    }
    graph
}

//! Costs and benefits of heap locations.

use profile::dataflow::{CostGraph, Effect, Location, LocationUse, TagId};
use rustc_hash::FxHashMap;

use crate::dataflow::costs::relative::Relative;

/// What a heap location costs and brings.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct FieldCosts {
    /// The location.
    pub location: Location,
    /// RAC: the mean HRAC of the nodes that store to it, 0 if there is none.
    pub cost: f64,
    /// RAB: the mean HRAB of the nodes that load from it, 0 if there is none.
    pub benefit: f64,
    /// Nodes that store to it.
    pub storing: u32,
    /// Nodes that load from it.
    pub loading: u32,
    /// A load of it reaches a predicate or a native before any heap store. It
    /// counts in no sum of costs and benefits.
    pub consumed: bool,
    /// Some of the means are of estimates.
    pub estimated: bool,
    /// How often it was used.
    pub uses: LocationUse,
}

/// The locations of a graph, sorted.
#[derive(Debug, Default)]
pub struct Fields {
    /// Each location that was stored to or loaded from.
    pub fields: Vec<FieldCosts>,
}

impl Fields {
    /// Costs and benefits of all locations.
    pub fn new(graph: &CostGraph, relative: &Relative) -> Self {
        let mut fields: FxHashMap<Location, FieldCosts> = FxHashMap::default();
        let mut effects = graph.effects.clone();
        // Sums of floating-point numbers depend on their order.
        effects.sort_unstable();
        effects.dedup();
        for effect in effects {
            let node = effect.node.0;
            match effect.effect {
                Effect::Allocates(_) => {}
                Effect::Stores(location) => {
                    let field = fields.entry(location).or_default();
                    field.storing += 1;
                    let sum = relative.cost[&node];
                    field.cost += sum.value;
                    field.estimated |= sum.estimated;
                }
                Effect::Loads(location) => {
                    let field = fields.entry(location).or_default();
                    field.loading += 1;
                    let sum = relative.benefit[&node];
                    field.benefit += sum.value;
                    field.estimated |= sum.estimated;
                    field.consumed |= relative.consumed[node as usize];
                }
            }
        }
        for uses in &graph.locations {
            let known = &mut fields.entry(uses.location).or_default().uses;
            known.reads = known.reads.saturating_add(uses.reads);
            known.writes = known.writes.saturating_add(uses.writes);
            known.overwritten = known.overwritten.saturating_add(uses.overwritten);
        }
        for (&location, field) in &mut fields {
            field.location = location;
            field.uses.location = location;
            field.cost /= f64::from(field.storing.max(1));
            field.benefit /= f64::from(field.loading.max(1));
        }
        let mut fields: Vec<FieldCosts> = fields.into_values().collect();
        fields.sort_unstable_by_key(|field| field.location);
        Self { fields }
    }

    /// The fields of the objects of a tag.
    pub fn of(&self, tag: TagId) -> &[FieldCosts] {
        let first = self.fields.partition_point(|field| field.location.tag < tag);
        let end = self.fields.partition_point(|field| field.location.tag <= tag);
        &self.fields[first..end]
    }
}

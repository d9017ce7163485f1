//! What `subsume costs --json` prints.

use analysis::dataflow::costs::ranking::{Ranked, RankedField};
use analysis::dataflow::costs::sketch::standard_error;
use analysis::dataflow::costs::structures::HEIGHTS;
use analysis::dataflow::name::Naming;
use serde::Serialize;

use super::{Answer, Symptom, made_at, owners, symptoms};
use crate::cli::dataflow::exactness::Exactness;
use crate::cli::dataflow::names::{JsonSite, JsonTag, owner};

/// Fields that JSON has of a structure: those within four references of one
/// object are thousands.
const JSON_FIELDS: usize = 50;

/// The answer in JSON.
#[derive(Serialize)]
pub struct Document<'a> {
    /// Frequencies of all nodes.
    instances: u64,
    /// Null if they were not counted.
    bytecodes: Option<u64>,
    nodes: usize,
    dependences: usize,
    height: usize,
    structures: Vec<JsonStructure<'a>>,
    /// Entries that `--top` has left out.
    more: usize,
    /// Excess of objects that were not seen being made.
    unseen: f64,
    estimated: Estimated,
    exactness: Exactness<'a>,
}

#[derive(Serialize)]
struct Estimated {
    sums: usize,
    of: usize,
    standard_error: f64,
}

#[derive(Serialize)]
pub struct JsonStructure<'a> {
    /// The context with most excess.
    #[serde(flatten)]
    worst: JsonTag<'a>,
    /// Whose code makes it.
    owner: &'static str,
    /// Contexts of the site.
    of_contexts: usize,
    /// `excess` as a part of all instances, from 0 to 1.
    share: f64,
    /// Instances of the cost that the benefit does not make up for, in all contexts.
    excess: f64,
    cost: f64,
    benefit: f64,
    /// The paper's rate, in the context with most excess.
    rate: f64,
    /// n-RAC and n-RAB for n from 1 on, in the context with most excess.
    rac: [f64; HEIGHTS],
    rab: [f64; HEIGHTS],
    objects: u64,
    bytes: u64,
    /// Sites of the objects that refer to it.
    part_of: Vec<String>,
    /// Those with most excess; how many were left out comes behind them.
    fields: Vec<JsonField<'a>>,
    more_fields: usize,
}

#[derive(Serialize)]
struct JsonField<'a> {
    location: String,
    field: &'a str,
    /// The class that declares the field; null for elements.
    declaring_class: Option<&'a str>,
    owner: JsonSite<'a>,
    /// References from the top of the structure to the field's owner.
    depth: usize,
    excess: f64,
    cost: f64,
    benefit: f64,
    /// Values that were tested, reached native code or led somewhere.
    consumed: f64,
    reads: u64,
    writes: u64,
    overwritten: u64,
    symptoms: Vec<Symptom>,
}

/// The JSON of an answer.
pub fn document<'a>(answer: &Answer<'a>) -> Document<'a> {
    Document {
        instances: answer.instances,
        bytecodes: answer.bytecodes,
        nodes: answer.graph.nodes.len(),
        dependences: answer.graph.edges.len(),
        height: answer.height,
        structures: answer.ranked.iter().map(|one| json_structure(answer, one)).collect(),
        more: answer.more,
        unseen: answer.unseen,
        estimated: Estimated {
            sums: answer.estimated.0,
            of: answer.estimated.1,
            standard_error: standard_error(),
        },
        exactness: Exactness::of_costs(answer.graph),
    }
}

/// The JSON of a structure.
pub fn json_structure<'a>(answer: &Answer<'a>, structure: &Ranked) -> JsonStructure<'a> {
    let naming = answer.naming;
    let fields = answer.ranking.fields(structure.site);
    let worst = answer.structures.structure(structure.worst);
    let owners = owners(answer, structure).into_iter();
    JsonStructure {
        worst: JsonTag::new(naming, structure.worst),
        owner: owner(naming, made_at(answer, structure)),
        of_contexts: structure.contexts,
        share: structure.excess / answer.instances.max(1) as f64,
        excess: structure.excess,
        cost: structure.cost,
        benefit: structure.benefit,
        rate: worst.rate(answer.height),
        rac: worst.cost,
        rab: worst.benefit,
        objects: structure.objects,
        bytes: structure.bytes,
        part_of: owners.map(|owner| naming.site(owner)).collect(),
        fields: fields.iter().take(JSON_FIELDS).map(|field| json_field(naming, field)).collect(),
        more_fields: fields.len().saturating_sub(JSON_FIELDS),
    }
}

fn json_field<'a>(naming: &Naming<'a>, field: &RankedField) -> JsonField<'a> {
    JsonField {
        location: naming.location_of_site(field.uses.location),
        field: naming.field(field.uses.location),
        declaring_class: naming.declaring_class(field.uses.location),
        owner: JsonSite::new(naming, field.site),
        depth: field.depth,
        excess: field.excess,
        cost: field.cost,
        benefit: field.benefit,
        consumed: field.consumed,
        reads: field.uses.reads,
        writes: field.uses.writes,
        overwritten: field.uses.overwritten,
        symptoms: symptoms(field),
    }
}

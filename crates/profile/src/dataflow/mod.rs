//! Data flow in memory: copies, costs and benefits, the ways of nulls, similar memory
//! accesses in loops, how the cost of loops grows, which results methods repeat, and
//! typestate histories.
//!
//! The words are those of "Scalable Runtime Bloat Detection Using Abstract
//! Dynamic Slicing" (TOSEM):
//!
//! - a *site* is where objects are made; a *tag* is a site with a context slot,
//!   and what every object carries;
//! - a *location* is a field of the objects with one tag, the elements of the
//!   arrays with one tag, or a static field;
//! - a *producer* is a tag seen as the source of references to its objects;
//! - a *node* of the cost graph is an instruction in one context slot.
//!
//! Everything is numbered, and numbers are indices into the tables beside them.
//! Number 0 is reserved: site 0 and tag 0 stand for objects of which nothing is
//! known, field 0 for the elements of arrays.

mod bytes;
mod check;
mod copies;
mod cost_bytes;
mod costs;
mod growth;
pub(crate) mod growth_bytes;
mod last_writers;
mod loop_bytes;
mod loops;
mod null_bytes;
mod nulls;
mod objects;
mod place;
pub(crate) mod result_bytes;
mod result_kind;
mod results;
pub(crate) mod typestate_bytes;
mod typestates;

pub use copies::{CopyEdge, CopyProfile, Origin, Store, StoreId};
pub use costs::{
    CostGraph, CostNode, CostNodeId, Effect, HeapEffect, Instruction, InstructionId,
    InstructionKind, LocationUse, Reference, SharedWriters,
};
pub use growth::{GrowthPoint, GrowthProfile, GrowthTotals, LoopEffects, LoopGrowth};
pub use last_writers::ElementWriters;
pub use loops::{LoopProfile, LoopTotals, SimilarLoop, SimilarRead};
pub use nulls::{NullGraph, NullKind, NullNode, NullNodeId, NullPointer};
pub use objects::{
    Allocations, Field, FieldId, Location, LostOrigins, Objects, Site, SiteId, SiteKind, Tag,
    TagContext, TagId,
};
pub use place::Place;
pub use result_kind::ResultKind;
pub use results::{MethodResults, ResultsProfile, ResultsTotals};
pub use typestates::{
    ERROR_STATE, TypestateEdge, TypestateNode, TypestateProfile, TypestateProtocol, TypestateSite,
    TypestateState,
};

/// The sections of data flow that a profile has.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct DataFlow {
    /// Recorded with `mode=copies`.
    pub copies: Option<CopyProfile>,
    /// Recorded with `mode=costs`.
    pub costs: Option<CostGraph>,
    /// Recorded with `mode=nulls`.
    pub nulls: Option<NullGraph>,
    /// Recorded with `mode=loops`, and with `mode=growth`.
    pub loops: Option<LoopProfile>,
    /// Recorded with `mode=growth`.
    pub growth: Option<GrowthProfile>,
    /// Recorded with `mode=results`.
    pub results: Option<ResultsProfile>,
    /// Recorded with `mode=typestate`.
    pub typestates: Option<TypestateProfile>,
}

impl DataFlow {
    /// Checks that every number lies within its table.
    ///
    /// `methods` is how many methods the profile has.
    ///
    /// # Errors
    ///
    /// Names the first number that does not.
    pub fn validate(&self, methods: usize) -> Result<(), crate::Error> {
        self.copies.as_ref().map_or(Ok(()), |copies| copies.validate(methods))?;
        self.costs.as_ref().map_or(Ok(()), |costs| costs.validate(methods))?;
        self.nulls.as_ref().map_or(Ok(()), |nulls| nulls.validate(methods))?;
        self.loops.as_ref().map_or(Ok(()), |loops| loops.validate(methods))?;
        self.growth.as_ref().map_or(Ok(()), |growth| growth.validate(methods))?;
        self.results.as_ref().map_or(Ok(()), |results| results.validate(methods))?;
        self.typestates.as_ref().map_or(Ok(()), |typestates| typestates.validate(methods))
    }
}

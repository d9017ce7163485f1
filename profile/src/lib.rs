//! The profile: what the agent records, what the analyzer reads.
//!
//! A profile is a forest of calling context trees, one per thread, with the
//! tables needed to name what is in it. See [`Profile`] for the shape in
//! memory and `docs/format.md` for the shapes on disk.

mod model;

pub use model::{
    CallSite, ClassId, ClassInfo, Completeness, MethodId, MethodInfo, Metric, NO_PARENT, NodeId,
    Nodes, Origin, Profile, RunInfo, Skipped, ThreadTree,
};

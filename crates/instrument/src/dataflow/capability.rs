//! What a mode of data flow needs of the rest of the agent.

/// One thing that the rest does for a mode that lists it, in
/// [`DataflowMode::capabilities`](super::mode::DataflowMode::capabilities).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Capability {
    /// Values are followed from method to method. Code that does not follow them has to
    /// say so.
    FollowsValues,
    /// Calls are recorded beside, also where the options do not say. A mode that follows
    /// no values tells something of calls.
    RecordsCalls,
    /// A method's context may depend on its callers': `context=chain`.
    FollowsChains,
    /// Nodes remember which node has called them.
    KnowsCallers,
    /// Classes get probes, too, that the options `include` and `exclude` leave out. The
    /// options choose something else then.
    InstrumentsAllClasses,
    /// Fields have others beside them for their last writers.
    KeepsLastWriters,
    /// Classes get fields of the mode's own; all must have them from the beginning.
    AddsFields,
    /// Instructions that leave nothing of a block but themselves are cuts, too
    /// ([`CutRules::of_last_nodes`](crate::plan::CutRules)).
    CountsLastNodes,
    /// Probes note which values are consumed.
    NotesConsumedValues,
    /// Loops are judged, for as many accesses as the option `max-accesses` says.
    JudgesLoops,
    /// Results of calls are compared; the options `max-calls` and `deep` say how many, and by
    /// what.
    ComparesResults,
    /// Objects follow the protocols that the option `protocol` names.
    FollowsProtocols,
}

//! The metadata records of data flow, collected.

use std::collections::BTreeMap;

use crate::growth_records::{GrowthRecord, GrowthTotalsRecord};
use crate::loop_records::{LoopRecord, LoopTotalsRecord};
use crate::metadata::{FieldRecord, StoresRecord, StructureRecord};
use crate::node_records::CostNodesRecord;
use crate::null_records::NullNodesRecord;
use crate::object_records::ObjectRecord;
use crate::result_records::{MethodResultsRecord, ResultsTotalsRecord};
use crate::typestate_records::{
    ProtocolRecord, TypestateNodeRecord, TypestateSiteRecord, TypestateTotalsRecord,
};

/// What names the numbers of data flow.
#[derive(Debug, Default)]
pub(super) struct DataFlowRecords {
    pub(super) fields: Vec<FieldRecord>,
    pub(super) stores: Vec<StoresRecord>,
    pub(super) structures: Vec<StructureRecord>,
    pub(super) objects: Vec<ObjectRecord>,
    /// By method; the last record of each counts.
    pub(super) nodes: BTreeMap<u32, CostNodesRecord>,
    /// By method; the last record of each counts.
    pub(super) null_nodes: BTreeMap<u32, NullNodesRecord>,
    /// By number and node; the last record of each counts.
    pub(super) loops: BTreeMap<(u32, u32), LoopRecord>,
    /// The last one, if loops were judged.
    pub(super) loop_totals: Option<LoopTotalsRecord>,
    /// By the number of the loop; the last record of each counts.
    pub(super) growth: BTreeMap<u32, GrowthRecord>,
    /// The last one, if loops have sizes.
    pub(super) growth_totals: Option<GrowthTotalsRecord>,
    /// By method and depth; the last record of each counts.
    pub(super) results: BTreeMap<(u32, u8), MethodResultsRecord>,
    /// The last one, if results are compared.
    pub(super) results_totals: Option<ResultsTotalsRecord>,
    /// By number; the last record of each counts.
    pub(super) protocols: BTreeMap<u32, ProtocolRecord>,
    /// By number; the last record of each counts.
    pub(super) typestate_sites: BTreeMap<u32, TypestateSiteRecord>,
    /// By number; the last record of each counts.
    pub(super) typestate_nodes: BTreeMap<u32, TypestateNodeRecord>,
    /// The last one, if there are histories.
    pub(super) typestate_totals: Option<TypestateTotalsRecord>,
}

//! A profile in memory: tables and columns.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

use crate::blocks::MethodBlocks;
use crate::dataflow::DataFlow;
use crate::definition::Definition;
use crate::ids::{ClassId, MethodId};
use crate::sampling::Sampling;

/// In [`Nodes::parent`]: the node is the first frame of its thread.
pub const NO_PARENT: u32 = u32::MAX;

/// Everything that one profile file holds.
#[derive(Debug, Clone, Default)]
pub struct Profile {
    /// The run that was recorded, and how complete the record is.
    pub run: RunInfo,
    /// Classes seen, whether or not one of their methods was executed.
    pub classes: Vec<ClassInfo>,
    /// Methods seen, whether or not they were executed.
    pub methods: Vec<MethodInfo>,
    /// One calling context tree per thread; together they cover [`Profile::nodes`].
    pub threads: Vec<ThreadTree>,
    /// The calling contexts.
    pub nodes: Nodes,
    /// What was not instrumented, and why.
    pub skipped: Vec<Skipped>,
    /// A hash of the code of each method, to tell whether it is the same in two
    /// runs; 0 where it is not known. Empty if no method's is known.
    ///
    /// It depends on the instructions with the constants that they name, not
    /// on where these stand in the class file.
    pub code_hashes: Vec<u64>,
    /// Data flow, as far as it was recorded.
    pub dataflow: DataFlow,
    /// Executions of basic blocks, in the order of the methods; empty unless they were
    /// recorded (`lines=on`), and without the methods that were never called.
    pub blocks: Vec<MethodBlocks>,
    /// Bytes that methods allocated, by class, in the order of the methods; empty unless they
    /// were counted.
    pub allocated: Vec<AllocatedBytes>,
}

/// Bytes that the instructions of a method allocated for instances of a class, or for arrays of
/// a type.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AllocatedBytes {
    /// The method.
    pub method: MethodId,
    /// The class, or the type of the arrays: `a.B`, `int[]`.
    pub class: String,
    /// As the JVM lays objects out.
    pub bytes: u64,
}

/// Where a profile comes from.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Origin {
    /// Recorded by the agent, with exact counts.
    #[default]
    Recorded,
    /// Read from another tool's file; the text names the format.
    Imported(String),
}

/// Whether the record goes to the end of the run.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Completeness {
    /// The JVM ended in an orderly way and everything was written.
    #[default]
    Complete,
    /// Written while the program ran on, by `subsume.Profile.dump` or `subsume dump`.
    Snapshot,
    /// The process that records still holds the file, which was read in the midst of
    /// it: each active frame may lack up to 65,536 bytecodes and one method body. Known
    /// of files only ([`read_file`](crate::read_file)), not of bytes.
    Recording,
    /// The run was cut short (`kill -9`, `Runtime.halt`, a crash): each frame
    /// active at that time may lack up to 65,536 bytecodes and one method body.
    CutShort,
}

/// What is needed to judge a profile.
#[derive(Debug, Clone, Default)]
pub struct RunInfo {
    /// Recorded or imported.
    pub origin: Origin,
    /// How the record ended.
    pub completeness: Completeness,
    /// Name, version and vendor of the JVM; empty if unknown.
    pub jvm: String,
    /// The Java command line as far as the JVM tells it.
    pub command_line: String,
    /// The agent's options as given.
    pub options: String,
    /// Version of the agent or importer that wrote the profile.
    pub writer: String,
    /// Process id of the run, 0 if unknown.
    pub process_id: u32,
    /// Start of the run in milliseconds since 1970-01-01T00:00Z; 0 if unknown.
    pub start_millis: u64,
    /// End of the record in milliseconds since 1970; 0 if unknown.
    pub end_millis: u64,
    /// When recording was switched off for the last time, in milliseconds since 1970; 0 if it
    /// was on at the end, or is.
    pub stopped_millis: u64,
    /// How often a context was asked for that found no room, and how many
    /// contexts are missing from a copy of the file made during the run; their
    /// counts are lost. 0 in a whole profile.
    pub contexts_lost: u64,
    /// What ran out when there was no more room, in words; empty if nothing did.
    pub shortage: String,
    /// Calls whose contexts found no room, as far as they were counted.
    pub calls_lost: u64,
    /// Bytecodes that these calls executed, as far as they were counted.
    pub bytecodes_lost: u64,
    /// How many calls of methods were active on all threads when the recording
    /// ended, each of which may lack up to 65,536 bytecodes and one method
    /// body; `None` if unknown. Virtual threads are left out.
    pub active_at_end: Option<u64>,
    /// Bytes of memory-mapped file that the run used, 0 if unknown.
    pub recording_bytes: u64,
    /// True if the agent came into a JVM that was running: calls that were active then
    /// are no contexts.
    pub is_attached: bool,
    /// The plain run whose times stand beside the counts, if there was one.
    pub sampling: Option<Sampling>,
    /// What the run is told apart by from others, such as `version`, by name.
    pub labels: BTreeMap<String, String>,
    /// Methods whose contexts differ by the text of an argument, by class, name and
    /// descriptor, and what the agent's option `split` calls them.
    pub splits: BTreeMap<String, String>,
}

/// A class.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ClassInfo {
    /// Binary name with dots (`java.util.Map$Entry`); generated parts of the
    /// names of hidden classes are normalised so that runs compare.
    pub name: String,
    /// `SourceFile` of the class, empty if it has none.
    pub source_file: String,
    /// Name of its superclass, empty if it has none or it is not known.
    pub superclass: String,
    /// Who defined it, and from what. Of a class that several loaders defined, one of them.
    pub definition: Arc<Definition>,
}

/// A method.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MethodInfo {
    /// The class that declares it.
    pub class: ClassId,
    /// Its name, such as `<init>` or `length`.
    pub name: String,
    /// Its descriptor, such as `(I)V`; empty when the source of an import has none.
    pub descriptor: String,
    /// Access flags of the class file (JVMS 4.6); 0 when unknown.
    pub access: u16,
    /// Call sites in the order of their numbers (see [`Nodes::site`]).
    pub sites: Vec<CallSite>,
}

impl MethodInfo {
    /// A method of which no more is known.
    pub fn new(class: ClassId, name: impl Into<String>, descriptor: impl Into<String>) -> Self {
        Self {
            class,
            name: name.into(),
            descriptor: descriptor.into(),
            access: 0,
            sites: Vec::new(),
        }
    }
}

/// A call site in a method.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CallSite {
    /// Bytecode index of the invoke instruction.
    pub bci: u16,
    /// Its source line, 0 if unknown.
    pub line: u16,
}

/// The calling contexts of one thread, or of several ended threads that share a name.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ThreadTree {
    /// The thread's name.
    pub name: String,
    /// How many threads wrote into this tree, one after the other.
    pub threads: u32,
    /// Its nodes in the columns; may hold several roots ([`NO_PARENT`]).
    pub nodes: Range<u32>,
}

/// Columns of calling contexts, in preorder: a parent stands before its
/// children and a subtree is contiguous. All columns have the same length.
#[derive(Debug, Clone, Default)]
pub struct Nodes {
    /// Method of the context, an index into [`Profile::methods`].
    pub method: Vec<u32>,
    /// Calling context that called it, or [`NO_PARENT`].
    pub parent: Vec<u32>,
    /// Call site in the *parent's* method: 0 = called by the JVM or by frames
    /// that are not instrumented; `k` = the parent's `sites[k - 1]`.
    pub site: Vec<u32>,
    /// The costs, exclusive to each context. A recording has `calls`,
    /// `bytecodes` and `allocations`; an import has what its source had.
    pub metrics: Vec<Metric>,
}

/// One cost per node.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Metric {
    /// `calls`, `bytecodes`, `allocations`, or the name in the imported file
    /// (`weight` for folded stacks).
    pub name: String,
    /// Exclusive cost of each node.
    pub values: Vec<u64>,
}

/// Something that was not instrumented.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Skipped {
    /// Binary class name with dots.
    pub class: String,
    /// Method name and descriptor, empty when the whole class was skipped.
    pub method: String,
    /// Why, in words for the user.
    pub reason: String,
}

impl Profile {
    /// What all nodes of each method have of the metric of this name; zeros without it.
    pub fn by_method(&self, metric: &str) -> Vec<u64> {
        let all = 0..self.nodes.len() as u32;
        match self.nodes.metric(metric) {
            Some(metric) => self.by_method_in(metric, [all]),
            None => vec![0; self.methods.len()],
        }
    }

    /// What those of the nodes of each method have of a metric that are in these ranges,
    /// such as the trees of some threads.
    pub fn by_method_in(
        &self,
        metric: &Metric,
        ranges: impl IntoIterator<Item = Range<u32>>,
    ) -> Vec<u64> {
        let mut sums = vec![0u64; self.methods.len()];
        for range in ranges {
            let range = range.start as usize..range.end as usize;
            let methods = self.nodes.method.get(range.clone()).unwrap_or_default();
            let values = metric.values.get(range).unwrap_or_default();
            for (&method, &value) in methods.iter().zip(values) {
                if let Some(sum) = sums.get_mut(method as usize) {
                    *sum = sum.saturating_add(value);
                }
            }
        }
        sums
    }
}

impl Nodes {
    /// Number of calling contexts.
    pub fn len(&self) -> usize {
        self.method.len()
    }

    /// True if there is no calling context.
    pub fn is_empty(&self) -> bool {
        self.method.is_empty()
    }

    /// The metric of that name.
    pub fn metric(&self, name: &str) -> Option<&Metric> {
        self.metrics.iter().find(|m| m.name == name)
    }
}

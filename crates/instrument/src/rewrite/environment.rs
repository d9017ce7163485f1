//! What rewriting a class needs to know of the recording that it is for.

use profile::metadata::Record;

use crate::catalogue::Catalogue;
use crate::dataflow::last_writers::fields::LastWriters;
use crate::dataflow::objects::tags::Tags;
use crate::dataflow::tables::Graph;
use crate::instance_sizes::InstanceSizes;
use crate::noticed::Noticed;
use crate::options::Options;
use crate::probe::Shim;
use crate::splits::table::SplitTable;
use live::profile_writer::ProfileWriter;
use live::thread_trees::ThreadTrees;

/// The recording, as far as it concerns the rewriter.
#[derive(Debug, Clone, Copy)]
pub struct Environment<'r> {
    /// What the user asked for.
    pub options: &'r Options,
    /// Numbers of classes and methods.
    pub catalogue: &'r Catalogue,
    /// Takes records of what was numbered, and of what is not instrumented.
    pub writer: &'r ProfileWriter,
    /// Takes the shapes of nodes.
    pub trees: &'r ThreadTrees,
    /// Tags of objects, if objects carry any.
    pub tags: Option<&'r Tags>,
    /// Cells with the sizes of instances, for code that counts bytes.
    pub sizes: &'r InstanceSizes,
    /// The methods that are split by texts, if any may be.
    pub splits: Option<&'r SplitTable>,
    /// Which classes the JVM has shown.
    pub noticed: &'r Noticed,
    /// What is kept of data flow, if that is recorded.
    pub graph: Option<&'r Graph>,
    /// Whether recording is on.
    pub is_recording: bool,
    /// Whether classes of the JDK that are loaded without probes get their names: the JVM is
    /// starting, and they will be rewritten at once.
    pub names_in_advance: bool,
    /// Whether code of the JDK may call the runtime classes.
    pub has_runtime: bool,
    /// Whether the agent came into a running JVM: nothing can be added to classes then.
    pub is_attached: bool,
    /// Whether threads keep their slots where they had their secondary seeds.
    pub takes_seeds: bool,
    /// Where the profile's file is mapped.
    pub base_address: u64,
    /// The class files that the agent brings along.
    pub shim: Shim,
}

impl<'r> Environment<'r> {
    /// Appends a record. Without room for it there is none for what it describes.
    pub fn append(&self, record: &Record) {
        self.writer.append(record);
    }

    /// Which classes have last writers, where any have.
    pub fn last_writers(&self) -> Option<&'r LastWriters> {
        self.graph.and_then(|graph| graph.last_writers.as_ref())
    }
}

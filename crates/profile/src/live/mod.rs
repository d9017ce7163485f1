//! The live form: read as it is, or converted to the compact form.
//!
//! A live file is what the agent wrote to up to the last moment, so nothing in
//! it has a checksum and everything in it is checked: indices against the
//! committed words, lists against the number of entries that have room.
//! It may also have been copied while the program wrote to it. Then the parts
//! of the copy are of different moments, and links may lead to what it lacks;
//! that counts as lost, and the rest is read.

mod allocated;
mod arena;
mod below;
mod blocks;
mod catalog;
mod columns;
mod costs;
mod dataflow;
mod dataflow_records;
mod growth;
mod loops;
mod names;
mod nulls;
mod objects;
mod results;
mod typestates;
mod walk;

use std::io::Write;
use std::time::{SystemTime, UNIX_EPOCH};

use crate::dataflow::DataFlow;
use crate::layout::{ARENA_OFFSET, header, metrics};
use crate::{
    Columns, CompactWriter, Completeness, Error, Image, MethodId, Profile, SliceImage, Summary,
    Tables, ThreadTree,
};
use arena::Arena;
pub use below::{LiveContext, Visitor};
use catalog::Catalog;
use columns::ColumnSink;
pub use names::{KnownMethods, LiveNames};
pub use walk::LiveNode;
use walk::{Costs, Sink, Walk};

/// All that contexts count, in the order in which a walk hands it on.
const METRICS: [&str; 10] = [
    "calls",
    "bytecodes",
    "allocations",
    "moved",
    "copies",
    "loads",
    "stores",
    "alu",
    "comparisons",
    "bytes",
];

/// Where the metrics of a recording are among [`METRICS`], in the order of their columns.
fn metrics(image: &impl Image) -> Result<&'static [usize], Error> {
    match image.header_u32(header::METRICS) {
        metrics::NONE => Ok(&[]),
        metrics::CALLS => Ok(&[0, 1, 2, 3]),
        metrics::BYTES => Ok(&[0, 1, 2, 3, 9]),
        metrics::COPIES => Ok(&[0, 1, 2, 3, 4, 5, 6, 7, 8]),
        number => Err(Error::at(
            header::METRICS as u64,
            format!("a context cannot have {number} metrics"),
        )),
    }
}

/// Reads a file in the live form, its magic, version and form checked.
pub(crate) fn read(bytes: &[u8], columns: &Columns) -> Result<Profile, Error> {
    let image = SliceImage::new(bytes)?;
    let mut sink = ColumnSink::new(columns, metrics(&image)?);
    let (mut catalog, threads) = collect(&image, None, &mut sink)?;
    let copies = dataflow::read_copies(&Arena { image: &image }, &catalog)?;
    let costs = costs::read_costs(&Arena { image: &image }, &catalog)?;
    let nulls = nulls::read_nulls(&Arena { image: &image }, &catalog)?;
    let loops = loops::read_loops(&catalog);
    let growth = growth::read_growth(&catalog);
    let results = results::read_results(&catalog);
    let typestates = typestates::read_typestates(&catalog);
    catalog.run.completeness =
        if catalog.ended { Completeness::Complete } else { Completeness::CutShort };
    Ok(Profile {
        run: catalog.run,
        classes: catalog.classes,
        methods: catalog.methods,
        threads,
        nodes: sink.nodes,
        skipped: catalog.skipped,
        dataflow: DataFlow { copies, costs, nulls, loops, growth, results, typestates },
        code_hashes: catalog.code_hashes,
        blocks: catalog.blocks.read(),
        allocated: catalog.allocated.read(),
    })
}

/// How far a conversion gets of the run.
#[derive(Debug, Clone)]
pub struct Ending<'a> {
    /// Goes into the file.
    pub completeness: Completeness,
    /// Words of slots in which threads stand, in ascending order: the nodes that
    /// they lie in, and those above, are active. `None` if unknown.
    pub active: Option<&'a [u32]>,
}

/// Converts a live profile to the compact form, also while the program goes
/// on writing to it. What the program adds meanwhile is in the result or not;
/// each context that is in it comes with those that called it.
///
/// Beside the tables, memory is needed for one block of contexts and the path
/// to the current one. For a [`Completeness::Snapshot`] the end of the record
/// is the current time.
///
/// # Errors
///
/// When `out` fails or the image is damaged.
pub fn write_compact_from_live(
    image: &impl Image,
    ending: Ending<'_>,
    out: impl Write,
) -> Result<Summary, Error> {
    let Ending { completeness, active } = ending;
    let metrics = metrics(image)?;
    let names: Vec<&str> = metrics.iter().map(|&at| METRICS[at]).collect();
    let mut writer = CompactWriter::new(out, &names)?;
    let mut sink = CompactSink { writer: &mut writer, metrics };
    let (mut catalog, threads) = collect(image, active, &mut sink)?;
    let copies = dataflow::read_copies(&Arena { image }, &catalog)?;
    let costs = costs::read_costs(&Arena { image }, &catalog)?;
    let nulls = nulls::read_nulls(&Arena { image }, &catalog)?;
    let loops = loops::read_loops(&catalog);
    let growth = growth::read_growth(&catalog);
    let results = results::read_results(&catalog);
    let typestates = typestates::read_typestates(&catalog);
    if completeness == Completeness::Snapshot {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        catalog.run.end_millis = now.as_millis() as u64;
    }
    catalog.run.completeness = completeness;
    let blocks = catalog.blocks.read();
    let allocated = catalog.allocated.read();
    writer.finish(Tables {
        run: &catalog.run,
        classes: &catalog.classes,
        methods: &catalog.methods,
        threads: &threads,
        skipped: &catalog.skipped,
        dataflow: &DataFlow { copies, costs, nulls, loops, growth, results, typestates },
        code_hashes: &catalog.code_hashes,
        blocks: &blocks,
        allocated: &allocated,
    })
}

/// Writes these metrics of each context.
struct CompactSink<'w, W> {
    writer: &'w mut CompactWriter<W>,
    metrics: &'static [usize],
}

impl<W: Write> Sink for CompactSink<'_, W> {
    fn push(&mut self, depth: u32, method: u32, site: u32, costs: Costs) -> Result<(), Error> {
        let mut chosen = Costs::default();
        for (to, &from) in chosen.iter_mut().zip(self.metrics) {
            *to = costs[from];
        }
        self.writer.push(depth, MethodId(method), site, &chosen[..self.metrics.len()])
    }

    fn end_thread(&mut self) -> u32 {
        self.writer.end_thread();
        self.writer.contexts()
    }
}

/// Hands all contexts to `sink`. Returns everything else, but for how the
/// record ended.
fn collect<I: Image>(
    image: &I,
    active: Option<&[u32]>,
    sink: &mut impl Sink,
) -> Result<(Catalog, Vec<ThreadTree>), Error> {
    let arena = Arena { image };
    let mut catalog = Catalog::default();
    catalog.catch_up(&arena)?;
    let mut walk = Walk::new(&arena, &mut catalog, active.unwrap_or_default(), sink);
    let trees = walk.all()?;
    let lost = walk.lost;
    let active = active.map(|_| walk.active_nodes);
    // Again, for the names of threads and what else has come since.
    catalog.catch_up(&arena)?;
    catalog.complete();
    catalog.run.contexts_lost = image.header_u64(header::CONTEXTS_LOST).saturating_add(lost);
    catalog.run.active_at_end = active;
    catalog.run.recording_bytes =
        image.header_u64(header::COMMITTED).saturating_add(ARENA_OFFSET as u64);
    let mut start = 0;
    let threads = trees
        .iter()
        .map(|tree| {
            let nodes = start..tree.end;
            start = tree.end;
            let name = catalog.tree_names.remove(&tree.record).unwrap_or_default();
            ThreadTree { name, threads: tree.threads, nodes }
        })
        .collect();
    Ok((catalog, threads))
}

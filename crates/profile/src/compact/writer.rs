//! Writes the compact form, a block at a time.

use std::io::Write;

use base::leb128::put;

use super::block::Builder;
use super::section::{self, kind};
use super::write_tables::{self, Tables};
use crate::cursor::put_string;
use crate::{Error, MethodId, NO_PARENT, NodeId, Profile};

/// What was written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Summary {
    /// Calling contexts.
    pub contexts: u32,
    /// Length of the file.
    pub bytes: u64,
}

/// Writes a profile without having its contexts in memory.
///
/// Contexts are pushed in preorder, thread by thread. The tables come last,
/// so that they may still grow meanwhile. Writes are as large as a block, so
/// `out` needs no buffer of its own.
///
/// ```
/// use subsume_profile::{ClassId, ClassInfo, CompactWriter, MethodId, MethodInfo, RunInfo};
/// use subsume_profile::{Tables, ThreadTree, dataflow::DataFlow};
///
/// let mut file = Vec::new();
/// let mut writer = CompactWriter::new(&mut file, &["calls"])?;
/// writer.push(0, MethodId(0), 0, &[1])?;
/// writer.push(1, MethodId(0), 0, &[41])?;
/// writer.end_thread();
/// writer.finish(Tables {
///     run: &RunInfo::default(),
///     classes: &[ClassInfo { name: "Main".into(), ..ClassInfo::default() }],
///     methods: &[MethodInfo {
///         class: ClassId(0),
///         name: "main".into(),
///         descriptor: "([Ljava/lang/String;)V".into(),
///         access: 9,
///         sites: Vec::new(),
///     }],
///     threads: &[ThreadTree { name: "main".into(), threads: 1, nodes: 0..2 }],
///     skipped: &[],
///     dataflow: &DataFlow::default(),
///     code_hashes: &[],
///     blocks: &[],
///     allocated: &[],
/// })?;
/// let profile = subsume_profile::read(&file)?;
/// assert_eq!(profile.nodes.metric("calls").unwrap().values, [1, 41]);
/// # Ok::<(), subsume_profile::Error>(())
/// ```
#[derive(Debug)]
pub struct CompactWriter<W> {
    out: W,
    bytes: u64,
    sections: u64,
    metrics: usize,
    block: Builder,
    contexts: u32,
    /// Length of the path that ends with the last context.
    path: u32,
    /// Greatest depth that the next context can have: that length, or 0 at the
    /// start of a thread.
    deepest: u32,
    /// One more than the largest method number seen.
    methods: u32,
    /// Where each thread ended.
    ends: Vec<u32>,
}

impl<W: Write> CompactWriter<W> {
    /// Starts a file with these metrics.
    ///
    /// # Errors
    ///
    /// When `out` fails.
    pub fn new(mut out: W, metrics: &[&str]) -> Result<Self, Error> {
        let mut bytes = section::write_header(&mut out)?;
        let mut names = Vec::new();
        put(&mut names, metrics.len() as u64);
        for name in metrics {
            put_string(&mut names, name);
        }
        bytes += section::write_table(&mut out, kind::METRICS, &names)?;
        Ok(Self {
            out,
            bytes,
            sections: 1,
            metrics: metrics.len(),
            block: Builder::new(metrics.len()),
            contexts: 0,
            path: 0,
            deepest: 0,
            methods: 0,
            ends: Vec::new(),
        })
    }

    /// Number of contexts pushed so far.
    pub fn contexts(&self) -> u32 {
        self.contexts
    }

    /// Adds the next context in preorder. `depth` is 0 for a first frame of
    /// the thread and at most one more than that of the context before;
    /// `site` is as in [`Nodes::site`](crate::Nodes::site); `costs` has one
    /// value per metric.
    ///
    /// # Errors
    ///
    /// When `out` fails, the depth or the number of costs breaks these rules,
    /// or 4,294,967,294 contexts are there already.
    pub fn push(
        &mut self,
        depth: u32,
        method: MethodId,
        site: u32,
        costs: &[u64],
    ) -> Result<(), Error> {
        if depth > self.deepest {
            return Err(Error::invalid(format!(
                "context {} has depth {depth} where {} is the most",
                self.contexts, self.deepest
            )));
        }
        if costs.len() != self.metrics {
            return Err(Error::invalid(format!(
                "context {} has {} costs for {} metrics",
                self.contexts,
                costs.len(),
                self.metrics
            )));
        }
        if self.contexts == NO_PARENT - 1 || method.0 == u32::MAX {
            return Err(Error::invalid("more contexts or methods than a profile can number"));
        }
        self.block.push(self.path - depth, method.0, site, costs);
        self.path = depth + 1;
        self.deepest = self.path;
        self.contexts += 1;
        self.methods = self.methods.max(method.0 + 1);
        if self.block.is_full() { self.write_block() } else { Ok(()) }
    }

    /// Ends a thread: contexts pushed so far and not in an earlier thread are
    /// its own, and the next context has depth 0.
    pub fn end_thread(&mut self) {
        self.ends.push(self.contexts);
        self.deepest = 0;
    }

    /// Writes what is left. The file is whole only after this.
    ///
    /// # Errors
    ///
    /// When `out` fails, a pushed method is not in the tables, or the threads
    /// are not those that were pushed.
    pub fn finish(mut self, tables: Tables<'_>) -> Result<Summary, Error> {
        if self.methods as usize > tables.methods.len() {
            return Err(Error::invalid(format!(
                "a context of method {} of {}",
                self.methods - 1,
                tables.methods.len()
            )));
        }
        let starts = std::iter::once(0).chain(self.ends.iter().copied());
        let pushed = starts.zip(&self.ends).map(|(start, &end)| start..end);
        if !pushed.eq(tables.threads.iter().map(|thread| thread.nodes.clone()))
            || self.ends.last().copied().unwrap_or(0) != self.contexts
        {
            return Err(Error::invalid("the threads do not cover the contexts in their order"));
        }
        if !self.block.is_empty() {
            self.write_block()?;
        }
        let (sections, bytes) = write_tables::write(&mut self.out, &tables)?;
        self.sections += sections;
        self.bytes += bytes;
        let mut end = Vec::new();
        end.extend_from_slice(&u64::from(self.contexts).to_le_bytes());
        end.extend_from_slice(&self.sections.to_le_bytes());
        self.bytes += section::write(&mut self.out, kind::END, &end)?;
        self.out.flush()?;
        Ok(Summary { contexts: self.contexts, bytes: self.bytes })
    }

    fn write_block(&mut self) -> Result<(), Error> {
        self.bytes += section::write(&mut self.out, kind::NODES, self.block.take())?;
        self.sections += 1;
        Ok(())
    }
}

/// Writes a profile in memory in the compact form.
///
/// # Errors
///
/// When `out` fails, or the profile breaks a rule that
/// [`Profile::validate`] checks.
pub fn write(profile: &Profile, out: impl Write) -> Result<Summary, Error> {
    profile.validate()?;
    let nodes = &profile.nodes;
    let names: Vec<&str> = nodes.metrics.iter().map(|metric| metric.name.as_str()).collect();
    let mut writer = CompactWriter::new(out, &names)?;
    let mut costs = vec![0; names.len()];
    for thread in &profile.threads {
        let mut path: Vec<NodeId> = Vec::new();
        for node in thread.nodes.clone() {
            let at = node as usize;
            while path.last().is_some_and(|last| last.0 != nodes.parent[at]) {
                path.pop();
            }
            for (cost, metric) in costs.iter_mut().zip(&nodes.metrics) {
                *cost = metric.values[at];
            }
            writer.push(path.len() as u32, MethodId(nodes.method[at]), nodes.site[at], &costs)?;
            path.push(NodeId(node));
        }
        writer.end_thread();
    }
    writer.finish(Tables {
        run: &profile.run,
        classes: &profile.classes,
        methods: &profile.methods,
        threads: &profile.threads,
        skipped: &profile.skipped,
        dataflow: &profile.dataflow,
        code_hashes: &profile.code_hashes,
        blocks: &profile.blocks,
        allocated: &profile.allocated,
    })
}

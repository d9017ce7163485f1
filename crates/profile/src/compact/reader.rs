//! Reads the compact form with all cores.

use std::thread;

use super::block::{self, Block, FIRST_METRIC, METHOD, SITE, STEPS};
use super::parents::{self, Loose, Path};
use super::read_tables;
use super::section::{self, Section, kind};
use crate::{Columns, Error, MethodInfo, Metric, NO_PARENT, Nodes, Profile};

/// Reads a file in the compact form, its magic, version and form checked.
pub(crate) fn read(bytes: &[u8], columns: &Columns) -> Result<Profile, Error> {
    let sections = section::chain(bytes)?;
    each_in_parallel(&sections, Section::verify)?;
    let contexts = announced(sections.last(), sections.len().saturating_sub(1))?;
    let metrics = read_tables::read_metrics(&sections)?;
    let blocks = sections
        .iter()
        .filter(|section| section.kind == kind::NODES)
        .map(|section| Block::parse(section, metrics.len()))
        .collect::<Result<Vec<_>, _>>()?;
    let total: u64 = blocks.iter().map(|block| block.nodes as u64).sum();
    let end = sections.last().map_or(0, |section| section.offset);
    if total != contexts || total >= u64::from(NO_PARENT) {
        return Err(Error::at(end, format!("{total} contexts where {contexts} are announced")));
    }
    let mut profile = read_tables::read(&sections, total as u32)?;
    profile.nodes = read_nodes(&blocks, &metrics, columns, &profile.methods)?;
    for thread in &profile.threads {
        let first = thread.nodes.start as usize;
        if !thread.nodes.is_empty() && profile.nodes.parent[first] != NO_PARENT {
            return Err(Error::at(end, format!("a thread begins at context {first}, no root")));
        }
    }
    Ok(profile)
}

/// Compares the end section with the number of sections before it. Returns the
/// number of contexts that it announces.
pub(super) fn announced(end: Option<&Section<'_>>, before: usize) -> Result<u64, Error> {
    let Some(end) = end else {
        return Err(Error::at(0, "no sections"));
    };
    let mut cursor = end.cursor();
    let contexts = cursor.fixed_u64("the end section")?;
    let count = cursor.fixed_u64("the end section")?;
    if count != before as u64 {
        return Err(Error::at(
            end.offset,
            format!("{before} sections where {count} are announced"),
        ));
    }
    Ok(contexts)
}

/// A block and its part of every column.
struct Job<'a> {
    block: &'a Block<'a>,
    first: u32,
    method: &'a mut [u32],
    parent: &'a mut [u32],
    site: &'a mut [u32],
    /// With the column's number in the block.
    metrics: Vec<(usize, &'a mut [u64])>,
}

impl Job<'_> {
    fn run(&mut self, methods: u64, space: &mut Vec<u8>) -> Result<Loose, Error> {
        self.block.decode_u32(METHOD, methods, self.method, space)?;
        self.block.decode_u32(SITE, 1 << 32, self.site, space)?;
        for (column, values) in &mut self.metrics {
            self.block.decode_u64(*column, values, space)?;
        }
        self.block.decode_u32(STEPS, 1 << 32, self.parent, space)?;
        Ok(parents::within_block(self.parent, self.first))
    }
}

fn read_nodes(
    blocks: &[Block<'_>],
    names: &[String],
    columns: &Columns,
    methods: &[MethodInfo],
) -> Result<Nodes, Error> {
    let total = blocks.iter().map(|block| block.nodes).sum();
    let mut nodes = Nodes {
        method: zeros(total)?,
        parent: zeros(total)?,
        site: zeros(total)?,
        metrics: Vec::new(),
    };
    let mut numbers = Vec::new();
    for (number, name) in (FIRST_METRIC..).zip(names) {
        if columns.contains(name) {
            numbers.push(number);
            nodes.metrics.push(Metric { name: name.clone(), values: zeros(total)? });
        }
    }

    let mut jobs = split(blocks, &numbers, &mut nodes);
    let share = share(jobs.len());
    let limit = methods.len() as u64;
    let loose = in_parallel(jobs.chunks_mut(share), |jobs| {
        let mut space = Vec::new();
        jobs.iter_mut().map(|job| job.run(limit, &mut space)).collect::<Result<Vec<_>, _>>()
    })?;

    let mut path = Path::default();
    for (block, loose) in blocks.iter().zip(loose.iter().flatten()) {
        path.settle(loose, &mut nodes.parent, block.offset(STEPS))?;
    }
    check_sites(blocks, &nodes, methods, share)?;
    Ok(nodes)
}

/// Cuts the columns into the parts of the blocks.
fn split<'a>(blocks: &'a [Block<'a>], numbers: &[usize], nodes: &'a mut Nodes) -> Vec<Job<'a>> {
    fn cut<'a, T>(rest: &mut &'a mut [T], len: usize) -> &'a mut [T] {
        let (head, tail) = std::mem::take(rest).split_at_mut(len);
        *rest = tail;
        head
    }
    let mut method = &mut nodes.method[..];
    let mut parent = &mut nodes.parent[..];
    let mut site = &mut nodes.site[..];
    let mut metrics: Vec<&mut [u64]> =
        nodes.metrics.iter_mut().map(|metric| &mut metric.values[..]).collect();
    let mut first = 0;
    let mut jobs = Vec::with_capacity(blocks.len());
    for block in blocks {
        let len = block.nodes;
        jobs.push(Job {
            block,
            first,
            method: cut(&mut method, len),
            parent: cut(&mut parent, len),
            site: cut(&mut site, len),
            metrics: numbers
                .iter()
                .zip(&mut metrics)
                .map(|(&number, rest)| (number, cut(rest, len)))
                .collect(),
        });
        first += len as u32;
    }
    jobs
}

/// Every call site must be one of the parent's method: code that looks up a
/// site later then needs no check.
fn check_sites(
    blocks: &[Block<'_>],
    nodes: &Nodes,
    methods: &[MethodInfo],
    share: usize,
) -> Result<(), Error> {
    let limits: Vec<u32> = methods.iter().map(|method| method.sites.len() as u32).collect();
    let mut first = 0;
    let ranges: Vec<_> = blocks
        .iter()
        .map(|block| {
            let range = first..first + block.nodes;
            first = range.end;
            (block, range)
        })
        .collect();
    in_parallel(ranges.chunks(share), |ranges| {
        for (block, range) in ranges {
            for node in range.clone() {
                let limit = match nodes.parent[node] {
                    NO_PARENT => 0,
                    parent => limits[nodes.method[parent as usize] as usize],
                };
                if nodes.site[node] > limit {
                    let site = nodes.site[node];
                    return Err(Error::at(
                        block.offset(block::SITE),
                        format!("context {node} is called at site {site} of {limit}"),
                    ));
                }
            }
        }
        Ok(())
    })?;
    Ok(())
}

/// How many of so many items each core gets.
fn share(items: usize) -> usize {
    let workers = thread::available_parallelism().map_or(1, |cores| cores.get());
    items.div_ceil(workers).max(1)
}

/// So few items are not worth a thread.
const FEW: usize = 16;

/// Does the work on every item, with all cores if there are many; results in the
/// order of the items, or the error of the first one that failed.
pub(super) fn each_in_parallel<I: Sync, T: Send>(
    items: &[I],
    work: impl Fn(&I) -> Result<T, Error> + Sync,
) -> Result<Vec<T>, Error> {
    let share = if items.len() <= FEW { FEW } else { share(items.len()) };
    let shares = in_parallel(items.chunks(share), |items| {
        items.iter().map(&work).collect::<Result<Vec<_>, _>>()
    })?;
    Ok(shares.into_iter().flatten().collect())
}

/// Does the work on every item, each in a thread of its own if there are
/// several; results in the order of the items, or the error of the first one
/// that failed.
fn in_parallel<I: Send, T: Send>(
    items: impl ExactSizeIterator<Item = I>,
    work: impl Fn(I) -> Result<T, Error> + Sync,
) -> Result<Vec<T>, Error> {
    if items.len() < 2 {
        return items.map(work).collect();
    }
    thread::scope(|scope| {
        let work = &work;
        let running: Vec<_> = items.map(|item| scope.spawn(move || work(item))).collect();
        running
            .into_iter()
            .map(|thread| thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
            .collect()
    })
}

/// A column of zeros. Memory that cannot be had is an error here, where a
/// plain `vec!` would end the process; asking first and dropping it again
/// keeps the zeroing lazy, so that the pages are touched by the workers.
fn zeros<T: Clone + Default>(len: usize) -> Result<Vec<T>, Error> {
    let refused = Vec::<T>::new().try_reserve_exact(len).is_err();
    if refused {
        return Err(Error::invalid(format!("no memory for {len} contexts")));
    }
    Ok(vec![T::default(); len])
}

//! Executions of basic blocks: the sums of the nodes' counters by method.

use super::arena::Arena;
use crate::block_records::BlocksRecord;
use crate::blocks::{Block, BlockCut, MethodBlocks};
use crate::{Image, MethodId};

/// The blocks of the methods, by their places in the catalog.
#[derive(Debug, Default)]
pub(super) struct BlockSums {
    of_methods: Vec<OfMethod>,
}

#[derive(Debug, Default)]
struct OfMethod {
    record: Option<BlocksRecord>,
    /// True if a context of it was seen.
    was_called: bool,
    /// Of each counter.
    sums: Vec<u64>,
}

impl BlockSums {
    fn at(&mut self, method: u32) -> &mut OfMethod {
        let at = method as usize;
        if at >= self.of_methods.len() {
            self.of_methods.resize_with(at + 1, OfMethod::default);
        }
        &mut self.of_methods[at]
    }

    /// Notes what the blocks of a method are.
    pub(super) fn describe(&mut self, method: u32, record: BlocksRecord) {
        self.at(method).record = Some(record);
    }

    /// Adds the counters of a node, of which the first is `first`.
    pub(super) fn add<I: Image>(
        &mut self,
        method: u32,
        arena: &Arena<'_, I>,
        first: u32,
        count: u32,
    ) {
        let known = self.at(method);
        known.was_called = true;
        known.sums.resize(known.sums.len().max(count as usize), 0);
        for (sum, at) in known.sums.iter_mut().zip((first..).step_by(2)) {
            *sum = sum.saturating_add(arena.image.counter(at));
        }
    }

    /// Notes that a method without counters was called.
    pub(super) fn call(&mut self, method: u32) {
        if let Some(known) = self.of_methods.get_mut(method as usize) {
            known.was_called = true;
        }
    }

    /// The blocks of the methods that were called.
    pub(super) fn read(&self) -> Vec<MethodBlocks> {
        let known = (0..).zip(&self.of_methods).filter(|(_, known)| known.was_called);
        known.filter_map(|(method, known)| known.counted(MethodId(method))).collect()
    }
}

impl OfMethod {
    fn counted(&self, method: MethodId) -> Option<MethodBlocks> {
        let record = self.record.as_ref()?;
        let mut sums = self.sums.iter().copied();
        let mut next = || sums.next().unwrap_or(0);
        let mut blocks = Vec::with_capacity(record.blocks.len());
        for (number, runs) in record.blocks.iter().enumerate() {
            let times = (number > 0 || !record.first_is_base).then(&mut next);
            blocks.push(Block { times, runs: runs.clone() });
        }
        let mut cuts = Vec::new();
        for &(block, executed) in &record.cuts {
            let times = next();
            if times > 0 {
                cuts.push(BlockCut { block, executed, times });
            }
        }
        Some(MethodBlocks { method, blocks, cuts })
    }
}

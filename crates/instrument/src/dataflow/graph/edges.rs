//! The tables of dependence edges: one for each tree, written by the thread
//! that has the tree.
//!
//! Edges lie in the file and never move. The heads of the lists that lead to
//! them by their hash lie outside; they are of no use to readers.

use std::sync::atomic::Ordering::{Relaxed, Release};

use parking_lot::Mutex;
use profile::layout::dataflow::{self, edge};
use rustc_hash::FxHashMap;

use arena::Arena;

/// Heads of a new table.
const HEADS_FIRST: u32 = 1 << 8;
/// Edges of a table's first chunk, and of its largest ones.
const CHUNK_FIRST: u32 = 1 << 4;
const CHUNK_LAST: u32 = 1 << 10;

/// Of the hash of an edge; as in `SubsumeDataflow`.
pub const MIX: u64 = 0x9E37_79B9_7F4A_7C15;

/// Words in front of the first head, the first of which is the mask for hashes; as in
/// `SubsumeDataflow`.
pub const MASK_WORDS: u32 = 2;

/// The tables of all trees.
#[derive(Debug, Default)]
pub struct EdgeTables {
    tables: Mutex<FxHashMap<u32, Table>>,
}

#[derive(Debug, Clone, Copy)]
struct Table {
    /// Word of the first head; [`MASK_WORDS`] before it is the mask for hashes.
    heads: u32,
    mask: u32,
    edges: u32,
    /// The next free entry, how many are free, and the size of the chunk.
    next: u32,
    free: u32,
    chunk: u32,
}

/// An edge.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Edge {
    /// The shadow of what is stored.
    pub from: u64,
    /// The tag stored into in the upper half, the number of the store in the
    /// lower.
    pub to: u64,
}

impl Edge {
    fn hash(self) -> u32 {
        (self.from.wrapping_add(self.to.wrapping_mul(MIX)).wrapping_mul(MIX) >> 32) as u32
    }
}

impl EdgeTables {
    /// The word of the first head of a tree's table; `None` without room.
    pub fn heads(&self, arena: &Arena, tree: u32) -> Option<u32> {
        let mut tables = self.tables.lock();
        if let Some(table) = tables.get(&tree) {
            return Some(table.heads);
        }
        let table = Table {
            heads: new_heads(arena, HEADS_FIRST)?,
            mask: HEADS_FIRST - 1,
            edges: 0,
            next: 0,
            free: 0,
            chunk: CHUNK_FIRST / 2,
        };
        tables.insert(tree, table);
        Some(table.heads)
    }

    /// A new edge in a tree's table, in chunks that hang in a list of this
    /// head; `None` without room.
    pub fn create(&self, arena: &Arena, chunks: u32, tree: u32, new: Edge) -> Option<u32> {
        self.heads(arena, tree)?;
        let mut tables = self.tables.lock();
        let table = tables.get_mut(&tree)?;
        if table.free == 0 {
            table.chunk = (table.chunk * 2).min(CHUNK_LAST);
            table.next = new_chunk(arena, chunks, table.chunk, edge::WORDS)?;
            table.free = table.chunk;
        }
        if table.edges > table.mask {
            // Without room for more heads, lists get longer.
            let _ = grow(arena, table);
        }
        let at = table.next;
        arena.word(at + edge::STORE)?.store(new.to as u32, Relaxed);
        arena.word(at + edge::TO)?.store((new.to >> 32) as u32, Relaxed);
        let head = arena.word(table.heads + (new.hash() & table.mask))?;
        arena.word(at + edge::NEXT)?.store(head.load(Relaxed), Relaxed);
        arena.long(at + edge::FROM)?.store(new.from, Release);
        head.store(at, Release);
        table.next += edge::WORDS;
        table.free -= 1;
        table.edges += 1;
        Some(at)
    }
}

fn edge_at(arena: &Arena, at: u32) -> Option<Edge> {
    let to = u64::from(arena.word(at + edge::TO)?.load(Relaxed)) << 32
        | u64::from(arena.word(at + edge::STORE)?.load(Relaxed));
    Some(Edge { from: arena.long(at + edge::FROM)?.load(Relaxed), to })
}

/// Words for heads, with the mask in front.
fn new_heads(arena: &Arena, count: u32) -> Option<u32> {
    let at = arena.take_overflow(count + MASK_WORDS)?;
    arena.word(at)?.store(count - 1, Relaxed);
    Some(at + MASK_WORDS)
}

/// Twice as many heads. The thread that has the table is the one that is here.
fn grow(arena: &Arena, table: &mut Table) -> Option<()> {
    let count = (table.mask + 1).checked_mul(2)?;
    let heads = new_heads(arena, count)?;
    for old in 0..=table.mask {
        let mut at = arena.word(table.heads + old)?.load(Relaxed);
        while at != 0 {
            let next = arena.word(at + edge::NEXT)?;
            let head = arena.word(heads + (edge_at(arena, at)?.hash() & (count - 1)))?;
            let rest = next.swap(head.swap(at, Relaxed), Relaxed);
            at = rest;
        }
    }
    table.heads = heads;
    table.mask = count - 1;
    Some(())
}

/// A chunk of zeroed entries, linked into the list whose head is that word.
/// Gives its first entry.
pub fn new_chunk(arena: &Arena, list: u32, entries: u32, words: u32) -> Option<u32> {
    let at = arena.take(dataflow::CHUNK_FIRST + entries * words)?;
    arena.word(at + dataflow::CHUNK_ENTRIES)?.store(entries, Relaxed);
    let head = arena.word(list)?;
    let mut first = head.load(Relaxed);
    loop {
        arena.word(at + dataflow::CHUNK_NEXT)?.store(first, Relaxed);
        match head.compare_exchange(first, at, Release, Relaxed) {
            Ok(_) => return Some(at + dataflow::CHUNK_FIRST),
            Err(found) => first = found,
        }
    }
}

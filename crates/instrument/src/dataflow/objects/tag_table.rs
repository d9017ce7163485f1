//! Tags: numbers of pairs of a site and a context slot, made when such a pair
//! first occurs.
//!
//! The probes read the tables here directly (`SubsumeTags` and the classes beside
//! it), so they never move. Everything else stands behind a lock and is asked once for each new
//! pair.

use std::sync::atomic::Ordering::{Acquire, Relaxed, Release};
use std::sync::atomic::{AtomicU32, AtomicU64};

use parking_lot::Mutex;
use rustc_hash::{FxHashMap, FxHashSet};

/// Tags are numbered from 1 and below this.
pub const TAGS: u32 = profile::layout::dataflow::TAGS;

/// Blocks of identity hashes. Each belongs to one tag; as in `SubsumeHashes`.
pub const BLOCKS: u32 = 1 << 17;

/// Blocks that tags may take beyond their first one, so that as many are left
/// for new tags.
const SPARE_BLOCKS: u32 = BLOCKS / 2;

/// Blocks of one tag at most: enough that a million objects have hashes that
/// seldom coincide.
const BLOCKS_OF_TAG: usize = 128;

/// The bit of a hash that the JVM's own hashes do not have; as in `SubsumeHashes`.
pub const OWNED: u32 = 1 << 30;

/// Bits of a hash that tell apart the objects in a block; as in `SubsumeHashes`.
pub const BLOCK_BITS: u32 = 13;

/// Entries of the table from site and owner to tag; as in `SubsumeAllocations`.
pub const CONTEXT_ENTRIES: u32 = 1 << 16;

/// Entries of the table from class to tag; as in `SubsumeUntracked`.
pub const UNTRACKED_ENTRIES: u32 = 1 << 12;

/// Numbers by which `SubsumeTags.table` knows the tables of a [`TagTable`].
pub mod number {
    /// From site and owner to tag.
    pub const BY_CONTEXT: u32 = 0;
    /// By tag: the class in the header.
    pub const CLASSES: u32 = 1;
    /// By tag: its site.
    pub const SITES: u32 = 2;
    /// By tag: the block that the next hashes come from.
    pub const BLOCKS: u32 = 3;
    /// By block: the tag that it belongs to.
    pub const OWNERS: u32 = 4;
    /// By tag: the size of its objects.
    pub const SIZES: u32 = 5;
    /// From class to the tag of objects that nobody saw being made.
    pub const UNTRACKED: u32 = 6;
    /// By tag: the hash of its site.
    pub const HASHES: u32 = 7;
}

/// In [`TagTable::sites`]: an object with the tag may get another one.
const PROVISIONAL: u32 = 1 << 31;

/// A tag as it is made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Pair {
    /// Number of the site.
    pub site: u32,
    /// The slot.
    pub slot: u32,
}

/// All tags of a recording.
#[derive(Debug)]
pub struct TagTable {
    /// Direct-mapped: site, owner and tag in one number, to find the tag of a
    /// pair that has occurred before.
    by_context: &'static [AtomicU64],
    /// For each tag, what objects with it have as their class in the header;
    /// 0 as long as nobody knows.
    classes: &'static [AtomicU32],
    /// For each tag, its site, with the highest bit for provisional ones.
    sites: &'static [AtomicU32],
    /// For each tag, the block that the next hashes come from.
    blocks: &'static [AtomicU32],
    /// For each block, the tag that it belongs to.
    owners: &'static [AtomicU32],
    /// For each tag, the size of objects with it, 0 if it is not known or not
    /// always the same.
    sizes: &'static [AtomicU32],
    /// Direct-mapped: a class and the tag of its objects that nobody saw being
    /// made.
    untracked: &'static [AtomicU64],
    /// For each tag, the hash of its site, of which chains of receivers are
    /// made.
    hashes: &'static [AtomicU32],
    inner: Mutex<Inner>,
}

#[derive(Debug)]
struct Inner {
    next_tag: u32,
    free_blocks: u32,
    spare_blocks: u32,
    by_pair: FxHashMap<Pair, u32>,
    contexts: FxHashSet<(u32, u32)>,
    /// Blocks of tags that have more than one.
    more_blocks: FxHashMap<u32, Vec<u32>>,
}

/// What the probes know of a tag's site.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct SiteTraits {
    /// Its hash.
    pub hash: u32,
    /// Whether an object may get another tag.
    pub is_provisional: bool,
}

/// What was new about a pair.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Found {
    /// The tag.
    pub tag: u32,
    /// It did not exist before.
    pub is_new: bool,
    /// The context was not seen with it before.
    pub is_new_context: bool,
}

impl Default for TagTable {
    fn default() -> Self {
        Self {
            by_context: longs(CONTEXT_ENTRIES),
            classes: words(TAGS),
            sites: words(TAGS),
            blocks: words(TAGS),
            owners: words(BLOCKS),
            sizes: words(TAGS),
            untracked: longs(UNTRACKED_ENTRIES),
            hashes: words(TAGS),
            inner: Mutex::new(Inner {
                next_tag: 1,
                free_blocks: BLOCKS,
                spare_blocks: SPARE_BLOCKS,
                by_pair: FxHashMap::default(),
                contexts: FxHashSet::default(),
                more_blocks: FxHashMap::default(),
            }),
        }
    }
}

/// Instrumented code keeps addresses of tables until the process ends.
fn words(count: u32) -> &'static [AtomicU32] {
    (0..count).map(|_| AtomicU32::new(0)).collect::<Vec<_>>().leak()
}

fn longs(count: u32) -> &'static [AtomicU64] {
    (0..count).map(|_| AtomicU64::new(0)).collect::<Vec<_>>().leak()
}

impl TagTable {
    /// Address of a table, by its [`number`]; 0 if there is none.
    pub fn address(&self, number: u32) -> u64 {
        match number {
            number::BY_CONTEXT => self.by_context.as_ptr() as u64,
            number::CLASSES => self.classes.as_ptr() as u64,
            number::SITES => self.sites.as_ptr() as u64,
            number::BLOCKS => self.blocks.as_ptr() as u64,
            number::OWNERS => self.owners.as_ptr() as u64,
            number::SIZES => self.sizes.as_ptr() as u64,
            number::UNTRACKED => self.untracked.as_ptr() as u64,
            number::HASHES => self.hashes.as_ptr() as u64,
            _ => 0,
        }
    }

    /// The tag of a pair, and whether the context is new to it. `None` when
    /// all tags are taken and this pair has none.
    ///
    /// `on_new` hears of it before anybody else can.
    pub fn find(
        &self,
        pair: Pair,
        context: Option<u32>,
        kind: SiteTraits,
        on_new: impl FnOnce(Found),
    ) -> Option<u32> {
        let mut inner = self.inner.lock();
        let known = inner.by_pair.get(&pair).copied();
        let tag = match known {
            Some(tag) => tag,
            None => inner.make(self, pair, kind)?,
        };
        let is_new_context = context.is_some_and(|context| inner.contexts.insert((tag, context)));
        if known.is_none() || is_new_context {
            on_new(Found { tag, is_new: known.is_none(), is_new_context });
        }
        Some(tag)
    }

    /// The site of a tag; 0 if it has none.
    pub fn site_of(&self, tag: u32) -> u32 {
        self.sites.get(tag as usize).map_or(0, |site| site.load(Acquire) & !PROVISIONAL)
    }

    /// Notes the size of objects with a tag; true the first time.
    pub fn set_size(&self, tag: u32, bytes: u32) -> bool {
        self.sizes.get(tag as usize).is_some_and(|size| size.swap(bytes, Relaxed) == 0)
    }

    fn owner(&self, block: u32) -> &AtomicU32 {
        &self.owners[block as usize]
    }

    /// All tags are below this.
    pub fn tags(&self) -> u32 {
        self.inner.lock().next_tag
    }

    /// Another block of hashes for a tag whose objects are many.
    pub fn next_block(&self, tag: u32) {
        let Some(current) = self.blocks.get(tag as usize) else { return };
        let mut inner = self.inner.lock();
        let block = inner.another_block(self, tag, block_of(current.load(Relaxed)));
        current.store(hash_base(block), Release);
    }
}

impl Inner {
    fn make(&mut self, table: &TagTable, pair: Pair, kind: SiteTraits) -> Option<u32> {
        let tag = self.next_tag;
        let site = table.sites.get(tag as usize)?;
        let block = self.take_block(table, tag, mix(kind.hash, pair.slot))?;
        table.blocks.get(tag as usize)?.store(hash_base(block), Release);
        table.hashes.get(tag as usize)?.store(kind.hash, Release);
        site.store(pair.site | if kind.is_provisional { PROVISIONAL } else { 0 }, Release);
        self.next_tag += 1;
        self.by_pair.insert(pair, tag);
        Some(tag)
    }

    /// A new block, or where the tag has enough of them, one that it has.
    fn another_block(&mut self, table: &TagTable, tag: u32, current: u32) -> u32 {
        let mut own = self.more_blocks.remove(&tag).unwrap_or_else(|| vec![current]);
        let may_grow = own.len() < BLOCKS_OF_TAG && self.spare_blocks > 0;
        let demand = mix(current, own.len() as u32);
        let block = match may_grow.then(|| self.take_block(table, tag, demand)).flatten() {
            Some(new) => {
                self.spare_blocks -= 1;
                own.push(new);
                new
            }
            None => {
                let at = own.iter().position(|&block| block == current).unwrap_or(0);
                own[(at + 1) % own.len()]
            }
        };
        self.more_blocks.insert(tag, own);
        block
    }

    /// A free block for a tag: the one wished for, or the next one behind it.
    ///
    /// Threads race for the numbers of tags. Blocks do not follow from these but
    /// from what is the same in every run, so that identity hashes, and with
    /// them the ways that programs take through their hash tables, are so, too.
    fn take_block(&mut self, table: &TagTable, tag: u32, demand: u32) -> Option<u32> {
        self.free_blocks = self.free_blocks.checked_sub(1)?;
        let behind = (0..BLOCKS).map(|step| demand.wrapping_add(step) % BLOCKS);
        let mut free = behind.filter(|&block| table.owner(block).load(Relaxed) == 0);
        let block = free.next()?;
        table.owner(block).store(tag, Release);
        Some(block)
    }
}

/// Spreads a hash and a number.
fn mix(hash: u32, number: u32) -> u32 {
    let mixed = (hash ^ number.wrapping_mul(0x85EB_CA6B)).wrapping_mul(0x9E37_79B1);
    mixed ^ mixed >> 15
}

/// Where the hashes of a block begin: those of different blocks are to differ
/// in the lower bits, too.
fn hash_base(block: u32) -> u32 {
    let start = block.wrapping_mul(0x9E37_79B1) >> (32 - BLOCK_BITS);
    OWNED | block << BLOCK_BITS | start
}

fn block_of(hash: u32) -> u32 {
    (hash & !OWNED) >> BLOCK_BITS
}

#[cfg(test)]
mod tests {
    use super::*;

    fn find(table: &TagTable, site: u32, slot: u32, context: u32) -> (u32, bool, bool) {
        let mut heard = None;
        let tag = table.find(Pair { site, slot }, Some(context), SiteTraits::default(), |found| {
            heard = Some(found)
        });
        let heard = heard.map_or((false, false), |found| (found.is_new, found.is_new_context));
        (tag.expect("there are tags left"), heard.0, heard.1)
    }

    #[test]
    fn a_pair_keeps_its_tag_and_its_contexts_are_known() {
        let table = TagTable::default();
        assert_eq!(find(&table, 7, 1, 10), (1, true, true));
        assert_eq!(find(&table, 7, 2, 11), (2, true, true));
        assert_eq!(find(&table, 7, 1, 10), (1, false, false));
        assert_eq!(find(&table, 7, 1, 12), (1, false, true));
        assert_eq!((table.site_of(1), table.site_of(2), table.site_of(3)), (7, 7, 0));
    }

    #[test]
    fn hashes_tell_the_tag() {
        let table = TagTable::default();
        for site in 1..=300 {
            find(&table, site, 0, 0);
        }
        for tag in [1, 150, 300] {
            for _ in 0..5 {
                let hash = table.blocks[tag as usize].load(Relaxed);
                assert!(hash & OWNED != 0 && hash >> 31 == 0);
                assert_eq!(table.owners[block_of(hash) as usize].load(Relaxed), tag);
                table.next_block(tag);
            }
        }
    }

    #[test]
    fn a_tag_with_enough_blocks_uses_them_again() {
        let table = TagTable::default();
        find(&table, 1, 0, 0);
        let blocks: FxHashSet<u32> = (0..1000)
            .map(|_| {
                table.next_block(1);
                block_of(table.blocks[1].load(Relaxed))
            })
            .collect();
        assert_eq!(blocks.len(), BLOCKS_OF_TAG);
    }

    #[test]
    fn when_tags_run_out_old_ones_stay() {
        let table = TagTable::default();
        let pair = |site| Pair { site, slot: 0 };
        for site in 1..TAGS {
            assert_eq!(table.find(pair(site), None, SiteTraits::default(), |_| ()), Some(site));
        }
        assert_eq!(table.find(pair(TAGS), None, SiteTraits::default(), |_| ()), None);
        assert_eq!(table.find(pair(5), None, SiteTraits::default(), |_| ()), Some(5));
    }
}

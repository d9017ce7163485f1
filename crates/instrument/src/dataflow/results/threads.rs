//! The threads whose results are kept, and the memory in which probes keep them.

use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicU8, AtomicU64};

use base::wildcard;
use parking_lot::{Mutex, RwLock};
use profile::dataflow::{MethodResults, ResultsTotals};
use profile::metadata::Record;
use profile::result_records::{MethodResultsRecord, ResultsTotalsRecord};
use profile::results::STRUCTURAL_DEPTHS;
use rustc_hash::FxHashMap;

use super::layouts::{LAYOUTS, Layout};
use online::loops::memory::Memory;
use online::results::sums::Sums;
use online::results::tables::{self, MethodTables, Which};

/// Words in a thread's block.
pub mod block {
    /// Address behind the frame of the innermost call.
    pub const TOP: usize = 0;
    /// Address behind the last frame.
    pub const END: usize = 1;
    /// The next identity of an object that the thread draws.
    pub const NEXT_IDENTITY: usize = 2;
    /// Calls in too deep a recursion.
    pub const TOO_DEEP: usize = 3;
    /// How many objects may still be looked at for what they hold.
    pub const LEFT_TO_SEE: usize = 4;
    /// Addresses of pages, each with the addresses of headers of methods.
    pub const PAGES: usize = 5;
    /// Binary logarithm of the headers of a page.
    pub const PAGE_BITS: usize = 8;
    /// How many pages there are.
    pub const MOST_PAGES: usize = 1024;
    /// Frames. The first one is nobody's, so that there always is an innermost one.
    pub const FRAMES: usize = PAGES + MOST_PAGES;
    /// Words of a frame.
    pub const FRAME: usize = 8;
    /// How many frames there are.
    pub const MOST_FRAMES: usize = 4096;
    /// All of them.
    pub const WORDS: usize = FRAMES + MOST_FRAMES * FRAME;
}

/// Methods with places in the pages, and methods with a depth behind them.
const MOST_PLACES: u32 = (block::MOST_PAGES as u32) << block::PAGE_BITS;

/// At most so many methods have their objects compared by what these hold.
const MOST_DEEP: u32 = 1 << 10;

/// Methods from this number on are not followed.
pub const MOST_METHODS: u32 = MOST_PLACES - MOST_DEEP * STRUCTURAL_DEPTHS.len() as u32;

/// Numbers that stand for a method whose objects are compared by what they hold, one for
/// each depth.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Deep {
    first: u32,
}

impl Deep {
    /// The number that stands for the method at one of [`STRUCTURAL_DEPTHS`].
    pub fn number(self, depth: u8) -> u32 {
        let at = STRUCTURAL_DEPTHS.iter().position(|&one| one == depth).unwrap_or_default();
        self.first + at as u32
    }
}

/// Bytes that tables may take where the options do not say.
const MEMORY: u64 = 1 << 30;

/// What is known of the code of a method.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Known {
    /// Its number, also where another one stands for it.
    pub method: u32,
    /// How deep objects are compared; 0 by identity.
    pub depth: u8,
    /// Kinds of result that it may turn out to have.
    pub kinds: u8,
    /// Whether it is called on receivers.
    pub has_receivers: bool,
    /// Whether these are other than its inputs.
    pub keeps_receivers: bool,
}

/// A thread, or one after the other that use the same tree.
#[derive(Debug)]
struct Thread {
    block: Box<[AtomicU64]>,
    inner: Mutex<Inner>,
}

#[derive(Debug, Default)]
struct Inner {
    pages: FxHashMap<usize, Box<[AtomicU64]>>,
    methods: FxHashMap<u32, MethodTables>,
}

/// What a recording of results keeps.
#[derive(Debug)]
pub struct ResultTables {
    known: RwLock<FxHashMap<u32, Known>>,
    threads: Mutex<FxHashMap<u32, Arc<Thread>>>,
    /// Of threads that have ended.
    ended: Mutex<Ended>,
    memory: Memory,
    /// A page without headers.
    empty: Box<[AtomicU64]>,
    /// Which methods have their objects compared by what these hold, too.
    deep: &'static [String],
    /// How many have been found.
    found_deep: Mutex<u32>,
    /// Layouts of objects, by the numbers of their classes.
    layouts: Mutex<FxHashMap<u32, Box<[u64]>>>,
    /// Some of them, for probes.
    recent_layouts: Box<[AtomicU64]>,
    /// A byte for each method: not 0 if its calls are followed no longer.
    stopped: Box<[AtomicU8]>,
    /// How many calls of a method are followed at most, rounded up.
    most_calls: u64,
}

#[derive(Debug, Clone, Default)]
struct Ended {
    sums: FxHashMap<u32, Sums>,
    threads: u64,
    too_deep: u64,
}

impl ResultTables {
    /// No threads yet. They may take `max_memory` bytes. The first `most_calls` calls of each
    /// method are followed, rounded up. Methods that match `deep` have their objects compared
    /// by their contents, too.
    pub fn new(max_memory: Option<u64>, most_calls: u64, deep: &'static [String]) -> Self {
        Self {
            most_calls,
            deep,
            found_deep: Mutex::default(),
            layouts: Mutex::default(),
            recent_layouts: tables::words(LAYOUTS),
            known: RwLock::default(),
            threads: Mutex::default(),
            ended: Mutex::default(),
            memory: Memory::new(max_memory.unwrap_or(MEMORY)),
            empty: tables::words(1 << block::PAGE_BITS),
            stopped: (0..MOST_PLACES).map(|_| AtomicU8::new(0)).collect(),
        }
    }

    /// Says what is known of a method that tells of its results.
    pub fn know(&self, known: Known) {
        self.known.write().insert(known.method, known);
    }

    /// Numbers for a method whose objects are compared by what they hold, if the options
    /// name it: `class.method` with dots in the class's name, `*` for any characters.
    pub fn know_deep(&self, name: &str, known: Known) -> Option<Deep> {
        if !self.deep.iter().any(|pattern| wildcard::matches(pattern, name)) {
            return None;
        }
        let mut found = self.found_deep.lock();
        if *found == MOST_DEEP {
            return None;
        }
        let deep = Deep { first: MOST_METHODS + *found * STRUCTURAL_DEPTHS.len() as u32 };
        *found += 1;
        let mut all = self.known.write();
        for depth in STRUCTURAL_DEPTHS {
            all.insert(deep.number(depth), Known { depth, ..known });
        }
        Some(deep)
    }

    /// Whether methods have their objects compared by what these hold.
    pub fn is_deep(&self) -> bool {
        !self.deep.is_empty()
    }

    /// Address of recent layouts.
    pub fn layouts(&self) -> u64 {
        tables::address(&self.recent_layouts)
    }

    /// Address of the layout of objects of the class with this number.
    pub fn layout(&self, class: u32, make: impl FnOnce() -> Layout) -> u64 {
        let mut layouts = self.layouts.lock();
        let words = layouts.entry(class).or_insert_with(|| make().words(class));
        words.as_ptr() as u64
    }

    /// Address of a byte for each method, which probes set when they follow its calls no
    /// longer.
    pub fn stopped(&self) -> u64 {
        self.stopped.as_ptr() as u64
    }

    /// How many calls of a method are followed at most; rounded up to those after which it
    /// is asked whether they are followed any longer.
    pub fn most_calls(&self) -> u64 {
        self.most_calls
    }

    /// Address of the block of a thread that has none yet.
    pub fn attach(&self, tree: u32) -> u64 {
        let mut threads = self.threads.lock();
        let thread = threads.entry(tree).or_insert_with(|| {
            let block = tables::words(block::WORDS);
            Arc::new(Thread { block, inner: Mutex::default() })
        });
        let block = &thread.block;
        for page in &block[block::PAGES..block::PAGES + block::MOST_PAGES] {
            page.store(tables::address(&self.empty), Relaxed);
        }
        block[block::TOP].store(tables::address(&block[block::FRAMES + block::FRAME..]), Relaxed);
        block[block::END].store(tables::address(block) + (block::WORDS as u64) * 8, Relaxed);
        tables::address(block)
    }

    fn thread(&self, tree: u32) -> Option<Arc<Thread>> {
        self.threads.lock().get(&tree).cloned()
    }

    /// Address of the header of a method that the thread of this tree calls for the first
    /// time; 0 if its results cannot be kept.
    pub fn header(&self, tree: u32, method: u32) -> u64 {
        let (Some(thread), Some(known)) =
            (self.thread(tree), self.known.read().get(&method).copied())
        else {
            return 0;
        };
        let (page, index) =
            ((method >> block::PAGE_BITS) as usize, method as usize % (1 << block::PAGE_BITS));
        let mut inner = thread.inner.lock();
        let Inner { pages, methods } = &mut *inner;
        let tables = methods.entry(method).or_insert_with(|| {
            let tables = MethodTables::new(method, known.kinds, known.keeps_receivers);
            self.memory.take(tables.bytes());
            tables
        });
        let headers = pages.entry(page).or_insert_with(|| tables::words(1 << block::PAGE_BITS));
        headers[index].store(tables.address(), Relaxed);
        thread.block[block::PAGES + page].store(tables::address(headers), Relaxed);
        tables.address()
    }

    /// Makes room in a table of a method. The thread of this tree asks for it itself.
    pub fn make_room(&self, tree: u32, method: u32, which: Which) {
        let Some(thread) = self.thread(tree) else { return };
        let mut inner = thread.inner.lock();
        if let Some(tables) = inner.methods.get_mut(&method) {
            tables.make_room(which, |bytes| self.memory.take(bytes));
        }
    }

    fn add(&self, inner: &Inner, sums: &mut FxHashMap<u32, Sums>) {
        let known = self.known.read();
        for (&method, tables) in &inner.methods {
            let Some(known) = known.get(&method) else { continue };
            let sum = sums
                .entry(method)
                .or_insert_with(|| Sums::new(known.method, known.kinds, known.has_receivers));
            sum.add(tables, known.keeps_receivers);
        }
    }

    /// The thread of this tree has ended.
    pub fn end(&self, tree: u32) {
        let Some(thread) = self.thread(tree) else { return };
        let mut inner = thread.inner.lock();
        let mut ended = self.ended.lock();
        self.add(&inner, &mut ended.sums);
        ended.threads += 1;
        ended.too_deep += thread.block[block::TOO_DEEP].swap(0, Relaxed);
        let bytes: usize = inner.methods.values().map(MethodTables::bytes).sum();
        self.memory.give_back(bytes);
        // Nobody reads its block until another thread gets it.
        *inner = Inner::default();
    }

    /// Writes down what was found so far.
    pub fn write(&self, identities: u64, write: &dyn Fn(&Record)) {
        let mut all = self.ended.lock().clone();
        let threads: Vec<Arc<Thread>> = self.threads.lock().values().cloned().collect();
        for thread in threads {
            let inner = thread.inner.lock();
            self.add(&inner, &mut all.sums);
            all.threads += u64::from(!inner.methods.is_empty());
            all.too_deep += thread.block[block::TOO_DEEP].load(Relaxed);
        }
        let mut methods: Vec<u32> = all.sums.keys().copied().collect();
        methods.sort_unstable();
        let known = self.known.read();
        for method in methods {
            let stopped = self.stopped[method as usize].load(Relaxed) != 0;
            let depth = known.get(&method).map_or(0, |known| known.depth);
            let results = MethodResults { stopped, depth, ..all.sums[&method].results() };
            write(&Record::MethodResults(MethodResultsRecord(results)));
        }
        let totals = ResultsTotals { threads: all.threads, identities, too_deep: all.too_deep };
        write(&Record::ResultsTotals(ResultsTotalsRecord(totals)));
    }
}

//! The threads whose loops are judged, and the memory in which their events arrive.

use std::cell::RefCell;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::{Acquire, Relaxed};

use arena::Arena;
use parking_lot::{Mutex, RwLock};
use profile::LiveNames;
use profile::layout::node;
use profile::metadata::Record;
use rustc_hash::FxHashMap;

use super::program::{Owner, Program, StreamRole, StringRole};
use super::reports::{self, Judged};
use super::sizes::Sizes;
use super::streams::Asked;
use live::thread_trees::ThreadTrees;
use online::loops::events;
use online::loops::findings::{Instances, LoopInContext};
use online::loops::judge::{Judge, Totals};
use online::loops::memory::Memory;
use online::loops::program;

/// Word offsets in a thread's block.
pub mod block {
    use online::loops::events;

    /// A u64: address behind the last event.
    pub const CURSOR: u32 = 0;
    /// In how many loops the thread is.
    pub const DEPTH: u32 = 2;
    /// The next identity of an object that the thread draws.
    pub const NEXT_IDENTITY: u32 = 3;
    /// In how many loops it is around the first one that may be judged: without such a
    /// loop, nobody asks for what the thread does.
    pub const UNJUDGED: u32 = 4;
    /// A u64: address of the event of the last iteration, if only reads were told since.
    pub const LAST_ITERATION: u32 = 6;
    /// A u64: first word of the event of the loop that the thread is in, if that has
    /// neither calls nor inner loops.
    pub const LEAF: u32 = 8;
    /// A u64: iterations that were told so far.
    pub const CLOCK: u32 = 10;
    /// u64 numbers: when the current iteration of each loop began that the thread is in,
    /// the outermost one first.
    pub const STARTS: u32 = 12;
    /// Their number.
    pub const MOST_STARTS: u32 = 64;
    /// Events.
    pub const EVENTS: u32 = STARTS + 2 * MOST_STARTS;
    /// From here on there may be no room for another one.
    pub const FULL: u32 = 3840;
    /// Behind the last event.
    pub const END_OF_EVENTS: u32 = 4096;
    /// Pairs of u64 numbers: a place and when it was written, one for each hash of places.
    /// What was written in the iteration in which it is read is not told.
    pub const WRITTEN: u32 = END_OF_EVENTS;
    /// Binary logarithm of their number.
    pub const WRITTEN_BITS: u32 = 10;
    /// Pairs of u64 numbers: the first word of the events of a loop that is not judged, at
    /// the slot of its [hash](super::slot_of_unjudged), and how many of its iterations were
    /// not told since it is there.
    pub const UNJUDGED_LOOPS: u32 = WRITTEN + (4 << WRITTEN_BITS);
    /// Binary logarithm of their number.
    pub const UNJUDGED_BITS: u32 = 10;
    /// Words of a block.
    pub const WORDS: u32 = UNJUDGED_LOOPS + (4 << UNJUDGED_BITS);
    /// Values of one event of a copy.
    pub const MOST_VALUES: u32 = 64;

    const _: () = assert!(FULL + 2 * (events::MOST_WORDS as u32 + MOST_VALUES) <= END_OF_EVENTS);
}

/// Bytes that judging may take where the options do not say.
const MEMORY: u64 = 1 << 30;

/// A thread, or one after the other that use the same tree.
#[derive(Debug)]
pub(super) struct Thread {
    /// Word of its block.
    block: u32,
    pub(super) inner: Mutex<Inner>,
}

#[derive(Debug)]
pub(super) struct Inner {
    pub(super) judge: Judge,
    /// Loops of the JDK that were asked for: whether they are judged.
    judged: RefCell<FxHashMap<LoopInContext, bool>>,
    /// Nodes of calls that copy arrays: whether they do that for a string.
    copies_string: RefCell<FxHashMap<u32, bool>>,
    /// What streams ask.
    asked: RefCell<Asked>,
    /// Iterations that were not told, of loops that have no slot any more.
    untold: RefCell<FxHashMap<LoopInContext, u64>>,
    words: Vec<u64>,
}

/// What a recording of loops keeps.
#[derive(Debug)]
pub struct LoopTables {
    /// What is known of the code.
    pub program: RwLock<Program>,
    threads: Mutex<FxHashMap<u32, Arc<Thread>>>,
    memory: Memory,
    /// For how many accesses each loop is judged.
    accesses: u64,
    /// Whether the growth of loops is recorded.
    has_growth: bool,
    /// The number of the last test that was judged by itself.
    pub(super) last_test: AtomicU64,
    /// Names for what is said of tests, read when first there is something to say.
    pub(super) names: Mutex<LiveNames>,
}

/// Where a thread's block has the first word of an event, if its loop is not judged.
pub fn slot_of_unjudged(event: u64) -> u32 {
    let hash = event.wrapping_mul(HASH_FACTOR) >> (u64::BITS - block::UNJUDGED_BITS);
    block::UNJUDGED_LOOPS + 4 * hash as u32
}

/// The golden ratio.
pub const HASH_FACTOR: u64 = 0x9E37_79B9_7F4A_7C15;

/// A slot of a loop that is not judged.
struct Slot<'a> {
    arena: &'a Arena,
    at: u32,
}

impl Slot<'_> {
    /// The slots of a block.
    fn all(arena: &Arena, block: u32) -> impl Iterator<Item = Slot<'_>> {
        let first = block + block::UNJUDGED_LOOPS;
        (0..1u32 << block::UNJUDGED_BITS).map(move |number| Slot { arena, at: first + 4 * number })
    }

    /// The first word of the loop's events; 0 without a loop.
    fn event(&self) -> u64 {
        self.arena.long(self.at).map_or(0, |word| word.load(Relaxed))
    }

    /// Adds the iterations that were not told.
    fn take(&self, untold: &mut FxHashMap<LoopInContext, u64>) {
        let count = self.arena.long(self.at + 2).map_or(0, |word| word.load(Relaxed));
        if count > 0 {
            let (number, node) = events::loop_of(self.event());
            *untold.entry(LoopInContext { number, node }).or_default() += count;
        }
    }

    /// Has it for the loop of these events, or for none.
    fn fill(&self, event: u64) {
        for (at, number) in [(self.at, event), (self.at + 2, 0)] {
            if let Some(word) = self.arena.long(at) {
                word.store(number, Relaxed);
            }
        }
    }
}

/// What the judge of a thread asks for.
struct Code<'c> {
    program: &'c Program,
    arena: &'c Arena,
    trees: &'c ThreadTrees,
    judged: &'c RefCell<FxHashMap<LoopInContext, bool>>,
    copies_string: &'c RefCell<FxHashMap<u32, bool>>,
    asked: &'c RefCell<Asked>,
    untold: &'c RefCell<FxHashMap<LoopInContext, u64>>,
    /// Word of the thread's block, which is told what is not judged.
    block: u32,
}

impl program::Program for Code<'_> {
    fn is_judged(&self, one: LoopInContext) -> bool {
        let is_judged = self.has_judge(one);
        if !is_judged {
            self.rest(one);
        }
        is_judged
    }

    fn rest(&self, one: LoopInContext) {
        let event = events::iteration(one.number, one.node);
        let slot = Slot { arena: self.arena, at: self.block + slot_of_unjudged(event) };
        if slot.event() != event {
            slot.take(&mut self.untold.borrow_mut());
            slot.fill(event);
        }
    }

    fn copies_string(&self, node: u32) -> bool {
        *self.copies_string.borrow_mut().entry(node).or_insert_with(|| self.is_strings_copy(node))
    }

    fn is_leaf(&self, number: u32) -> bool {
        self.program.loop_of(number).is_some_and(|known| known.is_leaf)
    }

    fn searches(&self, one: LoopInContext) -> bool {
        let known = self.program.loop_of(one.number).filter(|known| known.searches);
        known.is_some_and(|known| {
            self.program.stream_role(known.method) != Some(StreamRole::Runs)
                || self.asked.borrow().may_search(one)
        })
    }

    fn read_in_search(&self, node: u32) {
        let caller = |&at: &u32| self.trees.caller(at).map(|(caller, _)| caller);
        let above = std::iter::successors(Some(node), caller);
        let roles = above.map(|at| (at, self.program.stream_role(self.method(at))));
        self.asked.borrow_mut().note(roles);
    }

    fn is_method(&self, number: u32) -> bool {
        self.program.loop_of(number).is_some_and(|known| known.is_method)
    }
}

impl Code<'_> {
    fn has_judge(&self, one: LoopInContext) -> bool {
        let Some(known) = self.program.loop_of(one.number) else { return false };
        match self.program.owner(known.method) {
            Owner::Chosen => true,
            Owner::LeftOut | Owner::MakesClasses => false,
            Owner::Jdk | Owner::Unknown => {
                *self.judged.borrow_mut().entry(one).or_insert_with(|| self.is_callers(one.node))
            }
        }
    }

    fn method(&self, node: u32) -> u32 {
        self.arena.word(node + node::METHOD).map_or(0, |word| word.load(Relaxed))
    }

    /// Whether methods that copy arrays for their callers do so for one that handles
    /// strings as a whole.
    fn is_strings_copy(&self, mut at: u32) -> bool {
        while self.program.string_role(self.method(at)) == StringRole::Copies {
            let Some((caller, _)) = self.trees.caller(at) else { return false };
            at = caller;
            if self.program.string_role(self.method(at)) == StringRole::Handles {
                return true;
            }
        }
        false
    }

    /// A loop of the JDK counts like one of the application's method that has called it,
    /// be it by way of others of the JDK. What the JVM calls on a method's behalf, the
    /// method has not called.
    fn is_callers(&self, mut at: u32) -> bool {
        while let Some((caller, slot)) = self.trees.caller(at) {
            at = caller;
            match self.program.owner(self.method(at)) {
                Owner::Chosen => return slot != node::IMPLICIT_SLOT,
                Owner::LeftOut | Owner::MakesClasses => return false,
                Owner::Jdk | Owner::Unknown => {}
            }
        }
        false
    }
}

impl LoopTables {
    /// None yet. Judging may take so many bytes, and each loop is judged for so many
    /// accesses.
    pub fn new(max_memory: Option<u64>, accesses: u64, has_growth: bool) -> Self {
        Self {
            program: RwLock::default(),
            threads: Mutex::default(),
            memory: Memory::new(max_memory.unwrap_or(MEMORY)),
            accesses,
            has_growth,
            last_test: AtomicU64::default(),
            names: Mutex::default(),
        }
    }

    /// In how many loops a thread is where its reads are not reported. In one loop alone an
    /// instruction reads one value in each iteration: that is input rather than a sequence.
    pub fn untold_depth(&self) -> u32 {
        if self.has_growth { 0 } else { 1 }
    }

    /// Address of the block of a thread that has no loops yet; 0 without room.
    pub fn attach(&self, arena: &Arena, tree: u32) -> u64 {
        let mut threads = self.threads.lock();
        let known = threads.get(&tree).map(|thread| thread.block);
        let taken = known.or_else(|| {
            let block = arena.take_overflow(block::WORDS)?;
            let inner = Inner {
                judge: Judge::new(self.memory.clone(), self.accesses, self.has_growth),
                judged: RefCell::default(),
                copies_string: RefCell::default(),
                asked: RefCell::default(),
                untold: RefCell::default(),
                words: Vec::new(),
            };
            threads.insert(tree, Arc::new(Thread { block, inner: Mutex::new(inner) }));
            Some(block)
        });
        let Some(block) = taken else { return 0 };
        empty(arena, block, 0);
        if let Some(depth) = arena.word(block + block::DEPTH) {
            depth.store(0, Relaxed);
        }
        address(arena, block)
    }

    pub(super) fn thread(&self, tree: u32) -> Option<Arc<Thread>> {
        self.threads.lock().get(&tree).cloned()
    }

    /// Judges what the thread of this tree has done, or forgets it. The thread asks for
    /// it itself. `write` gets records of what is found often.
    pub fn judge(
        &self,
        arena: &Arena,
        trees: &ThreadTrees,
        tree: u32,
        is_kept: bool,
        write: &dyn Fn(&Record),
    ) {
        let Some(thread) = self.thread(tree) else { return };
        let mut inner = thread.inner.lock();
        if is_kept {
            self.take(arena, trees, &thread, &mut inner);
        } else {
            inner.judge.end();
        }
        let Inner { judge, .. } = &mut *inner;
        empty(arena, thread.block, judge.unjudged() as u32);
        if judge.news.is_empty() {
            return;
        }
        let news = std::mem::take(&mut judge.news);
        let program = self.program.read();
        for one in news {
            let (Some(finding), Some(&instances)) =
                (judge.findings.get(&one), judge.instances.get(&one))
            else {
                continue;
            };
            let record = reports::record_of(one, instances, finding, &program, (arena, trees));
            if let Some(record) = record {
                write(&Record::Loop(record));
            }
        }
    }

    /// The thread of this tree has ended.
    pub fn end(&self, arena: &Arena, trees: &ThreadTrees, tree: u32) {
        self.judge(arena, trees, tree, true, &|_| ());
        if let Some(thread) = self.thread(tree) {
            thread.inner.lock().judge.end();
        }
    }

    /// A test begins, in which all loops are judged from the start.
    pub(super) fn begin_section(&self, arena: &Arena, thread: &Thread, number: u64) {
        let mut inner = thread.inner.lock();
        let mut untold = inner.untold.borrow_mut();
        for slot in Slot::all(arena, thread.block).filter(|slot| slot.event() != 0) {
            slot.take(&mut untold);
            slot.fill(0);
        }
        drop(untold);
        inner.judge.begin_section(number);
    }

    fn take(&self, arena: &Arena, trees: &ThreadTrees, thread: &Thread, inner: &mut Inner) {
        let start = thread.block + block::EVENTS;
        let end = arena.long(thread.block + block::CURSOR).map_or(0, |word| word.load(Acquire));
        let bytes = end.saturating_sub(address(arena, start));
        let most = u64::from(block::END_OF_EVENTS - block::EVENTS) / 2;
        let longs = (bytes / 8).min(most) as u32;
        let Inner { judge, judged, copies_string, asked, untold, words } = inner;
        words.clear();
        let events = arena.longs(start, longs).unwrap_or_default();
        words.extend(events.iter().map(|word| word.load(Relaxed)));
        let program = self.program.read();
        let block = thread.block;
        let program = &program;
        let code = Code { program, arena, trees, judged, copies_string, asked, untold, block };
        judge.take(words, &code);
    }

    /// What was found so far. At the end of the recording all that threads have done is
    /// judged before, and the loops in which they are count as left.
    pub fn judged(&self, arena: &Arena, trees: &ThreadTrees, is_end: bool) -> Judged {
        let growth = self.has_growth.then(Sizes::default);
        let mut result = Judged { growth, ..Judged::default() };
        let threads: Vec<Arc<Thread>> = self.threads.lock().values().cloned().collect();
        for thread in threads {
            let mut inner = thread.inner.lock();
            if is_end {
                self.take(arena, trees, &thread, &mut inner);
                inner.judge.end();
            }
            let judge = &inner.judge;
            let Totals { reads, lost, deep, forgotten, uncopied, .. } = judge.totals();
            result.totals.reads += reads;
            result.totals.lost += lost;
            result.totals.deep += deep;
            result.totals.forgotten += forgotten;
            result.totals.uncopied += uncopied;
            let mut untold = inner.untold.borrow().clone();
            Slot::all(arena, thread.block).for_each(|slot| slot.take(&mut untold));
            let instances_of = |one: LoopInContext| {
                let known = judge.instances.get(&one).copied().unwrap_or_default();
                let is_exhausted = judge.budget.exhausted.contains(&one);
                let more = untold.get(&one).filter(|_| is_exhausted).copied().unwrap_or(0);
                Instances { unjudged: known.unjudged + more, ..known }
            };
            for &one in &judge.budget.exhausted {
                result.totals.exhausted += 1;
                result.totals.unjudged += instances_of(one).unjudged;
            }
            result.findings.extend(
                judge.findings.iter().map(|(&one, found)| (one, instances_of(one), found.clone())),
            );
            if let (Some(sum), Some(growth)) = (&mut result.growth, &judge.growth) {
                sum.add(growth, &judge.effects);
            }
        }
        result.findings.sort_unstable_by_key(|&(one, ..)| one);
        result
    }
}

/// A block without events, of a thread that is in so many loops that are not judged.
fn empty(arena: &Arena, block: u32, unjudged: u32) {
    let longs = [
        (block::CURSOR, address(arena, block + block::EVENTS)),
        (block::LAST_ITERATION, 0),
        (block::LEAF, 0),
    ];
    for (at, number) in longs {
        if let Some(long) = arena.long(block + at) {
            long.store(number, Relaxed);
        }
    }
    if let Some(word) = arena.word(block + block::UNJUDGED) {
        word.store(unjudged, Relaxed);
    }
}

fn address(arena: &Arena, word: u32) -> u64 {
    arena.base_address() + u64::from(word) * 4
}

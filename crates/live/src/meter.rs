//! What a thread executes between two moments, while the program runs.
//!
//! Counts of contexts only grow, so a measurement is the difference of two looks at what
//! hangs below the slot that the thread had when it began. A context whose calls are the same
//! in both has executed nothing, nor has any below it: that spares most of the tree. For that
//! no frame below the slot may be active at either moment, and all that is found is kept from
//! one measurement to the next.
//!
//! What happens once, wherever the program comes by first, is left out: class loading and
//! static initialisers by their names, and what the JVM calls to link a lambda or a
//! concatenation because the agent tells when that begins and ends.

use std::sync::atomic::{AtomicUsize, Ordering};

use parking_lot::Mutex;
use profile::layout::{header, metrics, tree};
use profile::{Image, KnownMethods, LiveContext, LiveNames, LiveNode, Visitor};
use rustc_hash::FxHashMap;

use crate::measured::{Counts, Measured, Traits};

/// A node, or a call site of a node whose callee has none.
type Key = (u32, u32);

/// In a [`Key`]: the node itself.
const ITSELF: u32 = u32::MAX;

/// The measurements of all threads.
#[derive(Debug, Default)]
pub struct Meter {
    /// How many are under way.
    running: AtomicUsize,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    names: LiveNames,
    /// Of each method, by its place, as far as they were asked for.
    traits: Vec<Option<Traits>>,
    /// What contexts had counted when the outermost measurement above them began, or for the
    /// last time before, with what is left out of it since.
    base: FxHashMap<Key, Counts>,
    /// What is under way in each tree, the outermost first.
    levels: FxHashMap<u32, Vec<Level>>,
    last_number: u64,
}

/// A measurement, or a link that is left out of one.
#[derive(Debug)]
struct Level {
    number: u64,
    is_link: bool,
    /// Where what is measured hangs.
    slot: u32,
    /// What contexts had counted when it began, where that is not [`State::base`].
    changed: FxHashMap<Key, Counts>,
    /// Contexts that had found no room by then.
    lost: u64,
}

/// Finds contexts that have counted something.
struct Changes<'s> {
    base: &'s FxHashMap<Key, Counts>,
    changed: &'s FxHashMap<Key, Counts>,
    traits: &'s mut Vec<Option<Traits>>,
    found: Vec<LiveContext>,
}

fn key(context: &LiveContext) -> Key {
    (context.node, context.site.unwrap_or(ITSELF))
}

fn before(base: &FxHashMap<Key, Counts>, changed: &FxHashMap<Key, Counts>, key: Key) -> Counts {
    changed.get(&key).or_else(|| base.get(&key)).copied().unwrap_or_default()
}

/// What was counted from one moment to another.
fn difference(now: Counts, before: Counts) -> Counts {
    std::array::from_fn(|at| now[at].saturating_sub(before[at]))
}

impl Visitor for Changes<'_> {
    fn follows(&mut self, node: LiveNode, methods: KnownMethods<'_>) -> bool {
        let at = node.method as usize;
        if at >= self.traits.len() {
            self.traits.resize(at + 1, None);
        }
        let traits = self.traits[at].get_or_insert_with(|| Traits::of(node.method, methods));
        !traits.happens_once
            && node.calls != before(self.base, self.changed, (node.node, ITSELF))[0]
    }

    fn context(&mut self, context: LiveContext) {
        self.found.push(context);
    }
}

impl State {
    /// The contexts below a slot that have counted something since a level began; `None` if
    /// some are missing.
    fn changes(
        &mut self,
        image: &impl Image,
        slot: u32,
        changed: &FxHashMap<Key, Counts>,
    ) -> Option<Vec<LiveContext>> {
        let Self { names, traits, base, .. } = self;
        let mut changes = Changes { base, changed, traits, found: Vec::new() };
        let is_whole = names.visit_below(image, slot, &mut changes).ok()?;
        is_whole.then_some(changes.found)
    }

    fn begin(&mut self, image: &impl Image, tree: u32, slot: u32, is_link: bool) -> Option<u64> {
        // A thread without frames that have a place in the tree.
        let slot = if slot == 0 { tree + tree::ROOT_SLOT } else { slot };
        let found = self.changes(image, slot, &FxHashMap::default())?;
        let counted = found.iter().map(|context| (key(context), context.counts));
        let is_outermost = self.levels.get(&tree).is_none_or(Vec::is_empty);
        let mut changed = FxHashMap::default();
        if is_outermost {
            self.base.extend(counted);
        } else {
            changed.extend(counted);
        }
        self.last_number += 1;
        let number = self.last_number;
        let lost = image.header_u64(header::CONTEXTS_LOST);
        let level = Level { number, is_link, slot, changed, lost };
        self.levels.entry(tree).or_default().push(level);
        Some(number)
    }

    /// Takes the level with that number, and those within it, which nobody ended.
    fn take(&mut self, tree: u32, number: u64, is_link: bool) -> Option<(Level, usize)> {
        let levels = self.levels.get_mut(&tree)?;
        let is_it = |level: &Level| level.number == number && level.is_link == is_link;
        let at = levels.iter().position(is_it)?;
        let mut taken = levels.split_off(at);
        if at == 0 {
            self.levels.remove(&tree);
        }
        let count = taken.len();
        Some((taken.swap_remove(0), count))
    }

    /// Leaves out of the measurements around a link what it has counted.
    fn leave_out(&mut self, tree: u32, link: &Level, found: &[LiveContext]) {
        let Self { base, levels, .. } = self;
        for context in found {
            let key = key(context);
            let counted = difference(context.counts, before(base, &link.changed, key));
            let around = levels.get_mut(&tree).into_iter().flatten();
            let known = around.filter_map(|level| level.changed.get_mut(&key));
            let base = base.entry(key).or_default();
            for counts in known.chain([base]) {
                for (count, more) in counts.iter_mut().zip(counted) {
                    *count = count.saturating_add(more);
                }
            }
        }
    }
}

impl Meter {
    /// Begins a measurement on the thread of a tree that has this slot now: of what it calls
    /// next, until it is back. `None` if that cannot be told.
    pub fn begin(&self, image: &impl Image, tree: u32, slot: u32) -> Option<u64> {
        let number = self.state.lock().begin(image, tree, slot, false)?;
        self.running.fetch_add(1, Ordering::Relaxed);
        Some(number)
    }

    /// Ends it, and those within it. Of what was executed, all counts that `within` calls, and
    /// the method itself: its class, name and descriptor, with tabs in between. `None` if
    /// there is no such measurement, or if it is not complete.
    pub fn end(
        &self,
        image: &impl Image,
        tree: u32,
        number: u64,
        within: Option<&str>,
    ) -> Option<Measured> {
        let mut state = self.state.lock();
        let (level, ended) = state.take(tree, number, false)?;
        self.running.fetch_sub(ended, Ordering::Relaxed);
        let found = state.changes(image, level.slot, &level.changed)?;
        if image.header_u64(header::CONTEXTS_LOST) != level.lost {
            return None;
        }
        let counted: Vec<(LiveContext, Counts)> = found
            .into_iter()
            .map(|context| {
                let before = before(&state.base, &level.changed, key(&context));
                (context, difference(context.counts, before))
            })
            .collect();
        let has_bytes = image.header_u32(header::METRICS) == metrics::BYTES;
        Measured::of(&counted, has_bytes, within, &state.traits, state.names.methods())
    }

    /// The thread begins to link a call. 0 if it measures nothing, or does so already.
    pub fn begin_link(&self, image: &impl Image, tree: u32, slot: u32) -> u64 {
        if self.running.load(Ordering::Relaxed) == 0 {
            return 0;
        }
        let mut state = self.state.lock();
        let innermost = state.levels.get(&tree).and_then(|levels| levels.last());
        if innermost.is_none_or(|level| level.is_link) {
            return 0;
        }
        let Some(number) = state.begin(image, tree, slot, true) else { return 0 };
        self.running.fetch_add(1, Ordering::Relaxed);
        number
    }

    /// It has linked it.
    pub fn end_link(&self, image: &impl Image, tree: u32, number: u64) {
        let mut state = self.state.lock();
        let Some((link, ended)) = state.take(tree, number, true) else { return };
        self.running.fetch_sub(ended, Ordering::Relaxed);
        if let Some(found) = state.changes(image, link.slot, &link.changed) {
            state.leave_out(tree, &link, &found);
        }
    }

    /// Ends all that is under way on the thread of a tree, which ends.
    pub fn forget(&self, tree: u32) {
        if self.running.load(Ordering::Relaxed) == 0 {
            return;
        }
        let ended = self.state.lock().levels.remove(&tree).map_or(0, |levels| levels.len());
        self.running.fetch_sub(ended, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::Ordering::Relaxed;

    use arena::Arena;
    use profile::layout::{method_flags, node};
    use profile::metadata::{ClassRecord, MethodRecord, Record, SiteKind, SiteRecord};

    use super::*;
    use crate::journal::Journal;
    use crate::trees::{MostContexts, NodeKey, NodeShape, Trees};

    /// The methods that are known: class, name, bytecodes and allocations of each call. All
    /// have one call site, and the last one calls the one before without a node.
    const METHODS: [(&str, &str, u32, u32); 6] = [
        ("org.junit.Runner", "run", 7, 0),
        ("shop.Test", "test", 10, 1),
        ("shop.Test", "<clinit>", 100, 5),
        ("java.util.Map", "get", 3, 0),
        ("java.lang.Object", "hashCode", 1, 0),
        ("shop.Orders", "open", 20, 2),
    ];
    const RUN: u32 = 1;
    const TEST: u32 = 2;
    const INITIALISER: u32 = 3;
    const GET: u32 = 4;
    const HASH: u32 = 5;
    const OPEN: u32 = 6;

    struct Fixture {
        arena: Arena,
        trees: Trees,
        meter: Meter,
        tree: u32,
    }

    impl Fixture {
        fn new() -> Self {
            let arena = Arena::in_memory().expect("there is memory");
            let (trees, journal) = (Trees::default(), Journal::default());
            for (id, (class, name, base_bytecodes, base_allocations)) in (1..).zip(METHODS) {
                let site = |kind| SiteRecord { bci: 1, line: 1, kind };
                let mut sites = vec![site(SiteKind::Slot)];
                if id == OPEN {
                    sites.push(site(SiteKind::Derived { target: HASH }));
                }
                let method = MethodRecord {
                    id,
                    name: name.to_owned(),
                    descriptor: "()V".to_owned(),
                    flags: method_flags::SLOTS,
                    base_bytecodes,
                    base_allocations,
                    sites,
                    ..MethodRecord::default()
                };
                trees.set_shape(id, NodeShape::of(&method));
                let class = ClassRecord {
                    id,
                    name: class.to_owned(),
                    methods: vec![method],
                    ..ClassRecord::default()
                };
                assert!(journal.append(&arena, &Record::Class(class)));
            }
            let tree = trees.take(&arena, "main").expect("there is room").tree;
            Self { arena, trees, meter: Meter::default(), tree }
        }

        fn root(&self) -> u32 {
            self.tree + tree::ROOT_SLOT
        }

        /// Calls a method below a slot; the slot of its site.
        fn call(&self, slot: u32, method: u32) -> u32 {
            let most = MostContexts { count: u64::MAX, end_all: true };
            let word = |at| self.arena.word(at).expect("is usable").load(Relaxed);
            let first = word(slot);
            let mut found = first;
            while found != 0 && word(found + node::METHOD) != method {
                found = word(found + node::NEXT_SIBLING);
                found = if found == first { 0 } else { found };
            }
            if found == 0 {
                let key = NodeKey { tree: self.tree, slot, method };
                found = self.trees.create_node(&self.arena, key, most);
            }
            self.arena.long(found + node::CALLS).expect("is usable").fetch_add(1, Relaxed);
            found + node::FIRST_SITE_SLOT
        }

        fn begin(&self, slot: u32) -> u64 {
            self.meter.begin(&self.arena, self.tree, slot).expect("all is there")
        }

        fn end(&self, number: u64, within: Option<&str>) -> Option<String> {
            let measured = self.meter.end(&self.arena, self.tree, number, within)?;
            Some(measured.to_string())
        }
    }

    const WITHIN: Option<&str> = Some("shop.Test\ttest\t()V");

    #[test]
    fn what_was_executed_before_does_not_count() {
        let f = Fixture::new();
        let test = f.call(f.call(f.root(), RUN), TEST);
        f.call(f.call(test, OPEN), GET);
        for times in 1..3 {
            let number = f.begin(0);
            let test = f.call(f.call(f.root(), RUN), TEST);
            for _ in 0..times {
                f.call(f.call(test, OPEN), GET);
            }
            // Not within the test.
            f.call(f.call(f.root(), RUN), OPEN);
            let (open, get) = (20 * times, 3 * times);
            let expected = format!(
                "{}\t{}\t0\n{times}\t{open}\t{}\t{}\t{}\tshop.Orders\topen\n\
                 1\t10\t1\t10\t1\tshop.Test\ttest\n\
                 {times}\t{get}\t0\t0\t0\tjava.util.Map\tget\n\
                 {times}\t{times}\t0\t0\t0\tjava.lang.Object\thashCode\n",
                10 + open + get + times,
                1 + 2 * times,
                2 * times,
                open + get + times,
                2 * times,
            );
            assert_eq!(f.end(number, WITHIN), Some(expected), "{times}");
        }
    }

    #[test]
    fn what_happens_once_is_left_out() {
        let f = Fixture::new();
        let measured = |initialises: bool, links: bool| {
            let number = f.begin(0);
            let test = f.call(f.root(), TEST);
            if initialises {
                f.call(f.call(test, INITIALISER), OPEN);
            }
            f.call(test, GET);
            if links {
                let link = f.meter.begin_link(&f.arena, f.tree, test);
                assert_ne!(link, 0);
                assert_eq!(f.meter.begin_link(&f.arena, f.tree, test), 0);
                f.call(test, GET);
                f.call(f.call(test, OPEN), GET);
                f.meter.end_link(&f.arena, f.tree, link);
            }
            f.call(test, GET);
            f.end(number, WITHIN)
        };
        let all = [(true, true), (false, false), (false, true)].map(|(i, l)| measured(i, l));
        let expected = "16\t1\t0\n1\t10\t1\t16\t1\tshop.Test\ttest\n\
                        2\t6\t0\t0\t0\tjava.util.Map\tget\n";
        assert_eq!(all, [(); 3].map(|()| Some(expected.to_owned())));
        assert_eq!(f.meter.begin_link(&f.arena, f.tree, f.root()), 0, "nothing is measured");
    }

    #[test]
    fn measurements_lie_within_each_other() {
        let f = Fixture::new();
        let outer = f.begin(f.root());
        let test = f.call(f.root(), TEST);
        f.call(test, GET);
        let inner = f.begin(test);
        f.call(test, GET);
        let link = f.meter.begin_link(&f.arena, f.tree, test);
        f.call(test, GET);
        f.meter.end_link(&f.arena, f.tree, link);
        let forgotten = f.begin(test);
        let get = |calls: u32, bytecodes: u32| {
            format!("{calls}\t{bytecodes}\t0\t{bytecodes}\t0\tjava.util.Map\tget\n")
        };
        assert_eq!(f.end(inner, None), Some(format!("3\t0\t0\n{}", get(1, 3))));
        assert_eq!(f.end(forgotten, None), None, "the inner one has ended it");
        let expected = "16\t1\t0\n1\t10\t1\t16\t1\tshop.Test\ttest\n\
                        2\t6\t0\t0\t0\tjava.util.Map\tget\n";
        assert_eq!(f.end(outer, WITHIN), Some(expected.to_owned()));
        assert_eq!(f.end(outer, WITHIN), None);
        assert_eq!(f.meter.running.load(Relaxed), 0);
        let number = f.begin(0);
        assert_eq!(f.end(number, WITHIN), None, "the test was not called");
    }
}

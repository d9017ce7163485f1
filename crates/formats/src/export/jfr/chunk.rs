//! A chunk under construction: events, and the constants that they name.

use std::io::Write;
use std::ops::Range;

use base::leb128;
use rustc_hash::FxHashMap;

use super::encoding::{put_event, put_text};
use super::types::{CONSTANTS, METADATA, class};
use super::{Run, metadata};
use crate::export::strings::Strings;
use crate::import::frame::class_name;
use crate::import::jfr::{MAGIC, NO_DESCRIPTOR};
use tree::Tree;
use tree::error::Result;
use tree::names::method::Method;

const HEADER_LEN: usize = 68;
/// Major and minor version of the format.
const VERSION: [u8; 4] = [0, 2, 0, 1];
const NANOS_PER_SECOND: u64 = 1_000_000_000;
/// Integers are compressed; the chunk is the last one.
const COMPRESSED: u8 = 1;
const LAST: u8 = 2;
/// A line or an index that is not known: -1 in 32 bits.
const UNKNOWN: u64 = u32::MAX as u64;
/// The only thread state and the only kind of frame.
const STATE: (u64, &str) = (1, "STATE_RUNNABLE");
const KIND: (u64, &str) = (1, "Interpreted");

/// A chunk of the recording of a tree.
pub struct Chunk<'t> {
    tree: &'t Tree,
    events: Vec<u8>,
    stacks: Pool,
    /// Numbers of the stacks of contexts.
    stack_of: FxHashMap<u32, u64>,
    /// Methods and threads that have a number here.
    methods: Numbers,
    threads: Numbers,
    scratch: Vec<u8>,
}

/// Constants of one type.
#[derive(Default)]
struct Pool {
    count: u64,
    bytes: Vec<u8>,
}

impl Pool {
    /// Begins the next constant; its number is 1 for the first one, since 0 stands for none.
    fn next(&mut self) -> u64 {
        self.count += 1;
        leb128::put(&mut self.bytes, self.count);
        self.count
    }

    fn append_to(&self, class: u64, pools: &mut Self) {
        // Readers want no pools without a constant.
        if self.count > 0 {
            pools.count += 1;
            leb128::put(&mut pools.bytes, class);
            leb128::put(&mut pools.bytes, self.count);
            pools.bytes.extend_from_slice(&self.bytes);
        }
    }
}

/// Numbers from 1 on, in the order in which they are asked for.
#[derive(Default)]
struct Numbers {
    known: FxHashMap<u32, u64>,
    order: Vec<u32>,
}

impl Numbers {
    fn of(&mut self, one: u32) -> u64 {
        *self.known.entry(one).or_insert_with(|| {
            self.order.push(one);
            self.order.len() as u64
        })
    }
}

impl<'t> Chunk<'t> {
    /// A chunk that begins at `start`, in nanoseconds of the recording.
    pub fn new(tree: &'t Tree, run: &Run, start: u64) -> Self {
        let mut chunk = Self {
            tree,
            events: vec![0; HEADER_LEN],
            stacks: Pool::default(),
            stack_of: FxHashMap::default(),
            methods: Numbers::default(),
            threads: Numbers::default(),
            scratch: Vec::new(),
        };
        leb128::put(&mut chunk.scratch, start);
        put_text(&mut chunk.scratch, &run.jvm);
        put_text(&mut chunk.scratch, &run.program);
        leb128::put(&mut chunk.scratch, run.process_id.into());
        chunk.put(class::JVM_INFORMATION);
        chunk
    }

    /// About how many bytes it has.
    pub fn len(&self) -> usize {
        self.events.len() + self.stacks.bytes.len()
    }

    /// Adds a sample of a context.
    pub fn add_execution(&mut self, node: u32, at: u64) {
        self.begin(node, at);
        leb128::put(&mut self.scratch, STATE.0);
        self.put(class::EXECUTION_SAMPLE);
    }

    /// Adds what a context allocates.
    pub fn add_allocation(&mut self, node: u32, at: u64, weight: u64) {
        self.begin(node, at);
        // The class of the objects is not known.
        leb128::put(&mut self.scratch, 0);
        leb128::put(&mut self.scratch, weight.min(i64::MAX.unsigned_abs()));
        self.put(class::ALLOCATION_SAMPLE);
    }

    /// Time, thread and stack, with which both kinds of events begin.
    fn begin(&mut self, node: u32, at: u64) {
        let thread = self.tree.thread.get(node as usize);
        let thread = thread.map_or(0, |&thread| self.threads.of(thread));
        let stack = self.stack(node);
        for number in [at, thread, stack] {
            leb128::put(&mut self.scratch, number);
        }
    }

    fn put(&mut self, class: u64) {
        put_event(&mut self.events, class, &self.scratch);
        self.scratch.clear();
    }

    /// Number of the stack of a context.
    fn stack(&mut self, node: u32) -> u64 {
        if let Some(&number) = self.stack_of.get(&node) {
            return number;
        }
        let number = self.stacks.next();
        let bytes = &mut self.stacks.bytes;
        // It is whole.
        bytes.push(0);
        leb128::put(bytes, self.tree.and_callers(node).count() as u64);
        for node in self.tree.and_callers(node) {
            let method = self.methods.of(self.tree.method[node as usize]);
            for number in [method, UNKNOWN, UNKNOWN, KIND.0] {
                leb128::put(bytes, number);
            }
        }
        self.stack_of.insert(node, number);
        number
    }

    /// Writes the chunk, which lasts for `time`.
    ///
    /// # Errors
    /// If `out` fails.
    pub fn write(
        mut self,
        run: &Run,
        time: Range<u64>,
        is_last: bool,
        out: &mut impl Write,
    ) -> Result<()> {
        let constants = self.events.len();
        let fields = self.constants();
        put_event(&mut self.events, CONSTANTS, &fields);
        let metadata = self.events.len();
        put_event(&mut self.events, METADATA, &metadata::fields());
        let mut header = [MAGIC, &VERSION].concat();
        for number in [
            self.events.len() as u64,
            constants as u64,
            metadata as u64,
            run.start_nanos().saturating_add(time.start),
            time.end - time.start,
            time.start,
            NANOS_PER_SECOND,
        ] {
            header.extend_from_slice(&number.to_be_bytes());
        }
        header.extend([0, 0, 0, if is_last { COMPRESSED | LAST } else { COMPRESSED }]);
        self.events[..HEADER_LEN].copy_from_slice(&header);
        out.write_all(&self.events)?;
        Ok(())
    }

    /// The fields of the event with all constants.
    fn constants(&self) -> Vec<u8> {
        let mut named = Named::default();
        let mut methods = Pool::default();
        for &method in &self.methods.order {
            methods.next();
            named.put_method(&self.tree.methods[method as usize], &mut methods.bytes);
        }
        let mut threads = Pool::default();
        for &thread in &self.threads.order {
            let number = threads.next();
            let name = &self.tree.thread_names[thread as usize];
            // The numbers that the system and Java gave it are not known.
            for _ in 0..2 {
                put_text(&mut threads.bytes, name);
                leb128::put(&mut threads.bytes, number);
            }
        }
        let mut symbols = Pool::default();
        for text in named.symbols.texts() {
            symbols.next();
            put_text(&mut symbols.bytes, text);
        }
        let (mut state, mut kind) = (Pool::default(), Pool::default());
        for (pool, (_, text)) in [(&mut state, STATE), (&mut kind, KIND)] {
            pool.next();
            put_text(&mut pool.bytes, text);
        }
        let mut pools = Pool::default();
        for (class, pool) in [
            (class::THREAD_STATE, &state),
            (class::FRAME_TYPE, &kind),
            (class::THREAD, &threads),
            (class::SYMBOL, &symbols),
            (class::PACKAGE, &named.packages.pool),
            (class::CLASS, &named.classes.pool),
            (class::METHOD, &methods),
            (class::STACK_TRACE, &self.stacks),
        ] {
            pool.append_to(class, &mut pools);
        }
        // They begin at 0, last 0, have none before them, and are whole.
        let mut fields = vec![0, 0, 0, 1];
        leb128::put(&mut fields, pools.count);
        fields.append(&mut pools.bytes);
        fields
    }
}

/// Constants that methods name.
#[derive(Default)]
struct Named {
    symbols: Strings,
    packages: ByName,
    classes: ByName,
}

/// Constants that are known by a name.
#[derive(Default)]
struct ByName {
    numbers: FxHashMap<String, u64>,
    pool: Pool,
}

impl Named {
    fn put_method(&mut self, method: &Method, bytes: &mut Vec<u8>) {
        let class = self.class(&method.class);
        let name = self.symbol(&method.name);
        // Readers look for the parameters of every method.
        let is_known = !method.descriptor.is_empty();
        let descriptor = self.symbol(if is_known { &method.descriptor } else { NO_DESCRIPTOR });
        // No modifiers are known, and it is not hidden.
        for number in [class, name, descriptor, 0, 0] {
            leb128::put(bytes, number);
        }
    }

    fn symbol(&mut self, text: &str) -> u64 {
        self.symbols.number(text) + 1
    }

    fn class(&mut self, name: &str) -> u64 {
        if let Some(&number) = self.classes.numbers.get(name) {
            return number;
        }
        let internal = internal(name);
        let package = internal.rsplit_once('/').map_or(0, |(package, _)| self.package(package));
        let symbol = self.symbol(&internal);
        let number = self.classes.pool.next();
        for number in [symbol, package, 0] {
            leb128::put(&mut self.classes.pool.bytes, number);
        }
        self.classes.numbers.insert(name.to_owned(), number);
        number
    }

    fn package(&mut self, name: &str) -> u64 {
        if let Some(&number) = self.packages.numbers.get(name) {
            return number;
        }
        let symbol = self.symbol(name);
        let number = self.packages.pool.next();
        leb128::put(&mut self.packages.pool.bytes, symbol);
        self.packages.numbers.insert(name.to_owned(), number);
        number
    }
}

/// The name of a class as class files have it. Frames of other tools, such as paths of
/// libraries, are no classes and stay as they are.
fn internal(class: &str) -> String {
    let internal = class.replace('.', "/");
    if class_name(&internal) == class { internal } else { class.to_owned() }
}

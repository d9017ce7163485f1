//! Recordings of JDK Flight Recorder, also those that async-profiler writes.

mod bytes;
mod chunk;
mod facts;
mod types;

use std::io::{BufRead, Read};
use std::path::Path;

use profile::Profile;
use rustc_hash::FxHashMap;

use crate::import::allowance::Allowance;
use crate::import::builder::{Builder, Paths};
use crate::import::frame::{NO_STACK, UNKNOWN, class_name};
use crate::import::input::{decoded, open_counted};
use crate::import::times::Times;
use base::number::counted;
pub use chunk::MAGIC;
use chunk::{Chunk, HEADER_LEN, Value};
pub use facts::Facts;
use tree::error::{Error, Result};
use tree::names::method::Method;

/// What profiles say that they were imported from.
pub const FORMAT: &str = "Flight Recorder";

/// What kinds of events are called in version 1.0 instead of `jdk.`.
const BEFORE_2_0: &str = "com.oracle.jdk.";

/// Kinds of events with the column they count in and the field that says how
/// much; without a field each counts once.
const EVENTS: [(&str, usize, Option<&str>); 7] = [
    ("jdk.ExecutionSample", SAMPLES, None),
    ("jdk.NativeMethodSample", SAMPLES, None),
    (facts::CPU_TIME_SAMPLE, BY_PROCESSOR_TIME, None),
    ("profiler.WallClockSample", SAMPLES, Some("samples")),
    ("jdk.ObjectAllocationSample", SAMPLED, Some("weight")),
    ("jdk.ObjectAllocationInNewTLAB", ALLOCATED, Some("tlabSize")),
    ("jdk.ObjectAllocationOutsideTLAB", ALLOCATED, Some("allocationSize")),
];
/// The last two columns are part of the first two in the end, or left out.
const METRICS: [&str; 4] =
    ["samples", "allocated", "allocated, sampled", "samples of processor time"];
const SAMPLES: usize = 0;
const ALLOCATED: usize = 1;
const SAMPLED: usize = 2;
const BY_PROCESSOR_TIME: usize = 3;

const BOTH_KINDS: &str = "allocations are those of ObjectAllocationInNewTLAB and \
    ObjectAllocationOutsideTLAB; ObjectAllocationSample tells of the same bytes and is left out";
const BOTH_SAMPLERS: &str = "samples are those of CPUTimeSample; ExecutionSample and \
    NativeMethodSample tell of the same time and are left out";
/// The descriptor of what has none, in recordings of async-profiler.
pub const NO_DESCRIPTOR: &str = "()L;";
const DAMAGED: &str = "the recording is damaged, or was never finished";
const CUT_SHORT: &str = "the recording is cut short";

/// What was read.
#[derive(Debug)]
pub struct Recordings {
    /// The samples.
    pub profile: Profile,
    /// What is to be said of them, a sentence each.
    pub notes: Vec<String>,
    /// What is known of the run.
    pub facts: Facts,
}

/// Reads recordings: how often a thread was seen in a context, and how many
/// bytes it allocated there, as far as these were sampled. Threads of the same
/// name become one.
///
/// # Errors
/// If a file is not a recording, or has no such events.
pub fn read(files: &[impl AsRef<Path>]) -> Result<Profile> {
    Ok(read_noted(files)?.profile)
}

/// Reads recordings as [`read()`] does, with notes.
///
/// # Errors
/// As [`read()`].
pub fn read_noted(files: &[impl AsRef<Path>]) -> Result<Recordings> {
    let mut samples = Samples::default();
    for path in files {
        let path = path.as_ref();
        let mut input = open_counted(path, &samples.allowance)?;
        let before = samples.notes.len();
        samples.read(path, &mut input)?;
        if files.len() > 1 {
            for note in &mut samples.notes[before..] {
                *note = format!("{}: {note}", path.display());
            }
        }
    }
    samples.finish()
}

/// Reads the bytes of one file, compressed or not; `path` is its name in messages.
///
/// # Errors
/// As [`read()`].
pub fn read_bytes(path: &Path, bytes: &[u8]) -> Result<Recordings> {
    let mut samples = Samples::default();
    let mut input = decoded(bytes, &samples.allowance.clone()).map_err(|e| Error::io(path, &e))?;
    samples.read(path, &mut input)?;
    samples.finish()
}

/// The bytes of the next chunk; `None` at the end of the file.
fn next_chunk(input: &mut impl BufRead, is_first: bool, path: &Path) -> Result<Option<Vec<u8>>> {
    let failed = |error: std::io::Error| Error::io(path, &error);
    let wrong = |what: &str| Error::new(format!("{}: {what}", path.display()));
    let mut bytes = Vec::new();
    input.by_ref().take(HEADER_LEN as u64).read_to_end(&mut bytes).map_err(failed)?;
    if bytes.is_empty() && !is_first {
        return Ok(None);
    }
    if !bytes.starts_with(MAGIC) {
        return Err(wrong(if is_first { "no recording of Flight Recorder" } else { DAMAGED }));
    }
    if let Some([major, minor]) =
        chunk::version(&bytes).filter(|[major, _]| ![1, 2].contains(major))
    {
        let what = match major {
            // Oracle's JDK 7 and 8, whose form is another one.
            0 => "of Oracle's JDK 7 or 8, whose form is another one",
            _ => "a later one",
        };
        return Err(wrong(&format!(
            "the recording has version {major}.{minor}, {what}; this program reads 1.0 and 2.x"
        )));
    }
    let length = chunk::length(&bytes).ok_or_else(|| wrong(CUT_SHORT))?;
    let rest = length.checked_sub(HEADER_LEN as u64).ok_or_else(|| wrong(DAMAGED))?;
    // Grows as far as there is something to read, whatever the header says.
    input.by_ref().take(rest).read_to_end(&mut bytes).map_err(failed)?;
    if (bytes.len() as u64) < length {
        return Err(wrong(CUT_SHORT));
    }
    Ok(Some(bytes))
}

/// What has been read so far.
struct Samples {
    builder: Builder,
    threads: Vec<(String, Paths)>,
    by_name: FxHashMap<String, usize>,
    times: Times,
    allowance: Allowance,
    /// Events, and those among them without a stack.
    count: u64,
    without_stack: u64,
    /// The recording that is being read has events for buffers of threads.
    has_buffers: bool,
    notes: Vec<String>,
    facts: Facts,
}

impl Default for Samples {
    fn default() -> Self {
        Self {
            builder: Builder::new(&METRICS.map(str::to_owned)),
            threads: Vec::new(),
            by_name: FxHashMap::default(),
            times: Times::default(),
            allowance: Allowance::default(),
            count: 0,
            without_stack: 0,
            has_buffers: false,
            notes: Vec::new(),
            facts: Facts::default(),
        }
    }
}

/// What is known of a chunk's constants, by their places in it.
#[derive(Default)]
struct Known {
    /// Methods of stacks, the innermost first.
    stacks: FxHashMap<usize, Vec<u32>>,
    methods: FxHashMap<usize, u32>,
    threads: FxHashMap<usize, usize>,
}

impl Samples {
    /// Reads a recording.
    fn read(&mut self, path: &Path, input: &mut impl BufRead) -> Result<()> {
        let wrong = |what: &str| Error::new(format!("{}: {what}", path.display()));
        let before = self.count;
        let mut is_first = true;
        while let Some(bytes) = next_chunk(input, is_first, path)? {
            is_first = false;
            let [start, duration] = chunk::start_and_duration(&bytes).unwrap_or_default();
            self.times.add_nanos(start, duration);
            let chunk = Chunk::read(&bytes).ok_or_else(|| wrong(DAMAGED))?;
            self.facts.see_kinds(&chunk);
            let ticks_per_second = chunk::ticks_per_second(&bytes).unwrap_or(0);
            let added = self.add(&chunk, ticks_per_second).map_err(|error| error.of_file(path))?;
            added.ok_or_else(|| wrong(DAMAGED))?;
        }
        if self.count == before {
            return Err(wrong("no samples of executions or allocations in it"));
        }
        self.choose_allocations().map_err(|error| error.of_file(path))
    }

    /// Both kinds of events on allocations tell of the same bytes. Every new buffer of a
    /// thread has an event of the one kind; the other one is a sample of them.
    fn choose_allocations(&mut self) -> Result<()> {
        // What files before had is in the first column already.
        let has_buffers = std::mem::take(&mut self.has_buffers);
        let has_samples = self.threads.iter().any(|(_, paths)| paths.total(SAMPLED) > 0);
        if has_buffers && has_samples {
            self.notes.push(BOTH_KINDS.to_owned());
        }
        for (_, paths) in &mut self.threads {
            paths.clear(SAMPLED, (!has_buffers).then_some(ALLOCATED))?;
        }
        self.choose_samples()
    }

    /// Samples of processor time are better than those that threads are stopped for.
    fn choose_samples(&mut self) -> Result<()> {
        let by = |column: usize| self.threads.iter().any(|(_, paths)| paths.total(column) > 0);
        if !by(BY_PROCESSOR_TIME) {
            return Ok(());
        }
        if by(SAMPLES) {
            self.notes.push(BOTH_SAMPLERS.to_owned());
        }
        for (_, paths) in &mut self.threads {
            paths.clear(SAMPLES, None)?;
            paths.clear(BY_PROCESSOR_TIME, Some(SAMPLES))?;
        }
        Ok(())
    }

    /// The profile of all recordings.
    fn finish(mut self) -> Result<Recordings> {
        for (name, paths) in self.threads {
            self.builder.thread(name, &paths)?;
        }
        let mut profile = self.builder.finish(FORMAT);
        self.times.note(&mut profile.run);
        self.facts.millis = [profile.run.start_millis, profile.run.end_millis];
        // Metrics that were not sampled are left out.
        profile.nodes.metrics.retain(|metric| metric.values.iter().any(|&value| value > 0));
        if self.without_stack > 0 {
            self.notes.push(format!(
                "{} without a stack {} counted under {NO_STACK}",
                counted(self.without_stack, "event"),
                if self.without_stack == 1 { "is" } else { "are" },
            ));
        }
        Ok(Recordings { profile, notes: self.notes, facts: self.facts })
    }

    /// Adds the samples of a chunk; `None` if it is damaged.
    fn add(&mut self, chunk: &Chunk<'_>, ticks_per_second: u64) -> Result<Option<()>> {
        let of_name = |name: &str| {
            let older = name.strip_prefix(BEFORE_2_0);
            let is = |known: &str| match older {
                Some(older) => known.strip_prefix("jdk.") == Some(older),
                None => known == name,
            };
            let samples = EVENTS.iter().position(|(known, ..)| is(known));
            let facts = || facts::KINDS.iter().position(|known| is(known));
            samples.or_else(|| Some(EVENTS.len() + facts()?))
        };
        let wanted = chunk.types.iter();
        let wanted = wanted.filter_map(|(id, class)| Some((*id, of_name(&class.name)?))).collect();
        let mut known = Known::default();
        for event in chunk.events(&wanted) {
            let Some((which, event)) = event else { return Ok(None) };
            if let Some(kind) = which.checked_sub(EVENTS.len()) {
                self.facts.add(kind, event, chunk, ticks_per_second);
                continue;
            }
            let stack = chunk.field(event, "stackTrace");
            if let Some(stack) = stack.filter(|stack| !known.stacks.contains_key(&stack.at)) {
                let Some(frames) = chunk.array(stack, "frames") else { return Ok(None) };
                let methods = frames.into_iter().map(|frame| self.method(chunk, frame, &mut known));
                let methods = methods.collect();
                known.stacks.insert(stack.at, methods);
            }
            let methods = stack.map_or(&[][..], |stack| &known.stacks[&stack.at]);
            let no_stack = [self.builder.frame(NO_STACK)];
            let methods = if methods.is_empty() {
                self.without_stack += 1;
                &no_stack[..]
            } else {
                methods
            };
            let (kind, metric, field) = EVENTS[which];
            self.facts.see_sample(kind);
            let amount = match field.and_then(|field| chunk.field(event, field)) {
                Some(value) => chunk.integer(value).and_then(|value| u64::try_from(value).ok()),
                None => field.is_none().then_some(1),
            };
            let thread = chunk.field(event, "sampledThread");
            let thread = thread.or_else(|| chunk.field(event, "eventThread"));
            let thread = self.thread(chunk, thread, &mut known.threads);
            let paths = &mut self.threads[thread].1;
            let mut at = Paths::ROOT;
            for &method in methods.iter().rev() {
                at = paths.child(at, method)?;
            }
            paths.add(at, metric, amount.unwrap_or(0))?;
            self.has_buffers |= metric == ALLOCATED;
            self.count += 1;
        }
        Ok(Some(()))
    }

    /// Number of the thread; threads without a name are one.
    fn thread(
        &mut self,
        chunk: &Chunk<'_>,
        thread: Option<Value>,
        known: &mut FxHashMap<usize, usize>,
    ) -> usize {
        if let Some(&number) = thread.and_then(|thread| known.get(&thread.at)) {
            return number;
        }
        let text = |field| thread.and_then(|thread| chunk.text(chunk.field(thread, field)?));
        let name = text("javaName").filter(|name| !name.is_empty());
        let name = name.or_else(|| text("osName")).unwrap_or_default();
        let number = *self.by_name.entry(name).or_insert_with_key(|name| {
            self.threads.push((name.clone(), Paths::new(METRICS.len(), &self.allowance)));
            self.threads.len() - 1
        });
        if let Some(thread) = thread {
            known.insert(thread.at, number);
        }
        number
    }

    /// Number of the method of a frame.
    fn method(&mut self, chunk: &Chunk<'_>, frame: Value, known: &mut Known) -> u32 {
        let method = chunk.field(frame, "method");
        if let Some(&number) = method.and_then(|method| known.methods.get(&method.at)) {
            return number;
        }
        let symbol = |value: Value, field: &str| {
            chunk.text(chunk.field(chunk.field(value, field)?, "string")?)
        };
        let named = method.and_then(|method| {
            let class = chunk.field(method, "type").and_then(|class| symbol(class, "name"));
            Some(Method {
                class: class_name(&class.unwrap_or_default()),
                name: symbol(method, "name").filter(|name| !name.is_empty())?,
                descriptor: symbol(method, "descriptor")
                    .filter(|descriptor| descriptor != NO_DESCRIPTOR)
                    .unwrap_or_default(),
            })
        });
        let unknown = || Method { name: UNKNOWN.to_owned(), ..Method::default() };
        let number = self.builder.method(named.unwrap_or_else(unknown));
        if let Some(method) = method {
            known.methods.insert(method.at, number);
        }
        number
    }
}

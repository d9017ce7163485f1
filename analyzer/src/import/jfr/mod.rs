//! Recordings of JDK Flight Recorder, also those that async-profiler writes.

mod bytes;
mod chunk;
mod types;

use std::io::{BufRead, Read};
use std::path::Path;

use profile::Profile;
use rustc_hash::FxHashMap;

use crate::error::{Error, Result};
use crate::import::builder::{Builder, Paths};
use crate::import::frame::class_name;
use crate::import::input::open;
use crate::import::times::Times;
use crate::names::method::Method;
pub use chunk::MAGIC;
use chunk::{Chunk, HEADER_LEN, Value};

/// What profiles say that they were imported from.
pub const FORMAT: &str = "Flight Recorder";

/// Kinds of events with the column they count in and the field that says how
/// much; without a field each counts once.
const EVENTS: [(&str, usize, Option<&str>); 7] = [
    ("jdk.ExecutionSample", SAMPLES, None),
    ("jdk.NativeMethodSample", SAMPLES, None),
    ("jdk.CPUTimeSample", SAMPLES, None),
    ("profiler.WallClockSample", SAMPLES, Some("samples")),
    ("jdk.ObjectAllocationSample", ALLOCATED, Some("weight")),
    ("jdk.ObjectAllocationInNewTLAB", ALLOCATED, Some("tlabSize")),
    ("jdk.ObjectAllocationOutsideTLAB", ALLOCATED, Some("allocationSize")),
];
const METRICS: [&str; 2] = ["samples", "allocated"];
const SAMPLES: usize = 0;
const ALLOCATED: usize = 1;

const DAMAGED: &str = "the recording is damaged, or was never finished";
const CUT_SHORT: &str = "the recording is cut short";

/// Reads recordings: how often a thread was seen in a context, and how many
/// bytes it allocated there, as far as these were sampled. Threads of the same
/// name become one.
///
/// # Errors
/// If a file is no recording, or has no such events.
pub fn read(files: &[impl AsRef<Path>]) -> Result<Profile> {
    let mut samples = Samples {
        builder: Builder::new(&METRICS.map(str::to_owned)),
        threads: Vec::new(),
        by_name: FxHashMap::default(),
        count: 0,
    };
    let mut times = Times::default();
    for path in files {
        let path = path.as_ref();
        let wrong = |what: &str| Error::new(format!("{}: {what}", path.display()));
        let mut input = open(path)?;
        let before = samples.count;
        let mut is_first = true;
        while let Some(bytes) = next_chunk(&mut input, is_first, path)? {
            is_first = false;
            let [start, duration] = chunk::start_and_duration(&bytes).unwrap_or_default();
            times.add_nanos(start, duration);
            let chunk = Chunk::read(&bytes).ok_or_else(|| wrong(DAMAGED))?;
            samples.add(&chunk)?.ok_or_else(|| wrong(DAMAGED))?;
        }
        if samples.count == before {
            return Err(wrong("no samples of executions or allocations in it"));
        }
    }
    let Samples { mut builder, threads, .. } = samples;
    for (name, paths) in threads {
        builder.thread(name, &paths)?;
    }
    let mut profile = builder.finish(FORMAT);
    times.note(&mut profile.run);
    // What was not sampled is no metric.
    profile.nodes.metrics.retain(|metric| metric.values.iter().any(|&value| value > 0));
    Ok(profile)
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
    count: u64,
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
    /// Adds the samples of a chunk; `None` if it is damaged.
    fn add(&mut self, chunk: &Chunk<'_>) -> Result<Option<()>> {
        let of_name = |name: &str| EVENTS.iter().position(|(known, ..)| *known == name);
        let wanted = chunk.types.iter();
        let wanted = wanted.filter_map(|(id, class)| Some((*id, of_name(&class.name)?))).collect();
        let mut known = Known::default();
        for event in chunk.events(&wanted) {
            let Some((which, event)) = event else { return Ok(None) };
            let Some(stack) = chunk.field(event, "stackTrace") else { continue };
            if !known.stacks.contains_key(&stack.at) {
                let Some(frames) = chunk.array(stack, "frames") else { return Ok(None) };
                let methods = frames.into_iter().map(|frame| self.method(chunk, frame, &mut known));
                let methods = methods.collect();
                known.stacks.insert(stack.at, methods);
            }
            let methods = &known.stacks[&stack.at];
            if methods.is_empty() {
                continue;
            }
            let (_, metric, field) = EVENTS[which];
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
            self.threads.push((name.clone(), Paths::new(METRICS.len())));
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
                descriptor: symbol(method, "descriptor").unwrap_or_default(),
            })
        });
        let unknown = || Method { name: "[unknown]".to_owned(), ..Method::default() };
        let number = self.builder.method(named.unwrap_or_else(unknown));
        if let Some(method) = method {
            known.methods.insert(method.at, number);
        }
        number
    }
}

//! What a recording says of its run, beside the samples.

use profile::sampling::Sampling;

use super::chunk::{Chunk, Value};

/// Kinds of events that say something.
pub const KINDS: [&str; 3] =
    ["jdk.GarbageCollection", "jdk.CompilerStatistics", "jdk.JVMInformation"];
const COLLECTION: usize = 0;
const COMPILERS: usize = 1;

const FLIGHT_RECORDER: &str = "Flight Recorder";
const PROCESSOR_TIME: &str = "Flight Recorder's sampler of processor time";
const ASYNC_PROFILER: &str = "async-profiler";
/// What the kinds of events that async-profiler adds begin with.
const ITS_OWN: &str = "profiler.";
/// Kind of the samples that JDK 25 takes by processor time.
pub const CPU_TIME_SAMPLE: &str = "jdk.CPUTimeSample";

/// A run that was sampled.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Facts {
    /// Who took the samples.
    pub sampler: &'static str,
    /// Main class or jar, and arguments; empty if unknown.
    pub program: String,
    /// First and last moment of the recording, in milliseconds since 1970; 0 if unknown.
    pub millis: [u64; 2],
    /// How long the garbage collector stopped the program, in nanoseconds.
    collector_nanos: u64,
    /// How long compilers had run in the JVM's life at first and at last, in milliseconds.
    compiler_millis: Option<[u64; 2]>,
}

impl Facts {
    /// Takes account of what kinds of events a chunk knows.
    pub fn see_kinds(&mut self, chunk: &Chunk<'_>) {
        let is_foreign = chunk.types.values().any(|class| class.name.starts_with(ITS_OWN));
        match is_foreign {
            true => self.sampler = ASYNC_PROFILER,
            false if self.sampler.is_empty() => self.sampler = FLIGHT_RECORDER,
            false => {}
        }
    }

    /// A sample of this kind was taken.
    pub fn see_sample(&mut self, kind: &str) {
        if kind == CPU_TIME_SAMPLE {
            self.sampler = PROCESSOR_TIME;
        }
    }

    /// Takes over what an event says, one of [`KINDS`]. What it lacks is not known.
    pub fn add(&mut self, kind: usize, event: Value, chunk: &Chunk<'_>, ticks_per_second: u64) {
        let number = |field| {
            let value = chunk.integer(chunk.field(event, field)?)?;
            u64::try_from(value).ok()
        };
        let text = |field| chunk.text(chunk.field(event, field)?);
        match kind {
            COLLECTION => {
                let ticks = u128::from(number("sumOfPauses").unwrap_or(0));
                let nanos = ticks * 1_000_000_000 / u128::from(ticks_per_second.max(1));
                let nanos = u64::try_from(nanos).unwrap_or(u64::MAX);
                self.collector_nanos = self.collector_nanos.saturating_add(nanos);
            }
            COMPILERS => {
                let spent = number("totalTimeSpent").unwrap_or(0);
                let [first, last] = self.compiler_millis.unwrap_or([spent; 2]);
                self.compiler_millis = Some([first.min(spent), last.max(spent)]);
            }
            _ => self.program = text("javaArguments").unwrap_or_default(),
        }
    }

    /// How long compilers ran while it was recorded, in milliseconds: of a recording that did
    /// not begin with the JVM.
    pub fn compiler_millis_meanwhile(&self) -> u64 {
        self.compiler_millis.map_or(0, |[first, last]| last - first)
    }

    /// What a profile says of the samples; their numbers follow when they are laid on it.
    pub fn sampling(&self) -> Sampling {
        let [start, end] = self.millis;
        Sampling {
            sampler: self.sampler.to_owned(),
            wall_millis: end.saturating_sub(start),
            collector_millis: self.collector_nanos / 1_000_000,
            compiler_millis: self.compiler_millis.map_or(0, |[_, last]| last),
            ..Sampling::default()
        }
    }
}

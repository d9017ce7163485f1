//! What is known of the samples whose times stand beside the counts.

/// Name of the metric that counts samples of a plain run, by context.
pub const TIME: &str = "time";

/// A plain run of the program, without the agent, that a sampling profiler looked at. The
/// metric [`TIME`] has its samples.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Sampling {
    /// Who took the samples, such as `Flight Recorder`.
    pub sampler: String,
    /// Samples of threads that executed something.
    pub samples: u64,
    /// Of these, samples in native methods.
    pub in_natives: u64,
    /// Of these, samples in methods that were recorded nowhere below their caller: they
    /// count for the caller.
    pub below_context: u64,
    /// Of these, samples of which no frame is a context: they count nowhere.
    pub without_context: u64,
    /// Samples of threads that waited in a native method; they are in no other number.
    pub waiting: u64,
    /// How long the plain run took, in milliseconds; 0 if it is not known.
    pub wall_millis: u64,
    /// Processor time of the plain run, in milliseconds; 0 if it is not known.
    pub cpu_millis: u64,
    /// How long the garbage collector stopped it, in milliseconds.
    pub collector_millis: u64,
    /// How long its compilers ran, all threads together, in milliseconds.
    pub compiler_millis: u64,
}

/// What the keys of the facts begin with.
const PREFIX: &str = "sampling.";
const SAMPLER: &str = "sampler";

impl Sampling {
    /// The numbers by their names.
    fn numbers(&mut self) -> [(&'static str, &mut u64); 9] {
        [
            ("samples", &mut self.samples),
            ("in_natives", &mut self.in_natives),
            ("below_context", &mut self.below_context),
            ("without_context", &mut self.without_context),
            ("waiting", &mut self.waiting),
            ("wall_millis", &mut self.wall_millis),
            ("cpu_millis", &mut self.cpu_millis),
            ("collector_millis", &mut self.collector_millis),
            ("compiler_millis", &mut self.compiler_millis),
        ]
    }

    /// Adds those of another run.
    pub fn add(&mut self, mut other: Self) {
        if !self.sampler.contains(&other.sampler) {
            let comma = if self.sampler.is_empty() { "" } else { ", " };
            self.sampler = format!("{}{comma}{}", self.sampler, other.sampler);
        }
        for ((_, sum), (_, more)) in self.numbers().into_iter().zip(other.numbers()) {
            *sum = sum.saturating_add(*more);
        }
    }

    /// Takes over a fact about a run; false if it is about something else.
    pub(crate) fn set(sampling: &mut Option<Self>, key: &str, value: &str) -> bool {
        let Some(name) = key.strip_prefix(PREFIX) else { return false };
        let sampling = sampling.get_or_insert_default();
        if name == SAMPLER {
            value.clone_into(&mut sampling.sampler);
        }
        let found = sampling.numbers().into_iter().find(|(known, _)| *known == name);
        if let Some(((_, number), value)) = found.zip(value.parse().ok()) {
            *number = value;
        }
        true
    }

    /// The facts that say what `self` says.
    pub(crate) fn pairs(&self) -> Vec<(String, String)> {
        let mut own = self.clone();
        let numbers = own.numbers().map(|(name, number)| (name, number.to_string()));
        let sampler = (SAMPLER, self.sampler.clone());
        let pairs = std::iter::once(sampler).chain(numbers);
        pairs.map(|(name, value)| (format!("{PREFIX}{name}"), value)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn facts_come_back() {
        let mut sampling = Sampling { sampler: "a, b".into(), ..Sampling::default() };
        for (at, (_, number)) in (1..).zip(sampling.numbers()) {
            *number = at;
        }
        let mut read = None;
        for (key, value) in sampling.pairs() {
            assert!(Sampling::set(&mut read, &key, &value), "{key}");
        }
        assert_eq!(read, Some(sampling));
        assert!(!Sampling::set(&mut read, "jvm", "x"));
        // A later version's facts, and a number that is none, change nothing.
        let before = read.clone();
        assert!(Sampling::set(&mut read, "sampling.colour", "x"));
        assert!(Sampling::set(&mut read, "sampling.samples", "x"));
        assert_eq!(read, before);
    }
}

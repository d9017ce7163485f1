//! Facts about the run as pairs of strings, the way both forms store them.

use std::borrow::Cow;

use crate::sampling::Sampling;
use crate::{Completeness, Origin, RunInfo};

/// Keys of the pairs. Readers pass over keys that they do not know.
pub mod key {
    /// Name, version and vendor of the JVM.
    pub const JVM: &str = "jvm";
    /// The Java command line.
    pub const COMMAND_LINE: &str = "command_line";
    /// The agent's options.
    pub const OPTIONS: &str = "options";
    /// Name and version of what wrote the profile.
    pub const WRITER: &str = "writer";
    /// Process id, decimal.
    pub const PROCESS_ID: &str = "process_id";
    /// Start of the run in milliseconds since 1970-01-01T00:00Z, decimal.
    pub const START_MILLIS: &str = "start_millis";
    /// End of the record in milliseconds since 1970-01-01T00:00Z, decimal.
    pub const END_MILLIS: &str = "end_millis";
    /// When recording was switched off, in milliseconds since 1970-01-01T00:00Z, decimal; 0 if it
    /// was on at the end.
    pub const STOPPED_MILLIS: &str = "stopped_millis";
    /// Calling contexts that found no room, decimal.
    pub const CONTEXTS_LOST: &str = "contexts_lost";
    /// What ran out when there was no more room.
    pub const SHORTAGE: &str = "shortage";
    /// Calls whose contexts found no room, decimal.
    pub const CALLS_LOST: &str = "calls_lost";
    /// Bytecodes that these calls executed, decimal.
    pub const BYTECODES_LOST: &str = "bytecodes_lost";
    /// Calls of methods that were active at the end, decimal.
    pub const ACTIVE_AT_END: &str = "active_at_end";
    /// Bytes of memory-mapped file that the run used, decimal.
    pub const RECORDING_BYTES: &str = "recording_bytes";
    /// Name of the format that the profile was imported from.
    pub const IMPORTED_FROM: &str = "imported_from";
    /// `true` if the agent came into a JVM that was running.
    pub const ATTACHED: &str = "attached";
    /// `complete`, `snapshot` or `cut_short`.
    pub const COMPLETENESS: &str = "completeness";
    /// What the key of a label begins with; the label's name follows.
    pub const LABEL: &str = "label.";
    /// What the key of a method begins with whose contexts differ by texts; class, name and
    /// descriptor of the method follow.
    pub const SPLIT: &str = "split.";
}

const TRUE: &str = "true";
const COMPLETE: &str = "complete";
const SNAPSHOT: &str = "snapshot";
const CUT_SHORT: &str = "cut_short";

impl RunInfo {
    /// The entries of the agent's option `split`.
    pub fn split_entries(&self) -> impl Iterator<Item = &str> {
        let option = self.options.split(',').find_map(|option| option.strip_prefix("split="));
        option.unwrap_or_default().split(';').filter(|entry| !entry.is_empty())
    }

    /// Takes over one pair. An unknown key, or a number that cannot be parsed,
    /// changes nothing: the counts are good also if this version cannot read a
    /// fact about the run.
    pub(crate) fn set(&mut self, key: &str, value: &str) {
        fn number<T: std::str::FromStr>(field: &mut T, value: &str) {
            if let Ok(number) = value.parse() {
                *field = number;
            }
        }
        match key {
            key::JVM => self.jvm = value.to_owned(),
            key::COMMAND_LINE => self.command_line = value.to_owned(),
            key::OPTIONS => self.options = value.to_owned(),
            key::WRITER => self.writer = value.to_owned(),
            key::PROCESS_ID => number(&mut self.process_id, value),
            key::START_MILLIS => number(&mut self.start_millis, value),
            key::END_MILLIS => number(&mut self.end_millis, value),
            key::STOPPED_MILLIS => number(&mut self.stopped_millis, value),
            key::CONTEXTS_LOST => number(&mut self.contexts_lost, value),
            key::SHORTAGE => self.shortage = value.to_owned(),
            key::CALLS_LOST => number(&mut self.calls_lost, value),
            key::BYTECODES_LOST => number(&mut self.bytecodes_lost, value),
            key::ACTIVE_AT_END => self.active_at_end = value.parse().ok(),
            key::RECORDING_BYTES => number(&mut self.recording_bytes, value),
            key::ATTACHED => self.is_attached = value == TRUE,
            key::IMPORTED_FROM => self.origin = Origin::Imported(value.to_owned()),
            key::COMPLETENESS => match value {
                COMPLETE => self.completeness = Completeness::Complete,
                SNAPSHOT => self.completeness = Completeness::Snapshot,
                CUT_SHORT => self.completeness = Completeness::CutShort,
                _ => {}
            },
            _ if Sampling::set(&mut self.sampling, key, value) => {}
            _ => {
                let named =
                    |prefix| key.strip_prefix(prefix).filter(|name: &&str| !name.is_empty());
                if let Some(name) = named(key::LABEL) {
                    self.labels.insert(name.to_owned(), value.to_owned());
                } else if let Some(method) = named(key::SPLIT) {
                    self.splits.insert(method.to_owned(), value.to_owned());
                }
            }
        }
    }

    /// The pairs that say what `self` says.
    pub(crate) fn pairs(&self) -> Vec<(Cow<'static, str>, String)> {
        let completeness = match self.completeness {
            Completeness::Complete => COMPLETE,
            // What is written down of it is not recorded any more.
            Completeness::Snapshot | Completeness::Recording => SNAPSHOT,
            Completeness::CutShort => CUT_SHORT,
        };
        let mut pairs = vec![
            (key::COMPLETENESS, completeness.to_owned()),
            (key::JVM, self.jvm.clone()),
            (key::COMMAND_LINE, self.command_line.clone()),
            (key::OPTIONS, self.options.clone()),
            (key::WRITER, self.writer.clone()),
            (key::PROCESS_ID, self.process_id.to_string()),
            (key::START_MILLIS, self.start_millis.to_string()),
            (key::END_MILLIS, self.end_millis.to_string()),
            (key::CONTEXTS_LOST, self.contexts_lost.to_string()),
            (key::RECORDING_BYTES, self.recording_bytes.to_string()),
        ];
        if !self.shortage.is_empty() {
            pairs.push((key::SHORTAGE, self.shortage.clone()));
            pairs.push((key::CALLS_LOST, self.calls_lost.to_string()));
            pairs.push((key::BYTECODES_LOST, self.bytecodes_lost.to_string()));
        }
        if self.stopped_millis > 0 {
            pairs.push((key::STOPPED_MILLIS, self.stopped_millis.to_string()));
        }
        if let Some(active) = self.active_at_end {
            pairs.push((key::ACTIVE_AT_END, active.to_string()));
        }
        if self.is_attached {
            pairs.push((key::ATTACHED, TRUE.to_owned()));
        }
        if let Origin::Imported(format) = &self.origin {
            pairs.push((key::IMPORTED_FROM, format.clone()));
        }
        let mut pairs: Vec<_> =
            pairs.into_iter().map(|(key, value)| (Cow::Borrowed(key), value)).collect();
        let sampling = self.sampling.iter().flat_map(Sampling::pairs);
        pairs.extend(sampling.map(|(key, value)| (Cow::Owned(key), value)));
        for (name, value) in &self.labels {
            pairs.push((format!("{}{name}", key::LABEL).into(), value.clone()));
        }
        for (method, said) in &self.splits {
            pairs.push((format!("{}{method}", key::SPLIT).into(), said.clone()));
        }
        pairs
    }
}

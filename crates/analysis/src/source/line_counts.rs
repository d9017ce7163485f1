//! How often each source line was executed, and what it did.

use std::collections::BTreeMap;

use profile::Profile;
use profile::blocks::LineCount;
use rustc_hash::FxHashMap;

use tree::names::method::Method;

/// What the lines of one method did.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct MethodLines {
    /// `SourceFile` of its class, empty if unknown.
    pub source_file: String,
    /// Executions and bytecodes of each line, those of callees not included. Line 0 has
    /// the instructions without a line.
    pub lines: BTreeMap<u16, LineCount>,
}

/// What the lines of methods did, in all contexts together; nothing for profiles that
/// were not recorded with `lines=on`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LineCounts {
    /// By method. Methods of the same name that several loaders have defined are one.
    pub methods: FxHashMap<Method, MethodLines>,
    /// Bytecodes of methods whose lines are not known.
    pub bytecodes_without_lines: u64,
}

impl LineCounts {
    /// Those of a profile.
    pub fn new(profile: &Profile) -> Self {
        let mut counts = Self::default();
        counts.add(profile);
        counts
    }

    /// Adds those of another profile.
    pub fn add(&mut self, profile: &Profile) {
        let calls = profile.by_method("calls");
        let mut bytecodes = profile.by_method("bytecodes");
        for blocks in &profile.blocks {
            let at = blocks.method.0 as usize;
            let (Some(method), Some(&calls)) = (profile.methods.get(at), calls.get(at)) else {
                continue;
            };
            let Some(class) = profile.classes.get(method.class.0 as usize) else { continue };
            bytecodes[at] = 0;
            let name = Method {
                class: class.name.clone(),
                name: method.name.clone(),
                descriptor: method.descriptor.clone(),
            };
            let known = self.methods.entry(name).or_default();
            known.source_file.clone_from(&class.source_file);
            for (line, count) in blocks.lines(calls) {
                let sum = known.lines.entry(line).or_default();
                sum.executions = sum.executions.saturating_add(count.executions);
                sum.bytecodes = sum.bytecodes.saturating_add(count.bytecodes);
            }
        }
        let without = bytecodes.iter().fold(0u64, |sum, &value| sum.saturating_add(value));
        self.bytecodes_without_lines = self.bytecodes_without_lines.saturating_add(without);
    }

    /// True if no lines are known.
    pub fn is_empty(&self) -> bool {
        self.methods.is_empty()
    }

    /// Bytecodes of all lines.
    pub fn bytecodes(&self) -> u64 {
        let lines = self.methods.values().flat_map(|method| method.lines.values());
        lines.fold(0, |sum, line| sum.saturating_add(line.bytecodes))
    }
}

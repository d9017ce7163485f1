//! Sections of what a thread does whose loops are judged by themselves beside all others,
//! such as tests.

use rustc_hash::FxHashMap;

use super::findings::{Finding, Instances, LoopInContext};

/// A section. A loop instance belongs to the innermost one in which it has begun.
#[derive(Debug, Default)]
pub struct Section {
    /// What it is asked for by.
    pub number: u64,
    /// Loops around it: they have begun before.
    around: usize,
    /// How many instances there were of each loop.
    pub instances: FxHashMap<LoopInContext, Instances>,
    /// What was found.
    pub findings: FxHashMap<LoopInContext, Finding>,
}

/// The sections in which a thread is, the outermost one first.
#[derive(Debug, Default)]
pub struct Sections {
    open: Vec<Section>,
}

impl Sections {
    /// Begins a section in so many loops.
    pub fn begin(&mut self, number: u64, around: usize) {
        self.open.push(Section { number, around, ..Section::default() });
    }

    /// Ends the section of this number and those within it; `None` if there is none.
    pub fn end(&mut self, number: u64) -> Option<Section> {
        let at = self.open.iter().position(|section| section.number == number)?;
        self.open.drain(at..).next()
    }

    /// Ends all.
    pub fn clear(&mut self) {
        self.open.clear();
    }

    /// The section of a loop instance that is left and had so many loops around it.
    pub fn of_left(&mut self, around: usize) -> Option<&mut Section> {
        for section in self.open.iter_mut().rev() {
            if around >= section.around {
                return Some(section);
            }
            section.around = around;
        }
        None
    }
}

impl Sections {
    /// The section of a loop instance that goes on and has so many loops around it.
    pub fn of_open(&mut self, around: usize) -> Option<&mut Section> {
        self.open.iter_mut().rev().find(|section| around >= section.around)
    }
}

impl Section {
    /// Counts an instance of a loop, which may have been long enough to be judged.
    pub fn count(&mut self, one: LoopInContext, is_long: bool) {
        self.instances.entry(one).or_default().count(is_long);
    }

    /// Adds what was found in an instance.
    pub fn add(&mut self, one: LoopInContext, finding: Finding) {
        self.findings.entry(one).or_default().add(finding);
    }
}

//! Evidence of one cause, brought together.

use std::cmp::Reverse;

use super::evidence::Evidence;
use super::kind::Kind;
use super::program::Program;
use super::region::Region;

/// Two places are one cause if they have this part of the greater one's cost in common.
const SAME: f64 = 0.5;

/// One cause of waste, with all that speaks for it.
#[derive(Debug, Clone, PartialEq)]
pub struct Finding {
    /// The evidence, that which speaks for most first: its method is the one to look at.
    pub evidence: Vec<Evidence>,
    /// The contexts that it lies in.
    pub region: Region,
    /// What they cost.
    pub cost: u64,
    /// Samples of a plain run in them.
    pub samples: u64,
}

impl Finding {
    fn new(program: &Program<'_>, evidence: Evidence) -> Self {
        let region = evidence.region.clone();
        let (cost, samples) = (program.cost(&region), program.samples(&region));
        debug_assert!(evidence.saving <= cost.max(1), "{evidence:?} of {cost}");
        Self { evidence: vec![evidence], region, cost, samples }
    }

    /// What the finding is told by.
    pub fn lead(&self) -> &Evidence {
        &self.evidence[0]
    }

    /// The evidence that says most, at most so many: one of each kind and sentence.
    pub fn told(&self, most: usize) -> Vec<&Evidence> {
        let mut told: Vec<&Evidence> = Vec::new();
        for one in &self.evidence {
            let is_new = |known: &&Evidence| known.kind != one.kind;
            if told.len() < most && told.iter().all(is_new) {
                told.push(one);
            }
        }
        told
    }

    /// Bytecodes that a change saves at most.
    pub fn saving(&self) -> u64 {
        self.lead().saving
    }

    /// Samples of the plain run that go with what is saved.
    pub fn samples_saved(&self) -> u64 {
        let part = self.saving() as f64 / self.cost.max(1) as f64;
        (self.samples as f64 * part.min(1.0)).round() as u64
    }

    /// Whether evidence is of this cause.
    fn is_of(&self, program: &Program<'_>, evidence: &Evidence) -> bool {
        let lead = self.lead();
        if lead.kind.is_defect() || evidence.kind.is_defect() {
            return lead.kind == evidence.kind && lead.method == evidence.method;
        }
        let common = program.cost(&self.region.intersection(&evidence.region)) as f64;
        let [mine, others] = [self.cost, program.cost(&evidence.region)].map(|cost| cost as f64);
        // One method's waste is one cause, be there more in it or not.
        let is_part = lead.method == evidence.method || self.has_within(evidence);
        let whole = if is_part { mine.min(others) } else { mine.max(others) };
        common > 0.0 && common >= SAME * whole
    }

    /// Whether most of its objects would be those of the evidence, if that lies within it, or
    /// the other way round: the outer method's objects are counted with those made below.
    fn has_within(&self, evidence: &Evidence) -> bool {
        let lead = self.lead();
        let [less, more] = [lead.saving.min(evidence.saving), lead.saving.max(evidence.saving)];
        [lead.kind, evidence.kind] == [Kind::ShortLived; 2] && less as f64 >= SAME * more as f64
    }
}

/// The causes, what saves most first, and defects behind those that save the most.
pub fn merge(program: &Program<'_>, mut evidence: Vec<Evidence>) -> Vec<Finding> {
    evidence.sort_by(|a, b| {
        (Reverse(a.likely), a.kind, a.method).cmp(&(Reverse(b.likely), b.kind, b.method))
    });
    let mut findings: Vec<Finding> = Vec::new();
    for one in evidence {
        match findings.iter_mut().find(|finding| finding.is_of(program, &one)) {
            Some(finding) => finding.evidence.push(one),
            None => findings.push(Finding::new(program, one)),
        }
    }
    findings.sort_by_key(|finding| Reverse(finding.lead().likely));
    findings
}

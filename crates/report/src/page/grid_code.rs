//! Induced costs at all pairs of thresholds, as few numbers as possible.
//!
//! With higher thresholds fewer methods subsume, and those that do induce more.
//! Neighbouring pairs mostly have the same cost, so what is written are the
//! differences, and how many of them are 0.

use serde::ser::{Serialize, SerializeSeq, Serializer};

use crate::page::count::Count;
use analysis::subsuming::threshold_grid::{Cells, Reach, SIDE};

/// The pairs of thresholds at which a method subsumes, with what it induces.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Code {
    /// It subsumes nowhere; written as 0.
    Nowhere,
    /// `[height, distance, steps ...]`, the pairs row by row.
    Somewhere(Reach, Vec<Step>),
}

/// What comes next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    /// This number of costs that equal the previous one; written as a
    /// negative number.
    Same(u8),
    /// A cost that is greater by this than that before it in the row, in the
    /// first column than that above it.
    More(u64),
}

/// Codes the costs at the pairs within reach.
pub fn code(reach: Reach, cells: Option<&Cells>) -> Code {
    let Some(cells) = cells else { return Code::Nowhere };
    let mut steps = Vec::new();
    // A row of 11 has few enough to be counted in a byte, and so have all rows.
    let mut same = 0u8;
    for height in 0..reach.height {
        for distance in 0..reach.distance {
            let at = |height: usize, distance: usize| cells[height * SIDE + distance];
            let before = match (height, distance) {
                (0, 0) => 0,
                (_, 0) => at(height - 1, 0),
                _ => at(height, distance - 1),
            };
            match at(height, distance).saturating_sub(before) {
                0 => same += 1,
                more => {
                    if same > 0 {
                        steps.push(Step::Same(std::mem::take(&mut same)));
                    }
                    steps.push(Step::More(more));
                }
            }
        }
    }
    // Costs that are missing at the end are the same as the one before.
    Code::Somewhere(reach, steps)
}

impl Serialize for Code {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Nowhere => serializer.serialize_u8(0),
            Self::Somewhere(reach, steps) => {
                let mut seq = serializer.serialize_seq(Some(2 + steps.len()))?;
                seq.serialize_element(&reach.height)?;
                seq.serialize_element(&reach.distance)?;
                for step in steps {
                    match *step {
                        Step::Same(count) => seq.serialize_element(&-i16::from(count))?,
                        Step::More(more) => seq.serialize_element(&Count(more))?,
                    }
                }
                seq.end()
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::code;
    use analysis::subsuming::threshold_grid::{PAIRS, Reach, SIDE};

    #[test]
    fn differences_and_how_many_are_none() {
        let mut cells = [0; PAIRS];
        // Three rows of two: 5 5, 5 7, 9 9.
        for (at, cost) in
            [(0, 5), (1, 5), (SIDE, 5), (SIDE + 1, 7), (2 * SIDE, 9), (2 * SIDE + 1, 9)]
        {
            cells[at] = cost;
        }
        let coded = code(Reach { height: 3, distance: 2 }, Some(&cells));
        assert_eq!(serde_json::to_string(&coded).unwrap(), "[3,2,5,-2,2,4]");
        let nowhere = code(Reach::default(), None);
        assert_eq!(serde_json::to_string(&nowhere).unwrap(), "0");
    }
}

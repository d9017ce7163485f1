//! The contexts in which methods with results are called.

use analysis::dataflow::for_whom::Shares;
use analysis::dataflow::results::{METRICS, Results};
use base::number::grouped;
use rustc_hash::FxHashSet;
use tree::error::Result;
use tree::names::method::Method;
use tree::owners::OwnCode;

use super::Answer;
use crate::cli::dataflow::for_whom::Recorded;
use crate::cli::dataflow::source::Profiles;
use crate::cli::start::{Start, WITH_START, start_up};

/// The cost by which small first calls are told.
const BYTECODES: [&str; 1] = [METRICS[1]];
const CALLS: [&str; 1] = [METRICS[0]];

/// The contexts of calls.
pub struct Called {
    pub recorded: Recorded,
    /// Methods that are called only in what happens once.
    start: FxHashSet<Method>,
}

impl Called {
    /// Those of some profiles, `None` if these lack contexts.
    ///
    /// # Errors
    /// If a profile contradicts itself.
    pub fn new(profiles: Profiles, start: Start, own: OwnCode) -> Result<Option<Self>> {
        let recorded = Recorded::new(profiles, &BYTECODES, own)?;
        let Some(mut recorded) = recorded else { return Ok(None) };
        if !start.is_left_out() {
            recorded.stays.fill(true);
        }
        let tree = &recorded.tree;
        let (mut is_called, mut goes_on) =
            (vec![false; tree.methods.len()], vec![false; tree.methods.len()]);
        for (&method, &stays) in tree.method.iter().zip(&recorded.stays) {
            is_called[method as usize] = true;
            goes_on[method as usize] |= stays;
        }
        let is_start = is_called.iter().zip(goes_on).map(|(&called, goes_on)| called && !goes_on);
        let start = tree.methods.iter().zip(is_start).filter(|(_, is_start)| *is_start);
        let start = start.map(|(method, _)| method.clone()).collect();
        Ok(Some(Self { recorded, start }))
    }

    /// Whether there are methods that are called only in what happens once.
    pub fn leaves_out_any(&self) -> bool {
        !self.start.is_empty()
    }

    /// Whether a method is called only in what happens once.
    pub fn is_start(&self, method: &Method) -> bool {
        self.start.contains(method)
    }

    /// For whom methods of the JDK are called, of these places in the results.
    pub fn users(&self, results: &Results, places: &[usize]) -> Vec<Option<Shares>> {
        let contexts = self.recorded.contexts(&CALLS);
        let user = |&at: &usize| {
            let one = &results.followed[at];
            let shares = contexts.of([(Some(results.method(one)), one.calls)])?;
            // Calls are what contexts count.
            Some(Shares { is_estimate: false, ..shares })
        };
        places.iter().map(user).collect()
    }
}

/// What is left out, in a sentence.
pub fn start_line(answer: &Answer<'_>) -> Option<String> {
    let (called, left_out) = answer.called.zip(answer.of_start)?;
    let start = &called.recorded.start;
    if start.is_put_aside && left_out == 0 {
        return None;
    }
    if !start.is_put_aside {
        return start_up(start, BYTECODES[0], WITH_START);
    }
    let candidates = match left_out {
        1 => "1 candidate is called nowhere else and".to_owned(),
        more => format!("{} candidates are called nowhere else and", grouped(more as u64)),
    };
    Some(format!("Start-up and first calls: {candidates} left out{WITH_START}"))
}

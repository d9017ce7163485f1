//! What judged loops read, in the sequences of each place that reads.

use super::super::events::{Ipcs, Place};
use super::super::sequences::Sequences;
use super::super::values::{Element, MOST_LEVELS};
use super::Judge;

/// Bytes of the sequences of an IPCS that are counted when it is met first.
const BYTES_OF_SEQUENCES: usize = 192;

impl Judge {
    #[inline]
    pub(super) fn read(&mut self, ipcs: Ipcs, innermost: usize, value: u64, place: Place) {
        let Some(outermost) = self.outermost_judged(innermost, 1) else { return };
        let written = self.writes.last_since(self.levels.start(outermost), place);
        let counts_from = self.levels.first_after(written, outermost, innermost);
        let Some(counts_from) = counts_from else { return };
        self.totals.reads += 1;
        let Some(at) = self.position(ipcs) else {
            self.totals.lost += 1;
            return;
        };
        self.push((at, outermost, innermost), counts_from, (value, place));
    }

    /// Elements that lie beside each other are read by one call.
    pub(super) fn read_elements(
        &mut self,
        ipcs: Ipcs,
        innermost: usize,
        values: &[u64],
        first: Place,
    ) {
        let Some(outermost) = self.outermost_judged(innermost, values.len() as u64) else {
            return;
        };
        let oldest = self.levels.start(outermost);
        // Runs of elements that count for the same loops.
        let mut runs = std::mem::take(&mut self.runs);
        let levels = &self.levels;
        self.writes.each_since(oldest, first, values.len(), |count, written| {
            let counts_from = levels.first_after(written, outermost, innermost);
            match runs.last_mut() {
                Some((length, known)) if *known == counts_from => *length += count,
                _ => runs.push((count, counts_from)),
            }
        });
        let mut elements = values.iter().copied().zip(first..);
        for (length, counts_from) in runs.drain(..) {
            let run = elements.by_ref().take(length);
            let Some(counts_from) = counts_from else {
                run.for_each(drop);
                continue;
            };
            self.totals.reads += length as u64;
            let Some(at) = self.position(ipcs) else {
                self.totals.lost += length as u64;
                run.for_each(drop);
                continue;
            };
            for element in run {
                self.push((at, outermost, innermost), counts_from, element);
            }
        }
        self.runs = runs;
    }

    /// Outermost loop to which so many reads in this one belong; `None` if none of those
    /// loops is judged.
    #[inline]
    fn outermost_judged(&mut self, innermost: usize, reads: u64) -> Option<usize> {
        let (first_judged, first_kept) = (self.levels.first_judged()?, self.levels.first_kept()?);
        let outermost = outermost(innermost);
        if first_judged > innermost {
            None
        } else if outermost <= first_kept {
            Some(first_kept)
        } else if outermost <= first_judged {
            // Loops around that miss it rest.
            Some(outermost)
        } else if self.levels.has_judged(outermost, innermost) {
            self.totals.deep += reads;
            Some(outermost)
        } else {
            None
        }
    }

    /// Adds an element to the sequences at this position, whose loops these are.
    #[inline]
    fn push(
        &mut self,
        (at, outermost, innermost): (u32, usize, usize),
        counts_from: usize,
        element: Element,
    ) {
        let sequences = &mut self.sequences[at as usize];
        sequences.lie_in(outermost, innermost, self.stay, &mut self.sums);
        let when = (at, self.clock);
        let grown = sequences.push(element, counts_from, when, &mut self.levels, &mut self.sums);
        if grown > 0 {
            self.grow(grown);
        }
    }

    /// Notes that `bytes` bytes were allocated. They are kept, even if they were the last ones.
    pub(super) fn grow(&mut self, bytes: usize) {
        if self.memory.take(bytes) {
            self.taken += bytes;
        }
    }

    /// The position of an IPCS; `None` without memory.
    #[inline]
    fn position(&mut self, ipcs: Ipcs) -> Option<u32> {
        let guess = self.sequences.get(self.last as usize).map_or(0, |last| last.next);
        if self.sequences.get(guess as usize).is_some_and(|known| known.ipcs == ipcs) {
            self.last = guess;
            return Some(guess);
        }
        let at = match self.known.get(&ipcs) {
            Some(&at) => at,
            None => {
                if !self.memory.take(BYTES_OF_SEQUENCES) {
                    return None;
                }
                self.taken += BYTES_OF_SEQUENCES;
                let at = self.sequences.len() as u32;
                self.known.insert(ipcs, at);
                self.sequences.push(Sequences::new(ipcs));
                at
            }
        };
        if let Some(last) = self.sequences.get_mut(self.last as usize) {
            last.next = at;
        }
        self.last = at;
        Some(at)
    }
}

/// The outermost of the loops to which an IPCS in this one belongs.
pub(super) fn outermost(innermost: usize) -> usize {
    (innermost + 1).saturating_sub(MOST_LEVELS)
}

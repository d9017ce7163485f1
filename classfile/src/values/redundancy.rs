//! Removes merges that merge nothing.
//!
//! Merges that know only each other and one value beside mean that value,
//! after Braun and others, "Simple and Efficient Construction of Static
//! Single Assignment Form" (2013), algorithms 5 and 6.

use super::draft::{Draft, TermId};
use super::resolution::Merges;

/// Position of a merge in [`Merges::merges`].
type MergeIndex = u32;

const NO_MERGE: MergeIndex = u32::MAX;

/// Replaces redundant merges by what they mean.
pub(super) fn remove(draft: &mut Draft, found: &mut Merges) {
    if found.merges.is_empty() {
        return;
    }
    for input in &mut found.inputs {
        input.term = draft.meaning(input.term);
    }
    let mut merge_of = vec![NO_MERGE; draft.terms().len()];
    for (index, merge) in found.merges.iter().enumerate() {
        merge_of[merge.term as usize] = index as MergeIndex;
    }
    let count = found.merges.len();
    let mut removal = Removal {
        draft,
        found,
        merge_of,
        group: vec![0; count],
        groups: 0,
        visits: vec![Visit::default(); count],
        components: Components::default(),
    };
    removal.split((0..count as MergeIndex).collect());
    // One comes after the merges that it uses, and what is split off a
    // component right after it.
    let mut component = Vec::new();
    while removal.components.pop(&mut component) {
        removal.simplify(&component);
    }
}

/// A stack of sets of merges, the first to look at on top.
#[derive(Default)]
struct Components {
    merges: Vec<MergeIndex>,
    sizes: Vec<u32>,
}

impl Components {
    fn push(&mut self, component: impl Iterator<Item = MergeIndex>) {
        let before = self.merges.len();
        self.merges.extend(component);
        self.sizes.push((self.merges.len() - before) as u32);
    }

    fn pop(&mut self, component: &mut Vec<MergeIndex>) -> bool {
        let Some(size) = self.sizes.pop() else { return false };
        component.clear();
        component.extend(self.merges.drain(self.merges.len() - size as usize..));
        true
    }

    /// Brings the lowest of those above a height to the top.
    fn reverse_above(&mut self, merges: usize, sizes: usize) {
        // This also reverses each of them, which does not matter.
        self.merges[merges..].reverse();
        self.sizes[sizes..].reverse();
    }
}

/// Where the search for components has been.
#[derive(Clone, Copy, Default)]
struct Visit {
    /// The group that it was visited in; others count as not visited.
    group: u32,
    number: u32,
    lowest: u32,
    is_open: bool,
}

struct Removal<'r> {
    draft: &'r mut Draft,
    found: &'r Merges,
    /// The merge that each term is, or `NO_MERGE`.
    merge_of: Vec<MergeIndex>,
    /// The group that each merge belongs to now.
    group: Vec<u32>,
    groups: u32,
    visits: Vec<Visit>,
    components: Components,
}

impl Removal<'_> {
    /// The merge that an input of another one means, if it is one.
    fn input(&mut self, input: u32) -> (TermId, MergeIndex) {
        let term = self.draft.meaning(self.found.inputs[input as usize].term);
        // Terms that came later are no merges.
        (term, self.merge_of[term as usize])
    }

    /// Replaces a component by the one value that comes from outside, or
    /// looks further at those of its merges that know only each other.
    fn simplify(&mut self, component: &[MergeIndex]) {
        self.groups += 1;
        let group = self.groups;
        for &merge in component {
            self.group[merge as usize] = group;
        }
        let mut outside = None;
        let mut is_merging = false;
        let mut inner = Vec::new();
        for &merge in component {
            let mut is_inner = true;
            for input in self.found.merges[merge as usize].inputs.clone() {
                let (term, from) = self.input(input);
                if from != NO_MERGE && self.group[from as usize] == group {
                    continue;
                }
                is_inner = false;
                is_merging |= *outside.get_or_insert(term) != term;
            }
            if is_inner {
                inner.push(merge);
            }
        }
        match outside {
            Some(_) if is_merging => self.split(inner),
            Some(term) => {
                for &merge in component {
                    self.draft.replace(self.found.merges[merge as usize].term, term);
                }
            }
            // Nothing comes in: no control does.
            None => {}
        }
    }

    /// Finds the strongly connected components among some merges, after
    /// Tarjan, without recursion.
    fn split(&mut self, merges: Vec<MergeIndex>) {
        if merges.is_empty() {
            return;
        }
        self.groups += 1;
        let group = self.groups;
        for &merge in &merges {
            self.group[merge as usize] = group;
        }
        let (merges_below, sizes_below) =
            (self.components.merges.len(), self.components.sizes.len());
        let mut numbers = 0;
        let mut open = Vec::new();
        let mut path: Vec<(MergeIndex, u32)> = Vec::new();
        for root in merges {
            if self.visits[root as usize].group == group {
                continue;
            }
            path.push((root, self.enter(root, group, &mut numbers, &mut open)));
            while let Some((merge, next)) = path.last_mut() {
                let merge = *merge;
                if *next < self.found.merges[merge as usize].inputs.end {
                    let input = *next;
                    *next += 1;
                    let (_, from) = self.input(input);
                    if from == NO_MERGE || self.group[from as usize] != group {
                        continue;
                    }
                    let seen = self.visits[from as usize];
                    if seen.group != group {
                        path.push((from, self.enter(from, group, &mut numbers, &mut open)));
                    } else if seen.is_open {
                        let visit = &mut self.visits[merge as usize];
                        visit.lowest = visit.lowest.min(seen.number);
                    }
                    continue;
                }
                path.pop();
                let Visit { number, lowest, .. } = self.visits[merge as usize];
                if let Some(&(before, _)) = path.last() {
                    let visit = &mut self.visits[before as usize];
                    visit.lowest = visit.lowest.min(lowest);
                }
                if number == lowest {
                    let start = open.iter().rposition(|&other| other == merge).unwrap_or(0);
                    for &closed in &open[start..] {
                        self.visits[closed as usize].is_open = false;
                    }
                    self.components.push(open.drain(start..));
                }
            }
        }
        self.components.reverse_above(merges_below, sizes_below);
    }

    /// Visits a merge; gives its first input.
    fn enter(
        &mut self,
        merge: MergeIndex,
        group: u32,
        numbers: &mut u32,
        open: &mut Vec<MergeIndex>,
    ) -> u32 {
        let number = *numbers;
        *numbers += 1;
        open.push(merge);
        self.visits[merge as usize] = Visit { group, number, lowest: number, is_open: true };
        self.found.merges[merge as usize].inputs.start
    }
}

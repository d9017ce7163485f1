//! Removes redundant phis: those that have one value beside themselves.
//!
//! Phis that know only each other and one value beside mean that value,
//! after Braun and others, "Simple and Efficient Construction of Static
//! Single Assignment Form" (2013), algorithms 5 and 6.

use super::draft::{Draft, TermId};
use super::resolution::Phis;

/// Position of a phi in [`Phis::phis`].
type PhiIndex = u32;

const NO_PHI: PhiIndex = u32::MAX;

/// Replaces redundant phis by what they mean.
pub(super) fn remove(draft: &mut Draft, found: &mut Phis) {
    if found.phis.is_empty() {
        return;
    }
    for input in &mut found.inputs {
        input.term = draft.meaning(input.term);
    }
    let mut phi_of = vec![NO_PHI; draft.terms().len()];
    for (index, phi) in found.phis.iter().enumerate() {
        phi_of[phi.term as usize] = index as PhiIndex;
    }
    let count = found.phis.len();
    let mut removal = Removal {
        draft,
        found,
        phi_of,
        group: vec![0; count],
        groups: 0,
        visits: vec![Visit::default(); count],
        components: Components::default(),
    };
    removal.split((0..count as PhiIndex).collect());
    // One comes after the phis that it uses, and what is split off a
    // component right after it.
    let mut component = Vec::new();
    while removal.components.pop(&mut component) {
        removal.simplify(&component);
    }
}

/// A stack of sets of phis, the first to look at on top.
#[derive(Default)]
struct Components {
    phis: Vec<PhiIndex>,
    sizes: Vec<u32>,
}

impl Components {
    fn push(&mut self, component: impl Iterator<Item = PhiIndex>) {
        let before = self.phis.len();
        self.phis.extend(component);
        self.sizes.push((self.phis.len() - before) as u32);
    }

    fn pop(&mut self, component: &mut Vec<PhiIndex>) -> bool {
        let Some(size) = self.sizes.pop() else { return false };
        component.clear();
        component.extend(self.phis.drain(self.phis.len() - size as usize..));
        true
    }

    /// Brings the lowest of those above a height to the top.
    fn reverse_above(&mut self, phis: usize, sizes: usize) {
        // This also reverses each of them, which does not matter.
        self.phis[phis..].reverse();
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
    found: &'r Phis,
    /// The phi that each term is, or `NO_PHI`.
    phi_of: Vec<PhiIndex>,
    /// The group that each phi belongs to now.
    group: Vec<u32>,
    groups: u32,
    visits: Vec<Visit>,
    components: Components,
}

impl Removal<'_> {
    /// The phi that an input of another one means, if it is one.
    fn input(&mut self, input: u32) -> (TermId, PhiIndex) {
        let term = self.draft.meaning(self.found.inputs[input as usize].term);
        // Terms that came later are no phis.
        (term, self.phi_of[term as usize])
    }

    /// Replaces a component by the one value that comes from outside, or
    /// looks further at those of its phis that know only each other.
    fn simplify(&mut self, component: &[PhiIndex]) {
        self.groups += 1;
        let group = self.groups;
        for &phi in component {
            self.group[phi as usize] = group;
        }
        let mut outside = None;
        let mut is_necessary = false;
        let mut inner = Vec::new();
        for &phi in component {
            let mut is_inner = true;
            for input in self.found.phis[phi as usize].inputs.clone() {
                let (term, from) = self.input(input);
                if from != NO_PHI && self.group[from as usize] == group {
                    continue;
                }
                is_inner = false;
                is_necessary |= *outside.get_or_insert(term) != term;
            }
            if is_inner {
                inner.push(phi);
            }
        }
        match outside {
            Some(_) if is_necessary => self.split(inner),
            Some(term) => {
                for &phi in component {
                    self.draft.replace(self.found.phis[phi as usize].term, term);
                }
            }
            // Nothing comes in: no control does.
            None => {}
        }
    }

    /// Finds the strongly connected components among some phis, after
    /// Tarjan, without recursion.
    fn split(&mut self, phis: Vec<PhiIndex>) {
        if phis.is_empty() {
            return;
        }
        self.groups += 1;
        let group = self.groups;
        for &phi in &phis {
            self.group[phi as usize] = group;
        }
        let (phis_below, sizes_below) = (self.components.phis.len(), self.components.sizes.len());
        let mut numbers = 0;
        let mut open = Vec::new();
        let mut path: Vec<(PhiIndex, u32)> = Vec::new();
        for root in phis {
            if self.visits[root as usize].group == group {
                continue;
            }
            path.push((root, self.enter(root, group, &mut numbers, &mut open)));
            while let Some((phi, next)) = path.last_mut() {
                let phi = *phi;
                if *next < self.found.phis[phi as usize].inputs.end {
                    let input = *next;
                    *next += 1;
                    let (_, from) = self.input(input);
                    if from == NO_PHI || self.group[from as usize] != group {
                        continue;
                    }
                    let seen = self.visits[from as usize];
                    if seen.group != group {
                        path.push((from, self.enter(from, group, &mut numbers, &mut open)));
                    } else if seen.is_open {
                        let visit = &mut self.visits[phi as usize];
                        visit.lowest = visit.lowest.min(seen.number);
                    }
                    continue;
                }
                path.pop();
                let Visit { number, lowest, .. } = self.visits[phi as usize];
                if let Some(&(before, _)) = path.last() {
                    let visit = &mut self.visits[before as usize];
                    visit.lowest = visit.lowest.min(lowest);
                }
                if number == lowest {
                    let start = open.iter().rposition(|&other| other == phi).unwrap_or(0);
                    for &closed in &open[start..] {
                        self.visits[closed as usize].is_open = false;
                    }
                    self.components.push(open.drain(start..));
                }
            }
        }
        self.components.reverse_above(phis_below, sizes_below);
    }

    /// Visits a phi; gives its first input.
    fn enter(
        &mut self,
        phi: PhiIndex,
        group: u32,
        numbers: &mut u32,
        open: &mut Vec<PhiIndex>,
    ) -> u32 {
        let number = *numbers;
        *numbers += 1;
        open.push(phi);
        self.visits[phi as usize] = Visit { group, number, lowest: number, is_open: true };
        self.found.phis[phi as usize].inputs.start
    }
}

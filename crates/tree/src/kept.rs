//! Columns of contexts of which some go.

use profile::NO_PARENT;

use crate::Tree;

/// The new number of each context: how many before it stay. Behind the last one stands how
/// many there are.
pub fn new_numbers(stays: &[bool]) -> Vec<u32> {
    let mut numbers = Vec::with_capacity(stays.len() + 1);
    let mut kept = 0;
    for &stays in stays {
        numbers.push(kept);
        kept += u32::from(stays);
    }
    numbers.push(kept);
    numbers
}

/// Takes what belongs to other contexts out of a column; an empty one stays empty.
pub fn retain<T: Copy>(column: &mut Vec<T>, stays: &[bool]) {
    let mut stays = stays.iter().copied();
    column.retain(|_| stays.next().unwrap_or(false));
}

impl Tree {
    /// Leaves only some contexts; with each that goes, all below it go.
    pub(crate) fn keep(&mut self, stays: &[bool]) {
        let number = new_numbers(stays);
        for parent in self.parent.iter_mut().filter(|parent| **parent != NO_PARENT) {
            *parent = number[*parent as usize];
        }
        retain(&mut self.method, stays);
        retain(&mut self.parent, stays);
        retain(&mut self.site, stays);
        retain(&mut self.threads, stays);
        retain(&mut self.thread, stays);
        for metric in &mut self.metrics {
            retain(&mut metric.values, stays);
        }
        self.roots = self.parent.iter().filter(|&&parent| parent == NO_PARENT).count();
        self.total = self.cost().iter().sum();
    }
}

//! Allocated bytes: the sums of the nodes' counters by method and class.

use super::arena::Arena;
use crate::{AllocatedBytes, Image, MethodId};

/// The classes that methods allocate, by the methods' places in the catalog.
#[derive(Debug, Default)]
pub(super) struct AllocatedSums {
    of_methods: Vec<OfMethod>,
}

#[derive(Debug, Default)]
struct OfMethod {
    classes: Vec<String>,
    /// Bytes of each.
    sums: Vec<u64>,
}

impl AllocatedSums {
    /// Notes which classes the counters of a method are for.
    pub(super) fn describe(&mut self, method: u32, classes: Vec<String>) {
        let at = method as usize;
        if at >= self.of_methods.len() {
            self.of_methods.resize_with(at + 1, OfMethod::default);
        }
        let sums = vec![0; classes.len()];
        self.of_methods[at] = OfMethod { classes, sums };
    }

    /// Adds the counters of a node, of which the first is `first`; their sum.
    pub(super) fn add<I: Image>(
        &mut self,
        method: u32,
        arena: &Arena<'_, I>,
        first: u32,
        count: u32,
    ) -> u64 {
        let mut all = 0_u64;
        let known = self.of_methods.get_mut(method as usize);
        let mut sums = known.map(|known| known.sums.iter_mut()).into_iter().flatten();
        for at in (first..).step_by(2).take(count as usize) {
            let bytes = arena.image.counter(at);
            all = all.saturating_add(bytes);
            if let Some(sum) = sums.next() {
                *sum = sum.saturating_add(bytes);
            }
        }
        all
    }

    /// The bytes of each class that a method has allocated.
    pub(super) fn read(&self) -> Vec<AllocatedBytes> {
        let mut read = Vec::new();
        for (method, known) in (0..).zip(&self.of_methods) {
            for (class, &bytes) in known.classes.iter().zip(&known.sums) {
                if bytes > 0 {
                    let class = class.clone();
                    read.push(AllocatedBytes { method: MethodId(method), class, bytes });
                }
            }
        }
        read
    }
}

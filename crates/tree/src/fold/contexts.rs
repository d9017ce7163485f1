//! The contexts of all profiles folded so far, as a trie over thread, method and call
//! site.
//!
//! Numbers are given in the order in which contexts first appear, a parent before its
//! children; [`Contexts::write`] brings them into preorder.

use std::io::Write;
use std::ops::Range;

use profile::{CompactWriter, MethodId, NO_PARENT, Nodes};
use rustc_hash::FxHashMap;

use crate::error::{Error, Result};

/// No such node.
const NONE: u32 = u32::MAX;

/// A trie in columns.
#[derive(Debug, Default)]
pub struct Contexts {
    method: Vec<u32>,
    site: Vec<u32>,
    /// Parent of each node; of the roots of a thread what [`root`] makes of its number.
    parent: Vec<u32>,
    /// One column for each metric.
    costs: Vec<Vec<u64>>,
    /// Node of each parent, method and call site.
    known: FxHashMap<(u32, u32, u32), u32>,
    /// Numbers of the nodes of the profile that is being folded.
    numbers: Vec<u32>,
    threads: u32,
}

/// What stands for the parent of a thread's roots: numbers from above, so that nodes
/// can be numbered from below.
fn root(thread: u32) -> u32 {
    u32::MAX - 1 - thread
}

#[cold]
fn too_many() -> Error {
    Error::new("more calling contexts than 32-bit numbers can name")
}

impl Contexts {
    /// Number of contexts.
    pub fn len(&self) -> usize {
        self.method.len()
    }

    /// Sets the number of metrics, before the first thread is added.
    pub fn set_metrics(&mut self, count: usize) {
        self.costs.resize_with(count, Vec::new);
    }

    /// Forgets a metric.
    pub fn remove_metric(&mut self, at: usize) {
        self.costs.remove(at);
    }

    /// A number for one more thread.
    ///
    /// # Errors
    /// If there are more than 32-bit numbers can name.
    pub fn new_thread(&mut self) -> Result<u32> {
        let thread = self.threads;
        self.threads = thread.checked_add(1).ok_or_else(too_many)?;
        Ok(thread)
    }

    /// Adds the contexts in `range`, which are of one thread. `methods` and `sites` are
    /// the new numbers of the methods of the profile and, for each, of its call sites.
    ///
    /// # Errors
    /// If there are more contexts than 32-bit numbers can name.
    pub fn add(
        &mut self,
        thread: u32,
        nodes: &Nodes,
        range: Range<u32>,
        methods: &[u32],
        sites: &[Vec<u32>],
    ) -> Result<()> {
        let range = range.start as usize..range.end as usize;
        if self.numbers.len() < range.end {
            self.numbers.resize(range.end, NONE);
        }
        // Profiles of one program have their contexts in much the same order: the next
        // one is nearly always the one behind the one found last, so that memory is read
        // in its order and nothing is hashed.
        let mut next = 0;
        for node in range {
            let parent = nodes.parent[node];
            let (parent, site) = if parent == NO_PARENT {
                (root(thread), 0)
            } else {
                let sites = &sites[nodes.method[parent as usize] as usize];
                let site = nodes.site[node].checked_sub(1).map_or(0, |at| sites[at as usize]);
                (self.numbers[parent as usize], site)
            };
            let method = methods[nodes.method[node] as usize];
            let is_next = self.parent.get(next as usize) == Some(&parent)
                && self.method[next as usize] == method
                && self.site[next as usize] == site;
            let number = if is_next { next } else { self.child(parent, method, site)? };
            next = number + 1;
            self.numbers[node] = number;
        }
        Ok(())
    }

    /// The child with this method and site, which is made if there is none.
    fn child(&mut self, parent: u32, method: u32, site: u32) -> Result<u32> {
        let new = self.method.len() as u32;
        if new >= u32::MAX - 1 - self.threads {
            return Err(too_many());
        }
        let number = *self.known.entry((parent, method, site)).or_insert(new);
        if number == new {
            self.parent.push(parent);
            self.method.push(method);
            self.site.push(site);
        }
        Ok(number)
    }

    /// The method of a context.
    pub fn method(&self, node: u32) -> u32 {
        self.method[node as usize]
    }

    /// Adds a root of a thread that was merged elsewhere.
    ///
    /// # Errors
    /// If there are more contexts than 32-bit numbers can name.
    pub fn push_root(&mut self, thread: u32, method: u32, costs: &[u64]) -> Result<u32> {
        self.push(root(thread), method, 0, costs)
    }

    /// Adds a context that was merged elsewhere and is not there; its caller is.
    ///
    /// # Errors
    /// If there are more contexts than 32-bit numbers can name.
    pub fn push(&mut self, parent: u32, method: u32, site: u32, costs: &[u64]) -> Result<u32> {
        let new = self.method.len() as u32;
        if new >= u32::MAX - 1 - self.threads {
            return Err(too_many());
        }
        self.parent.push(parent);
        self.method.push(method);
        self.site.push(site);
        for (column, &cost) in self.costs.iter_mut().zip(costs) {
            column.push(cost);
        }
        Ok(new)
    }

    /// Adds the costs of a profile, all of whose threads have been added. `values` has a
    /// column for each metric.
    ///
    /// # Errors
    /// If a sum leaves 64 bits.
    pub fn add_costs(&mut self, values: &[&[u64]]) -> Result<()> {
        for (costs, values) in self.costs.iter_mut().zip(values) {
            costs.resize(self.method.len(), 0);
            for (&number, &value) in self.numbers.iter().zip(*values) {
                let cost = &mut costs[number as usize];
                *cost = cost
                    .checked_add(value)
                    .ok_or_else(|| Error::new("the costs of a context do not fit in 64 bits"))?;
            }
        }
        self.numbers.clear();
        Ok(())
    }

    /// Multiplies all costs; `None` if one leaves 64 bits.
    pub fn multiply(&mut self, factor: u64) -> Option<()> {
        for cost in self.costs.iter_mut().flatten() {
            *cost = cost.checked_mul(factor)?;
        }
        Some(())
    }

    /// The sum of each metric; `None` of one that leaves 64 bits.
    pub fn totals(&self) -> Vec<Option<u64>> {
        let sum =
            |costs: &Vec<u64>| costs.iter().try_fold(0u64, |sum, &cost| sum.checked_add(cost));
        self.costs.iter().map(sum).collect()
    }

    /// Writes all contexts, thread by thread; returns where the contexts of each end.
    ///
    /// # Errors
    /// If `out` fails.
    pub fn write(
        mut self,
        out: &mut CompactWriter<impl Write>,
    ) -> std::result::Result<Vec<u32>, profile::Error> {
        drop(std::mem::take(&mut self.known));
        let mut first = vec![NONE; self.method.len()];
        let mut roots = vec![NONE; self.threads as usize];
        // Replaced, node by node, by the next sibling.
        let mut next = std::mem::take(&mut self.parent);
        for node in (0..next.len()).rev() {
            let parent = next[node];
            let head = match first.get_mut(parent as usize) {
                Some(head) => head,
                None => &mut roots[(u32::MAX - 1 - parent) as usize],
            };
            next[node] = std::mem::replace(head, node as u32);
        }
        let mut ends = Vec::with_capacity(roots.len());
        let mut pushed = 0;
        let mut costs = vec![0; self.costs.len()];
        let mut open: Vec<u32> = Vec::new();
        for root in roots {
            let mut node = root;
            while node != NONE {
                let at = node as usize;
                for (cost, column) in costs.iter_mut().zip(&self.costs) {
                    *cost = column[at];
                }
                out.push(open.len() as u32, MethodId(self.method[at]), self.site[at], &costs)?;
                pushed += 1;
                open.push(node);
                node = first[at];
                while node == NONE {
                    let Some(done) = open.pop() else { break };
                    node = next[done as usize];
                }
            }
            out.end_thread();
            ends.push(pushed);
        }
        Ok(ends)
    }
}

//! What recordings of nulls keep beside the graph.

use parking_lot::Mutex;
use profile::layout::dataflow::null;
use rustc_hash::FxHashMap;

/// The tables of a recording.
#[derive(Debug)]
pub struct NullTables {
    inner: Mutex<Inner>,
}

#[derive(Debug)]
struct Inner {
    next: u32,
    /// For each method, its first node and how many it has.
    instructions: FxHashMap<u32, (u32, u32)>,
}

impl Default for NullTables {
    fn default() -> Self {
        Self { inner: Mutex::new(Inner { next: null::FIRST, instructions: FxHashMap::default() }) }
    }
}

impl NullTables {
    /// Numbers for the nodes of a method: the first one's. `None` when they run
    /// out.
    pub fn instructions(&self, method: u32, count: u32) -> Option<u32> {
        let mut inner = self.inner.lock();
        if let Some(&(first, known)) = inner.instructions.get(&method)
            && known == count
        {
            return Some(first);
        }
        let first = inner.next;
        // Java has no unsigned numbers.
        inner.next = first.checked_add(count).filter(|&next| next < 1 << 31)?;
        inner.instructions.insert(method, (first, count));
        Some(first)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_method_keeps_its_numbers() {
        let tables = NullTables::default();
        let first = tables.instructions(7, 10);
        assert_eq!(first, Some(null::FIRST));
        assert_eq!(tables.instructions(8, 5), Some(null::FIRST + 10));
        assert_eq!(tables.instructions(7, 10), first);
        assert_eq!(tables.instructions(9, 1 << 31), None);
    }
}

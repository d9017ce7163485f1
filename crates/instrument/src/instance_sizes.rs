//! Cells with the sizes of instances: one for each class that some code allocates.
//!
//! A size is not known when code is rewritten, since the class is loaded when the code runs. So
//! a probe reads it from a cell of four bytes. The first allocation finds 0 there and has the
//! agent ask the JVM, which has loaded the class by then.
//!
//! The same name may mean another class to another loader. So code of the boot loader's classes
//! has its own cells, which others share for names that begin with `java/`: only the JDK's loaders
//! define these. All other code has cells for each class file that is rewritten.

use std::sync::OnceLock;

use parking_lot::Mutex;
use rustc_hash::FxHashMap;

/// How many there are. Pages of the table take no memory before they are written.
const CELLS: usize = 1 << 22;

/// All cells of a recording.
#[derive(Debug, Default)]
pub struct InstanceSizes {
    table: OnceLock<&'static mut [u32]>,
    names: Mutex<Names>,
}

#[derive(Debug, Default)]
struct Names {
    /// The internal name of the class of each cell.
    of_cells: Vec<Box<[u8]>>,
    /// Cells of the code of the boot loader's classes.
    of_boot: FxHashMap<Box<[u8]>, u32>,
}

impl InstanceSizes {
    /// Address of the first cell.
    pub fn address(&self) -> u64 {
        // Instrumented code keeps the address until the process ends.
        let table = self.table.get_or_init(|| vec![0_u32; CELLS].leak());
        table.as_ptr().addr() as u64
    }

    /// A cell for a class that code names: of the boot loader's classes, or of one class file.
    /// `None` if there is none left.
    pub fn cell(&self, class: &[u8], boot: bool) -> Option<u32> {
        let mut names = self.names.lock();
        let is_shared = boot || class.starts_with(b"java/");
        if is_shared && let Some(&known) = names.of_boot.get(class) {
            return Some(known);
        }
        let cell = names.of_cells.len();
        if cell >= CELLS {
            return None;
        }
        names.of_cells.push(class.into());
        if is_shared {
            names.of_boot.insert(class.into(), cell as u32);
        }
        Some(cell as u32)
    }

    /// The internal name of the class of a cell, unless it is given up.
    pub fn class(&self, cell: u32) -> Option<Box<[u8]>> {
        let names = self.names.lock();
        names.of_cells.get(cell as usize).filter(|name| !name.is_empty()).cloned()
    }

    /// Gives up a cell: nobody looks for its class again.
    pub fn give_up(&self, cell: u32) {
        if let Some(name) = self.names.lock().of_cells.get_mut(cell as usize) {
            *name = Box::default();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_classes_that_are_the_same_to_all_share_a_cell() {
        let sizes = InstanceSizes::default();
        let [string, own] = [&b"java/lang/String"[..], b"a/B"];
        let shared = sizes.cell(string, true);
        assert_eq!(sizes.cell(string, false), shared);
        let of_boot = sizes.cell(own, true);
        assert_eq!(sizes.cell(own, true), of_boot);
        let first = sizes.cell(own, false);
        let second = sizes.cell(own, false);
        assert!(first != of_boot && second != of_boot && first != second);
        assert_eq!(sizes.class(second.expect("is left")).as_deref(), Some(own));
        assert_eq!(sizes.class(99), None);
        sizes.give_up(first.expect("is left"));
        assert_eq!(sizes.class(first.expect("is left")), None);
    }
}

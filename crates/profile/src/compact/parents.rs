//! Parents from steps, block by block.
//!
//! The step of a context says how many contexts of the current path, counted
//! from its end, are left before it is entered: 0 makes it a child of the
//! context before it, 1 its sibling, and so on. Within a block that is a walk
//! with a stack. What lies on the path from earlier blocks is not known while
//! blocks decode in parallel: contexts whose parent is there are noted, and
//! settled afterwards in the order of the blocks.

use crate::{Error, NO_PARENT};

/// What a block leaves open.
#[derive(Debug, Default)]
pub(super) struct Loose {
    /// Contexts whose parent is in an earlier block, with how many contexts of
    /// the path at the start of the block have been left by then.
    pending: Vec<(u32, u64)>,
    /// How many of these have been left at the end of the block.
    left: u64,
    /// Contexts of the block that are on the path at its end.
    open: Vec<u32>,
}

/// Replaces the steps in `column` by parents. `first` is the number of the
/// block's first context.
pub(super) fn within_block(column: &mut [u32], first: u32) -> Loose {
    let mut loose = Loose::default();
    for (node, slot) in (first..).zip(column) {
        let steps = *slot as usize;
        let depth = loose.open.len();
        if steps < depth {
            loose.open.truncate(depth - steps);
            *slot = loose.open[depth - steps - 1];
        } else {
            loose.open.clear();
            loose.left += (steps - depth) as u64;
            loose.pending.push((node, loose.left));
        }
        loose.open.push(node);
    }
    loose
}

/// The path through the blocks settled so far.
#[derive(Debug, Default)]
pub(super) struct Path {
    open: Vec<u32>,
}

impl Path {
    /// Settles the parents that the next block has left open. `parents` is the
    /// whole column; `offset` is where the block's steps are in the file.
    pub(super) fn settle(
        &mut self,
        loose: &Loose,
        parents: &mut [u32],
        offset: u64,
    ) -> Result<(), Error> {
        let depth = self.open.len() as u64;
        for &(node, left) in &loose.pending {
            parents[node as usize] = if left < depth {
                self.open[(depth - left - 1) as usize]
            } else if left == depth {
                NO_PARENT
            } else {
                return Err(Error::at(offset, format!("context {node} lies above the root")));
            };
        }
        // Not below 0: whatever was left, the last pending context has passed
        // the test above.
        self.open.truncate((depth - loose.left) as usize);
        self.open.extend_from_slice(&loose.open);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Parents of the given steps, in blocks of `size`.
    fn parents(steps: &[u32], size: usize) -> Result<Vec<u32>, Error> {
        let mut column = steps.to_vec();
        let mut loose = Vec::new();
        for (index, block) in column.chunks_mut(size).enumerate() {
            loose.push(within_block(block, (index * size) as u32));
        }
        let mut path = Path::default();
        for block in &loose {
            path.settle(block, &mut column, 7)?;
        }
        Ok(column)
    }

    #[test]
    fn parents_do_not_depend_on_where_blocks_end() {
        let steps = [0, 0, 0, 1, 2, 0, 0, 1, 4, 0, 1, 2, 0];
        let expected = [NO_PARENT, 0, 1, 1, 0, 4, 5, 5, NO_PARENT, 8, 8, NO_PARENT, 11];
        for size in 1..=steps.len() {
            assert_eq!(parents(&steps, size).unwrap(), expected, "blocks of {size}");
        }
    }

    #[test]
    fn steps_beyond_the_root_are_refused() {
        for size in 1..=3 {
            assert_eq!(parents(&[0, 0, 3], size).unwrap_err().offset(), Some(7));
            assert_eq!(parents(&[1], size).unwrap_err().offset(), Some(7));
        }
    }
}

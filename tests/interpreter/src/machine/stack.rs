//! The instructions that only move places of the operand stack. Shadows move
//! with the values (rule ASSIGN). A long or double is one place here.

use classfile::opcode as op;

use super::Frame;

impl<S: Copy> Frame<S> {
    /// Executes `pop` to `swap`.
    pub(super) fn shuffle(&mut self, opcode: u8) {
        match opcode {
            op::POP => drop(self.pop()),
            op::POP2 => {
                if !self.pop().value.is_wide() {
                    self.pop();
                }
            }
            op::DUP => self.duplicate(1, 0),
            op::DUP_X1 => self.duplicate(1, 1),
            op::DUP_X2 => {
                let below = if self.is_wide(1) { 1 } else { 2 };
                self.duplicate(1, below);
            }
            op::DUP2 => {
                let count = if self.is_wide(0) { 1 } else { 2 };
                self.duplicate(count, 0);
            }
            op::DUP2_X1 => {
                let count = if self.is_wide(0) { 1 } else { 2 };
                self.duplicate(count, 1);
            }
            op::DUP2_X2 => {
                let count = if self.is_wide(0) { 1 } else { 2 };
                let below = if self.is_wide(count) { 1 } else { 2 };
                self.duplicate(count, below);
            }
            _ => {
                let top = self.stack.len() - 1;
                self.stack.swap(top, top - 1);
            }
        }
    }

    fn is_wide(&self, depth: usize) -> bool {
        self.stack[self.stack.len() - 1 - depth].value.is_wide()
    }

    /// Puts a copy of the top `count` values below the `below` next ones.
    fn duplicate(&mut self, count: usize, below: usize) {
        let copied = self.stack[self.stack.len() - count..].to_vec();
        let at = self.stack.len() - count - below;
        self.stack.splice(at..at, copied);
    }
}

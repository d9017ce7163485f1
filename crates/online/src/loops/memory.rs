//! How much memory judging may take.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// Bytes that all threads of a recording share.
#[derive(Debug, Clone)]
pub struct Memory {
    most: u64,
    used: Arc<AtomicU64>,
}

impl Memory {
    /// A limit of `most` bytes.
    pub fn new(most: u64) -> Self {
        Self { most, used: Arc::default() }
    }

    /// Takes bytes; false if there are not as many.
    pub fn take(&self, bytes: usize) -> bool {
        let bytes = bytes as u64;
        if self.used.fetch_add(bytes, Relaxed) + bytes <= self.most {
            return true;
        }
        self.used.fetch_sub(bytes, Relaxed);
        false
    }

    /// Gives bytes back.
    pub fn give_back(&self, bytes: usize) {
        self.used.fetch_sub(bytes as u64, Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_given_back_can_be_taken_again() {
        let memory = Memory::new(100);
        let other = memory.clone();
        assert!(memory.take(60) && !other.take(41) && other.take(40));
        memory.give_back(60);
        assert!(other.take(60) && !memory.take(1));
    }
}

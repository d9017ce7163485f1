//! Which methods have a calling context.

use std::sync::OnceLock;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;

/// Methods of one chunk.
const CHUNK: usize = 1 << 16;
/// A JVM has far fewer methods than all chunks.
const CHUNKS: usize = 1 << 8;

/// A set of methods that only grows, by any thread.
#[derive(Debug)]
pub struct EnteredMethods {
    /// A bit for each method, as far as there are any.
    chunks: [OnceLock<Box<[AtomicU64]>>; CHUNKS],
}

impl Default for EnteredMethods {
    fn default() -> Self {
        Self { chunks: [const { OnceLock::new() }; CHUNKS] }
    }
}

impl EnteredMethods {
    /// Adds a method.
    pub fn note(&self, method: u32) {
        let method = method as usize;
        let Some(chunk) = self.chunks.get(method / CHUNK) else { return };
        let words = chunk.get_or_init(|| (0..CHUNK / 64).map(|_| AtomicU64::new(0)).collect());
        let word = &words[method % CHUNK / 64];
        let bit = 1 << (method % 64);
        // Most have many contexts.
        if word.load(Relaxed) & bit == 0 {
            word.fetch_or(bit, Relaxed);
        }
    }

    /// Whether a method was added; of methods with too large numbers, true.
    pub fn contains(&self, method: u32) -> bool {
        let method = method as usize;
        self.chunks.get(method / CHUNK).is_none_or(|chunk| {
            let word = chunk.get().map(|words| &words[method % CHUNK / 64]);
            word.is_some_and(|word| word.load(Relaxed) & 1 << (method % 64) != 0)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn holds_what_was_added() {
        let entered = EnteredMethods::default();
        let added = [0, 63, 64, 70_000, (1 << 24) - 1, 1 << 24, u32::MAX];
        added.into_iter().for_each(|method| entered.note(method));
        assert!(added.into_iter().all(|method| entered.contains(method)));
        assert!([1, 62, 65, 69_999, 70_001].into_iter().all(|method| !entered.contains(method)));
    }
}

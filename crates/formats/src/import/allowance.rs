//! How many contexts a file may ask for, by its size.
//!
//! In some formats little says much: a sample that names one location a thousand times,
//! which stands for a thousand functions each time, is a million contexts of two thousand
//! bytes, and compressed of some hundred. No profiler writes such files, so what asks for
//! far more than its size is worth is refused before it has taken the memory.

use std::cell::Cell;
use std::rc::Rc;

use base::number::grouped;
use tree::error::{Error, Result};

/// Contexts that any file may have.
const ANYWAY: u64 = 1 << 20;
/// Contexts for each byte that is read: a real one takes some bytes of a stack.
const FOR_EACH_BYTE: u64 = 16;
/// Contexts for each byte of a file that is compressed.
const FOR_EACH_COMPRESSED: u64 = 256;
/// Bytes that any compressed file may hold.
const INFLATED_ANYWAY: u64 = 64 << 20;
/// Bytes for each byte of a compressed file. Gzip makes 1,032 of one at most, of zeros;
/// profiles that repeat themselves a lot have come to 100.
const INFLATED: u64 = 256;

/// What has been read and made of it, in counts that all who do so share.
#[derive(Debug, Clone, Default)]
pub struct Allowance(Rc<Counts>);

#[derive(Debug, Default)]
struct Counts {
    /// Bytes of the files.
    stored: Cell<u64>,
    /// Bytes of what was compressed in them.
    inflated: Cell<u64>,
    contexts: Cell<u64>,
}

impl Allowance {
    /// Takes note of bytes of a file.
    pub fn stored(&self, bytes: usize) {
        add(&self.0.stored, bytes);
    }

    /// Takes note of bytes that were compressed in a file. False if they are too many.
    pub fn inflated(&self, bytes: usize) -> bool {
        add(&self.0.inflated, bytes);
        let most = self.0.stored.get().saturating_mul(INFLATED).saturating_add(INFLATED_ANYWAY);
        self.0.inflated.get() <= most
    }

    /// Takes a context from what is allowed.
    ///
    /// # Errors
    /// If nothing is left.
    #[inline]
    pub fn take(&self) -> Result<()> {
        let taken = self.0.contexts.get();
        if taken >= ANYWAY && taken >= self.most() {
            return Err(refused(taken));
        }
        self.0.contexts.set(taken + 1);
        Ok(())
    }

    fn most(&self) -> u64 {
        let (stored, inflated) = (self.0.stored.get(), self.0.inflated.get());
        let by_bytes = stored.max(inflated).saturating_mul(FOR_EACH_BYTE);
        let by_file = stored.saturating_mul(FOR_EACH_COMPRESSED);
        by_bytes.min(by_file).saturating_add(ANYWAY)
    }
}

fn add(count: &Cell<u64>, bytes: usize) {
    count.set(count.get().saturating_add(bytes as u64));
}

#[cold]
fn refused(contexts: u64) -> Error {
    Error::new(format!(
        "it asks for more than {} contexts, far more than its size is worth",
        grouped(contexts)
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn granted(allowance: &Allowance) -> u64 {
        std::iter::repeat_with(|| allowance.take()).take_while(Result::is_ok).count() as u64
    }

    #[test]
    fn contexts_by_bytes() {
        let allowance = Allowance::default();
        assert_eq!(granted(&allowance), ANYWAY);
        allowance.stored(1000);
        assert_eq!(granted(&allowance), 16_000);
        // What was compressed counts by itself, and not without bound.
        assert!(allowance.inflated(10_000));
        assert_eq!(granted(&allowance), 160_000 - 16_000);
        assert!(allowance.inflated(10_000_000));
        assert_eq!(granted(&allowance), 256_000 - 160_000);
    }

    #[test]
    fn what_inflates_too_much() {
        let allowance = Allowance::default();
        allowance.stored(1);
        assert!(allowance.inflated((64 << 20) + 256));
        assert!(!allowance.inflated(1));
    }
}

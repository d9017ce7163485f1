//! Whether recording is on.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// The switch of one recording; its clones are the same switch.
#[derive(Debug, Clone, Default)]
pub struct Switch(Arc<AtomicBool>);

impl Switch {
    /// Whether classes are to be instrumented and what probes write is kept.
    pub fn is_on(&self) -> bool {
        self.0.load(Ordering::Acquire)
    }

    /// Switches it.
    pub fn set(&self, on: bool) {
        self.0.store(on, Ordering::Release);
    }
}

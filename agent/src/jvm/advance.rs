//! How far the rewriting of loaded classes is, for the command that waits for it.

use std::sync::atomic::{AtomicU32, Ordering};

/// Classes that are being rewritten in one batch.
static CLASSES: AtomicU32 = AtomicU32::new(0);
/// How many of them the JVM has handed over.
static HANDED_OVER: AtomicU32 = AtomicU32::new(0);

/// Notes how many classes are about to be rewritten.
pub fn begin(classes: usize) {
    HANDED_OVER.store(0, Ordering::Relaxed);
    // A JVM has far fewer than 2^32 classes.
    CLASSES.store(classes as u32, Ordering::Relaxed);
}

/// The JVM has handed over one of them.
pub fn class() {
    HANDED_OVER.fetch_add(1, Ordering::Relaxed);
}

/// They are done.
pub fn end() {
    CLASSES.store(0, Ordering::Relaxed);
}

/// How many of how many are rewritten, while any are.
pub fn now() -> Option<(u32, u32)> {
    let classes = CLASSES.load(Ordering::Relaxed);
    (classes > 0).then(|| (HANDED_OVER.load(Ordering::Relaxed).min(classes), classes))
}

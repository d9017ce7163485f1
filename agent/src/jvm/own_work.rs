//! Threads at work for the agent itself: what they execute is not recorded.

use std::cell::Cell;

thread_local! {
    static IS_OWN: Cell<bool> = const { Cell::new(false) };
}

/// True in a thread that works for the agent.
pub fn is_own_thread() -> bool {
    IS_OWN.get()
}

/// From now on the current thread works for the agent, or for the program again.
pub fn set_own_thread(is_own: bool) {
    IS_OWN.set(is_own);
}

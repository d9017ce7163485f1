//! Threads at work for the agent itself: what they execute is not recorded.

use std::cell::Cell;

thread_local! {
    static IS_OWN: Cell<bool> = const { Cell::new(false) };
}

/// True in a thread that works for the agent.
pub fn is_own_thread() -> bool {
    IS_OWN.get()
}

/// Runs `body`, in which the current thread works for the agent.
pub fn as_own_thread<R>(body: impl FnOnce() -> R) -> R {
    let before = IS_OWN.replace(true);
    in_any_case(|| IS_OWN.set(before), body)
}

/// Runs `body`, and `afterwards` also if it panics: what was changed for it is put back, so
/// that a defect of the agent does not change what the program's thread does from then on.
pub fn in_any_case<R>(afterwards: impl FnOnce(), body: impl FnOnce() -> R) -> R {
    struct Afterwards<F: FnOnce()>(Option<F>);
    impl<F: FnOnce()> Drop for Afterwards<F> {
        fn drop(&mut self) {
            if let Some(afterwards) = self.0.take() {
                afterwards();
            }
        }
    }
    let _afterwards = Afterwards(Some(afterwards));
    body()
}

/// From now on the current thread works for the agent, or for the program again.
pub fn set_own_thread(is_own: bool) {
    IS_OWN.set(is_own);
}

#[cfg(test)]
mod tests {
    use super::super::guard;
    use super::*;

    #[test]
    fn a_panic_leaves_the_thread_as_it_was() {
        let tree = Cell::new(7);
        let work = || {
            let before = tree.replace(1);
            in_any_case(|| tree.set(before), || -> i32 { panic!("injected") })
        };
        assert_eq!(guard(5, || as_own_thread(work)), 5);
        assert_eq!((tree.get(), is_own_thread()), (7, false));
        let own = as_own_thread(|| as_own_thread(is_own_thread) && is_own_thread());
        assert!(own && !is_own_thread());
    }
}

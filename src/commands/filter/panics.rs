//! Panics of the planner, which are septet's own faults: caught, and told where the answer is rather than on stderr. A
//! client may read no stderr, and who writes into a full pipe waits.

use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, catch_unwind, set_hook, take_hook};

thread_local! {
    /// What the last panic said; none outside [`caught`].
    static SAID: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// Keeps what panics say inside [`caught`] for its result, and off stderr; for the whole process, from now on.
pub fn keep_quiet() {
    let usual = take_hook();
    set_hook(Box::new(move |panic| {
        let is_caught = SAID.with_borrow_mut(|said| said.as_mut().map(|said| *said = panic.to_string()).is_some());
        if !is_caught {
            usual(panic);
        }
    }));
}

/// Returns what a function returns, or what it said when it panicked; that is empty unless [`keep_quiet`] was called
/// before.
pub fn caught<T>(work: impl FnOnce() -> T) -> Result<T, String> {
    SAID.set(Some(String::new()));
    let worked = catch_unwind(AssertUnwindSafe(work));
    // It was set above.
    let said = SAID.take().unwrap_or_default();
    worked.map_err(|_| said.replace('\n', " "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_is_told_with_its_place() {
        keep_quiet();
        assert_eq!(caught(|| 7), Ok(7));
        let said = caught(|| panic!("two changes of {}", 5)).expect_err("a panic");
        assert!(said.contains("filter/panics.rs:") && said.ends_with(": two changes of 5"), "{said}");
        assert!(SAID.take().is_none());
    }
}

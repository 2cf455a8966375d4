//! What every call is made through: no panic goes back into C, where it would be undefined.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Returns what a function returns, or what its panic said. A panic is a fault of septet, and no mail is meant to reach one.
pub fn caught<T>(work: impl FnOnce() -> T) -> Result<T, String> {
    // Whatever the function had in hand is dropped with it; profiles never change.
    catch_unwind(AssertUnwindSafe(work))
        .map_err(|panic| format!("septet panicked, please report it: {}", said(&*panic)))
}

/// Returns what a panic said; `no reason` where that is no text.
fn said(panic: &(dyn Any + Send)) -> &str {
    let literal = panic.downcast_ref::<&str>().copied();
    literal.or_else(|| panic.downcast_ref::<String>().map(String::as_str)).unwrap_or("no reason")
}

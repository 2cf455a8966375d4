//! Panics of the planner: a fault of septet leaves a message as it is, and never becomes Python's.

use std::borrow::Cow;
use std::panic::{AssertUnwindSafe, catch_unwind};

use septet::mbox::Stored;
use septet::{Plan, Profile, Reason, Report};

/// Returns the plan that a function makes, or one that leaves the message alone.
pub fn planned(make: impl FnOnce() -> Plan) -> Plan {
    catch_unwind(AssertUnwindSafe(make)).unwrap_or_else(|_| lost())
}

/// Makes the plan that leaves a message alone since septet has a fault.
fn lost() -> Plan {
    Plan::left(Reason::Internal("the planner panicked"))
}

/// Converts a message in its mailbox file; a panic leaves it as it stands there.
pub fn converted<'f>(stored: &Stored<'f>, profile: &Profile) -> (Cow<'f, [u8]>, Report) {
    catch_unwind(AssertUnwindSafe(|| stored.convert(profile)))
        .unwrap_or_else(|_| (Cow::Borrowed(stored.octets()), lost().report))
}

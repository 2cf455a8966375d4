//! What was worked out about the hosts of a text, for its next link to one of them.
//!
//! Mail links to few hosts, and a name in another script costs more than all the rest of its link.

use std::cell::RefCell;
use std::collections::HashMap;

use super::component::Reference;
use super::{host, look_alike};

/// How many hosts are kept; what is known of the others is worked out each time.
const KEPT: usize = 256;

/// The hosts of a text that were looked at so far.
#[derive(Debug, Default)]
pub struct KnownHosts {
    /// What [`host::punycode`] makes of each.
    mapped: Kept<Result<String, &'static str>>,
    /// What [`look_alike::suspicious_host`] says of each; none of one that looks like no other.
    suspicious: Kept<Option<String>>,
}

/// What is known, by the host as it is written.
type Kept<T> = RefCell<HashMap<String, T>>;

impl KnownHosts {
    /// Returns a host as a domain name in ASCII; the error is a lower-case clause.
    pub(super) fn punycode(&self, host: &str) -> Result<String, &'static str> {
        known(&self.mapped, host, || host::punycode(host))
    }

    /// Calls `then` with a host as a domain name in ASCII, if it was worked out before that it has one and looks like
    /// no other; returns `true` if it did. `then` must not ask for another host, since the names are borrowed
    /// meanwhile.
    pub(super) fn with_known_plain(&self, host: &str, then: impl FnOnce(&str)) -> bool {
        let is_plain = matches!(self.suspicious.borrow().get(host), Some(None));
        let mapped = self.mapped.borrow();
        let name = mapped.get(host).filter(|_| is_plain).and_then(|name| name.as_deref().ok());
        name.map(then).is_some()
    }

    /// Returns the host of a reference that looks like another one, as [`suspicious_host`](super::suspicious_host)
    /// does.
    pub fn suspicious(&self, reference: &Reference<'_>) -> Option<String> {
        let host = reference.host().filter(|host| look_alike::is_coded(host))?;
        known(&self.suspicious, host, || look_alike::suspicious_host(reference))
    }
}

/// Returns what is known of a host, or works it out, and keeps it while there is room.
fn known<T: Clone>(kept: &Kept<T>, host: &str, work_out: impl FnOnce() -> T) -> T {
    if let Some(known) = kept.borrow().get(host) {
        return known.clone();
    }
    let result = work_out();
    let mut kept = kept.borrow_mut();
    if kept.len() < KEPT && host.len() <= host::MAX_HOST {
        kept.insert(host.to_owned(), result.clone());
    }
    result
}

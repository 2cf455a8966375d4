//! What is known of a message's arrival: the clock and this host.
//!
//! The core looks at none of these by itself. Mail that arrives now has a clock; an archive has none, for what is made
//! of it must not depend on the day on which it is converted.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{OnceLock, mpsc};
use std::thread;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use dns_lookup::{AddrInfoHints, getaddrinfo};
use nix::libc::AI_CANONNAME;
use rustix::system::uname;

use crate::message::DefectKind;
use crate::rewrite::{Arrival, DefectAction, Profile};

/// How long the resolver may take for the name of this host.
const RESOLVER_TIME: Duration = Duration::from_secs(3);

/// Returns the facts of mail that arrives now at a host of this name. Each call makes another unique text, of the time,
/// the process and a count, for a Message-ID that has to be made; it has no From_ line, as only archives have those.
pub fn now(host: &str) -> Arrival {
    static COUNT: AtomicU64 = AtomicU64::new(0);
    // A clock before 1970 stands still.
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    let (count, process) = (COUNT.fetch_add(1, Ordering::Relaxed), std::process::id());
    let unique = format!("{}.{:09}.{process}.{count}", since.as_secs(), since.subsec_nanos());
    Arrival {
        clock: i64::try_from(since.as_secs()).ok(),
        host: Some(host.to_owned()),
        unique: Some(unique),
        from_line: None,
    }
}

/// Returns the full name of this host: uname(2)'s where it has a domain, else the resolver's for it (as Debian's
/// `127.0.1.1 mx.example.org mx` in /etc/hosts), else uname(2)'s as it is. The resolver is asked once in a process, and
/// waited for no longer than [`RESOLVER_TIME`].
pub fn full_name() -> &'static str {
    static FULL: OnceLock<String> = OnceLock::new();
    FULL.get_or_init(|| match hostname() {
        name if name.contains('.') => name.to_owned(),
        name => canonical_name(name).unwrap_or_else(|| name.to_owned()),
    })
}

/// Returns the name that a message of one profile may get in its Message-ID: `hostname` of the settings, else this
/// host's. The resolver, which may be slow, is asked only where a Message-ID is made.
pub fn name_for<'s>(hostname_set: Option<&'s str>, profile: &Profile) -> &'s str {
    let makes_one = profile.conformance.of(DefectKind::MissingMessageId) == DefectAction::Fix;
    hostname_set.unwrap_or_else(|| if makes_one { full_name() } else { hostname() })
}

/// Asks the resolver for the full name of a host; none where it knows none, or answers with a name that has no domain,
/// that is `localhost`'s or that no host can have. None also where it takes longer than [`RESOLVER_TIME`]: its thread,
/// which can't be stopped, is then left to itself.
fn canonical_name(name: &'static str) -> Option<String> {
    let (tell, told) = mpsc::channel();
    thread::Builder::new().name("resolver".to_owned()).spawn(move || tell.send(look_up(name))).ok()?;
    let canonical = told.recv_timeout(RESOLVER_TIME).ok().flatten()?;
    let canonical = canonical.trim_end_matches('.');
    let is_name = canonical.bytes().all(|octet| octet.is_ascii_alphanumeric() || b"-.".contains(&octet));
    let is_full = canonical.contains('.') && !canonical.starts_with("localhost.");
    (is_name && is_full && canonical.len() <= 255).then(|| canonical.to_owned())
}

/// Asks the resolver for the canonical name of a host, and waits as long as it takes.
fn look_up(name: &str) -> Option<String> {
    let hints = AddrInfoHints { flags: AI_CANONNAME, ..AddrInfoHints::default() };
    let found = getaddrinfo(Some(name), None, Some(hints)).ok()?;
    found.flatten().find_map(|found| found.canonname)
}

/// Returns the name of this host as uname(2) has it, without the characters that no name has, since logs and mail get
/// it; `localhost` where nothing is left. /proc is not asked: a unit of systemd may hide it.
pub fn hostname() -> &'static str {
    static SYSTEM: OnceLock<String> = OnceLock::new();
    SYSTEM.get_or_init(|| {
        let mut name = uname().nodename().to_string_lossy().into_owned();
        name.retain(|character| character.is_ascii_alphanumeric() || "-._".contains(character));
        if name.is_empty() { "localhost".to_owned() } else { name }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_two_messages_are_alike() {
        assert_ne!(now("mx.example").unique, now("mx.example").unique);
    }
}

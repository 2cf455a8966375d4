//! The name that septet goes by: in greetings and EHLO, and in Message-ID and X-Septet.

use tracing::warn;

use crate::config::{Listener, Settings};
use crate::process::arrival;

/// Returns the name on a listener's way: its own, else that of all listeners, else the full name of this host.
pub fn own_name<'s>(settings: &'s Settings, listener: &'s Listener) -> &'s str {
    let named = listener.forward.hostname.as_deref().or(settings.hostname.as_deref());
    named.unwrap_or_else(|| arrival::full_name())
}

/// Returns what to say of a name without a domain by which a listener would greet next hops; none if all names have
/// one.
pub fn short_name(settings: &Settings) -> Option<String> {
    let forwarding = settings.listeners.iter().filter(|listener| listener.protocol.forwards());
    let short = forwarding.map(|listener| own_name(settings, listener)).find(|name| !is_full(name))?;
    Some(format!(
        "septet goes by the name {short}, which has no domain: next hops are greeted by an address literal instead, and \
         many refuse that; write hostname = \"{short}.example.org\" with your domain"
    ))
}

/// Warns of what [`short_name`] finds, at the start and at each reload.
pub fn warn_of_short_name(settings: &Settings) {
    if let Some(what) = short_name(settings) {
        warn!("{what}");
    }
}

/// Returns `true` if a name has a domain, or is an address literal.
fn is_full(name: &str) -> bool {
    name.contains('.') || name.starts_with('[')
}

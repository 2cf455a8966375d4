//! Addresses of the envelope for a next hop that has no SMTPUTF8.
//!
//! A domain has an ASCII form that means the same (RFC 5891). A local part has none that anybody but its own host
//! could make: there is its alias in the settings, or the refusal (RFC 6531 §3.5).

use std::collections::BTreeMap;

use crate::coding::domain;
use crate::config::NonAsciiAddress;
use crate::protocol::smtp::{Path, Reply};

/// What the settings say of addresses outside ASCII.
#[derive(Debug, Clone, Copy)]
pub struct AddressPolicy<'a> {
    /// What becomes of a local part outside ASCII.
    pub non_ascii: NonAsciiAddress,
    /// Addresses in ASCII by those for which they stand, in lower case.
    pub aliases: &'a BTreeMap<String, String>,
}

impl AddressPolicy<'_> {
    /// Returns an address in ASCII that reaches the same mailbox, or the reply that refuses it; one in ASCII stays. Its
    /// alias goes first, unless the settings reject such addresses; then the address itself, with the ASCII form of its
    /// domain.
    pub fn to_ascii(self, path: &Path) -> Result<Path, Reply> {
        if path.is_ascii() {
            return Ok(path.clone());
        }
        self.alias(path).or_else(|| with_ascii_domain(path)).ok_or_else(refusal)
    }

    /// Returns the alias that the settings have for an address, whole and in any case of letters; none where they have
    /// none, or one that is no path, or reject such addresses instead.
    fn alias(self, path: &Path) -> Option<Path> {
        let address = std::str::from_utf8(path.raw()).ok()?;
        let wanted = self.non_ascii != NonAsciiAddress::Reject;
        let alias = self.aliases.get(&address.to_lowercase()).filter(|_| wanted)?;
        Path::read(format!("<{alias}>").as_bytes())
    }
}

/// Returns an address with the ASCII form of its domain; none where its local part is not ASCII.
fn with_ascii_domain(path: &Path) -> Option<Path> {
    if !path.local().is_ascii() {
        return None;
    }
    let domain = std::str::from_utf8(path.domain()?).ok()?;
    path.with_domain(domain::to_ascii(domain).ok()?.as_bytes())
}

/// Returns the reply to an address that the next hop can't have.
pub fn refusal() -> Reply {
    Reply::with_status(550, "5.6.7", "the next hop has no SMTPUTF8, and this address no form in ASCII")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lowers_what_has_a_form_in_ascii() {
        let aliases = BTreeMap::from([("jürgen@example.org".to_owned(), "juergen@example.org".to_owned())]);
        let alias = AddressPolicy { non_ascii: NonAsciiAddress::Alias, aliases: &aliases };
        let reject = AddressPolicy { non_ascii: NonAsciiAddress::Reject, aliases: &aliases };
        for (policy, address, lowered) in [
            (alias, "<>", Some("")),
            (alias, "<ann@example.org>", Some("ann@example.org")),
            (alias, "<ann@bücher.example>", Some("ann@xn--bcher-kva.example")),
            (alias, "<\"a b\"@BÜCHER.example>", Some("\"a b\"@xn--bcher-kva.example")),
            (alias, "<Jürgen@example.org>", Some("juergen@example.org")),
            (reject, "<jürgen@example.org>", None),
            (alias, "<zoë@example.org>", None),
            (alias, "<jürgen>", None),
        ] {
            let path = Path::read(address.as_bytes()).expect("a path");
            let found = policy.to_ascii(&path).ok().map(|path| String::from_utf8_lossy(path.raw()).into_owned());
            assert_eq!(found.as_deref(), lowered, "{address}");
        }
    }
}

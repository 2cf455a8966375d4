//! `[[rule]]`: which profile a message gets. The first rule of which every condition holds decides.

use std::net::IpAddr;

use super::keys::{Keys, Section};
use super::pattern::{Address, Client, Field, ListId};
use super::quantity::Size;
use super::reader::Found;

/// `[[rule]]`: a profile, and the conditions under which it holds; within a condition one match is enough.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Rule {
    /// The profile's name; must be given.
    pub profile: String,
    /// The client's network or name.
    pub client: Vec<Client>,
    /// The envelope's sender.
    pub sender: Vec<Address>,
    /// The envelope's recipients: every one of them must match, since all get the same message.
    pub recipient: Vec<Address>,
    /// The mailing list's identifier (RFC 2919).
    pub list_id: Vec<ListId>,
    /// A header field.
    pub header: Vec<Field>,
    /// The size in octets that the message is over.
    pub larger_than: Option<Size>,
}

impl Section for Rule {
    fn keys(&mut self, keys: &mut dyn Keys) {
        keys.required("profile", &mut self.profile);
        keys.key("client", &mut self.client);
        keys.key("sender", &mut self.sender);
        keys.key("recipient", &mut self.recipient);
        keys.key("list_id", &mut self.list_id);
        keys.key("header", &mut self.header);
        keys.key("larger_than", &mut self.larger_than);
    }
}

/// What rules look at.
#[derive(Debug, Clone, Copy, Default)]
pub struct Facts<'a> {
    /// The client's name, as the MTA has verified it.
    pub client_name: Option<&'a str>,
    /// The client's address; none for a local one.
    pub client_address: Option<IpAddr>,
    /// Whether the client has authenticated itself.
    pub authenticated: bool,
    /// The envelope's sender, with or without angle brackets.
    pub sender: &'a str,
    /// The envelope's recipients.
    pub recipients: &'a [&'a str],
    /// The fields of the message's header: names and bodies.
    pub header: &'a [(&'a [u8], &'a [u8])],
    /// Octets of the whole message.
    pub size: usize,
}

impl Rule {
    /// Tells whether every condition holds.
    pub fn matches(&self, facts: &Facts<'_>) -> bool {
        let recipients = || !facts.recipients.is_empty() && facts.recipients.iter().all(|to| any(&self.recipient, to));
        let list_ids = || facts.header.iter().filter(|(name, _)| name.eq_ignore_ascii_case(b"List-Id"));
        (self.client.is_empty() || self.client.iter().any(|c| c.matches(facts.client_name, facts.client_address)))
            && (self.sender.is_empty() || any(&self.sender, facts.sender))
            && (self.recipient.is_empty() || recipients())
            && (self.list_id.is_empty() || list_ids().any(|(_, body)| self.list_id.iter().any(|id| id.matches(body))))
            && (self.header.is_empty() || facts.header.iter().any(|(name, body)| self.has_field(name, body)))
            && self.larger_than.is_none_or(|Size(octets)| facts.size > octets)
    }

    fn has_field(&self, name: &[u8], body: &[u8]) -> bool {
        self.header.iter().any(|field| field.matches(name, body))
    }

    /// Adds a fault for a rule that looks at nothing: later rules could never hold.
    pub(super) fn check(&self, path: &str, last: bool, found: &mut Found) {
        let conditions = [
            self.client.is_empty(),
            self.sender.is_empty(),
            self.recipient.is_empty(),
            self.list_id.is_empty(),
            self.header.is_empty(),
            self.larger_than.is_none(),
        ];
        if !last && conditions.iter().all(|&empty| empty) {
            found.fault(path, "no condition, so no later rule can hold; give it one, or put it last");
        }
    }
}

fn any(patterns: &[Address], address: &str) -> bool {
    patterns.iter().any(|pattern| pattern.matches(address))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rule() -> Rule {
        Rule { profile: "eai".to_owned(), ..Rule::default() }
    }

    #[test]
    fn every_condition_must_hold() {
        let facts = Facts { sender: "<a@example.org>", recipients: &["b@example.com"], size: 2000, ..Facts::default() };
        assert!(rule().matches(&facts), "no condition");
        let sender = Rule { sender: vec!["@example.org".parse().expect("an address")], ..rule() };
        assert!(sender.matches(&facts));
        assert!(Rule { larger_than: Some(Size(1999)), ..sender.clone() }.matches(&facts));
        assert!(!Rule { larger_than: Some(Size(2000)), ..sender }.matches(&facts));
    }

    #[test]
    fn every_recipient_must_match() {
        let rule = Rule { recipient: vec!["@example.com".parse().expect("an address")], ..rule() };
        let with = |recipients| Facts { recipients, ..Facts::default() };
        assert!(rule.matches(&with(&["a@example.com", "b@example.com"])));
        assert!(!rule.matches(&with(&["a@example.com", "b@example.net"])));
        assert!(!rule.matches(&with(&[])), "no recipient is no match");
    }

    #[test]
    fn one_field_is_enough() {
        let rule = Rule { list_id: vec!["dev.example.org".parse().expect("a list")], ..rule() };
        let with = |header| Facts { header, ..Facts::default() };
        assert!(rule.matches(&with(&[(b"Subject", b"x"), (b"list-id", b"Dev <dev.example.org>")])));
        assert!(!rule.matches(&with(&[(b"Subject", b"<dev.example.org>")])));
    }
}

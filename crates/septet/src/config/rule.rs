//! `[[rule]]`: which profile a message gets. The first rule of which every condition holds decides.

use std::net::IpAddr;

use ::config::Value;

use super::keys::{Keys, SettingsTable, values};
use super::pattern::{AddressPattern, ClientPattern, FieldPattern, ListId};
use super::quantity::Size;
use super::reader::Findings;
use super::setting::{Setting, SettingValue};

/// `[[rule]]`: a profile, and the conditions under which it holds; within a condition one match is enough.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Rule {
    /// The profile's name; must be given.
    pub profile: String,
    /// The client's network or name.
    pub client: AnyOf<ClientPattern>,
    /// The envelope's sender.
    pub sender: AnyOf<AddressPattern>,
    /// The envelope's recipients: every one of them must match, since all get the same message.
    pub recipient: AnyOf<AddressPattern>,
    /// The mailing list's identifier (RFC 2919).
    pub list_id: AnyOf<ListId>,
    /// A header field.
    pub header: AnyOf<FieldPattern>,
    /// The size in octets that the message is over.
    pub larger_than: Option<Size>,
}

impl SettingsTable for Rule {
    fn keys(&mut self, keys: &mut Keys<'_>) {
        keys.key("profile", &mut self.profile);
        keys.key("client", &mut self.client);
        keys.key("sender", &mut self.sender);
        keys.key("recipient", &mut self.recipient);
        keys.key("list_id", &mut self.list_id);
        keys.key("header", &mut self.header);
        keys.key("larger_than", &mut self.larger_than);
    }
}

/// A condition: patterns of which one must match. Without any it holds always.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AnyOf<T>(pub Vec<T>);

impl<T> Default for AnyOf<T> {
    fn default() -> AnyOf<T> {
        AnyOf(Vec::new())
    }
}

impl<T> AnyOf<T> {
    /// Returns `true` if there are no patterns: nothing was asked for.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns `true` if a pattern matches, or nothing was asked for.
    fn holds(&self, matches: impl Fn(&T) -> bool) -> bool {
        self.is_empty() || self.0.iter().any(matches)
    }
}

impl<T: SettingValue> Setting for AnyOf<T> {
    /// An empty list is refused: somebody who wrote it meant "nobody", and would get "everybody".
    fn read(&mut self, value: &Value, wrong: &mut dyn FnMut(&Value, String)) {
        let mut faults = 0;
        self.0.read(value, &mut |item, what| {
            faults += 1;
            wrong(item, what);
        });
        if self.0.is_empty() && faults == 0 {
            wrong(value, "an empty list; leave the key out, or the rule if nothing is to match".to_owned());
        }
    }

    fn write(&self) -> Option<toml::Value> {
        if self.0.is_empty() { None } else { self.0.write() }
    }
}

/// What rules look at.
#[derive(Debug, Clone, Copy, Default)]
pub struct MessageContext<'a> {
    /// The client's name, as the MTA has verified it.
    pub client_name: Option<&'a str>,
    /// The client's address; none for a local one.
    pub client_address: Option<IpAddr>,
    /// Whether the client has authenticated itself.
    pub authenticated: bool,
    /// The envelope's sender, with or without angle brackets, empty for a bounce; none where nobody knows.
    pub sender: Option<&'a str>,
    /// The envelope's recipients.
    pub recipients: &'a [&'a str],
    /// The fields of the message's header: names and bodies.
    pub header: &'a [(&'a [u8], &'a [u8])],
    /// Octets of the whole message.
    pub size: usize,
}

impl Rule {
    /// Returns every key in the order of the documentation, with its value; none for one that is not set.
    pub fn values(&self) -> Vec<(&'static str, Option<toml::Value>)> {
        values(&mut self.clone())
    }

    /// Returns `true` if every condition holds; one of what is not known, such as the recipients where there are none,
    /// does not.
    pub fn matches(&self, facts: &MessageContext<'_>) -> bool {
        let to = facts.recipients;
        let mut fields = facts.header.iter();
        let mut list_ids = facts.header.iter().filter(|(name, _)| name.eq_ignore_ascii_case(b"List-Id"));
        self.client.holds(|client| client.matches(facts.client_name, facts.client_address))
            && self.sender.holds(|sender| facts.sender.is_some_and(|it| sender.matches(it)))
            && (self.recipient.is_empty()
                || !to.is_empty() && to.iter().all(|to| self.recipient.holds(|it| it.matches(to))))
            && (self.list_id.is_empty() || list_ids.any(|(_, body)| self.list_id.holds(|it| it.matches(body))))
            && (self.header.is_empty() || fields.any(|(name, body)| self.header.holds(|it| it.matches(name, body))))
            && self.larger_than.is_none_or(|Size(octets)| facts.size > octets)
    }

    /// Adds a fault for the rule at `path` if it looks at nothing, unless it is the `last`: later rules could never
    /// hold.
    pub(super) fn check(&self, path: &str, last: bool, found: &mut Findings) {
        let has_condition = self.values().iter().any(|(key, value)| *key != "profile" && value.is_some());
        if !last && !has_condition {
            found.fault(path, "no condition, so no later rule can hold; give it one, or put it last");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rule() -> Rule {
        Rule { profile: "eai".to_owned(), ..Rule::default() }
    }

    #[test]
    fn every_condition_must_hold() {
        let facts = MessageContext {
            sender: Some("<a@example.org>"),
            recipients: &["b@example.com"],
            size: 2000,
            ..MessageContext::default()
        };
        assert!(rule().matches(&facts), "no condition");
        let sender = Rule { sender: AnyOf(vec!["@example.org".parse().expect("an address")]), ..rule() };
        assert!(sender.matches(&facts));
        assert!(Rule { larger_than: Some(Size(1999)), ..sender.clone() }.matches(&facts));
        assert!(!Rule { larger_than: Some(Size(2000)), ..sender }.matches(&facts));
    }

    #[test]
    fn every_recipient_must_match() {
        let rule = Rule { recipient: AnyOf(vec!["@example.com".parse().expect("an address")]), ..rule() };
        for (recipients, matches) in [
            (&["a@example.com", "b@example.com"][..], true),
            (&["a@example.com", "b@example.net"], false),
            // No recipient is no match.
            (&[], false),
        ] {
            let facts = MessageContext { recipients, ..MessageContext::default() };
            assert_eq!(rule.matches(&facts), matches, "{recipients:?}");
        }
    }

    #[test]
    fn one_field_is_enough() {
        let rule = Rule { list_id: AnyOf(vec!["dev.example.org".parse().expect("a list")]), ..rule() };
        let (list, other): ([(&[u8], &[u8]); 2], [(&[u8], &[u8]); 1]) =
            ([(b"Subject", b"x"), (b"list-id", b"Dev <dev.example.org>")], [(b"Subject", b"<dev.example.org>")]);
        assert!(rule.matches(&MessageContext { header: &list, ..MessageContext::default() }));
        assert!(!rule.matches(&MessageContext { header: &other, ..MessageContext::default() }));
    }
}

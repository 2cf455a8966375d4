//! Keywords in a mailbox file of Dovecot, UW IMAP or Alpine: the field `X-Keywords` of a message.
//!
//! Any sender may write that field, so these programs believe the words in it only where the first message of the file
//! names them, in `X-IMAPbase` or `X-IMAP` behind two numbers; Dovecot removes any other. The same is believed here,
//! and such a field is never added: it would be removed.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use super::maildir::is_keyword;
use crate::message::{Limits, Message};
use crate::protocol::mbox::{MboxMessage, body_start};

/// The field of a message.
pub const FIELD: &str = "X-Keywords";

/// The keywords that a mailbox file says there are.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct KnownKeywords(BTreeSet<String>);

impl KnownKeywords {
    /// Reads them in the first message of a mailbox file, with its From_ line or without.
    pub fn of(first: &[u8], limits: &Limits) -> KnownKeywords {
        let message = MboxMessage::split_from_line(first).1;
        let view = Message::read(&message[..body_start(message).unwrap_or(message.len())], limits);
        let first = view.parts().first();
        let field = first.and_then(|part| view.field(part, "X-IMAPbase").or_else(|| view.field(part, "X-IMAP")));
        let Some(field) = field else { return KnownKeywords::default() };
        KnownKeywords(words(view.slice(field.value)).skip(2).collect())
    }

    /// Returns the keywords of a message that the mailbox file names.
    pub fn of_message(&self, view: &Message) -> BTreeSet<String> {
        let field = view.parts().first().and_then(|part| view.field(part, FIELD));
        let all = field.into_iter().flat_map(|field| words(view.slice(field.value)));
        all.filter(|word| self.0.contains(word)).collect()
    }

    /// Returns `true` if the mailbox file names all of these.
    pub fn has_all(&self, keywords: &BTreeSet<String>) -> bool {
        keywords.is_subset(&self.0)
    }
}

/// Reads the keywords in the value of a field; what can't be one is passed over.
pub fn words(value: &[u8]) -> impl Iterator<Item = String> {
    let words = value.split(u8::is_ascii_whitespace).filter_map(|word| str::from_utf8(word).ok());
    words.filter(|word| is_keyword(word)).map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_keyword_counts_where_the_first_message_names_it() {
        let limits = Limits::default();
        let of = |first: &str, message: &str| {
            let known = KnownKeywords::of(first.as_bytes(), &limits);
            let all = known.of_message(&Message::read(message.as_bytes(), &limits));
            all.into_iter().collect::<Vec<_>>().join(" ")
        };
        let message = "A: b\nX-Keywords: work\n  $Forwarded 17 \n\nX-Keywords: home\n";
        assert_eq!(of("X-IMAPbase: 1795949144 0000000003 $Forwarded work home\n\n", message), "$Forwarded work");
        assert_eq!(of("X-IMAP: 17 3 work\n\n", message), "work");
        assert_eq!(of("X-IMAPbase: 17 3\n\n", message), "");
        assert_eq!(of("A: b\n\nX-IMAPbase: 1 2 work\n", message), "");
    }
}

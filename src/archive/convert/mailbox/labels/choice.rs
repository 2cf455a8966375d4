//! Which mailboxes a message goes to by its labels.

use std::collections::HashSet;

use crate::archive::convert::LabelChoice;
use crate::archive::convert::beside::fields::header;
use crate::archive::convert::beside::gmail::{Word, labels_of, word_of};
use crate::message::{Limits, Message};

/// The mailbox of what has no label.
pub const UNLABELLED: &str = "unlabelled";

/// The mailboxes that a message goes to at most.
const MOST: usize = 100;

/// The places of Gmail that go before the labels that the user made: nothing else of Gmail shows what is there.
const BEFORE: [&str; 2] = ["Trash", "Spam"];

/// The places that go behind them, in their order. The help of `--labels` ([`LabelChoice::First`]) names them in this
/// order.
const BEHIND: [&str; 5] = ["Drafts", "Sent", "Chat", "Inbox", "Archived"];

/// Returns the labels to whose mailboxes a message goes, at least one and none twice.
pub fn mailboxes_of(message: &[u8], choice: LabelChoice, limits: &Limits) -> Vec<String> {
    let labels = labels_of(&Message::read(header(message), limits)).unwrap_or_default();
    let mut chosen = match choice {
        LabelChoice::First => first(&labels).into_iter().collect(),
        LabelChoice::Each => each(&labels),
    };
    if chosen.is_empty() {
        chosen.push(UNLABELLED.to_owned());
    }
    chosen
}

/// Returns the one label that counts; none where all of them say something else than where a message is.
fn first(labels: &[String]) -> Option<String> {
    let place = |wanted: &&str| labels.iter().find(|label| place_of(label) == Some(wanted));
    let own = || labels.iter().find(|label| word_of(label).is_none());
    BEFORE.iter().find_map(place).or_else(own).or_else(|| BEHIND.iter().find_map(place)).cloned()
}

/// Returns the labels that say where a message is, [`MOST`] at most: whoever sends mail can write the field, and each
/// label is the message once more on the disk. That it is archived says so only where no other does.
fn each(labels: &[String]) -> Vec<String> {
    let is_mailbox = |label: &&String| !matches!(word_of(label), Some(Word::State(_)));
    let mut known = HashSet::new();
    let new = labels.iter().filter(is_mailbox).filter(|label| known.insert(label.as_str()));
    let mut chosen: Vec<String> = new.take(MOST).cloned().collect();
    if chosen.iter().any(|label| place_of(label) != Some("Archived")) {
        chosen.retain(|label| place_of(label) != Some("Archived"));
    }
    chosen
}

/// Returns where a label says that a message is, by Gmail's name in English; none of any other label.
fn place_of(label: &str) -> Option<&'static str> {
    if let Some(Word::Place(place)) = word_of(label) { Some(place) } else { None }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_goes_to_one_mailbox_or_to_each() {
        for (labels, first, each) in [
            ("Inbox,Unread", "Inbox", "Inbox"),
            ("Archived,Sent,Opened", "Sent", "Sent"),
            ("Inbox,Sent,Work/Apollo,Home", "Work/Apollo", "Inbox|Sent|Work/Apollo|Home"),
            ("Work,Trash", "Trash", "Work|Trash"),
            ("Archived,Important,Category Updates", "Archived", "Archived"),
            ("Starred,Opened,IMAP_$Forwarded", UNLABELLED, UNLABELLED),
            ("Work,Work", "Work", "Work"),
            ("=?UTF-8?Q?Archiviert,Ge=C3=B6ffnet,Kategorie:_=22Neuigkeiten=22,Verein?=", "Verein", "Verein"),
            ("", UNLABELLED, UNLABELLED),
        ] {
            let message = format!("X-Gmail-Labels: {labels}\n\n");
            let chosen = |choice| mailboxes_of(message.as_bytes(), choice, &Limits::default()).join("|");
            assert_eq!(chosen(LabelChoice::First), first, "{labels}");
            assert_eq!(chosen(LabelChoice::Each), each, "{labels}");
        }
        assert_eq!(mailboxes_of(b"A: b\n\nX-Gmail-Labels: a\n", LabelChoice::Each, &Limits::default()), [UNLABELLED]);
    }

    /// One message of ten thousand labels was ten thousand mailboxes.
    #[test]
    fn a_message_is_on_the_disk_a_hundred_times_at_most() {
        let labels: Vec<String> = (0..20_000).map(|at| at.to_string()).collect();
        let message = format!("X-Gmail-Labels: {}\n\n", labels.join(","));
        let limits = Limits { header_bytes: usize::MAX, ..Limits::default() };
        assert_eq!(mailboxes_of(message.as_bytes(), LabelChoice::Each, &limits), labels[..MOST]);
    }
}

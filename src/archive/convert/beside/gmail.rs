//! Gmail: a Google Takeout has the labels of a message in its field `X-Gmail-Labels`, and they say whether it was read.
//!
//! The value is a line of CSV, in encoded-words as a whole where it is not ASCII: `Inbox,Unread,"a,
//! b",Projects/Apollo`. Words of Gmail's own stand among the labels that the user made, in the user's language. Those
//! in [`WORDS`] are known: the English ones, and others as they were seen in Takeouts. A word that is not known counts
//! as a label of the user.
//!
//! A message that is unread has `Unread`; one that somebody opened has `Opened`, in older Takeouts nothing. So where
//! neither stands, a message counts as read only if some other word shows that the language is a known one. Other
//! fields that say more go before ([`fields`](super::fields)), and nothing is ever written into this one.

use super::marks::MessageMarks;
use crate::coding::charset::Labels;
use crate::coding::encoded_word::{WordReader, decode_unstructured, unfold};
use crate::message::Message;

const FIELD: &str = "X-Gmail-Labels";

/// What a word of Gmail's own says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Word {
    /// Where a message is, by Gmail's name in English.
    Place(&'static str),
    /// What was done with it, or what Gmail makes of it, in English; none of this is a mailbox.
    State(&'static str),
}

use Word::{Place, State};

/// The words of Gmail's own, each with how it is written: in English; in German, French and Czech as it stands in
/// Takeouts, or as Gmail's IMAP server names the same mailbox in German (`[Gmail]/Papierkorb`).
const WORDS: [(Word, &[&str]); 13] = [
    (Place("Inbox"), &["Inbox", "Posteingang", "Boîte de réception"]),
    (Place("Archived"), &["Archived", "Archiviert", "Archivés", "Messages archivés", "Archivováno"]),
    (Place("Sent"), &["Sent", "Gesendet", "Envoyé", "Messages envoyés"]),
    (Place("Drafts"), &["Drafts", "Draft", "Entwürfe", "Brouillons"]),
    (Place("Spam"), &["Spam"]),
    (Place("Trash"), &["Trash", "Papierkorb", "Corbeille"]),
    (Place("Chat"), &["Chat"]),
    (State("Unread"), &["Unread", "Ungelesen", "Non lus", "Nepřečtené"]),
    (State("Opened"), &["Opened", "Geöffnet", "Ouvert"]),
    (State("Starred"), &["Starred", "Markiert", "Favoris"]),
    (State("Important"), &["Important", "Wichtig"]),
    (State("Muted"), &["Muted"]),
    (State("Snoozed"), &["Snoozed"]),
];

/// How the names of Gmail's categories begin, and those of the flags that its IMAP server makes labels of. Any of these
/// counts as [`State`] `Category`.
const STATES: [&str; 4] = ["Category ", "Kategorie: ", "Catégorie\u{a0}: ", "IMAP_"];

/// The words that several languages have, so that they don't show which one it is.
const SHARED: [&str; 3] = ["Spam", "Important", "Chat"];

/// Returns the labels of a message, in their order; none where it has no such field. The first field counts: Takeout's
/// own stands before all that came with the message.
pub fn labels_of(view: &Message) -> Option<Vec<String>> {
    let field = view.field(view.parts().first()?, FIELD)?;
    let labels = Labels::default();
    let text = decode_unstructured(&unfold(view.slice(field.value)), WordReader::new(&labels)).text;
    Some(split(&text))
}

/// Reads a line of CSV: a label that starts with `"` ends with one, and has two for each one in it. A `"` that stands
/// elsewhere is one of the label's own (`Kategorie: "Neuigkeiten"`).
fn split(text: &str) -> Vec<String> {
    let (mut labels, mut rest) = (Vec::new(), text.trim());
    while !rest.is_empty() {
        let (label, after) = match rest.strip_prefix('"').and_then(quoted) {
            Some(found) => found,
            None => {
                let (label, after) = rest.split_once(',').unwrap_or((rest, ""));
                (label.to_owned(), after)
            }
        };
        labels.push(label.trim().to_owned());
        rest = after.trim_start();
    }
    labels.retain(|label| !label.is_empty());
    labels
}

/// Reads a label behind its first `"`, and returns what follows the comma behind it; none where no `"` ends it before a
/// comma or the end.
fn quoted(text: &str) -> Option<(String, &str)> {
    let (mut label, mut rest) = (String::new(), text);
    loop {
        let (part, after) = rest.split_once('"')?;
        label.push_str(part);
        match after.strip_prefix('"') {
            Some(after) => {
                label.push('"');
                rest = after;
            }
            None if after.trim_start().is_empty() => return Some((label, "")),
            None => return after.trim_start().strip_prefix(',').map(|after| (label, after)),
        }
    }
}

/// Returns what a label says, if it is a word of Gmail's own, in the case in which Gmail writes it. None of a label
/// that the user made, and of a word in a language that is not known.
pub fn word_of(label: &str) -> Option<Word> {
    let known = WORDS.into_iter().find(|(_, spellings)| spellings.contains(&label)).map(|(word, _)| word);
    known.or_else(|| STATES.iter().any(|state| label.starts_with(state)).then_some(State("Category")))
}

/// Reads what the labels of a message say was done with it; none where there are none, or not whether it was read.
pub fn marks_of(view: &Message) -> Option<MessageMarks> {
    let labels = labels_of(view)?;
    let says = |wanted: &str| {
        let mut words = labels.iter().filter_map(|label| word_of(label));
        words.any(|word| matches!(word, Place(it) | State(it) if it == wanted))
    };
    let shows_language =
        |label: &String| word_of(label).is_some() && !SHARED.contains(&label.as_str()) && !label.starts_with("IMAP_");
    let tells_read = labels.iter().any(shows_language);
    tells_read.then(|| MessageMarks::of(|flag| flag.gmail.is_some_and(|mark| mark.holds(true, says)), false))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::message::Limits;

    fn with<T>(value: &str, read: impl Fn(&Message) -> T) -> T {
        let message = format!("X-GM-THRID: 1\nX-Gmail-Labels: {value}\nX-Gmail-Labels: forged\n\nx\n");
        read(&Message::read(message.as_bytes(), &Limits::default()))
    }

    #[test]
    fn labels_are_read_as_takeout_writes_them() {
        for (value, wanted) in [
            ("Inbox,Unread,Category Promotions", &["Inbox", "Unread", "Category Promotions"][..]),
            ("\"a, b\",\"say \"\"hi\"\"\", c ,,Work/Apollo", &["a, b", "say \"hi\"", "c", "Work/Apollo"]),
            ("\"open,end", &["\"open", "end"]),
            ("\"a\"b,c", &["\"a\"b", "c"]),
            (
                "=?UTF-8?Q?Posteingang,Ungelesen,Kategorie:_=22Neuigkeiten=22?=",
                &["Posteingang", "Ungelesen", "Kategorie: \"Neuigkeiten\""],
            ),
            (
                "=?UTF-8?Q?Messages_archiv=C3=A9s,Cat=C3=A9gorie=C2=A0:_E-mails_?=\n =?UTF-8?Q?personnels,\"Culture,_=C3=A9v=C3=A9nements\"?=",
                &["Messages archivés", "Catégorie\u{a0}: E-mails personnels", "Culture, événements"],
            ),
            ("=?UTF-8?B?w5xiZXIgdW5z?=, Sent", &["Über uns", "Sent"]),
            ("Caf\u{e9},Sent", &["Café", "Sent"]),
            (" ", &[]),
        ] {
            assert_eq!(with(value, labels_of).expect("a field"), wanted, "{value}");
        }
        assert_eq!(labels_of(&Message::read(b"A: b\n\nX-Gmail-Labels: x\n", &Limits::default())), None);
    }

    #[test]
    fn labels_say_what_was_read_and_flagged_where_their_language_is_known() {
        for (value, wanted) in [
            ("Inbox,Unread", Some("")),
            ("Inbox,Important", Some("S")),
            ("Work,Opened,Starred", Some("FS")),
            ("Opened,Unread", Some("")),
            ("Drafts,Opened", Some("DS")),
            ("Trash,Opened", Some("S")),
            ("=?UTF-8?Q?Archiviert,Ge=C3=B6ffnet?=", Some("S")),
            ("=?UTF-8?Q?Entw=C3=BCrfe,Markiert,Ungelesen?=", Some("DF")),
            ("Papierkorb,Gesendet", Some("S")),
            ("=?UTF-8?Q?Corbeille,Cat=C3=A9gorie=C2=A0:_Promotions?=", Some("S")),
            ("=?UTF-8?Q?Archivov=C3=A1no,Nep=C5=99e=C4=8Dten=C3=A9,Facebook?=", Some("")),
            // Nobody knows what unread is called here.
            ("Odebrane,Nieprzeczytane", None),
            ("Spam,Important", None),
            ("Work", None),
            ("", None),
        ] {
            let marks = with(value, marks_of);
            assert_eq!(marks.as_ref().map(MessageMarks::letters).as_deref(), wanted, "{value}");
            assert!(marks.is_none_or(|marks| marks.is_new() == marks.letters().is_empty()), "{value}");
        }
    }
}

//! The message in which UW IMAP, Pine and Alpine keep what they know of a mailbox file: the first of the file, and no
//! mail.
//!
//! In a mailbox file it stays. A folder of messages has no use for it, where it would be shown as mail; there it is
//! kept with what stood before the first message, for the way back.

use crate::protocol::mbox::{MboxMessage, body_start};

const SUBJECT: &[u8] = b"Subject: DON'T DELETE THIS MESSAGE -- FOLDER INTERNAL DATA";

/// Its text. Nothing else is in it, so nothing is lost where a sender has made one.
const TEXT: &str = "This text is part of the internal format of your mail folder, and is not a real message.  It is created \
                    automatically by the mail system software.  If deleted, important folder data will be lost, and it \
                    will be re-created with the data reset to initial values.";

/// Returns `true` if the octets from one start of a message to the next are such a message: by its subject, and by all
/// of its text.
pub fn is_pseudo(raw: &[u8]) -> bool {
    let message = MboxMessage::of(raw).content;
    let Some((header, body)) = body_start(message).and_then(|at| message.split_at_checked(at)) else { return false };
    let mut lines = header.split(|&octet| octet == b'\n');
    lines.any(|line| line.trim_ascii_end() == SUBJECT) && words(body).eq(words(TEXT.as_bytes()))
}

/// Returns the words of a text, however its lines are broken.
fn words(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    text.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty())
}

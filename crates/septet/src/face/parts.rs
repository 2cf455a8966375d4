//! The texts of a message, for who reads or indexes them.

use super::text;
use crate::message::{Limits, Message, Part};
use crate::rewrite::{Dkim, Iris, Profile, Signed, is_shown_text, plan};

/// A text that a message shows.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct PartText {
    /// The number of its part, as reports have it: `1.2`.
    pub part: String,
    /// Its media type, in lower case: `text/html`.
    pub media_type: String,
    /// What it says, with its line ends; HTML is still markup. U+FFFD stands where nobody can tell what is meant.
    pub text: String,
}

/// Reads the texts that a message shows, in their order, those of signed parts and of messages in it too, but no
/// attached files. What a text is in is told as for a message that is converted: by labels, octets and neighbours.
///
/// ```
/// use septet::parts::texts;
///
/// let read = texts(b"Content-Type: text/plain; charset=unicode-1-1-utf-7\n\n5 +IKw-\n");
/// assert_eq!((&*read[0].part, &*read[0].media_type, &*read[0].text), ("1", "text/plain", "5 €\n"));
/// ```
pub fn texts(raw: &[u8]) -> Vec<PartText> {
    let mut profile = Profile::built_in("eai").unwrap_or_default();
    (profile.signed, profile.dkim, profile.iris) = (Signed::Rewrite, Dkim::Rewrite, Iris::Keep);
    let converted = plan(raw, &profile).edits.apply(raw);
    let message = Message::read(&converted, &Limits::default());
    let shown = message.parts().iter().enumerate().filter(|(_, part)| is_shown_text(&message, part));
    shown
        .map(|(index, part)| PartText {
            part: message.number(index).to_string(),
            media_type: format!("{}/{}", part.content_type.main, part.content_type.sub),
            text: text_of(&message, part),
        })
        .collect()
}

/// Reads the text of a part, by its label if it has one.
fn text_of(message: &Message, part: &Part) -> String {
    let octets = part.transfer.decode(message.slice(part.body));
    let label = part.content_type.parameter(message.raw(), "charset");
    let label = label.as_deref().map(String::from_utf8_lossy);
    match text::decode(&octets, label.as_deref()) {
        Ok(read) => read.text.into_owned(),
        Err(_) => String::from_utf8_lossy(&octets).into_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_read_and_files_are_not() {
        let raw = b"Content-Type: multipart/signed; boundary=s\r\n\r\n--s\r\n\
            Content-Type: multipart/mixed; boundary=b\r\n\r\n\
            --b\r\nContent-Type: text/html; charset=iso-8859-1\r\n\r\n<p>\xE9\r\n\
            --b\r\nContent-Type: text/plain; charset=koi8-r\r\nContent-Transfer-Encoding: base64\r\n\r\n8NLJ18XU\r\n\
            --b\r\nContent-Type: text/plain\r\nContent-Disposition: attachment; filename=a.txt\r\n\r\nfile\r\n\
            --b\r\nContent-Type: message/rfc822\r\n\r\nSubject: x\r\n\r\ninner\r\n\
            --b--\r\n--s\r\nContent-Type: application/pgp-signature\r\n\r\nx\r\n--s--\r\n";
        let read: Vec<_> = texts(raw).into_iter().map(|it| [it.part, it.media_type, it.text]).collect();
        let wanted =
            [["1.1.1", "text/html", "<p>é"], ["1.1.2", "text/plain", "Привет"], ["1.1.4.1", "text/plain", "inner"]];
        assert_eq!(read, wanted);
    }
}

//! A message read, for who shows, indexes or files it: its parts, their fields, texts and files.
//!
//! [`Message`] is a view: it copies nothing, fails never, and has a [`Span`] for all that it finds. What is broken is
//! read as mail programs read it, and a text in the charset that [`plan`](crate::plan()) would read it in.

use std::borrow::Cow;

use super::header;
use super::text::Text;
use crate::coding::evidence::{Because, Unlabelled};
use crate::coding::transfer::TransferEncoding;
use crate::edit::Span;
use crate::message::{self, Limits, PartNumber};
use crate::rewrite::{Evidence, OnLoss, Profile, Reason, is_shown_text};

/// A message, read once.
///
/// ```
/// use septet::{Limits, Message};
///
/// let raw = b"Subject: =?utf-8?Q?Gr=C3=BC=C3=9Fe?=\n\
///     Content-Type: multipart/mixed; boundary=b\n\n\
///     --b\nContent-Type: text/plain; charset=koi8-r\nContent-Transfer-Encoding: base64\n\n8NLJ18XU\n\
///     --b\nContent-Type: image/png\nContent-Disposition: attachment; filename*=utf-8''caf%C3%A9.png\n\n...\n\
///     --b--\n";
/// let message = Message::read(raw, &Limits::default());
/// assert_eq!(message.field("subject").unwrap().text(), "Grüße");
///
/// let seen: Vec<_> = message.parts().map(|part| (part.number().to_string(), part.media_type())).collect();
/// let seen: Vec<_> = seen.iter().map(|(number, media_type)| (&**number, &**media_type)).collect();
/// assert_eq!(seen, [("1", "multipart/mixed"), ("1.1", "text/plain"), ("1.2", "image/png")]);
///
/// let (part, read) = message.texts().next().unwrap();
/// assert_eq!((&*read.unwrap().text, part.number().to_string()), ("Привет", "1.1".to_owned()));
/// assert_eq!(message.parts().last().unwrap().file_name().unwrap(), "café.png");
/// ```
#[derive(Debug, Clone)]
pub struct Message<'a> {
    view: message::Message<'a>,
    /// How texts are read: what nothing else tells by statistics, and with U+FFFD for faults.
    profile: Profile,
}

impl<'a> Message<'a> {
    /// Reads a message; total, linear, and bounded by limits.
    pub fn read(raw: &'a [u8], limits: &Limits) -> Message<'a> {
        let (unlabelled, on_loss) = (vec![Unlabelled::Detect], OnLoss::Replace);
        let profile = Profile { unlabelled, on_loss, limits: *limits, ..Profile::default() };
        Message { view: message::Message::read(raw, limits), profile }
    }

    /// Returns the octets of a span.
    pub fn slice(&self, span: Span) -> &'a [u8] {
        self.view.slice(span)
    }

    /// Returns all parts, each before its children; the first is the message itself. There are none in a message of
    /// more than [`Limits::message_bytes`].
    pub fn parts(&self) -> impl Iterator<Item = Part<'_>> {
        (0..self.view.parts().len()).filter_map(|index| self.part_at(index))
    }

    /// Finds the part with a number, as an [`Entry`](crate::Entry) of a report has it.
    ///
    /// ```
    /// use septet::{Limits, Message, Profile, plan};
    ///
    /// let raw = b"Content-Type: message/rfc822\n\nSubject: =?koi8-r?B?8NLJ18XU?=\n\n";
    /// let report = plan(raw, &Profile::default()).report;
    /// let message = Message::read(raw, &Limits::default());
    /// let part = message.part(&report.entries[0].part).unwrap();
    /// assert_eq!((part.depth(), part.field("Subject").unwrap().text()), (2, "Привет".to_owned()));
    /// ```
    pub fn part(&self, number: &PartNumber) -> Option<Part<'_>> {
        self.part_at(self.view.index_of(number)?)
    }

    /// Finds the first field of the message itself with this name, in any case of letters.
    pub fn field(&self, name: &str) -> Option<Field<'_>> {
        self.part_at(0)?.field(name)
    }

    /// Reads the texts that mail programs show in the message, those of signed parts and of messages in it too, but no
    /// attached files; each as [`Part::text`] does. All of them together cost one pass.
    pub fn texts(&self) -> impl Iterator<Item = (Part<'_>, Result<Text<'static>, Reason>)> {
        let evidence = self.evidence();
        self.parts().filter(Part::is_shown_text).map(move |part| (part, part.text_by(&evidence)))
    }

    /// Returns the first limit beyond which something was not read, as [`Reason::Limit`]; none where all was.
    pub fn limit(&self) -> Option<Reason> {
        let limit = self.view.limit().or_else(|| self.view.parts().iter().find_map(|part| part.limit));
        limit.map(Reason::Limit)
    }

    /// Returns the part at an index; none beyond the last.
    fn part_at(&self, index: usize) -> Option<Part<'_>> {
        Some(Part { message: self, index, part: self.view.parts().get(index)? })
    }

    /// Makes the evidence by which texts are read; each finds anew what the texts tell of one another.
    fn evidence(&self) -> Evidence<'_, 'a> {
        Evidence::of(&self.view, &self.profile)
    }
}

/// A part of a message: the message itself, or any MIME entity in it.
#[derive(Debug, Clone, Copy)]
pub struct Part<'m> {
    message: &'m Message<'m>,
    index: usize,
    part: &'m message::Part,
}

impl<'m> Part<'m> {
    /// Returns its number: 1 for the message itself, 1.2 for its second child.
    pub fn number(&self) -> PartNumber {
        self.message.view.number(self.index)
    }

    /// Returns how deep it lies; the message itself is at depth 1.
    pub fn depth(&self) -> usize {
        self.part.depth
    }

    /// Returns the part that it lies in; none for the message itself.
    pub fn parent(&self) -> Option<Part<'m>> {
        self.message.part_at(self.part.parent?)
    }

    /// Returns the parts directly in it, in their order: those of a multipart, or the one of a message in a message.
    pub fn children(&self) -> impl Iterator<Item = Part<'m>> + use<'m> {
        let (message, depth) = (self.message, self.part.depth + 1);
        let inside = message.view.inside(self.index).filter(move |(_, part)| part.depth == depth);
        inside.map(|(index, part)| Part { message, index, part })
    }

    /// Returns the fields of its header, in order.
    pub fn fields(&self) -> impl Iterator<Item = Field<'m>> + use<'m> {
        let message = self.message;
        message.view.fields(self.part).iter().map(|field| Field { message, field })
    }

    /// Finds its first field with this name, in any case of letters.
    pub fn field(&self, name: &str) -> Option<Field<'m>> {
        let message = self.message;
        message.view.field(self.part, name).map(|field| Field { message, field })
    }

    /// Returns where its header lies, without the empty line behind it.
    pub fn header_span(&self) -> Span {
        self.part.header
    }

    /// Returns where its body lies, without the line end that belongs to the boundary behind it.
    pub fn body_span(&self) -> Span {
        self.part.body
    }

    /// Returns its media type in lower case, as `text/html`; without a Content-Type that is the default for its place,
    /// `text/plain` or `message/rfc822`, and with one that can't be read `text/plain`.
    pub fn media_type(&self) -> String {
        format!("{}/{}", self.part.content_type.main, self.part.content_type.sub)
    }

    /// Returns a parameter of its Content-Type that programs compare, as `charset` or `boundary`, by its name in lower
    /// case; none where the field has none. For what people read there is [`file_name`](Self::file_name).
    pub fn parameter(&self, name: &str) -> Option<String> {
        let value = self.part.content_type.parameter(self.message.view.raw(), name)?;
        Some(String::from_utf8_lossy(&value).into_owned())
    }

    /// Returns its transfer encoding; [`TransferEncoding::SevenBit`] where it names none.
    pub fn transfer(&self) -> &'m TransferEncoding {
        &self.part.transfer
    }

    /// Returns the first word of its Content-Disposition in lower case, `inline` or `attachment` as a rule; none where
    /// the field is not there, or is empty. Where no word stands first it is the octet that does, as `;`, or nothing
    /// for a quote that never closes.
    pub fn disposition(&self) -> Option<String> {
        let word = message::grammar::disposition::read(self.field("Content-Disposition")?.value())?;
        Some(String::from_utf8_lossy(word.trim_ascii()).to_ascii_lowercase())
    }

    /// Returns the name of its file, as [`header::decode_parameter`] reads it: `filename` of its Content-Disposition,
    /// or else `name` of its Content-Type; none where neither stands there, and an empty one if that does. The sender
    /// chose it: there may be a `/` in it, or `..`, or a line end.
    pub fn file_name(&self) -> Option<String> {
        let mut named = [("Content-Disposition", "filename"), ("Content-Type", "name")].into_iter();
        named.find_map(|(field, name)| header::decode_parameter(self.field(field)?.value(), name))
    }

    /// Returns the octets of its body without their transfer encoding, as far as they can be read; those in an encoding
    /// that nobody knows stay. Of a part that is made of parts these are all octets between its header and its end.
    ///
    /// ```
    /// use septet::{Limits, Message};
    ///
    /// let raw = b"Content-Type: image/png\nContent-Transfer-Encoding: base64\n\niVBORw0KGgo=\n";
    /// let message = Message::read(raw, &Limits::default());
    /// let part = message.parts().next().unwrap();
    /// assert_eq!(*part.octets(), *b"\x89PNG\r\n\x1a\n");
    /// assert_eq!(message.slice(part.body_span()), b"iVBORw0KGgo=\n");
    /// ```
    pub fn octets(&self) -> Cow<'m, [u8]> {
        self.part.transfer.decode(self.message.slice(self.part.body))
    }

    /// Returns `true` if it is a text that mail programs show in the message: neither a part made of parts nor a file.
    pub fn is_shown_text(&self) -> bool {
        is_shown_text(&self.message.view, self.part)
    }

    /// Reads its body as text, whatever its type: in the charset that its label, its octets, what HTML says of itself
    /// and the texts beside it tell, and statistics at last. [`Text::because`] says which of them it was, and so what
    /// the label was good for. HTML is still markup, and right-to-left text stands in the order in which it came.
    ///
    /// The texts beside it may be asked, which costs a pass over the message: for many there is [`Message::texts`].
    ///
    /// ```
    /// use septet::text::Because;
    /// use septet::{Charset, Limits, Message};
    ///
    /// let raw = b"Content-Type: text/plain; charset=us-ascii\n\nIt\x92s\n";
    /// let message = Message::read(raw, &Limits::default());
    /// let part = message.parts().next().unwrap();
    /// let read = part.text().unwrap();
    /// assert_eq!(part.parameter("charset").unwrap(), "us-ascii");
    /// assert_eq!((&*read.text, read.charset, read.because), ("It’s\n", Charset::WINDOWS_1252, Because::Octets));
    /// ```
    ///
    /// # Errors
    ///
    /// The [`Reason`] for which [`plan`](crate::plan()) would leave the text: nobody knows its charset or its transfer
    /// encoding, or two charsets are as likely.
    pub fn text(&self) -> Result<Text<'static>, Reason> {
        self.text_by(&self.message.evidence())
    }

    /// Reads its body as text, as [`text`](Self::text) does, by evidence that must be of its message.
    fn text_by(&self, evidence: &Evidence<'_, '_>) -> Result<Text<'static>, Reason> {
        let read = evidence.text_of(self.part)?;
        let because = read.from.because.unwrap_or(Because::Label);
        Ok(Text { text: read.text, charset: read.charset, because, lost: read.lost })
    }
}

/// A field of a part's header.
#[derive(Debug, Clone, Copy)]
pub struct Field<'m> {
    message: &'m Message<'m>,
    field: &'m message::Field,
}

impl<'m> Field<'m> {
    /// Returns its name as the message writes it, without the colon.
    pub fn name(&self) -> Cow<'m, str> {
        String::from_utf8_lossy(self.message.slice(self.field.name))
    }

    /// Returns its value as it stands there, folds and leading space included.
    pub fn value(&self) -> &'m [u8] {
        self.message.slice(self.field.value)
    }

    /// Returns its value as [`header::decode`] reads it. For the names in an address field there is
    /// [`header::decode_addresses`], for a parameter [`header::decode_parameter`].
    ///
    /// ```
    /// use septet::{Limits, Message, header};
    ///
    /// let message = Message::read(b"To: =?utf-8?Q?J=C3=BCrgen?=\n <j@example.org>\n\n", &Limits::default());
    /// let to = message.field("to").unwrap();
    /// assert_eq!((&*to.name(), &*to.text()), ("To", "Jürgen <j@example.org>"));
    /// assert_eq!(header::decode_addresses(to.value())[0].name, "Jürgen");
    /// assert_eq!(message.slice(to.span()), b"To: =?utf-8?Q?J=C3=BCrgen?=\n <j@example.org>\n");
    /// ```
    pub fn text(&self) -> String {
        header::decode(self.value())
    }

    /// Returns where all of it lies, its last line end included.
    pub fn span(&self) -> Span {
        self.field.line
    }

    /// Returns where its value lies.
    pub fn value_span(&self) -> Span {
        self.field.value
    }
}

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

/// Reads the texts that a message shows, as [`Message::texts`] does, and what can't be read as UTF-8.
///
/// ```
/// use septet::parts::texts;
///
/// let read = texts(b"Content-Type: text/plain; charset=unicode-1-1-utf-7\n\n5 +IKw-\n");
/// assert_eq!((&*read[0].part, &*read[0].media_type, &*read[0].text), ("1", "text/plain", "5 €\n"));
/// ```
pub fn texts(raw: &[u8]) -> Vec<PartText> {
    let message = Message::read(raw, &Limits::default());
    let texts = message.texts().map(|(part, read)| PartText {
        part: part.number().to_string(),
        media_type: part.media_type(),
        text: read.map_or_else(|_| String::from_utf8_lossy(&part.octets()).into_owned(), |read| read.text.into_owned()),
    });
    texts.collect()
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

    #[test]
    fn parts_know_where_they_are() {
        let raw = b"Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\nContent-Type: message/rfc822\r\n\r\n\
            Subject: x\r\nContent-Type: multipart/alternative; boundary=c\r\n\r\n--c\r\n\r\none\r\n--c\r\n\
            Content-Disposition: Inline; filename=a.txt\r\n\r\ntwo\r\n--c--\r\n--b\r\n\r\nthree\r\n--b--\r\n";
        let message = Message::read(raw, &Limits::default());
        let inside: Vec<_> =
            message.parts().map(|part| part.children().map(|it| it.number().to_string()).collect()).collect();
        let inside: Vec<String> = inside.iter().map(|children: &Vec<String>| children.join(" ")).collect();
        assert_eq!(inside, ["1.1 1.2", "1.1.1", "1.1.1.1 1.1.1.2", "", "", ""]);
        for part in message.parts() {
            assert_eq!(message.part(&part.number()).map(|it| it.index), Some(part.index));
            assert!(part.children().all(|child| child.parent().is_some_and(|it| it.index == part.index)));
            assert!(part.fields().all(|field| part.header_span().contains(field.value_span())));
        }
        let two = message.parts().nth(4).expect("1.1.1.2");
        assert_eq!((&*two.octets(), two.disposition().as_deref()), (&b"two"[..], Some("inline")));
        assert_eq!((two.file_name().as_deref(), two.depth()), (Some("a.txt"), 4));
        assert_eq!((message.limit(), message.field("subject").map(|it| it.text())), (None, None));
    }

    #[test]
    fn what_can_not_be_read_says_why() {
        let cases: [(&str, &[u8], &str); 4] = [
            ("Type: text/html", b"<meta charset=koi8-r>\xF0", "<meta charset=koi8-r>П, koi8-r by meta, lost 0"),
            ("Type: text/plain; charset=utf-8", b"\xC3\xBC\xC3\x9F\xFF", "üß\u{FFFD}, utf-8 by label, lost 1"),
            ("Transfer-Encoding: x-uuencode", b"begin", "unknown-transfer(x-uuencode)"),
            ("Type: application/json; charset=x-klingon", b"\xE8", "unknown-charset(x-klingon)"),
        ];
        for (head, body, expected) in cases {
            let raw = [b"Content-", head.as_bytes(), b"\n\n", body].concat();
            let message = Message::read(&raw, &Limits::default());
            let read = message.parts().next().expect("a part").text();
            let shown =
                read.map(|read| format!("{}, {} by {}, lost {}", read.text, read.charset, read.because, read.lost));
            assert_eq!(shown.unwrap_or_else(|reason| reason.to_string()), expected);
        }
    }

    #[test]
    fn a_limit_is_named() {
        let limits = Limits { parts: 2, ..Limits::default() };
        let message = Message::read(b"Content-Type: multipart/mixed; boundary=b\n\n--b\n\n--b\n\n--b--\n", &limits);
        assert_eq!(message.limit().map(|reason| reason.to_string()).as_deref(), Some("limit(parts 2)"));
        let message = Message::read(b"Subject: x\n\n", &Limits { message_bytes: 3, ..limits });
        assert_eq!((message.parts().count(), message.texts().count()), (0, 0));
        assert!(message.limit().is_some() && message.field("Subject").is_none());
    }
}

//! The second reader: mail-parser, which is not ours, looks at the same octets.
//!
//! A message that two honest readers read in two ways is what attackers make: a scanner sees one tree, a mail program
//! another. So what septet sees before a change, and what it sees after it, must be what mail-parser sees too: the same
//! parts in the same places, of the same types and with as many fields, and in a text that was rewritten the same
//! characters.
//!
//! mail-parser decodes everything, and a message in a message in a message costs it stack. So it is shown only what is
//! within our own limits on size, parts and depth: what a limit kept from being read is left out for both. Of long
//! bodies that nothing changes it is shown the lines that hold `--`: no other can be a boundary, for any reader, and a
//! body of 60 MB needs no second copy to tell. Where one of these is a boundary that septet does not see, all is shown:
//! what follows it makes a part ([`shown`]).
//!
//! Nor is it shown a boundary that it would look for in vain, to the end of the message for each part ([`linear`]).
//!
//! It reads otherwise than septet, and harmlessly, in three ways; each is a rule of [`Comparison`]: it opens a message
//! in base64 or quoted-printable, which RFC 2046 §5.2.1 does not allow; it does not open message/news; and it reports
//! no part for a header that no body follows.

mod asked;
mod boundaries;
mod encoded;
mod linear;
mod shown;

use std::borrow::Cow;
use std::panic::catch_unwind;
use std::slice::Iter;
use std::sync::LazyLock;

use mail_parser::{MessageParser, MessagePart, MimeHeaders, PartType};

use self::encoded::is_digest;
pub(crate) use self::linear::without_missing_boundaries;
use self::linear::{has_too_many_sections, without_hidden_fields};
pub(super) use self::shown::Rewritten;
use self::shown::needed;
use super::Profile;
use super::body::with_text;
use crate::coding::transfer::{TransferEncoding, quoted_printable};
use crate::edit::Moved;
use crate::message::{Kind, LimitReached, Message, Part, has_lone_return};

/// What is said of a message that mail-parser can't read at all.
const UNREADABLE: &str = "whether it can be read";

/// Says where mail-parser sees another tree than septet.
pub(super) fn tree_difference(message: &Message) -> Option<&'static str> {
    with_trees(message, &Rewritten::NONE, |message, seen| Comparison::new(message, None).difference(seen))
        .unwrap_or_else(Some)
}

/// Says where mail-parser sees another tree than septet, or reads another text in a part that was rewritten.
///
/// `rewritten` tells which parts are to be read, and what of them.
pub(super) fn text_difference(message: &Message, profile: &Profile, rewritten: &Rewritten) -> Option<&'static str> {
    let texts = Texts { profile, rewritten };
    let look = |message: &Message, seen: Vec<&MessagePart>| Comparison::new(message, Some(&texts)).difference(seen);
    with_trees(message, rewritten, look).unwrap_or_else(Some)
}

/// Tells whether mail-parser sees the same parts in a message and in what mends its defects: as many, of the same types,
/// with the same boundaries and file names.
pub(super) fn sees_the_same_parts(one: &Message, other: &Message) -> bool {
    matches!((outline(one), outline(other)), (Some(one), Some(other)) if one == other)
}

/// Lists the parts of a message by what they are called; none if mail-parser can't read it.
fn outline(message: &Message) -> Option<Vec<[Option<String>; 4]>> {
    let called = |part: &&MessagePart| {
        let (ty, name) = (part.content_type(), part.attachment_name().filter(|name| !name.is_empty()));
        let boundary = ty.and_then(|ty| ty.attribute("boundary"));
        [ty.map(|ty| ty.ctype()), ty.and_then(|ty| ty.subtype()), boundary, name].map(|it| it.map(str::to_owned))
    };
    with_trees(message, &Rewritten::NONE, |_, seen| seen.iter().map(called).collect()).ok()
}

/// Tells whether mail-parser finds the same fields in the header of the message itself.
pub(super) fn reads_top_header_alike(message: &Message) -> bool {
    let Some(root) = message.parts().first().filter(|_| !has_too_many_sections(message)) else { return false };
    let Ok(Some(seen)) = catch_unwind(|| PARSER.parse_headers(message.raw())) else { return false };
    let alike = |(field, seen): (&crate::message::Field, &mail_parser::Header)| {
        field.name.start == seen.offset_field as usize && field.line.end == seen.offset_end as usize
    };
    let fields = message.fields(root);
    fields.len() == seen.headers().len() && fields.iter().zip(seen.headers()).all(alike)
}

/// What reads a message and its MIME fields; one for all messages, since its table of fields takes time to make.
static PARSER: LazyLock<MessageParser> =
    LazyLock::new(|| MessageParser::new().with_mime_headers().default_header_ignore());

/// Shows a message to both readers, with no more than they need; or says what makes them differ, be it that mail-parser
/// panics.
fn with_trees<T>(
    message: &Message,
    rewritten: &Rewritten,
    look: impl FnOnce(&Message, Vec<&MessagePart>) -> T,
) -> Result<T, &'static str> {
    if has_too_many_sections(message) {
        return Err("the parameters of a field");
    }
    let (shown, cuts) = needed(message, rewritten)?;
    let by = Moved::by(&cuts);
    let shown = without_hidden_fields(shown, message, &by);
    let again = match &shown {
        Cow::Borrowed(_) => None,
        Cow::Owned(shown) => Some(message.moved(shown, &by)),
    };
    let message = again.as_ref().unwrap_or(message);
    let findable = without_missing_boundaries(message)?;
    let parsed = catch_unwind(|| PARSER.parse(&*findable)).map_err(|_| UNREADABLE)?;
    let seen = parsed.as_ref().map_or(Vec::new(), |root| flattened(&root.parts));
    Ok(look(message, seen))
}

/// Returns the parts of a message in the order of its octets, each message's own behind the part that holds it.
fn flattened<'s>(parts: &'s [MessagePart<'s>]) -> Vec<&'s MessagePart<'s>> {
    let mut found = Vec::new();
    let mut lists: Vec<Iter<MessagePart>> = vec![parts.iter()];
    while let Some(list) = lists.last_mut() {
        let Some(part) = list.next() else {
            lists.pop();
            continue;
        };
        found.push(part);
        // What is encoded was decoded to be opened; its places count from elsewhere.
        if let (PartType::Message(message), mail_parser::Encoding::None) = (&part.body, part.encoding) {
            lists.push(message.parts.iter());
        }
    }
    found
}

struct Texts<'t> {
    profile: &'t Profile,
    rewritten: &'t Rewritten<'t>,
}

struct Comparison<'c> {
    message: &'c Message<'c>,
    texts: Option<&'c Texts<'c>>,
    /// Whether the message has a multipart/digest.
    has_digest: bool,
}

impl<'c> Comparison<'c> {
    fn new(message: &'c Message<'c>, texts: Option<&'c Texts<'c>>) -> Comparison<'c> {
        Comparison { message, texts, has_digest: message.parts().iter().any(is_digest) }
    }

    fn difference(&self, seen: Vec<&MessagePart>) -> Option<&'static str> {
        let mut seen = seen.into_iter().peekable();
        for (index, part) in self.message.parts().iter().enumerate().filter(|(_, part)| !self.is_in_news(part)) {
            let Some(it) = seen.next() else {
                return (!part.body.is_empty()).then_some("a part is missing");
            };
            let difference = self.part(part, it).or_else(|| self.text(index, part, it));
            if difference.is_some() {
                return difference;
            }
        }
        let more = seen.any(|it| !self.is_unread(it));
        more.then_some("a part that septet does not see")
    }

    /// Tells whether a body in quoted-printable has faults: lines that stay as they came may, and are read in many ways.
    fn is_faulty(&self, part: &Part) -> bool {
        part.transfer == TransferEncoding::QuotedPrintable
            && quoted_printable::decode(self.message.slice(part.body)).faults > 0
    }

    /// Tells whether a part lies in a message/news.
    fn is_in_news(&self, part: &Part) -> bool {
        let parts = self.message.parts();
        std::iter::successors(part.parent, |&at| parts[at].parent).any(|at| parts[at].content_type.sub == "news")
    }

    /// Tells whether a part lies where a limit kept septet from reading.
    fn is_unread(&self, seen: &MessagePart) -> bool {
        let start = seen.offset_header as usize;
        self.message
            .parts()
            .iter()
            .any(|part| part.limit.is_some() && (part.body.start..=part.body.end).contains(&start))
    }

    fn part(&self, part: &Part, seen: &MessagePart) -> Option<&'static str> {
        if matches!(part.limit, Some(LimitReached::HeaderBytes(_) | LimitReached::Fields(_))) {
            // Its last fields were not read, and what they say of the part is not known.
            return None;
        }
        let declared = seen.content_type();
        let same_media = declared.is_none_or(|ty| {
            part.content_type.main.eq_ignore_ascii_case(ty.ctype())
                && ty.subtype().is_none_or(|sub| part.content_type.sub.eq_ignore_ascii_case(sub))
        });
        let is_message = matches!((&seen.body, seen.encoding), (PartType::Message(_), mail_parser::Encoding::None));
        let opens = part.kind == Kind::Message && is_opened(part);
        match () {
            () if !same_media => Some("a media type"),
            () if declared.is_some() != part.content_type.declared => Some("whether a part has a media type"),
            // In a multipart/digest that nothing closes, a part without a type is a message to it, and text to others.
            () if declared.is_none() && (is_text_to_us_alone(part, seen) || self.may_be_of_digest(part, seen)) => {
                Some("what a part without a media type is")
            }
            () if seen.offset_body as usize != part.body.start => Some("where a body starts"),
            () if !self.has_the_fields_of(part, seen) => Some("the fields of a header"),
            () if part.limit.is_some() => None,
            () if !seen.is_encoding_problem && !same_encoding(part, seen.encoding) => Some("a transfer encoding"),
            () if is_message != opens => Some("whether a part is a message"),
            // It takes a delimiter for one in the middle of a line too.
            () if !is_opened(part) && seen.offset_end as usize != part.body.end => Some("where a body ends"),
            () => None,
        }
    }

    /// Tells whether a header has as many fields to mail-parser, from the same one on.
    fn has_the_fields_of(&self, part: &Part, seen: &MessagePart) -> bool {
        let (fields, theirs) = (self.message.fields(part), &seen.headers);
        let start = |field: &crate::message::Field| field.name.start;
        fields.len() == theirs.len()
            && fields.first().map(start) == theirs.first().map(|field| field.offset_field as usize)
    }

    /// Tells whether mail-parser may take a text for a message of a multipart/digest, but for faults of its encoding: it
    /// shows these as text, and would show a message once they are mended.
    fn may_be_of_digest(&self, part: &Part, seen: &MessagePart) -> bool {
        seen.is_encoding_problem && part.kind == Kind::Leaf && self.has_digest
    }

    fn text(&self, index: usize, part: &Part, seen: &MessagePart) -> Option<&'static str> {
        let texts = self.texts.filter(|texts| (texts.rewritten.is_text)(index))?;
        // Where nothing closes the multipart around it, it gives base64 up and shows it as it stands.
        if seen.is_encoding_problem && part.body.end == self.message.raw().len() {
            return None;
        }
        let theirs = match &seen.body {
            PartType::Text(text) | PartType::Html(text) => text,
            _ => return None,
        };
        let same = with_text(self.message, part, texts.profile, |ours| match self.has_raw_cr(part) {
            true => same_lines(&ours.replace('\r', ""), &theirs.replace('\r', "")),
            false => same_lines(ours, theirs),
        })?;
        (!same && !self.is_faulty(part)).then_some("a text")
    }

    /// Tells whether a CR stands alone in quoted-printable, where mail-parser drops it.
    fn has_raw_cr(&self, part: &Part) -> bool {
        part.transfer == TransferEncoding::QuotedPrintable && has_lone_return(self.message.slice(part.body))
    }
}

/// Tells whether mail-parser opens a part of this kind.
fn is_opened(part: &Part) -> bool {
    match part.kind {
        Kind::Leaf => false,
        Kind::Message => part.content_type.sub != "news",
        Kind::Multipart => true,
    }
}

/// Tells whether a part that is text to septet is to mail-parser a message, or what a message in an encoding is.
fn is_text_to_us_alone(part: &Part, seen: &MessagePart) -> bool {
    let is_text = part.kind == Kind::Leaf && part.content_type.main == "text" && part.limit.is_none();
    is_text && matches!(seen.body, PartType::Message(_) | PartType::Binary(_) | PartType::InlineBinary(_))
}

/// Tells whether mail-parser takes a part's body for encoded as septet does.
fn same_encoding(part: &Part, seen: mail_parser::Encoding) -> bool {
    let expected = match part.transfer {
        TransferEncoding::Base64 => mail_parser::Encoding::Base64,
        TransferEncoding::QuotedPrintable => mail_parser::Encoding::QuotedPrintable,
        _ => mail_parser::Encoding::None,
    };
    part.kind == Kind::Multipart || seen == expected
}

/// Tells whether two texts are the same but for how their lines end, and for blanks there.
fn same_lines(one: &str, other: &str) -> bool {
    fn lines(text: &str) -> impl Iterator<Item = &str> {
        text.trim_ascii_end().split('\n').map(str::trim_ascii_end)
    }
    one == other || lines(one).eq(lines(other))
}

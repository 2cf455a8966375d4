//! The second reader: mail-parser, which is not ours, sees the tree of each message that changes, before and after,
//! unless it is one text and has none ([`Gate::is_one_text`](super::survey::gate::Gate::is_one_text)).
//!
//! It is a tripwire for the worst harm, a part that comes or goes: where it saw a file it must see that file, where it
//! saw none there must be none. It is no judge of texts, names or charsets, of which it is shown none: those are proved
//! by what was written ([`canonical`](super::canonical)). Nor must it see what septet sees; who reads a form otherwise
//! is named in the table of forms ([`irregular`](crate::message::irregular)), and sees the same before and after.
//!
//! It is shown only what is within our own limits on size, parts and depth. Of long bodies it is shown the lines that
//! hold `--`: no other can be a boundary, for any reader ([`mod@excerpt`]). Nor is it shown a message in which it would
//! look for many boundaries in vain, to the end of the message for each part ([`linear`]).

mod encoded;
mod excerpt;
mod linear;
mod parsed_header;

use std::panic::catch_unwind;
use std::slice::Iter;
use std::sync::LazyLock;

use mail_parser::{MessageParser, MessagePart, MimeHeaders, PartType};

use self::excerpt::excerpt;
use self::linear::{has_too_many_sections, may_look_for_boundaries, without_hidden_fields};
use crate::edit::Moved;
use crate::message::{Kind, Message};
use crate::rewrite::body::report_type::TWINS;
use crate::rewrite::ensure::ensure;

/// Why nothing is changed in a message of which readers would see other parts then.
pub(super) const OTHER_PARTS: &str = "independent readers would see other parts";

/// What is said of a message that mail-parser can't read at all.
const UNREADABLE: &str = "whether it can be read";

/// What reads a message and its MIME fields; one for all messages, since its table of fields takes time to make.
static PARSER: LazyLock<MessageParser> =
    LazyLock::new(|| MessageParser::new().with_mime_headers().default_header_ignore());

/// A part, as mail-parser sees it.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct SeenPart {
    kind: Kind,
    /// How many parts are in it; 0 but in a multipart.
    parts: usize,
    media: String,
    boundary: Option<String>,
}

impl SeenPart {
    /// Returns what a part is to mail-parser, as far as septet may not change it: its kind, its type without
    /// parameters, and the boundary of a multipart. Types that septet writes for one another count as one
    /// ([`in_ascii`]).
    fn of(part: &MessagePart) -> SeenPart {
        let (kind, parts) = match &part.body {
            PartType::Message(_) => (Kind::Message, 0),
            PartType::Multipart(parts) => (Kind::Multipart, parts.len()),
            _ => (Kind::Leaf, 0),
        };
        let ty = part.content_type();
        let boundary = ty.filter(|_| kind == Kind::Multipart).and_then(|ty| ty.attribute("boundary"));
        let said = ty.map(|ty| {
            // Where no semicolon stands behind the type, it takes what follows for more of it.
            let sub = ty.subtype().unwrap_or("plain").split([' ', '\t', ',']).next().unwrap_or_default();
            format!("{}/{sub}", ty.ctype()).to_ascii_lowercase()
        });
        let default = if kind == Kind::Message { "message/rfc822" } else { "text/plain" };
        let media = said.unwrap_or_else(|| default.to_owned());
        SeenPart { kind, parts, media: in_ascii(&media).to_owned(), boundary: boundary.map(str::to_owned) }
    }
}

/// Returns the name that a type for messages in UTF-8 has in ASCII (RFC 6532 §3.7, RFC 6533): septet writes one for the
/// other. Other types keep theirs. Each pair that `body/report_type.rs` or `write/composite.rs` writes must be known
/// here, or the proof fails.
fn in_ascii(media: &str) -> &str {
    let sub = media.strip_prefix("message/").unwrap_or_default();
    let twin = TWINS.iter().find(|(global, _)| *global == sub).map(|(_, twin)| *twin);
    if media == "message/global" { "message/rfc822" } else { twin.unwrap_or(media) }
}

/// What mail-parser sees of a message: its parts; or why it can't be shown it, be it that it panics.
pub(super) type Outline = Result<Vec<SeenPart>, &'static str>;

/// Returns `true` if mail-parser sees the same parts in two messages: as many, of the same types, with the same
/// boundaries. If it can't be shown one of them, that is `false`: so what is compared by this is taken back, while a
/// conversion of such a message goes on in its own header (`Claim::prove`).
pub(super) fn sees_the_same_parts(one: &Message, other: &Message) -> bool {
    matches!((outline(one), outline(other)), (Ok(one), Ok(other)) if one == other)
}

/// Lists the parts of a message by what mail-parser takes them for; an empty list if it finds no message at all. It is
/// shown less than the message, and some words of it spelt otherwise (`excerpt.rs`, `linear/`); an error says why it
/// can't be shown even that, or that it panicked. Nothing is parsed before each question is answered that keeps its
/// time linear; fields are hidden in what is shown before it is looked through for boundaries.
pub(super) fn outline(message: &Message) -> Outline {
    ensure(!has_too_many_sections(message), "the parameters of a field")?;
    let (shown, cuts) = excerpt(message)?;
    let shown = without_hidden_fields(shown, message, &Moved::by(&cuts));
    may_look_for_boundaries(message, &shown)?;
    let parsed = catch_unwind(|| PARSER.parse(&*shown)).map_err(|_| UNREADABLE)?;
    let parts = parsed.as_ref().map_or(Vec::new(), |root| flattened(&root.parts));
    Ok(parts.into_iter().map(SeenPart::of).collect())
}

/// Returns the parts of a message in the order of its octets, each message's own behind the part that holds it.
/// Messages in messages are kept in a list of lists, so that deep nesting takes no stack.
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

//! ASCII to text.
//!
//! A text is read once, from left to right, in all forms asked for. What an escape becomes is never read
//! again: `&#x5C;u'00E9'` is six characters and no `é`. A pair `\\` is read as a pair, whether it is undone
//! or not, so `\\u'00E9'` holds no escape, just as in Java.

use std::borrow::Cow;

use memchr::{memchr2, memmem};

use super::write::is_pair_needed;
use super::{EscapeForm, pair};
use crate::fault::MalformedError;
use crate::hex;

const SURROGATE: &str = "an escape of a surrogate";
const TOO_HIGH: &str = "an escape of a value above 10FFFF";

/// A text with its escapes expanded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unescaped<'a> {
    /// The text; borrowed when nothing was expanded or undone.
    pub text: Cow<'a, str>,
    /// How many escapes became a character.
    pub count: usize,
    /// How many escapes stand for no character: surrogates and values above 10FFFF. They stay as they are.
    pub refused: usize,
    /// The first of these; its offset counts octets of the escaped text.
    pub first_refused: Option<MalformedError>,
}

/// Expands the escapes of the given forms, exactly as RFC 5137 writes them; whatever is a little different
/// (`\u'E9'`, `&#XE9;`, `&#x9;`) is text. Any character comes out, control characters too.
///
/// ```
/// use septet_text::escape::{EscapeForm, unescape};
///
/// assert_eq!(unescape(r"n\u'00E9'", &[EscapeForm::Rfc5137]).text, "né");
/// let surrogate = unescape(r"\u'D800'", &[EscapeForm::Rfc5137]);
/// assert_eq!((&*surrogate.text, surrogate.count), (r"\u'D800'", 0), "no character");
/// ```
pub fn unescape<'a>(text: &'a str, forms: &[EscapeForm]) -> Unescaped<'a> {
    Pairs::of(text, forms).unescape(text, forms)
}

/// What `\\` and `&amp;` mean in the pieces of one text, which all of it decides.
#[derive(Debug, Clone, Copy)]
pub struct Pairs {
    backslash: bool,
    ampersand: bool,
}

impl Pairs {
    /// Has every `\\` and `&amp;` stay as it is.
    pub const KEPT: Pairs = Pairs { backslash: false, ampersand: false };

    /// Looks at the whole text, of which [`unescape`](Pairs::unescape) is given pieces, with the same forms.
    pub fn of(whole: &str, forms: &[EscapeForm]) -> Pairs {
        Pairs { backslash: is_ours(whole, forms, b'\\'), ampersand: is_ours(whole, forms, b'&') }
    }

    /// Returns `true` if a doubled introducer becomes one.
    fn undoes(self, introducer: u8) -> bool {
        if introducer == b'&' { self.ampersand } else { self.backslash }
    }

    /// Expands the escapes of a piece of the text as [`unescape`] does those of the whole, but for an escape that lies
    /// in two pieces. The offset of the first that is refused counts octets of the piece.
    pub fn unescape<'a>(self, piece: &'a str, forms: &[EscapeForm]) -> Unescaped<'a> {
        let mut result = Unescaped { text: Cow::Borrowed(piece), count: 0, refused: 0, first_refused: None };
        let mut out = String::new();
        let mut kept = 0;
        for (at, token) in tokens(piece, forms) {
            let replacement = match token.kind {
                EscapeKind::Character(character) => {
                    result.count += 1;
                    character
                }
                EscapeKind::Introducer(introducer) if self.undoes(introducer) => char::from(introducer),
                EscapeKind::Refused(rule) => {
                    result.refused += 1;
                    result.first_refused = result.first_refused.or(Some(MalformedError { offset: at, rule }));
                    continue;
                }
                EscapeKind::Introducer(_) | EscapeKind::Alone(_) => continue,
            };
            out.push_str(piece.get(kept..at).unwrap_or_default());
            out.push(replacement);
            kept = at + token.len;
        }
        if kept > 0 {
            out.push_str(piece.get(kept..).unwrap_or_default());
            result.text = Cow::Owned(out);
        }
        result
    }
}

/// Returns where in the escaped text the octet at an offset of the text that [`unescape`] gives comes from; `text` is
/// the whole of the escaped one. What is made shorter here must be what is replaced there.
pub fn origin(text: &str, forms: &[EscapeForm], offset: usize) -> usize {
    let (pairs, mut shorter) = (Pairs::of(text, forms), 0);
    for (at, token) in tokens(text, forms) {
        if at >= offset + shorter {
            break;
        }
        shorter += match token.kind {
            EscapeKind::Character(character) => token.len - character.len_utf8(),
            EscapeKind::Introducer(introducer) if pairs.undoes(introducer) => token.len - 1,
            EscapeKind::Refused(_) | EscapeKind::Introducer(_) | EscapeKind::Alone(_) => 0,
        };
    }
    offset + shorter
}

/// Returns `true` if a text has a pair of an introducer of these forms, and `escape` can have written it, which leaves
/// no introducer alone and nothing but ASCII, or `escape_sparingly`, which leaves `&` alone and writes `&amp;` only
/// where that must be.
fn is_ours(text: &str, forms: &[EscapeForm], introducer: u8) -> bool {
    forms.iter().any(|form| form.introducer() == introducer)
        && memmem::find(text.as_bytes(), pair(introducer).as_bytes()).is_some()
        && text.is_ascii()
        && (is_escaped(text, forms, introducer) || introducer == b'&' && is_escaped_sparingly(text, forms))
}

/// Returns `true` if each introducer is part of a pair or of an escape.
fn is_escaped(text: &str, forms: &[EscapeForm], introducer: u8) -> bool {
    tokens(text, forms).all(|(at, token)| match token.kind {
        EscapeKind::Alone(octet) => octet != introducer,
        EscapeKind::Refused(_) => text.as_bytes()[at] != introducer,
        EscapeKind::Character(_) | EscapeKind::Introducer(_) => true,
    })
}

/// Returns `true` if each `&amp;` stands where it must, and no `&` alone where it must not.
fn is_escaped_sparingly(text: &str, forms: &[EscapeForm]) -> bool {
    tokens(text, forms).all(|(at, token)| match token.kind {
        EscapeKind::Introducer(b'&') => is_pair_needed(&text[at + token.len..]),
        EscapeKind::Alone(b'&') => !is_pair_needed(&text[at + token.len..]),
        EscapeKind::Refused(_) => !text[at..].starts_with('&'),
        EscapeKind::Character(_) | EscapeKind::Introducer(_) | EscapeKind::Alone(_) => true,
    })
}

/// What an introducer begins.
struct EscapeToken {
    len: usize,
    kind: EscapeKind,
}

/// What an introducer may begin.
enum EscapeKind {
    /// An escape of a character.
    Character(char),
    /// An escape of none.
    Refused(&'static str),
    /// `\\` or `&amp;`.
    Introducer(u8),
    /// An introducer that begins nothing.
    Alone(u8),
}

/// Returns what each introducer of the given forms begins, and where. All forms together have two introducers; a third
/// would be passed over.
fn tokens<'t>(text: &'t str, forms: &'t [EscapeForm]) -> impl Iterator<Item = (usize, EscapeToken)> + 't {
    let text = text.as_bytes();
    let first = forms.first().map(|form| form.introducer());
    let other = forms.iter().map(|form| form.introducer()).find(|introducer| Some(*introducer) != first);
    let mut at = 0;
    std::iter::from_fn(move || {
        let first = first?;
        let start = at + memchr2(first, other.unwrap_or(first), text.get(at..)?)?;
        let token = token(&text[start..], forms);
        at = start + token.len;
        Some((start, token))
    })
}

/// Reads the token at the start of `text`, where an introducer stands.
fn token(text: &[u8], forms: &[EscapeForm]) -> EscapeToken {
    let introducer = text[0];
    let pair = pair(introducer);
    if text.starts_with(pair.as_bytes()) {
        return EscapeToken { len: pair.len(), kind: EscapeKind::Introducer(introducer) };
    }
    // C and Java both write `\u`; a pair is a character in Java alone, so Java is asked before C's refusal counts.
    let mut found = forms.iter().filter_map(|form| escape_at(text, *form));
    let best = match found.next() {
        Some(EscapeToken { kind: EscapeKind::Refused(rule), len }) => found
            .find(|token| matches!(token.kind, EscapeKind::Character(_)))
            .or(Some(EscapeToken { len, kind: EscapeKind::Refused(rule) })),
        other => other,
    };
    best.unwrap_or(EscapeToken { len: 1, kind: EscapeKind::Alone(introducer) })
}

/// Reads an escape of one form at the start of `text`; `None` where none of its shape stands there, while one that
/// means no character is [`EscapeKind::Refused`].
fn escape_at(text: &[u8], form: EscapeForm) -> Option<EscapeToken> {
    match form {
        EscapeForm::Rfc5137 => delimited(text, b"\\u'", 4, b'\''),
        EscapeForm::Xml => delimited(text, b"&#x", 2, b';'),
        EscapeForm::Perl => delimited(text, b"\\x{", 2, b'}'),
        EscapeForm::C => fixed(text, b"\\u", 4).or_else(|| fixed(text, b"\\U", 8)),
        EscapeForm::Java => java(text),
    }
}

/// Reads `open`, from `least` to six digits, and `close`.
fn delimited(text: &[u8], open: &[u8], least: usize, close: u8) -> Option<EscapeToken> {
    let rest = text.strip_prefix(open)?;
    let digits = rest.iter().take(7).take_while(|octet| octet.is_ascii_hexdigit()).count();
    if !(least..=6).contains(&digits) || rest.get(digits) != Some(&close) {
        return None;
    }
    Some(EscapeToken { len: open.len() + digits + 1, kind: kind_of(hex::number(&rest[..digits])?) })
}

/// Reads `open` and exactly `digits` digits.
fn fixed(text: &[u8], open: &[u8], digits: usize) -> Option<EscapeToken> {
    let value = text.strip_prefix(open)?.get(..digits).and_then(hex::number)?;
    Some(EscapeToken { len: open.len() + digits, kind: kind_of(value) })
}

/// Reads an escape of Java: one unit of UTF-16, or two that are a pair.
fn java(text: &[u8]) -> Option<EscapeToken> {
    let first = utf_16_unit(text)?;
    let second = text.get(6..).and_then(utf_16_unit);
    if let (0xD800..=0xDBFF, Some(low @ 0xDC00..=0xDFFF)) = (first, second) {
        let value = 0x1_0000 + ((first & 0x3FF) << 10 | (low & 0x3FF));
        return Some(EscapeToken { len: 12, kind: kind_of(value) });
    }
    Some(EscapeToken { len: 6, kind: kind_of(first) })
}

/// Reads the `\uHHHH` at the start of a text; `None` where none stands there.
fn utf_16_unit(text: &[u8]) -> Option<u32> {
    hex::number(text.strip_prefix(b"\\u")?.get(..4)?)
}

/// Tells whether a value is a character, and which rule it breaks if not.
fn kind_of(value: u32) -> EscapeKind {
    match char::from_u32(value) {
        Some(character) => EscapeKind::Character(character),
        None if value <= 0x10_FFFF => EscapeKind::Refused(SURROGATE),
        None => EscapeKind::Refused(TOO_HIGH),
    }
}

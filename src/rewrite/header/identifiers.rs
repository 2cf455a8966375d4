//! Identifiers and links that a program wrote in encoded-words, where none may stand (RFC 2047 §5): Python's email and what is
//! built on it, PHPMailer, Zend.
//!
//! Nobody decodes a word there, so that threads break and one-click unsubscribing is lost. Where the words say nothing but
//! what the grammar of the field wants, in printable ASCII, that is written plainly. Everything else stays, and is named.

use std::borrow::Cow;

use super::planned::ValuePlan;
use super::uris::OF_URIS;
use crate::coding::charset::Labels;
use crate::coding::encoded_word::{EncodedWord, WordReader, decode_unstructured, octets, words};
use crate::message::grammar::lexer::{Grammar, Token, TokenKind, tokens};
use crate::message::irregular::Form;
use crate::message::{FieldKind, FieldNames};
use crate::rewrite::{Change, HeaderForm, LONGEST_LINE, Profile, Reason, Repair};

/// The fields that are made of identifiers in angle brackets, or of links.
const CONCERNED: FieldNames =
    OF_URIS.and(FieldNames::of("Content-ID In-Reply-To Message-ID References Resent-Message-ID X-Message-ID"));

/// The longest line that is written, if its items are shorter.
const LINE: usize = 76;

/// Plans a field of identifiers or links that is written in words and in nothing else: what they say is written
/// plainly. None where it is another field, the words say anything else, a line would be too long, or the profile keeps
/// headers or repairs nothing.
pub(super) fn plan(name: &[u8], value: &[u8], indent: usize, profile: &Profile, fold: &str) -> Option<ValuePlan> {
    let wanted = profile.headers != HeaderForm::Keep && profile.repair != Repair::Keep;
    if !wanted || !CONCERNED.names(name) || words(value).next().is_none() {
        return None;
    }
    let text = fold_items(name, &text_of_words(name, value, &profile.labels)?, indent, fold)?;
    let end = value.trim_ascii_end().len();
    let start = value.len() - value.trim_ascii_start().len();
    let changes = vec![Change::Repaired { what: "word" }];
    Some(ValuePlan { edits: vec![(start..end, text)], changes, ..ValuePlan::default() })
}

/// Adds a reason to the plan of a structured field, if words stay where no text may stand: words in another charset, and
/// of identifiers and links all words that these are written in. A plan that has a reason already gets no other, and one
/// by a profile that leaves such words alone gets none.
pub(super) fn report_words_that_stay(
    mut planned: ValuePlan,
    name: &[u8],
    value: &[u8],
    profile: &Profile,
) -> ValuePlan {
    let kind = FieldKind::of(name);
    let is_concerned = CONCERNED.names(name);
    let is_structured = !matches!(kind, FieldKind::Unstructured | FieldKind::Opaque) || is_concerned;
    if !planned.left.is_empty() || !is_structured || profile.headers == HeaderForm::Keep {
        return planned;
    }
    let mut staying = words(value).filter(|word| {
        let behind = planned.edits.partition_point(|(at, _)| at.end <= word.at.start);
        planned.edits.get(behind).is_none_or(|(at, _)| at.start >= word.at.end)
    });
    let stays = if is_concerned && profile.repair != Repair::Keep && is_written_in_words(value) {
        staying.next().is_some()
    } else {
        profile.headers != HeaderForm::Words && staying.any(|word| is_other_text(&word, kind, value, profile))
    };
    planned.left.extend(stays.then_some(Reason::Irregular(Form::WordOutsideText)));
    planned
}

/// Returns `true` if a word of a structured field says something in a charset that is not written, in a place that no
/// program reads.
fn is_other_text(word: &EncodedWord, kind: FieldKind, value: &[u8], profile: &Profile) -> bool {
    let charset = profile.labels.find(value.get(word.label.clone()).unwrap_or_default());
    let is_other =
        charset.is_some_and(|charset| charset != profile.headers_charset()) && !octets(value, word).is_ascii();
    if !is_other {
        return false;
    }
    // What a parameter or a link says to programs is no text.
    let before = value.get(..word.at.start).unwrap_or_default();
    let is_in_link = memchr::memrchr(b'<', before) > memchr::memrchr(b'>', before);
    !(is_in_link || kind == FieldKind::Parameters && before.contains(&b';'))
}

/// Returns `true` if a value has words, and beside them nothing but what stands between identifiers and around them:
/// white space, brackets, commas, comments. `<=?a?Q?b?=@example.org>` is an identifier, and has none.
fn is_written_in_words(value: &[u8]) -> bool {
    let tokens = tokens(value, Grammar::Address);
    tokens.iter().any(is_word)
        && tokens.iter().all(|it| is_word(it) || it.is_space() || it.is(b'<') || it.is(b'>') || it.is(b','))
}

fn is_word(token: &Token) -> bool {
    matches!(token.kind, TokenKind::Word(_))
}

/// Returns a value of identifiers or links in the one form in which the proof compares it: words decoded, and one space
/// between items. The value of any other field, or one that is made of anything else, comes back as it is.
pub(super) fn normalized<'v>(name: &[u8], value: &'v [u8], labels: &Labels) -> Cow<'v, [u8]> {
    if !CONCERNED.names(name) || !value.is_ascii() {
        return Cow::Borrowed(value);
    }
    let text = match words(value).next() {
        Some(_) => match text_of_words(name, value, labels) {
            Some(text) => text,
            None => return Cow::Borrowed(value),
        },
        None => String::from_utf8_lossy(value).into_owned(),
    };
    split_items(name, &text).map_or(Cow::Borrowed(value), |items| Cow::Owned(items.join(" ").into_bytes()))
}

/// Decodes a value of nothing but words and white space; none where what they say is not what the grammar of the field
/// wants, in printable ASCII.
fn text_of_words(name: &[u8], value: &[u8], labels: &Labels) -> Option<String> {
    let covered: usize = words(value).map(|word| word.at.len()).sum();
    let white = value.iter().filter(|octet| octet.is_ascii_whitespace()).count();
    let within: usize = words(value).map(|word| count_white(value.get(word.at).unwrap_or_default())).sum();
    let decoded = decode_unstructured(value, WordReader::new(labels));
    let is_all = covered + white - within == value.len() && decoded.faults.is_empty();
    let text = decoded.text.trim().to_owned();
    let is_plain = text.bytes().all(|octet| octet.is_ascii_graphic() || octet == b' ');
    (is_all && is_plain && split_items(name, &text).is_some()).then_some(text)
}

/// Returns how many octets are white space.
fn count_white(octets: &[u8]) -> usize {
    octets.iter().filter(|octet| octet.is_ascii_whitespace()).count()
}

/// Splits a text into identifiers, or into links, each with the comma behind it; none where anything else stands there,
/// or nothing, or a comma at the end.
fn split_items(name: &[u8], text: &str) -> Option<Vec<String>> {
    let is_link = OF_URIS.names(name);
    let mut found = Vec::new();
    let mut rest = text.trim();
    while !rest.is_empty() {
        let length = rest.starts_with('<').then(|| rest.find('>')).flatten()?;
        let inside = rest.get(1..length)?;
        let is_good = if is_link { is_uri(inside) } else { is_identifier(inside) };
        if !is_good {
            return None;
        }
        let after = rest.get(length + 1..)?.trim_start();
        let next = if is_link { after.strip_prefix(',').map(str::trim_start) } else { Some(after) };
        let comma = if is_link && next.is_some() { "," } else { "" };
        found.push(format!("<{inside}>{comma}"));
        if is_link && next.is_none() && !after.is_empty() {
            return None;
        }
        rest = next.unwrap_or_default();
    }
    let has_end = found.last().is_some_and(|last| !last.ends_with(','));
    has_end.then_some(found)
}

/// Returns `true` if a text is what stands between the brackets of an identifier (RFC 5322 §3.6.4), nothing quoted in
/// it.
fn is_identifier(text: &str) -> bool {
    let sides = text.split_once('@').filter(|(left, right)| !left.is_empty() && !right.is_empty());
    sides.is_some() && text.bytes().all(|octet| octet.is_ascii_graphic() && !b"<>()\"\\,;".contains(&octet))
}

/// Returns `true` if a text is a URI with a scheme.
fn is_uri(text: &str) -> bool {
    let parted = text.split_once(':').filter(|(scheme, rest)| is_scheme(scheme) && !rest.is_empty());
    parted.is_some() && text.bytes().all(|octet| octet.is_ascii_graphic() && !b"<>\"\\^`{|}".contains(&octet))
}

/// Returns `true` if a text is the scheme of a URI (RFC 3986 §3.1).
fn is_scheme(text: &str) -> bool {
    text.starts_with(|first: char| first.is_ascii_alphabetic())
        && text.bytes().all(|octet| octet.is_ascii_alphanumeric() || b"+-.".contains(&octet))
}

/// Writes the items of a text with a space or a fold between; none where an item makes a line longer than
/// [`LONGEST_LINE`].
fn fold_items(name: &[u8], text: &str, indent: usize, fold: &str) -> Option<String> {
    let mut out = String::new();
    let mut column = indent + 1;
    for item in split_items(name, text)? {
        if !out.is_empty() {
            if column + 1 + item.len() > LINE {
                out.push_str(fold);
                column = 0;
            }
            out.push(' ');
            column += 1;
        }
        out.push_str(&item);
        column += item.len();
        if column > LONGEST_LINE {
            return None;
        }
    }
    Some(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_the_grammar_wants_is_written_plainly() {
        let read = |name: &str, value: &str| text_of_words(name.as_bytes(), value.as_bytes(), &Labels::default());
        assert_eq!(read("Message-ID", "=?utf-8?Q?=3Ca=40b=2Eexample=3E?=").as_deref(), Some("<a@b.example>"));
        assert_eq!(
            read("References", "=?utf-8?Q?=3Ca=40b=3E?=\n =?utf-8?Q?_=3Cc=40d=3E?=").as_deref(),
            Some("<a@b> <c@d>")
        );
        assert_eq!(read("List-Post", "=?utf-8?Q?=3Cmailto=3Aa=40b=3E?=").as_deref(), Some("<mailto:a@b>"));
        for (name, value) in [
            ("Message-ID", "=?utf-8?Q?no_identifier?="),
            ("Message-ID", "=?utf-8?Q?=3Ca=40b=C3=A9=3E?="),
            ("Message-ID", "x =?utf-8?Q?=3Ca=40b=3E?="),
            ("Message-ID", "=?utf-8?Q?=3Ca=40b=3E=0ABcc=3A_x?="),
            ("List-Post", "=?utf-8?Q?=3Cmailto=3Aa=40b=3E=2C?="),
            ("List-Post", "=?utf-8?Q?NO?="),
        ] {
            assert_eq!(read(name, value), None, "{name}: {value}");
        }
    }
}

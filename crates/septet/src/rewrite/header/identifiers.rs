//! What stands in angle brackets: identifiers, and links (RFC 2369, RFC 5064).
//!
//! A program wrote them in encoded-words, where none may stand (RFC 2047 §5): Python's email and what is built on it,
//! PHPMailer, Zend. Nobody decodes a word there, so that threads break and one-click unsubscribing is lost. Where the
//! words say nothing but what the grammar of the field wants, in printable ASCII, that is written plainly. Everything
//! else stays, and is named: here for all structured fields, also where a word stands in the quotes of an address.
//!
//! An IRI is a mistake of its writer, since these formats carry URIs only (draft-ietf-iri-3987bis-06 §1.2 a), and it is
//! mapped to the URI that it means. Whatever the profile, nothing in these fields ever becomes an IRI. Where a header
//! must go to ASCII they are mapped even if other links stay.

use std::borrow::Cow;
use std::ops::Range;

use super::ascii::Downgrade;
use super::fold::{FoldInput, fold as layout};
use super::planned::ValuePlan;
use super::replacement::{ReplaceWith, Replacement};
use crate::coding::charset::Labels;
use crate::coding::encoded_word::{EncodedWord, WordReader, decode_unstructured, octets, words};
use crate::coding::iri::{Mapping, scheme, to_uri};
use crate::edit::Span;
use crate::message::grammar::lexer::{Grammar, Token, TokenKind, tokens};
use crate::message::irregular::Form;
use crate::message::{FieldKind, FieldNames};
use crate::rewrite::{Change, HeaderForm, Profile, Reason, Repair};

/// The fields that are made of URIs.
const OF_URIS: FieldNames =
    FieldNames::of("Archived-At List-Archive List-Help List-Owner List-Post List-Subscribe List-Unsubscribe");

/// The fields that are made of identifiers in angle brackets, or of links.
const IN_BRACKETS: FieldNames =
    OF_URIS.and(FieldNames::of("Content-ID In-Reply-To Message-ID References Resent-Message-ID X-Message-ID"));

/// Plans a field of identifiers or links that is written in words and in nothing else: what they say is written
/// plainly. None where it is another field, the words say anything else or hold raw octets, a line would be too long,
/// or the profile keeps headers or repairs nothing. The proof compares what the value says before and after
/// ([`normalized`], which reads no raw octets either).
pub(super) fn plan_words(name: &[u8], value: &[u8], indent: usize, profile: &Profile, fold: &str) -> Option<ValuePlan> {
    let wanted = profile.headers != HeaderForm::Keep && profile.repair != Repair::Keep;
    if !wanted || !IN_BRACKETS.names(name) || !value.is_ascii() || words(value).next().is_none() {
        return None;
    }
    let at = Span::new(0, value.len()).trimmed(value);
    let text = items_in_words(name, value, &profile.labels)?.join(" ");
    let plainly = Replacement { at: 0..at.len(), with: ReplaceWith::Raw(text, true) };
    // The items begin behind the blank before the value, whatever stands there.
    let (value, fold) = (at.slice(value), Some(fold));
    let input = FoldInput { value, indent: indent + 1, fold, no_fold: &[], most: None };
    let edits = layout(input, &[plainly]).ok()?.into_iter().map(|(range, with)| (at.within(range).range(), with));
    let changes = vec![Change::Repaired { what: "word" }];
    Some(ValuePlan { edits: edits.collect(), changes, ..ValuePlan::default() })
}

/// Adds a reason to the plan of a structured field, if words stay where no text may stand: words in another charset,
/// and of identifiers and links all words that these are written in. A plan that has a reason already gets no other,
/// and one by a profile that leaves such words alone gets none. All that is planned for the field must be in the plan,
/// its edits in order.
pub(super) fn report_words_that_stay(planned: &mut ValuePlan, name: &[u8], value: &[u8], profile: &Profile) {
    let kind = FieldKind::of(name);
    let is_in_brackets = IN_BRACKETS.names(name);
    let is_structured = !matches!(kind, FieldKind::Unstructured | FieldKind::Opaque) || is_in_brackets;
    if !planned.left.is_empty() || !is_structured || profile.headers == HeaderForm::Keep {
        return;
    }
    let mut staying = words(value).filter(|word| {
        let behind = planned.edits.partition_point(|(at, _)| at.end <= word.at.start);
        planned.edits.get(behind).is_none_or(|(at, _)| at.start >= word.at.end)
    });
    let stays = if is_in_brackets && profile.repair != Repair::Keep && is_written_in_words(value) {
        staying.next().is_some()
    } else {
        profile.headers != HeaderForm::Words && staying.any(|word| is_other_text(&word, kind, value, profile))
    };
    planned.left.extend(stays.then_some(Reason::Irregular(Form::WordOutsideText)));
}

/// Returns `true` if a word of a structured field holds characters beyond ASCII in a charset that is known and not
/// written, in a place that no program reads.
fn is_other_text(word: &EncodedWord, kind: FieldKind, value: &[u8], profile: &Profile) -> bool {
    let charset = profile.labels.find(value.get(word.label.clone()).unwrap_or_default());
    let is_other = charset.filter(|charset| *charset != profile.headers_charset()).is_some_and(|charset| {
        let octets = octets(value, word);
        // In UTF-7 and ISO-2022-JP all octets are those of ASCII.
        !octets.is_ascii() || !charset.keeps_ascii() && charset.decode(&octets).is_ok_and(|text| !text.is_ascii())
    });
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
    let mut others = tokens.iter().filter(|token| !matches!(token.kind, TokenKind::Word(_)));
    others.clone().count() < tokens.len() && others.all(|it| it.is_space() || it.is(b'<') || it.is(b'>') || it.is(b','))
}

/// Returns a value of identifiers or links in the one form in which the proof compares it, which [`plan_words`] writes
/// but for folds: words decoded, and one space between items. The value of any other field, or one that is made of
/// anything else, comes back as it is.
pub(super) fn normalized<'v>(name: &[u8], value: &'v [u8], labels: &Labels) -> Cow<'v, [u8]> {
    let items = match words(value).next() {
        _ if !IN_BRACKETS.names(name) || !value.is_ascii() => None,
        Some(_) => items_in_words(name, value, labels),
        None => split_items(name, &String::from_utf8_lossy(value)),
    };
    items.map_or(value.into(), |items| items.join(" ").into_bytes().into())
}

/// Decodes a value of nothing but words and white space, and splits what they say ([`split_items`]); none where that is
/// not what the grammar of the field wants, in printable ASCII.
fn items_in_words(name: &[u8], value: &[u8], labels: &Labels) -> Option<Vec<String>> {
    let mut at = 0;
    let are_alone =
        words(value).all(|word| value[std::mem::replace(&mut at, word.at.end)..word.at.start].trim_ascii().is_empty());
    let decoded = decode_unstructured(value, WordReader::new(labels));
    let is_all = are_alone && value[at..].trim_ascii().is_empty() && decoded.faults.is_empty();
    let is_plain = decoded.text.trim().bytes().all(|octet| octet.is_ascii_graphic() || octet == b' ');
    split_items(name, &decoded.text).filter(|_| is_all && is_plain)
}

/// Splits a text into identifiers with no comma between, or into links with one between, each with the comma behind it;
/// none where anything else stands there, or nothing.
fn split_items(name: &[u8], text: &str) -> Option<Vec<String>> {
    let is_link = OF_URIS.names(name);
    let mut found = Vec::new();
    let mut rest = text.trim();
    while !rest.is_empty() {
        let (inside, after) = rest.strip_prefix('<')?.split_once('>')?;
        let is_good = if is_link { is_uri(inside) } else { is_identifier(inside) };
        let after = after.trim_start();
        // A comma behind an identifier stays in `next`, where no item begins with it. Links have one between, and none
        // at the end.
        let (comma, next) = match after.strip_prefix(',').map(str::trim_start) {
            _ if !is_good => return None,
            Some(next) if is_link && !next.is_empty() => (",", next),
            _ if !is_link || after.is_empty() => ("", after),
            _ => return None,
        };
        found.push(format!("<{inside}>{comma}"));
        rest = next;
    }
    (!found.is_empty()).then_some(found)
}

/// Returns `true` if a text is what stands between the brackets of an identifier (RFC 5322 §3.6.4), nothing quoted in
/// it. Behind its `@` more of these may stand.
fn is_identifier(text: &str) -> bool {
    let sides = text.split_once('@').filter(|(left, right)| !left.is_empty() && !right.is_empty());
    sides.is_some() && text.bytes().all(|octet| octet.is_ascii_graphic() && !b"<>()\"\\,;".contains(&octet))
}

/// Returns `true` if a text is a URI with a scheme, by the octets in it and not by their order.
fn is_uri(text: &str) -> bool {
    scheme(text).is_some_and(|scheme| text.len() > scheme.len() + 1)
        && text.bytes().all(|octet| octet.is_ascii_graphic() && !b"<>\"\\^`{|}".contains(&octet))
}

/// Finds the IRIs in a field of URIs that the profile wants mapped, each with its URI; one that can't be mapped is not
/// listed, and none where the value is no UTF-8. What stands in a comment is text.
pub(super) fn uris(name: &[u8], value: &[u8], profile: &Profile) -> Vec<Downgrade> {
    let is_wanted = OF_URIS.names(name) && profile.maps_iris_in_fields() && !value.is_ascii();
    let Some(text) = str::from_utf8(value).ok().filter(|_| is_wanted) else { return Vec::new() };
    let mapping = Mapping { host: profile.iri_host, ..Mapping::default() };
    let tokens = tokens(value, Grammar::Address);
    let mapped = iris_in_brackets(text).filter_map(|at| {
        let token = tokens.get(tokens.partition_point(|token| token.at.end < at.start));
        let iri = text.get(at.clone()).filter(|_| !token.is_some_and(Token::is_comment))?;
        Some(Downgrade::same(at, to_uri(iri, &mapping).ok()?.into_owned(), Change::Iris { count: 1 }))
    });
    mapped.collect()
}

/// Finds what stands between angle brackets and is no ASCII. It is passed over if white space stands in it (a fold):
/// nobody can say then where the IRI ends.
fn iris_in_brackets(text: &str) -> impl Iterator<Item = Range<usize>> {
    let opened = memchr::memchr_iter(b'<', text.as_bytes());
    opened.filter_map(|open| {
        let inside = text.get(open + 1..)?;
        let length = inside.find(|character: char| character.is_whitespace() || matches!(character, '<' | '>'))?;
        let iri = inside.get(..length)?;
        (inside.as_bytes().get(length) == Some(&b'>') && !iri.is_ascii()).then_some(open + 1..open + 1 + length)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(name: &str, value: &str) -> Option<String> {
        Some(items_in_words(name.as_bytes(), value.as_bytes(), &Labels::default())?.join(" "))
    }

    #[test]
    fn only_what_the_grammar_wants_is_written_plainly() {
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

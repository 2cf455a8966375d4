//! Defects of headers: fields that are missing, twice, or badly written, and a header that ends wrongly.

use std::collections::BTreeMap;

use super::is_own_header;
use crate::edit::Span;
use crate::message::date;
use crate::message::grammar::lexer::{Grammar, Lexer};
use crate::message::grammar::parameter;
use crate::message::header::starts_field;
use crate::message::lines::{content_end, line_end_after};
use crate::message::{
    CONTENT_TRANSFER_ENCODING, CONTENT_TYPE, Defect, DefectKind, Field, FieldNames, Known, LimitReached, Message, Part,
    RECEIVED, says_what_a_body_is,
};

/// The fields that may stand once in a message (RFC 5322 §3.6).
const ONCE: FieldNames =
    FieldNames::of("Date From Sender Reply-To To Cc Bcc Message-ID In-Reply-To References Subject");

/// The fields that may stand once in any part (RFC 2045 §3, RFC 2183).
const ONCE_OF_MIME: FieldNames = OF_TOKENS.and(FieldNames::of("Content-ID Content-Description"));

/// Fields that everybody knows (RFC 5322 §3.6): the names that a line may start with which lost its colon.
const KNOWN: FieldNames = ONCE.and(ONCE_OF_MIME).and(RECEIVED).and(FieldNames::of(
    "Return-Path Comments Keywords Delivered-To List-Id Precedence Organization X-Mailer User-Agent",
));

/// The fields that say what a body is, or begin like those, and were there before MIME was, the last two in X.400 (RFC
/// 2156).
const OLDER: FieldNames = FieldNames::of("Content-Length Content-Class Content-Identifier Content-Return");

/// Finds the defects of all headers but those of messages inside. Of a header whose fields a limit hid only the end is
/// looked at: that one is read all the same, while a field that seems to be missing may be among the hidden ones.
pub fn find(message: &Message, found: &mut Vec<Defect>) {
    if let Some(root) = message.parts().first().filter(|root| has_all_fields(root)) {
        find_in_root(message, root, found);
    }
    for (index, part) in message.parts().iter().enumerate() {
        if has_all_fields(part) && is_own_header(message, index) {
            find_spaces(message, index, part, found);
            find_repeated(message, index, part, found);
        }
    }
    for defect in message.defects().iter().filter(|it| it.kind == DefectKind::HeaderEndsAtText) {
        if is_own_header(message, defect.part) {
            find_cause_of_end(message, defect, found);
        }
    }
}

/// Returns `true` if all fields of a part's header were read: no limit hid any.
fn has_all_fields(part: &Part) -> bool {
    !matches!(part.limit, Some(LimitReached::HeaderBytes(_) | LimitReached::Fields(_)))
}

/// Finds what only the header of the message itself must have and lacks, and a Date there that can't be read.
fn find_in_root(message: &Message, root: &Part, found: &mut Vec<Defect>) {
    let end = Span::empty(root.header.end);
    let is_mime = message.fields(root).iter().any(|field| is_mime_field(message.slice(field.name)));
    if is_mime && message.field(root, "MIME-Version").is_none() {
        found.push(Defect { kind: DefectKind::MissingMimeVersion, part: 0, at: end });
    }
    match message.field(root, "Date") {
        None => found.push(Defect { kind: DefectKind::MissingDate, part: 0, at: end }),
        Some(date) if !date::is_readable(message.slice(date.value)) => {
            found.push(Defect { kind: DefectKind::UnreadableDate, part: 0, at: date.value });
        }
        Some(_) => {}
    }
    if message.field(root, "Message-ID").is_none() {
        found.push(Defect { kind: DefectKind::MissingMessageId, part: 0, at: end });
    }
}

/// Returns `true` if a field, by its name, is one of MIME that says what a body is, so that there must be a
/// MIME-Version (RFC 2045 §4).
pub fn is_mime_field(name: &[u8]) -> bool {
    says_what_a_body_is(name) && !OLDER.names(name)
}

/// Finds the white space before colons: just what a fix takes out.
fn find_spaces(message: &Message, part: usize, of: &Part, found: &mut Vec<Defect>) {
    for field in message.fields(of) {
        let at = field.space_before_colon();
        if !at.is_empty() {
            found.push(Defect { kind: DefectKind::SpaceBeforeColon, part, at });
        }
    }
}

/// Finds the fields that stand once too often, by their lines: those that `fix` may take out. In the header of a part
/// inside only those of MIME count (RFC 2045 §3). [`repeated_by`] must choose alike.
fn find_repeated(message: &Message, part: usize, of: &Part, found: &mut Vec<Defect>) {
    let names = if part == 0 { ONCE.and(ONCE_OF_MIME) } else { ONCE_OF_MIME };
    let mut seen: BTreeMap<Known, &Field> = BTreeMap::new();
    for field in message.fields(of).iter().filter(|field| field.is_one_of(names)) {
        let Some(known) = field.known else { continue };
        let Some(first) = seen.insert(known, field) else { continue };
        // One that says nothing is the one too many, wherever it stands.
        let one_too_many = if is_blank(message, first) && !is_blank(message, field) { first } else { field };
        seen.insert(known, if one_too_many.line == first.line { field } else { first });
        found.push(Defect { kind: DefectKind::RepeatedField, part, at: one_too_many.line });
    }
}

/// Returns the field that counts in most mail programs, of those of the name of a [repeated](find_repeated) one: the
/// first, but for those that are empty. None where that is the field itself, which is no repetition then.
pub fn repeated_by<'m>(message: &'m Message, part: &Part, field: &Field) -> Option<&'m Field> {
    let mut named = message.fields(part).iter().filter(|other| other.known == field.known);
    let first = named.clone().find(|first| !is_blank(message, first)).or_else(|| named.next());
    first.filter(|first| first.line != field.line)
}

/// Returns `true` if nothing but white space stands in the value of a field.
fn is_blank(message: &Message, field: &Field) -> bool {
    message.slice(field.value).trim_ascii().is_empty()
}

/// The fields of which comments, quotes and the case of most letters mean nothing (RFC 2045 §4, §5.1, §6.1; RFC 2183
/// §2).
const OF_TOKENS: FieldNames =
    CONTENT_TYPE.and(CONTENT_TRANSFER_ENCODING).and(FieldNames::of("MIME-Version Content-Disposition"));

/// Returns `true` if two values of a field mean the same, so that one may go. White space is not compared; nor are, in
/// a few fields of MIME, comments, quotes and most letters' case.
pub fn means_the_same(name: &[u8], one: &[u8], other: &[u8]) -> bool {
    match OF_TOKENS.names(name) {
        true => meaning(one) == meaning(other),
        false => words(one).eq(words(other)),
    }
}

/// Splits a value at its white space and folds.
fn words(value: &[u8]) -> impl Iterator<Item = &[u8]> {
    value.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty())
}

/// Returns the tokens of a field of MIME without comments and quotes, in small letters but for the values of parameters
/// other than `charset`: the case of a boundary counts, and that of a file's name.
fn meaning(value: &[u8]) -> Vec<Vec<u8>> {
    let (mut found, mut keeps_case): (Vec<Vec<u8>>, bool) = (Vec::new(), false);
    for token in Lexer::literal(value, Grammar::Mime).filter(|token| !token.is_space()) {
        // A value that is not in quotes may be of several tokens: it goes on to the semicolon.
        keeps_case &= !token.is(b';');
        let mut text = parameter::unquote(&value[token.at.clone()]).into_owned();
        if !keeps_case {
            text.make_ascii_lowercase();
        }
        keeps_case |= token.is(b'=') && found.last().is_some_and(|name| name != b"charset");
        found.push(text);
    }
    // A semicolon at the end parts nothing from nothing.
    while found.last().is_some_and(|last| last == b";") {
        found.pop();
    }
    found
}

/// Finds why a header ends at text, which is what `defect` says: colons are missing, or else the empty line is.
fn find_cause_of_end(message: &Message, defect: &Defect, found: &mut Vec<Defect>) {
    let part = defect.part;
    let body = message.parts().get(part).map_or(defect.at, |part| part.body);
    let colonless = names_without_colon(message, Span::new(defect.at.start, body.end));
    match colonless.is_empty() {
        true => found.push(Defect { kind: DefectKind::NoEmptyLine, part, at: defect.at }),
        false => found.extend(colonless.into_iter().map(|at| Defect { kind: DefectKind::MissingColon, part, at })),
    }
}

/// Finds the names of known fields that have no colon. There are none unless all else up to an empty line is fields,
/// and one of them behind the last such name is a known one.
///
/// A text whose header has no empty line may start with "To whom", and even with "Note: ". So what follows must be a
/// header without any doubt, or the line is taken for text.
fn names_without_colon(message: &Message, text: Span) -> Vec<Span> {
    let raw = message.raw();
    let (mut names, mut at, mut ends_well) = (Vec::new(), text.start, false);
    while at < text.end {
        let end = line_end_after(raw, at, text.end);
        let line = &raw[at..content_end(raw, at, end)];
        match known_name(line) {
            _ if line.is_empty() => return if ends_well { names } else { Vec::new() },
            _ if matches!(line[0], b' ' | b'\t') => {}
            Some(name) if !starts_field(line) => {
                names.push(Span::new(at, at + name));
                ends_well = false;
            }
            known if starts_field(line) => ends_well |= known.is_some(),
            _ => return Vec::new(),
        }
        at = end;
    }
    Vec::new()
}

/// Returns the length of the name at the start of a line, if it is one that everybody knows.
fn known_name(line: &[u8]) -> Option<usize> {
    let end = line.iter().position(|octet| matches!(octet, b':' | b' ' | b'\t')).unwrap_or(line.len());
    KNOWN.names(&line[..end]).then_some(end)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::message::{Limits, named_defects};

    fn kinds(raw: &str) -> Vec<DefectKind> {
        let message = Message::read(raw.as_bytes(), &Limits::default());
        let missing = [DefectKind::MissingDate, DefectKind::MissingMessageId];
        named_defects(&message).iter().map(|defect| defect.kind).filter(|kind| !missing.contains(kind)).collect()
    }

    #[test]
    fn tells_a_missing_colon_from_a_missing_empty_line() {
        use DefectKind::*;
        for (raw, wanted) in [
            ("To: a\nSubject hello\nX-A: b\nDate: x\n\nbody\n", vec![MissingColon]),
            ("To: a\nSubject hello\n there\nReply-To b\nFrom: x\n\nbody\n", vec![MissingColon, MissingColon]),
            ("To: a\nSubject\nFrom: x\n\nbody\n", vec![MissingColon]),
            ("To: a\nSubject hello\n\nbody\n", vec![NoEmptyLine]),
            ("To: a\nTo whom it may concern,\nNote: read this\n\nbody\n", vec![NoEmptyLine]),
            ("To: a\nSubject hello\nFrom: x\n", vec![NoEmptyLine]),
            ("To: a\nSubject hello\nFrom: x\nand so on\n\nbody\n", vec![NoEmptyLine]),
            ("To: a\nHello,\n\nbody\n", vec![NoEmptyLine]),
            ("To: a\n\nSubject hello\nFrom: x\n\n", vec![]),
        ] {
            assert_eq!(kinds(raw), wanted, "{raw}");
        }
    }

    #[test]
    fn asks_for_mime_version_where_mime_is() {
        use DefectKind::*;
        assert_eq!(kinds("To: a\nContent-Type: text/plain\n\n"), [MissingMimeVersion]);
        assert_eq!(kinds("To: a\nContent-Length: 3\n\nab\n"), []);
        assert_eq!(kinds("Mime-version: 1.0\nContent-Type: text/plain\n\n"), []);
    }

    #[test]
    fn leaves_the_headers_of_messages_inside() {
        let inner = "To : a\nTo: b\nDate : x\nno field\n\nbody\n";
        let outer = format!("MIME-Version: 1.0\nContent-Type: message/rfc822\n\n{inner}");
        assert_eq!(kinds(&outer), []);
    }

    #[test]
    fn values_mean_the_same_but_for_the_case_of_what_programs_compare() {
        for (name, one, other, is_same) in [
            ("Content-Type", "Text/Plain; Charset=UTF-8", "text/plain; charset=\"utf-8\";", true),
            ("Content-Type", "text/plain; boundary=A", "text/plain; boundary=a", false),
            ("Content-Type", "text/plain; boundary=x/A; Charset=B", "text/plain; boundary=x/a; charset=b", false),
            ("Content-Type", "text/plain; boundary=x/A; Charset=B", "text/plain; boundary=x/A; charset=b", true),
            ("Content-Disposition", "attachment; filename=My Report", "attachment; filename=My report", false),
            ("Content-Disposition", "attachment; filename=x:R", "Attachment; Filename=x:R", true),
            ("Subject", "a  b", "a b", true),
            ("Subject", "a b", "A b", false),
        ] {
            assert_eq!(means_the_same(name.as_bytes(), one.as_bytes(), other.as_bytes()), is_same, "{one} {other}");
        }
    }
}

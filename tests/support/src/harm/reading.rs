//! Whether two messages read alike, to tell harm from what is none: white space and comments in a field.

use septet::coding::charset::{Charset, Labels};
use septet::coding::transfer::{TransferEncoding, base64, quoted_printable};
use septet::message::grammar::lexer::{Grammar, TokenKind, tokens};
use septet::message::grammar::parameter::{base, percent_decode, unquote};
use septet::message::{ContentType, Field, FieldKind, Kind, Limits, Message, Part};
use septet::rewrite::Profile;

/// The fields that count or sum up the octets of a body: what they say can be told from it, and they may go.
const MAY_GO: [&str; 3] = ["Content-Length", "Content-MD5", "Lines"];

/// Returns `true` if both have the same parts, with the same fields and the same bodies.
pub fn is_same(one: &[u8], other: &[u8], profile: &Profile) -> bool {
    let mut limits: Limits = profile.limits;
    limits.message_bytes = usize::MAX;
    let (one, other) = (Message::read(one, &limits), Message::read(other, &limits));
    let pairs = || one.parts().iter().zip(other.parts());
    one.parts().len() == other.parts().len()
        && pairs().all(|(was, is)| is_same_part((&one, was), (&other, is)))
        && pairs().all(|(was, is)| headers(&one, was) == headers(&other, is))
}

fn is_same_part((one, was): (&Message, &Part), (other, is): (&Message, &Part)) -> bool {
    let place = |part: &Part| (part.parent, part.depth, part.kind);
    let label = |message: &Message, part: &Part| part.content_type.parameter(message.raw(), "charset").map(Vec::from);
    place(was) == place(is)
        && was.boundary == is.boundary
        && (&was.content_type.main, &was.content_type.sub) == (&is.content_type.main, &is.content_type.sub)
        && label(one, was) == label(other, is)
        && (was.kind != Kind::Leaf || decoded(one, was) == decoded(other, is))
}

fn decoded(message: &Message, part: &Part) -> Vec<u8> {
    let body = message.slice(part.body);
    match part.transfer {
        TransferEncoding::Base64 => base64::decode(body).bytes.into_owned(),
        TransferEncoding::QuotedPrintable => quoted_printable::decode(body).bytes.into_owned(),
        _ => body.to_vec(),
    }
}

/// Returns the fields of a part: the name in lower case, and the value without what does not count.
fn headers(message: &Message, part: &Part) -> Vec<(Vec<u8>, Vec<u8>)> {
    let field = |field: &Field| (message.slice(field.name).to_ascii_lowercase(), counts(message, field));
    let stays = |field: &&Field| !MAY_GO.iter().any(|name| field.is(message.raw(), name));
    message.fields(part).iter().filter(stays).map(field).collect()
}

fn counts(message: &Message, field: &Field) -> Vec<u8> {
    let value = message.slice(field.value);
    let is = |name| field.is(message.raw(), name);
    if is("Content-Type") {
        let ty = ContentType::read(message.raw(), field.value);
        return [format!("{}/{}", ty.main, ty.sub).into_bytes(), parameters(message, field)].concat();
    }
    if is("Content-Disposition") {
        let kind = value.split(|octet| *octet == b';').next().unwrap_or_default();
        return [solid(kind), parameters(message, field)].concat();
    }
    match is("Content-Transfer-Encoding") {
        true => solid(value),
        // An underscore is a space in a word.
        false => without_pairs(message.slice(field.name), &same_words(value))
            .into_iter()
            .filter(not_white)
            .filter(|octet| *octet != b'_')
            .collect(),
    }
}

/// Returns what counts of a structured value without its white space and comments.
fn solid(value: &[u8]) -> Vec<u8> {
    let at = tokens(value, Grammar::Mime).into_iter().filter(|token| !token.is_space()).map(|token| token.at);
    at.flat_map(|at| unquote(&value[at]).into_owned()).filter(not_white).collect()
}

/// Takes the backslashes of quoted pairs that say nothing: all in quoted strings and comments, whose ends are marked
/// instead, and those before a letter or a digit elsewhere.
fn without_pairs(name: &[u8], value: &[u8]) -> Vec<u8> {
    if FieldKind::of(name) == FieldKind::Unstructured {
        return value.to_vec();
    }
    let mut out = Vec::new();
    for token in tokens(value, Grammar::Address) {
        let octets = &value[token.at];
        match token.kind {
            TokenKind::Quoted | TokenKind::Comment => {
                out.extend([&b"\0"[..], &without_pairs_before(octets, |_| true), b"\0"].concat());
            }
            _ => out.extend(without_pairs_before(octets, |octet| octet.is_ascii_alphanumeric())),
        }
    }
    out
}

fn without_pairs_before(octets: &[u8], is_idle: impl Fn(u8) -> bool) -> Vec<u8> {
    let mut out = Vec::with_capacity(octets.len());
    let mut octets = octets.iter().copied().peekable();
    while let Some(octet) = octets.next() {
        match octets.peek().copied() {
            Some(next) if octet == b'\\' => {
                out.extend((!is_idle(next)).then_some(octet));
                out.push(next);
                octets.next();
            }
            _ => out.push(octet),
        }
    }
    out
}

/// Writes the charsets of encoded-words by their usual names, for some have many, and some that are none are
/// understood, a text in base64 as its octets, and one in UTF-7 as its characters.
fn same_words(value: &[u8]) -> Vec<u8> {
    let labels = Labels::default();
    let mut pieces: Vec<Vec<u8>> = value.split(|octet| *octet == b'?').map(<[u8]>::to_vec).collect();
    for at in 1..pieces.len() {
        let Some(charset) = labels.find(&pieces[at]).filter(|_| pieces[at - 1].ends_with(b"=")) else { continue };
        pieces[at] = charset.name().into();
        match pieces.get(at + 1).map(|encoding| encoding.to_ascii_lowercase()).as_deref() {
            Some(b"b") => {
                // A question mark in the text of a broken word does not end it.
                let texts =
                    (at + 2..pieces.len()).take_while(|text| *text == at + 2 || !pieces[*text].starts_with(b"="));
                texts.collect::<Vec<_>>().into_iter().for_each(|text| pieces[text] = as_octets(&pieces[text], charset));
            }
            Some(b"q") if at + 2 < pieces.len() => {
                let octets = quoted_printable::decode(&pieces[at + 2]).bytes.into_owned();
                if let Some(text) = utf7_text(&octets, charset) {
                    pieces[at + 2] = text;
                }
            }
            _ => {}
        }
    }
    pieces.join(&b'?')
}

/// Writes a text in base64 as the octets that it makes, in hexadecimal and without white space, each group up to an
/// equals sign by itself, with a mark where something stands that is no digit. A digit alone makes no octet, and what
/// stands beside it goes too.
fn as_octets(text: &[u8], charset: Charset) -> Vec<u8> {
    let is_digit = |octet: &u8| octet.is_ascii_alphanumeric() || matches!(octet, b'+' | b'/');
    let octets = |group: &[u8]| {
        let digits: Vec<u8> = group.iter().copied().filter(is_digit).collect();
        if digits.len() < 2 {
            return Vec::new();
        }
        let octets = base64::decode(&digits).bytes.into_owned();
        let octets = utf7_text(&octets, charset).unwrap_or(octets).into_iter().filter(not_white);
        let mark = (digits.len() < group.len()).then_some(b'~');
        octets.flat_map(|octet| format!("{octet:02x}").into_bytes()).chain(mark).collect()
    };
    text.split(|octet| *octet == b'=').map(octets).collect::<Vec<_>>().join(&b'=')
}

/// Returns the characters of UTF-7: the hyphen behind some of them says nothing.
fn utf7_text(octets: &[u8], charset: Charset) -> Option<Vec<u8>> {
    charset.utf_7().and_then(|_| charset.decode(octets).ok()).map(|text| text.into_owned().into_bytes())
}

fn parameters(message: &Message, field: &Field) -> Vec<u8> {
    let ty = ContentType::read(message.raw(), field.value);
    let value = message.slice(field.value);
    let mut out = Vec::new();
    for section in &ty.sections.list {
        let name = String::from_utf8_lossy(base(&value[section.name.clone()])).to_ascii_lowercase();
        // That of a type without parts is read by nobody.
        if name == "boundary" && field.is(message.raw(), "Content-Type") && ty.main != "multipart" {
            continue;
        }
        let text = same_charset(&ty.parameter(message.raw(), &name).unwrap_or_default());
        out.extend([b";", name.as_bytes(), b"=", &text].concat());
    }
    out
}

/// Writes the charset of a value of RFC 2231 by its usual name; that of UTF-8 under a name that nobody knows is UTF-8.
fn same_charset(value: &[u8]) -> Vec<u8> {
    let mut pieces = value.splitn(3, |octet| *octet == b'\'');
    let (label, rest) = (pieces.next().unwrap_or_default(), pieces.collect::<Vec<_>>());
    let is_utf8 = || {
        let mut octets = Vec::new();
        rest.iter().for_each(|text| percent_decode(text, &mut octets));
        str::from_utf8(&octets).is_ok().then_some(Charset::UTF_8)
    };
    match Labels::default().find(label).or_else(is_utf8).filter(|_| rest.len() == 2) {
        Some(charset) => [&[charset.name().as_bytes()], &rest[..]].concat().join(&b'\''),
        None => value.to_vec(),
    }
}

fn not_white(octet: &u8) -> bool {
    !octet.is_ascii_whitespace()
}

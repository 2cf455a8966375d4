//! What mail-parser finds in a field of MIME, before and after a change: a file's name, and the charset that was set.
//!
//! Parameters that are broken are read in as many ways as there are readers: what one takes for part of a name, or for
//! nothing, is a file's name to the other once something in the field is written anew. Septet knows many of these ways and
//! leaves such a parameter by itself. For those that it does not know it asks a reader that is not its own: a file that had a
//! name must have the same one, one that had none must not get one, and a charset that is set must be found.

use std::panic::catch_unwind;
use std::sync::LazyLock;

use mail_parser::MessageParser;
use memchr::{memchr, memchr_iter, memmem};

use crate::coding::charset::Charset;
use crate::coding::encoded_word::{is_white, words};
use crate::message::grammar::parameter::sections;
use crate::rewrite::body::with_line_ends;
use crate::rewrite::{HeaderForm, OnLoss, Profile};

/// Why a field stays whose file name mail-parser would find otherwise.
const NAME_DIFFERS: &str = "another reader would find another file name";

/// Why a field stays whose charset mail-parser would find otherwise.
const CHARSET_DIFFERS: &str = "another reader would find another charset";

/// The parameters that are looked at: a file's name in Content-Disposition and in Content-Type, for some readers look for
/// either in both, and the charset.
const LOOKED_AT: [&str; 3] = ["filename", "name", "charset"];
const NAMES: std::ops::Range<usize> = 0..2;
const CHARSET: usize = 2;

/// The values of these parameters, as far as they were found.
type Found = [Option<String>; LOOKED_AT.len()];

/// The sections of parameters (RFC 2231 §3) that a field may have: to join each, mail-parser looks through all before it.
const SECTIONS: usize = 1000;

/// What reads the fields that name files; one for all of them, since its table of fields takes time to make.
static PARSER: LazyLock<MessageParser> =
    LazyLock::new(|| MessageParser::new().with_mime_headers().default_header_ignore());

/// Says so where mail-parser finds another file name in the value of a field as it is than in the value as it was, or
/// finds one in one of them alone, and where it finds another charset than the one that was set, or that stood there.
///
/// What it could not read before, it may read now: that of a value with a fold behind an equals sign, too, and the words
/// behind the first line of a value without quotes. And what a profile writes that mail-parser can't read (UTF-7, escapes,
/// what stands for lost characters) need only be there. Folds are read as those of either kind of message.
pub fn difference(
    name: &[u8],
    was: &[u8],
    now: &[u8],
    charset: Option<&str>,
    profile: &Profile,
) -> Option<&'static str> {
    let compare = |was: &[u8], now: &[u8]| Compared { name, was, now, charset, profile }.difference();
    if is_simple(was) && is_simple(now) {
        return None;
    }
    if memchr_iter(b'*', was).count() > SECTIONS {
        return Some(NAME_DIFFERS);
    }
    if memchr(b'\n', was).or_else(|| memchr(b'\n', now)).is_none() {
        return compare(was, now);
    }
    [&b"\n"[..], b"\r\n"].iter().find_map(|end| compare(&with_line_ends(was, end), &with_line_ends(now, end)))
}

/// Tells whether a Content-Type is as most are, so that all read alike whatever is set in it: a type, and parameters of one
/// word each or of one quoted string, none of which names a file.
pub fn is_simple(value: &[u8]) -> bool {
    let is_token = |octets: &[u8]| {
        !octets.is_empty() && octets.iter().all(|octet| octet.is_ascii_alphanumeric() || b"-._+".contains(octet))
    };
    let is_quoted = |octets: &[u8]| {
        let text = octets.strip_prefix(b"\"").and_then(|rest| rest.strip_suffix(b"\""));
        text.is_some_and(|text| text.iter().all(|octet| is_token(&[*octet]) || b" :=,/<>@_".contains(octet)))
    };
    let end = |piece: &[u8], at: u8| piece.iter().position(|octet| *octet == at).unwrap_or(piece.len());
    let is_parameter = |piece: &[u8]| {
        let (name, value) = piece.split_at(end(piece, b'='));
        let names_none = !name.to_ascii_lowercase().ends_with(b"name");
        let value = value.get(1..).unwrap_or_default();
        is_token(name) && names_none && (is_token(value) || is_quoted(value))
    };
    let mut pieces = value.split(|octet| *octet == b';').map(<[u8]>::trim_ascii);
    let media = pieces.next().unwrap_or_default();
    let (main, sub) = media.split_at(end(media, b'/'));
    is_token(main) && is_token(sub.get(1..).unwrap_or_default()) && pieces.all(is_parameter)
}

/// A field before and after a change.
struct Compared<'c> {
    name: &'c [u8],
    was: &'c [u8],
    now: &'c [u8],
    charset: Option<&'c str>,
    profile: &'c Profile,
}

impl Compared<'_> {
    fn difference(&self) -> Option<&'static str> {
        let (before, after) = (found(self.name, self.was), found(self.name, self.now));
        let charset = self.charset.or(before[CHARSET].as_deref());
        let is_same = match (charset, &after[CHARSET]) {
            (Some(wanted), Some(found)) => wanted.eq_ignore_ascii_case(found),
            (wanted, found) => wanted.is_some() == found.is_some(),
        };
        match () {
            () if !is_same => Some(CHARSET_DIFFERS),
            () if NAMES.into_iter().any(|at| self.is_another_name(at, &before, &after)) => Some(NAME_DIFFERS),
            () => None,
        }
    }

    fn is_another_name(&self, at: usize, before: &Found, after: &Found) -> bool {
        self.differs(at, &before[at], &after[at]) && {
            let unfolded = unfolded(self.was);
            unfolded == self.was || self.differs(at, &found(self.name, &unfolded)[at], &after[at])
        }
    }

    fn differs(&self, at: usize, was: &Option<String>, now: &Option<String>) -> bool {
        match (was, now) {
            (Some(was), Some(now)) => {
                was != now && stays(self.profile) && !self.becomes_readable(at, was, now) && !is_refuted(was, now)
            }
            (was, now) => was.is_some() != now.is_some(),
        }
    }

    /// Tells whether a name was not what it was meant to be, and is what septet reads now: something was lost, or still in a
    /// word or a percent form.
    fn becomes_readable(&self, at: usize, was: &str, now: &str) -> bool {
        let signs = |name: &str| name.matches(['\\', '%']).count() + name.matches("=?").count();
        let is_ours = || {
            let ours = sections(self.now).value(self.now, LOOKED_AT[at]);
            ours.is_some_and(|ours| *ours == *now.as_bytes() || memmem::find(&ours, b"=?").is_some())
        };
        was.contains(char::REPLACEMENT_CHARACTER) || signs(now) < signs(was) && is_ours()
    }
}

/// Takes the folds right behind equals signs, and those between encoded-words, which make one text (RFC 2047 §6.2).
fn unfolded(value: &[u8]) -> Vec<u8> {
    let (mut out, mut end) = (Vec::with_capacity(value.len()), 0);
    for word in words(value) {
        let between = &value[end..word.at.start];
        match end > 0 && is_white(between) {
            true => out.extend(without_folds(between)),
            false => unfold_values(between, &mut out),
        }
        out.extend_from_slice(&value[word.at.clone()]);
        end = word.at.end;
    }
    unfold_values(&value[end..], &mut out);
    out
}

fn unfold_values(text: &[u8], out: &mut Vec<u8>) {
    let mut is_value = false;
    for piece in text.split_inclusive(|octet| *octet == b'=') {
        let solid = piece.trim_ascii_start();
        let white = &piece[..piece.len() - solid.len()];
        match is_value {
            true => out.extend(without_folds(white)),
            false => out.extend_from_slice(white),
        }
        out.extend_from_slice(solid);
        is_value = piece.ends_with(b"=") && !piece.ends_with(b"?=");
    }
}

fn without_folds(value: &[u8]) -> impl Iterator<Item = u8> + '_ {
    value.iter().copied().filter(|octet| !matches!(octet, b'\r' | b'\n'))
}

/// Returns the parameters that mail-parser finds in a field; none that is blank, nor where it panics.
fn found(name: &[u8], value: &[u8]) -> Found {
    let field = [name, b":", value, b"\r\n\r\n"].concat();
    let parse = || {
        let message = PARSER.parse_headers(&field)?;
        let header = message.parts.first()?.headers.first()?;
        let content_type = header.value.as_content_type()?;
        let is_there = |value: &&str| !value.trim_ascii().is_empty();
        Some(LOOKED_AT.map(|name| content_type.attribute(name).filter(is_there).map(str::to_owned)))
    };
    catch_unwind(parse).ok().flatten().unwrap_or_default()
}

/// Tells whether what a name was read as is a new one's UTF-8 under a Western label, which the octets refute.
fn is_refuted(was: &str, now: &str) -> bool {
    let labels = [Charset::WINDOWS_1252, Charset::ISO_8859_1];
    labels.iter().any(|label| label.encode(was).is_ok_and(|octets| *octets == *now.as_bytes()))
}

/// Tells whether a profile writes names that mail-parser reads as they were.
fn stays(profile: &Profile) -> bool {
    let is_utf_7 = [Charset::UTF_7, Charset::UNICODE_1_1_UTF_7].contains(&profile.headers_charset());
    profile.headers != HeaderForm::Ascii && profile.on_loss == OnLoss::Keep && !is_utf_7
}

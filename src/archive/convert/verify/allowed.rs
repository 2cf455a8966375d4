//! What a profile may write otherwise without a text meaning something else.
//!
//! Line ends and blanks before them; a link as an IRI or as a URI (RFC 3987); a host in its A-labels; a character as an escape; what
//! is lost, where the profile says so; the charset that a text says of itself. Lines that are equal are not looked into. Others
//! are brought to one form, and must be equal then.

use std::borrow::Cow;

use idna::punycode;
use unicode_normalization::UnicodeNormalization;

use crate::coding::charset::{Charset, Labels};
use crate::coding::escape::{Pairs, closest, unescape};
use crate::rewrite::{EscapeForm, OnLoss, Profile};

/// What a profile may write otherwise.
pub struct Allowed<'p> {
    profile: &'p Profile,
    /// The charsets that a query may be in.
    charsets: &'p [Charset],
}

impl<'p> Allowed<'p> {
    /// Makes that of a profile, for a message whose parts have these charsets.
    pub fn of(profile: &'p Profile, charsets: &'p [Charset]) -> Allowed<'p> {
        Allowed { profile, charsets }
    }

    /// Returns `true` if two texts say the same.
    pub fn same(&self, one: &str, other: &str) -> bool {
        if one == other {
            return true;
        }
        let mut others = lines(other);
        lines(one).all(|one| others.next().is_some_and(|other| self.same_line(one, other))) && others.next().is_none()
    }

    /// Returns `true` if two pages say the same: how they are broken into lines is no part of that, nor are blanks.
    pub fn same_page(&self, one: &str, other: &str) -> bool {
        let squeezed = |text: &str| -> String {
            let text = text.replace("&nbsp;", "\u{a0}");
            self.plain(&text).chars().filter(|c| !c.is_whitespace()).collect()
        };
        self.same(one, other) || self.alike(&squeezed(one), &squeezed(other))
    }

    /// Describes the first lines of two texts that don't say the same; the texts must not be the same by
    /// [`same`](Allowed::same).
    pub fn first_difference(&self, one: &str, other: &str) -> String {
        let (mut ones, mut others) = (lines(one), lines(other));
        loop {
            let (was, is) = (ones.next(), others.next());
            let same = matches!((was, is), (Some(was), Some(is)) if self.same_line(was, is));
            if !same {
                return format!("{}, not {}", shown(is), shown(was));
            }
        }
    }

    /// Returns `true` if two texts of fields say the same: where they are folded, quoted and grouped is no part of that.
    pub fn same_field(&self, one: &str, other: &str) -> bool {
        let bare = |text: &str| -> String {
            let dropped =
                |c: char| c.is_whitespace() || matches!(c, '"' | '<' | '>' | '(' | ')' | ':' | ';' | ',' | '\\');
            self.plain(text).chars().filter(|&c| !dropped(c)).collect()
        };
        let (one, other) = (self.aliased(one), other);
        // In a quoted-string a backslash stands before what it quotes, another backslash too (RFC 5322 §3.2.4).
        let unquoted = |text: &str| bare(&text.replace("\\\\", "\\"));
        let pairs = |text: &str| bare(&self.with_pairs(text));
        one == other
            || self.alike(&bare(&one), &bare(other))
            || self.alike(&unquoted(&one), &unquoted(other))
            || self.alike(&pairs(&one), &pairs(other))
    }

    /// Returns `true` if two lines say the same, in one of the ways in which a line may have become another.
    fn same_line(&self, one: &str, other: &str) -> bool {
        one == other
            || self.alike(&self.plain(one), &self.plain(other))
            // A line that is all ASCII now may be one that was escaped, and its pairs of backslashes escapes; or they were there.
            || self.alike(&self.with_pairs(one), &self.with_pairs(other))
            // What was an escape before may be text that is escaped now.
            || self.alike(&self.without_forms(one), &self.plain(other))
            || self.same_but_for_query_charset(one, other)
    }

    /// Returns `true` if a line before and the line that it became say the same once the octets of their links' queries are
    /// read in a charset of the message's parts (draft-ietf-iri-3987bis-06 §3.5).
    fn same_but_for_query_charset(&self, one: &str, other: &str) -> bool {
        let Some(kept) = with_octets_kept(other) else { return false };
        let was = with_octets_kept(one).unwrap_or_else(|| one.to_owned());
        let read = |text: &str, charset: &Charset| self.plain(&with_octets_in(text, *charset));
        self.charsets.iter().any(|charset| self.alike(&read(&was, charset), &read(&kept, charset)))
    }

    /// Returns `true` if two lines in one form are equal. Where the profile replaces what its charset lacks, U+FFFD or
    /// `?` in the second may stand for any character of the first.
    fn alike(&self, one: &str, other: &str) -> bool {
        if one == other {
            return true;
        }
        let lossy = self.profile.on_loss == OnLoss::Replace;
        lossy && one.chars().count() == other.chars().count() && {
            let lost = |c: char| matches!(c, '\u{fffd}' | '?');
            one.chars().zip(other.chars()).all(|(a, b)| a == b || lost(b))
        }
    }

    /// Puts aliases in the place of the addresses that have them, each where its address stands first.
    fn aliased<'t>(&self, text: &'t str) -> Cow<'t, str> {
        let mut text = Cow::Borrowed(text);
        for (real, alias) in self.profile.aliases.iter() {
            // An offset in the text in small letters is one in the text only where both are as long.
            if let Some(at) =
                text.to_lowercase().find(real.as_str()).filter(|_| text.to_lowercase().len() == text.len())
            {
                text = Cow::Owned(format!("{}{alias}{}", &text[..at], &text[at + real.len()..]));
            }
        }
        text
    }

    /// Brings a line to the one form in which it is compared.
    fn plain(&self, line: &str) -> String {
        let line = unescape(line, &self.forms()).text;
        self.without_forms(&line)
    }

    /// Brings a line to that form but for its pairs of backslashes.
    fn with_pairs(&self, line: &str) -> String {
        let line = Pairs::KEPT.unescape(line, &self.forms()).text;
        self.without_forms(&line)
    }

    /// Returns the forms of escapes that may stand in a text; addresses in reports are written as Perl does (RFC 6533 §3).
    fn forms(&self) -> Vec<EscapeForm> {
        let mut forms = self.profile.unescape.clone();
        forms.extend([self.profile.escape, EscapeForm::Xml, EscapeForm::Perl]);
        forms
    }

    /// Brings a line whose escapes are read to the one form: references and links decoded, hosts in Unicode, in small
    /// letters.
    fn without_forms(&self, line: &str) -> String {
        let line = line.replace("&amp;", "&").replace("\\\\", "\\");
        let line = without_labels(&percent_decoded(&with_unicode_hosts(&line)));
        let line = line.trim_start_matches('>');
        // A host may have the full stop of Chinese and Japanese between its labels.
        let stop = |c: char| if c == '\u{3002}' { '.' } else { c };
        let line: String = line.nfkc().flat_map(char::to_lowercase).map(stop).collect();
        match self.profile.closest {
            true => closest(&line, self.profile.language).0.into_owned(),
            false => line,
        }
    }
}

/// Shows the start of a line, in printable characters.
fn shown(line: Option<&str>) -> String {
    const LONGEST: usize = 60;
    match line {
        Some(line) => format!("{:?}", line.chars().take(LONGEST).collect::<String>()),
        None => "its end".to_owned(),
    }
}

/// Returns the lines of a text without their ends and the blanks before them, up to the last that is not empty.
fn lines(text: &str) -> impl Iterator<Item = &str> {
    text.trim_ascii_end().split('\n').map(str::trim_ascii_end)
}

/// Decodes what is percent-encoded, run by run: as UTF-8, or else octet by octet as Latin-1.
fn percent_decoded(text: &str) -> String {
    decoded_runs(text, |octets, out| out.extend(octets.iter().map(|&octet| octet as char)))
}

/// Decodes what is percent-encoded UTF-8, and writes other octets as `%XX` in capitals; none where there are no others.
fn with_octets_kept(text: &str) -> Option<String> {
    let mut is_kept = false;
    let kept = decoded_runs(text, |octets, out| {
        is_kept = true;
        octets.iter().for_each(|octet| *out += &format!("%{octet:02X}"));
    });
    is_kept.then_some(kept)
}

/// Decodes what is percent-encoded in a charset, with the letters beside it, which may be second octets of its characters.
fn with_octets_in(text: &str, charset: Charset) -> String {
    let decoded = |octets: &[u8]| {
        let (mut plain, mut at) = (Vec::new(), 0);
        while let Some(&octet) = octets.get(at) {
            let encoded = encoded_octet(&octets[at..]);
            plain.push(encoded.unwrap_or(octet));
            at += if encoded.is_some() { 3 } else { 1 };
        }
        charset.decode_lossy(&plain).0.into_owned()
    };
    let pieces = text.as_bytes().chunk_by(|one, other| one.is_ascii() == other.is_ascii());
    let read =
        |piece: &[u8]| if piece.is_ascii() { decoded(piece) } else { String::from_utf8_lossy(piece).into_owned() };
    pieces.map(read).collect()
}

/// Decodes runs of what is percent-encoded as UTF-8, and those that are none as `other` does.
fn decoded_runs(text: &str, mut other: impl FnMut(&[u8], &mut String)) -> String {
    let octets = text.as_bytes();
    let (mut out, mut at) = (String::with_capacity(text.len()), 0);
    while at < octets.len() {
        let mut run = Vec::new();
        while let Some(octet) = encoded_octet(&octets[at..]) {
            run.push(octet);
            at += 3;
        }
        match String::from_utf8(run) {
            Ok(text) => out += &text,
            Err(error) => other(error.as_bytes(), &mut out),
        }
        let next =
            octets[at..].iter().skip(1).position(|&octet| octet == b'%').map_or(octets.len(), |found| at + 1 + found);
        out += text.get(at..next).unwrap_or_default();
        at = next;
    }
    out
}

/// Returns the octet that is percent-encoded at the start; none where none is.
fn encoded_octet(octets: &[u8]) -> Option<u8> {
    let [b'%', high, low, ..] = octets else { return None };
    let digit = |octet: &u8| (*octet as char).to_digit(16);
    Some((digit(high)? * 16 + digit(low)?) as u8)
}

/// Writes A-labels (`xn--…`, RFC 5890) as the labels that they stand for.
fn with_unicode_hosts(text: &str) -> Cow<'_, str> {
    const MARK: &str = "xn--";
    let Some(first) = text.to_ascii_lowercase().find(MARK) else { return Cow::Borrowed(text) };
    let lower = text.to_ascii_lowercase();
    let (mut out, mut at) = (text[..first].to_owned(), first);
    while let Some(found) = lower[at..].find(MARK) {
        out += &text[at..at + found];
        let label = &text[at + found + MARK.len()..];
        let end = label.find(|c: char| !c.is_ascii_alphanumeric() && !"-_".contains(c)).unwrap_or(label.len());
        match punycode::decode_to_string(&label[..end].to_ascii_lowercase()) {
            Some(decoded) => out += &decoded,
            None => out += &text[at + found..at + found + MARK.len() + end],
        }
        at += found + MARK.len() + end;
    }
    Cow::Owned(out + &text[at..])
}

/// Takes out the charsets that a text says of itself: `charset=…`, `encoding="…"`, `@charset "…"`, where the label is
/// known. An `encoding` that stands before a `charset` stays.
fn without_labels(text: &str) -> String {
    let labels = Labels::default();
    let lower = text.to_ascii_lowercase();
    let (mut out, mut done) = (String::with_capacity(text.len()), 0);
    for mark in ["charset", "encoding"] {
        for (at, _) in lower.match_indices(mark) {
            let rest = &text[at + mark.len()..];
            let label = rest.trim_start_matches(|c: char| matches!(c, '=' | '"' | '\'') || c.is_ascii_whitespace());
            let end = label.find(|c: char| !c.is_ascii_alphanumeric() && !"-_.:".contains(c)).unwrap_or(label.len());
            let start = text.len() - label.len();
            if start >= done && labels.find(&label.as_bytes()[..end]).is_some() {
                out += &text[done..start];
                done = start + end;
            }
        }
    }
    out + &text[done..]
}

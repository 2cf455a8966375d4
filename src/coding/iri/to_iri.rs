//! URIs to IRIs, for those who want to read (draft-ietf-iri-3987bis-06 §3.7).
//!
//! The six steps in one pass per component: a run of `%HH` becomes octets (1, 2), is read as strict UTF-8 (3),
//! and each character that is appropriate there (4, 5) is written; everything else stays as it came, letter case
//! included. Labels in punycode are shown as text where the scheme is known to have domain names (6). No charset
//! but UTF-8 is ever tried.
//!
//! What is appropriate is a choice that step 4 leaves open (§5.1): look-alikes of delimiters, spaces and letters
//! stay encoded, and so does a whole component that would break the rules for bidi components (§4.2).

use std::borrow::Cow;
use std::ops::Range;

use super::component::{Reference, UNTOUCHED};
use super::splice::{self, Edits, apply};
use super::{bidi, host, mailto, syntax};

/// Schemes whose host is a domain name.
const DOMAIN_SCHEMES: [&str; 11] =
    ["http", "https", "ftp", "ftps", "ws", "wss", "sftp", "imap", "pop", "rtsp", "gopher"];

/// Converts a URI to an IRI; a text that is no URI has what can be read in it shown all the same.
pub fn to_iri(uri: &str) -> Cow<'_, str> {
    apply(uri, &to_iri_edits(uri))
}

/// Gives the edits that convert a URI to an IRI.
pub fn to_iri_edits(uri: &str) -> Edits {
    let mut edits = Edits::new();
    if memchr::memchr(b'%', uri.as_bytes()).is_none() && !uri.contains("--") {
        return edits;
    }
    let reference = Reference::split(uri);
    if reference.has_scheme(&UNTOUCHED) {
        return edits;
    }
    let mut show = |range: &Option<Range<usize>>, cuts: &[char], private: bool| {
        if let Some(range) = range {
            component(&reference, range.clone(), cuts, private, &mut edits);
        }
    };
    show(&reference.userinfo, &[':', '.'], false);
    match reference.has_scheme(&DOMAIN_SCHEMES) {
        true => labels(&reference, reference.host.clone().unwrap_or(0..0), &mut edits),
        false => show(&reference.host, &['.'], false),
    }
    path(&reference, &mut edits);
    let mut show = |range: &Option<Range<usize>>, private: bool| {
        if let Some(range) = range {
            component(&reference, range.clone(), bidi::QUERY_CUTS, private, &mut edits);
        }
    };
    show(&reference.query, true);
    show(&reference.fragment, false);
    edits
}

fn path(reference: &Reference<'_>, edits: &mut Edits) {
    let start = reference.path.start;
    let mut done = start;
    if reference.has_scheme(&["mailto"]) {
        for domain in mailto::domains(reference.path()).unwrap_or_default() {
            component(reference, done..start + domain.start, bidi::PATH_CUTS, false, edits);
            labels(reference, start + domain.start..start + domain.end, edits);
            done = start + domain.end;
        }
    }
    component(reference, done..reference.path.end, bidi::PATH_CUTS, false, edits);
}

/// Step 6: labels in punycode; the others are components like any other.
fn labels(reference: &Reference<'_>, range: Range<usize>, edits: &mut Edits) {
    let mut start = range.start;
    for label in reference.slice(range).split('.') {
        let end = start + label.len();
        match host::label_to_unicode(label) {
            Some(text) => splice::push(edits, start..end, text),
            None => component(reference, start..end, &[], false, edits),
        }
        start = end + 1;
    }
}

/// Shows one component: piece by piece, because a piece that breaks §4.2 stays encoded as a whole.
fn component(reference: &Reference<'_>, range: Range<usize>, cuts: &[char], private: bool, edits: &mut Edits) {
    let text = reference.slice(range.clone());
    if memchr::memchr(b'%', text.as_bytes()).is_none() {
        return;
    }
    let mut start = 0;
    let ends = text.match_indices(cuts).map(|(end, cut)| (end, cut.len())).chain([(text.len(), 0)]);
    for (end, cut) in ends {
        let piece = text.get(start..end).unwrap_or_default();
        let mut shown = Edits::new();
        decode(piece, private, &mut shown);
        if bidi::component_violation(&apply(piece, &shown)).is_none() {
            let offset = range.start + start;
            edits.extend(shown.into_iter().map(|(at, with)| (offset + at.start..offset + at.end, with)));
        }
        start = end + cut;
    }
}

/// Steps 2 to 5: every run of `%HH`, each character of it that may be shown.
fn decode(text: &str, private: bool, edits: &mut Edits) {
    let mut from = 0;
    while let Some(found) = text.get(from..).and_then(|rest| memchr::memchr(b'%', rest.as_bytes())) {
        let start = from + found;
        let rest = text.as_bytes().get(start..).unwrap_or_default();
        let octets: Vec<u8> = rest.chunks_exact(3).map_while(syntax::pct_octet).collect();
        // After a stray `%`, which no URI has, a digit that is shown would make an escape that nobody wrote.
        let stray = text.as_bytes().get(start.saturating_sub(2)..start).is_some_and(|two| two.contains(&b'%'));
        for (at, character) in legal_characters(&octets) {
            if is_shown(character, private) && !stray {
                let place = start + 3 * at..start + 3 * (at + character.len_utf8());
                splice::push(edits, place, character.to_string());
            }
        }
        from = start + (3 * octets.len()).max(1);
    }
}

/// Step 3: the characters of the strictly legal UTF-8 in the octets, with their offsets.
fn legal_characters(octets: &[u8]) -> impl Iterator<Item = (usize, char)> {
    let mut at = 0;
    octets.utf8_chunks().flat_map(move |chunk| {
        let start = at;
        at += chunk.valid().len() + chunk.invalid().len();
        chunk.valid().char_indices().map(move |(offset, character)| (start + offset, character))
    })
}

/// Steps 2 and 4: tells whether a character is shown, where private characters are allowed or not.
fn is_shown(character: char, private: bool) -> bool {
    if character.is_ascii() {
        return u8::try_from(character).is_ok_and(|octet| syntax::class(octet) == syntax::UNRESERVED);
    }
    let allowed = syntax::is_ucschar(character) || private && syntax::is_iprivate(character);
    allowed && !syntax::is_bidi_control(character) && !is_look_alike(character)
}

/// Tells whether a character looks like a space, like nothing, like a delimiter, or like a plainer one (§5.1 b).
fn is_look_alike(character: char) -> bool {
    character.is_whitespace()
        || matches!(character,
            // Nothing to see, and what RFC 3491 prohibits: not joiners and variation selectors, which scripts need.
            '\u{AD}' | '\u{34F}' | '\u{115F}' | '\u{1160}' | '\u{1806}' | '\u{180B}'..='\u{180E}' | '\u{200B}'
            | '\u{2060}'..='\u{2065}' | '\u{206A}'..='\u{206F}' | '\u{2800}' | '\u{3164}' | '\u{FEFF}' | '\u{FFA0}'
            | '\u{340}' | '\u{341}' | '\u{2FF0}'..='\u{2FFB}'
            // Solidus, colon, question mark, number sign, percent and quotes in other clothes.
            | '\u{2044}' | '\u{2215}' | '\u{29F8}' | '\u{2236}' | '\u{A789}' | '\u{FE55}'..='\u{FE56}'
            | '\u{FE5F}'..='\u{FE6B}' | '\u{2039}' | '\u{203A}' | '\u{201C}'..='\u{201F}' | '\u{2216}' | '\u{2223}'
            // Fullwidth ASCII and halfwidth katakana.
            | '\u{FF01}'..='\u{FF9F}')
}

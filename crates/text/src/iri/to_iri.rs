//! URIs to IRIs, for those who want to read (draft-ietf-iri-3987bis-06 §3.7).
//!
//! The six steps in one pass per component: a run of `%HH` becomes octets (1, 2), is read as strict UTF-8 (3),
//! and each character that is appropriate there (4, 5) is written. What was read and is not written is encoded
//! again, so its hexadecimal digits come out in upper case; what is never read (`%2f`) stays as it came. Labels in
//! punycode are shown as text where the scheme is known to have domain names (6). No charset but UTF-8 is ever
//! tried.
//!
//! What is appropriate is a choice that step 4 leaves open (§5.1): look-alikes of delimiters, spaces and letters
//! stay encoded, and so does a whole component that would break the rules for bidi components (§4.2).

use std::borrow::Cow;
use std::ops::Range;

use super::component::{Reference, UNTOUCHED};
use super::edits::{Edits, apply, spliced};
use super::{bidi, host, mailto, syntax};
use crate::charset::Charset;

/// Schemes whose host is a domain name.
const DOMAIN_SCHEMES: [&str; 11] =
    ["http", "https", "ftp", "ftps", "ws", "wss", "sftp", "imap", "pop", "rtsp", "gopher"];

/// Converts a URI to an IRI; a text that is no URI has what can be read in it shown all the same.
///
/// ```
/// use septet_text::iri::to_iri;
///
/// assert_eq!(to_iri("http://xn--exmple-cua.org/%C3%A9"), "http://exämple.org/é");
/// assert_eq!(to_iri("/%E2%80%AE%FF"), "/%E2%80%AE%FF", "a bidi control, and no UTF-8");
/// ```
pub fn to_iri(uri: &str) -> Cow<'_, str> {
    apply(uri, &edits(uri, true))
}

/// Returns the edits that convert a URI to an IRI in a document of this charset, without those that would only change
/// the case of digits.
///
/// In a legacy charset a query of http, or of a reference without a scheme, which may be one, stays as it is, because
/// it would be read in that charset (§3.5), and so does a reference with a character that the charset lacks (§5.3
/// allows percent-encoding for it).
pub fn to_iri_edits(uri: &str, document: Charset) -> Edits {
    let edits = edits(uri, false);
    if edits.is_empty() || document.is_unicode() {
        return edits;
    }
    let reference = Reference::split(uri);
    let query =
        reference.query.clone().filter(|_| reference.scheme.is_none() || reference.has_scheme(&["http", "https"]));
    // An empty range holds nothing, so that there is no edit in it.
    let query = query.unwrap_or_default();
    let edits: Edits = edits.iter().filter(|(at, with)| with.is_ascii() || !query.contains(&at.start)).collect();
    let fits = edits.iter().all(|(_, with)| document.encode(with).is_ok());
    if fits { edits } else { Edits::new() }
}

/// Returns the edits that show what a URI says; with `recase` also those that only change the case of digits.
fn edits(uri: &str, recase: bool) -> Edits {
    // There is nothing to show but what is percent-encoded or in punycode.
    if memchr::memchr(b'%', uri.as_bytes()).is_none() && !uri.contains("--") {
        return Edits::new();
    }
    let reference = Reference::split(uri);
    if reference.has_scheme(&UNTOUCHED) {
        return Edits::new();
    }
    let mut reader = UriReader { reference: &reference, recase, edits: Edits::new() };
    reader.read();
    reader.edits
}

/// A URI that is read, and the edits of it so far.
struct UriReader<'r> {
    reference: &'r Reference<'r>,
    /// Whether there are edits that only change the case of digits.
    recase: bool,
    edits: Edits,
}

impl UriReader<'_> {
    /// Shows each component by its own rule. The scheme and the port stay as they are.
    fn read(&mut self) {
        let reference = self.reference;
        // What is no mailto is shown in nothing: there would be no way back.
        if reference.has_scheme(&["mailto"]) && mailto::domains(reference.path()).is_err() {
            return;
        }
        if let Some(userinfo) = &reference.userinfo {
            self.component(userinfo.clone(), &[':', '.'], false);
        }
        match &reference.host {
            Some(host) if reference.has_scheme(&DOMAIN_SCHEMES) => self.labels(host.clone()),
            Some(host) => self.component(host.clone(), &['.'], false),
            None => {}
        }
        self.path(reference.path.clone());
        if let Some(query) = &reference.query {
            self.component(query.clone(), bidi::QUERY_CUTS, true);
        }
        if let Some(fragment) = &reference.fragment {
            self.component(fragment.clone(), bidi::QUERY_CUTS, false);
        }
    }

    /// Shows a path, with the domains of a mailto as hosts.
    fn path(&mut self, path: Range<usize>) {
        let mut done = path.start;
        if self.reference.has_scheme(&["mailto"]) {
            for domain in mailto::domains(self.reference.path()).unwrap_or_default() {
                self.component(done..path.start + domain.start, bidi::PATH_CUTS, false);
                self.labels(path.start + domain.start..path.start + domain.end);
                done = path.start + domain.end;
            }
        }
        self.component(done..path.end, bidi::PATH_CUTS, false);
    }

    /// Shows a host: labels in punycode as text (step 6), the others like any component. A host that could not be
    /// looked up as it is shown stays encoded.
    fn labels(&mut self, range: Range<usize>) {
        let done = self.edits.len();
        self.each_label(range.clone());
        let edits = self.edits.since(done).map(|(at, with)| (at.start - range.start..at.end - range.start, with));
        let shown = spliced(self.reference.slice(range.clone()), edits, 0);
        if !shown.is_ascii() && host::punycode(&shown).is_err() {
            self.edits.truncate(done);
        }
    }

    /// Shows each label of a host, in punycode or percent-encoded.
    fn each_label(&mut self, range: Range<usize>) {
        let mut start = range.start;
        for label in self.reference.slice(range).split('.') {
            let end = start + label.len();
            match host::label_to_unicode(label) {
                Some(text) => self.edits.join(start..end, &text),
                None => self.component(start..end, &[], false),
            }
            start = end + 1;
        }
    }

    /// Shows one component, piece by piece between the characters `cuts`, because a piece that breaks §4.2 stays
    /// encoded as a whole. With `private`, as in a query, characters of private use are shown.
    fn component(&mut self, range: Range<usize>, cuts: &[char], private: bool) {
        let text = self.reference.slice(range.clone());
        if memchr::memchr(b'%', text.as_bytes()).is_none() {
            return;
        }
        let mut start = 0;
        let ends = text.match_indices(cuts).map(|(end, cut)| (end, cut.len())).chain([(text.len(), 0)]);
        for (end, cut) in ends {
            let piece = text.get(start..end).unwrap_or_default();
            let mut shown = decode(piece, self.recase, |character| is_shown(character, private));
            if bidi::component_violation(&apply(piece, &shown)).is_some() {
                shown = decode(piece, self.recase, |_| false);
            }
            let offset = range.start + start;
            self.edits.extend(shown.iter().map(|(at, with)| (offset + at.start..offset + at.end, with)));
            start = end + cut;
        }
    }
}

/// Returns the edits that write each character in a run of `%HH` that `is_shown` allows, and the rest of the run in
/// upper case if `recase` (steps 2 to 5).
fn decode(text: &str, recase: bool, is_shown: impl Fn(char) -> bool) -> Edits {
    let mut edits = Edits::new();
    let mut from = 0;
    while let Some(found) = text.get(from..).and_then(|rest| memchr::memchr(b'%', rest.as_bytes())) {
        let start = from + found;
        let rest = text.as_bytes().get(start..).unwrap_or_default();
        let octets: Vec<u8> = rest.chunks_exact(3).map_while(syntax::pct_octet).collect();
        // After a stray `%`, which no URI has, a digit that is shown would make an escape that nobody wrote.
        let stray = text.as_bytes().get(start.saturating_sub(2)..start).is_some_and(|two| two.contains(&b'%'));
        let mut done = 0;
        for (at, character) in legal_characters(&octets) {
            if is_shown(character) && !stray {
                let end = at + character.len_utf8();
                encode_again(&mut edits, text, start, &octets, recase, done..at);
                edits.join(start + 3 * at..start + 3 * end, character.encode_utf8(&mut [0; 4]));
                done = end;
            }
        }
        encode_again(&mut edits, text, start, &octets, recase, done..octets.len());
        from = start + (3 * octets.len()).max(1);
    }
    edits
}

/// Adds edits that write, as `%HH` in upper case, those octets of a run that are not shown (steps 3 and 4); none unless
/// `recase`. `range` counts the octets, and the run starts at `start` in the text. ASCII was never read, so its digits
/// stay as they came.
fn encode_again(edits: &mut Edits, text: &str, start: usize, octets: &[u8], recase: bool, range: Range<usize>) {
    for at in range.filter(|_| recase) {
        let place = start + 3 * at..start + 3 * at + 3;
        let mut with = String::new();
        syntax::push_pct(&mut with, octets.get(at..at + 1).unwrap_or_default());
        let read = octets.get(at).is_some_and(|octet| !octet.is_ascii());
        if read && text.get(place.clone()) != Some(&*with) {
            edits.join(place, &with);
        }
    }
}

/// Returns the characters of the strictly legal UTF-8 in the octets, with their offsets (step 3).
fn legal_characters(octets: &[u8]) -> impl Iterator<Item = (usize, char)> {
    let mut at = 0;
    octets.utf8_chunks().flat_map(move |chunk| {
        let start = at;
        at += chunk.valid().len() + chunk.invalid().len();
        chunk.valid().char_indices().map(move |(offset, character)| (start + offset, character))
    })
}

/// Returns `true` if a character is shown, where those of private use are allowed or not (steps 2 and 4).
fn is_shown(character: char, private: bool) -> bool {
    if character.is_ascii() {
        return u8::try_from(character).is_ok_and(|octet| syntax::class(octet) == syntax::UNRESERVED);
    }
    let allowed = syntax::is_ucschar(character) || private && syntax::is_iprivate(character);
    allowed && !syntax::is_bidi_control(character) && !is_look_alike(character)
}

/// Returns `true` if a character looks like a space, like nothing, like a delimiter, or like a plainer one (§5.1 b).
fn is_look_alike(character: char) -> bool {
    character.is_whitespace()
        || matches!(character,
            // Nothing to see, and what RFC 3491 prohibits: not joiners and variation selectors, which scripts need.
            '\u{AD}' | '\u{34F}' | '\u{115F}' | '\u{1160}' | '\u{1806}' | '\u{180B}'..='\u{180E}' | '\u{200B}'
            | '\u{2060}'..='\u{2065}' | '\u{206A}'..='\u{206F}' | '\u{2800}' | '\u{3164}' | '\u{FEFF}' | '\u{FFA0}'
            | '\u{340}' | '\u{341}' | '\u{6DD}' | '\u{70F}' | '\u{1D173}'..='\u{1D17A}' | '\u{2FF0}'..='\u{2FFB}'
            // Solidus, colon, question mark, number sign, percent and quotes in other clothes.
            | '\u{2044}' | '\u{2215}' | '\u{29F8}' | '\u{2236}' | '\u{A789}' | '\u{FE55}'..='\u{FE56}'
            | '\u{FE5F}'..='\u{FE6B}' | '\u{2039}' | '\u{203A}' | '\u{201C}'..='\u{201F}' | '\u{2216}' | '\u{2223}'
            // Fullwidth ASCII and halfwidth katakana.
            | '\u{FF01}'..='\u{FF9F}')
}

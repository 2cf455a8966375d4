//! Where a link starts: a scheme before `://`, `mailto:`, or any scheme right behind an angle bracket.
//!
//! A scheme is ASCII (draft-ietf-iri-3987bis-06 §2.2), so it may follow a letter of another script directly
//! (`詳細はhttp://…`), and fullwidth look-alikes start nothing.

use super::super::component::{UNTOUCHED, is_scheme_octet};
use super::super::look_alike::scheme_disguise;
use super::line;

/// The start of a link.
#[derive(Debug, Clone, Default)]
pub(super) struct Start {
    /// The first octet of the scheme.
    pub at: usize,
    /// The first octet after `://` or `mailto:`.
    pub body: usize,
    /// Whether there is an authority, so that ideographic full stops may separate labels.
    pub authority: bool,
    /// Whether the authority may be empty.
    pub hostless: bool,
    /// What the scheme hides.
    pub disguise: Option<&'static str>,
    /// Whether the link is all that stands up to the angle bracket that closes.
    pub enclosed: bool,
}

/// Schemes that may end a word: in `siehe.http://…` the sentence lacks its space.
const COMMON: [&str; 4] = ["http", "https", "ftp", "ftps"];

/// Schemes without an authority that say what they are (IANA, "Uniform Resource Identifier (URI) Schemes"). Of another
/// word before a colon it is not plain that it is a scheme: `<xs:élément>` is XML, `<Name:Größe>` a place to fill in.
const OPAQUE: [&str; 34] = [
    "acct", "bitcoin", "callto", "dav", "dns", "doi", "fax", "geo", "go", "h323", "im", "info", "jabber", "magnet",
    "matrix", "news", "ni", "nih", "nntp", "oid", "openpgp4fpr", "pres", "service", "sip", "sips", "skype", "sms",
    "snews", "tag", "tel", "urn", "webcal", "xmpp", "z39.50",
];

/// How long the name of a scheme may be that is looked for in a list of links.
const LONGEST_SCHEME: usize = 32;

/// Returns `true` if octets start with a scheme, a colon and two slashes.
pub(super) fn is_scheme_and_slashes(octets: &[u8]) -> bool {
    if !octets.first().is_some_and(u8::is_ascii_alphabetic) {
        return false;
    }
    let length = octets.iter().take(LONGEST_SCHEME).take_while(|&&octet| is_scheme_octet(octet)).count();
    length > 1 && octets.get(length..).is_some_and(|rest| rest.starts_with(b"://"))
}

/// Reads what stands around a colon; `floor` is where a scheme may begin at the earliest. None where no link starts
/// there.
pub(super) fn start(text: &str, floor: usize, colon: usize) -> Option<Start> {
    let octets = text.as_bytes();
    match octets.get(colon + 1..)? {
        [b'/', b'/', ..] => hierarchical(octets, floor, colon),
        _ => mailto(octets, floor, colon).or_else(|| enclosed(text, floor, colon)),
    }
}

/// Reads a scheme of any kind right behind an angle bracket: `<xmpp:é@example.org>`. None for schemes that are never
/// touched, and for words that are not plainly schemes.
fn enclosed(text: &str, floor: usize, colon: usize) -> Option<Start> {
    let before = text.as_bytes().get(floor..colon)?;
    let length = before.iter().rev().take(LONGEST_SCHEME).take_while(|&&octet| is_scheme_octet(octet)).count();
    let at = colon - length;
    let scheme = text.as_bytes().get(at..colon)?;
    let named = length > 1 && scheme.first().is_some_and(u8::is_ascii_alphabetic);
    if !named || is_any(scheme, &UNTOUCHED) || is_any(scheme, &["URL", "mailto"]) || !line::is_angled(text, at) {
        return None;
    }
    let inside = text.get(colon + 1..line::closing(text, colon + 1)?)?;
    // What ends in a slash is an element of XML that closes itself.
    let link = is_any(scheme, &OPAQUE) || inside.contains(['@', '/', '?', '=']) && !inside.ends_with('/');
    link.then_some(Start { at, body: colon + 1, enclosed: true, ..Start::default() })
}

/// Reads `mailto:`, which no other octet of a scheme may precede.
fn mailto(octets: &[u8], floor: usize, colon: usize) -> Option<Start> {
    let at = colon.checked_sub(6).filter(|&at| at >= floor)?;
    let named = octets.get(at..colon)?.eq_ignore_ascii_case(b"mailto");
    let alone = at == floor || !octets.get(at - 1).is_some_and(|&octet| is_scheme_octet(octet));
    (named && alone).then_some(Start { at, body: colon + 1, ..Start::default() })
}

/// Reads a scheme before `://`; none for those that are never touched.
fn hierarchical(octets: &[u8], floor: usize, colon: usize) -> Option<Start> {
    let before = octets.get(floor..colon)?;
    let length = before.iter().rev().take_while(|&&octet| is_scheme_octet(octet)).count();
    let run = before.get(before.len() - length..)?;
    let scheme = scheme_of(run)?;
    if is_any(scheme, &UNTOUCHED) {
        return None;
    }
    let at = colon - scheme.len();
    let hostless = scheme.eq_ignore_ascii_case(b"file");
    Some(Start { at, body: colon + 3, authority: true, hostless, disguise: disguise(before, run), ..Start::default() })
}

/// Returns the scheme at the end of a run of letters, digits, `+`, `-` and `.`: a common one behind `.` or `-`, else
/// all of it from its first letter on.
fn scheme_of(run: &[u8]) -> Option<&[u8]> {
    let joint = run.iter().rposition(|octet| matches!(octet, b'.' | b'-'));
    let word = joint.and_then(|joint| run.get(joint + 1..)).filter(|word| is_any(word, &COMMON));
    let scheme = match word {
        Some(word) => word,
        None => run.get(run.iter().position(u8::is_ascii_alphabetic)?..)?,
    };
    // One letter is a drive: `C://`.
    (scheme.len() > 1).then_some(scheme)
}

/// Returns `true` if a scheme is one of these, in any case of letters.
fn is_any(scheme: &[u8], names: &[&str]) -> bool {
    names.iter().any(|name| scheme.eq_ignore_ascii_case(name.as_bytes()))
}

/// Finds what the scheme hides, where a `+` in it or a `%` before it says that it may.
fn disguise(before: &[u8], run: &[u8]) -> Option<&'static str> {
    let shifted = memchr::memchr(b'+', run).is_some();
    let encoded = before.len() > run.len() && before.get(before.len() - run.len() - 1) == Some(&b'%');
    if !shifted && !encoded {
        return None;
    }
    let length = before.iter().rev().take_while(|&&octet| is_scheme_octet(octet) || octet == b'%').count();
    before
        .get(before.len() - length.min(64)..)
        .and_then(|word| std::str::from_utf8(word).ok())
        .and_then(scheme_disguise)
}

//! The usual web address: `http` or `https`, a host in ASCII or one that is known, and nothing odd behind it.
//!
//! Nearly every IRI in mail is one. [`super::to_uri()`] cuts it into components, checks each, maps each and checks the
//! result; here one pass by a table over the octets finds that all of that would say one thing: that each run of
//! characters outside ASCII is percent-encoded, and nothing else is done. Whatever is not sure at sight (userinfo, a
//! port, a host in another script that comes for the first time, punycode, a bracket, a percent sign without digits, a
//! second `#`, a bidi control) makes an address an unusual one, which is left to the others, untouched.

use std::ops::Range;

use super::edits::Edits;
use super::syntax::{self, QUERY, REG_NAME};
use super::to_uri::Mapping;
use super::{HostForm, query};

/// What a text does with the ampersands of its addresses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ampersands {
    /// They stand for themselves.
    Plain,
    /// They may begin a character reference, as in HTML.
    Escaped,
}

/// What is done at an octet.
#[derive(Clone, Copy, PartialEq, Eq)]
enum OctetAction {
    /// It stays.
    Stays,
    /// It is one of a character outside ASCII, which is percent-encoded.
    Foreign,
    /// The same, of a character that must be looked at: few that begin with it may stand in an IRI, or not all.
    Doubtful,
    /// A percent sign, whose digits must follow.
    Percent,
    /// The fragment begins.
    Number,
    /// An ampersand.
    Ampersand,
    /// It makes an address an unusual one.
    Unusual,
}

const ACTIONS: [OctetAction; 256] = {
    let mut actions = [OctetAction::Unusual; 256];
    let mut octet = 0;
    while octet < 256 {
        actions[octet] = match octet as u8 {
            b'&' => OctetAction::Ampersand,
            b'%' => OctetAction::Percent,
            b'#' => OctetAction::Number,
            // C1 controls, the bidi controls U+061C and U+200E and on, private use, noncharacters.
            0xC2 | 0xD8 | 0xE2 | 0xEE..=0xFF => OctetAction::Doubtful,
            0x80.. => OctetAction::Foreign,
            plain if syntax::class(plain) & QUERY != 0 => OctetAction::Stays,
            _ => OctetAction::Unusual,
        };
        octet += 1;
    }
    actions
};

/// Adds the edits that make a URI of a usual web address, and returns `true`; adds none and returns `false` for any
/// other text, for an address that needs no edit, and in a document of a legacy charset. The address starts at `offset`
/// in the text that the edits are of.
///
/// ```
/// use septet_text::iri::{Ampersands, Edits, Mapping, add_usual_edits, apply};
///
/// fn mapped(text: &str) -> Option<String> {
///     let mut edits = Edits::new();
///     let usual = add_usual_edits(text, 0, Ampersands::Plain, &Mapping::default(), &mut edits);
///     usual.then(|| apply(text, &edits).into_owned())
/// }
/// assert_eq!(mapped("http://example.org/é?ü#ß").as_deref(), Some("http://example.org/%C3%A9?%C3%BC#%C3%9F"));
/// assert_eq!(mapped("http://exämple.org/é"), None, "its host was not seen before");
/// assert_eq!(mapped("http://example.org/e"), None, "nothing to do");
/// ```
///
/// The mapping's syntax is not asked: where the three differ, an address is an unusual one.
pub fn add_usual_edits(
    text: &str,
    offset: usize,
    ampersands: Ampersands,
    mapping: &Mapping<'_>,
    edits: &mut Edits,
) -> bool {
    if !mapping.document.is_none_or(query::is_ucs) {
        return false;
    }
    let Some(host) = host(text) else { return false };
    let done = edits.len();
    let is_usual = (is_name(text, &host) || add_known(text, &host, offset, mapping, edits))
        && add_runs(text, host.end, offset, ampersands, edits).is_some();
    if !is_usual {
        edits.truncate(done);
    }
    is_usual && edits.len() > done
}

/// Returns where the host of an `http` or `https` address, in small letters, stands, if a slash ends what may be one.
fn host(text: &str) -> Option<Range<usize>> {
    let octets = text.as_bytes();
    let rest = octets.strip_prefix(b"http")?;
    let rest = rest.strip_prefix(b"s").unwrap_or(rest).strip_prefix(b"://")?;
    let start = octets.len() - rest.len();
    memchr::memchr(b'/', rest).map(|length| start..start + length)
}

/// Returns `true` if a host is a name of letters, digits, dots and hyphens; not one in punycode, which may look like
/// another.
fn is_name(text: &str, host: &Range<usize>) -> bool {
    let host = text.as_bytes().get(host.clone()).unwrap_or_default();
    !host.is_empty()
        && host.iter().all(|octet| octet.is_ascii_alphanumeric() || matches!(octet, b'.' | b'-'))
        && !host.windows(2).any(|pair| pair == b"--")
}

/// Adds the edit of a host that another address of the text had, and that looks like no other. Where it returns
/// `false`, the caller takes back the edit that it may have made.
fn add_known(text: &str, host: &Range<usize>, offset: usize, mapping: &Mapping<'_>, edits: &mut Edits) -> bool {
    let name = text.get(host.clone()).filter(|_| mapping.host == HostForm::Punycode);
    let (Some(hosts), Some(name)) = (mapping.hosts, name) else { return false };
    let mut is_added = false;
    hosts.with_known_plain(name, |mapped| {
        is_added = !mapped.is_empty() && mapped.bytes().all(|octet| syntax::class(octet) & REG_NAME != 0);
        edits.push(offset + host.start..offset + host.end, mapped);
    }) && is_added
}

/// Adds an edit for each run of characters outside ASCII from `start` on; none at the first octet that makes the
/// address an unusual one.
fn add_runs(text: &str, start: usize, offset: usize, ampersands: Ampersands, edits: &mut Edits) -> Option<()> {
    let octets = text.as_bytes();
    let (mut at, mut has_number) = (start, false);
    while let Some(&octet) = octets.get(at) {
        match ACTIONS[usize::from(octet)] {
            OctetAction::Stays => at += 1,
            OctetAction::Foreign | OctetAction::Doubtful => {
                let end = foreign_end(text, at)?;
                edits.push_written(offset + at..offset + end, |out| {
                    syntax::push_pct(out, octets.get(at..end).unwrap_or_default());
                });
                at = end;
            }
            OctetAction::Percent => at += octets.get(at..).filter(|rest| syntax::starts_pct(rest)).map(|_| 3)?,
            OctetAction::Number if has_number => return None,
            OctetAction::Number => (at, has_number) = (at + 1, true),
            OctetAction::Ampersand => {
                let is_plain = ampersands == Ampersands::Plain || stands_alone(octets.get(at + 1..)?);
                at += is_plain.then_some(1)?;
            }
            OctetAction::Unusual => return None,
        }
    }
    Some(())
}

/// Returns where a run of characters outside ASCII ends, all of which an IRI may have wherever they stand; none where
/// one is another.
fn foreign_end(text: &str, start: usize) -> Option<usize> {
    let octets = text.as_bytes();
    let mut at = start;
    loop {
        match octets.get(at).map_or(OctetAction::Stays, |&octet| ACTIONS[usize::from(octet)]) {
            OctetAction::Foreign => at += 1,
            OctetAction::Doubtful => {
                let character = text.get(at..)?.chars().next()?;
                let is_plain = syntax::is_ucschar(character) && !syntax::is_bidi_control(character);
                at += is_plain.then_some(character.len_utf8())?;
            }
            _ => return Some(at),
        }
    }
}

/// Returns `true` if an ampersand before these octets begins no character reference, or is one itself.
fn stands_alone(after: &[u8]) -> bool {
    after.starts_with(b"amp;") || matches!(after.first(), Some(b'=' | b'/' | b'-' | b'.' | b'%' | 0x80..))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::{KnownHosts, Reference, Syntax, to_uri_edits};
    use super::*;
    use crate::charset::Charset;

    fn usual(text: &str, ampersands: Ampersands, mapping: &Mapping) -> Option<Edits> {
        let mut edits = Edits::new();
        add_usual_edits(text, 0, ampersands, mapping, &mut edits).then_some(edits)
    }

    #[test]
    fn leaves_what_is_unusual() {
        let mapping = Mapping::default();
        for text in [
            "http://example.org/e",
            "http:///é",
            "http://a--b.org/é",
            "http://me@example.org/é",
            "http://example.org:80/é",
            "http://example.org?é",
            "HTTP://example.org/é",
            "ftp://example.org/é",
            "http://example.org/é#a#b",
            "http://example.org/é%",
            "http://example.org/é[",
            "http://example.org/é é",
            "http://example.org/é\u{202E}",
            "http://example.org/é\u{61C}",
            "http://example.org/é\u{80}",
            "http://example.org/é\u{E000}",
            "http://example.org/é\u{FDD0}",
            "http://example.org/é\u{1FFFE}",
            "http://example.org/é{",
        ] {
            assert_eq!(usual(text, Ampersands::Plain, &mapping), None, "{text}");
        }
        assert_eq!(usual("http://example.org/é?a&eacute;", Ampersands::Escaped, &mapping), None);
        assert!(usual("http://example.org/é?a&amp;b&=", Ampersands::Escaped, &mapping).is_some());
        let latin = Mapping { document: Some(Charset::ISO_8859_1), ..mapping };
        assert_eq!(usual("http://example.org/é", Ampersands::Plain, &latin), None);
    }

    #[test]
    fn takes_hosts_that_are_known() {
        let hosts = KnownHosts::default();
        let mapping = Mapping { hosts: Some(&hosts), ..Mapping::default() };
        for text in ["http://bücher.example/é", "http://例え.jp/", "https://пример.рф/é"] {
            assert_eq!(usual(text, Ampersands::Plain, &mapping), None, "{text}");
            hosts.suspicious(&Reference::split(text));
            let edits = to_uri_edits(text, &mapping).expect("a URI");
            assert_eq!(usual(text, Ampersands::Plain, &mapping), Some(edits), "{text}");
        }
        let look_alike = "http://pаypal.com/é";
        hosts.suspicious(&Reference::split(look_alike));
        to_uri_edits(look_alike, &mapping).expect("a URI");
        assert_eq!(usual(look_alike, Ampersands::Plain, &mapping), None, "its reader is to be told");
    }

    proptest! {
        /// What is taken for usual becomes what the long way makes of it, as an IRI and as a Web Address.
        #[test]
        fn says_what_the_long_way_says(
            head in "(https?://)?[a-z.@:\\-]{0,6}/?",
            tail in "[a-c%0-9éü日本€ß\u{61C}\u{200E}\u{E000}\u{80}\u{FFFE}#?&=/\\[\\]{}|. :@!']{0,16}",
        ) {
            let text = head + &tail;
            for syntax in [Syntax::Iri, Syntax::Href] {
                let mapping = Mapping { syntax, ..Mapping::default() };
                if let Some(edits) = usual(&text, Ampersands::Plain, &mapping) {
                    prop_assert_eq!(Ok(edits), to_uri_edits(&text, &mapping));
                }
            }
        }
    }
}

//! Registered names: percent-encoded or as domain names (draft-ietf-iri-3987bis-06 §3.4; RFC 5891; UTS #46).
//!
//! The draft's SHOULD is percent-encoding, its MAY is punycode; which of them is used is a setting, because
//! resolvers and mail clients fail on percent-encoded hosts. RFC 5891 has no mapping step and would refuse
//! capitals, so UTS #46 maps first, without its transitional rules: `ß` stays `ß`. Symbols that RFC 5891 calls
//! DISALLOWED and UTS #46 does not (`☃.net`) pass: they are registered, and browsers resolve them.
//!
//! Of its mapping only what RFC 5895 has is carried out: case, width and normalisation. What else it maps (mathematical
//! letters, characters that it ignores) makes a forged name the real one: `𝗲𝗯𝗮𝘆.𝗱𝗲` would lead to `ebay.de`.

use std::borrow::Cow;

use idna::AsciiDenyList;
use idna::uts46::{DnsLength, Hyphens, Uts46};
use unicode_normalization::UnicodeNormalization;

use super::syntax;

/// The longest host that is mapped, in octets: punycode takes quadratic time, and no longer one can resolve.
pub(super) const MAX_HOST: usize = 253 * 12;

/// Returns `true` if a character separates labels although it is not U+002E (RFC 3490 §3.1, UTS #46).
pub(super) fn is_ideographic_stop(character: char) -> bool {
    matches!(character, '\u{3002}' | '\u{FF0E}' | '\u{FF61}')
}

/// Returns `true` if a character separates labels.
pub(super) fn is_stop(character: char) -> bool {
    character == '.' || is_ideographic_stop(character)
}

/// Writes a registered name by percent-encoding (§3.4.1); label separators become U+002E first, since
/// percent-encoded ones would join the labels into one. With `normalize` it is brought to NFC, as a legacy charset
/// needs it.
pub(super) fn percent(host: &str, normalize: bool) -> String {
    let dotted = host.chars().map(|character| if is_ideographic_stop(character) { '.' } else { character });
    let text: String = if normalize { dotted.nfc().collect() } else { dotted.collect() };
    let mut out = String::with_capacity(text.len() * 2);
    for character in text.chars() {
        match syntax::in_uri(character) {
            true => out.push(character),
            false => syntax::push_pct(&mut out, character.encode_utf8(&mut [0; 4]).as_bytes()),
        }
    }
    out
}

/// Writes a registered name as a domain name in ASCII (§3.4.2); the error is a lower-case clause.
pub fn punycode(host: &str) -> Result<String, &'static str> {
    if host.len() > MAX_HOST {
        return Err("the host is too long for a domain name");
    }
    let octets = percent_decoded(host);
    let domain = mapped(&octets).ok_or("the host is not a domain name")?;
    if domain.split('.').any(has_hyphens_in_places_3_and_4) {
        return Err("a label of the host has hyphens in places 3 and 4");
    }
    if !is_mapped_by_case_and_width(&octets) {
        return Err("the host has characters that stand for others");
    }
    Ok(domain)
}

/// Maps a host to ASCII by all of UTS #46, as a browser does that is given it; `None` where it is no domain name.
pub(super) fn mapped(octets: &[u8]) -> Option<String> {
    let domain = Uts46::new().to_ascii(octets, AsciiDenyList::URL, Hyphens::Allow, DnsLength::VerifyAllowRootDot);
    domain.ok().map(Cow::into_owned)
}

/// Returns `true` if the mapping of a host changes nothing but case, width and normalisation (RFC 5895 §2).
fn is_mapped_by_case_and_width(octets: &[u8]) -> bool {
    let Ok(host) = str::from_utf8(octets) else { return false };
    if host.is_ascii() {
        return true;
    }
    let plain: String = host.chars().map(narrow).flat_map(char::to_lowercase).nfc().collect();
    let (mapped, _) = unicode_of(host);
    // What is written in punycode means what it says.
    let mut labels = plain.split('.').zip(mapped.split('.'));
    plain.split('.').count() == mapped.split('.').count()
        && labels.all(|(plain, mapped)| plain == mapped || plain.starts_with("xn--"))
}

/// Returns what a character of full or half width, or an ideographic full stop, stands for.
fn narrow(character: char) -> char {
    match character {
        '\u{3002}' => '.',
        '\u{FF01}'..='\u{FFEF}' => std::iter::once(character).nfkc().next().unwrap_or(character),
        _ => character,
    }
}

/// Undoes `%HH`: octets that are not UTF-8 are refused by the mapping. A `%` without two digits stays.
pub(super) fn percent_decoded(host: &str) -> Cow<'_, [u8]> {
    if !host.contains('%') {
        return host.as_bytes().into();
    }
    let mut rest = host.as_bytes();
    let mut out = Vec::with_capacity(rest.len());
    while let [first, after @ ..] = rest {
        let octet = syntax::pct_octet(rest);
        out.push(octet.unwrap_or(*first));
        rest = if octet.is_some() { rest.get(3..).unwrap_or_default() } else { after };
    }
    out.into()
}

/// Returns `true` if an A-label stands for a U-label that RFC 5891 §5.4 forbids for two hyphens in places 3 and 4.
///
/// A hyphen at an edge is no matter of a lookup: §4.2.3.1 forbids it for registration, and UTS #46 lets it through.
fn has_hyphens_in_places_3_and_4(label: &str) -> bool {
    // Punycode writes hyphens of the label's own as they are.
    label.strip_prefix("xn--").is_some_and(|rest| rest.contains("--")) && {
        let (text, _) = unicode_of(label);
        text.chars().skip(2).take(2).eq(['-', '-'])
    }
}

/// Maps a label or a host to Unicode, and returns `true` beside it if nothing in it was wrong.
fn unicode_of(label: &str) -> (Cow<'_, str>, bool) {
    let (text, outcome) = Uts46::new().to_unicode(label.as_bytes(), AsciiDenyList::URL, Hyphens::Allow);
    (text, outcome.is_ok())
}

/// Returns the characters that a label in punycode stands for (§3.7 step 6), when it maps back to the same label;
/// `None` for any other, and for one that hides a bidi control.
pub(super) fn label_to_unicode(label: &str) -> Option<String> {
    if label.len() > 63 || !label.get(..4).is_some_and(|prefix| prefix.eq_ignore_ascii_case("xn--")) {
        return None;
    }
    let (text, good) = unicode_of(label);
    let faithful = good && !text.is_ascii() && !text.chars().any(syntax::is_bidi_control);
    (faithful && punycode(&text).is_ok_and(|back| back.eq_ignore_ascii_case(label))).then(|| text.into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn maps_hosts_to_domain_names() {
        for (host, domain) in [
            ("résumé.example.org", Ok("xn--rsum-bpad.example.org")),
            ("ÖBB.at", Ok("xn--bb-eka.at")),
            ("ａｂ.com", Ok("ab.com")),
            ("☃.net", Ok("xn--n3h.net")),
            ("e\u{301}.org", Ok("xn--9ca.org")),
            ("faß.de", Ok("xn--fa-hia.de")),
            ("a_b.é.org", Ok("a_b.xn--9ca.org")),
            ("例え。jp", Ok("xn--r8jz45g.jp")),
            ("r%C3%A9sumé.org", Ok("xn--rsum-bpad.org")),
            ("é.org.", Ok("xn--9ca.org.")),
            ("-é.org", Ok("xn----bga.org")),
            ("é-.org", Ok("xn----9fa.org")),
            ("r3---é.org", Err("a label of the host has hyphens in places 3 and 4")),
            ("ab--c.é.org", Ok("ab--c.xn--9ca.org")),
            ("éa--.org", Err("a label of the host has hyphens in places 3 and 4")),
            ("é--a.org", Ok("xn----a-9la.org")),
            ("é%E9.org", Err("the host is not a domain name")),
            ("é..org", Err("the host is not a domain name")),
            ("é b.org", Err("the host is not a domain name")),
            ("\u{200D}é.org", Err("the host is not a domain name")),
            ("𝗲𝗯𝗮𝘆.𝗱𝗲", Err("the host has characters that stand for others")),
            ("e\u{AD}bay.é.de", Err("the host has characters that stand for others")),
            ("℡.é.de", Err("the host has characters that stand for others")),
            ("Ｅbay.É.de", Ok("ebay.xn--9ca.de")),
        ] {
            assert_eq!(punycode(host), domain.map(str::to_owned), "{host}");
        }
        assert!(punycode(&"é".repeat(2000)).is_err());
    }

    #[test]
    fn shows_only_labels_that_map_back() {
        assert_eq!(label_to_unicode("XN--99ZT52A").as_deref(), Some("納豆"));
        assert_eq!(label_to_unicode("xn--rsum-bad"), None);
        assert_eq!(label_to_unicode("xn--a"), None);
        assert_eq!(label_to_unicode("example"), None);
    }
}

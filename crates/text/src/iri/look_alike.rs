//! What a reader of a report wants to know of a link: hosts that look like others, schemes in disguise.
//!
//! Nothing is judged and nothing is changed by it: many honest hosts mix scripts.

use unicode_security::confusable_detection::skeleton;
use unicode_security::{RestrictionLevel, RestrictionLevelDetection};

use super::component::Reference;
use super::host;
use super::syntax;

/// Returns a reference's host when one of its labels mixes scripts beyond what languages do (UTS #39 §5.2, worse than
/// Highly Restrictive) or, being no ASCII, looks like ASCII (§4).
///
/// It is given in punycode, which shows what the eye would miss; one that can't be mapped as it is written. A host of
/// 1024 octets or more, which resolves nowhere, is not looked at.
///
/// ```
/// use septet_text::iri::{Reference, suspicious_host};
///
/// assert_eq!(suspicious_host(&Reference::split("http://example.org/")), None);
/// // A Cyrillic а among Latin letters.
/// let host = suspicious_host(&Reference::split("http://pаypal.com/"));
/// assert_eq!(host.as_deref(), Some("xn--pypal-4ve.com"));
/// ```
pub fn suspicious_host(reference: &Reference<'_>) -> Option<String> {
    let host = reference.host().filter(|host| host.len() < 1024 && is_coded(host))?;
    let octets = host::percent_decoded(host);
    let host = str::from_utf8(&octets).unwrap_or(host);
    let mut labels = host.split(host::is_stop);
    let suspicious =
        labels.any(|label| is_suspicious(&host::label_to_unicode(label).unwrap_or_else(|| label.to_owned())));
    suspicious.then(|| host::mapped(host.as_bytes()).unwrap_or_else(|| host.to_owned()))
}

/// Returns a domain of which a label mixes scripts or looks like ASCII, as [`suspicious_host`] does of a link's.
///
/// ```
/// use septet_text::iri::suspicious_domain;
///
/// assert_eq!(suspicious_domain("xn--pypal-4ve.com"), Some("xn--pypal-4ve.com".to_owned()));
/// assert_eq!(suspicious_domain("bücher.example"), None);
/// ```
pub fn suspicious_domain(domain: &str) -> Option<String> {
    suspicious_host(&Reference::split(&format!("//{domain}/")))
}

/// Returns `true` if a host may have a label that is not ASCII: written as it is, percent-encoded, or in punycode.
pub(super) fn is_coded(host: &str) -> bool {
    let octets = host.as_bytes();
    let mut signs = memchr::memchr2_iter(b'-', b'%', octets);
    !host.is_ascii() || signs.any(|at| octets.get(at) == Some(&b'%') || octets.get(at + 1) == Some(&b'-'))
}

/// Returns `true` if a label, as it is shown, mixes scripts or looks like ASCII.
fn is_suspicious(label: &str) -> bool {
    // Other characters make a host that resolves nowhere, and looks like none.
    label.chars().any(|character| !character.is_ascii() && character.is_alphabetic())
        && (label.detect_restriction_level() > RestrictionLevel::HighlyRestrictive
            || skeleton(label).all(|character| character.is_ascii()))
}

/// Finds a disguise in what stands before the colon of a reference: percent-encoded letters (`%6Aavascript`) or shifted
/// UTF-7 (`+AGo-avascript`), which a careless reader undoes; `None` where there is neither.
pub fn scheme_disguise(before_colon: &str) -> Option<&'static str> {
    let octets = before_colon.as_bytes();
    let mut encoded = (0..octets.len()).filter_map(|at| syntax::pct_octet(octets.get(at..)?));
    if encoded.any(|octet| octet.is_ascii_alphabetic()) {
        return Some("percent-encoded scheme");
    }
    let shifted = before_colon.split('+').skip(1).filter_map(|run| run.split_once('-'));
    shifted.into_iter().any(|(run, _)| hides_letters(run)).then_some("utf-7 in a scheme")
}

/// Returns `true` if a run of modified base64 holds nothing but visible ASCII in UTF-16: `AGo` is `j`.
fn hides_letters(run: &str) -> bool {
    use base64::engine::general_purpose::{GeneralPurpose, GeneralPurposeConfig};
    use base64::{Engine, alphabet};
    let config = GeneralPurposeConfig::new().with_decode_padding_mode(base64::engine::DecodePaddingMode::Indifferent);
    let engine = GeneralPurpose::new(&alphabet::STANDARD, config);
    let units = engine.decode(run).unwrap_or_default();
    !units.is_empty() && units.chunks(2).all(|unit| matches!(unit, [0, low] if low.is_ascii_graphic()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flags_hosts_that_look_like_others() {
        for (reference, host) in [
            ("http://аррӏе.com/", Some("xn--80ak6aa92e.com")),
            ("http://xn--80ak6aa92e.com/", Some("xn--80ak6aa92e.com")),
            ("http://pаypal.com/", Some("xn--pypal-4ve.com")),
            ("http://p%D0%B0ypal.com/%E9", Some("xn--pypal-4ve.com")),
            ("http://-pаypal.com/", Some("xn---pypal-4nf.com")),
            ("http://example.org/p%D0%B0ypal", None),
            ("http://%E9.example.org/", None),
            ("http://例え。jp/", None),
            ("http://résumé.example.org/", None),
            ("http://例え.jp/", None),
            ("http://россия.рф/", None),
            ("http://example.org/pаypal", None),
            ("http://e.org\u{A0}Next", None),
            ("mailto:a@b", None),
        ] {
            assert_eq!(suspicious_host(&Reference::split(reference)).as_deref(), host, "{reference}");
        }
    }

    #[test]
    fn finds_schemes_in_disguise() {
        assert_eq!(scheme_disguise("%6Aavascript"), Some("percent-encoded scheme"));
        assert_eq!(scheme_disguise("+AGo-avascript"), Some("utf-7 in a scheme"));
        for plain in ["http", "svn+ssh", "git+https-x", "soap.beep", "x+y-z", "%20http"] {
            assert_eq!(scheme_disguise(plain), None, "{plain}");
        }
    }
}

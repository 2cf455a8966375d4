//! Where an authority ends: at what no label of a host can hold, and where prose is glued to it.
//!
//! A host is the one part of a link of which more is known than its delimiters. No label holds punctuation or symbols
//! (RFC 5892; UTS #46 lets symbols through, but nobody can tell `☃` in a host from one in the text), so they end the
//! authority: `http://example.com—great`, `http://example.com（注）`. And a name that is looked up ends in a top-level
//! domain: what goes on after one in another script (`example.com에서`) is prose, and so is a last label that no
//! top-level domain is (`http://example.com.Спасибо`, `http://で始まる`). A last label in ASCII is believed: it may be a
//! name of a network's own.

use super::super::address::is_ipv4;
use super::super::host::is_stop;
use super::letter::is_latin;
use super::tld;

/// How many labels at the end of a host are looked at, the last first: all behind the domain may be prose.
const SENTENCES: usize = 8;

/// The longest host that is looked at, in octets.
const LONGEST: usize = 253 * 4;

/// Returns `true` if an octet is one of ASCII that may stand anywhere in an authority, so that it needs no look.
pub(super) fn is_plain(octet: u8) -> bool {
    octet.is_ascii_alphanumeric() || matches!(octet, b'-' | b'_' | b'%' | b'@')
}

/// Returns the length of what looks like an address in brackets (`[2001:db8::1]`) at the start of a text; `None` where
/// nothing does.
pub(super) fn literal(text: &[u8]) -> Option<usize> {
    let inside = text.get(1..)?.iter().take(64);
    let length = inside.take_while(|octet| octet.is_ascii_alphanumeric() || b":.-_".contains(octet)).count();
    (text.first() == Some(&b'[') && text.get(length + 1) == Some(&b']')).then_some(length + 2)
}

/// Returns the length of an authority as far as it is sure that it is no prose; none when nothing is.
pub(super) fn certain_length(authority: &str) -> Option<usize> {
    if is_plainly_one(authority) {
        return Some(authority.len());
    }
    let at = authority.rfind('@').filter(|&at| authority.get(..at).is_some_and(is_user));
    let start = at.map_or(0, |at| at + 1);
    let rest = authority.get(start..)?;
    if let Some((host, _)) = rest.split_once('@') {
        // What is no user is a host with prose behind it, before an address.
        return certain_length(host).filter(|&length| rest.get(..length).is_some_and(str::is_ascii));
    }
    if rest.starts_with('[') {
        let length = literal(rest.as_bytes())?;
        return Some(start + length + port_length(rest.get(length..)?));
    }
    let colon = rest.find(':').unwrap_or(rest.len());
    let (host, port) = rest.split_at_checked(colon)?;
    let length = certain_host(host)?;
    let port = if length == host.len() { port_length(port) } else { 0 };
    Some(start + length + port)
}

/// Returns `true` if an authority is ASCII and has no colon, be it before a password or a port: it is believed as it
/// stands.
pub(super) fn is_plainly_one(authority: &str) -> bool {
    authority.is_ascii() && memchr::memchr(b':', authority.as_bytes()).is_none()
}

/// Returns `true` if a text may be a user and a password.
fn is_user(text: &str) -> bool {
    text.chars().all(|character| character.is_ascii() || is_latin(character))
}

/// Returns the length of `:` and digits; 0 where a text starts otherwise.
fn port_length(text: &str) -> usize {
    let Some(port) = text.strip_prefix(':') else { return 0 };
    match port.bytes().take_while(u8::is_ascii_digit).count() {
        0 => 0,
        digits => 1 + digits,
    }
}

/// Returns `true` if a host ends in a top-level domain, in prose behind one, or is an address.
pub(super) fn ends_in_domain(host: &str) -> bool {
    host.rsplit_once(is_stop).is_some_and(|(_, last)| tld::is_known(last))
        || is_ipv4(host.rsplit_once('@').map_or(host, |(_, host)| host))
        || certain_host(host).is_some_and(|length| length < host.len())
}

/// Returns the length of a host without the prose, or a full stop, at its end; none where no top-level domain says that
/// it is one. A last label in ASCII is believed, and so is a host that is too long to be looked at, if it is ASCII.
pub(super) fn certain_host(host: &str) -> Option<usize> {
    if host.len() > LONGEST {
        return host.is_ascii().then_some(host.len());
    }
    let mut end = host.strip_suffix(is_stop).map_or(host.len(), str::len);
    let whole = end;
    for _ in 0..SENTENCES {
        let name = host.get(..end)?;
        let label = name.rsplit(is_stop).next()?;
        let start = end - label.len();
        if label.is_ascii() && (end == whole || name.is_ascii() && is_ipv4(name)) {
            return Some(end);
        }
        if start > 0 && tld::is_known(label) {
            return Some(end);
        }
        if let Some(length) = name_before_prose(host.get(..start)?, label) {
            return Some(start + length);
        }
        end = name.rfind(is_stop)?;
    }
    None
}

/// Returns the length of the top-level domain, or of an address's last number, that a label starts with before it goes
/// on in another script; none where it does neither. `before` is what stands before the label, its full stop included.
fn name_before_prose(before: &str, label: &str) -> Option<usize> {
    let length = label.bytes().take_while(u8::is_ascii_alphanumeric).count();
    let (name, prose) = label.split_at_checked(length)?;
    if prose.chars().next().is_none_or(|first| first.is_ascii() || is_latin(first)) {
        return None;
    }
    let is_domain = !before.is_empty() && tld::is_known(name);
    let is_known = is_domain
        || before.is_ascii() && is_ipv4(&format!("{before}{name}"))
        || before.is_empty() && name.eq_ignore_ascii_case("localhost");
    is_known.then_some(length)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ends_before_prose() {
        for (authority, certain) in [
            ("example.com", Some("example.com")),
            ("é.org", Some("é.org")),
            ("é.intranet:80", Some("é.intranet:80")),
            ("ü:p@é.org:8080で", Some("ü:p@é.org:8080")),
            ("é.org:80で", Some("é.org:80")),
            ("é.org:で", Some("é.org")),
            ("é.org.", Some("é.org")),
            ("例え。jp", Some("例え。jp")),
            ("россия.рф", Some("россия.рф")),
            ("例え.テスト", Some("例え.テスト")),
            ("ｅｘ．ｃｏｍ", Some("ｅｘ．ｃｏｍ")),
            ("foo株式会社.jp", Some("foo株式会社.jp")),
            ("example.com에서", Some("example.com")),
            ("example.com看详细", Some("example.com")),
            ("192.168.0.1で", Some("192.168.0.1")),
            ("localhostで", Some("localhost")),
            ("例え.jpで", Some("例え.jp")),
            ("example.com.Спасибо.Да", Some("example.com")),
            ("例え.jp.次の", Some("例え.jp")),
            ("[::1]で", Some("[::1]")),
            ("example.com詳細info@example.com", Some("example.com")),
            ("で始まるinfo@example.com", None),
            ("example.org:8080http", Some("example.org:8080")),
            ("serverで", None),
            ("で始まる", None),
            ("exemple.orgà", None),
            ("example.intranetで", None),
            ("www.例え", None),
        ] {
            assert_eq!(certain_length(authority).and_then(|length| authority.get(..length)), certain, "{authority}");
        }
    }
}

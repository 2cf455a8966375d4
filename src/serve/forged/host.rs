//! Whether a value of X-Septet says that this host wrote it: by `host=` and its name, in the eyes of any reader.

use super::readable::Readable;
use crate::coding::charset::Labels;
use crate::coding::encoded_word::{WordReader, decode_unstructured};

/// Returns `true` if a value says that this host wrote it, as it stands or as [`Readable`] has it.
pub fn is_ours(value: &[u8], host: &str) -> bool {
    let is_readable = value.iter().all(|octet| (1..0x80).contains(octet));
    names_host(value, host) || !is_readable && names_host(&Readable(value).collect::<Vec<u8>>(), host)
}

/// Returns `true` if a value says that this host wrote it, in the eyes of any reader: one that takes it as it stands,
/// one that decodes words (RFC 2047), and one that skips comments and reads what is quoted. What a word hides is read
/// as blanks are.
fn names_host(value: &[u8], host: &str) -> bool {
    let labels = Labels::default();
    let decoded = decode_unstructured(value, WordReader::new(&labels)).text;
    let readable: Vec<u8> = Readable(decoded.as_bytes()).collect();
    [value, decoded.as_bytes(), &readable]
        .into_iter()
        .any(|text| has_host(text, host) || has_host(&uncommented(text), host))
}

/// Returns `true` if one of a value's elements is `host=` and the name, as `x_septet.rs` writes it, whatever separates
/// words in it. `host*=` and its pieces (RFC 2231) count whatever they say: they may hide the name, and septet never
/// writes them.
fn has_host(value: &[u8], host: &str) -> bool {
    value.split(|&octet| octet == b';').any(|element| is_host(element, host))
}

/// Returns `true` if an element of a value is `host=` and the name, a dot at its end aside, or may hide it. What counts
/// is its first word that begins with `host`, and the words behind that.
fn is_host(element: &[u8], host: &str) -> bool {
    let mut words = element.split(parts_words).map(|word| word.strip_suffix(b".").unwrap_or(word));
    let key = words.find(|word| word.get(..4).is_some_and(|key| key.eq_ignore_ascii_case(b"host")));
    match key.and_then(|key| key.get(4..)) {
        Some(b"") => words.any(|word| word.eq_ignore_ascii_case(host.as_bytes())),
        Some(rest) => rest.starts_with(b"*"),
        None => false,
    }
}

/// Returns `true` for an octet that words of a value stand between.
fn parts_words(octet: &u8) -> bool {
    octet.is_ascii_whitespace() || octet.is_ascii_control() || b",=()\"".contains(octet)
}

/// Returns a value without comments, and what is quoted in it without quotes; a `;` that is quoted separates nothing,
/// and a comment that does not end takes the rest.
fn uncommented(value: &[u8]) -> Vec<u8> {
    let (mut out, mut depth, mut quoted) = (Vec::new(), 0_usize, false);
    let mut octets = value.iter().copied();
    while let Some(octet) = octets.next() {
        let is_pair = octet == b'\\' && (quoted || depth > 0);
        let shown = if is_pair { octets.next().unwrap_or(octet) } else { octet };
        match octet {
            b'"' if depth == 0 => quoted = !quoted,
            b'(' if !quoted => depth += 1,
            b')' if !quoted => depth = depth.saturating_sub(1),
            _ if depth > 0 => {}
            _ if quoted && shown == b';' => out.push(b' '),
            _ => out.push(shown),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_host_is_named_by_a_whole_word() {
        for (value, wanted) in [
            (" changed; host=mx.example.org;\r\n\tpart=1", true),
            (" unchanged;\r\n\tHOST = MX.Example.ORG.", true),
            (" changed; host=other;\r\n\tpart=1 field=mx.example.org", false),
            (" changed; host=(mx)mx.example.org", true),
            (" changed; host=\"mx.example.org\"", true),
            (" changed; host=mx.example.org.evil.example", false),
            (" changed; host=other", false),
            (" changed; host=(;)mx.example.org", true),
            (" changed; (a \\) ; host=no) host=mx.(x (y) z)example.org", true),
            (" changed; host=\"mx.\\example.org\"", true),
            (" changed; host*=utf-8''%6dx.example.org", true),
            (" changed; HOST*0=mx.example; host*1=.org", true),
            (" =?utf-8?Q?changed=3B_host=3Dmx.example.org?=", true),
            (" changed; host==?us-ascii?B?bXguZXhhbXBsZS5vcmc=?=", true),
            (" changed; host=\tmx.example.org\x01", true),
            (" changed; hostess=mx.example.org", false),
            (" changed; host=other (host=mx.example.net)", false),
            ("", false),
        ] {
            assert_eq!(names_host(value.as_bytes(), "mx.example.org"), wanted, "{value}");
        }
    }

    #[test]
    fn a_value_is_judged_without_octets_0_too() {
        for value in ["ho\0st=mx", "a; host\0=\0m\0x", "\0h\0o\0s\0t=mx\0", "=?utf-8?Q?ho\0st=3Dmx?=", "host=m\0x.\0"] {
            assert!(is_ours(value.as_bytes(), "mx"), "{value:?}");
        }
        assert!(!is_ours(b"ho\0st=mx\0.example.net", "mx") && !is_ours(b"\0", "mx"));
    }
}

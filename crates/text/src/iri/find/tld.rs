//! Where a host ends that no slash ends: what top-level domains there are.
//!
//! `http://例え。jp/` has an ideographic full stop that separates labels (RFC 3490 §3.1), `http://例え.jp。jpは…` ends before
//! one. It separates labels when the host that it makes ends in a top-level domain, and the host before it does not:
//! `信息` and `みんな` are domains and words. And prose that follows a host without a space is told from its last label. The
//! list is IANA's, as the crate `tld` has it, with the names that are reserved (RFC 2606, RFC 6761, RFC 6762, RFC 9476,
//! and the root's eleven test names of 2007).

use super::super::host::{is_stop, punycode};
use super::label::may_hold;

/// The longest look ahead, in octets: no host is longer.
const AHEAD: usize = 253;

/// The longest label, in octets of UTF-8, that is looked up.
const LONGEST: usize = 63 * 4;

/// Names that are no part of the root and yet in use.
const RESERVED: [&str; 9] = ["example", "test", "invalid", "localhost", "local", "onion", "alt", "internal", "home"];

/// `.test` in eleven languages.
const TESTS: [&str; 11] = [
    "xn--0zwm56d", "xn--11b5bs3a9aj6g", "xn--80akhbyknj4f", "xn--9t4b11yi5a", "xn--deba0ad", "xn--g6w251d",
    "xn--hgbk6aj7f53bba", "xn--hlcj6aya9esc7a", "xn--jxalpdlp", "xn--kgbechtv", "xn--zckzah",
];

/// Returns the end of the labels after the ideographic full stop at `at`, up to the last of them that is a top-level
/// domain; none when none of them is.
pub(super) fn labels_after(text: &str, at: usize) -> Option<usize> {
    let mut label = String::new();
    let mut end = None;
    for (offset, character) in text.get(at..)?.char_indices().take_while(|&(offset, _)| offset < AHEAD) {
        let stop = is_stop(character);
        if !stop && may_hold(character) {
            label.push(character);
            continue;
        }
        // `。jp。信息` ends at the first: names of more than one top-level domain are in ASCII (`。co。jp`).
        if offset > 0 && (end.is_none() || label.is_ascii()) && is_known(&label) {
            end = Some(at + offset);
        }
        if !stop {
            return end;
        }
        label.clear();
    }
    let last = text.len().min(at + AHEAD);
    let known = last == text.len() && (end.is_none() || label.is_ascii()) && is_known(&label);
    if known { Some(last) } else { end }
}

/// Returns `true` if a label is a top-level domain, written in ASCII or not.
pub(super) fn is_known(label: &str) -> bool {
    if label.is_empty() || label.len() > LONGEST {
        return false;
    }
    match label.is_ascii() {
        true => is_known_in_ascii(&label.to_ascii_lowercase()),
        false => punycode(label).is_ok_and(|label| is_known_in_ascii(&label)),
    }
}

/// Returns `true` if a label in small letters of ASCII is a top-level domain.
fn is_known_in_ascii(label: &str) -> bool {
    tld::exist(label) || RESERVED.contains(&label) || TESTS.contains(&label)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn knows_top_level_domains_in_any_script() {
        for known in
            ["jp", "COM", "例え".repeat(0).as_str(), "рф", "中国", "みんな", "한국", "テスト", "ｃｏｍ", "xn--p1ai"]
        {
            assert_eq!(is_known(known), !known.is_empty(), "{known}");
        }
        for unknown in ["comで", "詳細", "orgà", "html", "1", "-"] {
            assert!(!is_known(unknown), "{unknown}");
        }
    }
}

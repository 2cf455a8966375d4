//! Web Addresses: what browsers do before they read a reference (draft-ietf-iri-3987bis-06 §6.2).
//!
//! Three places where the draft can't be built as printed: it leaves the characters to strip "to be done", and
//! browsers strip TAB, LF and CR wherever they stand; its step 3 percent-encodes the backslashes that its step 5
//! wants to turn into slashes, so step 5 goes first, up to the query; and a second `#` or a bracket, which
//! it lets through, would break §5.4, so they are percent-encoded ([`super::to_uri()`] does that with the rest).

use std::borrow::Cow;

use super::component::scheme;

/// How many characters a scheme and its colon may have that is looked for.
const LONGEST_SCHEME: usize = 64;

/// A reference as a browser reads it, and where its octets come from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cleaned {
    /// The reference.
    pub text: String,
    /// For every octet of `text` its offset in the source, then the source's length without trailing space.
    pub from: Vec<usize>,
}

/// Returns `true` if a character is white space around a reference (§6.2 step 1).
pub fn is_edge(character: char) -> bool {
    matches!(character, ' ' | '\t' | '\n' | '\r')
}

/// Returns `true` if a Web Address has nothing in it that is stripped or turned; its edges are not looked at.
fn is_clean(source: &str) -> bool {
    memchr::memchr3(b'\t', b'\n', b'\r', source.as_bytes()).is_none() && !source.contains('\\')
}

/// Returns a Web Address as [`clean`] does, without its places.
pub fn cleaned(source: &str) -> Cow<'_, str> {
    if is_clean(source) { source.trim_matches(is_edge).into() } else { clean(source).text.into() }
}

/// Trims a Web Address, strips TAB, LF and CR, and turns backslashes before the query or the fragment into slashes,
/// under schemes with a path and without a scheme.
pub fn clean(source: &str) -> Cleaned {
    let trimmed = source.trim_end_matches(is_edge);
    let start = trimmed.len() - trimmed.trim_start_matches(is_edge).len();
    let mut cleaned = Cleaned { text: String::with_capacity(trimmed.len()), from: Vec::with_capacity(trimmed.len()) };
    let slashes = has_slashes(trimmed);
    let mut hierarchical = true;
    for (at, character) in trimmed.char_indices().skip_while(|&(at, _)| at < start) {
        let character = match character {
            '\t' | '\n' | '\r' => continue,
            '\\' if hierarchical && slashes => '/',
            other => other,
        };
        hierarchical &= !matches!(character, '?' | '#');
        cleaned.text.push(character);
        cleaned.from.extend((0..character.len_utf8()).map(|octet| at + octet));
    }
    cleaned.from.push(trimmed.len());
    cleaned
}

/// Returns `true` if a backslash separates as a slash does: where there is no scheme, and under those that browsers
/// know to have a path (WHATWG URL, "special scheme").
fn has_slashes(reference: &str) -> bool {
    let clean: String = reference.chars().filter(|character| !is_edge(*character)).take(LONGEST_SCHEME).collect();
    let known = ["http", "https", "ws", "wss", "ftp", "file"];
    scheme(&clean).is_none_or(|scheme| known.iter().any(|known| scheme.eq_ignore_ascii_case(known)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_as_browsers_do() {
        for (source, text) in [
            ("  http://e.org\\é\\x ", "http://e.org/é/x"),
            ("\n//e.org/a\n\tb\r\nc\t", "//e.org/abc"),
            ("http:\\\\e.org?a\\b#c\\d", "http://e.org?a\\b#c\\d"),
            ("mail\nto:a\\b@c", "mailto:a\\b@c"),
            (" \t ", ""),
        ] {
            let cleaned = clean(source);
            assert_eq!(cleaned.text, text);
            assert_eq!(cleaned.from.len(), text.len() + 1);
        }
        assert_eq!(clean(" a\nb ").from, [1, 3, 4]);
    }
}

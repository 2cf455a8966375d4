//! References in CSS: `url(…)` and `@import "…"` (CSS Syntax Module Level 3, as much as that needs).
//!
//! A reference with an escape in it is left out: undoing and redoing it would change more than the link.

use std::ops::Range;

/// Finds the references of a style sheet or a list of declarations, as octets of the text.
pub(super) fn urls(text: &str) -> Vec<Range<usize>> {
    let octets = text.as_bytes();
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(&octet) = octets.get(at) {
        at = match octet {
            b'/' if octets.get(at + 1) == Some(&b'*') => after_comment(octets, at),
            b'"' | b'\'' => string(octets, at).1,
            b'\\' => at + 2,
            b'@' => at_rule(octets, at, &mut found),
            _ if is_name(octet) => name(octets, at, &mut found),
            _ => at + 1,
        };
    }
    found.retain(|range| {
        !range.is_empty() && memchr::memchr(b'\\', text.as_bytes().get(range.clone()).unwrap_or(b"\\")).is_none()
    });
    found
}

/// Returns `true` if an octet may stand in a name, escapes aside.
fn is_name(octet: u8) -> bool {
    octet.is_ascii_alphanumeric() || matches!(octet, b'-' | b'_' | 0x80..)
}

/// Returns the place behind the comment at a place.
fn after_comment(octets: &[u8], at: usize) -> usize {
    let rest = octets.get(at + 2..).unwrap_or_default();
    memchr::memmem::find(rest, b"*/").map_or(octets.len(), |end| at + 2 + end + 2)
}

/// Reads a string that starts with its quotation mark; gives the content and the place after it. The content is empty
/// where the string is closed nowhere, or not in its line.
fn string(octets: &[u8], at: usize) -> (Range<usize>, usize) {
    let quote = octets.get(at).copied();
    let mut end = at + 1;
    loop {
        match octets.get(end) {
            Some(b'\\') => end += 2,
            Some(octet) if Some(*octet) == quote => return (at + 1..end, end + 1),
            Some(b'\n' | b'\r') => return (end..end, end),
            Some(_) => end += 1,
            None => return (octets.len()..octets.len(), octets.len()),
        }
    }
}

/// Returns the place behind white space.
fn skip_space(octets: &[u8], at: usize) -> usize {
    at + octets.get(at..).unwrap_or_default().iter().take_while(|octet| octet.is_ascii_whitespace()).count()
}

/// Returns the place behind a name.
fn name_end(octets: &[u8], at: usize) -> usize {
    at + octets.get(at..).unwrap_or_default().iter().take_while(|octet| is_name(**octet)).count()
}

/// Reads an at-rule up to its name, and the string of an `@import`; `url()` is found as elsewhere. An `@namespace` is
/// read to its end: what it names is compared and never followed. Gives the place behind.
fn at_rule(octets: &[u8], at: usize, found: &mut Vec<Range<usize>>) -> usize {
    let end = name_end(octets, at + 1);
    let name = octets.get(at + 1..end).unwrap_or_default();
    if name.eq_ignore_ascii_case(b"namespace") {
        return memchr::memchr(b';', &octets[end..]).map_or(octets.len(), |length| end + length);
    }
    let after = skip_space(octets, end);
    match octets.get(after) {
        Some(b'"' | b'\'') if name.eq_ignore_ascii_case(b"import") => {
            let (content, next) = string(octets, after);
            found.push(content);
            next
        }
        _ => end,
    }
}

/// Reads a name; where it is `url` before `(`, adds the reference in the brackets, if it is well-formed. Gives the
/// place behind what was read.
fn name(octets: &[u8], at: usize, found: &mut Vec<Range<usize>>) -> usize {
    let end = name_end(octets, at);
    let url = octets.get(at..end).is_some_and(|name| name.eq_ignore_ascii_case(b"url"));
    if !url || octets.get(end) != Some(&b'(') {
        return end;
    }
    let start = skip_space(octets, end + 1);
    if let Some(b'"' | b'\'') = octets.get(start) {
        let (content, next) = string(octets, start);
        found.push(content);
        return next;
    }
    let rest = octets.get(start..).unwrap_or_default();
    let length =
        rest.iter().position(|octet| octet.is_ascii_whitespace() || matches!(octet, b')' | b'(' | b'"' | b'\''));
    let stop = start + length.unwrap_or(rest.len());
    let after = skip_space(octets, stop);
    if octets.get(after) == Some(&b')') {
        found.push(start..stop);
    }
    stop
}

#[cfg(test)]
mod tests {
    use super::urls;

    #[test]
    fn finds_what_css_links_to() {
        for (text, found) in [
            ("background: url(é.png) no-repeat, URL( 'ü.png' )", &["é.png", "ü.png"][..]),
            ("@namespace url(é); @NAMESPACE x 'ü'; url(b)", &["b"]),
            ("@import \"é.css\" screen; @import url(ü.css);", &["é.css", "ü.css"]),
            ("/* url(a) */ content: 'url(b)'; src: url(c)", &["c"]),
            ("url(a\\)b) url(\"a\\e9 \") url(a b) url(a(b)) url() my-url(c) url (d)", &[]),
            ("url('a\n) url(b)", &["b"]),
            ("url('a", &[]),
            ("url(a", &[]),
            ("@charset 'x'; a\\", &[]),
        ] {
            let links: Vec<_> = urls(text).into_iter().map(|range| &text[range]).collect();
            assert_eq!(links, found, "{text}");
        }
    }
}

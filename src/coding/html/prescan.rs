//! A glance at a document: can a link in it be an IRI, or something to be told of?
//!
//! Most HTML of mail is ASCII in its tags, and reading it all to find that out costs thirty times a scan. The glance
//! errs on one side only: wherever a tag may start (`<` and a letter, in a comment or a script too) it looks at no
//! less than a reader of HTML would take for the tag. A tag ends at the first `>` outside quotation marks; here they
//! count after any `=`, so what is looked at is the tag or more than that.
//!
//! Limits: linear; a document with so many tags in tags that it would not be is taken for one that has links.

/// Tells whether a document may hold a reference with a character outside ASCII, written or as a character
/// reference, or one with a host or a scheme in disguise. `false` is sure.
pub fn may_hold_iris(text: &str) -> bool {
    let octets = text.as_bytes();
    let mut budget = 4 * octets.len();
    memchr::memchr_iter(b'<', octets).any(|at| {
        let tag = octets.get(at + 1..).unwrap_or_default();
        if !tag.first().is_some_and(u8::is_ascii_alphabetic) {
            return false;
        }
        let (tag, rest) = tag.split_at(end(tag));
        let sheet = if is_style(tag) { rest.get(..sheet_end(rest)).unwrap_or_default() } else { &[] };
        let cost = tag.len() + sheet.len();
        let over = cost > budget;
        budget -= cost.min(budget);
        over || is_odd(tag) || !sheet.is_ascii() || is_disguised(sheet)
    })
}

/// Returns the length of what stands between a `<` and the `>` that ends the tag.
fn end(tag: &[u8]) -> usize {
    let mut at = 0;
    while let Some(found) = tag.get(at..).and_then(|rest| memchr::memchr2(b'>', b'=', rest)) {
        at += found;
        if tag.get(at) == Some(&b'>') {
            return at;
        }
        at += 1;
        let rest = tag.get(at..).unwrap_or_default();
        let blanks = rest.len() - rest.trim_ascii_start().len();
        let quote = rest.get(blanks).copied().filter(|octet| matches!(octet, b'"' | b'\''));
        let Some(quote) = quote else { continue };
        let value = rest.get(blanks + 1..).unwrap_or_default();
        at += blanks + 1 + memchr::memchr(quote, value).map_or(value.len(), |length| length + 1);
    }
    tag.len()
}

fn is_style(tag: &[u8]) -> bool {
    tag.get(..5).is_some_and(|name| name.eq_ignore_ascii_case(b"style"))
}

fn sheet_end(rest: &[u8]) -> usize {
    let ends = |at: &usize| rest.get(at + 2..).is_some_and(is_style) && rest.get(at + 1) == Some(&b'/');
    memchr::memchr_iter(b'<', rest).find(ends).unwrap_or(rest.len())
}

fn is_odd(tag: &[u8]) -> bool {
    !tag.is_ascii() || has_reference(tag) || is_disguised(tag)
}

/// Tells whether there may be a character reference that stands for something other than `&`.
fn has_reference(tag: &[u8]) -> bool {
    memchr::memchr_iter(b'&', tag).any(|at| {
        let after = tag.get(at + 1..).unwrap_or_default();
        !after.starts_with(b"amp;") && super::value::starts_reference(after)
    })
}

/// Tells whether there may be a host in punycode or percent-encoded, or a scheme with a `%` or a `+`.
fn is_disguised(tag: &[u8]) -> bool {
    let before = |at: usize| tag.get(..at).unwrap_or_default().iter().rev();
    let word = |octet: &u8| octet.is_ascii_alphanumeric() || matches!(octet, b'%' | b'+' | b'-' | b'.');
    let scheme = |at: usize| before(at).take_while(|octet| word(octet)).take(256).any(|octet| b"%+".contains(octet));
    let host = |at: usize| {
        let mut outside =
            before(at).take(1024).skip_while(|octet| octet.is_ascii_graphic() && !b"/\"'".contains(octet));
        outside.next() == Some(&b'/') && outside.next() == Some(&b'/')
    };
    let punycode = |at: usize| tag.get(at + 1) == Some(&b'-') && matches!(before(at).next(), Some(b'n' | b'N'));
    memchr::memchr_iter(b'-', tag).any(punycode)
        || memchr::memchr_iter(b':', tag).any(scheme)
        || memchr::memchr_iter(b'%', tag).any(host)
}

#[cfg(test)]
mod tests {
    use super::may_hold_iris;

    #[test]
    fn passes_over_what_needs_no_look() {
        for html in [
            "<p class='x' title=\"a\">é &eacute; é</p><br/>é",
            "<a href=\"http://e.org/?a=1&amp;b=2&c=3%20#x\">é</a><td width=100% style='a:b;c:d'>é",
            "<style><!-- a{b:url(x)} --></style>é<!-- é -->",
            "é < é <1 é",
        ] {
            assert!(!may_hold_iris(html), "{html}");
        }
    }

    #[test]
    fn misses_nothing() {
        for html in [
            "<a href=é>",
            "<a title='>' href = \n\"x>é\">",
            "<a href=x='y>z' href=é>",
            "<a =\"x>\" href='é'>",
            "<a href='&eacute;'><",
            "<a href='&#233;'>",
            "<!-- <b> <![if x]><v:x src='é'>",
            "<STYLE x>a{b:url(é)}",
            "<style></style ><style>é</style>",
            "<a href=http://xn--9ca.org>",
            "<a href='//a%C3%A9.org/'>",
            "<a href='%6Aavascript:x'>",
            "<a href='+AGo-avascript:x'>",
        ] {
            assert!(may_hold_iris(html), "{html}");
        }
    }
}

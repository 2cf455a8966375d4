//! Self-closing `<svg/>` and `<math/>`: elements of other languages that end where they start (HTML §13.2.6.4.7).
//!
//! What stands inside SVG or MathML is read otherwise: there `<title>`, `<style>` and `<noscript>` hold markup. The
//! tokenizer takes a self-closing tag for one that opens, and so all that follows for SVG. So it is shown another name
//! in its place, of the same length, which opens nothing: `<xvg/>`. Only what the tokenizer sees is changed; every
//! octet keeps its place, and all that is read is read from the document itself.
//!
//! Limits: linear; a document with so many such tags in tags that it would not be can't be read.

use std::borrow::Cow;

use super::MarkupError;
use super::tokens::ends_name;
use super::unreferencable::end_of_value;

/// Returns the markup with another name in each self-closing tag of SVG or MathML, or an error where the limit ends it.
pub(super) fn without_self_closing(markup: &str) -> Result<Cow<'_, [u8]>, MarkupError> {
    let octets = markup.as_bytes();
    let mut shown = Cow::Borrowed(octets);
    // A tag may begin in the value of another, and is read again then: four readings of all octets are allowed.
    let mut budget = 4 * octets.len();
    for at in memchr::memchr_iter(b'<', octets) {
        let Some(name) = octets.get(at + 1..).and_then(name_length) else { continue };
        let tag = octets.get(at + 1 + name..).unwrap_or_default();
        let (length, self_closing) = tag_end(tag);
        budget = budget.checked_sub(length).ok_or_else(|| MarkupError("too many tags in tags".to_owned()))?;
        if self_closing && let Some(first) = shown.to_mut().get_mut(at + 1) {
            *first = b'x';
        }
    }
    Ok(shown)
}

/// Returns the length of the name of a tag that opens SVG or MathML; none where another name stands there.
fn name_length(tag: &[u8]) -> Option<usize> {
    let names = [&b"svg"[..], b"math"];
    let length = names.iter().find(|name| tag.get(..name.len()).is_some_and(|is| is.eq_ignore_ascii_case(name)))?.len();
    tag.get(length).is_some_and(|octet| ends_name(*octet)).then_some(length)
}

/// Returns the length of a tag behind its name, and whether it closes itself (HTML §13.2.5.32 to §13.2.5.40).
fn tag_end(tag: &[u8]) -> (usize, bool) {
    let mut at = 0;
    while let Some(&octet) = tag.get(at) {
        at = match octet {
            b'>' => return (at, false),
            b'/' if tag.get(at + 1) == Some(&b'>') => return (at, true),
            b'=' => after_value(tag, at + 1),
            _ => at + 1,
        };
    }
    (tag.len(), false)
}

/// Returns where an attribute's value ends that follows a `=`, with white space between or not.
fn after_value(tag: &[u8], at: usize) -> usize {
    let rest = tag.get(at..).unwrap_or_default();
    end_of_value(tag, at + rest.len() - rest.trim_ascii_start().len())
}

#[cfg(test)]
mod tests {
    use super::without_self_closing;

    #[test]
    fn renames_what_closes_itself_and_nothing_else() {
        for (markup, shown) in [
            ("<svg/>", "<xvg/>"),
            ("<SVG a='>' b=\"/>\" />", "<xVG a='>' b=\"/>\" />"),
            ("<math\n/>", "<xath\n/>"),
            ("<svg><svg/></svg>", "<svg><xvg/></svg>"),
            ("<svg a=b/>", "<svg a=b/>"),
            ("<svg a= 'b'/>", "<xvg a= 'b'/>"),
            ("<svg / >", "<svg / >"),
            ("<svgx/><svg", "<svgx/><svg"),
        ] {
            let read = without_self_closing(markup).expect("readable");
            assert_eq!(str::from_utf8(&read), Ok(shown));
        }
        assert!(without_self_closing(&"<svg a='".repeat(1 << 16).replace('\'', "")).is_err());
    }
}

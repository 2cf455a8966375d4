//! The attributes of a document that hold links, and where markup stands within markup.
//!
//! Mail is read with scripting off, so the text of `noscript` is markup; Outlook reads the markup in conditional
//! comments (`<!--[if mso]>…<![endif]-->`), where VML has its pictures. Both are read again as documents of
//! their own. What a conditional comment can't hold is a second comment, and `noscript` no second one, so three
//! levels hold whatever a mail can say.

use super::places::{LinkCollector, LinkPlaces, WantedAttributes};
use super::{MarkupError, tokens, tree};
use crate::iri::may_hide;

/// How deep markup inside comments and `noscript` is read.
const LEVELS: usize = 3;

/// Finds the attributes and style sheets of a document that hold links.
///
/// ```
/// use septet_text::html::{HtmlValue, links};
///
/// let text = r#"<a href="http://example.org/?a=1&amp;b=é">http://example.org/not-an-attribute</a>"#;
/// let places = links(text).unwrap().attributes;
/// assert_eq!(places.len(), 1);
/// let value = HtmlValue::read(text, &places[0]);
/// assert_eq!(value.references().next().unwrap().1, "http://example.org/?a=1&b=é");
/// ```
pub fn links(text: &str) -> Result<LinkPlaces, MarkupError> {
    plain_links(text).map_or_else(|| tree_links(text), Ok)
}

/// Finds what [`links`] finds, at the speed of a search; none when only a tree of the document's elements can tell what
/// its tags are.
pub fn plain_links(text: &str) -> Option<LinkPlaces> {
    links_without_tree(text, WantedAttributes::All)
}

/// Finds what [`links`] finds, but may pass over places in which nothing [hides](may_hide): there is nothing in them to
/// map, and nothing to be told of.
pub fn odd_links(text: &str) -> Result<LinkPlaces, MarkupError> {
    match links_without_tree(text, WantedAttributes::Odd) {
        Some(found) => Ok(found),
        None if may_hide(text.as_bytes()) => tree_links(text),
        None => Ok(LinkPlaces::default()),
    }
}

/// Finds the links of those attributes by the tokenizer alone; none where it can't tell.
fn links_without_tree(text: &str, wanted: WantedAttributes) -> Option<LinkPlaces> {
    links_by(text, wanted, |markup, reader| tokens::read(markup.as_bytes(), reader).ok_or(())).ok()
}

/// Finds what [`links`] finds, by a tree of the document's elements, however plain it is.
pub fn tree_links(text: &str) -> Result<LinkPlaces, MarkupError> {
    links_by(text, WantedAttributes::All, |markup, reader| tree::read(markup, reader))
}

/// Finds the links of a document and of the markup in it by a reader; its first error ends the search.
fn links_by<E>(
    text: &str,
    wanted: WantedAttributes,
    read: impl Fn(&str, &mut LinkCollector<'_>) -> Result<(), E>,
) -> Result<LinkPlaces, E> {
    let mut reader = LinkCollector::new(text, wanted);
    let whole = 0..text.len();
    let mut markup = vec![whole];
    for _ in 0..LEVELS {
        for range in std::mem::take(&mut markup) {
            reader.start = range.start;
            read(text.get(range).unwrap_or_default(), &mut reader)?;
        }
        markup.append(&mut reader.inner);
    }
    let mut found = reader.found;
    found.attributes.sort_by_key(|attribute| attribute.at.start);
    Ok(found)
}

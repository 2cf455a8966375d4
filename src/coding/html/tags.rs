//! The attributes of a document that hold links, by the tokenizer's source locations.
//!
//! Mail is read with scripting off, so the text of `noscript` is markup; Outlook reads the markup in conditional
//! comments (`<!--[if mso]>…<![endif]-->`), where VML has its pictures. Both are read again as documents of
//! their own. What a conditional comment can't hold is a second comment, and `noscript` no second one, so three
//! levels hold whatever a mail can say.

use std::cell::RefCell;
use std::ops::Range;
use std::rc::Rc;

use lol_html::html_content::{Comment, Element};
use lol_html::{DocumentContentHandlers, HtmlRewriter, MemorySettings, Settings, element, end_tag};

use super::{Attribute, Kind, Quote, Unreadable, foreign};

/// How much memory the tokenizer may use for one document, in octets.
pub const MEMORY: usize = 32 << 20;

/// How deep markup inside comments and `noscript` is read.
const LEVELS: usize = 3;

/// The places of a document that hold links, in its order.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Links {
    /// The places.
    pub attributes: Vec<Attribute>,
    /// The octets of the `href` of the first `base` element, which relative references count from.
    pub base: Option<Range<usize>>,
}

/// Finds the attributes and style sheets of a document that hold links.
///
/// ```
/// use septet::coding::html::{Value, links};
///
/// let text = r#"<a href="http://example.org/?a=1&amp;b=é">http://example.org/not-an-attribute</a>"#;
/// let places = links(text).unwrap().attributes;
/// assert_eq!(places.len(), 1);
/// let value = Value::read(text, &places[0]);
/// assert_eq!(value.references().next().unwrap().1, "http://example.org/?a=1&b=é");
/// ```
pub fn links(text: &str) -> Result<Links, Unreadable> {
    let mut found = Links::default();
    let whole = 0..text.len();
    let mut inner = vec![whole];
    for _ in 0..LEVELS {
        let mut deeper = Vec::new();
        for range in std::mem::take(&mut inner) {
            let reader = RefCell::new(Reader { text, start: range.start, found, inner: Vec::new() });
            read(text.get(range).unwrap_or_default(), &reader)?;
            let reader = reader.into_inner();
            found = reader.found;
            deeper.extend(reader.inner);
        }
        inner = deeper;
    }
    found.attributes.sort_by_key(|attribute| attribute.at.start);
    Ok(found)
}

/// The namespace of the elements of HTML.
const HTML: &str = "http://www.w3.org/1999/xhtml";

/// The texts of elements that hold a language of their own, with their places.
type InnerTexts = Vec<(Range<usize>, Inner)>;

fn read(markup: &str, reader: &RefCell<Reader<'_>>) -> Result<(), Unreadable> {
    let memory = MemorySettings::new().with_max_allowed_memory_usage(MEMORY).with_preallocated_parsing_buffer_size(0);
    // Handlers of end tags must own what they use, so they only take notes.
    let texts: Rc<RefCell<InnerTexts>> = Rc::default();
    let mut open = None;
    let elements = element!("*", |element| {
        let start = element.source_location().bytes().end;
        let text = reader.borrow_mut().element(element);
        if let (Some(kind), Some(handlers)) = (text, element.end_tag_handlers()) {
            open = Some((start, kind));
            let texts = Rc::clone(&texts);
            handlers.push(end_tag!(move |end| {
                texts.borrow_mut().push((start..end.source_location().bytes().start, kind));
                Ok(())
            }));
        }
        Ok(())
    });
    let mut settings =
        Settings::new().with_strict(false).with_memory_settings(memory).append_element_content_handler(elements);
    // Capturing comments costs time, so only where there is something in them.
    if has_conditional(markup) {
        let comments = DocumentContentHandlers::default().comments(|comment: &mut Comment<'_>| {
            reader.borrow_mut().comment(comment.source_location().bytes());
            Ok(())
        });
        settings = settings.append_document_content_handler(comments);
    }
    let markup_as_read = foreign::without_self_closing(markup)?;
    let mut rewriter = HtmlRewriter::new(settings, |_: &[u8]| {});
    rewriter.write(&markup_as_read).map_err(unreadable)?;
    rewriter.end().map_err(unreadable)?;
    let mut reader = reader.borrow_mut();
    let mut texts = texts.take();
    // One that is never closed holds all the rest, which only the last can be.
    let closed = |start| texts.last().is_some_and(|(range, _)| range.start == start);
    if let Some((start, kind)) = open.filter(|&(start, _)| !closed(start)) {
        texts.push((start..markup.len(), kind));
    }
    texts.into_iter().for_each(|(range, kind)| reader.text(range, kind));
    Ok(())
}

fn unreadable(error: lol_html::errors::RewritingError) -> Unreadable {
    Unreadable(error.to_string().to_lowercase())
}

fn has_conditional(markup: &str) -> bool {
    memchr::memmem::find_iter(markup.as_bytes(), b"<!--").any(|at| is_conditional(markup, at).is_some())
}

/// Returns the offset of the condition's `[` in a comment that starts at `at`.
fn is_conditional(text: &str, at: usize) -> Option<usize> {
    let inside = text.get(at + 4..)?;
    let bracket = inside.trim_ascii_start();
    let named = bracket.get(..3).is_some_and(|word| word.eq_ignore_ascii_case("[if"));
    named.then_some(at + 4 + inside.len() - bracket.len())
}

/// What the text of an element is.
#[derive(Debug, Clone, Copy)]
enum Inner {
    Sheet,
    Markup,
}

struct Reader<'t> {
    text: &'t str,
    /// Where the markup that is read starts in the text.
    start: usize,
    found: Links,
    inner: Vec<Range<usize>>,
}

impl Reader<'_> {
    fn slice(&self, range: Range<usize>) -> &str {
        self.text.get(self.start + range.start..self.start + range.end).unwrap_or_default()
    }

    /// Takes the attributes of an element; tells what its text is, if that matters.
    fn element(&mut self, element: &Element<'_, '_>) -> Option<Inner> {
        let at = element.source_location().bytes().start + 1;
        let tag = Tag::of(self.text.as_bytes().get(self.start + at..).unwrap_or_default());
        let inner = match tag {
            Tag::Style => Some(Inner::Sheet),
            // In SVG and MathML its text is markup anyway, and was read already.
            Tag::NoScript if element.namespace_uri() == HTML => Some(Inner::Markup),
            _ => None,
        };
        let refresh = tag == Tag::Meta && self.is_refresh(element);
        for attribute in element.attributes() {
            let (Some(name), Some(value)) = (attribute.name_source_location(), attribute.value_source_location())
            else {
                continue;
            };
            if let Some(kind) = kind(self.slice(name.bytes()), refresh, tag == Tag::Object) {
                self.attribute(value.bytes(), kind, tag == Tag::Base);
            }
        }
        inner
    }

    fn is_refresh(&self, element: &Element<'_, '_>) -> bool {
        element.attributes().iter().any(|attribute| {
            attribute
                .name_source_location()
                .is_some_and(|name| self.slice(name.bytes()).eq_ignore_ascii_case("http-equiv"))
                && attribute.value().trim().eq_ignore_ascii_case("refresh")
        })
    }

    fn attribute(&mut self, value: Range<usize>, kind: Kind, base: bool) {
        if value.is_empty() {
            return;
        }
        let at = self.start + value.start..self.start + value.end;
        let quote = match at.start.checked_sub(1).and_then(|before| self.text.as_bytes().get(before)) {
            Some(b'"') => Quote::Double,
            Some(b'\'') => Quote::Single,
            _ => Quote::None,
        };
        if base && kind == Kind::Url && self.found.base.is_none() {
            self.found.base = Some(at.clone());
        }
        self.found.attributes.push(Attribute { at, quote, kind });
    }

    fn text(&mut self, range: Range<usize>, kind: Inner) {
        let at = self.start + range.start..self.start + range.end;
        match kind {
            Inner::Markup => self.inner.push(at),
            Inner::Sheet => self.found.attributes.push(Attribute { at, quote: Quote::Raw, kind: Kind::Style }),
        }
    }

    fn comment(&mut self, range: Range<usize>) {
        let end = self.start + range.end;
        let Some(condition) = is_conditional(self.text, self.start + range.start) else { return };
        let Some(inside) = self.text.get(condition..end).and_then(|inside| inside.strip_suffix("-->")) else { return };
        if let Some(bracket) = memchr::memchr(b'>', inside.as_bytes()) {
            self.inner.push(condition + bracket + 1..condition + inside.len());
        }
    }
}

/// The elements that matter beyond their attributes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Tag {
    Meta,
    Base,
    Object,
    Style,
    NoScript,
    Other,
}

impl Tag {
    /// Reads the name at the start of a tag's text.
    fn of(octets: &[u8]) -> Tag {
        let (name, tag) = match octets.first().map(u8::to_ascii_lowercase) {
            Some(b'm') => ("meta", Tag::Meta),
            Some(b'b') => ("base", Tag::Base),
            Some(b'o') => ("object", Tag::Object),
            Some(b's') => ("style", Tag::Style),
            Some(b'n') => ("noscript", Tag::NoScript),
            _ => return Tag::Other,
        };
        let named = octets.get(..name.len()).is_some_and(|start| start.eq_ignore_ascii_case(name.as_bytes()));
        let ended = octets.get(name.len()).is_none_or(|octet| octet.is_ascii_whitespace() || b"/>".contains(octet));
        if named && ended { tag } else { Tag::Other }
    }
}

/// Tells how an attribute holds links, by its name; none when it holds none.
fn kind(name: &str, refresh: bool, object: bool) -> Option<Kind> {
    const URLS: [&str; 10] =
        ["href", "src", "action", "formaction", "cite", "background", "longdesc", "poster", "xlink:href", "data"];
    let is = |other: &&str| name.eq_ignore_ascii_case(other);
    match name.len() {
        4 if is(&"data") => object.then_some(Kind::Url),
        4 if is(&"ping") => Some(Kind::Ping),
        5 if is(&"style") => Some(Kind::Style),
        6 if is(&"srcset") => Some(Kind::Srcset),
        7 if is(&"content") => refresh.then_some(Kind::Refresh),
        11 if is(&"imagesrcset") => Some(Kind::Srcset),
        3..=10 => URLS.iter().any(is).then_some(Kind::Url),
        _ => None,
    }
}

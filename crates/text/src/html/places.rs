//! What the tags of a document hold: the attributes and style sheets with links, and the markup within markup.

use std::ops::Range;

use super::{Attribute, LinkSyntax, Quote};
use crate::iri::may_hide;

/// The places of a document that hold links, in its order.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LinkPlaces {
    /// The places.
    pub attributes: Vec<Attribute>,
    /// The octets of the `href` of the first `base` element, which relative references count from.
    pub base: Option<Range<usize>>,
}

/// Returns `true` if markup has a conditional comment.
#[cfg(feature = "html")]
pub(super) fn has_conditional(markup: &str) -> bool {
    memchr::memmem::find_iter(markup.as_bytes(), b"<!--").any(|at| condition_start(markup, at).is_some())
}

/// Returns the offset of the condition's `[` in a comment that starts at `at`; none where it is no conditional comment.
fn condition_start(text: &str, at: usize) -> Option<usize> {
    let inside = text.get(at + 4..)?;
    let bracket = inside.trim_ascii_start();
    let named = bracket.get(..3).is_some_and(|word| word.eq_ignore_ascii_case("[if"));
    named.then_some(at + 4 + inside.len() - bracket.len())
}

/// What the text of an element is.
#[derive(Debug, Clone, Copy)]
pub(super) enum Inner {
    /// A style sheet.
    Sheet,
    /// Markup to readers without scripts.
    Markup,
}

/// What takes the tags that a tokenizer finds, with offsets that count from where the markup starts.
pub(super) trait Tags {
    /// Tells which attributes of an element are wanted, by its name. Not every reader asks: a tree shows all of them.
    fn wanted(&self, name: &[u8]) -> WantedAttributes;

    /// Takes the wanted attributes of an element, which is one of HTML or else of SVG or MathML. Tells what its text
    /// is; `None` where nobody asks for it.
    fn element(&mut self, name: &[u8], attributes: &[NameAndValue], is_html: bool) -> Option<Inner>;

    /// Takes the text of an element of which [`element`](Tags::element) said that it is of this kind.
    fn text(&mut self, _range: Range<usize>, _kind: Inner) {}

    /// Takes a comment, its `<!--` and `-->` included.
    fn comment(&mut self, _range: Range<usize>) {}
}

/// Which attributes of a tag are wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum WantedAttributes {
    /// None of them.
    None,
    /// Those that hold links, if something [may hide](may_hide) in them.
    Odd,
    /// All.
    All,
}

impl WantedAttributes {
    /// Returns `true` if an attribute is wanted.
    pub fn holds(self, name: &[u8], value: &[u8]) -> bool {
        match self {
            WantedAttributes::None => false,
            // By its name alone: `data` and `content` hold links in some elements only.
            WantedAttributes::Odd => link_syntax(name, false, true).is_some() && may_hide(value),
            WantedAttributes::All => true,
        }
    }
}

/// Where an attribute's name and its value stand, without quotation marks; one without a value has an empty one.
#[derive(Debug, Clone)]
pub(super) struct NameAndValue {
    pub name: Range<usize>,
    pub value: Range<usize>,
}

/// Takes the places that hold links.
pub(super) struct LinkCollector<'t> {
    text: &'t str,
    /// Which attributes are wanted.
    wanted: WantedAttributes,
    /// Where the markup that is read starts in the text: the places that a tokenizer gives count from there.
    pub start: usize,
    /// What is found so far.
    pub found: LinkPlaces,
    /// Where markup stands that is to be read as a document of its own.
    pub inner: Vec<Range<usize>>,
}

impl<'t> LinkCollector<'t> {
    /// Starts at the start of a text.
    pub fn new(text: &'t str, wanted: WantedAttributes) -> LinkCollector<'t> {
        LinkCollector { text, wanted, start: 0, found: LinkPlaces::default(), inner: Vec::new() }
    }

    /// Returns the octets of a range that counts from where the markup starts.
    fn slice(&self, range: &Range<usize>) -> &[u8] {
        self.text.as_bytes().get(self.start + range.start..self.start + range.end).unwrap_or_default()
    }

    /// Returns `true` if an attribute makes its `meta` element one that leads elsewhere.
    fn is_refresh(&self, attribute: &NameAndValue) -> bool {
        self.slice(&attribute.name).eq_ignore_ascii_case(b"http-equiv")
            && self.slice(&attribute.value).trim_ascii().eq_ignore_ascii_case(b"refresh")
    }

    /// Keeps the place of a value that holds links, unless that is empty; the octet before it says what stands around.
    /// With `base`, it is one of a `base` element: the first reference of those is the base of the document.
    fn attribute(&mut self, value: &Range<usize>, kind: LinkSyntax, base: bool) {
        if value.is_empty() {
            return;
        }
        let at = self.start + value.start..self.start + value.end;
        let quote = match at.start.checked_sub(1).and_then(|before| self.text.as_bytes().get(before)) {
            Some(b'"') => Quote::Double,
            Some(b'\'') => Quote::Single,
            _ => Quote::None,
        };
        if base && kind == LinkSyntax::Url && self.found.base.is_none() {
            self.found.base = Some(at.clone());
        }
        self.found.attributes.push(Attribute { at, quote, kind });
    }
}

impl Tags for LinkCollector<'_> {
    fn wanted(&self, name: &[u8]) -> WantedAttributes {
        // Most names are shorter than those that decide.
        if name.len() < b"meta".len() {
            return self.wanted;
        }
        // What stands in these decides about others.
        let is_all = self.wanted == WantedAttributes::Odd && is_one_of(name, ["meta", "base"]);
        if is_all { WantedAttributes::All } else { self.wanted }
    }

    /// Keeps the places of the attributes that hold links, and tells whether the element's text does.
    fn element(&mut self, name: &[u8], attributes: &[NameAndValue], is_html: bool) -> Option<Inner> {
        let refresh = is_one_of(name, ["meta"]) && attributes.iter().any(|attribute| self.is_refresh(attribute));
        let (object, base) = (is_one_of(name, ["object"]), is_one_of(name, ["base"]));
        for attribute in attributes {
            if let Some(kind) = link_syntax(self.slice(&attribute.name), refresh, object) {
                self.attribute(&attribute.value, kind, base);
            }
        }
        if is_one_of(name, ["style"]) {
            return Some(Inner::Sheet);
        }
        // In SVG and MathML its text is markup anyway, and was read already.
        (is_html && is_one_of(name, ["noscript"])).then_some(Inner::Markup)
    }

    fn text(&mut self, range: Range<usize>, kind: Inner) {
        let at = self.start + range.start..self.start + range.end;
        match kind {
            Inner::Markup => self.inner.push(at),
            Inner::Sheet => self.found.attributes.push(Attribute { at, quote: Quote::Raw, kind: LinkSyntax::Style }),
        }
    }

    /// Keeps the markup in a conditional comment to be read later; other comments hold none.
    fn comment(&mut self, range: Range<usize>) {
        let end = self.start + range.end;
        let Some(condition) = condition_start(self.text, self.start + range.start) else { return };
        let Some(inside) = self.text.get(condition..end).and_then(|inside| inside.strip_suffix("-->")) else { return };
        if let Some(bracket) = memchr::memchr(b'>', inside.as_bytes()) {
            self.inner.push(condition + bracket + 1..condition + inside.len());
        }
    }
}

/// Tells how an attribute holds links, by its name; none when it holds none. `refresh` says that it is one of a `meta`
/// element that leads elsewhere, `object` that it is one of an `object`: only there `content` and `data` hold links.
fn link_syntax(name: &[u8], refresh: bool, object: bool) -> Option<LinkSyntax> {
    match name.len() {
        4 if is_one_of(name, ["data"]) => object.then_some(LinkSyntax::Url),
        4 if is_one_of(name, ["ping"]) => Some(LinkSyntax::Ping),
        5 if is_one_of(name, ["style"]) => Some(LinkSyntax::Style),
        6 if is_one_of(name, ["srcset"]) => Some(LinkSyntax::Srcset),
        7 if is_one_of(name, ["content"]) => refresh.then_some(LinkSyntax::Refresh),
        11 if is_one_of(name, ["imagesrcset"]) => Some(LinkSyntax::Srcset),
        3 if is_one_of(name, ["src"]) => Some(LinkSyntax::Url),
        4 if is_one_of(name, ["href", "cite"]) => Some(LinkSyntax::Url),
        6 if is_one_of(name, ["action", "poster"]) => Some(LinkSyntax::Url),
        8 if is_one_of(name, ["longdesc"]) => Some(LinkSyntax::Url),
        10 if is_one_of(name, ["formaction", "background", "xlink:href"]) => Some(LinkSyntax::Url),
        _ => None,
    }
}

/// Returns `true` if the name of an attribute or an element is one of these, in any case of letters.
#[inline]
pub(super) fn is_one_of<const N: usize>(name: &[u8], names: [&str; N]) -> bool {
    names.iter().any(|other| name.eq_ignore_ascii_case(other.as_bytes()))
}

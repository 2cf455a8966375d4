//! HTML as spans: where links stand, and where a charset is declared.
//!
//! A tokenizer finds the attributes; what stands in them is read here by HTML's own rules (entities, `srcset`,
//! refresh, CSS) and written back with as few octets changed as possible. Nothing else of a document is looked
//! at: not its text, not its scripts.
//!
//! Plain markup is read by a tokenizer of our own ([`plain_links`]), and what only a tree of elements can tell by
//! lol_html ([`tree_links`]).
//!
//! Limits: the tree may use [`MEMORY`] octets, and markup inside comments or `noscript` is read three deep.

mod css;
mod declaration;
mod entity;
#[cfg(feature = "html")]
mod foreign;
mod marks;
mod places;
mod tags;
mod tokens;
#[cfg_attr(not(feature = "html"), path = "no_tree.rs")]
mod tree;
mod unreferencable;
mod value;

use std::ops::Range;

use thiserror::Error;

pub use declaration::charset_declarations;
pub use entity::{DecodedValue, decode};
pub use places::LinkPlaces;
pub use tags::{links, odd_links, plain_links, tree_links};
pub use unreferencable::beyond_references;
pub use value::HtmlValue;

/// How much memory a tree of elements may use for one document, in octets.
pub const MEMORY: usize = 32 << 20;

/// The markup can't be read within the limits; nothing of it is known then.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("the markup can't be read: {0}")]
pub struct MarkupError(pub String);

/// A place in a document that holds links.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Attribute {
    /// The octets of the value, inside its quotes.
    pub at: Range<usize>,
    /// What stands around the value.
    pub quote: Quote,
    /// How the value holds links.
    pub kind: LinkSyntax,
}

/// What stands around a value, and so what it can't hold as it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Quote {
    /// `"`.
    Double,
    /// `'`.
    Single,
    /// Nothing: the value ends at white space or `>`.
    None,
    /// The value is an element's text, without entities.
    Raw,
}

/// How a value holds links.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LinkSyntax {
    /// It is one reference.
    Url,
    /// References with descriptors, between commas.
    Srcset,
    /// References between spaces.
    Ping,
    /// Seconds, then a reference.
    Refresh,
    /// CSS, with references in `url()` and `@import`.
    Style,
}

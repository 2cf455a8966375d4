//! The tags of a document whose texts only the tree of its elements tells from markup, by lol_html's simulation of it.

use std::cell::RefCell;
use std::ops::Range;
use std::rc::Rc;

use lol_html::html_content::{Attribute, Comment};
use lol_html::{DocumentContentHandlers, HtmlRewriter, MemorySettings, Settings, element, end_tag};

use super::places::{Inner, NameAndValue, Tags, has_conditional};
use super::tokens::ends_name;
use super::{MEMORY, MarkupError, foreign};

/// The namespace of the elements of HTML.
const HTML: &str = "http://www.w3.org/1999/xhtml";

/// The texts of elements that hold a language of their own, with their places.
type InnerTexts = Vec<(Range<usize>, Inner)>;

/// Reads the tags of markup; those before a fault are taken all the same.
pub(super) fn read(markup: &str, reader: &mut dyn Tags) -> Result<(), MarkupError> {
    let memory = MemorySettings::new().with_max_allowed_memory_usage(MEMORY).with_preallocated_parsing_buffer_size(0);
    let reader = RefCell::new(reader);
    // Handlers of end tags must own what they use, so they only take notes.
    let texts: Rc<RefCell<InnerTexts>> = Rc::default();
    let mut open = None;
    let elements = element!("*", |element| {
        let tag = element.source_location().bytes();
        let is_html = element.namespace_uri() == HTML;
        let attributes: Vec<_> = element.attributes().iter().filter_map(place).collect();
        let text = reader.borrow_mut().element(name(markup, tag.start + 1), &attributes, is_html);
        if let (Some(kind), Some(handlers)) = (text, element.end_tag_handlers()) {
            open = Some((tag.end, kind));
            let texts = Rc::clone(&texts);
            handlers.push(end_tag!(move |end| {
                texts.borrow_mut().push((tag.end..end.source_location().bytes().start, kind));
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
    let mut texts = texts.take();
    // One that is never closed holds all the rest, which only the last can be.
    let last_closed = texts.last().map(|(range, _)| range.start);
    if let Some((start, kind)) = open.filter(|&(start, _)| last_closed != Some(start)) {
        texts.push((start..markup.len(), kind));
    }
    texts.into_iter().for_each(|(range, kind)| reader.borrow_mut().text(range, kind));
    Ok(())
}

fn unreadable(error: lol_html::errors::RewritingError) -> MarkupError {
    MarkupError(error.to_string().to_lowercase())
}

/// Returns the name of the element whose name starts here.
fn name(markup: &str, start: usize) -> &[u8] {
    let rest = markup.as_bytes().get(start..).unwrap_or_default();
    let end = rest.iter().position(|octet| ends_name(*octet));
    rest.get(..end.unwrap_or(rest.len())).unwrap_or_default()
}

/// Returns the place of an attribute; `None` for one that is not in the markup.
fn place(attribute: &Attribute<'_>) -> Option<NameAndValue> {
    let name = attribute.name_source_location()?.bytes();
    let value = attribute.value_source_location().map_or(name.end..name.end, |value| value.bytes());
    Some(NameAndValue { name, value })
}

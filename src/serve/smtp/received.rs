//! A message as it was received, for the rest of the daemon.

use crate::edit::Span;
use crate::message::{Field, Limits, Message};
use crate::serve::envelope::ReceivedMessage;

/// A message that is whole.
#[derive(Debug, Default)]
pub struct WholeMessage {
    raw: Vec<u8>,
    fields: Vec<Field>,
    header_end: usize,
}

impl WholeMessage {
    /// Finds the fields of a message's header: only that is read here, however long the message is.
    pub fn new(raw: Vec<u8>, limits: &Limits) -> WholeMessage {
        let end = match raw.starts_with(b"\r\n") {
            true => 0,
            false => memchr::memmem::find(&raw, b"\r\n\r\n").map_or(raw.len(), |at| at + 2),
        };
        let message = Message::read(&raw[..end], &Limits { message_bytes: usize::MAX, ..*limits });
        let root = message.parts().first();
        let fields = root.map_or_else(Vec::new, |root| message.fields(root).to_vec());
        let header_end = root.map_or(Span::empty(0), |root| root.header).end;
        WholeMessage { fields, header_end, raw }
    }

    /// Returns the value of the first field of this name, without white space around it.
    pub fn value(&self, name: &str) -> Option<&[u8]> {
        let field = self.fields.iter().find(|field| field.is(&self.raw, name))?;
        Some(field.value.slice(&self.raw).trim_ascii())
    }
}

impl ReceivedMessage for WholeMessage {
    fn raw(&self) -> &[u8] {
        &self.raw
    }

    fn fields(&self) -> impl Iterator<Item = (&[u8], &[u8], Span)> {
        self.fields.iter().map(|field| (field.name.slice(&self.raw), field.value.slice(&self.raw), field.line))
    }

    fn header_end(&self) -> usize {
        self.header_end
    }
}

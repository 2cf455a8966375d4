//! The MTA's side of one message: shows it to a filter, and carries out what the filter asks for.
//!
//! It behaves as Postfix does where MTAs differ. What no request touches stays octet for octet as it was
//! given, whatever its line ends; new lines get the line end of the message.

use thiserror::Error;

use super::command::{Arguments, MilterCommand};
use super::negotiate::{Negotiated, step};
use super::reply::MilterReply;
use crate::edit::Span;
use crate::message::{LineEnd, behind_line, with_line_ends};

/// A message in an MTA's hands.
#[derive(Debug, Clone)]
pub struct MtaMessage {
    raw: Vec<u8>,
    line_end: LineEnd,
    fields: Vec<MtaField>,
    /// The empty line after the header, if there is one.
    separator: Span,
    body: Span,
    new_body: Option<Vec<u8>>,
    /// Whether another request came behind the pieces of a new body: no further piece is taken then.
    body_is_over: bool,
    /// What was asked for beside the message itself.
    notes: Vec<String>,
}

/// The envelope that goes with a message: strings ended by an octet 0, the address first.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct MtaEnvelope {
    /// The sender in angle brackets, and MAIL's parameters.
    pub mail: Vec<u8>,
    /// Each recipient in angle brackets, and RCPT's parameters.
    pub rcpt: Vec<Vec<u8>>,
}

/// A field in an MTA's hands.
#[derive(Debug, Clone)]
struct MtaField {
    name: Vec<u8>,
    /// All that follows the colon, folds as LF.
    value: Vec<u8>,
    /// Where it stands in the message as it was given; none once it was changed.
    original: Option<Span>,
}

/// Why an MTA would not carry out a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum RequestRefusedError {
    /// A second run of body pieces (Postfix: 451 configuration error).
    #[error("a new body in two runs")]
    SecondBody,
    /// A reply that asks for nothing.
    #[error("a reply `{}` that asks for nothing at the end of a message", char::from(*.0))]
    NotRequest(u8),
}

impl MtaMessage {
    /// Reads a message: a `From ` line of a mailbox before it is left out, and a line that is no field ends
    /// the header, as MTAs do.
    pub fn read(mut raw: Vec<u8>) -> MtaMessage {
        if raw.starts_with(b"From ") {
            raw.drain(..behind_line(&raw, 0));
        }
        let (mut fields, mut at) = (Vec::new(), 0);
        while let Some((field, end)) = read_field(&raw, at) {
            fields.push(field);
            at = end;
        }
        let separator = Span::new(at, if is_empty_line(&raw, at) { behind_line(&raw, at) } else { at });
        let (line_end, body) = (LineEnd::of(&raw), Span::new(separator.end, raw.len()));
        MtaMessage { raw, line_end, fields, separator, body, new_body: None, body_is_over: false, notes: Vec::new() }
    }

    /// Calls `each` with every command that shows the message, from MAIL to the end. Commands that were agreed to be
    /// left out are among them; the caller drops those ([`Negotiated::shows`]).
    pub fn show(&self, envelope: &MtaEnvelope, negotiated: &Negotiated, mut each: impl FnMut(MilterCommand<'_>)) {
        each(MilterCommand::Mail(Arguments(&envelope.mail)));
        envelope.rcpt.iter().for_each(|rcpt| each(MilterCommand::Rcpt(Arguments(rcpt))));
        each(MilterCommand::Data);
        for MtaField { name, value, .. } in &self.fields {
            let bare =
                if negotiated.has(step::LEADING_SPACE) { value } else { value.strip_prefix(b" ").unwrap_or(value) };
            each(MilterCommand::Header { name, value: bare });
        }
        each(MilterCommand::EndOfHeader);
        let body = with_line_ends(self.body.slice(&self.raw), b"\r\n");
        body.chunks(super::BODY_PIECE).for_each(|piece| each(MilterCommand::Body(piece)));
        each(MilterCommand::EndOfMessage(b""));
    }

    /// Carries out one request. PROGRESS changes nothing; a verdict, or what else is no request, is refused.
    pub fn apply(&mut self, request: &MilterReply<'_>, negotiated: &Negotiated) -> Result<(), RequestRefusedError> {
        let spaced = negotiated.has(step::LEADING_SPACE);
        match request {
            MilterReply::ReplaceBody(piece) => return self.replace_body(piece),
            MilterReply::Progress => return Ok(()),
            _ => {}
        }
        // Any other request ends a run of body pieces.
        self.body_is_over = self.new_body.is_some();
        match *request {
            MilterReply::AddHeader { name, value } => self.fields.push(MtaField::new(name, value, spaced)),
            // The MTA's own Received, which is not among these, counts and stands above them.
            MilterReply::InsertHeader { index, name, value } => {
                let at = (index as usize).saturating_sub(1).min(self.fields.len());
                self.fields.insert(at, MtaField::new(name, value, spaced));
            }
            MilterReply::ChangeHeader { index, name, value } => self.change(index, name, value, spaced),
            MilterReply::ChangeFrom(text) => self.note("sender", text),
            MilterReply::AddRcpt(text) | MilterReply::AddRcptParameters(text) => self.note("recipient added", text),
            MilterReply::DeleteRcpt(text) => self.note("recipient deleted", text),
            MilterReply::Quarantine(text) => self.note("quarantined", text),
            _ => return Err(RequestRefusedError::NotRequest(request.code())),
        }
        Ok(())
    }

    /// Returns the message as it now is.
    pub fn octets(&self) -> Vec<u8> {
        let mut out = Vec::with_capacity(self.raw.len());
        for field in &self.fields {
            match field.original {
                Some(span) => out.extend_from_slice(span.slice(&self.raw)),
                None => {
                    out.extend_from_slice(&field.name);
                    out.push(b':');
                    out.extend_from_slice(&with_line_ends(&field.value, self.line_end.as_bytes()));
                    out.extend_from_slice(self.line_end.as_bytes());
                }
            }
        }
        out.extend_from_slice(self.separator.slice(&self.raw));
        match &self.new_body {
            None => out.extend_from_slice(self.body.slice(&self.raw)),
            Some(body) => {
                // A message without an empty line gets one before its new body.
                if self.separator.is_empty() {
                    out.extend_from_slice(self.line_end.as_bytes());
                }
                out.extend_from_slice(&with_line_ends(body, self.line_end.as_bytes()));
            }
        }
        out
    }

    /// Returns what was asked for beside the message itself, a line each.
    pub fn notes(&self) -> &[String] {
        &self.notes
    }

    /// Returns `true` if the message, as it was given, needs an MTA that takes 8-bit octets.
    pub fn is_8bit(&self) -> bool {
        !self.raw.is_ascii()
    }

    /// Returns `true` if an octet of the header, as it was given, is not ASCII.
    pub fn has_8bit_header(&self) -> bool {
        !Span::new(0, self.separator.start).slice(&self.raw).is_ascii()
    }

    /// Changes the field of this number among those of its name, or deletes it if the value is empty. Where there is
    /// none, a value is added at the end, as Postfix does.
    fn change(&mut self, index: u32, name: &[u8], value: &[u8], spaced: bool) {
        let mut same = (0..self.fields.len()).filter(|&at| self.fields[at].name.eq_ignore_ascii_case(name));
        let at = same.nth((index as usize).saturating_sub(1));
        match at {
            Some(at) if value.is_empty() => drop(self.fields.remove(at)),
            Some(at) => self.fields[at] = MtaField::new(name, value, spaced),
            None if value.is_empty() => {}
            None => self.fields.push(MtaField::new(name, value, spaced)),
        }
    }

    /// Takes a piece of the new body, unless other requests came between the pieces.
    fn replace_body(&mut self, piece: &[u8]) -> Result<(), RequestRefusedError> {
        if self.body_is_over {
            return Err(RequestRefusedError::SecondBody);
        }
        self.new_body.get_or_insert_default().extend_from_slice(piece);
        Ok(())
    }

    /// Notes what is asked for beside the message.
    fn note(&mut self, what: &str, text: &[u8]) {
        self.notes.push(format!("{what}: {}", text.escape_ascii()));
    }
}

impl MtaField {
    /// Makes a field of a request. A LF that no white space follows gets a tab; unless `spaced`, a space is put between
    /// the colon and the value.
    fn new(name: &[u8], value: &[u8], spaced: bool) -> MtaField {
        let mut kept = if spaced { Vec::new() } else { b" ".to_vec() };
        for (at, &octet) in value.iter().enumerate() {
            kept.push(octet);
            if octet == b'\n' && !matches!(value.get(at + 1), Some(b' ' | b'\t')) {
                kept.push(b'\t');
            }
        }
        MtaField { name: name.to_vec(), value: kept, original: None }
    }
}

/// Reads the field that starts at `at`, and returns where the next one would start; none where the line is no field.
fn read_field(raw: &[u8], at: usize) -> Option<(MtaField, usize)> {
    let first = &raw[at..behind_line(raw, at)];
    let colon = memchr::memchr(b':', first)?;
    let name = first[..colon].trim_ascii_end();
    if name.is_empty() || !name.iter().all(u8::is_ascii_graphic) {
        return None;
    }
    let mut end = at + first.len();
    while matches!(raw.get(end), Some(b' ' | b'\t')) {
        end = behind_line(raw, end);
    }
    let line = LineEnd::strip(&raw[at + colon + 1..end]);
    let value = with_line_ends(line, b"\n").into_owned();
    Some((MtaField { name: name.to_vec(), value, original: Some(Span::new(at, end)) }, end))
}

/// Returns `true` if an empty line starts at `at`; the end of the message is none.
fn is_empty_line(raw: &[u8], at: usize) -> bool {
    raw[at..].starts_with(b"\n") || raw[at..].starts_with(b"\r\n")
}

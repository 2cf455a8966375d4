//! Keeps the MIME fields of a part true to its body: Content-Type's charset, the transfer encoding, MIME-Version.
//!
//! A field that exists is edited where it says the wrong thing and nowhere else. A field that is missing is added
//! at the end of the header, where every program and both MTAs expect additions.

use super::body::BodyPlan;
use super::{Change, Outcome, Place};
use crate::edit::{EditList, Overlap, Span};
use crate::message::{Field, Message, Part};

/// The longest line that a parameter is put on; beyond it the line is folded (RFC 5322 §2.1.1).
const LINE: usize = 76;

/// The edits of one part's header, and what goes into the report.
pub(super) struct MimeFields<'m, 'a> {
    message: &'m Message<'a>,
    part: &'m Part,
    added: Vec<u8>,
    /// The report's entries, in order.
    pub entries: Vec<(Place, Outcome)>,
}

impl<'m, 'a> MimeFields<'m, 'a> {
    /// Starts on a part; nothing is edited yet.
    pub fn new(message: &'m Message<'a>, part: &'m Part) -> MimeFields<'m, 'a> {
        MimeFields { message, part, added: Vec::new(), entries: Vec::new() }
    }

    /// Writes what the body's plan asks of the header; `version` says that a MIME-Version must be there too.
    pub fn write(&mut self, plan: &BodyPlan, version: bool, edits: &mut EditList) -> Result<(), Overlap> {
        if version && self.field("MIME-Version").is_none() {
            self.add("MIME-Version", "1.0");
        }
        if let Some(charset) = plan.charset {
            self.charset(charset, edits)?;
        }
        if let Some(transfer) = &plan.transfer {
            match self.field("Content-Transfer-Encoding") {
                Some(field) => edits.push(trimmed(self.message.raw(), field.value), transfer.name())?,
                None => self.add("Content-Transfer-Encoding", transfer.name()),
            }
        }
        if !self.added.is_empty() {
            edits.push(Span::empty(self.part.header.end), std::mem::take(&mut self.added))?;
        }
        Ok(())
    }

    fn field(&self, name: &str) -> Option<&'m Field> {
        self.message.field(self.part, name)
    }

    fn add(&mut self, name: &'static str, value: &str) {
        let end = self.message.line_end().as_str();
        self.added.extend_from_slice(format!("{name}: {value}{end}").as_bytes());
        self.entries.push((Place::Field(name.to_owned()), Outcome::Done(vec![Change::Added { field: name }])));
    }

    fn charset(&mut self, charset: &str, edits: &mut EditList) -> Result<(), Overlap> {
        let raw = self.message.raw();
        let ty = &self.part.content_type;
        let Some(field) = self.field("Content-Type") else {
            self.add("Content-Type", &format!("{}/{}; charset={charset}", ty.main, ty.sub));
            return Ok(());
        };
        if ty.media.is_empty() {
            let repaired = Outcome::Done(vec![Change::Repaired { what: "content-type" }]);
            self.entries.push((Place::Field("Content-Type".to_owned()), repaired));
            let value = format!("{}{}/{}; charset={charset}", leading_space(raw, field), ty.main, ty.sub);
            return edits.push(trimmed(raw, field.value), value);
        }
        let mut sections = ty.sections(raw, "charset");
        let Some(first) = sections.next() else {
            return edits.push(Span::empty(ty.media.end), self.new_parameter(field, charset));
        };
        let quoted = first.value.slice(raw).starts_with(b"\"");
        let value = if quoted { format!("\"{charset}\"") } else { charset.to_owned() };
        if first.name.slice(raw).contains(&b'*') {
            edits.push(Span::new(first.name.start, first.value.end), format!("charset={value}"))?;
        } else {
            edits.push(first.value, value)?;
        }
        // Further sections would contradict the first: each goes, with the semicolon before it.
        let semicolon = |at: usize| raw[..at].iter().rposition(|&octet| octet == b';').unwrap_or(at);
        sections.try_for_each(|more| edits.push(Span::new(semicolon(more.name.start), more.value.end), ""))
    }

    /// Gives `; charset=…`, folded if the line that it goes into would get too long.
    fn new_parameter(&self, field: &Field, charset: &str) -> String {
        let line = field.line.slice(self.message.raw());
        let column = line.iter().position(|&octet| octet == b'\n').unwrap_or(line.len());
        let fold = if column + charset.len() + 10 > LINE { self.message.line_end().as_str() } else { "" };
        format!(";{fold} charset={charset}")
    }
}

/// Gives the span of a value without the white space around it.
fn trimmed(raw: &[u8], value: Span) -> Span {
    let text = value.slice(raw);
    let start = value.start + (text.len() - text.trim_ascii_start().len());
    Span::new(start, start + text.trim_ascii().len())
}

/// Gives a space where an empty value is to be filled that has none before it.
fn leading_space(raw: &[u8], field: &Field) -> &'static str {
    if field.value.slice(raw).is_empty() { " " } else { "" }
}

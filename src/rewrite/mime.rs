//! Keeps the MIME fields of a part true to its body: Content-Type's charset, the transfer encoding, MIME-Version.
//!
//! A field that exists is edited where it says the wrong thing and nowhere else. A field that is missing is added
//! at the end of the header, where every program and both MTAs expect additions.

use super::body::BodyPlan;
use super::{Change, Outcome, Place};
use crate::edit::{EditList, Overlap, Span};
use crate::message::{ContentType, Field, Message, Part};

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
        if let Some(media) = plan.media {
            self.media(media, edits)?;
        }
        if let Some(transfer) = &plan.transfer {
            if self.field("Content-Transfer-Encoding").is_none() {
                self.add("Content-Transfer-Encoding", transfer.name());
            }
            for field in self.fields("Content-Transfer-Encoding") {
                edits.push(trimmed(self.message.raw(), field.value), transfer.name())?;
            }
        }
        if (plan.body.is_some() || !self.added.is_empty()) && self.lacks_empty_line() {
            // An edited body might begin with what looks like a field.
            self.added.extend_from_slice(self.message.line_end().as_bytes());
            let repaired = Outcome::Done(vec![Change::Repaired { what: "empty-line" }]);
            self.entries.push((Place::Body, repaired));
        }
        if !self.added.is_empty() {
            edits.push(Span::empty(self.part.header.end), std::mem::take(&mut self.added))?;
        }
        Ok(())
    }

    /// Tells whether the body begins right after the last field.
    fn lacks_empty_line(&self) -> bool {
        let (header, body) = (self.part.header, self.part.body);
        header.end == body.start && !body.is_empty()
    }

    fn field(&self, name: &str) -> Option<&'m Field> {
        self.message.field(self.part, name)
    }

    /// Gives every field of a name: where it stands twice and is written, both say the same.
    fn fields(&self, name: &'static str) -> impl Iterator<Item = &'m Field> + use<'m, 'a> {
        let (raw, fields) = (self.message.raw(), self.message.fields(self.part));
        fields.iter().filter(move |field| field.is(raw, name))
    }

    fn add(&mut self, name: &'static str, value: &str) {
        let end = self.message.line_end().as_str();
        self.added.extend_from_slice(format!("{name}: {value}{end}").as_bytes());
        self.entries.push((Place::Field(name.to_owned()), Outcome::Done(vec![Change::Added { field: name }])));
    }

    fn media(&mut self, media: &str, edits: &mut EditList) -> Result<(), Overlap> {
        if self.part.content_type.media.is_empty() {
            return self.content_type(media, edits);
        }
        for field in self.fields("Content-Type") {
            let named = ContentType::read(self.message.raw(), field.value).map(|ty| ty.media);
            named.map_or(Ok(()), |named| edits.push(named, media))?;
        }
        Ok(())
    }

    /// Writes a Content-Type where there is none, or one that names no type.
    fn content_type(&mut self, value: &str, edits: &mut EditList) -> Result<(), Overlap> {
        let raw = self.message.raw();
        match self.field("Content-Type") {
            Some(field) => edits.push(trimmed(raw, field.value), format!("{}{value}", leading_space(raw, field))),
            None => {
                self.add("Content-Type", value);
                Ok(())
            }
        }
    }

    fn charset(&mut self, charset: &str, edits: &mut EditList) -> Result<(), Overlap> {
        let ty = &self.part.content_type;
        if ty.media.is_empty() {
            if self.field("Content-Type").is_some() {
                let repaired = Outcome::Done(vec![Change::Repaired { what: "content-type" }]);
                self.entries.push((Place::Field("Content-Type".to_owned()), repaired));
            }
            return self.content_type(&format!("{}/{}; charset={charset}", ty.main, ty.sub), edits);
        }
        if is_open(self.message.raw(), ty) {
            for field in self.fields("Content-Type") {
                let media = ContentType::read(self.message.raw(), field.value).map_or(ty.media, |ty| ty.media);
                edits.push(Span::empty(media.end), format!("; charset={charset}"))?;
            }
            return Ok(());
        }
        // Any other field gets its parameter from the planner of fields.
        Ok(())
    }
}

/// Gives the field of a part whose charset the planner of fields can set, if there is one.
pub(super) fn labelled_field<'m>(message: &'m Message, part: &Part) -> Option<&'m Field> {
    let ty = &part.content_type;
    message.field(part, "Content-Type").filter(|_| !ty.media.is_empty() && !is_open(message.raw(), ty))
}

/// Tells whether the last parameter lacks its closing quote, so that nothing can be added after it.
fn is_open(raw: &[u8], ty: &ContentType) -> bool {
    let last = ty.parameters.last().map(|last| last.value.slice(raw));
    last.is_some_and(|value| value.starts_with(b"\"") && (value.len() < 2 || !value.ends_with(b"\"")))
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

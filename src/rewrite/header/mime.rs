//! Keeps the MIME fields of a part true to its body: Content-Type's charset, the transfer encoding, MIME-Version.
//!
//! A field that exists is edited where it says the wrong thing and nowhere else. A field that is missing is added
//! at the end of the header, where every program and both MTAs expect additions.

use crate::edit::{EditList, Overlap, Span};
use crate::message::{CONTENT_TRANSFER_ENCODING, CONTENT_TYPE, ContentType, Field, FieldNames, Message, Part};
use crate::rewrite::body_plan::BodyPlan;
use crate::rewrite::{Change, Outcome, Place};

/// The edits of one part's header, and what goes into the report.
pub(in crate::rewrite) struct MimeFields<'m, 'a> {
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

    /// Writes what the body's plan asks of the header; `version` says that a MIME-Version must be there too. The
    /// charset of a Content-Type that has a type is left to the planner of fields. On an error some edits may have been
    /// added.
    ///
    /// It adds only fields that the proof allows (`MAY_COME`). For a part without a Content-Type the plan must not ask for
    /// both a media type and a charset: the field would be added twice. A changed transfer encoding is reported with the
    /// body, not here.
    pub fn write(&mut self, plan: &BodyPlan, version: bool, edits: &mut EditList) -> Result<(), Overlap> {
        // A header behind a `>From ` line is the only irregular one that the gate admits; it gets what its body needs,
        // and no MIME-Version.
        if version && self.part.header_irregularity.is_none() && self.field("MIME-Version").is_none() {
            self.add_field("MIME-Version", "1.0");
        }
        if let Some(charset) = plan.charset {
            self.write_charset(charset, edits)?;
        }
        if let Some(media) = plan.media {
            self.write_media(media, edits)?;
        }
        if let Some(transfer) = &plan.transfer {
            if self.field("Content-Transfer-Encoding").is_none() {
                self.add_field("Content-Transfer-Encoding", transfer.name());
            }
            for field in self.fields(CONTENT_TRANSFER_ENCODING) {
                let (at, space) = to_its_end(self.message.raw(), field);
                edits.push(at, format!("{space}{}", transfer.name()))?;
            }
        }
        if !self.added.is_empty() {
            edits.push(Span::empty(self.part.header.end), std::mem::take(&mut self.added))?;
        }
        Ok(())
    }

    /// Returns the first field of a name.
    fn field(&self, name: &str) -> Option<&'m Field> {
        self.message.field(self.part, name)
    }

    /// Returns every field of a name. The gate has seen to it that they say the same, so that all are written alike.
    fn fields(&self, name: FieldNames) -> impl Iterator<Item = &'m Field> + use<'m, 'a> {
        let fields = self.message.fields(self.part);
        fields.iter().filter(move |field| field.is_one_of(name))
    }

    /// Adds a field behind those that stand, and reports it; [`write`](Self::write) puts all that were added into one
    /// edit at the end of the header.
    fn add_field(&mut self, name: &'static str, value: &str) {
        let end = self.message.line_end_at(self.part.header.end.saturating_sub(1)).as_str();
        self.added.extend_from_slice(format!("{name}: {value}{end}").as_bytes());
        self.entries.push((Place::Field(name.to_owned()), Outcome::Done(vec![Change::Added { field: name.into() }])));
    }

    /// Writes another media type, in every Content-Type of the part, and leaves the parameters to the planner of
    /// fields. Where there is none, or it has no type, it is written whole.
    fn write_media(&mut self, media: &str, edits: &mut EditList) -> Result<(), Overlap> {
        if self.part.content_type.media.is_empty() {
            return self.write_content_type(media, edits);
        }
        for field in self.fields(CONTENT_TYPE) {
            edits.push(ContentType::read(self.message.raw(), field.value).media, media)?;
        }
        Ok(())
    }

    /// Adds a Content-Type where there is none, or fills the one that has no type; no other may stand there.
    fn write_content_type(&mut self, value: &str, edits: &mut EditList) -> Result<(), Overlap> {
        let raw = self.message.raw();
        match self.field("Content-Type") {
            Some(field) => edits.push(trimmed(raw, field.value), format!("{}{value}", leading_space(raw, field))),
            None => {
                self.add_field("Content-Type", value);
                Ok(())
            }
        }
    }

    /// Writes a charset where the planner of fields has no field to set it in: a Content-Type is added, or gets a type
    /// first.
    fn write_charset(&mut self, charset: &str, edits: &mut EditList) -> Result<(), Overlap> {
        let (raw, ty) = (self.message.raw(), &self.part.content_type);
        let media = format!("{}/{}", ty.main, ty.sub);
        if ty.media.is_empty() {
            if self.field("Content-Type").is_some() {
                self.report_repaired();
            }
            return self.write_content_type(&format!("{media}; charset={charset}"), edits);
        }
        if !ty.media.slice(raw).contains(&b'/') {
            self.report_repaired();
            edits.push(ty.media, media)?;
        }
        // Any other field gets its parameter from the planner of fields.
        Ok(())
    }

    /// Reports that a Content-Type says its type in full now.
    fn report_repaired(&mut self) {
        let repaired = Outcome::Done(vec![Change::Repaired { what: "content-type" }]);
        self.entries.push((Place::Field("Content-Type".to_owned()), repaired));
    }
}

/// Returns the field of a part whose charset the planner of fields can set: its first Content-Type, if it names a type.
pub(in crate::rewrite) fn labelled_field<'m>(message: &'m Message, part: &Part) -> Option<&'m Field> {
    message.field(part, "Content-Type").filter(|_| !part.content_type.media.is_empty())
}

/// Returns the span of a value without the white space around it; an empty one for nothing but white space.
fn trimmed(raw: &[u8], value: Span) -> Span {
    let text = value.slice(raw);
    let start = value.start + (text.len() - text.trim_ascii_start().len());
    Span::new(start, start + text.trim_ascii().len())
}

/// Returns the span of a value that a transfer encoding takes the place of, and the white space to write before it. The
/// span reaches to the very end, and over a fold at the start: some readers take a blank behind a transfer encoding, or
/// a fold before it, for a part of its name.
fn to_its_end(raw: &[u8], field: &Field) -> (Span, &'static str) {
    let solid = field.solid_value(raw);
    match solid.slice(raw).first().is_none_or(u8::is_ascii_whitespace) {
        true => (field.value, " "),
        false => (solid, ""),
    }
}

/// Returns a space where an empty value is to be filled that has none before it.
fn leading_space(raw: &[u8], field: &Field) -> &'static str {
    if field.value.slice(raw).is_empty() { " " } else { "" }
}

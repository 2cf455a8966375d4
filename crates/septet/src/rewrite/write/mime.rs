//! Keeps the MIME fields of a part true to its body: Content-Type's charset, the transfer encoding, MIME-Version.
//!
//! A field that exists is edited where it says the wrong thing and nowhere else. A field that is missing is added
//! at the end of the header, where every program and both MTAs expect additions. The charset of a Content-Type that has
//! a type is set by the planner of fields (`header/`), and not here.

use super::Writer;
use crate::edit::Span;
use crate::message::{CONTENT_TRANSFER_ENCODING, CONTENT_TYPE, ContentType, Part};
use crate::rewrite::Change;

impl Writer<'_, '_, '_> {
    /// Writes what the plan of a part's body asks of the header; `version` says that a MIME-Version must be there too.
    ///
    /// It adds only fields that the proof allows (`MAY_COME` in `proof/places.rs`). For a part without a Content-Type
    /// the plan must not ask for both a media type and a charset, of which only the charset would be written. A changed
    /// transfer encoding is reported with the body, not here.
    pub(super) fn write_mime_fields(&mut self, index: usize, part: &Part, version: bool) {
        let (message, mut added) = (self.survey.message, String::new());
        // A header behind a `>From ` line is the only irregular one that the gate (`survey/gate.rs`) lets through; it
        // gets what its body needs, and no MIME-Version.
        if version && part.header_irregularity.is_none() && message.field(part, "MIME-Version").is_none() {
            self.add_field(index, part, ("MIME-Version", "1.0"), &mut added);
        }
        self.write_type(index, part, &mut added);
        self.write_transfer(index, part, &mut added);
        if !added.is_empty() {
            self.edit(Span::empty(part.header.end), added);
        }
    }

    /// Writes the transfer encoding that the plan of a part's body asks for, if it asks, in every field that names one.
    /// Where there is none, one is added.
    pub(super) fn write_transfer(&mut self, index: usize, part: &Part, added: &mut String) {
        let (message, transfer) = (self.survey.message, self.bodies[index].transfer.clone());
        let Some(transfer) = transfer else { return };
        if message.field(part, "Content-Transfer-Encoding").is_none() {
            self.add_field(index, part, ("Content-Transfer-Encoding", transfer.name()), added);
        }
        for field in message.fields(part).iter().filter(|field| field.is_one_of(CONTENT_TRANSFER_ENCODING)) {
            // What is replaced reaches to the very end, and over a fold at the start: some readers take a blank behind
            // a transfer encoding, or a fold before it, for a part of its name.
            let solid = field.solid_value(message.raw());
            match solid.slice(message.raw()).first().is_none_or(u8::is_ascii_whitespace) {
                true => self.edit(field.value, format!(" {}", transfer.name())),
                false => self.edit(solid, transfer.name()),
            }
        }
    }

    /// Appends a field, its name and its value, to those that are `added` to the header of a part, and reports it.
    fn add_field(&mut self, index: usize, part: &Part, (name, value): (&'static str, &str), added: &mut String) {
        let end = self.survey.message.line_end_at(part.header.end.saturating_sub(1)).as_str();
        added.push_str(&format!("{name}: {value}{end}"));
        self.report_change(index, name, Change::Added { field: name.into() });
    }

    /// Writes the type of the part: another media type in every Content-Type, or for a charset a whole type where a
    /// part of one stands, since it is the planner of fields that sets the parameter of a whole one. Where there is no
    /// type, the field is written whole.
    pub(super) fn write_type(&mut self, index: usize, part: &Part, added: &mut String) {
        let (ty, message) = (&part.content_type, self.survey.message);
        let (charset, media) = (self.bodies[index].charset, self.bodies[index].media);
        let is_whole = ty.media.slice(message.raw()).contains(&b'/');
        let mut fields = message.fields(part).iter().filter(|field| field.is_one_of(CONTENT_TYPE)).peekable();
        if charset.is_some() && !is_whole && fields.peek().is_some() {
            self.report_change(index, "Content-Type", Change::Repaired { what: "content-type" });
        }
        match (charset, media) {
            (Some(charset), _) if ty.media.is_empty() => {
                self.write_content_type(index, part, &format!("{}/{}; charset={charset}", ty.main, ty.sub), added);
            }
            (None, Some(media)) if ty.media.is_empty() => self.write_content_type(index, part, media, added),
            (_, Some(media)) => {
                fields.for_each(|field| self.edit(ContentType::read(message.raw(), field.value).media, media));
            }
            (Some(_), None) if !is_whole => self.edit(ty.media, format!("{}/{}", ty.main, ty.sub)),
            _ => {}
        }
    }

    /// Adds a Content-Type where there is none, or fills the one that has no type; no other may stand there.
    fn write_content_type(&mut self, index: usize, part: &Part, value: &str, added: &mut String) {
        match self.survey.message.field(part, "Content-Type") {
            // An empty value has no space before it.
            Some(field) if field.value.is_empty() => self.edit(field.value, format!(" {value}")),
            Some(field) => self.edit(field.value.trimmed(self.survey.message.raw()), value),
            None => self.add_field(index, part, ("Content-Type", value), added),
        }
    }
}

//! Keeps the MIME fields of a part true to its body: Content-Type's charset, the transfer encoding, MIME-Version.
//!
//! A field that exists is edited where it says the wrong thing and nowhere else. A field that is missing is added
//! at the end of the header, where every program and both MTAs expect additions.

use crate::edit::{EditList, OverlapError, Span};
use crate::message::{CONTENT_TRANSFER_ENCODING, CONTENT_TYPE, ContentType, Field, Message, Part};
use crate::rewrite::Change;
use crate::rewrite::body_plan::BodyPlan;

/// The edits of one part's header, and what goes into the report.
pub(in crate::rewrite) struct MimeFields<'m, 'a> {
    message: &'m Message<'a>,
    part: &'m Part,
    added: Vec<u8>,
    /// What changes, by the names of fields, in the order of the report.
    pub changes: Vec<(&'static str, Change)>,
}

impl<'m, 'a> MimeFields<'m, 'a> {
    /// Starts on a part; nothing is edited yet.
    pub fn new(message: &'m Message<'a>, part: &'m Part) -> MimeFields<'m, 'a> {
        MimeFields { message, part, added: Vec::new(), changes: Vec::new() }
    }

    /// Writes what the body's plan asks of the header; `version` says that a MIME-Version must be there too. The
    /// charset of a Content-Type that has a type is left to the planner of fields. On an error some edits may have been
    /// added.
    ///
    /// It adds only fields that the proof allows (`MAY_COME`). For a part without a Content-Type the plan must not ask
    /// for both a media type and a charset: the field would be added twice. A changed transfer encoding is reported
    /// with the body, not here.
    pub fn write(&mut self, plan: &BodyPlan, version: bool, edits: &mut EditList) -> Result<(), OverlapError> {
        // A header behind a `>From ` line is the only irregular one that the gate admits; it gets what its body needs,
        // and no MIME-Version.
        if version && self.part.header_irregularity.is_none() && self.message.field(self.part, "MIME-Version").is_none()
        {
            self.add_field("MIME-Version", "1.0");
        }
        self.write_type(plan, edits)?;
        if let Some(transfer) = &plan.transfer {
            if self.message.field(self.part, "Content-Transfer-Encoding").is_none() {
                self.add_field("Content-Transfer-Encoding", transfer.name());
            }
            let fields = self.message.fields(self.part).iter();
            for field in fields.filter(|field| field.is_one_of(CONTENT_TRANSFER_ENCODING)) {
                // What is replaced reaches to the very end, and over a fold at the start: some readers take a blank
                // behind a transfer encoding, or a fold before it, for a part of its name.
                let solid = field.solid_value(self.message.raw());
                match solid.slice(self.message.raw()).first().is_none_or(u8::is_ascii_whitespace) {
                    true => edits.push(field.value, format!(" {}", transfer.name()))?,
                    false => edits.push(solid, transfer.name())?,
                }
            }
        }
        if !self.added.is_empty() {
            edits.push(Span::empty(self.part.header.end), std::mem::take(&mut self.added))?;
        }
        Ok(())
    }

    /// Adds a field behind those that stand, and reports it; [`write`](Self::write) puts all that were added into one
    /// edit at the end of the header.
    fn add_field(&mut self, name: &'static str, value: &str) {
        let end = self.message.line_end_at(self.part.header.end.saturating_sub(1)).as_str();
        self.added.extend_from_slice(format!("{name}: {value}{end}").as_bytes());
        self.changes.push((name, Change::Added { field: name.into() }));
    }

    /// Writes the type of the part: another media type in every Content-Type, or for a charset a whole type where a
    /// part of one stands, since it is the planner of fields that sets the parameter of a whole one. Where there is no
    /// type, the field is written whole.
    fn write_type(&mut self, plan: &BodyPlan, edits: &mut EditList) -> Result<(), OverlapError> {
        let (ty, raw) = (&self.part.content_type, self.message.raw());
        let is_whole = ty.media.slice(raw).contains(&b'/');
        let mut fields = self.message.fields(self.part).iter().filter(|field| field.is_one_of(CONTENT_TYPE));
        if plan.charset.is_some() && !is_whole && fields.clone().next().is_some() {
            self.changes.push(("Content-Type", Change::Repaired { what: "content-type" }));
        }
        match (plan.charset, plan.media) {
            (Some(charset), _) if ty.media.is_empty() => {
                self.write_content_type(&format!("{}/{}; charset={charset}", ty.main, ty.sub), edits)
            }
            (None, Some(media)) if ty.media.is_empty() => self.write_content_type(media, edits),
            (_, Some(media)) => {
                fields.try_for_each(|field| edits.push(ContentType::read(raw, field.value).media, media))
            }
            (Some(_), None) if !is_whole => edits.push(ty.media, format!("{}/{}", ty.main, ty.sub)),
            _ => Ok(()),
        }
    }

    /// Adds a Content-Type where there is none, or fills the one that has no type; no other may stand there.
    fn write_content_type(&mut self, value: &str, edits: &mut EditList) -> Result<(), OverlapError> {
        let raw = self.message.raw();
        match self.message.field(self.part, "Content-Type") {
            // An empty value has no space before it.
            Some(field) if field.value.is_empty() => edits.push(field.value, format!(" {value}")),
            Some(field) => edits.push(field.value.trimmed(raw), value),
            None => {
                self.add_field("Content-Type", value);
                Ok(())
            }
        }
    }
}

/// Returns the field of a part whose charset the planner of fields can set: its first Content-Type, if it names a type.
/// Where there is none, [`MimeFields::write`] writes a charset with the type; else it writes none.
pub(in crate::rewrite) fn labelled_field<'m>(message: &'m Message, part: &Part) -> Option<&'m Field> {
    message.field(part, "Content-Type").filter(|_| !part.content_type.media.is_empty())
}

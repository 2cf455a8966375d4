//! Moves the fields to `Downgraded-NAME` that must not be in raw 8-bit and can't be anything else (RFC 6857 §3.1.10).
//!
//! The field is taken out and the other one added at the end of the header, where every program and both MTAs expect
//! additions. A Content-ID or Content-Location that a text refers to stays: without it a picture would vanish, and a
//! change of both is nobody's to read back.

use super::header::ProvedValue;
use super::planner::Planner;
use super::survey::evidence::beside::Beside;
use super::{Change, Dkim, Outcome, Place, Reason, header};
use crate::edit::Overlap;
use crate::message::{Field, Part};

impl Planner<'_, '_> {
    /// Returns `true` if a field of a part must be moved, and may be where it stands; `after` is its value by its own
    /// plan. Whether a signature keeps it, [`downgraded_field`](Self::downgraded_field) asks.
    pub(super) fn must_be_moved(&self, index: usize, field: &Field, after: &[u8]) -> bool {
        let part = &self.message.parts()[index];
        let name = self.message.slice(field.name);
        self.profile.downgrades()
            && !after.is_ascii()
            && header::is_encapsulable(name)
            && part.header_irregularity.is_none()
            && self.irregular_field(part, field).is_none()
            && self.message.slice(part.header).ends_with(b"\n")
            && !self.ends_in_delimiter(part)
            && !self.follows_byte_order_mark(field)
            && !self.is_ragged_header(index)
            && !self.is_referred_to(index, field)
    }

    /// Returns `true` if the line end of a header's last field belongs to the delimiter behind it: nothing can be put
    /// in there.
    fn ends_in_delimiter(&self, part: &Part) -> bool {
        let around = part.parent.and_then(|at| self.message.parts().get(at));
        around.is_some_and(|around| part.header.end > around.body.end)
    }

    /// Returns `true` if some readers end the header of a part before its end. All fields stay there: without the one at
    /// which it ends these readers would see another message, and what is added at the end is text to them.
    fn is_ragged_header(&self, index: usize) -> bool {
        let ragged = || self.message.parts().iter().map(|part| self.has_ambiguous_lines(part, None)).collect();
        self.ragged_headers.get_or_init(ragged).get(index) == Some(&true)
    }

    /// Returns `true` if a byte order mark stands before a field: to some readers it is a part of the first field's name, and
    /// would become one of the next.
    fn follows_byte_order_mark(&self, field: &Field) -> bool {
        self.message.raw()[..field.line.start].ends_with(b"\xEF\xBB\xBF")
    }

    /// Returns the whole line of the `Downgraded-` field that a field is moved to, and its value, which is proved; an
    /// error says why it stays: it is signed or encrypted, is a signature that the profile keeps, or can't be written
    /// within the limits.
    pub(super) fn downgraded_field(
        &self,
        part: &Part,
        field: &Field,
        beside: Beside,
    ) -> Result<(String, ProvedValue), Reason> {
        let bound =
            self.why_field_is_bound(part, field).or_else(|| self.is_kept_signature(field).then_some(Reason::Dkim));
        let moved = bound.map_or_else(|| header::encapsulated(self.message, self.profile, field, beside), Err)?;
        match self.profile.limits.reached_by_field(moved.0.as_bytes(), 0) {
            Some(_) => Err(Reason::LongLine),
            None => Ok(moved),
        }
    }

    /// Takes a field out and appends its new one to `moved`, the fields that were moved so far, which the caller writes
    /// at the end of the header in one edit; or reports why it stays. The field must be one that
    /// [`must_be_moved`](Self::must_be_moved).
    pub(super) fn encapsulate(
        &mut self,
        index: usize,
        part: &Part,
        field: &Field,
        beside: Beside,
        moved: &mut String,
    ) -> Result<(), Overlap> {
        let name = String::from_utf8_lossy(self.message.slice(field.name)).into_owned();
        match self.downgraded_field(part, field, beside) {
            Err(reason) => self.entries[index].push((Place::Field(name), Outcome::Left(reason))),
            Ok((line, proved)) => {
                self.edits.push(field.line, Vec::new())?;
                self.proved.insert(field.value, proved);
                moved.push_str(&line);
                let new = format!("{}{name}", header::DOWNGRADED);
                let removed = Change::Removed { field: name.clone().into() };
                let added = Change::Added { field: new.clone().into() };
                self.entries[index].push((Place::Field(name), Outcome::Done(vec![removed])));
                self.entries[index].push((Place::Field(new), Outcome::Done(vec![added])));
            }
        }
        Ok(())
    }

    /// Returns `true` if a field belongs to a signature, and the profile keeps what some signature covers.
    fn is_kept_signature(&self, field: &Field) -> bool {
        let name = self.message.slice(field.name).to_ascii_lowercase();
        let is_signature = name == b"dkim-signature" || name.starts_with(b"arc-");
        is_signature && self.profile.dkim != Dkim::Rewrite && self.cover.bodies
    }
}

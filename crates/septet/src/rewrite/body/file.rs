//! A file is a file: what keeps its decoded octets, whatever the profile makes of texts.
//!
//! Somebody who saves an attachment wants the file that was attached: its patch must apply, its checksum must hold.
//! Somebody who reads a text wants letters. Which of the two a part is, is read off as mail programs read it:
//!
//! - `Content-Disposition: attachment` is a file, always.
//! - A file name makes a file of every type that no mail program shows as text: text/csv, text/x-patch, text/css …
//!   A text/plain or text/html with a name and without that disposition is shown in the message, and so is a text.
//! - A patch by its type (text/x-diff, text/x-patch) is a file wherever it stands, be it the whole of a message:
//!   whoever gets it applies it to files in their charset (`git am`, `patch`), and never recoded, not even where a
//!   profile has `attachments = "text"`.
//! - A text that carries a file in its lines (uuencode, yEnc, BinHex, a patch) or an OpenPGP block (RFC 9580 §6.2) is
//!   as frail as a file: nobody can tell the octets that are meant from those that are read. These stay even where a
//!   profile has `attachments = "text"`.
//!
//! The transfer encoding of a file is written anew only where the next hop takes 7 bits, and then the same octets come
//! out of it. What those are is not as plain as it seems, for a file in a body without a transfer encoding has the line
//! ends of the message, and on the way these are CRLF (RFC 2046 §4.1.1): in a message kept with LF, a line end of the
//! body means CRLF, and CRLF is put into base64. A line end of the other kind is not the message's but the file's, and
//! only base64 can keep it.

use memchr::memmem;

use super::transfer::{ReencodeInput, lone_line_feeds};
use crate::message::LineEnd;
use crate::rewrite::body_plan::BodyPlan;
use crate::rewrite::survey::body::Body;
use crate::rewrite::survey::file::is_file;
use crate::rewrite::survey::form::{TextForm, is_patch};
use crate::rewrite::{Attachments, BodyLabel, Change, Note, Outcome, Reason, Transfer};

impl Body<'_> {
    /// Returns `true` if the part is a file that its profile keeps, or a patch, which any profile keeps. The charset of
    /// such a part, its blanks and its links stay.
    pub(super) fn is_kept_file(&self, form: TextForm) -> bool {
        let keeps = self.profile.attachments == Attachments::Keep;
        is_patch(self.part) || keeps && is_file(self.message, self.part, form)
    }

    /// Makes the plan of a file whose octets stay, or of a text that carries one, from `wanted`, what was planned for
    /// it as for a text. Its notes stay; changes, and reasons of a text that carries a file, become
    /// [`Reason::Attachment`].
    ///
    /// That a file (`is_file`) could not be read is not reported, for nobody had to read it.
    pub(super) fn keep_octets(&self, octets: &[u8], wanted: BodyPlan, is_file: bool) -> Result<BodyPlan, Reason> {
        let mut plan = self.reencode_octets(octets)?;
        let changes = changes_more(&wanted, &plan) || (!is_file && wanted.leaves());
        plan.outcomes.extend(wanted.outcomes.into_iter().filter(is_said_of_files));
        plan.outcomes.extend(changes.then_some(Outcome::Left(Reason::Attachment)));
        Ok(plan)
    }

    /// Plans the transfer encoding of octets that stay: only to 7 bits, and only under `transfer = "7bit"`. 8-bit
    /// octets without a transfer encoding whose line ends are not those of the message go into base64, which alone
    /// keeps them. The error is that of `reencode`.
    pub(super) fn reencode_octets(&self, octets: &[u8]) -> Result<BodyPlan, Reason> {
        if self.profile.transfer != Transfer::SevenBit {
            return Ok(BodyPlan::default());
        }
        let is_eight_bit = !self.raw.is_ascii() && self.transfer.is_identity();
        let exact = is_eight_bit && has_ends_of_its_own(octets, self.line_end());
        self.plan_reencoded(ReencodeInput { exact, ..self.to_reencode(octets) })
    }
}

/// Returns `true` if an outcome planned for a text is said of a file as well: notes are, but none of a link, for no
/// link of it is rewritten, so that none fails.
fn is_said_of_files(outcome: &Outcome) -> bool {
    matches!(outcome, Outcome::Noted(note) if !matches!(note, Note::Link(_)))
}

/// Returns `true` if `wanted` makes changes that `kept`, which keeps the octets, does not. A transfer encoding alone,
/// or a repair, is a change only where `kept` does nothing; the label of a transfer encoding is none, for it says
/// nothing of the octets.
fn changes_more(wanted: &BodyPlan, kept: &BodyPlan) -> bool {
    wanted.changes() && !wanted.reported_changes().all(|change| is_made_with(change, kept))
}

/// Returns `true` if a change is no more than `kept` makes, or says nothing of the octets. A change of a kind that is
/// not named counts as one of the octets, and the file is reported as left.
fn is_made_with(change: &Change, kept: &BodyPlan) -> bool {
    match change {
        Change::Transfer { .. } | Change::Repaired { .. } => kept.changes(),
        Change::Label { what, .. } => *what == BodyLabel::Transfer,
        _ => false,
    }
}

/// Returns `true` if a body without a transfer encoding has line ends that are not those of the message. A CR alone is
/// none in either.
fn has_ends_of_its_own(octets: &[u8], ends: LineEnd) -> bool {
    match ends {
        LineEnd::Lf => memmem::find(octets, b"\r\n").is_some(),
        LineEnd::CrLf => lone_line_feeds(octets) > 0,
    }
}

/// Returns `true` if octets are a file whatever their type says: they begin with its magic number, as no text does. A
/// number that a text could begin with must not be listed, for that text would never be converted.
pub(super) fn begins_as_a_file(octets: &[u8]) -> bool {
    // PNG, JPEG, GIF, ZIP and what is made of it, gzip, OLE, PDF.
    const MAGIC_NUMBERS: [&[u8]; 8] = [
        b"\x89PNG\r\n\x1A\n",
        b"\xFF\xD8\xFF",
        b"GIF87a",
        b"GIF89a",
        b"PK\x03\x04",
        b"\x1F\x8B\x08",
        b"\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1",
        b"%PDF-1.",
    ];
    MAGIC_NUMBERS.iter().any(|number| octets.starts_with(number))
}

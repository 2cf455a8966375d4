//! Proves a plan before it leaves: the edited message is read again, and must be what was meant.
//!
//! Nothing here trusts what was decided. The edits are applied, the result is read as if it had come from outside, and
//! then
//!
//! 1. every edit must stand where edits may: in the value of a field, over all of one that goes, at the end of a
//!    header, over a whole body ([`places`]);
//! 2. every part, header, field and body must lie exactly where the edits moved it to, and be of the kind that it was:
//!    then every octet outside the edits is the one that it was, and in the part that it was in;
//! 3. boundaries must be the same, and so must media types, transfer encodings and charsets, but for those that the
//!    plan names;
//! 4. a body that was rewritten must stand under the charset and the transfer encoding that it was written in (that it
//!    reads back as its text was checked when it was written, in `body/`), and a field that was rewritten must read as
//!    it read before, unless it is octet for octet what the planner of fields has proved to; what a fix removes must be
//!    empty, or be said by a field of its name that stays; what it replaces must stay in a list that takes in others,
//!    or be a date that can't be read, which another field keeps unless it is empty;
//! 5. edits of a conversion must stand only where the gate lets them ([`gate`](super::survey::gate)); a fix is not held
//!    to it, for white space before a colon, which it takes out, is itself a form for which the gate keeps parts;
//! 6. mail-parser must see the same parts before and after ([`second_reader`]), unless there is one text, which has no
//!    others, or it can't be shown the message.
//!
//! What fails is [`CheckError::Unproved`](super::CheckError::Unproved), a fault of septet's own: the message stays as
//! it is.
//!
//! A message that nothing is planned for is not proved, and costs nothing.

mod places;

use std::collections::BTreeMap;

use super::body_plan::BodyPlan;
use super::ensure::ensure;
use super::fixes::{LISTS, ORIGINAL_DATE, original_date};
use super::header::FieldReading;
use super::step::Step;
use super::survey::evidence::beside::Beside;
use super::survey::gate::Gate;
use super::{Profile, header, second_reader};
use crate::edit::{EditList, Moved, Span};
use crate::message::{
    CONTENT_TRANSFER_ENCODING, CONTENT_TYPE, ContentType, Field, Limits, Message, Part, SIZES, adds_no_boundary, date,
    means_the_same,
};

/// A step of a plan to be proved: edits of a message, and what they ask of its parts.
pub(super) struct Claim<'p, 'a> {
    /// The message that the step starts from: what the steps before it made of the one that came.
    pub message: &'p Message<'a>,
    /// What was planned by; of a fix the profile that converts nothing.
    pub profile: &'p Profile,
    /// The edits.
    pub edits: &'p EditList,
    /// What was asked for.
    pub step: &'p Step,
    /// What stands beside the texts in the header of a part, by the part's index.
    pub beside: &'p dyn Fn(usize) -> Beside<'p>,
    /// The gate, asked of this message alone.
    pub gate: &'p Gate<'p, 'a>,
    /// The values that were proved where they were planned, by the values that they replace; they are not read again.
    pub proved: &'p BTreeMap<Span, Box<[u8]>>,
}

impl Claim<'_, '_> {
    /// Proves a conversion or a fix, but not one of line ends, which has a proof of its own. Every edit must lie within
    /// the message; an error names the first thing that is not as it must be.
    pub fn prove(&self) -> Result<(), &'static str> {
        self.prove_edits()?;
        self.prove_gate()?;
        let result = self.edits.apply(self.message.raw());
        // It may be longer than what came and have more fields, but no more parts.
        let (message_bytes, header_bytes, fields) = (usize::MAX, usize::MAX, usize::MAX);
        let limits = Limits { message_bytes, header_bytes, fields, ..self.profile.limits };
        let after = Message::read(&result, &limits);
        self.prove_places(&after)?;
        // One text has no tree that the second reader could see otherwise.
        if self.gate.is_one_text() {
            return Ok(());
        }
        // The gate takes what can't be shown for irregular, so that the top header alone changes; and fixes of it are
        // taken back by whoever planned or replays them (`conformance::shows_the_same_parts`).
        let Ok(before) = self.gate.outline() else { return Ok(()) };
        ensure(second_reader::outline(&after).as_ref() == Ok(before), second_reader::OTHER_PARTS)
    }

    /// Proves that the bodies and fields which a conversion changes are some that the gate lets be changed. Of a fix
    /// nothing is asked.
    fn prove_gate(&self) -> Result<(), &'static str> {
        // White space before a colon, which a fix takes out, is an irregular form itself. So fixes are planned without
        // the gate: `may_change_body` and `may_change` of `conformance/fixer.rs` say what they leave.
        if self.step.scope.is_fix() {
            return Ok(());
        }
        for (index, part) in self.message.parts().iter().enumerate() {
            let may_change = !self.is_rewritten(index) || self.gate.form_that_keeps_body(part).is_none();
            ensure(may_change, "a body of irregular form")?;
            let mut fields = self.message.fields(part).iter().filter(|field| self.is_changed(field));
            let may_change = fields.all(|field| self.gate.form_that_keeps_field(part, field).is_none());
            ensure(may_change, "a field of an irregular part")?;
        }
        Ok(())
    }

    /// Returns `true` if an edit changes a field. What is put in behind one belongs to the header: it is there for a
    /// body, or for a field that goes.
    fn is_changed(&self, field: &Field) -> bool {
        self.edits.within(field.line).iter().any(|edit| !edit.at.is_empty() || edit.at.start < field.line.end)
    }

    /// Returns `true` if an edit takes a field out: it lies over all of its line, as `may_go` of `places.rs` allows of
    /// some.
    fn goes(&self, field: &Field) -> bool {
        self.edits.within(field.line).iter().any(|edit| edit.at == field.line)
    }

    /// Returns `true` if a fix removes a field, so that another one must say what it said.
    fn is_removed(&self, field: &Field) -> bool {
        self.step.fixes.removed.contains(&field.line)
    }

    /// Returns `true` if one edit replaces the whole body of a part. An empty body has none to replace: an edit at its
    /// place adds fields to the header before it.
    fn is_rewritten(&self, index: usize) -> bool {
        let body = self.message.parts().get(index).map(|part| part.body);
        body.is_some_and(|body| self.edits.within(body).iter().any(|edit| edit.at == body && !body.is_empty()))
    }

    /// Proves that the tree is the one that came, part by part: each where the edits must have moved it, with the type
    /// and the fields that it must have. Only after that is a part of `after` the part of the same index before.
    fn prove_places(&self, after: &Message) -> Result<(), &'static str> {
        let (before, parts) = (self.message.parts(), after.parts());
        ensure(before.len() == parts.len(), "the number of parts")?;
        let moved = Moved::by(self.edits);
        for (index, (old, new)) in before.iter().zip(parts).enumerate() {
            let around = old.parent.and_then(|at| before.get(at));
            moved.prove_part(old, new, around.map(|part| part.header.end))?;
            self.prove_type(index, old, new, after)?;
            self.prove_fields(index, after, &moved)?;
            let is_closed = !self.is_rewritten(index) || self.exposes_no_boundary((old, new), after);
            ensure(is_closed, "a delimiter of a multipart that nothing closes")?;
        }
        Ok(())
    }

    /// Returns `true` if a new body exposes no delimiter of a multipart that stands before it and that nothing closes:
    /// to some readers such a multipart goes on, and the body is one of its parts. Delimiters of multiparts around the
    /// body are not asked about here, since they would change the tree.
    fn exposes_no_boundary(&self, (old, new): (&Part, &Part), after: &Message) -> bool {
        let (was, is) = (self.message.slice(old.body), after.slice(new.body));
        self.message.delimiters_before(old).all(|delimiter| adds_no_boundary(was, is, delimiter))
    }

    /// Proves that the media type, transfer encoding, boundary and charset of a part are what the step asked for, and
    /// where it asked nothing, what they were. Whatever else of a header decides what the body is must be proved here:
    /// that fields read the same is no proof of it, since a Content-Type may be written anew for its body.
    fn prove_type(&self, index: usize, old: &Part, new: &Part, after: &Message) -> Result<(), &'static str> {
        let asked = self.step.asked(index);
        let transfer = asked.and_then(|asked| asked.transfer.as_ref()).unwrap_or(&old.transfer);
        self.prove_content_type(asked, &old.content_type, &new.content_type, after)?;
        // Where a header is written for a body, a type that was none may be completed (`write/mime.rs`).
        let keeps_validity = asked.is_none_or(|asked| !asked.changes_header());
        let is_as_valid = !keeps_validity || old.content_type.validity == new.content_type.validity;
        ensure(is_as_valid, "whether a media type is one")?;
        ensure(new.transfer == *transfer, "a transfer encoding")?;
        ensure(new.boundary == old.boundary, "a boundary")
    }

    /// Proves that the fields of a part are those that came, in their order, and say the same; those that were added
    /// stand behind them. A field may be gone that counts octets, that a fix removed and another one repeats, or that
    /// came again under its other name. A value that was proved when it was planned is not read again.
    fn prove_fields(&self, index: usize, after: &Message, moved: &Moved) -> Result<(), &'static str> {
        let (part, beside) = (&self.message.parts()[index], (self.beside)(index));
        let asked = self.step.asked(index);
        let retyped = asked.is_some_and(|asked| asked.charset.is_some() || asked.media.is_some());
        let transfer = asked.and_then(|asked| Some(asked.transfer.as_ref()?.name().as_bytes()));
        let reading = FieldReading { profile: self.profile, beside, retyped };
        let (was, is) = (self.message.fields(part), after.fields(&after.parts()[index]));
        let stays: Vec<&Field> = was.iter().filter(|field| !self.goes(field)).collect();
        let (kept, added) = is.split_at_checked(stays.len()).ok_or("a field is missing")?;
        for (old, new) in stays.into_iter().zip(kept) {
            moved.prove_field(old, new)?;
            if self.step.fixes.replaced.contains(&old.value) {
                self.prove_replaced(part, old, after.slice(new.value), (after, added))?;
            } else if !self.edits.within(old.value).is_empty() {
                let now = after.slice(new.value);
                match old.is_one_of(CONTENT_TRANSFER_ENCODING) {
                    true if transfer != Some(now.trim_ascii()) => return Err("the name of a transfer encoding"),
                    false if !self.is_proved(old, now) => {
                        reading.prove(self.message.slice(old.name), self.message.slice(old.value), now)?;
                    }
                    _ => {}
                }
                // A part may have several, and other readers may believe another one than the part's own.
                if old.is_one_of(CONTENT_TYPE) {
                    let was = ContentType::read(self.message.raw(), old.value);
                    self.prove_content_type(asked, &was, &ContentType::read(after.raw(), new.value), after)?;
                }
            }
        }
        let mut removed = was.iter().filter(|field| self.is_removed(field));
        let are_said_again = removed.all(|field| self.is_said_again(field, was));
        ensure(are_said_again, "a field went that said something of its own")?;
        // What counts the octets of a body comes again under no name.
        let went = was.iter().filter(|it| self.goes(it) && !it.is_one_of(SIZES) && !self.is_removed(it));
        ensure(added.iter().all(|field| moved.is_added(part.header.end, field.line)), "a field came about")?;
        let mut of_body = added.iter().filter(|field| field.is_one_of(places::MAY_COME));
        let are_single = of_body.all(|new| is.iter().filter(|it| it.known == new.known).count() == 1);
        ensure(are_single, "a field came twice")?;
        self.prove_added(went, (after, added), beside)
    }

    /// Returns `true` if a value is the one that was proved in the place of another when it was planned, octet for
    /// octet. Of a plan that somebody else gives nothing is taken for proved ([`check`](fn@super::check)).
    fn is_proved(&self, old: &Field, now: &[u8]) -> bool {
        self.proved.get(&old.value).is_some_and(|proved| **proved == *now)
    }

    /// Proves that a Content-Type of the result names the charset and the media type that the step asks for; what it
    /// does not ask for must be what was there. It is asked of the part's own and of each that is edited, since readers
    /// differ in which they believe.
    fn prove_content_type(
        &self,
        asked: Option<&BodyPlan>,
        was: &ContentType,
        is: &ContentType,
        after: &Message,
    ) -> Result<(), &'static str> {
        let label = is.parameter(after.raw(), "charset");
        match asked.and_then(|asked| asked.charset) {
            _ if !is_of_media(is, asked, was) => Err("a media type"),
            Some(charset) if !label.as_deref().is_some_and(|it| it.eq_ignore_ascii_case(charset.as_bytes())) => {
                Err("a charset")
            }
            None if label != was.parameter(self.message.raw(), "charset") => Err("a charset that stays"),
            _ => Ok(()),
        }
    }

    /// Proves that the fields that `went` came again as `Downgraded-NAME`, in their order, and say the same in ASCII,
    /// and that no other came but those that a body may ask for ([`places::MAY_COME`]) and those that a fix adds. What
    /// the former say is proved by `prove_type`; what was proved when it was planned is not read again.
    fn prove_added<'f>(
        &self,
        mut went: impl Iterator<Item = &'f Field>,
        (after, added): (&Message, &[Field]),
        beside: Beside,
    ) -> Result<(), &'static str> {
        for new in added.iter().filter(|field| !field.is_one_of(places::MAY_COME) && !self.is_of_fix(field, after)) {
            let Some(old) = went.next() else { return Err("a field came about") };
            let name = [header::DOWNGRADED.as_bytes(), self.message.slice(old.name)].concat();
            let (was, is) = (self.message.slice(old.value), after.slice(new.value));
            let is_same = self.is_proved(old, is.trim_ascii()) || header::is_same_text(was, is, self.profile, beside);
            ensure(after.slice(new.name) == name && is_same && is.is_ascii(), "a field that moved")?;
        }
        ensure(went.next().is_none(), "a field went")
    }

    /// Returns `true` if a field of the result is one that a fix adds, by its name and its value. `prove_fields` has
    /// shown that it stands at the end of the header.
    fn is_of_fix(&self, field: &Field, after: &Message) -> bool {
        self.step.fixes.added.iter().any(|(name, text)| is_said(after, field, name, text))
    }

    /// Proves a value that a fix put in the place of another: a date that can be read for one that can't, which is kept
    /// in a field that was added to the result unless it was empty; or a list of addresses that takes in those of its
    /// name that go.
    fn prove_replaced(
        &self,
        part: &Part,
        old: &Field,
        now: &[u8],
        (after, added): (&Message, &[Field]),
    ) -> Result<(), &'static str> {
        let (fixes, raw, was) = (&self.step.fixes, self.message.raw(), self.message.slice(old.value));
        let is_of_list = old.is_one_of(LISTS) && now.trim_ascii() == fixes.joined(self.message, part, old).trim_ascii();
        let is_date = old.is(raw, "Date") && date::is_readable(now) && !date::is_readable(was);
        ensure(is_of_list || is_date, "a value that no defect asks for")?;
        let kept = if is_of_list { String::new() } else { original_date(was).ok_or("a date that can't be kept")? };
        let is_kept = kept.is_empty() || added.iter().any(|field| is_said(after, field, ORIGINAL_DATE, &kept));
        ensure(is_kept, "a date that is not kept")
    }

    /// Returns `true` if a field that a fix removes is empty, or if one of its name that stays says the same or takes
    /// it in. What the latter says then is proved by `prove_replaced`.
    fn is_said_again(&self, field: &Field, fields: &[Field]) -> bool {
        let (name, value) = (self.message.slice(field.name), self.message.slice(field.value));
        let mut staying = fields.iter().filter(|other| !self.is_removed(other));
        value.trim_ascii().is_empty()
            || staying.any(|other| {
                let (its_name, its_value) = (self.message.slice(other.name), self.message.slice(other.value));
                let takes_in = self.step.fixes.replaced.contains(&other.value);
                its_name.eq_ignore_ascii_case(name) && (takes_in || means_the_same(name, its_value, value))
            })
    }
}

/// Returns `true` if a field of the result has this name and says this text, white space around it aside.
fn is_said(after: &Message, field: &Field, name: &str, text: &str) -> bool {
    field.is(after.raw(), name) && after.slice(field.value).trim_ascii() == text.as_bytes()
}

/// Returns `true` if a type is the one that is asked for (`main/sub`), or where none is, the one that `was`. Both are
/// in small letters.
fn is_of_media(is: &ContentType, asked: Option<&BodyPlan>, was: &ContentType) -> bool {
    let asked = asked.and_then(|asked| asked.media?.split_once('/'));
    (&*is.main, &*is.sub) == asked.unwrap_or((&was.main, &was.sub))
}

impl Moved<'_> {
    /// Proves that a part has its place in the tree and its kind, and lies where the edits moved it; `end` is where the
    /// header of the part around it ends. With nothing between the two, what is put in there belongs to that header.
    fn prove_part(&self, old: &Part, new: &Part, end: Option<usize>) -> Result<(), &'static str> {
        let start = old.header.start;
        let start = if end == Some(start) { self.after(start) } else { self.before(start) };
        // With no empty line between, what is put in at the end of the header stands before the body.
        let glued = old.header.end == old.body.start;
        let body = if glued { self.after(old.body.start) } else { self.before(old.body.start) };
        ensure((old.parent, old.ordinal, old.depth) == (new.parent, new.ordinal, new.depth), "the tree")?;
        ensure(old.kind == new.kind, "the kind of a part")?;
        ensure(new.header == Span::new(start, self.after(old.header.end)), "where a header lies")?;
        ensure(new.body == Span::new(body, self.after(old.body.end)), "where a body lies")
    }

    /// Proves that a field and its name lie where the edits moved them; its value may be of another length. With its
    /// name in place, a field of the result is the one of that name that came.
    fn prove_field(&self, old: &Field, new: &Field) -> Result<(), &'static str> {
        // Behind a last line without a line end, what is put in at its end belongs to it.
        let is_open = old.line.end == old.value.end;
        let end = if is_open { self.after(old.line.end) } else { self.before(old.line.end) };
        let name = old.name.map(|place| self.before(place));
        let same = new.line == Span::new(self.before(old.line.start), end) && new.name == name;
        ensure(same && new.value.start == self.before(old.value.start), "where a field lies")
    }

    /// Returns `true` if a line of the result lies in what was put in at `end`, where a header ended before.
    fn is_added(&self, end: usize, line: Span) -> bool {
        Span::new(self.before(end), self.after(end)).contains(line)
    }
}

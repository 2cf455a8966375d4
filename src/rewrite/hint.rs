//! Raw 8-bit text in a header, and the only hint to what it says: the charset of the body beside it.
//!
//! No standard allows `From: J\xf6rg` in Latin-1, and mail has it. Mail programs read it in the charset that the
//! message's body declares, and a part's `filename=` in the part's. So does septet: UTF-8 first where it is valid, then
//! the declared charset, and only then the profile's `unlabelled` ones.
//!
//! For the header of a message the hint is its first text that is no file; for that of another part its own charset, or
//! else the message's. Charsets in which an octet above 7F can't stand (UTF-7, ISO-2022-*) hint at nothing.
//!
//! When the body becomes UTF-8 the hint is gone, so the header must go with it. A header that stays raw (the profile
//! keeps headers, a signature covers it, the text would not fit its line) would be read in UTF-8 from then on, as
//! nonsense: then the body stays too. Fields that nobody shows (Received, Message-ID …) hold no body back.

use super::body::{self, BodyPlan};
use super::header::{FieldKind, is_encapsulable};
use super::planner::Planner;
use super::{Profile, Reason};
use crate::coding::charset::Charset;
use crate::message::irregular::Form;
use crate::message::{Field, Kind, Message, Part};

/// Which bodies hint at the charset of which header.
#[derive(Debug, Default)]
pub(super) struct Hints {
    /// For each part those whose label tells the charset of its header, the first that declares one: itself, if it is no
    /// message, and its message's first text. Empty where every header is ASCII.
    hinting: Vec<[Option<usize>; 2]>,
}

impl Hints {
    /// Finds the hints of a message, in one pass over its parts; nothing is looked for where every header is ASCII.
    pub fn of(message: &Message) -> Hints {
        let parts = message.parts();
        if parts.iter().all(|part| message.slice(part.header).is_ascii()) {
            return Hints::default();
        }
        // Parts follow their parents, so the message around each is known when it is reached.
        let mut tops: Vec<usize> = Vec::with_capacity(parts.len());
        let mut first_text = vec![None; parts.len()];
        for (index, part) in parts.iter().enumerate() {
            let top =
                part.parent.filter(|&parent| parts[parent].kind != Kind::Message).map_or(index, |parent| tops[parent]);
            tops.push(top);
            if first_text[top].is_none() && body::is_shown_text(message, part) {
                first_text[top] = Some(index);
            }
        }
        let hinting = |(index, &top): (usize, &usize)| [Some(index).filter(|index| *index != top), first_text[top]];
        Hints { hinting: tops.iter().enumerate().map(hinting).collect() }
    }

    /// Returns the charset in which raw 8-bit text in a part's header is read, if a body declares one.
    pub fn charset(&self, message: &Message, profile: &Profile, index: usize) -> Option<Charset> {
        self.hinting(message, profile, index).map(|(_, charset)| charset)
    }

    /// Returns the part whose label tells the charset of a header, and the charset.
    fn hinting(&self, message: &Message, profile: &Profile, index: usize) -> Option<(usize, Charset)> {
        let mut parts = self.hinting.get(index)?.iter().flatten();
        parts.find_map(|&at| Some((at, declared(message, profile, &message.parts()[at])?)))
    }
}

/// Returns the charset that a text declares, if 8-bit octets can stand in it.
fn declared(message: &Message, profile: &Profile, part: &Part) -> Option<Charset> {
    let label = part.content_type.parameter(message.raw(), "charset").filter(|_| part.kind == Kind::Leaf)?;
    hinted(profile, &label)
}

fn hinted(profile: &Profile, label: &[u8]) -> Option<Charset> {
    profile.labels.find(label).filter(|charset| charset.keeps_ascii() && *charset != Charset::US_ASCII)
}

impl Planner<'_, '_> {
    /// Returns the charset in which raw 8-bit text in a part's header is read, if a body declares one.
    pub(super) fn hint(&self, index: usize) -> Option<Charset> {
        self.hints.charset(self.message, self.profile, index)
    }

    /// Returns the charset in which a header is read once the bodies have their new labels.
    fn hint_afterwards(&self, index: usize) -> Option<Charset> {
        let mut parts = self.hints.hinting.get(index)?.iter().flatten();
        parts.find_map(|&at| match self.bodies[at].charset {
            Some(label) => hinted(self.profile, label.as_bytes()),
            None => declared(self.message, self.profile, &self.message.parts()[at]),
        })
    }

    /// Leaves the bodies whose label would change and is the only hint to what stays raw in a header, or keeps another
    /// label from being one.
    pub(super) fn keep_hints(&mut self) {
        for index in 0..self.hints.hinting.len() {
            let Some((hinting, _)) = self.hints.hinting(self.message, self.profile, index) else { continue };
            // A part that gets a label of its own would be read in it from then on.
            let changing = [hinting, index].map(|body| self.bodies[body].charset.is_some());
            if !changing.contains(&true) || !self.keeps_raw(index) {
                continue;
            }
            for (body, _) in [hinting, index].into_iter().zip(changing).filter(|(_, changes)| *changes) {
                self.bodies[body] = BodyPlan::left(Reason::Irregular(Form::LabelHint));
            }
        }
    }

    /// Tells whether raw text stays in a part's header that the charset reads which is its hint, or will be.
    fn keeps_raw(&self, index: usize) -> bool {
        let part = &self.message.parts()[index];
        let (hint, afterwards) = (self.hint(index), self.hint_afterwards(index));
        self.message.fields(part).iter().any(|field| {
            let value = self.message.slice(field.value);
            let is_read = || [hint, afterwards].into_iter().flatten().any(|charset| charset.decode(value).is_ok());
            let needs_hint = str::from_utf8(value).is_err() && is_read();
            needs_hint && self.is_read(field) && self.stays_raw(index, field, hint)
        })
    }

    /// Tells whether anybody reads a field as text: mail programs show it, or the profile moves it to where they do.
    fn is_read(&self, field: &Field) -> bool {
        let name = self.message.slice(field.name);
        let kind = FieldKind::of(name);
        let is_shown =
            !matches!(kind, FieldKind::Opaque | FieldKind::TypedAddress | FieldKind::Comments | FieldKind::Links);
        is_shown || (self.profile.downgrades() && is_encapsulable(name))
    }

    fn stays_raw(&self, index: usize, field: &Field, hint: Option<Charset>) -> bool {
        let part = &self.message.parts()[index];
        let planned = self.plan_field_of(index, field, hint);
        let after = planned.edits.apply_within(self.message.raw(), field.value);
        let moves = || self.must_be_moved(index, field, &after) && self.moved(part, field, hint).is_ok();
        self.bound(part, field).is_some() || str::from_utf8(&after).is_err() && !moves()
    }
}

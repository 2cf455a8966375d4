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

use super::Profile;
use super::body;
use crate::coding::charset::Charset;
use crate::message::{Kind, Message, Part};

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

    /// Returns how many headers may need a hint; none where every one is ASCII.
    pub fn len(&self) -> usize {
        self.hinting.len()
    }

    /// Returns the parts whose labels may tell the charset of a header, the first that declares one.
    pub fn parts(&self, index: usize) -> impl Iterator<Item = usize> {
        self.hinting.get(index).into_iter().flatten().flatten().copied()
    }

    /// Returns the part whose label tells the charset of a header, and the charset.
    pub fn hinting(&self, message: &Message, profile: &Profile, index: usize) -> Option<(usize, Charset)> {
        self.parts(index).find_map(|at| Some((at, declared(message, profile, &message.parts()[at])?)))
    }
}

/// Returns the charset that a text declares, if 8-bit octets can stand in it.
pub(super) fn declared(message: &Message, profile: &Profile, part: &Part) -> Option<Charset> {
    let label = part.content_type.parameter(message.raw(), "charset").filter(|_| part.kind == Kind::Leaf)?;
    hinted(profile, &label)
}

/// Returns the charset of a label, if 8-bit octets can stand in it beside ASCII.
pub(super) fn hinted(profile: &Profile, label: &[u8]) -> Option<Charset> {
    profile.labels.find(label).filter(|charset| charset.keeps_ascii() && *charset != Charset::US_ASCII)
}

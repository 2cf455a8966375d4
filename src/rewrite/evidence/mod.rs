//! What the rest of a message says of a text in it: the witnesses of the judge ([`crate::coding::evidence`]).
//!
//! Mail programs read raw 8-bit text in a header in the charset that the body beside it declares: whoever wrote the one wrote
//! the other. So that charset is asked first of all neighbours. Octets that are UTF-8 are that, whatever the body says.
//!
//! For the header of a message the hint is its first text that is no file; for that of another part its own charset, or
//! else the message's. Charsets in which an octet above 7F can't stand (UTF-7, ISO-2022-*) hint at nothing.
//!
//! When the body becomes UTF-8 the hint is gone, so the header must go with it. A header that stays raw (the profile
//! keeps headers, a signature covers it, the text would not fit its line) would be read in UTF-8 from then on, as
//! nonsense: then the body stays too. Fields that nobody shows (Received, Message-ID …) hold no body back.

pub mod beside;
mod verdicts;

use std::cell::OnceCell;

use beside::Beside;

use super::Profile;
use super::body;
use crate::coding::charset::Charset;
use crate::coding::evidence::{Because, Elsewhere, Verdict};
use crate::message::{Kind, Message};

/// What a message says of the texts in it.
pub(super) struct Evidence<'m, 'a> {
    pub message: &'m Message<'a>,
    pub profile: &'m Profile,
    hints: Hints,
    /// What texts under a label are, once somebody asked.
    verdicts: OnceCell<Vec<(Charset, Verdict, Because)>>,
}

impl<'m, 'a> Evidence<'m, 'a> {
    /// Finds what can be known in one pass over the parts of a message; the rest is found when it is asked for.
    pub fn of(message: &'m Message<'a>, profile: &'m Profile) -> Evidence<'m, 'a> {
        Evidence { message, profile, hints: Hints::of(message), verdicts: OnceCell::new() }
    }

    /// Returns what stands beside the texts in a part's header.
    pub fn beside_header(&self, index: usize) -> Beside<'_> {
        let charset = self.hinting(index).map(|(_, charset)| charset);
        Beside { charset, elsewhere: Some(self) }
    }

    /// Returns what stands beside the text of a part.
    pub fn beside_body(&self) -> Beside<'_> {
        Beside { charset: None, elsewhere: Some(self) }
    }

    /// Returns how many headers may need a hint; none where every one is ASCII.
    pub fn headers(&self) -> usize {
        self.hints.hinting.len()
    }

    /// Returns the parts whose labels may tell the charset of a header, the first that declares one.
    pub fn parts(&self, index: usize) -> impl Iterator<Item = usize> {
        self.hints.hinting.get(index).into_iter().flatten().flatten().copied()
    }

    /// Returns the part whose label tells the charset of a header, and the charset.
    pub fn hinting(&self, index: usize) -> Option<(usize, Charset)> {
        self.parts(index).find_map(|at| Some((at, self.declared(at)?)))
    }

    /// Returns the charset that a text declares, if 8-bit octets can stand in it.
    pub fn declared(&self, index: usize) -> Option<Charset> {
        let part = self.message.parts().get(index).filter(|part| part.kind == Kind::Leaf)?;
        self.hinted(&part.content_type.parameter(self.message.raw(), "charset")?)
    }

    /// Returns the charset of a label, if 8-bit octets can stand in it beside ASCII.
    pub fn hinted(&self, label: &[u8]) -> Option<Charset> {
        let found = self.profile.labels.find(label);
        found.filter(|charset| charset.keeps_ascii() && *charset != Charset::US_ASCII)
    }
}

impl Elsewhere for Evidence<'_, '_> {
    fn verdict(&self, charset: Charset) -> Option<(Verdict, Because)> {
        let verdicts = self.verdicts.get_or_init(|| verdicts::of(self.message, self.profile));
        verdicts.iter().find(|(label, ..)| *label == charset).map(|(_, verdict, because)| (*verdict, *because))
    }
}

/// Which bodies hint at the charset of which header.
#[derive(Debug, Default)]
struct Hints {
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
}

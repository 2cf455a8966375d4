//! What the rest of a message says of a text in it: the witnesses of the judge ([`crate::coding::evidence`]).
//!
//! Whoever wrote one text of a message wrote the others, as a rule with the same program. So raw 8-bit text without a label
//! is read in the charset that another text of the message declares. For a header that is the body beside it, then the texts
//! of its message in their order, by their labels or by what HTML and XML say of themselves; for a body the other texts. (The
//! encoded-words beside raw octets in one field are heard where both are read.) Charsets in which an octet above 7F can't stand
//! (UTF-7, ISO-2022-*) hint at nothing, nor does US-ASCII. Octets that are UTF-8 are that, whatever the others say.
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
use crate::coding::evidence::{Because, Elsewhere, Neighbours, Verdict};
use crate::message::{Kind, Message, Part};

/// What a message says of the texts in it.
pub(super) struct Evidence<'m, 'a> {
    pub message: &'m Message<'a>,
    pub profile: &'m Profile,
    texts: Texts,
    /// What texts without a label say of themselves, once somebody asked.
    declared_inside: OnceCell<Vec<DeclaredInside>>,
    /// What texts under a label are, once somebody asked.
    verdicts: OnceCell<Vec<(Charset, Verdict, Because)>>,
}

impl<'m, 'a> Evidence<'m, 'a> {
    /// Finds what can be known in one pass over the parts of a message; the rest is found when it is asked for.
    pub fn of(message: &'m Message<'a>, profile: &'m Profile) -> Evidence<'m, 'a> {
        let texts = Texts::of(message);
        Evidence { message, profile, texts, declared_inside: OnceCell::new(), verdicts: OnceCell::new() }
    }

    /// Returns what stands beside the texts in a part's header.
    pub fn beside_header(&self, index: usize) -> Beside<'_> {
        let raw = self.message.parts().get(index).filter(|part| !self.message.slice(part.header).is_ascii());
        Beside { named: raw.map_or_else(Neighbours::default, |_| self.named(self.parts(index))), elsewhere: Some(self) }
    }

    /// Returns what stands beside the text of a part.
    pub fn beside_body(&self, part: &Part) -> Beside<'_> {
        Beside { named: self.named_beside_body(part), elsewhere: Some(self) }
    }

    /// Returns how many headers may need a hint; none where every one is ASCII.
    pub fn headers(&self) -> usize {
        if self.texts.has_raw_headers { self.message.parts().len() } else { 0 }
    }

    /// Returns the parts that may tell the charset of a header, the first that declares one.
    pub fn parts(&self, index: usize) -> impl Iterator<Item = usize> {
        let own = Some(index).filter(|_| self.texts.has_raw_headers);
        own.into_iter().chain(self.texts.beside(index))
    }

    /// Finds the charsets that parts declare, each once and the first ones.
    fn named(&self, parts: impl Iterator<Item = usize>) -> Neighbours {
        let mut named = Neighbours::default();
        // The last place is for what stands in the field itself.
        let last = named.len() - 1;
        for (charset, because) in parts.filter_map(|at| self.declared(at)) {
            let known = named.iter().flatten().any(|(known, _)| *known == charset);
            let free = named.iter_mut().take(last).find(|place| place.is_none()).filter(|_| !known);
            free.into_iter().for_each(|place| *place = Some((charset, because)));
        }
        named
    }

    /// Returns the part that tells the charset of octets in a header.
    pub fn hinting(&self, index: usize, octets: &[u8]) -> Option<usize> {
        let reads = |(charset, _): (Charset, Because)| charset.decode(octets).is_ok();
        self.parts(index).find(|at| self.declared(*at).is_some_and(reads))
    }

    /// Returns the charset that a text declares, by its label or in itself, if 8-bit octets can stand in it.
    pub fn declared(&self, index: usize) -> Option<(Charset, Because)> {
        let part = self.message.parts().get(index).filter(|part| part.kind == Kind::Leaf)?;
        let label = part.content_type.parameter(self.message.raw(), "charset");
        let found = label.as_deref().and_then(|label| self.profile.labels.find(label));
        match found.filter(|charset| *charset != Charset::US_ASCII) {
            Some(charset) => may_hint(charset).then_some((charset, Because::Part)),
            None => self.declared_inside(index),
        }
    }

    /// Returns what a text without a true label says of itself.
    fn declared_inside(&self, index: usize) -> Option<(Charset, Because)> {
        let declared = self.declared_inside.get_or_init(|| {
            let inside = |at: usize| {
                let (label, because) = body::declared_inside(self.message, &self.message.parts()[at], self.profile)?;
                let found = self.profile.labels.find(&label).filter(|charset| may_hint(*charset));
                found.map(|charset| (charset, because))
            };
            self.texts.shown.iter().take(ASKED).map(|at| (*at, inside(*at))).collect()
        });
        declared.iter().find(|(at, _)| *at == index)?.1
    }

    /// Finds the charsets that the other texts of a part's message name, where its own label does not tell.
    fn named_beside_body(&self, part: &Part) -> Neighbours {
        let index = self.unlabelled(part);
        index.map_or_else(Neighbours::default, |index| self.named(self.texts.beside(index)))
    }

    /// Returns which part it is, if no label tells its charset.
    fn unlabelled(&self, part: &Part) -> Option<usize> {
        let message = self.message;
        // Parts stand in the order of their headers.
        let index = message.parts().binary_search_by_key(&part.header.start, |part| part.header.start).ok()?;
        let label = part.content_type.parameter(message.raw(), "charset");
        let found = label.and_then(|label| self.profile.labels.find(&label));
        // A label that may be true is heard before its neighbours.
        (!found.is_some_and(|charset| charset != Charset::US_ASCII)).then_some(index)
    }
}

/// Tells whether the charset of one text may be that of raw octets in another: they can stand in it, beside ASCII.
fn may_hint(charset: Charset) -> bool {
    const PRINTABLE: &[u8] = b"Az 09 !#$%&'()*+,-./:;<=>?@^_|";
    let reads_text = || charset.decode(PRINTABLE).is_ok_and(|text| text.as_bytes() == PRINTABLE);
    let reads_octets = || charset.decode(b"\xC4\xE3").is_ok();
    // UTF-8 needs no witness.
    ![Charset::US_ASCII, Charset::UTF_8].contains(&charset) && (charset.keeps_ascii() || reads_text() && reads_octets())
}

impl Elsewhere for Evidence<'_, '_> {
    fn verdict(&self, charset: Charset) -> Option<(Verdict, Because)> {
        let verdicts = self.verdicts.get_or_init(|| verdicts::of(self.message, self.profile));
        verdicts.iter().find(|(label, ..)| *label == charset).map(|(_, verdict, because)| (*verdict, *because))
    }
}

/// Which text it is, and what it says of itself.
type DeclaredInside = (usize, Option<(Charset, Because)>);

/// The texts of a message that may be witnesses.
#[derive(Debug, Default)]
struct Texts {
    /// Whether octets above 7F stand in any header.
    has_raw_headers: bool,
    /// For each part the one whose header is that of the message which it is in.
    tops: Vec<usize>,
    /// The parts that mail programs show as text.
    shown: Vec<usize>,
}

/// So many texts of a message are asked.
const ASKED: usize = 32;

impl Texts {
    /// Returns the first texts of the message that a part is in, without that part.
    fn beside(&self, index: usize) -> impl Iterator<Item = usize> {
        let top = self.tops.get(index).copied();
        let others = self.shown.iter().copied().filter(move |at| *at != index);
        others.take(ASKED).filter(move |at| self.tops.get(*at).copied() == top)
    }

    /// Finds the texts of a message, in one pass over its parts; none where all of it is ASCII.
    fn of(message: &Message) -> Texts {
        let parts = message.parts();
        if message.raw().is_ascii() {
            return Texts::default();
        }
        let has_raw_headers = !parts.iter().all(|part| message.slice(part.header).is_ascii());
        // Parts follow their parents, so the message around each is known when it is reached.
        let mut tops: Vec<usize> = Vec::with_capacity(parts.len());
        for (index, part) in parts.iter().enumerate() {
            let inner = part.parent.filter(|&parent| parts[parent].kind != Kind::Message);
            tops.push(inner.map_or(index, |parent| tops[parent]));
        }
        let is_shown = |index: &usize| body::is_shown_text(message, &parts[*index]);
        Texts { has_raw_headers, tops, shown: (0..parts.len()).filter(is_shown).collect() }
    }
}

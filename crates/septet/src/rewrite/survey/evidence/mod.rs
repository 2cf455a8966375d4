//! What the rest of a message says of a text in it: the witnesses of the judge ([`crate::coding::evidence`]).
//!
//! Whoever wrote one text of a message wrote the others, as a rule with the same program. So raw 8-bit text without a
//! label is read in the charset that another text of the message declares. For a header that is the body beside it,
//! then the texts of its message in their order, by their labels or by what HTML and XML say of themselves; for a body
//! the other texts. (The encoded-words beside raw octets in one field are heard where both are read.) A text
//! *testifies* that has octets above 7F which bear its label out; one of ASCII alone says what its writer would have
//! used, and so it is heard last. Charsets in which an octet above 7F can't stand (UTF-7, ISO-2022-*) hint at nothing,
//! nor does US-ASCII. Octets that are UTF-8 are that, whatever the others say.
//!
//! When the body becomes UTF-8 the hint is gone, so the header must go with it. A header that stays raw (the profile
//! keeps headers, a signature covers it, the text would not fit its line) would be read in UTF-8 from then on, as
//! nonsense: then the body stays too. Fields that nobody shows (Received, Message-ID …) hold no body back.

pub mod beside;
mod doubtful;
pub mod verdicts;

use std::borrow::Cow;
use std::cell::OnceCell;

use beside::{Beside, NamingFields, neighbours_once};
use memchr::memchr2_iter;

use crate::coding::charset::{Charset, Labels};
use crate::coding::evidence::{
    Because, Elsewhere, Neighbour, Neighbours, Utf8Verdict, detect, holds, says_nothing, testifies,
};
use crate::message::{Kind, Message, Part};
use crate::rewrite::survey::body::Body;
use crate::rewrite::survey::reading::{decoded, is_shown_text};
use crate::rewrite::{FileNames, Profile};

/// What a message says of the texts in it. What fills a cell must not ask for that cell, which would panic: charsets
/// and verdicts are found in the message alone, and doubtful texts by witnesses without statistics.
pub(crate) struct Evidence<'m, 'a> {
    pub message: &'m Message<'a>,
    pub profile: &'m Profile,
    /// The texts that may be witnesses, once somebody asked.
    texts: OnceCell<WitnessTexts>,
    /// What texts under a label are, once somebody asked.
    verdicts: OnceCell<Vec<(Charset, Utf8Verdict, Because)>>,
    /// What statistics say of the texts that nobody can read, once somebody asked; none where there are none.
    detected: OnceCell<Option<Vec<Charset>>>,
}

impl<'m, 'a> Evidence<'m, 'a> {
    /// Begins to gather what a message says; each thing is found when it is asked for. Most messages are never asked
    /// for any of it: to judge the texts of each beforehand was measured to cost a plan 8 to 19 % more, statistics
    /// aside.
    pub fn of(message: &'m Message<'a>, profile: &'m Profile) -> Evidence<'m, 'a> {
        Evidence { message, profile, texts: OnceCell::new(), verdicts: OnceCell::new(), detected: OnceCell::new() }
    }

    /// Returns what stands beside the texts in a part's header: `named` only if octets without a label that says
    /// something stand in it. No field is read line by line.
    pub fn beside_header(&self, index: usize) -> Beside<'_> {
        let header = self.message.parts().get(index).map(|part| self.message.slice(part.header));
        let asking = header.filter(|header| asks_neighbours(header, &self.profile.labels));
        let named = asking.map_or_else(Neighbours::default, |_| self.declared_charsets(self.parts_to_ask(index)));
        Beside { named, naming: self.naming_fields(index), of: None, elsewhere: Some(self) }
    }

    /// Finds the two fields that name the file of a part; none where one is not there, or each decides for itself.
    fn naming_fields(&self, index: usize) -> Option<NamingFields> {
        let part = self.message.parts().get(index).filter(|_| self.profile.file_names == FileNames::Both)?;
        let value = |name: &str| Some(self.message.field(part, name)?.value);
        Some(NamingFields { content_type: value("Content-Type")?, disposition: value("Content-Disposition")? })
    }

    /// Returns the body of a part, with what stands beside its text, for the whole of it and for its lines. The part
    /// must be of this message; of another one nothing stands beside it.
    pub(in crate::rewrite) fn body<'e>(&'e self, part: &'e Part) -> Body<'e> {
        // Parts stand in the order of their headers, and the outer before the inner.
        let place = |part: &Part| (part.header.start, part.depth);
        let index = self.message.parts().binary_search_by_key(&place(part), place);
        let beside = Beside { of: index.ok(), elsewhere: Some(self), ..Beside::default() };
        Body { beside, ..Body::of(self.message, part, self.profile) }
    }

    /// Returns the parts that may tell the charset of a header, in the order in which they are asked: its own part,
    /// then the texts of its message.
    pub fn parts_to_ask(&self, index: usize) -> impl Iterator<Item = usize> {
        [index].into_iter().chain(self.texts().beside(index))
    }

    /// Returns the texts that may be witnesses, which are found when they are first asked for.
    fn texts(&self) -> &WitnessTexts {
        self.texts.get_or_init(|| WitnessTexts::of(self.message))
    }

    /// Finds the charsets that parts declare, each once, those that have testified first, in the order of the parts: as
    /// many as [`Neighbours`] has places, but for the last.
    fn declared_charsets(&self, parts: impl Iterator<Item = usize>) -> Neighbours {
        neighbours_once(self.heard(parts).map(|(_, neighbour)| neighbour))
    }

    /// Returns what parts say, in the order in which they are heard: those that have testified, and then those whose
    /// own octets bear nothing out; those whose octets speak against them are not.
    fn heard(&self, parts: impl Iterator<Item = usize>) -> impl Iterator<Item = (usize, Neighbour)> {
        let told = parts.filter_map(|at| Some((at, self.declared(at).filter(|it| it.may_be_true)?.named)));
        let (testified, silent): (Vec<_>, Vec<_>) = told.partition(|(_, neighbour)| neighbour.has_testified);
        testified.into_iter().chain(silent)
    }

    /// Returns the part that tells the charset of raw octets in a header: the first to declare one that they are a text
    /// in. Where none of those that are heard does, it is one of the others, whose labels mail programs may believe;
    /// none where no part declares such a charset.
    pub fn hinting(&self, index: usize, octets: &[u8]) -> Option<usize> {
        let heard = self.heard(self.parts_to_ask(index)).map(|(at, _)| at);
        let mut asked = heard.chain(self.parts_to_ask(index));
        asked.find(|at| self.declared(*at).is_some_and(|declared| declared.named.charset.decode(octets).is_ok()))
    }

    /// Returns the parts, of those that may tell the charset of a header, that declare one of two charsets: those that
    /// contradict each other about it, true or not.
    pub fn declaring(&self, index: usize, names: [&str; 2]) -> impl Iterator<Item = usize> {
        let is_one_of = move |declared: DeclaredCharset| names.contains(&declared.named.charset.name());
        self.parts_to_ask(index).filter(move |at| self.declared(*at).is_some_and(is_one_of))
    }

    /// Returns the charset that a text declares, by its label or in itself, if it is one that may be that of others
    /// (`may_hint`); none for a part that is made of parts.
    fn declared(&self, index: usize) -> Option<DeclaredCharset> {
        let part = self.message.parts().get(index).filter(|part| part.kind == Kind::Leaf)?;
        *self.texts().declared.get(index)?.get_or_init(|| self.declared_by(part))
    }

    /// Finds the charset that a text declares, and whether it has octets that bear it out. It reads the text by its
    /// transfer encoding, and asks no other text.
    fn declared_by(&self, part: &Part) -> Option<DeclaredCharset> {
        let body = Body::of(self.message, part, self.profile);
        let inside = || {
            let (label, because) = body.declared()?;
            Some((self.profile.labels.find(&label)?, because))
        };
        // US-ASCII tells nothing of octets above 7F.
        let labelled = body.charset().filter(|charset| *charset != Charset::US_ASCII);
        let labelled = labelled.map(|charset| (charset, Because::Part));
        let (charset, because) = labelled.or_else(inside).filter(|(charset, _)| may_hint(*charset))?;
        let text = decoded(self.message, part).unwrap_or(Cow::Borrowed(b""));
        let has_testified = testifies(&text, charset);
        let may_be_true = has_testified || text.is_ascii();
        Some(DeclaredCharset { named: Neighbour { charset, because, has_testified }, may_be_true })
    }
}

/// Returns `true` if octets stand in a header that no label explains: raw ones, or words and values under a label that
/// says nothing or US-ASCII.
fn asks_neighbours(header: &[u8], known: &Labels) -> bool {
    let mut labels = memchr2_iter(b'?', b'*', header).filter_map(|at| label_behind(header, at));
    !header.is_ascii() || labels.any(|label| is_empty_label(label, known))
}

/// Returns the label of a word that begins with the `?` at an offset, or of an extended value whose name ends with the
/// `*` there, an empty one among these; none where neither does.
fn label_behind(header: &[u8], at: usize) -> Option<&[u8]> {
    let (before, rest) = header.split_at_checked(at)?;
    match (before.last(), rest) {
        (Some(b'='), [b'?', rest @ ..]) => {
            rest.split(|octet| b"?*".contains(octet)).next().filter(|label| !label.is_empty())
        }
        (_, [b'*', b'=', rest @ ..]) => {
            let value = rest.trim_ascii_start();
            value.strip_prefix(b"\"").unwrap_or(value).split(|octet| *octet == b'\'').next()
        }
        _ => None,
    }
}

/// Returns `true` if a label tells nothing of octets above 7F, so that the judge asks other witnesses in spite of it.
/// One too few here leaves a text unread that its neighbours would explain.
fn is_empty_label(label: &[u8], known: &Labels) -> bool {
    label.is_empty() || known.find(label) == Some(Charset::US_ASCII) || says_nothing(label)
}

/// Returns `true` if the charset of one text may be that of raw octets in another: ASCII means ASCII in it, and octets
/// over 127 can stand in it. UTF-8 is none, for it is recognized without a witness.
fn may_hint(charset: Charset) -> bool {
    // VISCII and TCVN, which have letters in place of controls, read these as ASCII.
    const PRINTABLE: &[u8] = b"Az 09 !#$%&'()*+,-./:;<=>?@^_|";
    let reads_text = || charset.decode(PRINTABLE).is_ok_and(|text| text.as_bytes() == PRINTABLE);
    let reads_octets = || charset.decode(b"\xC4\xE3").is_ok();
    ![Charset::US_ASCII, Charset::UTF_8].contains(&charset) && (charset.keeps_ascii() || reads_text() && reads_octets())
}

impl Elsewhere for Evidence<'_, '_> {
    /// Returns the charsets that the texts beside a part declare. The part itself is not asked, for that is the text in
    /// doubt.
    fn neighbours(&self, beside: usize) -> Neighbours {
        self.declared_charsets(self.texts().beside(beside))
    }

    /// Returns what texts of one label are, in the label's charset or in UTF-8, by all texts of the message under that
    /// label; none where no such text tells.
    fn verdict(&self, charset: Charset) -> Option<(Utf8Verdict, Because)> {
        let verdicts = self.verdicts.get_or_init(|| verdicts::verdicts_by_charset(self.message, self.profile));
        verdicts.iter().find(|(label, ..)| *label == charset).map(|(_, verdict, because)| (*verdict, *because))
    }

    /// Returns the charset that statistics find in octets: the first of the message's charsets that the octets are
    /// valid in, so that its texts are read alike. In a message without such texts they are asked of these octets
    /// alone.
    fn detected(&self, octets: &[u8]) -> Option<Charset> {
        let found = self.detected.get_or_init(|| {
            let texts = doubtful::doubtful_texts(self);
            (!texts.is_empty()).then(|| detect(texts.iter().map(Vec::as_slice).collect()))
        });
        match found {
            Some(charsets) => charsets.iter().copied().find(|charset| holds(octets, *charset)),
            None => detect(vec![octets]).pop(),
        }
    }
}

/// The charset that a text declares.
#[derive(Debug, Clone, Copy)]
struct DeclaredCharset {
    named: Neighbour,
    /// Whether the text is ASCII, or in that charset.
    may_be_true: bool,
}

/// The texts of a message that may be witnesses.
#[derive(Debug)]
struct WitnessTexts {
    /// For each part the one whose header is that of the message which it is in.
    tops: Vec<usize>,
    /// For each such part the first texts of its message that mail programs show.
    shown: Vec<Vec<usize>>,
    /// What each part declares, once somebody asked.
    declared: Vec<OnceCell<Option<DeclaredCharset>>>,
}

/// So many texts of a message are asked: with the part that a header is of, as many as there are places for what they
/// name (all of [`Neighbours`] but the last), so that what is not heard now is not heard either once some of them are
/// converted.
const ASKED: usize = 8;

impl WitnessTexts {
    /// Returns the texts of the message that a part is in which are asked, in their order and without that part.
    fn beside(&self, index: usize) -> impl Iterator<Item = usize> {
        let shown = self.tops.get(index).and_then(|top| self.shown.get(*top));
        shown.into_iter().flatten().copied().filter(move |at| *at != index)
    }

    /// Finds the texts that mail programs show, the first [`ASKED`] of each message within the message, in one pass
    /// over its parts.
    fn of(message: &Message) -> WitnessTexts {
        let parts = message.parts();
        let mut tops: Vec<usize> = Vec::with_capacity(parts.len());
        let mut shown = vec![Vec::new(); parts.len()];
        // Parts follow their parents, so the message around each is known when it is reached.
        for (index, part) in parts.iter().enumerate() {
            let inner = part.parent.filter(|&parent| parts[parent].kind != Kind::Message);
            let top = inner.map_or(index, |parent| tops[parent]);
            tops.push(top);
            if shown[top].len() < ASKED && is_shown_text(message, part) {
                shown[top].push(index);
            }
        }
        WitnessTexts { tops, shown, declared: vec![OnceCell::new(); parts.len()] }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Only the first texts of all of a digest were asked, and the last of its messages had no witness.
    #[test]
    fn each_message_of_a_digest_has_its_own_texts() {
        let inner = "--b\n\nSubject: x\nContent-Type: multipart/mixed; boundary=N\n\n--N\n\
            Content-Type: text/plain; charset=koi8-r\n\nx\n--N--\n";
        let digest: String = (0..40).map(|number| inner.replace('N', &format!("c{number}."))).collect();
        let raw = format!("Content-Type: multipart/digest; boundary=b\n\n{digest}--b--\n");
        let profile = Profile::default();
        let message = Message::read(raw.as_bytes(), &profile.limits);
        let evidence = Evidence::of(&message, &profile);
        let tops = (0..message.parts().len()).filter(|at| message.parts()[*at].content_type.is("multipart", "mixed"));
        let found: Vec<_> = tops.map(|at| evidence.declared_charsets(evidence.parts_to_ask(at))[0]).collect();
        let silent = Neighbour { charset: Charset::KOI8_R, because: Because::Part, has_testified: false };
        assert_eq!(found, [Some(silent); 40]);
    }
}

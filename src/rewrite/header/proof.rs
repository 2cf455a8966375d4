//! Proves that a field that was rewritten reads as it read before.
//!
//! Both values are read as a mail program reads them: words decoded, quotes and folds undone, white space between words
//! dropped. What is left are the texts of the field, and the octets around them in which nothing may have changed
//! (addresses, commas, names of parameters).

use std::borrow::Cow;
use std::collections::{BTreeMap, HashSet};
use std::ops::Range;

use super::downgrade::{Downgrades, kind_of};
use super::item::{Item, Segment};
use super::items::Items;
use super::proved::ProvedValue;
use super::target::{FieldTarget, reader};
use super::value::has_only_words_of;
use super::{identifiers, segment, uris};
use crate::coding::charset::Charset;
use crate::coding::encoded_word::{EncodedWord, WordPlace, WordReader};
use crate::coding::escape;
use crate::coding::evidence;
use crate::coding::transfer::TransferEncoding;
use crate::message::grammar::parameter;
use crate::message::irregular::{self, Form, ValueKind};
use crate::message::{CONTENT_TRANSFER_ENCODING, CONTENT_TYPE, FieldKind};
use crate::rewrite::survey::evidence::beside::Beside;
use crate::rewrite::{FileNames, HeaderForm, Profile, Repair};

/// How the fields of one header are read.
#[derive(Clone, Copy)]
pub struct FieldReading<'r> {
    /// What labels mean, and what else decides how text is read.
    pub profile: &'r Profile,
    /// The charset that a body declares for raw 8-bit text in the header.
    pub beside: Beside<'r>,
    /// Whether the body asks its Content-Type for another charset or media type.
    pub retyped: bool,
    /// The transfer encoding that the body asks for.
    pub transfer: Option<&'r TransferEncoding>,
}

impl FieldReading<'_> {
    /// Proves a value as [`FieldReading::prove`] does, so that it need not be proved again.
    pub fn proved(&self, name: &[u8], was: &[u8], now: Vec<u8>) -> Result<ProvedValue, &'static str> {
        self.prove(name, was, &now)?;
        Ok(ProvedValue::new(now, self.beside.named, self.is_retyped(name)))
    }

    /// Returns `true` if the value of a field is the one that was proved in its place, and read in the same way. What a body
    /// asks of its transfer encoding isn't known where fields are planned.
    pub fn is_proved(&self, name: &[u8], now: &[u8], proved: &ProvedValue) -> bool {
        let is_transfer = CONTENT_TRANSFER_ENCODING.names(name);
        !is_transfer && proved.is(now, self.beside.named, self.is_retyped(name))
    }

    /// Returns `true` if the text of a field that was moved is the one that was proved to say what that said, or does so.
    pub fn is_moved(&self, was: &[u8], text: &[u8], proved: Option<&ProvedValue>) -> bool {
        let is_proved = proved.is_some_and(|it| it.is(text.trim_ascii(), self.beside.named, false));
        is_proved || is_same_text(was, text, self.profile, self.beside)
    }

    /// Returns `true` if a field is the Content-Type of which the body asks for something else.
    fn is_retyped(&self, name: &[u8]) -> bool {
        self.retyped && CONTENT_TYPE.names(name)
    }

    /// Proves that a field says what it said: its texts are the same, and so is what is around them; no word or charset
    /// came about that septet does not write, and no form that readers take differently. The error says what differs.
    /// Links and identifiers are compared by what they mean; of a transfer encoding only what the body asks for counts.
    pub fn prove(&self, name: &[u8], was: &[u8], now: &[u8]) -> Result<(), &'static str> {
        let profile = self.profile;
        if CONTENT_TRANSFER_ENCODING.names(name) {
            return self.prove_transfer(now);
        }
        let mapped = |value| if uris::OF_URIS.names(name) { uris::with_uris(value, profile) } else { value.into() };
        let (was, now) = (mapped(was), mapped(now));
        let (was, now) = (
            identifiers::normalized(name, &was, &profile.labels),
            identifiers::normalized(name, &now, &profile.labels),
        );
        let (was, now) = (&*was, &*now);
        let reader = reader(profile, self.beside);
        let retyped = self.is_retyped(name);
        if str::from_utf8(was).is_ok() && str::from_utf8(now).is_err() {
            return Err("octets that are no UTF-8");
        }
        self.prove_forms(name, was, now)?;
        // Both values are read as the kind that the old one is of: a trace that was downgraded is ASCII now, and would
        // be read as another kind.
        let kind = kind_of(name, was, profile.downgraded_addresses());
        let may_repeat = kind == FieldKind::Parameters && profile.file_names == FileNames::Both;
        let reading = |value: &[u8]| match kind {
            FieldKind::Parameters => read_parameters(value, reader, retyped, profile),
            kind => read_texts(name, value, kind, reader, profile),
        };
        let (old, new) = (was, now);
        let (was, now) = (reading(was), reading(now));
        let is_half =
            |word: &EncodedWord| str::from_utf8(&new[word.at.clone()]).is_ok_and(|word| was.halves.contains(word));
        let is_ours = |word: &EncodedWord| is_written_label(&new[word.label.clone()], profile) || is_half(word);
        if !has_only_words_of(old, new, is_ours) {
            return Err("a word in a charset that is not written");
        }
        match () {
            () if !now
                .labels
                .iter()
                .all(|label| is_written_label(label.as_bytes(), profile) || was.labels.contains(label)) =>
            {
                Err("a charset that is not written")
            }
            () if !are_same(&was.texts, &now.texts, may_repeat, profile) => Err("the text of a field"),
            // What a Content-Type names is proved with the part.
            () if was.around != now.around && !retyped => Err("what stands around the text of a field"),
            () => Ok(()),
        }
    }
}

impl FieldReading<'_> {
    /// Proves that only what is regular was changed, and that no other irregular form came about.
    ///
    /// A parameter of irregular form keeps no other from being written: of a field with parameters only the forms count
    /// that concern all of it. That the parameter stays is the planner's doing, which asks the gate, and is not proved
    /// here. A Content-Type that must name another charset may have an irregular form: the gate of bodies let it
    /// through.
    fn prove_forms(&self, name: &[u8], was: &[u8], now: &[u8]) -> Result<(), &'static str> {
        let kind = ValueKind::of(name);
        let (before, of_all) = match kind {
            ValueKind::MediaType | ValueKind::Parameters => {
                let forms = irregular::parameters(was, kind == ValueKind::MediaType);
                (forms.all().and(irregular::line_ends(was)), forms.of(""))
            }
            _ => [irregular::field(was, kind); 2].into(),
        };
        let mut may_be = before;
        // The 7-bit form of an address has backslashes of its own (RFC 6533 §3).
        may_be.add_if(FieldKind::of(name) == FieldKind::TypedAddress, Form::AddressBackslash);
        // Of a label in `&quot;` the second half stays, which says nothing to anybody.
        may_be.add_if(before.has(Form::LabelEncoded), Form::ParameterStray);
        match () {
            () if of_all.irregular().is_some() && !self.is_retyped(name) => Err("a field of irregular form"),
            () if irregular::field(now, kind).irregular_beside(may_be).is_some() => {
                Err("a form that readers take differently")
            }
            () => Ok(()),
        }
    }
}

/// Returns the target by which a value is read and nothing of it written; where it is `literal`, no words are read. The
/// keys that decide how a value is read must be those of `with_target`, by which it was planned.
fn reading_target<'r>(reader: WordReader<'r>, profile: &'r Profile, literal: bool) -> FieldTarget<'r> {
    let (unescape, repair) = (profile.unescape_in_headers(), Repair::Unreadable);
    let once = profile.headers != HeaderForm::Utf8;
    let (form, charset, escape) = (HeaderForm::Keep, Charset::UTF_8, profile.escape);
    let (closest, fold, keep_raw, most) = (None, None, false, None);
    let file_names = FileNames::Extended;
    let undo_double = profile.undoes_double_in_headers();
    FieldTarget {
        form,
        charset,
        file_names,
        named_beside: None,
        escape,
        closest,
        reader,
        fold,
        literal,
        unescape,
        once,
        undo_double,
        repair,
        keep_raw,
        most,
    }
}

/// Returns `true` if a text that is unstructured says what stood in a structured value. In that no word is read, for
/// words in it became text, too; how much white space stands between is not compared.
pub(super) fn is_same_text(was: &[u8], text: &[u8], profile: &Profile, beside: Beside) -> bool {
    let reader = reader(profile, beside);
    let said = |value: &[u8], literal: bool| {
        let items = Items::new(value, reading_target(reader, profile, literal));
        shown(&items.text(0..value.len(), WordPlace::Text), value)
    };
    is_same(&said(was, true), &said(text, false), profile)
}

/// Returns `true` if a text says what another said: the same, or the same in the escapes or the closest letters that
/// the profile writes. What closest letters stand for can't be told from them, so that both texts are compared as
/// these.
fn is_same(was: &str, now: &str, profile: &Profile) -> bool {
    // White space at an end is written as an escape, and is no part of a text: it goes once the escape is expanded.
    let is_written = || {
        let now = with_single_spaces(&escape::unescape(now, &[profile.escape]).text);
        now == was || (profile.closest && now == with_single_spaces(&escape::closest(was, profile.language).0))
    };
    was == now || (profile.headers == HeaderForm::Ascii && is_written())
}

impl FieldReading<'_> {
    /// Proves that a Content-Transfer-Encoding names what the body asks for, and nothing else.
    fn prove_transfer(&self, now: &[u8]) -> Result<(), &'static str> {
        let is_named = |asked: &TransferEncoding| now.trim_ascii() == asked.name().as_bytes();
        if self.transfer.is_some_and(is_named) { Ok(()) } else { Err("the name of a transfer encoding") }
    }
}

/// Returns `true` if words and parameters are written under a label, by this profile or any other; `8bit` is the label
/// of raw octets. `unknown-8bit` is written only by a profile that says so.
fn is_written_label(label: &[u8], profile: &Profile) -> bool {
    let unknown = [Charset::UNKNOWN_8BIT.name()];
    let unknown = if profile.names_unknown_8bit() { &unknown[..] } else { &[] };
    let written = [Charset::UTF_8, Charset::UTF_7, Charset::UNICODE_1_1_UTF_7, Charset::US_ASCII].map(Charset::name);
    written.iter().chain(&["8bit"]).chain(unknown).any(|name| label.eq_ignore_ascii_case(name.as_bytes()))
}

/// What a field says.
#[derive(Debug, PartialEq, Eq)]
struct FieldMeaning {
    texts: Vec<String>,
    around: Vec<u8>,
    /// The charsets that parameters name, in lower case, the languages, and the names that are no ASCII.
    labels: HashSet<String>,
    /// Words of the halves of characters that its words end in.
    halves: HashSet<String>,
}

/// Reads what a field without parameters says: its texts and the octets around them. What the profile downgrades is
/// read as what is written for it ([`Ascii::meaning`](super::ascii::Ascii::meaning)), so that a value and its
/// downgraded form say the same.
fn read_texts(name: &[u8], value: &[u8], kind: FieldKind, reader: WordReader<'_>, profile: &Profile) -> FieldMeaning {
    let items = Items::new(value, reading_target(reader, profile, false));
    let found = segment::segments(value, kind, &items, false);
    let addresses = profile.downgraded_addresses();
    let downgrades = addresses.map(|it| Downgrades::of(name, value, &items, it)).unwrap_or_default();
    let texts = found.segments.iter().filter(|it| !it.items.is_empty() && !downgrades.covers(it.at().start));
    let mut pieces: Vec<(Range<usize>, String, &str)> =
        texts.map(|segment| (segment.at(), shown(segment, value), "")).collect();
    for downgrade in &downgrades.list {
        let (text, around) = downgrade.to.meaning();
        pieces.push((downgrade.at.clone(), text.map_or(String::new(), with_single_spaces), around));
    }
    pieces.sort_by_key(|(at, ..)| at.start);
    let (mut texts, mut around, mut at) = (Vec::new(), Vec::new(), 0);
    for (range, text, with) in pieces {
        around.extend(solid(&value[at.min(range.start)..range.start]));
        around.extend(solid(with.as_bytes()));
        at = range.end;
        texts.extend((!text.is_empty()).then_some(text));
    }
    around.extend(solid(&value[at..]));
    let items = found.segments.iter().flat_map(|segment| &segment.items);
    let halves = items.filter_map(|item| Some(item.half.as_ref()?.word.clone())).collect();
    FieldMeaning { texts, around, labels: HashSet::new(), halves }
}

/// Returns `true` if the texts of a field say the same, one by one. In ASCII those that are nothing but white space
/// count for none; where a parameter may get a second form (`may_repeat`), what says the same as the text before it counts
/// for none.
fn are_same(was: &[String], now: &[String], may_repeat: bool, profile: &Profile) -> bool {
    // A text of nothing but white space is none, in escapes or not.
    let is_text = |text: &&String| {
        profile.headers != HeaderForm::Ascii
            || !with_single_spaces(&escape::unescape(text, &[profile.escape]).text).is_empty()
    };
    let (was, now): (Vec<_>, Vec<_>) = (was.iter().filter(is_text).collect(), now.iter().filter(is_text).collect());
    let mut rest = was.iter();
    let mut last = None;
    for now in now {
        let next = rest.as_slice().first().filter(|was| is_same(was, now, profile));
        let is_again = || may_repeat && last.is_some_and(|was: &&String| is_same(was, now, profile));
        match next {
            Some(_) => last = rest.next(),
            None if is_again() => {}
            None => return false,
        }
    }
    rest.next().is_none()
}

/// Returns octets without white space.
fn solid(octets: &[u8]) -> impl Iterator<Item = u8> + '_ {
    octets.iter().copied().filter(|octet| !octet.is_ascii_whitespace())
}

/// Returns octets that nobody can read as a text to compare: themselves where they are UTF-8, else for each that is no
/// ASCII one of Unicode's last characters for private use, so that no two octets look the same.
fn unread(octets: &[u8]) -> Cow<'_, str> {
    match str::from_utf8(octets) {
        Ok(text) if !text.contains(|it| it >= FIRST) => text.into(),
        // ASCII is read by itself, whatever stands beside it.
        _ => octets
            .iter()
            .map(|it| if it.is_ascii() { char::from(*it) } else { private(*it) })
            .collect::<String>()
            .into(),
    }
}

/// The first of the characters that stand for octets.
const FIRST: char = '\u{10FF00}';

/// Returns the character for private use that stands for an octet.
fn private(octet: u8) -> char {
    char::from_u32(u32::from(FIRST) + u32::from(octet)).unwrap_or(FIRST)
}

/// Returns the text of a segment as a person sees it: one space for white space, none between words that can be read.
/// What can't be read is shown as it stands ([`unread`]).
fn shown(segment: &Segment, value: &[u8]) -> String {
    let items = &segment.items;
    // A word that can't be read is shown as it stands, and the white space around it too.
    let is_read = |item: &&Item| item.is_words() && item.why_it_stays().is_none();
    let words = |index: Option<usize>| index.and_then(|index| items.get(index)).filter(is_read);
    let is_dropped_between_words = |index: usize| {
        words(index.checked_sub(1)).is_some_and(|item| item.half.is_none()) && words(index.checked_add(1)).is_some()
    };
    let mut text = String::new();
    for (index, item) in items.iter().enumerate() {
        match () {
            () if item.is_white() && is_dropped_between_words(index) => {}
            () if item.why_it_stays().is_some() => text.push_str(&unread(&value[item.at.clone()])),
            () => text.push_str(&item.text),
        }
        // No text has a line end: it is shown as octets that nobody can read are.
        text.extend(item.line_end.bytes().map(private));
        // Half a character stays, as a word that can't be read.
        text.extend(item.half.iter().flat_map(|half| [" ", &half.word]));
    }
    with_single_spaces(&text)
}

/// Returns a text with one space for white space, folds included, and none at its ends.
fn with_single_spaces(text: &str) -> String {
    text.split([' ', '\t', '\r', '\n']).filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
}

/// Returns the sections of a parameter as they stand, with what is said of their charset; those of its other form are
/// another parameter, and read for themselves.
fn written(sections: &[(&[u8], &[u8])], own: &[usize]) -> Vec<u8> {
    let own = own.iter().filter_map(|&index| sections.get(index));
    own.flat_map(|(section, value)| [section, &b"="[..], value, b";"].concat()).collect()
}

/// Returns what the text of a parameter says, without the second encoding that a profile undoes.
fn parameter_meant<'t>(name: &str, text: &'t str, profile: &Profile) -> Cow<'t, str> {
    let is_undone = profile.undoes_double_in_headers() && !parameter::is_machine(name);
    let meant = if is_undone { evidence::encoded_once(text) } else { None };
    meant.map_or(Cow::Borrowed(text), Cow::Owned)
}

/// Reads what a field with parameters says: their texts, in the order of their names, and the octets around them.
/// `charset` is left out where the planner of bodies sets it (`retyped`), and a second encoding is undone where that is
/// to be fixed.
fn read_parameters(value: &[u8], reader: WordReader<'_>, retyped: bool, profile: &Profile) -> FieldMeaning {
    let pairs = parameter::sections(value).list;
    let sections: Vec<(&[u8], &[u8])> = pairs.iter().map(|pair| pair.slices(value)).collect();
    let mut texts: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let odd = sections.iter().map(|(section, _)| parameter::base(section)).filter(|name| !name.is_ascii());
    let mut labels: HashSet<String> = odd.map(|name| format!("name {}", unread(name))).collect();
    for read in parameter::read(&sections, reader) {
        let from = read.outcome.iter().flat_map(|text| &text.from);
        labels.extend(from.map(|label| label.name.to_ascii_lowercase()));
        labels.extend(read.language.as_ref().map(|tag| format!("language {tag}")));
        let text = match &read.outcome {
            Ok(text) => with_single_spaces(&parameter_meant(&read.name, &text.text, profile)),
            Err(fault) => format!("{fault}: {}", unread(&written(&sections, &read.sections))),
        };
        texts.entry(read.name.to_ascii_lowercase()).or_default().push(text);
    }
    if retyped {
        texts.remove("charset");
    }
    // What stands before the parameters ends with a `;`; those between them come and go.
    let first = pairs.first().map_or(value.len(), |pair| pair.name.start);
    let mut around: Vec<u8> = solid(&value[..first]).collect();
    let mut at = first;
    for pair in &pairs {
        around.extend(solid(&value[at..pair.name.start.max(at)]).filter(|octet| *octet != b';'));
        at = pair.value.end;
    }
    around.extend(solid(&value[at..]).filter(|octet| *octet != b';'));
    let rows = |(name, texts): (String, Vec<String>)| {
        texts.into_iter().map(move |text| format!("{name}={text}")).collect::<Vec<_>>()
    };
    FieldMeaning { texts: texts.into_iter().flat_map(rows).collect(), around, labels, halves: HashSet::new() }
}

//! Plans header fields: which characters of a field are written otherwise, and how.
//!
//! One function plans one field ([`plan_field`]), so edits can't fight; where somebody else must set a parameter
//! of the same field, as the body's planner sets `charset`, it hands over the value and both changes come out of
//! one pass. Nothing here asks whether the field may be touched: protection and DKIM are the
//! caller's.
//!
//! How a field is planned:
//!
//! 1. A field with no octet over 127, no `=?` and, where it has parameters, no `*` has nothing to plan. That
//!    is one scan of the value, and nearly every field of nearly all mail ends here.
//! 2. [`kind`](FieldKind) says where text stands in it, [`segment`] finds those places, [`item`] reads them.
//! 3. [`replacement`] decides what is replaced, [`parameters`] does so for parameters.
//! 4. `fold.rs` writes it: columns, folds, limits.
//!
//! What stays, stays octet for octet, folds and odd white space too. A field planned twice is planned once: the
//! second plan is empty. What can't be read is left and reported, and so is a field that could not be written
//! without a line over 998 octets.
//!
//! **Limits:** none of its own; linear in the field.

mod ascii;
mod downgrade;
mod encapsulate;
mod fold;
mod item;
mod kind;
mod mime;
mod parameters;
mod proof;
mod replacement;
mod report_value;
mod segment;
mod target;
mod typed;
mod typed_address;
mod uris;

use std::ops::Range;

pub use encapsulate::{DOWNGRADED, encapsulated, is_encapsulable};
pub use kind::FieldKind;
use kind::is_trace;
pub(in crate::rewrite) use mime::{MimeFields, labelled_field};
pub use proof::{FieldReading, is_same_text};
pub use report_value::report_value;
pub use typed::{NotWritten, encode_value};

use self::downgrade::{Downgrades, kind_of};
use self::fold::{FoldInput, Refused, ValueEdit, fold};
use self::item::{Items, Segment};
use self::replacement::Replacement;
use self::target::Target;
use crate::coding::charset::{self, Charset};
use crate::coding::encoded_word::{Reader, needs_words};
use crate::edit::EditList;
use crate::message::grammar::lexer::{Grammar, TokenKind, tokens};
use crate::message::grammar::parameter;
use crate::message::{Field, Message};
use crate::rewrite::profile::AddressRules;
use crate::rewrite::{Change, HeaderForm, LONGEST_LINE, OnLoss, Outcome, Profile, Reason};

/// What is to be done to one field, and what there is to say of it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct FieldPlan {
    /// The edits, all within the field's value.
    pub edits: EditList,
    /// What was done, if anything, and then what was left.
    pub outcomes: Vec<Outcome>,
}

/// Plans one field of a message; total and pure.
///
/// `overrides` are parameters, and the ASCII values that they must have afterwards, for the planner of bodies: a
/// value that stands there is replaced, a parameter that does not is added at the end. They count in
/// Content-Type and Content-Disposition alone, whatever the profile, and are not reported.
pub fn plan_field(message: &Message<'_>, profile: &Profile, field: &Field, overrides: &[(&str, &str)]) -> FieldPlan {
    plan_field_beside(message, profile, field, overrides, None)
}

/// Plans one field of a part whose body declares a charset, in which mail programs read raw 8-bit octets of the header.
pub fn plan_field_beside(
    message: &Message<'_>,
    profile: &Profile,
    field: &Field,
    overrides: &[(&str, &str)],
    declared: Option<Charset>,
) -> FieldPlan {
    let value = message.slice(field.value);
    let name = message.slice(field.name);
    let indent = field.value.start.saturating_sub(field.line.start);
    if let Some(links) = uris::plan(name, value, indent, profile) {
        let comments = with_target(message, profile, declared, |target| {
            Value { name, value, indent, target, addresses: None }.plan(overrides)
        });
        return links.beside(comments, value, indent).of(field);
    }
    if overrides.is_empty() && !may_concern(message, profile, field) {
        return FieldPlan::default();
    }
    let addresses = profile.downgraded_addresses();
    with_target(message, profile, declared, |target| {
        Value { name, value, indent, target, addresses }.plan(overrides).of(field)
    })
}

/// Does something with what a profile makes of the text of a message's fields.
fn with_target<T>(
    message: &Message<'_>,
    profile: &Profile,
    declared: Option<Charset>,
    look: impl FnOnce(Target<'_>) -> T,
) -> T {
    let guess = |octets: &[u8]| charset::guess(octets, &profile.unlabelled, &profile.labels);
    let (lossy, unknown_8bit) = (profile.on_loss == OnLoss::Replace, profile.names_unknown_8bit());
    let reader = Reader { labels: &profile.labels, guess: Some(&guess), declared, lossy, unknown_8bit };
    look(Target {
        form: profile.headers,
        charset: profile.headers_charset(),
        escape: profile.escape,
        closest: profile.closest_letters(),
        reader,
        fold: Some(message.line_end().as_str()),
        literal: false,
        unescape: profile.unescape_in_headers(),
        once: profile.headers != HeaderForm::Utf8,
        repair: profile.repair,
        keep_raw: false,
    })
}

/// Tells, in one scan, whether a field can hold anything to plan by a profile.
pub fn may_concern(message: &Message<'_>, profile: &Profile, field: &Field) -> bool {
    let value = message.slice(field.value);
    let is_escaped = || !profile.unescape_in_headers().is_empty() && memchr::memchr2(b'\\', b'&', value).is_some();
    profile.headers != HeaderForm::Keep && (may_hold_text(message.slice(field.name), value) || is_escaped())
}

fn may_hold_text(name: &[u8], value: &[u8]) -> bool {
    if needs_words(value) || charset::has_iso_2022_escape(value) {
        return true;
    }
    // `*` alone is common in text, so the name is looked up only where there is one.
    memchr::memchr(b'*', value).is_some() && FieldKind::of(name) == FieldKind::Parameters
}

/// The value of one field, and what is to become of it.
struct Value<'a> {
    name: &'a [u8],
    value: &'a [u8],
    /// Octets on the line before the value.
    indent: usize,
    target: Target<'a>,
    /// What becomes of addresses, where the header shall be ASCII.
    addresses: Option<AddressRules<'a>>,
}

/// What is planned for one field: edits of the value, and what to say.
#[derive(Default)]
struct Planned {
    edits: Vec<ValueEdit>,
    changes: Vec<Change>,
    left: Vec<Reason>,
}

impl Planned {
    /// Puts together what was planned for the links of a field and for the comments beside them.
    fn beside(self, comments: Planned, value: &[u8], indent: usize) -> Planned {
        // The octets of a link that is not mapped are no news: what is left is said below.
        let is_news = |reason: &Reason| *reason != Reason::Stray;
        let mut all = Planned {
            edits: [self.edits, comments.edits].concat(),
            changes: [self.changes, comments.changes].concat(),
            left: self.left.into_iter().chain(comments.left.into_iter().filter(is_news)).collect(),
        };
        all.edits.sort_by_key(|(at, _)| at.start);
        let mut after = EditList::new();
        let fits = all.edits.iter().all(|(at, with)| after.push(at.clone().into(), with.clone()).is_ok());
        let after = after.apply(value);
        let before = |line: usize| if line == 0 { indent } else { 0 };
        let mut lines = after.split(|octet| *octet == b'\n').enumerate();
        if !fits || lines.any(|(line, text)| before(line) + text.len() > LONGEST_LINE + 1) {
            return Planned { left: vec![Reason::LongLine], ..Planned::default() };
        }
        if !after.is_ascii() && all.left.is_empty() {
            all.left.push(Reason::Stray);
        }
        all
    }

    /// Moves the edits to where the field's value stands in the message.
    fn of(self, field: &Field) -> FieldPlan {
        let mut edits = EditList::new();
        for (at, with) in self.edits {
            // The fold gives them sorted and disjoint; where it doesn't, the field stays and septet is to blame.
            if edits.push(field.value.within(at), with).is_err() {
                return FieldPlan { edits: EditList::new(), outcomes: vec![Outcome::Left(TWO_CHANGES)] };
            }
        }
        let done = (!self.changes.is_empty()).then_some(Outcome::Done(self.changes));
        FieldPlan { edits, outcomes: done.into_iter().chain(self.left.into_iter().map(Outcome::Left)).collect() }
    }
}

impl Value<'_> {
    fn plan(&self, overrides: &[(&str, &str)]) -> Planned {
        let mut planned = Planned::default();
        let edits = match FieldKind::of(self.name) {
            FieldKind::Parameters => self.parameter_edits(overrides, &mut planned),
            _ => self.text_edits(&mut planned),
        };
        match edits {
            Ok(edits) => planned.edits = edits,
            Err(refused) => {
                planned.changes.clear();
                planned.left.push(match refused {
                    Refused::LongLine => Reason::LongLine,
                    Refused::Unmappable(lost) => Reason::Loss(lost.character),
                });
            }
        }
        planned.changes = few(summed(planned.changes));
        planned.left = few(planned.left);
        planned
    }

    fn text_edits(&self, planned: &mut Planned) -> Result<Vec<ValueEdit>, Refused> {
        let edits = self.fold(&self.target, planned);
        let fits = match &edits {
            Ok(edits) => self.may_stand_raw(edits),
            Err(refused) => *refused != Refused::LongLine,
        };
        if self.target.form != HeaderForm::Utf8 || fits {
            return edits;
        }
        // Raw text that can't be folded can still be written in words, which can; and words are read alike beside octets
        // that are no UTF-8.
        *planned = Planned::default();
        self.fold(&Target { form: HeaderForm::Utf8Words, keep_raw: true, ..self.target }, planned)
    }

    /// Tells whether what is written is ASCII or stands beside UTF-8 alone: raw octets of a field are read in one charset.
    fn may_stand_raw(&self, edits: &[ValueEdit]) -> bool {
        let ends = edits.iter().map(|(at, _)| at.start).chain([self.value.len()]);
        let starts = [0].into_iter().chain(edits.iter().map(|(at, _)| at.end));
        let mut kept = starts.zip(ends).map(|(start, end)| &self.value[start..end]);
        edits.iter().all(|(_, with)| with.is_ascii()) || kept.all(|octets| str::from_utf8(octets).is_ok())
    }

    fn fold(&self, target: &Target<'_>, planned: &mut Planned) -> Result<Vec<ValueEdit>, Refused> {
        let kind = kind_of(self.name, self.value, self.addresses);
        let items = Items::new(self.value, *target);
        let found = segment::segments(self.value, kind, &items, target.literal);
        let downgrades = self
            .addresses
            .map(|addresses| Downgrades::of(self.name, self.value, &items, addresses))
            .unwrap_or_default();
        let mut replacements: Vec<Replacement> = Vec::new();
        for segment in found.segments.iter().filter(|segment| !downgrades.covers(segment.at().start)) {
            let wanted = |item: &&item::Item| target.form != HeaderForm::Words || item.eight_bit;
            planned.left.extend(segment.items.iter().filter(wanted).filter_map(|item| item.left().map(Reason::from)));
            let found = replacement::replacements(segment, self.value, target);
            replacements.extend(found.replacements);
            planned.changes.extend(found.changes);
            planned.left.extend(found.left);
        }
        let is_stray = found.stray && !self.is_all_written(&found.segments, &downgrades);
        if is_stray && !(target.form == HeaderForm::Utf8 && std::str::from_utf8(self.value).is_ok()) {
            planned.left.push(Reason::Stray);
        }
        for downgrade in downgrades.list {
            replacements.extend(replacement::of_downgrade(&downgrade, self.value, target));
            planned.changes.push(downgrade.change);
        }
        planned.left.extend(downgrades.left);
        // A trace is wholly in ASCII afterwards, or as it was.
        if is_trace(self.name) && !planned.left.is_empty() {
            *planned = Planned { left: vec![Reason::Stray], ..Planned::default() };
            return Ok(Vec::new());
        }
        replacements.sort_by_key(|replacement| (replacement.at.start, replacement.at.end));
        let no_fold = if kind == FieldKind::Unstructured { Vec::new() } else { self.no_fold(Grammar::Address) };
        fold(self.input(&no_fold), &replacements)
    }

    /// Tells whether every octet over 127 stands in a text, or is written otherwise.
    fn is_all_written(&self, segments: &[Segment], downgrades: &Downgrades) -> bool {
        let mut raw = (0..self.value.len()).filter(|&at| !self.value[at].is_ascii());
        let in_text = |at: usize| segments.iter().any(|segment| segment.at().contains(&at));
        raw.all(|at| downgrades.touches(at) || in_text(at))
    }

    fn parameter_edits(&self, overrides: &[(&str, &str)], planned: &mut Planned) -> Result<Vec<ValueEdit>, Refused> {
        let found = parameters::parameters(self.value, &self.target, overrides);
        planned.changes = found.changes;
        planned.left = found.left;
        let is_utf8 = self.target.form == HeaderForm::Utf8 && std::str::from_utf8(self.value).is_ok();
        if found.stray && self.target.form != HeaderForm::Keep && !is_utf8 {
            planned.left.push(Reason::Stray);
        }
        fold(self.input(&self.no_fold_in_parameters()), &found.replacements)
    }

    fn input<'s>(&'s self, no_fold: &'s [Range<usize>]) -> FoldInput<'s> {
        FoldInput { value: self.value, indent: self.indent, fold: self.target.fold, no_fold }
    }

    /// Finds the ranges of a structured value in which no fold may be put.
    fn no_fold(&self, grammar: Grammar) -> Vec<Range<usize>> {
        let tokens = tokens(self.value, grammar).into_iter();
        let solid = |kind: &TokenKind| matches!(kind, TokenKind::Quoted | TokenKind::Literal | TokenKind::Word(_));
        tokens.filter(|token| solid(&token.kind)).map(|token| token.at).collect()
    }

    /// Finds the ranges of parameters in which no fold may be put: some readers take a value for another parameter, or
    /// for none, where a line ends between a name, its `=` and its value.
    fn no_fold_in_parameters(&self) -> Vec<Range<usize>> {
        let sections = parameter::sections(self.value).list.into_iter();
        let mut ranges = self.no_fold(Grammar::Mime);
        ranges.extend(sections.map(|section| section.name.start..section.value.end));
        ranges.sort_by_key(|range| range.start);
        ranges.dedup_by(|next, before| {
            let inside = next.start < before.end;
            before.end = if inside { before.end.max(next.end) } else { before.end };
            inside
        });
        ranges
    }
}

/// Why a field stays that was planned twice in one place.
const TWO_CHANGES: Reason = Reason::Internal("two changes of the same octets of a field");

/// The most changes, and the most reasons, that are said of one field.
const MANY: usize = 8;

/// Makes one count of what was replaced here and there in a field.
fn summed(mut changes: Vec<Change>) -> Vec<Change> {
    let mut sum = 0;
    changes.retain(|change| match change {
        Change::Replaced { count } => {
            sum += count;
            false
        }
        _ => true,
    });
    changes.extend((sum > 0).then_some(Change::Replaced { count: sum }));
    changes
}

/// Returns each thing once, and not many of them.
fn few<T: PartialEq>(all: Vec<T>) -> Vec<T> {
    let mut said = Vec::new();
    for one in all {
        if said.len() < MANY && !said.contains(&one) {
            said.push(one);
        }
    }
    said
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::message::Limits;

    #[test]
    fn a_plan_that_contradicts_itself_is_said_and_not_done() {
        let message = Message::read(b"Subject: abc\n\n", &Limits::default());
        let field = message.fields(&message.parts()[0])[0];
        let edits = vec![(1..3, "x".to_owned()), (2..4, "y".to_owned())];
        let changes = vec![Change::Repaired { what: "word" }];
        let plan = Planned { edits, changes, left: Vec::new() }.of(&field);
        assert!(plan.edits.is_empty());
        assert_eq!(plan.outcomes, [Outcome::Left(TWO_CHANGES)]);
    }
}

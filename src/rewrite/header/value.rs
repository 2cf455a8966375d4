//! The value of one field: what is planned for it, and whether that holds beside what stays.
//!
//! A value is read in segments, each of which says what is replaced in it; addresses and parameters have rules of their
//! own. What is written is then looked at beside what stays: half a word that stood there must not take in one of ours,
//! raw octets must not change the charset that their neighbours are read in, and no line may grow too long. Where one
//! does, the value stays, or is written in words.

use std::collections::HashSet;
use std::ops::Range;

use super::downgrade::{Downgrades, kind_of};
use super::fold::{FoldError, FoldInput, ValueEdit, fold};
use super::item::Segment;
use super::items::Items;
use super::planned::ValuePlan;
use super::replacement::{self, ReplaceWith, Replacement};
use super::target::FieldTarget;
use super::{parameters, segment};
use crate::coding::deception::may_deceive;
use crate::coding::encoded_word::{EncodedWord, words};
use crate::coding::evidence::encoded_once;
use crate::message::grammar::lexer::{Grammar, Lexer, TokenKind};
use crate::message::grammar::parameter;
use crate::message::irregular::ValueKind;
use crate::message::{FieldKind, LimitReached, RECEIVED, has_lone_return};
use crate::rewrite::profile::AddressRules;
use crate::rewrite::{Change, HeaderForm, Reason, canonical};

/// The value of one field, and what is to become of it.
pub struct FieldValue<'a> {
    /// The name of the field.
    pub name: &'a [u8],
    /// Its octets.
    pub value: &'a [u8],
    /// Octets on the line before the value.
    pub indent: usize,
    /// What becomes of text.
    pub target: FieldTarget<'a>,
    /// What becomes of addresses, where the header shall be ASCII.
    pub addresses: Option<AddressRules<'a>>,
}

/// Returns `true` if every word that stands in a value now stood there before, or is ours. A word that came about
/// between half a word and what was written beside it is neither, and readers would differ about it.
pub fn has_only_words_of(was: &[u8], now: &[u8], is_ours: impl Fn(&EncodedWord) -> bool) -> bool {
    let old: HashSet<&[u8]> = words(was).map(|word| &was[word.at]).collect();
    words(now).all(|word| is_ours(&word) || old.contains(&now[word.at]))
}

impl FieldValue<'_> {
    /// Plans what becomes of the value, as far as the gate lets it be changed; the caller proves it. `overrides` are
    /// parameters that a field with parameters must have afterwards; others have none.
    pub fn plan(&self, overrides: &[(&str, &str)]) -> ValuePlan {
        let mut planned = ValuePlan::default();
        let edits = match FieldKind::of(self.name) {
            FieldKind::Parameters => self.parameter_edits(overrides, &mut planned),
            _ => self.text_edits(&mut planned),
        };
        match edits {
            // A CR alone ends a line for some readers, and is white space to others. What the body needs (`overrides`)
            // is written all the same.
            Ok(edits) if !edits.is_empty() && overrides.is_empty() && has_lone_return(self.value) => {
                planned = ValuePlan::left(Reason::Control);
            }
            Ok(mut edits) => {
                // What is written as it stood is no change.
                edits.retain(|(at, with)| self.value[at.clone()] != *with.as_bytes());
                if edits.is_empty() {
                    planned.changes.clear();
                }
                planned.edits = edits;
            }
            Err(FoldError::Outgrown) => planned = self.given_up(overrides),
            Err(FoldError::LongLine) => planned.refuse(Reason::LongLine),
            Err(FoldError::Unmappable(lost)) => planned.refuse(Reason::Loss(lost.character)),
        }
        planned.said_once()
    }

    /// Returns the plan that leaves the value, since it would have more octets than it may. An irregular form of the
    /// value is the reason before that, since `text_edits` failed before it asked the gate.
    fn given_up(&self, overrides: &[(&str, &str)]) -> ValuePlan {
        let limit = Reason::Limit(LimitReached::FieldBytes(self.target.most.unwrap_or_default()));
        let is_control = overrides.is_empty() && has_lone_return(self.value);
        let left = ValuePlan::left(if is_control { Reason::Control } else { limit });
        // Parameters have asked the gate each for itself (`parameters.rs`): what outgrew the limit was let through.
        if FieldKind::of(self.name) == FieldKind::Parameters {
            left
        } else {
            left.left_if_irregular(self.name, self.value)
        }
    }

    /// Plans the text, and then asks the gate if the value may be changed at all. On an error the gate was not asked.
    fn text_edits(&self, planned: &mut ValuePlan) -> Result<Vec<ValueEdit>, FoldError> {
        planned.edits = self.plan_text_or_words(planned)?;
        // The gate judges how words are read, and in literal text there is none; control characters are refused anyway.
        if !self.target.literal {
            *planned = std::mem::take(planned).left_if_irregular(self.name, self.value);
        }
        Ok(std::mem::take(&mut planned.edits))
    }

    /// Plans the text as the target asks; raw UTF-8 that may not stand raw, or makes a line too long, is planned in
    /// words instead. `planned` is then begun anew, so that it says nothing of the first try. The gate is not asked.
    fn plan_text_or_words(&self, planned: &mut ValuePlan) -> Result<Vec<ValueEdit>, FoldError> {
        let edits = self.plan_text(&self.target, planned);
        let fits = match &edits {
            Ok(edits) => self.may_stand_raw(edits),
            Err(refused) => *refused != FoldError::LongLine,
        };
        if self.target.form != HeaderForm::Utf8 || fits {
            return edits;
        }
        // Raw text that can't be folded can still be written in words, which can; and words are read alike beside octets
        // that are no UTF-8.
        *planned = ValuePlan::default();
        self.plan_text(&FieldTarget { form: HeaderForm::Utf8Words, keep_raw: true, ..self.target }, planned)
    }

    /// Returns `true` if nothing but UTF-8 stays beside the edits, or there are none: raw octets of a field are read in
    /// one charset. Edits of nothing but ASCII are no exception: a second run would find other words beside them, and
    /// change more.
    fn may_stand_raw(&self, edits: &[ValueEdit]) -> bool {
        let ends = edits.iter().map(|(at, _)| at.start).chain([self.value.len()]);
        let starts = [0].into_iter().chain(edits.iter().map(|(at, _)| at.end));
        let mut kept = starts.zip(ends).map(|(start, end)| &self.value[start..end]);
        edits.is_empty() || kept.all(|octets| str::from_utf8(octets).is_ok())
    }

    /// Plans the texts and addresses of a value that has no parameters. The gate is not asked. `planned` gets the
    /// changes and the reasons, and is begun anew where all of the value stays.
    pub fn plan_text(&self, target: &FieldTarget<'_>, planned: &mut ValuePlan) -> Result<Vec<ValueEdit>, FoldError> {
        let kind = kind_of(self.name, self.value, self.addresses);
        let items = Items::new(self.value, *target);
        let found = segment::segments(self.value, kind, &items, target.literal);
        let downgrades = self
            .addresses
            .map(|addresses| Downgrades::of(self.name, self.value, &items, addresses))
            .unwrap_or_default();
        let mut replacements: Vec<Replacement> = Vec::new();
        for segment in found.segments.iter().filter(|segment| !downgrades.covers(segment.at().start)) {
            // With `words` only raw octets are to change: a word that can't be read is no failure.
            let wanted = segment.items.iter().filter(|item| target.form != HeaderForm::Words || item.eight_bit);
            planned.left.extend(wanted.filter_map(|item| item.why_unread().map(Reason::from)));
            let found = replacement::plan_segment(segment, self.value, target);
            replacements.extend(found.replacements);
            planned.changes.extend(found.changes);
            planned.left.extend(found.left);
        }
        let is_stray = found.stray && !self.is_all_written(&found.segments, &downgrades);
        // In a header of raw UTF-8 it may stand anywhere.
        if is_stray && !(target.form == HeaderForm::Utf8 && std::str::from_utf8(self.value).is_ok()) {
            planned.left.push(Reason::Stray);
        }
        for downgrade in downgrades.list {
            replacements.extend(replacement::of_downgrade(&downgrade, self.value, target));
            planned.changes.push(downgrade.change);
        }
        planned.left.extend(downgrades.left);
        // Raw octets are read as one with all others of their field: what stayed alone would be read otherwise.
        let mut replaced = replacements.iter();
        if planned.left.contains(&Reason::Unlabelled)
            && replaced.any(|it| it.names_unknown() || !self.value[it.at.clone()].is_ascii())
        {
            *planned = ValuePlan::left(Reason::Unlabelled);
            return Ok(Vec::new());
        }
        // A trace is wholly in ASCII afterwards, or as it was.
        if RECEIVED.names(self.name) && !planned.left.is_empty() {
            *planned = ValuePlan::left(Reason::Stray);
            return Ok(Vec::new());
        }
        replacements.sort_by_key(|replacement| (replacement.at.start, replacement.at.end));
        // A word that stays may have blanks in it.
        let no_fold = match kind {
            FieldKind::Unstructured => words(self.value).map(|word| word.at).collect(),
            _ => self.no_fold(Grammar::Address),
        };
        let edits = fold(self.input(target, &no_fold), &replacements)?;
        self.note_canonical_words(kind, &edits, &replacements, planned);
        Ok(edits)
    }

    /// Sets `canonical` and `honest` of the plan ([`ValuePlan`]), which hold only if nothing but words changes. What is
    /// canonical is not proved, and what is honest, too, is not looked through for deception.
    fn note_canonical_words(
        &self,
        kind: FieldKind,
        edits: &[ValueEdit],
        replacements: &[Replacement],
        planned: &mut ValuePlan,
    ) {
        let words = replacements.iter().map_while(|replacement| match &replacement.with {
            ReplaceWith::Words { text, frame: ("", ""), .. } => Some((&replacement.at, text.as_str())),
            _ => None,
        });
        let phrases = kind != FieldKind::Unstructured;
        let are_all = words.clone().count() == replacements.len();
        // What was encoded twice is not as it came.
        let is_undoubled = planned.changes.contains(&Change::Repaired { what: "double-encoded" });
        planned.honest = are_all && !is_undoubled && words.clone().all(|(_, text)| is_honest(text));
        planned.canonical = are_all && canonical::words::are_canonical(self.value, edits, words, phrases);
    }

    /// Returns `true` if every octet over 127 stands in a segment of text, readable or not, or is downgraded.
    fn is_all_written(&self, segments: &[Segment], downgrades: &Downgrades) -> bool {
        let mut written = vec![false; self.value.len()];
        let texts = segments.iter().map(Segment::at);
        for range in texts.chain(downgrades.list.iter().map(|downgrade| downgrade.at.clone())) {
            written.get_mut(range).unwrap_or_default().fill(true);
        }
        self.value.iter().zip(written).all(|(octet, is_written)| octet.is_ascii() || is_written)
    }

    /// Plans the parameters of the value; `planned` gets their changes and reasons in the place of its own. The gate is
    /// asked of each parameter by itself.
    pub fn parameter_edits(
        &self,
        overrides: &[(&str, &str)],
        planned: &mut ValuePlan,
    ) -> Result<Vec<ValueEdit>, FoldError> {
        let found = parameters::plan_parameters(self.value, ValueKind::of(self.name), &self.target, overrides);
        planned.changes = found.changes;
        planned.left = found.left;
        // With `Keep` nothing but overrides is asked, and in raw UTF-8 the octets may stand anywhere.
        let is_utf8 = self.target.form == HeaderForm::Utf8 && std::str::from_utf8(self.value).is_ok();
        if found.stray && self.target.form != HeaderForm::Keep && !is_utf8 {
            planned.left.push(Reason::Stray);
        }
        fold(self.input(&self.target, &self.no_fold_in_parameters()), &found.replacements)
    }

    /// Returns what the fold needs to know of the value; `no_fold` must be sorted.
    fn input<'s>(&'s self, target: &FieldTarget<'_>, no_fold: &'s [Range<usize>]) -> FoldInput<'s> {
        // Raw text has no limit here: it may still be written in words. `wish/field.rs` leaves a field that is too
        // long in the end.
        let most = self.target.most.filter(|_| target.form != HeaderForm::Utf8);
        FoldInput { value: self.value, indent: self.indent, fold: self.target.fold, no_fold, most }
    }

    /// Finds the ranges of a structured value in which no fold may be put: quoted-strings, domain literals and words.
    fn no_fold(&self, grammar: Grammar) -> Vec<Range<usize>> {
        let solid = Lexer::new(self.value, grammar)
            .filter(|it| matches!(it.kind, TokenKind::Quoted | TokenKind::Literal | TokenKind::Word(_)));
        solid.map(|token| token.at).collect()
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

/// Returns `true` if a text shows no address, has nothing that may deceive, and is not encoded twice.
fn is_honest(text: &str) -> bool {
    !text.contains('@') && !may_deceive(text) && encoded_once(text).is_none()
}

#[cfg(test)]
mod tests {
    use super::super::with_target;
    use super::*;
    use crate::coding::charset::Charset;

    use crate::rewrite::Profile;
    use crate::rewrite::survey::evidence::beside::Beside;

    /// The last word can't be written: nobody tried to.
    #[test]
    fn nothing_is_written_behind_the_most_octets_of_a_field() {
        let (value, charset) = (format!(" {}€", "é considerably plain ".repeat(100)), Charset::ISO_8859_1);
        let profile = Profile::default();
        let refused = |most: Option<usize>| {
            let planned = with_target("\n", &profile, Beside::default(), |target| {
                let target = FieldTarget { form: HeaderForm::Utf8Words, charset, most, ..target };
                FieldValue { name: b"Subject", value: value.as_bytes(), indent: 8, target, addresses: None }.plan(&[])
            });
            planned.left
        };
        assert_eq!(refused(None), [Reason::Loss('€')]);
        assert_eq!(refused(Some(3000)), [Reason::Limit(LimitReached::FieldBytes(3000))]);
    }
}

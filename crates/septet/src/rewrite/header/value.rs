//! The value of one field: what is planned for it, and whether that holds beside what stays.
//!
//! A value is read in segments, each of which says what is replaced in it; addresses and parameters have rules of their
//! own. What is written is then looked at beside what stays: half a word that stood there must not take in one of ours,
//! raw octets must not change the charset that their neighbours are read in, and no line may grow too long. Where one
//! does, the value stays, or is written in words.
//!
//! The *gate* keeps a value of a form that readers take differently ([`irregular::field`]). The *proof* reads the old
//! and the new value and compares what they say (`proof.rs`).

use std::ops::Range;

use super::downgrade::{Downgrades, kind_of};
use super::fold::{FoldInput, fold};
use super::item::Segment;
use super::items::Items;
use super::planned::{Refused, ValuePlan};
use super::replacement::{self, NewWords, ReplaceWith, Replacement, Replacements};
use super::target::FieldTarget;
use super::{parameters, segment};
use crate::coding::deception::may_deceive;
use crate::coding::encoded_word::words;
use crate::coding::evidence::encoded_once;
use crate::message::grammar::lexer::{Grammar, Token, TokenKind, tokens};
use crate::message::grammar::parameter::{self, Section};
use crate::message::irregular;
use crate::message::{CONTENT_TYPE, FieldKind, RECEIVED, has_lone_return};
use crate::rewrite::canonical::words::{ValueEdit, are_canonical};
use crate::rewrite::{Change, HeaderForm, Reason};

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
}

impl FieldValue<'_> {
    /// Plans what becomes of the value, as far as the gate lets it be changed; the caller proves it. `charset` is what
    /// a Content-Type must name afterwards; no other field has it. The order of the questions is the order of reasons:
    /// the form of a value is what is reported of it, else a lone CR, else that it is too long.
    pub fn plan(&self, charset: Option<&str>) -> ValuePlan {
        let are_parameters = FieldKind::of(self.name) == FieldKind::Parameters;
        let planned = if are_parameters { self.plan_parameters(charset) } else { self.plan_text_or_words() };
        let (mut planned, is_touched) = match planned {
            // A value that would have too many octets is left for that alone, if not for a lone CR or its form (below).
            Err(Refused { why: limit @ Reason::Limit(_), .. }) => (ValuePlan::left(vec![limit]), true),
            Err(Refused { why, left }) => return ValuePlan::left([left, vec![why]].concat()).said_once(),
            Ok(planned) if planned.edits.is_empty() => (planned, false),
            Ok(planned) => (planned, true),
        };
        // A CR alone ends a line for some readers, and is white space to others. What the body needs (`charset`) is
        // written all the same.
        if is_touched && charset.is_none() && has_lone_return(self.value) {
            planned = ValuePlan::left(vec![Reason::Control]);
        }
        // Parameters have asked the gate each for itself (`parameters.rs`). It judges how words are read, and in
        // literal text there is none; control characters are refused anyway. It has no say where nothing was planned
        // and nothing left.
        let is_asked = !are_parameters && !self.target.literal && (is_touched || !planned.left.is_empty());
        if let Some(form) = is_asked.then(|| irregular::field(self.name, self.value).irregular()).flatten() {
            planned = ValuePlan::left(vec![Reason::Irregular(form)]);
        }
        // What is written as it stood is no change.
        planned.edits.retain(|(at, with)| self.value[at.clone()] != *with.as_bytes());
        if planned.edits.is_empty() {
            planned.changes.clear();
        }
        planned.said_once()
    }

    /// Plans the text as the target asks; raw UTF-8 that may not stand raw, or makes a line too long, is planned in
    /// words instead. The gate is not asked.
    fn plan_text_or_words(&self) -> Result<ValuePlan, Refused> {
        let planned = self.plan_text(&self.target);
        let fits = match &planned {
            _ if self.target.form != HeaderForm::Utf8 => true,
            Ok(planned) => self.may_stand_raw(&planned.edits),
            Err(refused) => refused.why != Reason::LongLine,
        };
        if fits {
            return planned;
        }
        // Raw text that can't be folded can still be written in words, which can; and words are read alike beside
        // octets that are no UTF-8.
        self.plan_text(&self.target.in_words())
    }

    /// Returns `true` if nothing but UTF-8 stays beside the edits, or there are none: raw octets of a field are read in
    /// one charset. The edits must be in order. Edits of nothing but ASCII are no exception: a second run would find
    /// other words beside them, and change more. What stays is asked piece by piece, since half a character may end one
    /// and half of another begin the next.
    fn may_stand_raw(&self, edits: &[ValueEdit]) -> bool {
        let ends = edits.iter().map(|(at, _)| at.start).chain([self.value.len()]);
        let starts = [0].into_iter().chain(edits.iter().map(|(at, _)| at.end));
        let mut kept = starts.zip(ends).map(|(start, end)| &self.value[start..end]);
        edits.is_empty() || kept.all(|octets| str::from_utf8(octets).is_ok())
    }

    /// Plans the texts and addresses of a value that has no parameters, for `target` and not for the value's own. The
    /// gate is not asked. Refused is what [`fold`] can't lay out. `read_texts` (`meaning.rs`) finds segments and
    /// downgrades in the same way: by that the proof compares what is written here.
    pub fn plan_text(&self, target: &FieldTarget<'_>) -> Result<ValuePlan, Refused> {
        let kind = kind_of(self.name, self.value, target.profile);
        let items = Items::new(self.value, *target);
        let segments = segment::segments(self.value, kind, &items);
        let downgrades = Downgrades::of(self.name, self.value, &items);
        let mut found = Replacements::default();
        for segment in segments.iter().filter(|segment| !downgrades.covers(segment.at().start)) {
            // With `words` only raw octets are to change: a word that can't be read is no failure.
            let wanted = segment.items.iter().filter(|item| target.form != HeaderForm::Words || item.eight_bit);
            found.left.extend(wanted.filter_map(|item| item.why_unread()));
            found.add(replacement::plan_segment(segment, self.value, target));
        }
        if !target.may_stand_raw(self.value) && self.has_stray(&segments, &downgrades) {
            found.left.push(Reason::Stray);
        }
        for downgrade in downgrades.list {
            found.list.extend(replacement::of_downgrade(&downgrade, self.value, target));
            found.changes.push(downgrade.change);
        }
        found.left.extend(downgrades.left);
        // Raw octets are read as one with all others of their field: what stayed alone would be read otherwise.
        let mut replaced = found.list.iter();
        if found.left.contains(&Reason::Unlabelled)
            && replaced.any(|it| it.names_unknown() || !self.value[it.at.clone()].is_ascii())
        {
            return Ok(ValuePlan::left(vec![Reason::Unlabelled]));
        }
        // A trace is wholly in ASCII afterwards, or as it was.
        if RECEIVED.names(self.name) && !found.left.is_empty() {
            return Ok(ValuePlan::left(vec![Reason::Stray]));
        }
        self.laid_out(found, target, kind)
    }

    /// Sets `canonical` and `honest` of a plan of text that writes these replacements ([`ValuePlan`]), which hold only
    /// if nothing but words changes. What is canonical is not proved, and what is honest, too, is not looked through
    /// for deception.
    fn note_canonical_words(&self, kind: FieldKind, replaced: &[Replacement], planned: ValuePlan) -> ValuePlan {
        let words = replaced.iter().map_while(|replacement| match &replacement.with {
            ReplaceWith::Words(NewWords { text, frame: ("", ""), .. }) => Some((&replacement.at, text.as_str())),
            _ => None,
        });
        let words: Vec<_> = words.collect();
        let phrases = kind != FieldKind::Unstructured;
        let are_all = kind != FieldKind::Parameters && words.len() == replaced.len();
        // What was encoded twice is not as it came. `SegmentPlanner::add_changes` has added this change for it.
        let is_undoubled = planned.changes.contains(&Change::UNDOUBLED);
        let honest = are_all && !is_undoubled && words.iter().all(|(_, text)| is_honest(text));
        let canonical = are_all && are_canonical(self.value, &planned.edits, &words, phrases);
        ValuePlan { honest, canonical, ..planned }
    }

    /// Returns `true` if an octet over 127 stands in no segment of text, readable or not, and is not downgraded. The
    /// segments must be in order, as [`segments`](segment::segments) gives them.
    fn has_stray(&self, segments: &[Segment], downgrades: &Downgrades) -> bool {
        let mut raw = self.value.iter().enumerate().filter(|(_, octet)| !octet.is_ascii());
        raw.any(|(at, _)| {
            let segment = segments.get(segments.partition_point(|it| it.at().end <= at));
            !segment.is_some_and(|it| it.at().contains(&at)) && downgrades.at(at).is_none()
        })
    }

    /// Plans the parameters of the value. The gate is asked of each parameter by itself. Refused is what [`fold`] can't
    /// lay out.
    pub fn plan_parameters(&self, charset: Option<&str>) -> Result<ValuePlan, Refused> {
        let found = parameters::plan_parameters(self.value, CONTENT_TYPE.names(self.name), &self.target, charset);
        self.laid_out(found, &self.target, FieldKind::Parameters)
    }

    /// Makes edits of what is replaced, or says why there are none. Replacements must not overlap; where they do, the
    /// plan of the field finds it (`ValuePlan::into_field_plan`).
    fn laid_out(&self, found: Replacements, target: &FieldTarget<'_>, kind: FieldKind) -> Result<ValuePlan, Refused> {
        let Replacements { mut list, changes, left } = found;
        list.sort_by_key(|replacement| (replacement.at.start, replacement.at.end));
        // Raw text has no limit here: it may still be written in words. `wish/field.rs` leaves a field that is too
        // long in the end.
        let most = target.most.filter(|_| target.form != HeaderForm::Utf8);
        let no_fold = &self.no_fold(kind);
        let input = FoldInput { value: self.value, indent: self.indent, fold: target.fold, no_fold, most };
        match fold(input, &list) {
            Ok(edits) => {
                let planned = ValuePlan { edits, changes, left, ..ValuePlan::default() };
                Ok(self.note_canonical_words(kind, &list, planned))
            }
            Err(why) => Err(Refused { why, left }),
        }
    }

    /// Finds the ranges in which no fold may be put, sorted by their starts: words, since one that stays may have
    /// blanks in it, and in a structured value quoted-strings and domain literals. Nor may one be put in a parameter:
    /// some readers take a value for another parameter, or for none, where a line ends between a name, its `=` and its
    /// value, and some read a comment behind the value as more of it.
    fn no_fold(&self, kind: FieldKind) -> Vec<Range<usize>> {
        let (grammar, sections) = match kind {
            FieldKind::Unstructured => return words(self.value).map(|word| word.at).collect(),
            FieldKind::Parameters => (Grammar::Mime, parameter::sections(self.value).list),
            _ => (Grammar::Address, Vec::new()),
        };
        let tokens = tokens(self.value, grammar);
        let solid =
            tokens.iter().filter(|it| matches!(it.kind, TokenKind::Quoted | TokenKind::Literal | TokenKind::Word(_)));
        let mut ranges: Vec<Range<usize>> = solid.map(|token| token.at.clone()).collect();
        let ends = self.ends_of_parameters(&tokens);
        ranges.extend(sections.into_iter().map(|Section { name, value, .. }| {
            let next = ends.partition_point(|(end, _)| *end < value.end);
            name.start..ends.get(next).map_or(value.end, |(_, solid)| value.end.max(*solid))
        }));
        ranges.sort_by_key(|range| range.start);
        ranges
    }

    /// Returns where parameters end, comments behind them included: for each semicolon, and for the end of the value,
    /// its place and that of the white space before it, in order. They are found once for all sections, since of many
    /// none may have a semicolon behind it.
    fn ends_of_parameters(&self, tokens: &[Token]) -> Vec<(usize, usize)> {
        let semicolons = tokens.iter().filter(|token| token.is(b';')).map(|token| token.at.start);
        let ends = semicolons.chain([self.value.len()]);
        ends.map(|end| (end, self.value[..end].trim_ascii_end().len())).collect()
    }
}

/// Returns `true` if a text shows no address, has nothing that may deceive, and is not encoded twice. A field of such
/// texts is passed over by `write/deception.rs`: what that notes of a text must be looked for here.
fn is_honest(text: &str) -> bool {
    !text.contains('@') && !may_deceive(text) && encoded_once(text).is_none()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::coding::charset::Charset;
    use crate::message::LimitReached;
    use crate::rewrite::Profile;
    use crate::rewrite::survey::evidence::beside::Beside;

    /// The last word can't be written: nobody tried to.
    #[test]
    fn nothing_is_written_behind_the_most_octets_of_a_field() {
        let (value, charset) = (format!(" {}€", "é considerably plain ".repeat(100)), Charset::ISO_8859_1);
        let profile = Profile::default();
        for (most, why) in [(None, Reason::Loss('€')), (Some(3000), Reason::Limit(LimitReached::FieldBytes(3000)))] {
            let target = FieldTarget { charset, most, ..FieldTarget::writing(&profile, Beside::default(), "\n") };
            let field = FieldValue { name: b"Subject", value: value.as_bytes(), indent: 8, target };
            assert_eq!(field.plan(None).left, [why]);
        }
    }
}

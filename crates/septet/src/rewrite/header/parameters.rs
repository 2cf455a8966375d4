//! Content-Type and Content-Disposition: parameter values made right, and set.
//!
//! What text a parameter holds comes from [`crate::message::grammar::parameter`]; here it is decided what becomes of
//! it. A value that is rewritten takes the place of its first section, the other sections go. Where mail writes a name
//! in both forms (`filename` for old readers, `filename*` for the others), both stay, each in its form. Parameters that
//! are no text for people (`boundary`, `charset`, …) are never rewritten; the charset is set where the body asks for
//! that. The *gate* keeps parameters of a form that readers take differently (`message/irregular/`).

use std::collections::HashSet;

use super::replacement::{ReplaceWith, Replacement, Replacements};
use super::target::FieldTarget;
use crate::coding::encoded_word::{Conformity, LINE_LIMIT, ReadText};
use crate::coding::evidence::{self, Origin};
use crate::message::LimitReached;
use crate::message::grammar::lexer::{Grammar, Token, TokenKind, tokens};
use crate::message::grammar::parameter::{
    Parameter, ParameterError, ParameterForm, Section, is_machine, quote, read, sections, unquote,
};
use crate::message::irregular::{self, Form, ParameterForms};
use crate::rewrite::ensure::ensure;
use crate::rewrite::{Change, Reason, Repair};

/// A parameter's longest section: a line's, with the space before it and the `;` after it.
pub(super) const SECTION: usize = LINE_LIMIT - 2;

/// Raw text longer than this gets the percent form, which can be cut over lines: a line has 998 octets at most (RFC
/// 5322 §2.1.1), and more than the text stands on it.
pub(super) const RAW: usize = 900;

/// Plans the parameters of a value, which begins with a media type if `begins_with_type`; `charset` is the one that it
/// must name afterwards. Of every parameter but this the gate is asked here, so that one of irregular form keeps no
/// other from being written; of this it was asked when the body was planned.
pub fn plan_parameters(
    value: &[u8],
    begins_with_type: bool,
    target: &FieldTarget<'_>,
    charset: Option<&str>,
) -> Replacements {
    let split = sections(value);
    let (sections, pairs) = (split.slices(value), split.list);
    let (found, undoubled) = read_once(&sections, target);
    let (mut shapes, mut twice) = (HashSet::new(), HashSet::new());
    for parameter in &found {
        // `name*` and `name*0*` are two to the reader, and would be one and the same once they are written.
        let (name, shape) = (parameter.name.to_ascii_lowercase(), parameter.shape);
        if !shapes.insert((name.clone(), shape)) || parameter.outcome == Err(ParameterError::Repeated) {
            twice.insert(name);
        }
    }
    let (tokens, forms) = (tokens(value, Grammar::Mime), irregular::parameters(value, begins_with_type));
    ParameterPlanner { value, target, tokens, pairs, forms, sections, found, undoubled, shapes, twice }.plan(charset)
}

/// Reads parameters, and puts what was meant in the place of texts that were encoded twice, where the profile undoes
/// that, but in none that programs compare; returns the sections of each that it changed, too.
pub fn read_once(sections: &[(&[u8], &[u8])], target: &FieldTarget<'_>) -> (Vec<Parameter>, HashSet<Vec<usize>>) {
    let (mut found, mut undone) = (read(sections, target.reader), HashSet::new());
    let is_undone = target.profile.undoes_double_in_headers();
    for parameter in found.iter_mut().filter(|parameter| is_undone && !is_machine(&parameter.name)) {
        if let Ok(text) = &mut parameter.outcome
            && let Some(meant) = evidence::encoded_once(&text.text)
        {
            text.text = meant;
            undone.insert(parameter.sections.clone());
        }
    }
    (found, undone)
}

/// Plans the parameters of one value, each beside the others.
pub(super) struct ParameterPlanner<'a> {
    value: &'a [u8],
    pub(super) target: &'a FieldTarget<'a>,
    /// All of the value, by which the `;` before a section is found.
    tokens: Vec<Token>,
    /// Where the sections stand; `sections` has their octets, by the same indices, which a parameter names.
    pairs: Vec<Section>,
    /// What the gate says of each parameter.
    forms: ParameterForms,
    /// The name and the value of each section, as written.
    pub(super) sections: Vec<(&'a [u8], &'a [u8])>,
    /// What the sections say, once a second encoding is undone where that is to be fixed.
    found: Vec<Parameter>,
    /// The parameters that were encoded twice, by their sections.
    pub(super) undoubled: HashSet<Vec<usize>>,
    /// Each name in lower case with each shape that it stands in.
    pub(super) shapes: HashSet<(String, ParameterForm)>,
    /// The names, in lower case, that stand twice: whatever one reader believes, another does not.
    twice: HashSet<String>,
}

impl ParameterPlanner<'_> {
    /// Plans each parameter by itself, and then the charset that is asked for. A parameter `charset` is planned by the
    /// latter alone, since [`plan_parameter`](Self::plan_parameter) leaves what programs compare.
    fn plan(&self, charset: Option<&str>) -> Replacements {
        let mut done = Replacements::default();
        for parameter in &self.found {
            let stays = self.plan_parameter(parameter, &mut done).err();
            done.left.extend(stays);
        }
        // The octets of a charset that is asked for go.
        let mut kept = self.found.iter().filter(|it| charset.is_none() || !it.name.eq_ignore_ascii_case("charset"));
        if !self.target.may_stand_raw(self.value) && (self.has_stray() || kept.any(|it| self.is_stray(it))) {
            done.left.push(Reason::Stray);
        }
        charset.into_iter().for_each(|charset| self.plan_charset(charset, &mut done.list));
        done
    }

    /// Returns `true` if octets over 127 stand in a parameter and are no text of it: programs compare its value, or
    /// they are those of a comment.
    fn is_stray(&self, parameter: &Parameter) -> bool {
        let is_ascii = parameter.outcome.as_ref().is_ok_and(|text| text.text.is_ascii());
        let is_no_text = is_machine(&parameter.name) || is_ascii && self.is_fine(parameter, parameter.conformity);
        self.is_eight_bit(parameter) && is_no_text
    }

    /// Plans one parameter, if it is not fine as it stands; the error says why it stays then. The order of the
    /// questions is that of the reasons: the gate's comes before all others.
    fn plan_parameter(&self, parameter: &Parameter, done: &mut Replacements) -> Result<(), Reason> {
        let name = parameter.name.to_ascii_lowercase();
        // Programs compare it: it is never rewritten.
        if is_machine(&name) || self.is_fine(parameter, parameter.conformity) {
            return Ok(());
        }
        let text = match (&parameter.outcome, self.irregular_form(&name)) {
            (Err(_), Some(form)) => return Err(Reason::Irregular(form)),
            (Err(fault), None) => return Err(reason(fault)),
            // That an extended one breaks a rule is no reason to report it: only the writing would have changed, and
            // what it says is right as it stands.
            (Ok(_), Some(form)) => {
                let is_asked = self.target.profile.repair == Repair::All || parameter.shape == ParameterForm::Plain;
                let changes = is_asked || !self.is_fine(parameter, Conformity::Conforming);
                return if changes { Err(Reason::Irregular(form)) } else { Ok(()) };
            }
            (Ok(_), None) if self.twice.contains(&name) => return Err(reason(&ParameterError::Repeated)),
            // Escapes come out in quotes, while other forms have one without.
            (Ok(text), None) if self.is_lost_in_escapes(text) => return Err(Reason::Loss('\\')),
            (Ok(text), None) => text,
        };
        // Each section has the whole name, and behind one that fills a line only one character, of four octets at most:
        // names alone take a quarter of the product. What is less than four times too long the fold finds.
        let most = self.target.profile.limits.field_bytes;
        let is_multiplied = name.len() >= SECTION && text.text.len().saturating_mul(name.len()) / 16 > most;
        ensure(!is_multiplied, Reason::Limit(LimitReached::FieldBytes(most)))?;
        let (sections, to) = self.new_sections(parameter, text).map_err(|lost| Reason::Loss(lost.character))?;
        // Only an extended form has room for the language.
        let head = sections.first().and_then(|first| first.split_once('='));
        let untagged = parameter.language.clone().filter(|_| !head.is_some_and(|(name, _)| name.ends_with('*')));
        self.replace(parameter, sections, &mut done.list);
        done.changes.push(Change::Parameter { name: parameter.name.clone(), from: origin_of(text), to });
        done.changes.extend(untagged.map(|language| Change::Untagged { language }));
        done.changes.extend(self.undoubled.contains(&parameter.sections).then_some(Change::UNDOUBLED));
        done.changes.extend((text.lost > 0).then_some(Change::Replaced { count: text.lost }));
        Ok(())
    }

    /// Returns the form for which a parameter stays, by its name in small letters; none where the gate lets it be
    /// written. Behind a type without a semicolon no parameter stands to some, so that only the label is written there,
    /// where the body asks for it.
    fn irregular_form(&self, name: &str) -> Option<Form> {
        let forms = self.forms.of(name);
        forms.irregular().or_else(|| forms.has(Form::TypeUnseparated).then_some(Form::TypeUnseparated))
    }

    /// Returns `true` if octets over 127 stand outside of all values, where no text may stand: in names, comments and
    /// types.
    fn has_stray(&self) -> bool {
        let starts = std::iter::once(0).chain(self.pairs.iter().map(|pair| pair.value.end));
        let ends = self.pairs.iter().map(|pair| pair.value.start).chain([self.value.len()]);
        starts.zip(ends).any(|(start, end)| !self.value[start..end].is_ascii())
    }

    /// Adds the replacements that put new sections in the place of a parameter's first one in the text, and take out
    /// the others. Its sections are in the order of their numbers, which need not be that of the text. It must be
    /// called once for a parameter at the most.
    fn replace(&self, parameter: &Parameter, sections: Vec<String>, replacements: &mut Vec<Replacement>) {
        let Some(&first) = parameter.sections.iter().min() else { return };
        let at = self.pairs[first].name.start..self.pairs[first].value.end;
        // Where the name stays and no more room is needed than before, its value alone is replaced.
        let value = &self.pairs[first].value;
        let head = self.value[at.start..value.start].to_ascii_lowercase();
        let room = self.value[at.clone()].iter().filter(|octet| **octet != b'\r').count();
        let (at, with) = match sections.as_slice() {
            [section]
                if !section.contains('\n')
                    && section.len() <= room
                    && section.as_bytes().to_ascii_lowercase().starts_with(&head) =>
            {
                (value.clone(), vec![section[head.len()..].to_owned()])
            }
            _ => (at, sections),
        };
        replacements.push(Replacement { at, with: ReplaceWith::Sections(with) });
        let others = parameter.sections.iter().filter(|&&index| index != first);
        replacements.extend(others.map(|&index| self.removal(index)));
    }

    /// Returns the replacement that takes a section out, with the `;` before it and what stands between. It must not be
    /// asked for the section in whose place others are put: that keeps its `;`.
    fn removal(&self, index: usize) -> Replacement {
        let pair = &self.pairs[index];
        let before = self.tokens.partition_point(|token| token.at.end <= pair.name.start);
        let semicolon = self.tokens[..before].iter().rev().find(|token| token.is(b';'));
        let start = semicolon.map_or(pair.name.start, |token| token.at.start);
        Replacement { at: start..pair.value.end, with: ReplaceWith::Sections(Vec::new()) }
    }

    /// Adds the replacements that make the value name a charset: that of the parameter, and those that take out others
    /// of its name that say something else. Where there is none it is added behind the last thing that stands in the
    /// value. The gate was asked when the body was planned, and `agree/label.rs` keeps the body if the charset can't be
    /// read from what comes out. Of a Content-Type as most are, `label.rs` sets the charset, and nothing comes here.
    fn plan_charset(&self, charset: &str, replacements: &mut Vec<Replacement>) {
        let section = format!("charset={}", quote(charset));
        let mut found = self.found.iter().filter(|parameter| parameter.name.eq_ignore_ascii_case("charset"));
        let Some(first) = found.next() else {
            let last = self.tokens.iter().rev().find(|token| token.kind != TokenKind::White);
            let at = last.map_or(0, |token| token.at.end);
            let separator = if last.is_some_and(|token| token.is(b';')) { " " } else { "; " };
            replacements
                .push(Replacement { at: at..at, with: ReplaceWith::Raw(format!("{separator}{section}"), true) });
            return;
        };
        if !self.is_plainly(first, charset) {
            self.replace(first, vec![section], replacements);
        }
        // Some readers believe a second parameter of the name: it must not say something else.
        let others = found.filter(|parameter| !self.is_plainly(parameter, charset));
        replacements.extend(others.flat_map(|parameter| &parameter.sections).map(|&index| self.removal(index)));
    }

    /// Returns `true` if a parameter is a plain one of one section, and has this value in the same case of letters.
    fn is_plainly(&self, parameter: &Parameter, value: &str) -> bool {
        match *parameter.sections {
            [index] if parameter.shape == ParameterForm::Plain => *unquote(self.sections[index].1) == *value.as_bytes(),
            _ => false,
        }
    }
}

/// Returns what a text was written in, for the report: its labels in small letters, and why the first guess was made.
fn origin_of(text: &ReadText) -> Origin {
    let names: Vec<&str> = text.from.iter().map(|origin| &*origin.name).collect();
    let because = text.from.iter().find_map(|origin| origin.because);
    Origin { name: names.join("+").to_ascii_lowercase(), because }
}

/// Returns why a parameter stays that can't be read.
fn reason(fault: &ParameterError) -> Reason {
    match fault {
        ParameterError::Text(left) => left.into(),
        ParameterError::Gap(_) => Reason::Irregular(Form::SectionMissing),
        ParameterError::Repeated => Reason::Irregular(Form::ParameterConflict),
    }
}

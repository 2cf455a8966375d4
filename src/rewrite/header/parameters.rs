//! Content-Type and Content-Disposition: parameter values made right, and set.
//!
//! What text a parameter holds comes from [`crate::message::grammar::parameter`]; here it is decided what becomes of it.
//! A value that is rewritten takes the place of its first section, the other sections go. Where mail writes a
//! name in both forms (`filename` for old readers, `filename*` for the others), both stay, each in its form.
//! Parameters that are no text for people (`boundary`, `charset`, …) are never rewritten, only set by an override.

use std::collections::HashSet;
use std::ops::Range;

use super::replacement::{ReplaceWith, Replacement};
use super::target::FieldTarget;
use crate::coding::encoded_word::{Conformity, LINE_LIMIT};
use crate::coding::evidence::{self, Origin};
use crate::message::grammar::lexer::{Grammar, Token, TokenKind, tokens};
use crate::message::grammar::parameter::{
    Parameter, ParameterFault, ParameterForm, ParameterText, Section, is_machine, quote, read, sections, unquote,
};
use crate::message::irregular::{self, Form, ParameterForms, ValueKind};
use crate::rewrite::{Change, Reason, Repair};

/// A parameter's longest section: a line's, with the space before it and the `;` after it.
pub(super) const SECTION: usize = LINE_LIMIT - 2;

/// Raw text longer than this gets the percent form, which can be cut over lines.
pub(super) const RAW: usize = 900;

/// What became of the parameters of one field.
#[derive(Default)]
pub struct ParametersPlan {
    /// What is replaced, in order.
    pub replacements: Vec<Replacement>,
    /// What was done.
    pub changes: Vec<Change>,
    /// What was left, and why.
    pub left: Vec<Reason>,
    /// Whether octets over 127 stand outside of parameters.
    pub stray: bool,
}

/// Plans the parameters of a value; `overrides` are names and the values that they must have afterwards. Of every
/// parameter but these the gate is asked here, so that one of irregular form keeps no other from being written; of
/// these it was asked when the body was planned.
pub fn plan_parameters(
    value: &[u8],
    kind: ValueKind,
    target: &FieldTarget<'_>,
    overrides: &[(&str, &str)],
) -> ParametersPlan {
    let tokens = tokens(value, Grammar::Mime);
    let pairs = sections(value).list;
    let sections: Vec<(&[u8], &[u8])> = pairs.iter().map(|pair| pair.slices(value)).collect();
    let mut found = read(&sections, target.reader);
    let undoubled = if target.undo_double { undo_double_encoding(&mut found) } else { HashSet::new() };
    let (mut shapes, mut twice) = (HashSet::new(), HashSet::new());
    for parameter in &found {
        // `name*` and `name*0*` are two to the reader, and would be one and the same once they are written.
        let (name, shape) = (parameter.name.to_ascii_lowercase(), parameter.shape);
        if !shapes.insert((name.clone(), shape)) || parameter.outcome == Err(ParameterFault::Repeated) {
            twice.insert(name);
        }
    }
    let plan = ParameterPlanner {
        value,
        target,
        tokens: &tokens,
        pairs: &pairs,
        forms: irregular::parameters(value, kind == ValueKind::MediaType),
        sections: &sections,
        found: &found,
        undoubled,
        shapes,
        twice,
    };
    let mut done = ParametersPlan { stray: plan.has_stray(), ..ParametersPlan::default() };
    for parameter in &found {
        if !overrides.iter().any(|(name, _)| name.eq_ignore_ascii_case(&parameter.name)) {
            plan.plan_parameter(parameter, &mut done);
        }
    }
    let added: Vec<String> =
        overrides.iter().filter_map(|(name, to)| plan.plan_override(name, to, &mut done)).collect();
    done.replacements.sort_by_key(|replacement| replacement.at.start);
    if !added.is_empty() {
        done.replacements.push(plan.append(added));
    }
    done
}

/// Puts what was meant in the place of texts that were encoded twice, and returns the sections of each such parameter.
fn undo_double_encoding(found: &mut [Parameter]) -> HashSet<Vec<usize>> {
    let mut undone = HashSet::new();
    for parameter in found.iter_mut().filter(|parameter| !is_machine(&parameter.name)) {
        if let Ok(text) = &mut parameter.outcome
            && let Some(meant) = evidence::encoded_once(&text.text)
        {
            text.text = meant;
            undone.insert(parameter.sections.clone());
        }
    }
    undone
}

/// Plans the parameters of one value, each beside the others.
pub(super) struct ParameterPlanner<'a> {
    value: &'a [u8],
    pub(super) target: &'a FieldTarget<'a>,
    tokens: &'a [Token],
    pairs: &'a [Section],
    /// What the gate says of each parameter.
    forms: ParameterForms,
    pub(super) sections: &'a [(&'a [u8], &'a [u8])],
    found: &'a [Parameter],
    /// The parameters that were encoded twice, by their sections.
    pub(super) undoubled: HashSet<Vec<usize>>,
    /// Each name in lower case with each shape that it stands in.
    pub(super) shapes: HashSet<(String, ParameterForm)>,
    /// The names, in lower case, that stand twice: whatever one reader believes, another does not.
    twice: HashSet<String>,
}

impl ParameterPlanner<'_> {
    /// Plans one parameter, or says why it stays. One that has an override must not come here.
    fn plan_parameter(&self, parameter: &Parameter, done: &mut ParametersPlan) {
        let name = parameter.name.to_ascii_lowercase();
        // Programs compare it: it is never rewritten, and raw octets in it are no text.
        if is_machine(&name) {
            done.stray |= self.is_eight_bit(parameter);
            return;
        }
        if self.is_fine(parameter, parameter.conformity) {
            // A comment in it is no part of its text.
            let is_ascii = parameter.outcome.as_ref().is_ok_and(|text| text.text.is_ascii());
            done.stray |= is_ascii && self.is_eight_bit(parameter);
            return;
        }
        match &parameter.outcome {
            Err(fault) => done.left.push(self.irregular_form(&name).map_or_else(|| reason(fault), Reason::Irregular)),
            // That an extended one breaks a rule is no reason to report it: only the writing would have changed, and what it
            // says is right as it stands.
            Ok(_) if self.irregular_form(&name).is_some() => {
                let is_asked = self.target.repair == Repair::All || parameter.shape == ParameterForm::Plain;
                let changes = is_asked || !self.is_fine(parameter, Conformity::Conforming);
                done.left.extend(self.irregular_form(&name).filter(|_| changes).map(Reason::Irregular));
            }
            Ok(_) if self.twice.contains(&name) => done.left.push(reason(&ParameterFault::Repeated)),
            // Escapes come out in quotes, while other forms have one without.
            Ok(text) if self.is_lost_in_escapes(text) => {
                done.left.push(Reason::Loss('\\'));
            }
            Ok(text) => match self.new_sections(parameter, text) {
                Err(lost) => done.left.push(Reason::Loss(lost.character)),
                Ok((sections, to)) => {
                    let untagged = parameter.language.clone().filter(|_| !is_extended(&sections));
                    let untagged = untagged.map(|language| Change::Untagged { language });
                    self.replace(parameter, sections, &mut done.replacements);
                    done.changes.push(Change::Parameter { name: parameter.name.clone(), from: from(text), to });
                    done.changes.extend(untagged);
                    let is_undoubled = self.undoubled.contains(&parameter.sections);
                    done.changes.extend(is_undoubled.then_some(Change::Repaired { what: "double-encoded" }));
                    done.changes.extend((text.lost > 0).then_some(Change::Replaced { count: text.lost }));
                }
            },
        }
    }

    /// Returns the form for which a parameter stays, by its name in small letters; none where the gate lets it be
    /// written. Behind a type without a semicolon no parameter stands to some, so that only the label is written there,
    /// by an override.
    fn irregular_form(&self, name: &str) -> Option<Form> {
        let forms = self.forms.of(name);
        forms.irregular().or_else(|| forms.has(Form::TypeUnseparated).then_some(Form::TypeUnseparated))
    }

    /// Returns `true` if octets over 127 stand outside of all values, where no text may stand.
    fn has_stray(&self) -> bool {
        let mut at = 0;
        for pair in self.pairs {
            if !self.value[at..pair.value.start].is_ascii() {
                return true;
            }
            at = pair.value.end;
        }
        !self.value[at..].is_ascii()
    }

    /// Adds the replacements that put new sections in the place of a parameter's first one in the text, and take out
    /// the others.
    fn replace(&self, parameter: &Parameter, sections: Vec<String>, replacements: &mut Vec<Replacement>) {
        let Some(&first) = parameter.sections.iter().min() else { return };
        let at = self.pairs[first].name.start..self.pairs[first].value.end;
        replacements.push(self.first_replacement(at, sections, first));
        for &index in parameter.sections.iter().filter(|&&index| index != first) {
            replacements.push(self.removal(index));
        }
    }

    /// Returns the replacement of a section by new ones: of all of it, or of its value alone, where the name stays and
    /// no more room is needed than before.
    fn first_replacement(&self, at: Range<usize>, sections: Vec<String>, index: usize) -> Replacement {
        let value = &self.pairs[index].value;
        let head = self.value[at.start..value.start].to_ascii_lowercase();
        let room = self.value[at.clone()].iter().filter(|octet| **octet != b'\r').count();
        match sections.as_slice() {
            [section]
                if !section.contains('\n')
                    && section.len() <= room
                    && section.as_bytes().to_ascii_lowercase().starts_with(&head) =>
            {
                let with = ReplaceWith::Sections(vec![section[head.len()..].to_owned()]);
                Replacement { at: value.clone(), with }
            }
            _ => Replacement { at, with: ReplaceWith::Sections(sections) },
        }
    }

    /// Returns the replacement that takes a section out, with the `;` before it.
    fn removal(&self, index: usize) -> Replacement {
        let pair = &self.pairs[index];
        let before = self.tokens.partition_point(|token| token.at.end <= pair.name.start);
        let semicolon = self.tokens[..before].iter().rev().find(|token| token.is(b';'));
        let start = semicolon.map_or(pair.name.start, |token| token.at.start);
        Replacement { at: start..pair.value.end, with: ReplaceWith::Sections(Vec::new()) }
    }

    /// Gives a parameter the value that an override asks for, and takes out those of its name that say something else.
    /// Returns the section to add at the end if there is no such parameter. The gate was asked when the body was
    /// planned.
    fn plan_override(&self, name: &str, to: &str, done: &mut ParametersPlan) -> Option<String> {
        let section = format!("{name}={}", quote(to));
        let mut found = self.found.iter().filter(|parameter| parameter.name.eq_ignore_ascii_case(name));
        let Some(first) = found.next() else { return Some(section) };
        let mut rest: Vec<&Parameter> = found.collect();
        if !self.is_plainly(first, to) {
            self.replace(first, vec![section], &mut done.replacements);
        }
        // Some readers believe a second parameter of the name: it must not say something else.
        rest.retain(|parameter| !self.is_plainly(parameter, to));
        for &index in rest.iter().flat_map(|parameter| &parameter.sections) {
            done.replacements.push(self.removal(index));
        }
        None
    }

    /// Returns `true` if a parameter is a plain one of one section, and has this value.
    fn is_plainly(&self, parameter: &Parameter, value: &str) -> bool {
        match *parameter.sections {
            [index] if parameter.shape == ParameterForm::Plain => *unquote(self.sections[index].1) == *value.as_bytes(),
            _ => false,
        }
    }

    /// Returns the replacement that adds parameters after the last thing that stands in the value.
    fn append(&self, added: Vec<String>) -> Replacement {
        let last = self.tokens.iter().rev().find(|token| token.kind != TokenKind::White);
        let at = last.map_or(0, |token| token.at.end);
        let separated = last.is_some_and(|token| token.is(b';'));
        Replacement { at: at..at, with: ReplaceWith::Added { separated, sections: added } }
    }
}

/// Returns `true` if the first of new sections is extended, and so has the language tag of the parameter.
fn is_extended(sections: &[String]) -> bool {
    sections.first().and_then(|first| first.split_once('=')).is_some_and(|(name, _)| name.ends_with('*'))
}

/// Returns what a text was written in, for the report: its labels in small letters, and why the first guess was made.
fn from(text: &ParameterText) -> Origin {
    let names: Vec<&str> = text.from.iter().map(|origin| &*origin.name).collect();
    let because = text.from.iter().find_map(|origin| origin.because);
    Origin { name: names.join("+").to_ascii_lowercase(), because }
}

/// Returns why a parameter stays that can't be read.
fn reason(fault: &ParameterFault) -> Reason {
    match fault {
        ParameterFault::Text(left) => left.into(),
        ParameterFault::Gap(_) => Reason::Irregular(Form::SectionMissing),
        ParameterFault::Repeated => Reason::Irregular(Form::ParameterConflict),
    }
}

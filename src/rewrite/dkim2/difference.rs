//! The recipe of a change: a rendering of the edits that make it.
//!
//! Body lines that no edit touches are copied without a look. Septet writes a body anew even where one line of it changes, so
//! the lines of each stretch that edits touch are compared ([`lines`](super::lines)): those that stayed are copied as well, and
//! the others are said. The header is compared name by name, by the values that are hashed.

use std::collections::BTreeSet;

use super::Dkim2Refusal;
use super::lines::kept;
use super::recipe::{Recipe, RecipeStep, StepMaker};
use super::state::{MessageState, StateField};
use crate::edit::{Edit, EditList};

/// A change of a message: both states, their octets, and the edits between them.
pub struct Revision<'m> {
    /// The message as it came.
    pub raw: &'m [u8],
    /// The message as the edits make it.
    pub result: &'m [u8],
    /// The edits.
    pub edits: &'m EditList,
    /// The state of `raw`.
    pub before: MessageState<'m>,
    /// The state of `result`.
    pub after: MessageState<'m>,
}

/// Lines that no edit touches: where they start before and after, and their octets.
#[derive(Debug, Clone, Copy)]
struct Untouched {
    before: usize,
    after: usize,
    octets: usize,
}

impl<'m> Revision<'m> {
    /// Reads both states.
    ///
    /// # Errors
    ///
    /// [`Dkim2Refusal::Header`]: a header can't be read.
    pub fn read(raw: &'m [u8], edits: &'m EditList, result: &'m [u8]) -> Result<Revision<'m>, Dkim2Refusal> {
        let (before, after) = (MessageState::read(raw)?, MessageState::read(result)?);
        Ok(Revision { raw, result, edits, before, after })
    }

    /// Returns `true` if a body has a CR or LF that ends no line as the others are ended. No recipe can say such a line, and
    /// who sums such a body up, breaks it up differently, so that not even its hash is sure.
    pub fn has_other_line_ends(&self) -> bool {
        let [before, after] = [&self.before, &self.after].map(MessageState::has_other_line_ends);
        before || after || self.before.line_end != self.after.line_end
    }

    /// Makes the recipe that leads back; what it says may have `spare` octets for each name and for the body.
    ///
    /// # Errors
    ///
    /// [`Dkim2Refusal::Size`]: it would say more than it may.
    pub fn recipe(&self, body_changes: bool, spare: usize) -> Result<Recipe, Dkim2Refusal> {
        let mut recipe = Recipe::default();
        let (old, new) = (self.before.by_name(), self.after.by_name());
        let names: BTreeSet<&[u8]> = old.keys().chain(new.keys()).copied().collect();
        for name in names {
            let [old, new] = [&old, &new].map(|fields| fields.get(name).map_or(&[][..], Vec::as_slice));
            if let Some(steps) = steps_of_name(old, new, spare)? {
                recipe.header.insert(name.to_vec(), steps);
            }
        }
        if body_changes {
            recipe.body = Some(self.steps_of_body(spare)?);
        }
        Ok(recipe)
    }

    /// Makes the steps for the lines of the body.
    fn steps_of_body(&self, spare: usize) -> Result<Vec<RecipeStep>, Dkim2Refusal> {
        let mut maker = StepMaker::new(spare);
        let [mut before, mut after] = self.body_starts();
        let mut line = 1;
        let end = Untouched { before: self.raw.len(), after: self.result.len(), octets: 0 };
        for kept in self.untouched_lines().into_iter().chain([end]) {
            let (old, new) = (&self.raw[before..kept.before], &self.result[after..kept.after]);
            line = add_changed(old, new, line, &mut maker)?;
            (before, after) = (kept.before + kept.octets, kept.after + kept.octets);
            let count = lines_of(&self.raw[kept.before..before]).count();
            maker.copy(line, count);
            line += count;
        }
        Ok(maker.finish())
    }

    /// Returns where the bodies start.
    fn body_starts(&self) -> [usize; 2] {
        [self.raw.len() - self.before.body.len(), self.result.len() - self.after.body.len()]
    }

    /// Finds the lines of the body that no edit touches, in order; none where the edits don't tell, since one goes over the
    /// end of the header.
    fn untouched_lines(&self) -> Vec<Untouched> {
        let [mut before, mut after] = self.body_starts();
        let from = self.edits.as_slice().partition_point(|edit| edit.at.start < before);
        let body_edits: &[Edit] = &self.edits.as_slice()[from..];
        let mut found = Vec::new();
        for edit in body_edits {
            let octets = edit.at.start.saturating_sub(before);
            found.push(Untouched { before, after, octets });
            (before, after) = (edit.at.end, after + octets + edit.with.len());
        }
        let octets = self.raw.len().saturating_sub(before);
        found.push(Untouched { before, after, octets });
        match after + octets == self.result.len() {
            true => found.into_iter().filter_map(|stretch| self.whole_lines(stretch)).collect(),
            false => Vec::new(),
        }
    }

    /// Returns the whole lines of a stretch, which must be lines before and after; none where it has none.
    fn whole_lines(&self, stretch: Untouched) -> Option<Untouched> {
        let Untouched { before, after, octets } = stretch;
        let text = &self.raw[before..before + octets];
        let [first_before, first_after] = self.body_starts();
        let starts_line = (before == first_before || self.raw[before - 1] == b'\n')
            && (after == first_after || self.result[after - 1] == b'\n');
        let ends_both = before + octets == self.raw.len() && after + octets == self.result.len();
        let from = if starts_line { 0 } else { memchr::memchr(b'\n', text)? + 1 };
        let to = if ends_both { octets } else { memchr::memrchr(b'\n', text)? + 1 };
        (from < to).then(|| Untouched { before: before + from, after: after + from, octets: to - from })
    }
}

/// Makes the steps for the values of a name, both lists from the bottom of the header; none where what is hashed stays.
fn steps_of_name(
    old: &[&StateField],
    new: &[&StateField],
    spare: usize,
) -> Result<Option<Vec<RecipeStep>>, Dkim2Refusal> {
    let [was, is] = [old, new].map(|fields| fields.iter().map(|field| field.relaxed()).collect::<Vec<_>>());
    if was == is {
        return Ok(None);
    }
    let [was, is] = [&was, &is].map(|values| values.iter().map(|value| &**value).collect::<Vec<_>>());
    let mut maker = StepMaker::new(spare);
    for (field, place) in old.iter().zip(kept(&was, &is)) {
        match place {
            Some(at) => maker.copy(at + 1, 1),
            None => maker.say(&field.unfolded())?,
        }
    }
    Ok(Some(maker.finish()))
}

/// Adds the steps for a stretch of lines that edits touch; `line` is the number of its first new line. Returns the number
/// of the line behind it.
fn add_changed(old: &[u8], new: &[u8], line: usize, maker: &mut StepMaker) -> Result<usize, Dkim2Refusal> {
    let [old, new] = [old, new].map(|text| lines_of(text).collect::<Vec<_>>());
    for (text, place) in old.iter().zip(kept(&old, &new)) {
        match place {
            Some(at) => maker.copy(line + at, 1),
            None => maker.say(text)?,
        }
    }
    Ok(line + new.len())
}

/// Returns the lines of a text without their ends; what stands behind the last end is a line if there is anything.
pub fn lines_of(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    let whole = text.strip_suffix(b"\n").unwrap_or(text);
    let lines = (!text.is_empty()).then(|| whole.split(|&octet| octet == b'\n'));
    lines.into_iter().flatten().map(|line| line.strip_suffix(b"\r").unwrap_or(line))
}

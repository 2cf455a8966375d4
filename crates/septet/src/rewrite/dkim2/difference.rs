//! The recipe of a change: a rendering of the edits that make it.
//!
//! Body lines that no edit touches are copied without a look. Septet writes a body anew even where one line of it
//! changes, so the lines of each stretch that edits touch are compared ([`lines`](super::lines)): those that stayed are
//! copied as well, and the others are said. The header is compared name by name, by the values that are hashed.

use std::collections::BTreeSet;

use super::Dkim2Refusal;
use super::lines::kept;
use super::recipe::{Recipe, RecipeStep, StepMaker};
use super::state::{MessageState, StateField, relaxed};
use crate::edit::{EditList, Moved, Span};
use crate::message::behind_line;

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

impl<'m> Revision<'m> {
    /// Reads both states; `result` must be what the edits make of `raw`.
    ///
    /// # Errors
    ///
    /// [`Dkim2Refusal::Header`]: a header can't be read.
    pub fn read(raw: &'m [u8], edits: &'m EditList, result: &'m [u8]) -> Result<Revision<'m>, Dkim2Refusal> {
        let (before, after) = (MessageState::read(raw)?, MessageState::read(result)?);
        Ok(Revision { raw, result, edits, before, after })
    }

    /// Returns `true` if a body has a CR or LF that ends no line as the others are ended, or if the lines of one state
    /// end otherwise than those of the other. No recipe can say such a line, and who sums such a body up, breaks it up
    /// differently, so that not even its hash is sure.
    pub fn has_other_line_ends(&self) -> bool {
        let [before, after] = [&self.before, &self.after].map(MessageState::has_other_line_ends);
        before || after || self.before.line_end != self.after.line_end
    }

    /// Makes the recipe that leads back, with steps for the body if `body_changes`; what it says may have `spare`
    /// octets for each name and for the body. That ends early what can't be sent; how long the field becomes is asked
    /// once it is written.
    ///
    /// # Errors
    ///
    /// [`Dkim2Refusal::Size`]: it would say more than it may.
    pub fn recipe(&self, body_changes: bool, spare: usize) -> Result<Recipe, Dkim2Refusal> {
        let mut recipe = Recipe::default();
        let (old, new) = (self.before.by_name(), self.after.by_name());
        let names: BTreeSet<&str> = old.keys().chain(new.keys()).copied().collect();
        for name in names {
            let [old, new] = [&old, &new].map(|fields| fields.get(name).map_or(&[][..], Vec::as_slice));
            if let Some(steps) = steps_of_name(old, new, spare)? {
                recipe.header.insert(name.to_owned(), steps);
            }
        }
        if body_changes {
            recipe.body = Some(self.steps_of_body(spare)?);
        }
        Ok(recipe)
    }

    /// Makes the steps for the lines of the body, which lead from the result back to `raw`. Lines are compared without
    /// their ends, so [`has_other_line_ends`](Self::has_other_line_ends) must be `false` (`number_and_recipe` asks).
    fn steps_of_body(&self, spare: usize) -> Result<Vec<RecipeStep>, Dkim2Refusal> {
        // The body of a state that was read ends its message.
        let mut before = self.raw.len() - self.before.body.len();
        let mut after = self.result.len() - self.after.body.len();
        let moved = Moved::by(self.edits);
        // Where edits go over the end of the header, they don't tell which lines of the body they touch.
        let touched = match moved.before(before) == after {
            true => self.touched_lines(before),
            false => vec![Span::new(before, self.raw.len())],
        };
        let mut steps = StepMaker::new(spare);
        for lines in touched {
            let start = after + lines.start - before;
            steps.keep(lines_of(&self.raw[before..lines.start]).count());
            (before, after) = (lines.end, moved.after(lines.end));
            let [old, new] = [lines.slice(self.raw), Span::new(start, after).slice(self.result)]
                .map(|text| lines_of(text).collect::<Vec<_>>());
            steps.change(&old, &kept(&old, &new), new.len())?;
        }
        steps.keep(lines_of(&self.raw[before..]).count());
        Ok(steps.finish())
    }

    /// Finds the stretches of whole lines that edits of a body touch, in order. Each goes on to the first line end
    /// behind its last edit, or to the end: a line end that stays, behind which both texts begin a line.
    fn touched_lines(&self, body: usize) -> Vec<Span> {
        let mut touched: Vec<Span> = Vec::new();
        let edits = self.edits.as_slice().iter().map(|edit| edit.at);
        for at in edits.filter(|at| at.end > body || at.start == body) {
            match touched.last_mut() {
                Some(lines) if at.end < lines.end => {}
                Some(lines) if at.start <= lines.end => lines.end = behind_line(self.raw, at.end),
                _ => {
                    let before = &self.raw[body..at.start.max(body)];
                    let start = memchr::memrchr(b'\n', before).map_or(body, |end| body + end + 1);
                    touched.push(Span::new(start, behind_line(self.raw, at.end)));
                }
            }
        }
        touched
    }
}

/// Makes the steps for the values of a name, both lists from the bottom of the header; none where what is hashed stays.
fn steps_of_name(
    old: &[&StateField],
    new: &[&StateField],
    spare: usize,
) -> Result<Option<Vec<RecipeStep>>, Dkim2Refusal> {
    let [was, is] = [old, new].map(|fields| fields.iter().map(|field| relaxed(field.value())).collect::<Vec<_>>());
    if was == is {
        return Ok(None);
    }
    let [was, is] = [&was, &is].map(|values| values.iter().map(Vec::as_slice).collect::<Vec<_>>());
    let said: Vec<Vec<u8>> = old.iter().map(|field| field.unfolded()).collect();
    let mut steps = StepMaker::new(spare);
    steps.change(&said, &kept(&was, &is), is.len())?;
    Ok(Some(steps.finish()))
}

/// Returns the lines of a text without their ends; what stands behind the last end is a line if there is anything.
pub fn lines_of(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    let lines = text.split_inclusive(|&octet| octet == b'\n').map(|line| line.strip_suffix(b"\n").unwrap_or(line));
    lines.map(|line| line.strip_suffix(b"\r").unwrap_or(line))
}

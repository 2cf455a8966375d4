//! A recipe: how the state before is made of the state after, as JSON of its own few kinds of steps.
//!
//! `h` has the previous values of a name, counted from the bottom of the header; `b` the previous lines of the body, counted
//! from the top. A step copies a run of what is there now, or says what is gone: in UTF-8, or in base64 where it is none.

use std::collections::BTreeMap;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use super::Dkim2Refusal;

/// A recipe.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Recipe {
    /// The steps for the values of each name that changed, by the name in lower case.
    pub header: BTreeMap<Vec<u8>, Vec<RecipeStep>>,
    /// The steps for the lines of the body, if that changed.
    pub body: Option<Vec<RecipeStep>>,
}

/// A step of a recipe.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RecipeStep {
    /// Copies what is there now, from the first number to the second, both counted from 1.
    Copy(usize, usize),
    /// Says lines or values that are not there any more.
    Say(Vec<Vec<u8>>),
}

/// Steps in the making, and the octets that they say: beyond a limit nothing is made.
#[derive(Debug)]
pub struct StepMaker {
    steps: Vec<RecipeStep>,
    spare: usize,
}

impl StepMaker {
    /// Starts with no step; what is said may have so many octets.
    pub fn new(spare: usize) -> StepMaker {
        StepMaker { steps: Vec::new(), spare }
    }

    /// Copies `count` lines or values from the number `from` on; none if `count` is 0.
    pub fn copy(&mut self, from: usize, count: usize) {
        match self.steps.last_mut() {
            _ if count == 0 => {}
            Some(RecipeStep::Copy(_, to)) if *to + 1 == from => *to += count,
            _ => self.steps.push(RecipeStep::Copy(from, from + count - 1)),
        }
    }

    /// Says one line or value, which must have no CR or LF.
    ///
    /// # Errors
    ///
    /// [`Dkim2Refusal::Size`]: more is said than may be.
    pub fn say(&mut self, octets: &[u8]) -> Result<(), Dkim2Refusal> {
        // Two quotes and a comma at least stand around it.
        self.spare = self.spare.checked_sub(octets.len() + 3).ok_or(Dkim2Refusal::Size)?;
        match self.steps.last_mut() {
            Some(RecipeStep::Say(said)) => said.push(octets.to_vec()),
            _ => self.steps.push(RecipeStep::Say(vec![octets.to_vec()])),
        }
        Ok(())
    }

    /// Returns the steps.
    pub fn finish(self) -> Vec<RecipeStep> {
        self.steps
    }
}

impl Recipe {
    /// Returns `true` if nothing changed.
    pub fn is_empty(&self) -> bool {
        self.header.is_empty() && self.body.is_none()
    }

    /// Writes it as JSON in UTF-8, without white space.
    pub fn to_json(&self) -> String {
        let mut out = String::from("{");
        if !self.header.is_empty() {
            out.push_str("\"h\":{");
            for (number, (name, steps)) in self.header.iter().enumerate() {
                out.push_str(if number > 0 { "," } else { "" });
                write_text(&String::from_utf8_lossy(name), &mut out);
                out.push(':');
                write_steps(steps, &mut out);
            }
            out.push('}');
        }
        if let Some(steps) = &self.body {
            out.push_str(if self.header.is_empty() { "\"b\":" } else { ",\"b\":" });
            write_steps(steps, &mut out);
        }
        out.push('}');
        out
    }
}

/// Writes steps as a list; what is said is split where it changes between UTF-8 and other octets.
fn write_steps(steps: &[RecipeStep], out: &mut String) {
    let mut written = Vec::new();
    for step in steps {
        match step {
            RecipeStep::Copy(from, to) => written.push(format!("{{\"c\":[{from},{to}]}}")),
            RecipeStep::Say(said) => {
                let kinds = said.chunk_by(|one, other| is_text(one) == is_text(other));
                written.extend(kinds.map(said_step));
            }
        }
    }
    out.push('[');
    out.push_str(&written.join(","));
    out.push(']');
}

fn is_text(octets: &[u8]) -> bool {
    str::from_utf8(octets).is_ok()
}

/// Writes a step that says lines or values, all of them in UTF-8 or none.
fn said_step(said: &[Vec<u8>]) -> String {
    let mut out = String::new();
    let key = if said.first().is_some_and(|first| is_text(first)) { "d" } else { "u" };
    out.push_str(&format!("{{\"{key}\":["));
    for (number, octets) in said.iter().enumerate() {
        out.push_str(if number > 0 { "," } else { "" });
        match str::from_utf8(octets) {
            Ok(text) => write_text(text, &mut out),
            Err(_) => write_text(&STANDARD.encode(octets), &mut out),
        }
    }
    out.push_str("]}");
    out
}

/// Writes a text as a string of JSON.
fn write_text(text: &str, out: &mut String) {
    out.push('"');
    for character in text.chars() {
        match character {
            '"' | '\\' => out.extend(['\\', character]),
            '\t' => out.push_str("\\t"),
            '\0'..=' ' if character != ' ' => out.push_str(&format!("\\u{:04x}", u32::from(character))),
            _ => out.push(character),
        }
    }
    out.push('"');
}

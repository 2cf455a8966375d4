//! A recipe: how the state before is made of the state after, as JSON of its own few kinds of steps.
//!
//! `h` has the previous values of a name, counted from the bottom of the header; `b` the previous lines of the body,
//! counted from the top. A step copies a run of what is there now, or says what is gone: in UTF-8, or in base64 where
//! it is none.
//!
//! What verifiers read differently is refused: a key or a step of another kind, two in one step, a name twice, a body
//! that can't be recreated (`null`). What is wrong in a step itself shows when it is carried out.

use std::collections::BTreeMap;
use std::fmt;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::de::{Error as _, MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};

use super::Dkim2Refusal;
use crate::message::grammar::authentication::is_hashed;

/// A recipe.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Recipe {
    /// The steps for the values of each name that changed, by the name in lower case.
    #[serde(rename = "h", default, deserialize_with = "header", skip_serializing_if = "BTreeMap::is_empty")]
    pub header: BTreeMap<String, Vec<RecipeStep>>,
    /// The steps for the lines of the body, if that changed.
    #[serde(rename = "b", default, deserialize_with = "body", skip_serializing_if = "Option::is_none")]
    pub body: Option<Vec<RecipeStep>>,
}

/// A step of a recipe.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum RecipeStep {
    /// Copies what is there now, from the first number to the second, both counted from 1.
    #[serde(rename = "c")]
    Copy(usize, usize),
    /// Says lines or values that are not there any more.
    #[serde(rename = "d")]
    Text(Vec<String>),
    /// Says lines or values in base64.
    #[serde(rename = "u")]
    Base64(Vec<String>),
}

impl Recipe {
    /// Reads a recipe; the error says what is wrong, as a clause.
    pub fn read(json: &[u8]) -> Result<Recipe, String> {
        let recipe: Recipe = serde_json::from_slice(json).map_err(|error| error.to_string())?;
        // A list of what stands behind the keys would be read as well.
        match json.trim_ascii_start().starts_with(b"{") && recipe != Recipe::default() {
            true => Ok(recipe),
            false => Err("a recipe without a key".to_owned()),
        }
    }

    /// Writes it as JSON in UTF-8, without white space.
    pub fn to_json(&self) -> String {
        // Nothing in it can't be written.
        serde_json::to_string(self).unwrap_or_default()
    }
}

/// Reads the steps of each name.
fn header<'de, D: Deserializer<'de>>(from: D) -> Result<BTreeMap<String, Vec<RecipeStep>>, D::Error> {
    from.deserialize_map(NameVisitor)
}

/// Reads the steps of the body; `null`, by which none lead to it, is an error, and a key that is missing is none.
fn body<'de, D: Deserializer<'de>>(from: D) -> Result<Option<Vec<RecipeStep>>, D::Error> {
    let steps: Option<Vec<RecipeStep>> = Option::deserialize(from)?;
    steps.map(Some).ok_or_else(|| D::Error::custom("a body that cannot be recreated"))
}

/// Takes names that are hashed, each once.
struct NameVisitor;

impl<'de> Visitor<'de> for NameVisitor {
    type Value = BTreeMap<String, Vec<RecipeStep>>;

    fn expecting(&self, out: &mut fmt::Formatter) -> fmt::Result {
        out.write_str("steps by the names of fields")
    }

    fn visit_map<M: MapAccess<'de>>(self, mut from: M) -> Result<Self::Value, M::Error> {
        let mut names = BTreeMap::new();
        while let Some((name, steps)) = from.next_entry::<String, _>()? {
            let name = name.to_ascii_lowercase();
            let is_name = !name.is_empty() && name.bytes().all(|octet| octet.is_ascii_graphic() && octet != b':');
            if !is_name || !is_hashed(name.as_bytes()) {
                return Err(M::Error::custom("steps for what is no field, or is not hashed"));
            }
            if names.insert(name, steps).is_some() {
                return Err(M::Error::custom("a field that is named twice"));
            }
        }
        Ok(names)
    }
}

/// Steps in the making: from the first line or value to the last, and no more said than may be.
#[derive(Debug)]
pub struct StepMaker {
    steps: Vec<RecipeStep>,
    /// How many octets may still be said.
    spare: usize,
    /// How many of the lines or values that are there now were gone through.
    passed: usize,
}

impl StepMaker {
    /// Starts with no step; what is said may have so many octets.
    pub fn new(spare: usize) -> StepMaker {
        StepMaker { steps: Vec::new(), spare, passed: 0 }
    }

    /// Copies the next lines or values that are there now.
    pub fn keep(&mut self, count: usize) {
        self.copy(self.passed, count);
        self.passed += count;
    }

    /// Makes old lines or values of the next `count` that are there now: `kept` says for each which of these it is,
    /// counted from 0, in rising order. What is none of them is said, and must have no CR or LF.
    ///
    /// # Errors
    ///
    /// [`Dkim2Refusal::Size`]: more is said than may be.
    pub fn change<T: AsRef<[u8]>>(
        &mut self,
        old: &[T],
        kept: &[Option<usize>],
        count: usize,
    ) -> Result<(), Dkim2Refusal> {
        for (octets, place) in old.iter().zip(kept) {
            match place {
                Some(at) => self.copy(self.passed + at, 1),
                None => self.say(octets.as_ref())?,
            }
        }
        self.passed += count;
        Ok(())
    }

    /// Returns the steps.
    pub fn finish(self) -> Vec<RecipeStep> {
        self.steps
    }

    /// Copies `count` lines or values from the one at `at` on, counted from 0; a copy that ends right before it is made
    /// longer.
    fn copy(&mut self, at: usize, count: usize) {
        match self.steps.last_mut() {
            _ if count == 0 => {}
            Some(RecipeStep::Copy(_, to)) if *to == at => *to += count,
            _ => self.steps.push(RecipeStep::Copy(at + 1, at + count)),
        }
    }

    /// Says a line or value, in the step before if that says some in the same form; an error where more is said than
    /// may be.
    fn say(&mut self, octets: &[u8]) -> Result<(), Dkim2Refusal> {
        // Two quotes and a comma at least stand around it.
        self.spare = self.spare.checked_sub(octets.len() + 3).ok_or(Dkim2Refusal::Size)?;
        match (str::from_utf8(octets), self.steps.last_mut()) {
            (Ok(text), Some(RecipeStep::Text(said))) => said.push(text.to_owned()),
            (Ok(text), _) => self.steps.push(RecipeStep::Text(vec![text.to_owned()])),
            (Err(_), Some(RecipeStep::Base64(said))) => said.push(STANDARD.encode(octets)),
            (Err(_), _) => self.steps.push(RecipeStep::Base64(vec![STANDARD.encode(octets)])),
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read() {
        let mut maker = StepMaker::new(100);
        let said = [&b"a\"\\\t\x1b\0"[..], "ü\u{10ffff}".as_bytes(), b"\xE9", b""];
        maker.change(&said, &[None; 4], 0).expect("room");
        let header = [("x\"y".to_owned(), Vec::new()), ("subject".to_owned(), maker.finish())].into();
        let recipe = Recipe { header, body: Some(vec![RecipeStep::Copy(1, 2)]) };
        let json = recipe.to_json();
        assert_eq!(
            json,
            "{\"h\":{\"subject\":[{\"d\":[\"a\\\"\\\\\\t\\u001b\\u0000\",\"ü\u{10ffff}\"]},{\"u\":[\"6Q==\"]},\
             {\"d\":[\"\"]}],\"x\\\"y\":[]},\"b\":[{\"c\":[1,2]}]}"
        );
        assert_eq!(Recipe::read(json.as_bytes()), Ok(recipe));
    }

    #[test]
    fn takes_json_as_others_write_it() {
        let json = b" {\n\"b\" : [ {\"d\" : [\"\\u00e9\\ud83d\\ude00\\/\"]} , { \"c\":[ 1 , 20 ] } ] } ";
        let steps = vec![RecipeStep::Text(vec!["é😀/".to_owned()]), RecipeStep::Copy(1, 20)];
        assert_eq!(Recipe::read(json), Ok(Recipe { body: Some(steps), ..Recipe::default() }));
        assert!(Recipe::read(b"{\"b\":[]}").is_ok());
    }

    #[test]
    fn refuses_what_verifiers_read_differently() {
        for json in [
            "",
            "{}",
            "[]",
            "[{},[]]",
            "{\"b\":null}",
            "{\"h\":null}",
            "{\"b\":[]}x",
            "{\"b\":[],\"b\":[]}",
            "{\"h\":{},\"h\":{}}",
            "{\"b\":[],\"z\":[]}",
            "{\"b\":[{}]}",
            "{\"b\":[\"c\"]}",
            "{\"b\":[{\"c\":[1,2],\"d\":[\"\"]}]}",
            "{\"b\":[{\"c\":[1,2],\"c\":[3,4]}]}",
            "{\"b\":[{\"c\":[1]}]}",
            "{\"b\":[{\"c\":[1,2,3]}]}",
            "{\"b\":[{\"c\":[1,2.0]}]}",
            "{\"b\":[{\"c\":[01,2]}]}",
            "{\"b\":[{\"c\":[-1,2]}]}",
            "{\"b\":[{\"c\":{\"0\":1,\"1\":2}}]}",
            "{\"b\":[{\"c\":[1,99999999999999999999]}]}",
            "{\"b\":[{\"q\":[1]}]}",
            "{\"b\":[{\"d\":[1]}]}",
            "{\"b\":[{\"d\":\"x\"}]}",
            "{\"b\":[{\"d\":[\"\\ud800\"]}]}",
            "{\"b\":[{\"d\":[\"\\ud83dx\"]}]}",
            "{\"b\":[{\"d\":[\"\t\"]}]}",
            "{\"b\":[{\"d\":[\"",
            "{\"b\":[,]}",
            "{\"h\":[]}",
            "{\"h\":{\"received\":[]}}",
            "{\"h\":{\"to\":[],\"To\":[]}}",
            "{\"h\":{\"\":[]}}",
            "{\"h\":{\"to\\r\\nfrom\":[]}}",
            "{\"h\":{\"to:x\":[]}}",
        ] {
            assert!(Recipe::read(json.as_bytes()).is_err(), "{json}");
        }
        assert!(Recipe::read(b"{\"b\":[{\"d\":[\"\xE9\"]}]}").is_err());
        let deep = [vec![b'['; 100_000], vec![b']'; 100_000]].concat();
        assert!(Recipe::read(&[b"{\"b\":", &*deep, b"}"].concat()).is_err());
    }
}

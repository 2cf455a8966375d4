//! Recipes read: strict JSON of just the shapes that a recipe has, in one pass.
//!
//! What verifiers read differently is refused: a step of another kind or of none, a name twice, data with a line end in it,
//! base64 that is not canonical, a body that can't be recreated (`null`).

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use super::recipe::{Recipe, RecipeStep};
use crate::message::grammar::authentication::is_hashed;

/// Reads a recipe; the error says what is wrong, as a clause.
pub fn read(text: &[u8]) -> Result<Recipe, &'static str> {
    let text = str::from_utf8(text).map_err(|_| "a recipe that is not UTF-8")?;
    let mut json = Json { rest: text };
    let mut recipe = Recipe::default();
    let (mut has_header, mut is_empty) = (false, true);
    json.members(|json, key| {
        is_empty = false;
        match key.as_str() {
            "h" if !has_header => {
                has_header = true;
                read_header(json, &mut recipe)
            }
            "b" if json.takes("null") => Err("a body that cannot be recreated"),
            "b" if recipe.body.is_none() => {
                recipe.body = Some(read_steps(json)?);
                Ok(())
            }
            _ => Err("a key of a recipe that is none, or stands twice"),
        }
    })?;
    match json.skip().is_empty() {
        true if is_empty => Err("a recipe without a key"),
        true => Ok(recipe),
        false => Err("text behind a recipe"),
    }
}

/// Reads the steps of each name.
fn read_header(json: &mut Json, recipe: &mut Recipe) -> Result<(), &'static str> {
    json.members(|json, name| {
        let name = name.to_ascii_lowercase().into_bytes();
        if !is_hashed(&name) {
            return Err("a recipe for a field that is not hashed");
        }
        match recipe.header.insert(name, read_steps(json)?) {
            None => Ok(()),
            Some(_) => Err("a recipe that names a field twice"),
        }
    })
}

/// Reads a list of steps.
fn read_steps(json: &mut Json) -> Result<Vec<RecipeStep>, &'static str> {
    let mut steps = Vec::new();
    json.items(|json| {
        let mut step = None;
        json.members(|json, key| match step.replace(read_step(json, &key)?) {
            None => Ok(()),
            Some(_) => Err("a step with two keys"),
        })?;
        steps.push(step.ok_or("a step without a key")?);
        Ok(())
    })?;
    Ok(steps)
}

/// Reads what stands behind the key of a step.
fn read_step(json: &mut Json, key: &str) -> Result<RecipeStep, &'static str> {
    match key {
        "c" => {
            let mut ends = Vec::new();
            json.items(|json| {
                ends.push(json.number()?);
                Ok(())
            })?;
            match ends[..] {
                [from, to] if 0 < from && from <= to => Ok(RecipeStep::Copy(from, to)),
                _ => Err("a range that is none"),
            }
        }
        "d" | "u" => read_said(json, key == "u").map(RecipeStep::Say),
        _ => Err("a step of an unknown kind"),
    }
}

/// Reads the lines or values of a step, in base64 or as they are.
fn read_said(json: &mut Json, is_encoded: bool) -> Result<Vec<Vec<u8>>, &'static str> {
    let mut said = Vec::new();
    json.items(|json| {
        let text = json.text()?;
        let octets = match is_encoded {
            true => STANDARD.decode(text).map_err(|_| "base64 of a recipe that is none")?,
            false => text.into_bytes(),
        };
        match memchr::memchr2(b'\r', b'\n', &octets) {
            None => said.push(octets),
            Some(_) => return Err("a line end in the data of a recipe"),
        }
        Ok(())
    })?;
    if said.is_empty() { Err("a step without data") } else { Ok(said) }
}

/// JSON that is read from its start.
struct Json<'t> {
    rest: &'t str,
}

impl Json<'_> {
    /// Skips white space, and returns what is left.
    fn skip(&mut self) -> &str {
        self.rest = self.rest.trim_start_matches([' ', '\t', '\r', '\n']);
        self.rest
    }

    /// Takes a token if it stands next.
    fn takes(&mut self, token: &str) -> bool {
        let found = self.skip().starts_with(token);
        self.rest = &self.rest[if found { token.len() } else { 0 }..];
        found
    }

    /// Takes a token that must stand next.
    fn expect(&mut self, token: &str) -> Result<(), &'static str> {
        if self.takes(token) { Ok(()) } else { Err("JSON that is none") }
    }

    /// Reads an object, and has `read` read the value of each key.
    fn members(
        &mut self,
        mut read: impl FnMut(&mut Self, String) -> Result<(), &'static str>,
    ) -> Result<(), &'static str> {
        self.expect("{")?;
        if self.takes("}") {
            return Ok(());
        }
        loop {
            let key = self.text()?;
            self.expect(":")?;
            read(self, key)?;
            if !self.takes(",") {
                return self.expect("}");
            }
        }
    }

    /// Reads a list, and has `read` read each item.
    fn items(&mut self, mut read: impl FnMut(&mut Self) -> Result<(), &'static str>) -> Result<(), &'static str> {
        self.expect("[")?;
        if self.takes("]") {
            return Ok(());
        }
        loop {
            read(self)?;
            if !self.takes(",") {
                return self.expect("]");
            }
        }
    }

    /// Reads a whole number.
    fn number(&mut self) -> Result<usize, &'static str> {
        let rest = self.skip();
        let digits = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
        let number = rest[..digits].parse().map_err(|_| "a number of a recipe that is none")?;
        self.rest = &self.rest[digits..];
        Ok(number)
    }

    /// Reads a string.
    fn text(&mut self) -> Result<String, &'static str> {
        self.expect("\"")?;
        let mut text = String::new();
        loop {
            let plain = self.rest.find(|c: char| matches!(c, '"' | '\\' | '\0'..='\x1f'));
            let plain = plain.ok_or("a string that does not end")?;
            text.push_str(&self.rest[..plain]);
            self.rest = &self.rest[plain..];
            match self.rest.as_bytes().first() {
                Some(b'"') => break,
                Some(b'\\') => text.push(self.escaped()?),
                _ => return Err("a control character in a string"),
            }
        }
        self.rest = &self.rest[1..];
        Ok(text)
    }

    /// Reads a character behind a backslash, with its other half where it is one of two.
    fn escaped(&mut self) -> Result<char, &'static str> {
        const BAD: &str = "an escape of JSON that is none";
        let kind = self.rest[1..].chars().next().ok_or(BAD)?;
        self.rest = &self.rest[1 + kind.len_utf8()..];
        Ok(match kind {
            '"' | '\\' | '/' => kind,
            'b' => '\u{8}',
            'f' => '\u{c}',
            'n' => '\n',
            'r' => '\r',
            't' => '\t',
            'u' => match self.unit().ok_or(BAD)? {
                high @ 0xD800..=0xDBFF => {
                    self.rest = self.rest.strip_prefix("\\u").ok_or(BAD)?;
                    let units = [high, self.unit().ok_or(BAD)?];
                    char::decode_utf16(units).next().and_then(Result::ok).ok_or(BAD)?
                }
                unit => char::from_u32(u32::from(unit)).ok_or(BAD)?,
            },
            _ => return Err(BAD),
        })
    }

    /// Reads four hexadecimal digits.
    fn unit(&mut self) -> Option<u16> {
        let digits = self.rest.get(..4).filter(|digits| digits.bytes().all(|octet| octet.is_ascii_hexdigit()))?;
        let unit = u16::from_str_radix(digits, 16).ok()?;
        self.rest = &self.rest[4..];
        Some(unit)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read() {
        let said = RecipeStep::Say(vec![b"a\"\\\t\x1b\0".to_vec(), "ü\u{10ffff}".into(), b"\xE9".to_vec(), Vec::new()]);
        let header = [(b"x\"y".to_vec(), Vec::new()), (b"subject".to_vec(), vec![said])].into();
        let recipe = Recipe { header, body: Some(vec![RecipeStep::Copy(1, 2)]) };
        let json = recipe.to_json();
        assert_eq!(
            json,
            "{\"h\":{\"subject\":[{\"d\":[\"a\\\"\\\\\\t\\u001b\\u0000\",\"ü\u{10ffff}\"]},{\"u\":[\"6Q==\"]},\
             {\"d\":[\"\"]}],\"x\\\"y\":[]},\"b\":[{\"c\":[1,2]}]}"
        );
        let read = read(json.as_bytes()).expect("a recipe");
        assert_eq!(read.to_json(), json);
    }

    #[test]
    fn takes_json_as_others_write_it() {
        let json = b" {\n\"b\" : [ {\"d\" : [\"\\u00e9\\ud83d\\ude00\\/\"]} , { \"c\":[ 1 , 20 ] } ] } ";
        let steps = vec![RecipeStep::Say(vec!["é😀/".into()]), RecipeStep::Copy(1, 20)];
        assert_eq!(read(json), Ok(Recipe { body: Some(steps), ..Recipe::default() }));
    }

    #[test]
    fn refuses_what_verifiers_read_differently() {
        for json in [
            "",
            "{}",
            "[]",
            "{\"b\":null}",
            "{\"b\":[]}x",
            "{\"b\":[],\"b\":[]}",
            "{\"h\":{},\"h\":{}}",
            "{\"z\":[]}",
            "{\"b\":[{}]}",
            "{\"b\":[{\"d\":[]}]}",
            "{\"b\":[{\"c\":[1,2],\"d\":[\"\"]}]}",
            "{\"b\":[{\"c\":[0,2]}]}",
            "{\"b\":[{\"c\":[3,2]}]}",
            "{\"b\":[{\"c\":[1]}]}",
            "{\"b\":[{\"q\":[1]}]}",
            "{\"b\":[{\"d\":[\"a\\n\"]}]}",
            "{\"b\":[{\"u\":[\"6Q\"]}]}",
            "{\"b\":[{\"u\":[\"6R==\"]}]}",
            "{\"b\":[{\"d\":[\"\\ud800\"]}]}",
            "{\"b\":[{\"d\":[\"\t\"]}]}",
            "{\"h\":{\"received\":[]}}",
            "{\"h\":{\"to\":[],\"To\":[]}}",
            "{\"b\":[{\"d\":[\"",
            "{\"b\":[{\"c\":[1,99999999999999999999]}]}",
            "{\"b\":[{\"d\":[\"\\ud83dx\"]}]}",
            "{\"b\":[,]}",
        ] {
            assert!(read(json.as_bytes()).is_err(), "{json}");
        }
        assert!(read(b"{\"b\":[{\"d\":[\"\xE9\"]}]}").is_err());
    }
}

//! The state before an instance: its recipe, applied to the state that it stands in.

use std::borrow::Cow;
use std::collections::BTreeMap;

use super::difference::lines_of;
use super::instance::{Instance, InstanceChain, covers};
use super::recipe::{Recipe, RecipeStep};
use super::state::{MessageState, StateField};
use crate::message::LineEnd;

/// Returns the state before the topmost instance of a state: the body exact, fields unfolded and those of a changed name
/// together. The instance goes, and so do the signatures that cover it. The error says why there is none, as a clause.
pub fn undone<'m>(state: &MessageState<'m>, chain: &InstanceChain) -> Result<MessageState<'m>, &'static str> {
    let Some(top) = chain.instances.last().filter(|top| top.number > 1) else {
        return Err("nothing is before the first instance");
    };
    let mut before = applied(state, &top.read_recipe()?)?;
    // The last one that was read stands for it: numbers are not there twice.
    before.fields.retain(|field| match &*field.name {
        b"message-instance" => Instance::read(field.value()).is_none_or(|it| it.number != top.number),
        b"dkim2-signature" => !covers(field.value(), top.number),
        _ => true,
    });
    Ok(before)
}

/// Applies a recipe to a state; the result is no longer than both. The error says what does not fit, as a clause.
pub fn applied<'m>(state: &MessageState<'m>, recipe: &Recipe) -> Result<MessageState<'m>, &'static str> {
    let fields = applied_to_header(&state.fields, &recipe.header)?;
    let body = match &recipe.body {
        Some(steps) => Cow::Owned(applied_to_body(&state.body, state.line_end, steps)?),
        None => state.body.clone(),
    };
    Ok(MessageState { fields, body, line_end: state.line_end })
}

/// Makes the fields before: those of a changed name stand where its topmost one stood, or at the end.
fn applied_to_header<'m>(
    fields: &[StateField<'m>],
    header: &BTreeMap<Vec<u8>, Vec<RecipeStep>>,
) -> Result<Vec<StateField<'m>>, &'static str> {
    let mut values: BTreeMap<&[u8], Vec<&[u8]>> = header.keys().map(|name| (&**name, Vec::new())).collect();
    for field in fields.iter().rev() {
        if let Some(values) = values.get_mut(&*field.name) {
            values.push(field.value());
        }
    }
    let mut before = BTreeMap::new();
    for (name, steps) in header {
        let old = run(&values[&**name], steps)?;
        before.insert(&**name, old.iter().rev().map(|value| field(name, value)).collect::<Vec<_>>());
    }
    let mut made = Vec::new();
    for field in fields {
        match header.contains_key(&field.name) {
            true => made.extend(before.remove(&*field.name).unwrap_or_default()),
            false => made.push(field.clone()),
        }
    }
    made.extend(before.into_values().flatten());
    Ok(made)
}

/// Makes a field of a value, one space behind the colon.
fn field<'m>(name: &[u8], value: &[u8]) -> StateField<'m> {
    let value = value.strip_prefix(b" ").unwrap_or(value);
    StateField { name: name.to_vec(), line: Cow::Owned([name, b": ", value].concat()), value_start: name.len() + 1 }
}

/// Makes the body before.
fn applied_to_body(body: &[u8], line_end: LineEnd, steps: &[RecipeStep]) -> Result<Vec<u8>, &'static str> {
    let end = line_end.as_bytes();
    let lines: Vec<&[u8]> = lines_of(body).collect();
    let mut made = Vec::new();
    for line in run(&lines, steps)? {
        made.extend_from_slice(line);
        made.extend_from_slice(end);
    }
    Ok(made)
}

/// Carries steps out on lines or values; ranges must rise, and lie within what is there.
fn run<'l>(now: &[&'l [u8]], steps: &'l [RecipeStep]) -> Result<Vec<&'l [u8]>, &'static str> {
    let (mut made, mut done) = (Vec::new(), 0);
    for step in steps {
        match step {
            RecipeStep::Copy(from, to) if *from > done && *to <= now.len() => {
                made.extend_from_slice(&now[from - 1..*to]);
                done = *to;
            }
            RecipeStep::Copy(..) => return Err("a range that does not rise, or is not there"),
            RecipeStep::Say(said) => made.extend(said.iter().map(Vec::as_slice)),
        }
    }
    Ok(made)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn before(raw: &str, recipe: &str) -> Result<String, &'static str> {
        let state = MessageState::read(raw.as_bytes()).expect("a message");
        let recipe = super::super::json::read(recipe.as_bytes())?;
        Ok(String::from_utf8(applied(&state, &recipe)?.to_octets()).expect("text"))
    }

    #[test]
    fn values_count_from_the_bottom_and_lines_from_the_top() {
        let raw = "A: 1\nB: x\nA: 2\nA: 3\n\none\ntwo\nthree";
        assert_eq!(
            before(raw, r#"{"h":{"a":[{"c":[1,1]},{"d":["new"]},{"c":[3,3]}],"c":[{"d":["c"]}]}}"#).as_deref(),
            Ok("a: 1\na: new\na: 3\nB: x\nc: c\n\none\ntwo\nthree")
        );
        assert_eq!(
            before(raw, r#"{"h":{"a":[]},"b":[{"d":["0"]},{"c":[2,3]},{"u":["NA=="]}]}"#).as_deref(),
            Ok("B: x\n\n0\ntwo\nthree\n4\n")
        );
        assert_eq!(before("A: 1\r\n\r\nx\r\n", r#"{"b":[{"d":["y"]}]}"#).as_deref(), Ok("A: 1\r\n\r\ny\r\n"));
    }

    #[test]
    fn ranges_rise_and_are_there() {
        for steps in [r#"{"c":[1,3]}"#, r#"{"c":[2,2]},{"c":[1,1]}"#, r#"{"c":[1,2]},{"d":["x"]},{"c":[2,2]}"#] {
            assert!(before("A: 1\n\none\ntwo\n", &format!("{{\"b\":[{steps}]}}")).is_err(), "{steps}");
        }
    }
}

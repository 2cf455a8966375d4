//! The state before an instance: its recipe, applied to the state that it stands in.

use std::borrow::Cow;
use std::collections::BTreeMap;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use super::difference::lines_of;
use super::instance::{Instance, InstanceChain, covers};
use super::recipe::{Recipe, RecipeStep};
use super::state::{MessageState, StateField};
use crate::rewrite::ensure::ensure;

/// The most octets of fields that come back: a value of three octets in a recipe comes with all of its name.
const LONGEST_HEADER: usize = 16 << 20;

/// Returns the state before the topmost instance of a state: its body exact, but for the end of the last line; its
/// fields of a changed name together, with the name in lower case, and unfolded where the recipe says their values. The
/// instance goes, and so do the signatures that cover it. `chain` must have the instances that the state has. The error
/// says why there is none, as a clause.
pub fn undone<'m>(state: &MessageState<'m>, chain: &InstanceChain) -> Result<MessageState<'m>, String> {
    let Some(top) = chain.instances.last().filter(|top| top.number > 1) else {
        return Err("nothing is before the first instance".to_owned());
    };
    let recipe = top.recipe.as_deref().ok_or("an instance without a recipe")?;
    let mut before = applied(state, &Recipe::read(recipe)?)?;
    // The last one that was read stands for it: numbers are not there twice.
    before.fields.retain(|field| match &*field.name {
        "message-instance" => Instance::read(field.value()).is_none_or(|it| it.number != top.number),
        "dkim2-signature" => !covers(field.value(), top.number),
        _ => true,
    });
    Ok(before)
}

/// Applies a recipe to a state; the body is no longer than both, while each value in the header gets its name anew. The
/// error says what does not fit, as a clause.
fn applied<'m>(state: &MessageState<'m>, recipe: &Recipe) -> Result<MessageState<'m>, &'static str> {
    let fields = applied_to_header(state, &recipe.header)?;
    let mut body = state.body.clone();
    if let Some(steps) = &recipe.body {
        let lines: Vec<&[u8]> = lines_of(&state.body).collect();
        let made = run(&lines, steps)?;
        body =
            Cow::Owned(made.iter().flat_map(|line| [&**line, state.line_end.as_bytes()]).collect::<Vec<_>>().concat());
    }
    Ok(MessageState { fields, body, ..*state })
}

/// Makes the fields before: those of a changed name stand where its topmost one stood, or at the end.
fn applied_to_header<'m>(
    state: &MessageState<'m>,
    header: &BTreeMap<String, Vec<RecipeStep>>,
) -> Result<Vec<StateField<'m>>, &'static str> {
    let (mut before, mut octets): (BTreeMap<&str, Vec<StateField>>, usize) = Default::default();
    let now = state.by_name();
    for (name, steps) in header {
        let now: Vec<&[u8]> = now.get(&**name).into_iter().flatten().map(|field| field.value()).collect();
        let values = run(&now, steps)?;
        octets += values.iter().map(|value| name.len() + value.len()).sum::<usize>();
        ensure(octets <= LONGEST_HEADER, "a header that is too long")?;
        before.insert(name, values.iter().rev().map(|value| field(name, value)).collect());
    }
    let mut made = Vec::new();
    for field in &state.fields {
        match header.contains_key(&field.name) {
            true => made.extend(before.remove(&*field.name).into_iter().flatten()),
            false => made.push(field.clone()),
        }
    }
    made.extend(before.into_values().flatten());
    Ok(made)
}

/// Makes a field of a value, one space behind the colon.
fn field(name: &str, value: &[u8]) -> StateField<'static> {
    let value = value.strip_prefix(b" ").unwrap_or(value);
    StateField { name: name.to_owned(), line: Cow::Owned([name.as_bytes(), b": ", value].concat()) }
}

/// Carries steps out on lines or values, which are there `now`, and returns those that were there before. Ranges must
/// rise and lie within what is there, and what is said is something, in canonical base64 if in any, and has no line
/// end.
fn run<'l>(now: &[&'l [u8]], steps: &'l [RecipeStep]) -> Result<Vec<Cow<'l, [u8]>>, &'static str> {
    let (mut made, mut done) = (Vec::new(), 0);
    for step in steps {
        let before = made.len();
        match step {
            RecipeStep::Copy(from, to) if (done + 1..=*to).contains(from) && *to <= now.len() => {
                made.extend(now[from - 1..*to].iter().copied().map(Cow::Borrowed));
                done = *to;
                continue;
            }
            RecipeStep::Copy(..) => return Err("a range that does not rise, or is not there"),
            RecipeStep::Text(said) => made.extend(said.iter().map(|text| Cow::Borrowed(text.as_bytes()))),
            RecipeStep::Base64(said) => {
                let octets = said.iter().map(|text| STANDARD.decode(text).map(Cow::Owned));
                made.extend(octets.collect::<Result<Vec<_>, _>>().map_err(|_| "base64 of a recipe that is none")?);
            }
        }
        let mut said = made[before..].iter();
        let has_line_end = said.clone().any(|said| memchr::memchr2(b'\r', b'\n', said).is_some());
        ensure(said.next().is_some() && !has_line_end, "a step that says nothing, or a line end")?;
    }
    Ok(made)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn before(raw: &str, recipe: &str) -> Result<String, String> {
        let state = MessageState::read(raw.as_bytes()).expect("a message");
        let recipe = Recipe::read(recipe.as_bytes()).expect("a recipe");
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
    fn a_header_comes_back_in_so_many_octets_at_most() {
        let (name, values) = ("a".repeat(100_000), vec!["\"\""; 200].join(","));
        let error = before("A: 1\n\nx\n", &format!("{{\"h\":{{\"{name}\":[{{\"d\":[{values}]}}]}}}}"));
        assert_eq!(error, Err("a header that is too long".to_owned()));
    }

    #[test]
    fn steps_say_what_is_there() {
        for steps in [
            r#"{"c":[1,3]}"#,
            r#"{"c":[0,1]}"#,
            r#"{"c":[2,1]}"#,
            r#"{"c":[2,2]},{"c":[1,1]}"#,
            r#"{"c":[1,2]},{"d":["x"]},{"c":[2,2]}"#,
            r#"{"d":[]}"#,
            r#"{"u":[]}"#,
            r#"{"d":["a\n"]}"#,
            r#"{"u":["DQ=="]}"#,
            r#"{"u":["6Q"]}"#,
            r#"{"u":["6R=="]}"#,
        ] {
            assert!(before("A: 1\n\none\ntwo\n", &format!("{{\"b\":[{steps}]}}")).is_err(), "{steps}");
            assert!(before("A: 1\nA: 2\n\n", &format!("{{\"h\":{{\"a\":[{steps}]}}}}")).is_err(), "{steps}");
        }
    }
}

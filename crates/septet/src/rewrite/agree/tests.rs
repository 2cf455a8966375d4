//! What makes the order of rules nobody's business: they strike and do nothing else, and strike no less where more is
//! struck.

use std::fs;
use std::path::{Path, PathBuf};

use proptest::prelude::*;
use proptest::sample::select;

use super::*;
use crate::message::Message;
use crate::rewrite::Reason;
use crate::rewrite::step::StepScope;
use crate::rewrite::survey::evidence::Evidence;
use crate::rewrite::wish::Cause;
use crate::rewrite::{Profile, wish};

/// The messages of the cases.
fn messages() -> Vec<Vec<u8>> {
    let mut found = Vec::new();
    let mut folders = vec![PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures/rewrite"))];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).expect("a folder of cases") {
            let path = entry.expect("an entry").path();
            if path.is_dir() { folders.push(path) } else { found.extend(message_of(&path)) }
        }
    }
    found.sort();
    assert!(found.len() > 400, "{} messages", found.len());
    found
}

/// Reads the message of a case, in which `\xE9` is one octet.
fn message_of(path: &Path) -> Option<Vec<u8>> {
    let text = fs::read(path).ok()?;
    let start = memchr::memmem::find(&text, b"\n=== input\n")? + 11;
    let rest = &text[start..];
    let rest = &rest[..memchr::memmem::find(rest, b"\n=== ").map_or(rest.len(), |end| end + 1)];
    let (mut out, mut at) = (Vec::new(), 0);
    while let Some(&octet) = rest.get(at) {
        let digits = rest.get(at..at + 4).filter(|escape| escape.starts_with(b"\\x"));
        let escaped = digits.and_then(|escape| u8::from_str_radix(str::from_utf8(&escape[2..]).ok()?, 16).ok());
        out.push(escaped.unwrap_or(octet));
        at += if escaped.is_some() { 4 } else { 1 };
    }
    Some(out)
}

/// Calls `look` with the survey of a message under a built-in profile.
fn surveyed<T>(raw: &[u8], profile: &str, look: impl FnOnce(&Survey) -> T) -> T {
    let profile = Profile::built_in(profile).expect("it is built in");
    let message = Message::read(raw, &profile.limits);
    let evidence = Evidence::of(&message, &profile);
    look(&Survey::of(&evidence, StepScope::Whole))
}

/// What is struck, of each body its rank and of each field whether it stays and whether it names a charset; and what is
/// reported of them.
type Struck = (Vec<BodyRank>, Vec<(bool, bool)>, Vec<String>);

fn struck(wishes: &Wishes) -> Struck {
    let fields = || wishes.fields.iter().flatten();
    let said = wishes.bodies.iter().map(|wish| format!("{:?}", wish.reason()));
    (
        wishes.bodies.iter().map(|wish| wish.rank).collect(),
        fields().map(|wish| (wish.is_struck(), wish.charset.is_none())).collect(),
        said.chain([format!("{:?}", wishes.struck())]).collect(),
    )
}

/// Strikes places, by choices of 0 to 3 for each.
fn strike(wishes: &mut Wishes, choices: &[u8]) {
    let mut choices = choices.iter().cycle();
    for wish in &mut wishes.bodies {
        let rank = [BodyRank::Whole, BodyRank::Whole, BodyRank::TransferAlone, BodyRank::Nothing];
        let rank = rank[usize::from(choices.next().copied().unwrap_or(0) % 4)];
        if rank != BodyRank::Whole {
            wish.strike(rank, (Cause::Hint, Some(Reason::Unlabelled)));
        }
    }
    for wish in wishes.fields.iter_mut().flatten() {
        if choices.next().is_some_and(|choice| choice % 4 == 3) {
            wish.strike((Cause::Around, Some(Reason::Unlabelled)));
        }
    }
}

fn profiles() -> impl Strategy<Value = &'static str> {
    select(vec!["utf8", "ascii", "seven-bit", "utf7"])
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3000))]

    #[test]
    fn rules_in_any_order_end_in_the_same_decisions(
        raw in select(messages()), profile in profiles(), order in Just((0..RULES.len()).collect::<Vec<_>>()).prop_shuffle(),
    ) {
        surveyed(&raw, profile, |survey| {
            let (mut one, mut other) = (wish(survey), wish(survey));
            agree(survey, &mut one);
            let shuffled: Vec<Rule> = order.iter().map(|at| RULES[*at]).collect();
            agree_by(&shuffled, survey, &mut other);
            prop_assert_eq!(struck(&one), struck(&other));
            Ok(())
        })?;
    }

    #[test]
    fn a_rule_strikes_no_less_where_more_is_struck(
        raw in select(messages()), profile in profiles(), choices in prop::collection::vec(0..4u8, 1..40), at in 0..RULES.len(),
    ) {
        surveyed(&raw, profile, |survey| {
            let (mut less, mut more) = (wish(survey), wish(survey));
            strike(&mut more, &choices);
            let before = struck(&more);
            RULES[at].strike(survey, &mut less);
            RULES[at].strike(survey, &mut more);
            let ((less, less_fields, _), (more, more_fields, _)) = (struck(&less), struck(&more));
            prop_assert!(less.iter().zip(&more).all(|(less, more)| less <= more), "{less:?} {more:?}");
            prop_assert!(less_fields.iter().zip(&more_fields).all(|(less, more)| less.0 <= more.0 && less.1 <= more.1));
            // Nor does it give anything back.
            prop_assert!(before.0.iter().zip(&more).all(|(before, after)| before <= after));
            prop_assert!(before.1.iter().zip(&more_fields).all(|(before, after)| before.0 <= after.0 && before.1 <= after.1));
            Ok(())
        })?;
    }
}

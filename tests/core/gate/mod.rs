//! The gate in shadow: `message::irregular` beside the rules that decide today, changing nothing.
//!
//! Today a place is changed first, and rules then ask whether some reader could take it otherwise. The gate asks before: is
//! the place regular? Two things must hold before it can take their place:
//!
//! - what a rule leaves today is irregular to the gate, or has an admitted form (that is what the gate is for: such a place
//!   will be converted), or the reason is about the text that is meant ([`differences::MEANT`]);
//! - what is changed today in real mail is regular.
//!
//! What differs is named in [`differences`], one by one; a difference without a name fails, and so does a name that nothing
//! needs. `SEPTET_ATTACKS=100000 cargo test --release --test core gate -- --nocapture` asks for more attacks.

mod changed;
mod differences;
mod left;
mod places;

use rayon::prelude::*;
use septet::rewrite::{BUILT_IN, Profile};
use septet_support::attack::{self, Choices};

use crate::{corpus, inputs};
use changed::Changed;
use left::Left;

/// How many attacks each generator builds where nobody says otherwise.
const ATTACKS: u64 = 1500;

/// Returns the built-in profiles that change anything.
fn profiles() -> Vec<Profile> {
    let built_in = BUILT_IN.iter().filter_map(|name| Profile::built_in(name));
    built_in.filter(|profile| !profile.is_identity()).collect()
}

/// Plans messages under every profile, and counts what the gate says of the places that were left.
fn shadow(source: &'static str, messages: &[(String, Vec<u8>)]) -> Left {
    let mut sum = Left::new(source);
    for profile in profiles() {
        let one = |(name, raw): &(String, Vec<u8>)| Left::of(source, name, raw, &profile);
        let found = messages.par_iter().map(one).reduce(|| Left::new(source), Left::and);
        println!("{source}, {}: {}", profile.name, found.counts());
        sum = sum.and(found);
    }
    sum
}

#[test]
fn what_is_left_in_the_cases_is_irregular() {
    shadow("cases", &inputs::fixtures()).assert_named();
}

#[test]
fn what_is_left_in_attacks_is_irregular() {
    let most = std::env::var("SEPTET_ATTACKS").ok().map_or(ATTACKS, |it| it.parse().expect("a number"));
    let generators: [(&str, fn(&mut Choices) -> Vec<u8>); 6] = [
        ("message", attack::message),
        ("named", attack::named_message),
        ("quoted", attack::quoted_message),
        ("mixed", attack::mixed_message),
        ("hinted", attack::hinted_message),
        ("worded", attack::worded_message),
    ];
    let mut sum = Left::new("attacks");
    for (generator, compose) in generators {
        let composed = |seed| (format!("{generator} {seed}"), compose(&mut Choices::seeded(seed)));
        let messages: Vec<_> = (0..most).into_par_iter().map(composed).collect();
        sum = sum.and(shadow("attacks", &messages));
    }
    sum.assert_named();
}

/// Returns the messages of the corpus and the collected ones.
fn real_mail() -> Vec<(String, Vec<u8>)> {
    let corpus = corpus::mailbox().unwrap_or_default().into_iter().enumerate();
    let collected = corpus::collected().into_iter().enumerate();
    let named = |what: &'static str| move |(at, raw): (usize, Vec<u8>)| (format!("{what} {at}"), raw);
    corpus.map(named("corpus")).chain(collected.map(named("collected"))).collect()
}

#[test]
fn what_is_left_in_real_mail_is_irregular() {
    let messages = real_mail();
    if messages.is_empty() {
        return println!("skipped: no corpus beside the project");
    }
    shadow("real mail", &messages).assert_named();
}

/// The most messages of the corpus whose changes, all or some, the gate would not make: of 509 that change under `utf8`.
const CEILING: usize = 26;

#[test]
fn what_is_changed_in_real_mail_is_regular() {
    let Some(messages) = corpus::mailbox() else { return };
    for profile in profiles() {
        let one = |(at, raw): (usize, &Vec<u8>)| Changed::of(&format!("corpus {at}"), raw, &profile);
        let found = messages.par_iter().enumerate().map(one).reduce(Changed::default, Changed::and);
        println!("corpus, {}: {}", profile.name, found.counts());
        if profile.name == "utf8" {
            assert!(found.messages() <= CEILING, "{}", found.counts());
        }
    }
}

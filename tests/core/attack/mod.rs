//! Do no harm: messages that attackers would build, and what septet makes of them.
//!
//! [`attack`] builds them and tries every promise on each, as the fuzz targets do; Python's email, GMime and
//! postal-mime read them before and after as well. Each seed is one message, always the same one, tried under every
//! built-in profile and one more. The faults that are found are counted by what they are, and one of each is made small
//! and shown.
//!
//! ```text
//! SEPTET_ATTACKS=1000000 cargo test --release --test core attack -- --nocapture   # as many as you have time for
//! SEPTET_ATTACKS=50000 SEPTET_ATTACKS_FROM=100000 cargo test …                    # some of them, for runs in pieces
//! SEPTET_ATTACK=4711 cargo test --test core attack -- --nocapture                 # that seed alone
//! ```

mod foreign;
mod found;
mod harm;
mod protocols;
mod seeds;
mod shrink;

use std::ops::Range;
use std::time::Instant;

use foreign::Pair;
use found::{Fault, Found};
use rayon::prelude::*;
use septet::rewrite::{Iris, Profile, check, plan};
use septet_support::attack::{self, Choices};
use septet_support::nightly;

use crate::{corpus, inputs};

/// How many attacks each generator builds where nobody says otherwise; `.ci/nightly` has 15,000.
const ATTACKS: u64 = 500;

fn number(variable: &str) -> Option<u64> {
    std::env::var(variable).ok().map(|value| value.parse().expect("a number"))
}

fn seeds() -> Range<u64> {
    match number("SEPTET_ATTACK") {
        Some(seed) => seed..seed + 1,
        None => {
            let first = number("SEPTET_ATTACKS_FROM").unwrap_or(0);
            first..first + number("SEPTET_ATTACKS").unwrap_or(ATTACKS)
        }
    }
}

/// Builds the attack of a seed, and the profiles that it goes through.
fn attack(seed: u64) -> (Vec<u8>, Vec<Profile>) {
    let mut choices = Choices::seeded(seed);
    let profiles = attack::profiles(&mut choices);
    (attack::message(&mut choices), profiles)
}

/// The protocols are slower than all else; every eighth message goes through them.
fn through_protocols(seed: u64) -> bool {
    seed.is_multiple_of(8)
}

fn faults(seed: u64) -> Vec<Fault> {
    let (raw, profiles) = attack(seed);
    let fault = |profile: Profile| {
        let protocols = || through_protocols(seed).then(|| protocols::fault(&raw, &profile)).flatten();
        let what = attack::fault(&raw, &profile).or_else(protocols)?;
        Some(Fault { seed, what, profile, raw: raw.clone() })
    };
    profiles.into_iter().filter_map(fault).collect()
}

fn try_all(faults: impl Fn(u64) -> Vec<Fault> + Sync + Send) {
    let (seeds, start) = (seeds(), Instant::now());
    let count = seeds.end - seeds.start;
    let found = seeds.into_par_iter().map(faults).fold(Found::default, Found::with).reduce(Found::default, Found::and);
    println!("{count} attacks in {:.1?}: {} faults of {} kinds", start.elapsed(), found.count(), found.kinds());
    assert!(found.count() == 0, "{}", found.shown());
}

#[test]
fn no_attack_breaks_a_promise() {
    try_all(faults);
}

/// Builds a message of a seed, and tries the promises on it under every profile.
fn faults_of(compose: fn(&mut Choices) -> Vec<u8>, seed: u64) -> Vec<Fault> {
    let mut choices = Choices::seeded(seed);
    let profiles = attack::profiles(&mut choices);
    let raw = compose(&mut choices);
    let fault = |profile: Profile| {
        let what = attack::fault(&raw, &profile)?;
        Some(Fault { seed, what, profile, raw: raw.clone() })
    };
    profiles.into_iter().filter_map(fault).collect()
}

#[test]
fn no_file_name_breaks_a_promise() {
    try_all(|seed| faults_of(attack::named_message, seed));
}

#[test]
fn no_line_of_quoted_printable_breaks_a_promise() {
    try_all(|seed| faults_of(attack::quoted_message, seed));
}

#[test]
fn no_line_end_breaks_a_promise() {
    try_all(|seed| faults_of(attack::mixed_message, seed));
}

#[test]
fn no_raw_text_in_a_header_breaks_a_promise() {
    try_all(|seed| faults_of(attack::hinted_message, seed));
}

#[test]
fn no_word_breaks_a_promise() {
    try_all(|seed| faults_of(attack::worded_message, seed));
}

/// Builds the attack of a seed, puts defects into it, and fixes them under one profile.
fn faults_of_fixes(seed: u64) -> Vec<Fault> {
    let mut choices = Choices::seeded(seed);
    let profile = attack::fixing(attack::one_profile(&mut choices));
    let whole = attack::message(&mut choices);
    let raw = attack::with_defects(&mut choices, &whole);
    let fault = attack::fault(&raw, &profile);
    fault.map(|what| Fault { seed, what, profile, raw }).into_iter().collect()
}

#[test]
fn no_fix_breaks_a_promise() {
    try_all(faults_of_fixes);
}

/// Makes pairs of what changes, for the readers that read many messages at once.
fn pairs(what: &str, raw: &[u8], profiles: Vec<Profile>) -> Vec<Pair> {
    let pair = |profile: Profile| {
        let planned = plan(raw, &profile);
        let what = format!("{what}, profile {}", profile.name);
        assert_eq!(check(raw, &planned, &profile), Ok(()), "{what}");
        let after = planned.edits.apply(raw);
        (after != raw).then(|| Pair { what, profile, before: raw.to_vec(), after })
    };
    profiles.into_iter().filter_map(pair).collect()
}

/// Finds what the other readers see change.
///
/// A text that is said to be in another charset than its label has it was read wrongly before by who believes labels.
fn seen_by_others(pairs: &[Pair]) -> Vec<(&Pair, String)> {
    let readers = foreign::readers();
    let overruled = |pair: &Pair| plan(&pair.before, &pair.profile).report.to_string().contains(" because=");
    let mut seen: Vec<_> = readers.into_par_iter().flat_map_iter(|reader| reader.differences(pairs)).collect();
    seen.retain(|(pair, what)| !(is_text(what) && overruled(pair)));
    println!("{} messages before and after: {} are read differently", pairs.len(), seen.len());
    seen
}

fn is_text(what: &str) -> bool {
    what.contains(": text (")
}

/// Shows what the other readers see change, by kind; empty when they see what they saw.
fn read_by_others(pairs: &[Pair]) -> String {
    found::differences(&seen_by_others(pairs))
}

/// What builds messages by choices: each seed takes one of them.
const GENERATORS: [fn(&mut Choices) -> Vec<u8>; 6] = [
    attack::message,
    attack::named_message,
    attack::quoted_message,
    attack::mixed_message,
    attack::hinted_message,
    attack::worded_message,
];

/// Makes the pairs of attacks.
fn attacked(seeds: Range<u64>) -> Vec<Pair> {
    let attacks = seeds.into_par_iter().flat_map_iter(|seed| {
        let mut choices = Choices::seeded(seed);
        let mut profiles = attack::profiles(&mut choices);
        let raw = GENERATORS[seed as usize % GENERATORS.len()](&mut choices);
        profiles.iter_mut().filter(|_| seed / 6 % 2 == 1).for_each(|profile| profile.iris = Iris::Keep);
        pairs(&format!("seed {seed}"), &raw, profiles)
    });
    attacks.collect()
}

/// How many attacks the other readers read by day; Python takes most of the time.
const READ: u64 = 500;

#[test]
fn other_readers_see_what_they_saw() {
    let seeds = seeds();
    let shown = read_by_others(&attacked(seeds.start..seeds.end.min(seeds.start + READ)));
    assert!(shown.is_empty(), "{shown}");
}

/// By night they read more: no part, type, field or name may come or go. A text in a transfer encoding that was broken
/// on purpose is read by each in a way of its own; that is counted, and must be rare.
#[test]
fn other_readers_see_the_trees_that_they_saw() {
    let seeds = seeds();
    let more = seeds.start + READ..seeds.end.min(seeds.start + 20 * READ);
    if more.is_empty() {
        return println!("skipped: SEPTET_ATTACKS is not over {READ}");
    }
    let pairs = attacked(more);
    let (texts, trees): (Vec<_>, Vec<_>) = seen_by_others(&pairs).into_iter().partition(|(_, what)| is_text(what));
    println!("{} of them are texts: {}", texts.len(), found::differences(&texts));
    let shown = found::differences(&trees);
    assert!(shown.is_empty(), "{shown}");
    assert!(texts.len() * 1000 < pairs.len(), "{}", found::differences(&texts));
}

#[test]
fn other_readers_see_real_mail_as_they_saw_it() {
    let mut messages = corpus::collected();
    // At night all of them.
    let step = if nightly() { 1 } else { 3 };
    messages.extend(corpus::mailbox().into_iter().flatten().step_by(step));
    messages.extend(inputs::fixtures().into_iter().map(|(_, raw)| raw));
    let built_in = || Profile::BUILT_IN.iter().filter_map(|name| Profile::built_in(name)).collect();
    let mut shown = String::new();
    for messages in messages.chunks(1000) {
        let pairs =
            messages.par_iter().enumerate().flat_map_iter(|(at, raw)| pairs(&format!("message {at}"), raw, built_in()));
        shown += &read_by_others(&pairs.collect::<Vec<_>>());
    }
    assert!(shown.is_empty(), "{shown}");
}

#[test]
fn one_seed_gives_one_message() {
    assert_eq!(attack(7).0, attack(7).0);
    assert_ne!(attack(7).0, attack(8).0);
}

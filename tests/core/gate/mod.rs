//! The gate decides: what `message::irregular` says of a place is what becomes of it.
//!
//! Over the cases, attacks and real mail, what a report leaves as `irregular(CODE)` has that form to whoever asks the
//! gate about the place, and nothing is left for a fault of septet's own. On real mail few messages are left at all:
//! the corpus has a ceiling. `SEPTET_ATTACKS=100000 cargo test --release --test core gate -- --nocapture` asks for more
//! attacks.

mod left;
mod page;
mod places;
mod work;

use rayon::prelude::*;
use septet::coding::escape::EscapeForm;
use septet::message::irregular::{Form, Site};
use septet::rewrite::Profile;
use septet::{Outcome, Reason};
use septet_support::attack::{self, Choices};

use crate::{corpus, inputs};
use left::Left;

/// How many attacks each generator builds where nobody says otherwise.
const ATTACKS: u64 = 1500;

/// Seeds beyond these that show what no other does: of file names, and of line ends.
const RARE: [&[u64]; 2] = [&[1987, 2897, 3149, 3596, 3937, 5868, 7102, 11408, 12071, 14636], &[3557, 6534]];

/// A message, and what it is called.
type Named = (String, Vec<u8>);

/// Returns the built-in profiles that change anything.
fn profiles() -> Vec<Profile> {
    let built_in = Profile::BUILT_IN.iter().filter_map(|name| Profile::built_in(name));
    built_in.filter(|profile| !profile.is_identity()).collect()
}

/// Plans messages under every profile, and asks the gate about the places that were left.
fn left(source: &str, messages: &[Named]) -> Left {
    let of_profile = |profile: Profile| {
        let one = |(name, raw): &Named| Left::of(name, raw, &profile);
        let found = messages.par_iter().map(one).reduce(Left::default, Left::and);
        println!("{source}, {}: {}", profile.name, found.counts());
        found
    };
    profiles().into_iter().map(of_profile).fold(Left::default(), Left::and)
}

/// Composes a message by choices.
type Compose = fn(&mut Choices) -> Vec<u8>;

/// Builds the attacks of every generator.
fn attacks(count: u64) -> Vec<Named> {
    let generators: [(&str, Compose, &[u64]); 6] = [
        ("message", attack::message, &[]),
        ("named", attack::named_message, RARE[0]),
        ("quoted", attack::quoted_message, &[]),
        ("mixed", attack::mixed_message, RARE[1]),
        ("hinted", attack::hinted_message, &[]),
        ("worded", attack::worded_message, &[]),
    ];
    let of = |(name, compose, rare): (&'static str, Compose, &'static [u64])| {
        let seeds = (0..count).chain(rare.iter().copied());
        seeds.map(move |seed| (format!("{name} {seed}"), compose(&mut Choices::seeded(seed))))
    };
    generators.into_iter().flat_map(of).collect()
}

/// Returns the messages of the corpus, named by their numbers; none where it is not there.
fn corpus() -> Vec<Named> {
    named("corpus", corpus::mailbox().unwrap_or_default())
}

fn named(what: &str, messages: Vec<Vec<u8>>) -> Vec<Named> {
    messages.into_iter().enumerate().map(|(at, raw)| (format!("{what} {at}"), raw)).collect()
}

#[test]
fn what_is_left_is_irregular() {
    let most = std::env::var("SEPTET_ATTACKS").ok().map(|it| it.parse().expect("a number"));
    let found = left("cases", &inputs::fixtures())
        .and(left("attacks", &attacks(most.unwrap_or(ATTACKS))))
        .and(left("corpus", &corpus()))
        .and(left("collected", &named("collected", corpus::collected())));
    found.assert_right();
}

/// The most messages of the corpus of which something stays for its form, under `utf8`: 509 changed before there was a
/// gate.
const CEILING: usize = 26;

#[test]
fn little_real_mail_is_irregular() {
    let profile = Profile::utf8();
    let stays = |raw: &[u8]| {
        let report = septet::plan(raw, &profile).report;
        report.entries.iter().any(|it| matches!(&it.outcome, Outcome::Left(Reason::Irregular(_))))
    };
    let stay: Vec<String> = corpus().into_iter().filter(|(_, raw)| stays(raw)).map(|(name, _)| name).collect();
    println!("{} of the corpus have an irregular place: {stay:?}", stay.len());
    assert!(stay.len() <= CEILING, "{stay:?}");
}

/// What the gate can't find alone, the planner does: a text with each of these forms stays for it.
#[test]
fn an_example_of_a_text_is_left_for_its_form() {
    let unescape = |mut profile: Profile| {
        profile.unescape = vec![EscapeForm::Rfc5137];
        profile
    };
    let all = || profiles().into_iter().flat_map(|profile| [profile.clone(), unescape(profile)]);
    for row in Form::all().map(Form::row).filter(|row| row.site == Site::Text) {
        let left = |profile: &Profile| septet::plan(row.example, profile).report.to_string();
        let reason = format!("left=irregular({})", row.code);
        assert!(all().any(|profile| left(&profile).contains(&reason)), "{}: {:?}", row.code, left(&profiles()[0]));
    }
}

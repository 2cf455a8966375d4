//! What the fuzz targets share with the tests: the composer of attacks, and the judge of a plan with its second reader.

#[path = "../../tests/core/attack/compose/mod.rs"]
mod compose;
#[path = "../../tests/core/attack/judge.rs"]
mod judge;
#[path = "../../tests/core/attack/known.rs"]
mod known;
#[path = "../../tests/core/attack/profiles.rs"]
mod profiles;
#[path = "../../tests/core/attack/second.rs"]
mod second;
#[path = "../../tests/core/attack/seen.rs"]
mod seen;

use compose::Choices;
use septet::rewrite::{BUILT_IN, Profile};

/// Plans a message under a profile that the first octet chooses; panics where a promise is broken.
pub fn plan(input: &[u8]) {
    let Some((first, raw)) = input.split_first() else { return };
    let profile = Profile::built_in(BUILT_IN[usize::from(*first) % BUILT_IN.len()]);
    judge(raw, &profile.unwrap_or_default());
}

/// Composes an attack by the choices that the octets are; panics where its plan breaks a promise.
pub fn attack(input: &[u8]) {
    let mut choices = Choices::driven(input);
    let profile = profiles::one(&mut choices);
    judge(&compose::message(&mut choices), &profile);
}

fn judge(raw: &[u8], profile: &Profile) {
    if let Some(what) = judge::fault(raw, profile) {
        panic!("{}: {what}\n{}", profile.name, raw.escape_ascii());
    }
}

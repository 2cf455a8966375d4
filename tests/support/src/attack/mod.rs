//! Messages that attackers would build, and the judge of what septet makes of them; for `tests/core/attack` and `fuzz`.
//!
//! [`Choices`], a seed's or a fuzzer's, decide everything: [`message`] composes an attack by them, [`profiles()`] says
//! what it goes through, and [`fault`] tries every promise on the result, with mail-parser as the second reader.

mod compose;
mod defects;
mod judge;
mod known;
mod profiles;
mod second;
mod seen;

pub use compose::{Choices, hinted_message, message, mixed_message, named_message, quoted_message, worded_message};
pub use defects::{fixing, with_defects};
pub use judge::fault;
pub use known::Known;
pub use profiles::{one_profile, profiles};
pub use second::keep_its_panics_quiet;
pub use seen::{Seen, difference};

use septet::rewrite::Profile;

/// Fuzzes the plan of a message under a profile that the first octet chooses; panics where a promise is broken.
pub fn fuzz_plan(input: &[u8]) {
    let Some((first, raw)) = input.split_first() else { return };
    let profile = Profile::built_in(Profile::BUILT_IN[usize::from(*first) % Profile::BUILT_IN.len()]);
    keeps_every_promise(raw, &profile.unwrap_or_default());
}

/// Fuzzes the plan of an attack that is composed by the choices that the octets are; panics where a promise is broken.
pub fn fuzz_attack(input: &[u8]) {
    let mut choices = Choices::driven(input);
    let profile = one_profile(&mut choices);
    keeps_every_promise(&message(&mut choices), &profile);
}

fn keeps_every_promise(raw: &[u8], profile: &Profile) {
    if let Some(what) = fault(raw, profile) {
        panic!("{}: {what}\n{}", profile.name, raw.escape_ascii());
    }
}

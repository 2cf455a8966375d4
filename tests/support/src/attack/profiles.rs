//! The profiles that attacks go through: the built-in ones, and some of their settings turned.

use septet::rewrite::{Addresses, Attachments, EscapeForm, Iris, OnLoss, Profile, Repair, Signed, Unlabelled};

use super::compose::Choices;

/// Gives every built-in profile that changes anything, and one more with settings that `choices` turn.
pub fn profiles(choices: &mut Choices) -> Vec<Profile> {
    let mut profiles: Vec<Profile> = Profile::BUILT_IN
        .iter()
        .filter_map(|name| Profile::built_in(name))
        .filter(|profile| !profile.is_identity())
        .collect();
    let base = profiles[choices.below(profiles.len())].clone();
    profiles.push(turned(choices, base));
    profiles
}

/// Gives one of them, as `choices` say.
pub fn one_profile(choices: &mut Choices) -> Profile {
    let mut profiles = profiles(choices);
    profiles.swap_remove(choices.below(profiles.len()))
}

fn turned(choices: &mut Choices, mut profile: Profile) -> Profile {
    let mut name = |what: &str| profile.name.push_str(what);
    if choices.one_in(2) {
        name("+unescape");
        profile.unescape = EscapeForm::ALL.to_vec();
    }
    if choices.one_in(2) {
        name("+replace");
        profile.on_loss = OnLoss::Replace;
    }
    if choices.one_in(3) {
        name("+detect");
        profile.unlabelled = vec![Unlabelled::Detect];
    }
    if choices.one_in(3) {
        name("+repair");
        profile.repair = Repair::All;
    }
    if choices.one_in(3) {
        name("+unknown-8bit");
        profile.unknown_8bit = true;
    }
    if choices.one_in(2) {
        name("+attachments");
        profile.attachments = Attachments::Text;
    }
    if choices.one_in(3) {
        name("+signed");
        profile.signed = Signed::Rewrite;
    }
    if choices.one_in(3) {
        name("+to-iri");
        profile.iris = Iris::ToIri;
        profile.addresses = Addresses::Rfc6858;
    }
    if choices.one_in(3) {
        name("+short-fields");
        profile.limits.field_bytes = 20 + choices.below(300);
    }
    profile
}

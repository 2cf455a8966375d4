//! The body of the fuzz target `plan`, a library function so that ordinary tests run it over the fixtures.

use super::{BUILT_IN, Profile, plan};

/// Plans a message and panics if a promise is broken; for fuzzing and tests.
///
/// The first octet chooses a built-in profile, the rest is the message. The promises: `keep` changes nothing,
/// edits and report agree, and a second run changes nothing.
pub fn fuzz_plan(input: &[u8]) {
    let Some((first, raw)) = input.split_first() else { return };
    let name = BUILT_IN[usize::from(*first) % BUILT_IN.len()];
    let Some(profile) = Profile::built_in(name) else { return };
    let planned = plan(raw, &profile);
    assert!(planned.edits.is_empty() || !profile.is_identity(), "{name} is the identity");
    assert_eq!(planned.edits.is_empty(), !planned.report.changes(), "{name}: {}", planned.report);
    let again = plan(&planned.edits.apply(raw), &profile);
    assert!(again.edits.is_empty(), "{name}: {} and then {}", planned.report, again.report);
}

//! Harm in the plan of a message: the first octet chooses the profile, the second the places. Seeds: those of `plan`.
#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| {
    septet_support::attack::keep_its_panics_quiet();
    septet_support::harm::fuzz_proof(input)
});

//! What an MTA might send to a milter. Seeds: `fixtures/dialogue/milter/*`.
#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| septet_support::milter::fuzz_session(input));

//! A message under a profile that its first octet chooses. Seeds: `fixtures/rewrite/*/*/input.eml`.
#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| septet_support::attack::fuzz_plan(input));

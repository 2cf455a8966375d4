//! A message under a profile that its first octet chooses. Seeds: the messages of `fixtures/rewrite/*/*.case`.
#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| septet_support::attack::fuzz_plan(input));

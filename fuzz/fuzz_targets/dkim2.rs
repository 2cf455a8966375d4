//! The instances of a message, undone one after the other. Seeds: the messages of `fixtures/rewrite/dkim2`.
#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| septet_support::dkim2::fuzz_undo(input));

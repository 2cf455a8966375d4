//! One coder, chosen by the first octet, over the rest. Seeds: the cells of `fixtures/coding/*/*.tsv`.
#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| septet_support::coders::fuzz_coders(input));

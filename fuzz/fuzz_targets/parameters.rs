//! The parameters of a field's value, read by both readers. Seeds: the cells of `fixtures/coding/parameters.tsv`.
#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| septet_support::parameters::fuzz_parameters(input));

//! An attack that its octets compose (`tests/core/attack/compose`), each octet one choice. Seeds: any octets.
#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| septet_fuzz::attack(input));

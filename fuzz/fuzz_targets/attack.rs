//! An attack that its octets compose (`tests/support/src/attack`), each octet one choice. Seeds: any octets.
#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| septet_support::attack::fuzz_attack(input));

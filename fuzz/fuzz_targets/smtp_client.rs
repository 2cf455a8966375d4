//! What a next hop might say to a listener that forwards. Seeds: the replies of `fixtures/dialogue/{smtp,lmtp}/*`.
#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| septet_support::smtp::fuzz_smtp_client(input));

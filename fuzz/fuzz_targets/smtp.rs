//! What a client might send to a listener that forwards. Seeds: `fixtures/dialogue/{smtp,lmtp}/*`.
#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| {
    septet_support::smtp::fuzz_smtp(input);
    septet_support::smtp::fuzz_smtp_content(input);
});

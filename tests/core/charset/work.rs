//! Decoding is linear in the octets, however many of them are faults.

use std::time::Duration;

use septet::coding::charset::Charset;
use septet::rewrite::OnLoss;
use septet::{Profile, plan};
use septet_support::clock::work_time;

/// The octets of a text, and of one of its pieces.
const TEXT: usize = 2 << 20;
const PIECE: usize = TEXT / 64;

/// A text as a whole may take so many times as long as its pieces, one by one; work that is quadratic takes ten times
/// as long and more.
const MOST: u32 = 4;

/// Charsets whose decoder is called anew behind a fault, or where octets are read in another charset.
const CHARSETS: [Charset; 9] = [
    Charset::SHIFT_JIS,
    Charset::BIG5,
    Charset::EUC_JP,
    Charset::EUC_KR,
    Charset::GBK,
    Charset::GB18030,
    Charset::GB2312,
    Charset::ISO_8859_2,
    Charset::WINDOWS_1253,
];

#[test]
fn faults_are_replaced_in_linear_time() {
    for charset in CHARSETS {
        for octets in [&b"\xFF"[..], b"a\x81\xFF "] {
            assert_linear(charset, &octets.repeat(TEXT / octets.len()));
        }
    }
}

/// Asserts that a text takes no longer than its pieces. Measurements vary, so one good one of several is enough.
fn assert_linear(charset: Charset, text: &[u8]) {
    let is_linear = (0..5).any(|_| {
        let whole = decoding(charset, text.chunks(text.len()));
        whole < decoding(charset, text.chunks(PIECE)) * MOST
    });
    assert!(is_linear, "{}: {:?}", charset.name(), text.first_chunk::<4>());
}

/// Returns how long it takes to decode each of these texts.
fn decoding<'a>(charset: Charset, texts: impl Iterator<Item = &'a [u8]>) -> Duration {
    texts.map(|text| work_time(|| charset.decode_lossy(text))).sum()
}

/// Where faults are replaced a text counts for more work, whether it has any or not.
#[test]
fn the_work_of_replacing_counts() {
    let message = [&b"Content-Type: text/plain; charset=shift_jis\r\n\r\n"[..], &b"\x82\xA0".repeat(500)].concat();
    let mut profile = Profile::default();
    profile.limits.plan_work = Some(10_000);
    assert!(!plan(&message, &profile).edits.is_empty());
    profile.on_loss = OnLoss::Replace;
    let planned = plan(&message, &profile);
    assert!(planned.edits.is_empty(), "{:?}", planned.report);
}

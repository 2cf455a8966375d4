//! What texts the limit does for.

use super::shares::Shares;
use crate::config::LimitSettings;
use crate::rewrite::{Profile, planning_memory};

/// The octets of a sample: many enough that what a message takes whatever its size does not count.
const SAMPLE: usize = 1 << 20;

/// Says up to what size texts are converted by a profile, as one sentence; none where planning takes nothing, as by a
/// profile that changes nothing.
///
/// The first number is that of a text of words with some letters outside ASCII, the second of one with no others.
pub fn texts_that_fit(limits: &LimitSettings, profile: &Profile) -> Option<String> {
    // A message over the settings' own limits costs nothing, and the samples may be.
    let profile = Profile { limits: crate::message::Limits::default(), ..profile.clone() };
    let [words, letters] =
        [&b"Gr\xfc\xdfe aus M\xfcnchen, and plain words behind them, up to the end of it.\r\n"[..], b"\xe9"]
            .map(|piece| largest(limits, &profile, piece));
    Some(format!(
        "limits.memory does for texts of up to {} MB, and of {} MB where every letter is outside ASCII; on_error decides \
         about larger ones",
        words? / 1_000_000,
        letters? / 1_000_000
    ))
}

/// Returns the octets of the largest text of such pieces that is held and planned at all; none where planning takes
/// nothing.
fn largest(limits: &LimitSettings, profile: &Profile, piece: &[u8]) -> Option<usize> {
    let header = b"Content-Type: text/plain; charset=iso-8859-1\r\nContent-Transfer-Encoding: 8bit\r\n\r\n";
    let text = [&header[..], &piece.repeat(SAMPLE / piece.len())].concat();
    let cost = planning_memory(&text, profile);
    let shares = Shares::of(limits);
    // Planning takes of memory in proportion to the octets, as the sample shows.
    let planned = (shares.large.memory.octets as u128 * text.len() as u128).checked_div(cost as u128)?;
    let planned = usize::try_from(planned).unwrap_or(usize::MAX);
    Some(planned.min(shares.messages.octets))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(mib: usize, profile: &str) -> Option<String> {
        let limits = LimitSettings { memory: mib << 20, ..LimitSettings::default() };
        texts_that_fit(&limits, &Profile::built_in(profile).expect("built in"))
    }

    /// Returns the two numbers that a sentence says.
    fn sizes(mib: usize, profile: &str) -> (usize, usize) {
        let said = said(mib, profile).expect("a sentence");
        let numbers: Vec<usize> = said.split(' ').filter_map(|word| word.parse().ok()).collect();
        (numbers[0], numbers[1])
    }

    #[test]
    fn a_sentence_says_what_fits() {
        let (words, letters) = sizes(512, "utf8");
        assert!(words >= 60 && letters < words && letters > 40, "{words} {letters}");
        let (words, letters) = sizes(512, "ascii");
        assert!(words >= 60 && (15..25).contains(&letters), "{words} {letters}");
        assert!(sizes(64, "utf8") < (10, 10));
        assert_eq!(said(512, "keep"), None);
    }
}

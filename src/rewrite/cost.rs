//! What planning a message takes of memory, before it is planned: a daemon that plans many at once has to know.
//!
//! The factors are measured (`tests/pressure factors` measures them again): what a process takes at the most beside
//! the message itself, in octets for each octet. They are for the worst text of each kind, so that a message may take
//! less and hardly more. What is no text costs its share of the edited copy, and of what the second reader decodes.
//!
//! | beside the message | 8-bit text, each octet | its octets over 127 | quoted-printable | base64 | ISO-2022, UTF-7, … |
//! |---|---|---|---|---|---|
//! | to UTF-8 | 1.3 | 2.2 | 3.4 | 4.3 | 5.2 |
//! | to UTF-7, or to 7 bits | 3.8 | 1.7 | 3.4 | 5.3 | 5.2 |
//! | to ASCII, with escapes | 1.3 | 13.5 | 9.5 | 20 | 5.2 |
//!
//! Where defects are mended a message is planned until nothing is left to mend, and its results are held meanwhile; and a
//! body that a defect puts into a transfer encoding is mended first and then converted as it is by then (`FIX=1
//! tests/pressure factors`): a text to UTF-8 takes 9.2 for each octet and 6 for those over 127, to ASCII 9.2 and 38.

use std::collections::BTreeSet;

use super::body::{is_planned_report, is_text};
use super::{BodyCharset, Iris, Profile, Transfer, Treatment};
use crate::coding::transfer::TransferEncoding;
use crate::message::{DefectKind, Message, Part, named_defects};

/// What each octet of the message takes, a hundredth of an octet being the unit: the edited copy, and a second reading.
const COPY: usize = 225;

/// The octets that a link takes while it is rewritten.
const LINK: usize = 105;

/// The octets that a part and a field take, read twice.
const PART: usize = 3000;
const FIELD: usize = 500;

/// What each octet takes more where messages are planned until nothing is left to mend.
const AGAIN: usize = 130;

/// What each octet of a body takes that is mended: of a file, or of a text that has a transfer encoding already.
const MENDED_FILE: usize = 250;
const MENDED_TEXT: usize = 400;

/// The defects for which the octets of a whole body are written anew.
const OF_BODIES: [DefectKind; 3] = [DefectKind::LongLine, DefectKind::Nul, DefectKind::BareLineEnd];

/// Factors of a text in hundredths.
struct Factors {
    octet: usize,
    high_octet: usize,
    quoted: usize,
    base64: usize,
    stateful: usize,
    mended: usize,
    mended_high_octet: usize,
}

const TO_UTF_8: Factors = Factors {
    octet: 130,
    high_octet: 220,
    quoted: 340,
    base64: 430,
    stateful: 520,
    mended: 920,
    mended_high_octet: 600,
};
const TO_7_BIT: Factors = Factors {
    octet: 380,
    high_octet: 170,
    quoted: 340,
    base64: 530,
    stateful: 520,
    mended: 920,
    mended_high_octet: 100,
};
const TO_ASCII: Factors = Factors {
    octet: 130,
    high_octet: 1350,
    quoted: 950,
    base64: 2000,
    stateful: 520,
    mended: 920,
    mended_high_octet: 3800,
};

/// Estimates the octets that [`plan`](super::plan) takes for a message, beside the message itself: hardly less than it
/// will take at the most.
///
/// ```
/// use septet::Profile;
/// use septet::rewrite::planning_memory;
///
/// let message = "Content-Type: text/plain; charset=iso-8859-1\r\n\r\n".to_owned() + &"x".repeat(100_000);
/// let (utf8, keep) = (Profile::default(), Profile::built_in("keep").unwrap());
/// assert!((2 * message.len()..6 * message.len()).contains(&planning_memory(message.as_bytes(), &utf8)));
/// assert_eq!(planning_memory(message.as_bytes(), &keep), 0);
/// ```
pub fn planning_memory(raw: &[u8], profile: &Profile) -> usize {
    if profile.is_identity() || raw.len() > profile.limits.message_bytes {
        return 0;
    }
    let message = Message::read(raw, &profile.limits);
    let mended = mended(&message, profile);
    let parts = message.parts().iter().enumerate();
    let bodies: usize = parts.map(|(index, part)| body(&message, part, profile, mended.contains(&index))).sum();
    let fields: usize = message.parts().iter().map(|part| message.fields(part).len()).sum();
    let copies = if profile.conformance.fixes() { COPY + AGAIN } else { COPY };
    raw.len() / 100 * copies + bodies + message.parts().len() * PART + fields * FIELD
}

/// Finds the parts whose bodies are written anew for a defect.
fn mended(message: &Message, profile: &Profile) -> BTreeSet<usize> {
    if !profile.conformance.fixes() {
        return BTreeSet::new();
    }
    let is_wanted = |kind: DefectKind| OF_BODIES.contains(&kind) && profile.conformance.of(kind) == Treatment::Fix;
    named_defects(message).iter().filter(|defect| is_wanted(defect.kind)).map(|defect| defect.part).collect()
}

/// Estimates what a body takes beside its share of the copy.
fn body(message: &Message, part: &Part, profile: &Profile, is_mended: bool) -> usize {
    let raw = message.slice(part.body);
    let encoded = matches!(part.transfer, TransferEncoding::QuotedPrintable | TransferEncoding::Base64);
    match (is_text(message, part), is_mended) {
        (true, true) if !encoded => mended_text(raw, &factors(profile)),
        (true, true) => text(message, part, profile) + raw.len() / 100 * MENDED_TEXT,
        (true, false) => text(message, part, profile),
        (false, true) => raw.len() / 100 * MENDED_FILE,
        // A header that was returned, or a report, is planned as one, each line a field at worst.
        (false, false) if is_planned_report(message, part, profile) => memchr::memchr_iter(b'\n', raw).count() * FIELD,
        (false, false) => 0,
    }
}

/// Estimates what a text takes that is put into a transfer encoding, and converted out of it.
fn mended_text(raw: &[u8], factors: &Factors) -> usize {
    raw.len() / 100 * factors.mended + high_octets(raw) / 100 * factors.mended_high_octet
}

fn high_octets(raw: &[u8]) -> usize {
    // In pieces whose count is an octet too: that is done for many at once.
    raw.chunks(255).map(|piece| usize::from(piece.iter().map(|octet| octet >> 7).sum::<u8>())).sum()
}

fn factors(profile: &Profile) -> Factors {
    match (profile.charset, profile.transfer) {
        (BodyCharset::UsAscii, _) => TO_ASCII,
        (BodyCharset::Utf7 | BodyCharset::Unicode11Utf7, _) | (_, Transfer::SevenBit) => TO_7_BIT,
        _ => TO_UTF_8,
    }
}

/// Estimates what a text takes beside its share of the copy.
fn text(message: &Message, part: &Part, profile: &Profile) -> usize {
    let raw = message.slice(part.body);
    let factors = factors(profile);
    let whole = |factor: usize| raw.len() / 100 * factor;
    let octets = match part.transfer {
        TransferEncoding::QuotedPrintable => whole(factors.quoted),
        TransferEncoding::Base64 => whole(factors.base64),
        _ if is_stateful(message, part, profile) => whole(factors.stateful),
        _ => whole(factors.octet) + high_octets(raw) / 100 * factors.high_octet,
    };
    octets + if profile.iris == Iris::Keep { 0 } else { links(part, raw) * LINK }
}

/// Tells whether a text's ASCII octets may be other characters.
fn is_stateful(message: &Message, part: &Part, profile: &Profile) -> bool {
    let label = part.content_type.parameter(message.raw(), "charset");
    let charset = label.and_then(|label| profile.labels.find(&label));
    charset.is_some_and(|charset| !charset.keeps_ascii())
}

/// Counts what may be links: every attribute of HTML, and elsewhere what stands before `//` or is a mailbox.
fn links(part: &Part, raw: &[u8]) -> usize {
    match &*part.content_type.sub {
        "html" => memchr::memchr_iter(b'=', raw).count(),
        _ => memchr::memmem::find_iter(raw, "://").count() + memchr::memmem::find_iter(raw, "ailto:").count(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Estimates for a text of 100,000 octets, in octets for each.
    fn factor(profile: &str, header: &str, line: &str) -> f64 {
        let message = format!("{header}\r\n\r\n{}", line.repeat(100_000 / line.len()));
        let raw: Vec<u8> = message.chars().map(|character| character as u8).collect();
        let profile = Profile::built_in(profile).expect("built in");
        planning_memory(&raw, &profile) as f64 / raw.len() as f64
    }

    #[test]
    fn a_text_counts_for_more_than_a_file() {
        let text = "Content-Type: text/plain; charset=iso-8859-1\r\nContent-Transfer-Encoding: ";
        let file = "Content-Type: application/pdf\r\nContent-Transfer-Encoding: base64";
        for (profile, header, line, least, most) in [
            ("utf8", file.to_owned(), "AAAA\r\n", 2.0, 2.5),
            ("utf8", format!("{text}8bit"), "Gr\u{fc}\u{df}e aus M\u{fc}nchen, and plain words\r\n", 3.4, 4.2),
            ("utf8", format!("{text}8bit"), "\u{e4}\u{f6}\u{fc}", 5.0, 6.0),
            ("ascii", format!("{text}8bit"), "\u{e4}\u{f6}\u{fc}", 16.5, 17.5),
            ("ascii", format!("{text}base64"), "5OT8\r\n", 21.0, 23.0),
            ("seven-bit", format!("{text}8bit"), "\u{e4}\u{f6}\u{fc}", 7.4, 8.0),
            ("utf8", format!("{text}8bit"), "http://ex\u{e4}mple.org/ http://b.org/\u{e9}\r\n", 8.6, 10.0),
        ] {
            let found = factor(profile, &header, line);
            assert!((least..most).contains(&found), "{profile} {header} {line}: {found}");
        }
    }

    #[test]
    fn both_forms_of_utf_7_count_alike() {
        let message = "Content-Type: text/plain; charset=iso-8859-1\r\n\r\n".to_owned() + &"x".repeat(100_000);
        let [old, new] = [BodyCharset::Unicode11Utf7, BodyCharset::Utf7].map(|charset| {
            let profile = Profile { charset, transfer: Transfer::Keep, ..Profile::default() };
            planning_memory(message.as_bytes(), &profile)
        });
        assert_eq!(old, new);
        assert!(old > 5 * message.len(), "{old}");
    }

    /// What mending takes stands in the estimate: measured under the bound, a daemon took five times its limit without.
    #[test]
    fn a_body_that_is_mended_counts_for_more() {
        let mut mending = Profile::built_in("utf8").expect("built in");
        mending.conformance.set(DefectKind::Nul, Treatment::Fix);
        let (text, file) = ("text/plain; charset=iso-8859-1", "application/octet-stream");
        for (type_, line, least) in [
            (text, "Gr\u{fc}\u{df}e aus M\u{fc}nchen\r\n", 4.9),
            (text, "Gr\u{fc}\u{df}e\0 aus M\u{fc}nchen\r\n", 12.0),
            (file, "\u{e4}\u{f6}\r\n", 3.5),
            (file, "\u{e4}\u{f6}\0 \r\n", 5.9),
        ] {
            let message =
                format!("Content-Type: {type_}\r\nContent-Transfer-Encoding: 8bit\r\n\r\n{}", line.repeat(5000));
            let raw: Vec<u8> = message.chars().map(|character| character as u8).collect();
            let found = planning_memory(&raw, &mending) as f64 / raw.len() as f64;
            assert!((least..least + 2.0).contains(&found), "{type_} {line:?}: {found}");
        }
    }
}

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

use super::body::is_text;
use super::{BodyCharset, Iris, Profile, Transfer};
use crate::coding::transfer::TransferEncoding;
use crate::message::{Message, Part};

/// What each octet of the message takes, a hundredth of an octet being the unit: the edited copy, and a second reading.
const COPY: usize = 225;

/// The octets that a link takes while it is rewritten.
const LINK: usize = 105;

/// The octets that a part and a field take, read twice.
const PART: usize = 3000;
const FIELD: usize = 500;

/// Factors of a text in hundredths.
struct Factors {
    octet: usize,
    high_octet: usize,
    quoted: usize,
    base64: usize,
    stateful: usize,
}

const TO_UTF_8: Factors = Factors { octet: 130, high_octet: 220, quoted: 340, base64: 430, stateful: 520 };
const TO_7_BIT: Factors = Factors { octet: 380, high_octet: 170, quoted: 340, base64: 530, stateful: 520 };
const TO_ASCII: Factors = Factors { octet: 130, high_octet: 1350, quoted: 950, base64: 2000, stateful: 520 };

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
    let texts: usize =
        message.parts().iter().filter(|part| is_text(part)).map(|part| text(&message, part, profile)).sum();
    let fields: usize = message.parts().iter().map(|part| message.fields(part).len()).sum();
    raw.len() / 100 * COPY + texts + message.parts().len() * PART + fields * FIELD
}

/// Estimates what a text takes beside its share of the copy.
fn text(message: &Message, part: &Part, profile: &Profile) -> usize {
    let raw = message.slice(part.body);
    let factors = match (profile.charset, profile.transfer) {
        (BodyCharset::UsAscii, _) => TO_ASCII,
        (BodyCharset::Utf7, _) | (_, Transfer::SevenBit) => TO_7_BIT,
        _ => TO_UTF_8,
    };
    let whole = |factor: usize| raw.len() / 100 * factor;
    let octets = match part.transfer {
        TransferEncoding::QuotedPrintable => whole(factors.quoted),
        TransferEncoding::Base64 => whole(factors.base64),
        _ if is_stateful(message, part, profile) => whole(factors.stateful),
        _ => whole(factors.octet) + raw.iter().filter(|octet| !octet.is_ascii()).count() / 100 * factors.high_octet,
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
}

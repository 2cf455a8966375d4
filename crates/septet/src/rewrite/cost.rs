//! What planning a message takes of memory, before it is planned: a daemon that plans many at once has to know.
//!
//! The factors are measured (`tests/pressure factors` measures them again): what a process takes at the most beside
//! the message itself, in octets for each octet. They are for the worst text of each kind, so that a message may take
//! less and hardly more. What is no text costs its share of the edited copy, and of what the second reader decodes.
//!
//! | beside the copy | 8-bit text, each octet | its octets over 127 | quoted-printable: each `=` | base64 | ISO-2022, UTF-7, … |
//! |---|---|---|---|---|---|
//! | to UTF-8 | 1 | 2.6 | 8 | 4.3 | 5.2 |
//! | to UTF-7, or to 7 bits | 3.8 | 1.7 | 8 | 5.3 | 5.2 |
//! | to ASCII, with escapes | 1 | 13.5 | 8 | 16 | 5.2 |
//!
//! A text that is UTF-8 and stays so takes nothing but its links, each 53 octets; octets over 127 in a link are paid by
//! it.
//!
//! Where defects are fixed a message is planned until nothing is left to fix, and its results are held meanwhile; and a
//! body that a defect puts into a transfer encoding is fixed first and then converted as it is by then (`FIX=1
//! tests/pressure factors`): a text to UTF-8 takes 9.2 for each octet and 6 for those over 127, to ASCII 9.2 and 38.

use std::collections::BTreeSet;

use memchr::memmem;

use super::body::report_type::twin;
use super::survey::body::Body;
use super::{BodyCharset, Dkim2, Iris, Profile, Transfer, dkim2, header};
use crate::coding::charset::Charset;
use crate::coding::transfer::TransferEncoding;
use crate::message::{DefectKind, Limits, Message, Part, named_defects};

/// What each octet of the message takes, a hundredth of an octet being the unit: the edited copy, and a second reading.
const COPY: usize = 225;

/// The octets that a link takes while it is rewritten, with those over 127 in it up to so many.
const LINK: usize = 53;
const LINK_HIGH_OCTETS: usize = 16;

/// How far a link is looked at.
const LINK_OCTETS: usize = 256;

/// What the octets of a message take at the most, in octets for each: no less than any sum of the factors here, or
/// [`most_planning_memory`] would be less than [`planning_memory`].
const MOST: usize = 80;

/// The octets that a part and a field take, read twice.
const PART: usize = 3000;
const FIELD: usize = 500;

/// The octets that a field takes in a header in which something may be written otherwise: what is wished for it is held
/// until all is decided.
const WISHED_FIELD: usize = 1000;

/// The octets that a part and a field take in a list that grows, read once.
const READ_PART: usize = 1200;
const READ_FIELD: usize = 150;

/// What each octet takes more, in hundredths, where messages are planned until nothing is left to fix.
const AGAIN: usize = 130;

/// What each octet of a body takes that is fixed, in hundredths: of a file, or of a text that has a transfer encoding
/// already.
const MENDED_FILE: usize = 250;
const MENDED_TEXT: usize = 400;

/// What each line takes where lines before and after a change are compared, so that DKIM2 can undo it.
const COMPARED_LINE: usize = 64;

/// The defects for which the octets of a whole body are written anew (`body/fixed.rs`). Undeclared 8-bit is none of
/// them: by itself it asks for a label alone.
const OF_BODIES: [DefectKind; 3] = [DefectKind::LongLine, DefectKind::Nul, DefectKind::BareLineEnd];

/// Factors of a text in hundredths, as in the table of this file's head; `fixed` and `fixed_high_octet` are those of a
/// body without a transfer encoding that a defect puts into one.
struct Factors {
    octet: usize,
    high_octet: usize,
    /// What each `=` of quoted-printable takes, which takes what 8-bit text does besides.
    quoted: usize,
    base64: usize,
    stateful: usize,
    fixed: usize,
    fixed_high_octet: usize,
}

const TO_UTF_8: Factors =
    Factors { octet: 100, high_octet: 260, quoted: 800, base64: 430, stateful: 520, fixed: 920, fixed_high_octet: 600 };
const TO_7_BIT: Factors = Factors { octet: 380, high_octet: 170, base64: 530, fixed_high_octet: 100, ..TO_UTF_8 };
const TO_ASCII: Factors = Factors { high_octet: 1350, base64: 1600, fixed_high_octet: 3800, ..TO_UTF_8 };

/// Estimates the octets that [`plan`](super::plan()) takes for a message, beside the message itself: hardly less than
/// it will take at the most. It is 0 for a profile that never changes anything, and for a message beyond
/// `message_bytes`.
///
/// ```
/// use septet::Profile;
/// use septet::rewrite::planning_memory;
///
/// let message = "Content-Type: text/plain; charset=iso-8859-1\r\n\r\n".to_owned() + &"x".repeat(100_000);
/// let (utf8, keep) = (Profile::default(), Profile::keep());
/// assert!((2 * message.len()..6 * message.len()).contains(&planning_memory(message.as_bytes(), &utf8)));
/// assert_eq!(planning_memory(message.as_bytes(), &keep), 0);
/// ```
pub fn planning_memory(raw: &[u8], profile: &Profile) -> usize {
    if profile.is_identity() || raw.len() > profile.limits.message_bytes {
        return 0;
    }
    let message = Message::read(raw, &profile.limits);
    let fixed = parts_with_fixed_bodies(&message, profile);
    let parts = message.parts().iter().enumerate();
    let bodies: usize =
        parts.map(|(index, part)| body_memory(&Body::of(&message, part, profile), fixed.contains(&index))).sum();
    let fields = message.parts().iter().map(|part| {
        let is_plain = header::is_plain(message.slice(part.header), profile);
        message.fields(part).len() * if is_plain { FIELD } else { WISHED_FIELD }
    });
    let copies = if profile.conformance.fixes() { COPY + AGAIN } else { COPY };
    let is_undoable = profile.dkim2 == Dkim2::Instance && dkim2::is_signed(&message);
    let compared = if is_undoable { memchr::memchr_iter(b'\n', raw).count() * COMPARED_LINE } else { 0 };
    compared + raw.len() / 100 * copies + bodies + message.parts().len() * PART + fields.sum::<usize>()
}

/// Estimates the octets that reading a message takes, beside the message itself, without reading it: by what may be its
/// fields and its delimiters.
///
/// ```
/// use septet::Limits;
/// use septet::rewrite::reading_memory;
///
/// let limits = Limits::default();
/// assert!(reading_memory(b"Subject: x\n\ny\n", &limits) < 2_000);
/// assert!(reading_memory("a: b\n".repeat(2_000_000).as_bytes(), &limits) < 20_000_000, "fields have a limit");
/// ```
pub fn reading_memory(raw: &[u8], limits: &Limits) -> usize {
    let (fields, parts) = most_fields_and_parts(raw, limits);
    fields * READ_FIELD + parts * READ_PART
}

/// Returns how many fields and how many parts a message has at the most: each part but the first has a delimiter, which
/// may stand before a message and the part that it is. Messages right in each other are not counted: the fields that
/// say so cost as much.
fn most_fields_and_parts(raw: &[u8], limits: &Limits) -> (usize, usize) {
    let delimiters = memmem::find_iter(raw, b"\n--").count();
    (most_fields(raw, limits), (2 * delimiters + 1).min(limits.parts))
}

/// Returns how many fields a text has at the most: each has a line and a colon.
fn most_fields(raw: &[u8], limits: &Limits) -> usize {
    let [lines, colons] = [b'\n', b':'].map(|octet| memchr::memchr_iter(octet, raw).count());
    lines.min(colons).min(limits.fields)
}

/// Returns what [`planning_memory`] is at the most, without reading the message: by its octets, and by what may be its
/// fields and its delimiters, as small parts and fields take far more than their octets.
pub fn most_planning_memory(raw: &[u8], limits: &Limits) -> usize {
    let (fields, parts) = most_fields_and_parts(raw, limits);
    raw.len() * MOST + fields * WISHED_FIELD + parts * PART
}

/// Finds the parts whose bodies may be written anew for a defect. Those that have it in a field are among them: the
/// estimate is too high then.
fn parts_with_fixed_bodies(message: &Message, profile: &Profile) -> BTreeSet<usize> {
    if !profile.conformance.fixes() {
        return BTreeSet::new();
    }
    let found = named_defects(message).into_iter().filter(|defect| OF_BODIES.contains(&defect.kind));
    found.filter(|it| profile.conformance.fixes_kind(it.kind)).map(|defect| defect.part).collect()
}

/// Estimates what a body takes beside its share of the copy; `is_mended` says that a defect may have it written anew.
/// What is planned as something of its own, as a report is, must be asked about here, or it counts as a file that
/// stays.
fn body_memory(body: &Body, is_mended: bool) -> usize {
    let Body { message, part, profile, raw, .. } = *body;
    let encoded = matches!(part.transfer, TransferEncoding::QuotedPrintable | TransferEncoding::Base64);
    match (body.kind.is_some(), is_mended) {
        // It is put into a transfer encoding, and then converted.
        (true, true) if !encoded => {
            let factors = factors(profile);
            raw.len() / 100 * factors.fixed + high_octets(raw) / 100 * factors.fixed_high_octet
        }
        (true, true) => text_memory(body) + raw.len() / 100 * MENDED_TEXT,
        (true, false) => text_memory(body),
        (false, true) => raw.len() / 100 * MENDED_FILE,
        // A header that was returned, or a report, is planned as one, each line a field at worst.
        (false, false) if twin(message, part, profile).is_some() => most_fields(raw, &profile.limits) * WISHED_FIELD,
        (false, false) => 0,
    }
}

/// Counts the octets over 127.
fn high_octets(raw: &[u8]) -> usize {
    // In pieces whose count is an octet too: that is done for many at once.
    raw.chunks(255).map(|piece| usize::from(piece.iter().map(|octet| octet >> 7).sum::<u8>())).sum()
}

/// Returns what a text grows by, at the most that was measured, for the charset or the transfer encoding that the
/// profile asks for.
fn factors(profile: &Profile) -> Factors {
    match (profile.charset, profile.transfer) {
        (BodyCharset::UsAscii, _) => TO_ASCII,
        (BodyCharset::Utf7 | BodyCharset::Unicode11Utf7, _) | (_, Transfer::SevenBit) => TO_7_BIT,
        _ => TO_UTF_8,
    }
}

/// Estimates what a text takes beside its share of the copy. Each branch is a column of the table above.
fn text_memory(body: &Body) -> usize {
    let Body { part, profile, raw, .. } = *body;
    let factors = factors(profile);
    let hundreds = raw.len() / 100;
    let links = if profile.iris == Iris::Keep { LinkCost::default() } else { LinkCost::of(part, raw) };
    let charset = body.charset();
    let stays = profile.charset == BodyCharset::Utf8 && profile.transfer != Transfer::SevenBit;
    let octets = match part.transfer {
        // Each `=`: those of octets that it writes, and those at line ends.
        TransferEncoding::QuotedPrintable => {
            hundreds * factors.octet + memchr::memchr_iter(b'=', raw).count() / 100 * factors.quoted
        }
        TransferEncoding::Base64 => hundreds * factors.base64,
        // Its ASCII octets may be other characters.
        _ if charset.is_some_and(|charset| !charset.keeps_ascii()) => hundreds * factors.stateful,
        // It keeps its octets.
        _ if stays && charset == Some(Charset::UTF_8) && std::str::from_utf8(raw).is_ok() => 0,
        _ => hundreds * factors.octet + high_octets(raw).saturating_sub(links.high_octets) / 100 * factors.high_octet,
    };
    octets + links.count * LINK
}

/// The links of a text that may change.
#[derive(Debug, Default, PartialEq, Eq)]
struct LinkCost {
    count: usize,
    /// The octets over 127 that they pay for.
    high_octets: usize,
}

impl LinkCost {
    /// Counts what may be links that change: in HTML what stands behind `=`, and elsewhere what stands behind `://` or
    /// `mailto:`, if [`add`](Self::add) finds octets over 127 in it, or in HTML a reference (`&eacute;`), or elsewhere
    /// a colon. A link ends where the next one of its mark begins, for an octet of each mark is one of its `ends`;
    /// links of two marks may overlap, as in `mailto://`, and their octets count twice: [`text_memory`] takes
    /// `high_octets` from those of the whole text, and must not go below 0.
    fn of(part: &Part, raw: &[u8]) -> LinkCost {
        let mut links = LinkCost::default();
        // In quoted-printable the sign of HTML itself is written `=3D`.
        let (marks, ends, changes): (&[&str], &[u8], &[u8]) = match &*part.content_type.sub {
            "html" => (&["="], b"=<>", b"&"),
            _ => (&["://", "ailto:"], b":<>\"", b":"),
        };
        for mark in marks {
            memmem::find_iter(raw, mark).for_each(|at| links.add(raw, at + mark.len(), ends, changes));
        }
        links
    }

    /// Counts a link that starts here, if it may change: it ends at white space, at an octet of `ends`, or after
    /// [`LINK_OCTETS`]. It may change if an octet over 127 is in it, or one of `changes` in it or right behind it.
    fn add(&mut self, raw: &[u8], start: usize, ends: &[u8], changes: &[u8]) {
        let rest = raw.get(start..).unwrap_or_default();
        let rest = rest.get(..LINK_OCTETS).unwrap_or(rest);
        let end = rest.iter().position(|octet| octet.is_ascii_whitespace() || ends.contains(octet));
        let end = end.unwrap_or(rest.len());
        let (link, behind) = rest.split_at(end);
        let high = high_octets(link);
        let last = behind.first().into_iter();
        if high > 0 || link.iter().chain(last).any(|octet| changes.contains(octet)) {
            self.count += 1;
            self.high_octets += high.min(LINK_HIGH_OCTETS);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rewrite::DefectAction;

    /// Estimates for a text of 100,000 octets, in octets for each.
    fn factor(profile: &str, header: &str, line: &str) -> f64 {
        let message = format!("{header}\r\n\r\n{}", line.repeat(100_000 / line.len()));
        let raw: Vec<u8> = message.chars().map(|character| character as u8).collect();
        let profile = Profile::built_in(profile).expect("built in");
        planning_memory(&raw, &profile) as f64 / raw.len() as f64
    }

    /// Many attributes, of which one is a link that changes.
    const HTML: &str = "<td class=\"a\" style=\"color:red\"><a href=\"http://www.ex\u{c3}\u{a4}mple.org/p\">T\u{c3}\u{a9}xt</a> \
        <img src=\"http://b.org/x.png\" alt=\"\" width=\"1\"></td>\r\n";

    #[test]
    fn a_text_counts_for_more_than_a_file() {
        let text = "Content-Type: text/plain; charset=iso-8859-1\r\nContent-Transfer-Encoding: ";
        let utf8 = "Content-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: 8bit";
        let file = "Content-Type: application/pdf\r\nContent-Transfer-Encoding: base64";
        for (profile, header, line, least, most) in [
            ("utf8", file.to_owned(), "AAAA\r\n", 2.0, 2.5),
            ("utf8", format!("{text}8bit"), "Gr\u{fc}\u{df}e aus M\u{fc}nchen, and plain words\r\n", 3.3, 4.2),
            ("utf8", format!("{text}8bit"), "\u{e4}\u{f6}\u{fc}", 5.0, 6.0),
            ("ascii", format!("{text}8bit"), "\u{e4}\u{f6}\u{fc}", 16.5, 17.5),
            ("ascii", format!("{text}base64"), "5OT8\r\n", 18.0, 19.0),
            ("seven-bit", format!("{text}8bit"), "\u{e4}\u{f6}\u{fc}", 7.4, 8.0),
            ("utf8", format!("{text}8bit"), "http://ex\u{e4}mple.org/ http://b.org/\u{e9}\r\n", 6.0, 6.5),
            ("ascii", format!("{text}quoted-printable"), "Gr=FC=DFe aus M=FCnchen, and plain words\r\n", 3.7, 4.1),
            ("ascii", format!("{text}quoted-printable"), "=E4=F6=FC", 5.8, 6.0),
            ("utf8", utf8.to_owned(), "Gr\u{c3}\u{bc}\u{c3}\u{9f}e, and http://www.example.org/ \r\n", 2.2, 2.3),
            ("utf8", utf8.to_owned(), "http://\u{c3}\u{a9}.ex/\u{c3}\u{a9} \r\n", 5.1, 5.4),
            ("ascii", utf8.to_owned(), "http://\u{c3}\u{a9}.ex/\u{c3}\u{a9} \r\n", 6.1, 6.4),
            ("utf8", utf8.replace("plain", "html"), HTML, 2.2, 2.9),
            ("ascii", utf8.replace("plain", "html"), HTML, 3.2, 4.2),
        ] {
            let found = factor(profile, &header, line);
            assert!((least..most).contains(&found), "{profile} {header} {line}: {found}");
        }
    }

    /// Measured when every wish for a field was held until all was decided: 30,000 of them took twice what was said.
    #[test]
    fn a_field_that_may_change_counts_for_more() {
        let [plain, word] = ["X: y=z\n", "X: =?utf-8?Q?=C3=A9?=\n"]
            .map(|field| planning_memory((field.repeat(10_000) + "\nx\n").as_bytes(), &Profile::default()));
        assert!((5_000_000..6_000_000).contains(&plain), "{plain}");
        assert!((10_000_000..11_000_000).contains(&word), "{word}");
    }

    #[test]
    fn links_of_two_marks_may_overlap() {
        let raw = b"Content-Type: text/plain; charset=iso-8859-1\n\nsee mailto://\xE9 mailto://\xE9\n";
        assert!(planning_memory(raw, &Profile::utf8()) < 20_000);
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

    /// What fixing takes stands in the estimate: measured under the bound, a daemon took five times its limit without.
    #[test]
    fn a_body_that_is_mended_counts_for_more() {
        let mut fixing = Profile::utf8();
        fixing.conformance.set(DefectKind::Nul, DefectAction::Fix);
        let (text, file) = ("text/plain; charset=iso-8859-1", "application/octet-stream");
        for (type_, line, least) in [
            (text, "Gr\u{fc}\u{df}e aus M\u{fc}nchen\r\n", 4.7),
            (text, "Gr\u{fc}\u{df}e\0 aus M\u{fc}nchen\r\n", 12.0),
            (file, "\u{e4}\u{f6}\r\n", 3.5),
            (file, "\u{e4}\u{f6}\0 \r\n", 5.9),
        ] {
            let message =
                format!("Content-Type: {type_}\r\nContent-Transfer-Encoding: 8bit\r\n\r\n{}", line.repeat(5000));
            let raw: Vec<u8> = message.chars().map(|character| character as u8).collect();
            let found = planning_memory(&raw, &fixing) as f64 / raw.len() as f64;
            assert!((least..least + 2.0).contains(&found), "{type_} {line:?}: {found}");
        }
    }
}

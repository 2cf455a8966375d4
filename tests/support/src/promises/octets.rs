//! The octets of a message before and after: what must stay, and what must not appear.
//!
//! Both messages have the same tree; that was found out before.

use super::tree::disposition;
use super::with_crlf;
use septet::coding::transfer::{TransferEncoding, base64, quoted_printable};
use septet::edit::Span;
use septet::message::{Kind, LineEnd, Message, Part, PartNumber};
use septet::rewrite::{Attachments, Outcome, Place, Profile, Report};

/// The most octets of a line without its line end (RFC 5322 §2.1.1).
const LONGEST: usize = 998;

/// Finds a body that changed and should not have: one that is not reported, or a file.
pub fn touched(before: &Message, after: &Message, report: &Report, profile: &Profile) -> Option<String> {
    let leaves = leaves(before, after);
    let part = |(index, was, is): (usize, &Part, &Part)| {
        let (old, new) = (before.slice(was.body), after.slice(is.body));
        let number = before.number(index);
        if old != new && !is_reported(report, &number) {
            return Some(format!("part {number}: its body changes, and no report says so"));
        }
        let file =
            profile.attachments == Attachments::Keep && disposition(before, was).as_deref() == Some("attachment");
        let damaged = file && !is_same_file((&was.transfer, old), (&is.transfer, new));
        damaged.then(|| format!("part {number}: the octets of a file change"))
    };
    leaves.filter_map(part).next()
}

/// Returns `true` if a file has the octets that it had; the line ends of one without a transfer encoding are CRLF,
/// however the message is kept (RFC 2046 §4.1.1).
fn is_same_file(was: (&TransferEncoding, &[u8]), is: (&TransferEncoding, &[u8])) -> bool {
    let (old, new) = (decoded(was.0, was.1), decoded(is.0, is.1));
    // A hard line break of quoted-printable is a CRLF too.
    let meant = if *is.0 == TransferEncoding::QuotedPrintable { with_crlf(&new) } else { new.clone() };
    old == new || (was.0.is_identity() && !is.0.is_identity() && with_crlf(&old) == meant)
}

fn leaves<'m>(before: &'m Message, after: &'m Message) -> impl Iterator<Item = (usize, &'m Part, &'m Part)> {
    let pairs = before.parts().iter().zip(after.parts()).enumerate();
    pairs.map(|(index, (was, is))| (index, was, is)).filter(|(_, was, _)| was.kind == Kind::Leaf)
}

fn is_reported(report: &Report, number: &PartNumber) -> bool {
    let done = |outcome: &Outcome| matches!(outcome, Outcome::Done(_));
    report.entries.iter().any(|entry| entry.part == *number && entry.place == Place::Body && done(&entry.outcome))
}

fn decoded(transfer: &TransferEncoding, body: &[u8]) -> Vec<u8> {
    match transfer {
        TransferEncoding::Base64 => base64::decode(body).bytes.into_owned(),
        TransferEncoding::QuotedPrintable => quoted_printable::decode(body).bytes.into_owned(),
        _ => body.to_vec(),
    }
}

/// Returns `true` if a body is another one with other line ends: UTF-16, what is binary, and what hides a CR in its
/// transfer encoding.
pub fn has_counted_line_ends(message: &Message) -> bool {
    let counted = |part: &&Part| {
        let label = part.content_type.parameter(message.raw(), "charset").unwrap_or_default().to_ascii_lowercase();
        let wide = [&b"utf-16"[..], b"utf16", b"utf-32", b"ucs", b"unicode"].iter().any(|name| label.starts_with(name));
        wide || part.transfer == TransferEncoding::Binary
            || decoded(&part.transfer, message.slice(part.body)).contains(&b'\r')
    };
    message.parts().iter().filter(|part| part.kind == Kind::Leaf).any(|part| counted(&part))
}

/// Finds octets that no mail should have and this one did not have: in a header or body, as it stands on the way.
pub fn appeared(before: &Message, after: &Message) -> Option<String> {
    // Among lines of both kinds a new one ends as the lines around it do.
    let wire = before.line_end() == LineEnd::CrLf && Bad::in_octets(before.raw(), true).lf == 0;
    let place = |what: &str, index: usize, old: Span, new: Span| {
        let (old, new) = (Bad::in_octets(before.slice(old), wire), Bad::in_octets(after.slice(new), wire));
        let found = new.beyond(&old)?;
        Some(format!("part {}: {found} in its {what}", before.number(index)))
    };
    let mut headers = before.parts().iter().zip(after.parts()).enumerate();
    let header = headers.find_map(|(index, (was, is))| place("header", index, was.header, is.header));
    header.or_else(|| leaves(before, after).find_map(|(index, was, is)| place("body", index, was.body, is.body)))
}

/// How often what is dangerous stands somewhere.
#[derive(Default)]
struct Bad {
    nul: usize,
    cr: usize,
    lf: usize,
    long: usize,
}

impl Bad {
    fn in_octets(octets: &[u8], wire: bool) -> Bad {
        let mut bad = Bad::default();
        for line in octets.split_inclusive(|&octet| octet == b'\n') {
            let content = line.strip_suffix(b"\n").unwrap_or(line);
            let bare = content.strip_suffix(b"\r").unwrap_or(content);
            let bare = if content.len() == line.len() { content } else { bare };
            bad.nul += bare.iter().filter(|&&octet| octet == 0).count();
            bad.cr += bare.iter().filter(|&&octet| octet == b'\r').count();
            bad.lf += usize::from(wire && line.ends_with(b"\n") && !line.ends_with(b"\r\n"));
            bad.long += usize::from(bare.len() > LONGEST);
        }
        bad
    }

    fn beyond(&self, before: &Bad) -> Option<&'static str> {
        [
            (self.nul > before.nul, "a NUL appears"),
            (self.cr > before.cr, "a CR alone appears"),
            (self.lf > before.lf, "an LF alone appears"),
            (self.long > before.long, "a line over 998 octets appears"),
        ]
        .into_iter()
        .find_map(|(appears, what)| appears.then_some(what))
    }
}

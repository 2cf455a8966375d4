//! Whether a message means what it meant, as mail-parser reads both.
//!
//! The same parts in the same order, of the same types and with the same names; the same fields in the same order, with the
//! same text; files with the same octets; texts that say the same. What the profile is allowed to write otherwise
//! ([`Allowed`]) counts as the same. Where mail-parser can't read the old message well (raw 8-bit, labels that it does not know), the new
//! text must be what one of the charsets that may be meant makes of the old octets ([`candidates`](super::candidates)).

use std::panic::{AssertUnwindSafe, catch_unwind};

use mail_parser::{Header, HeaderName, HeaderValue, Message, MessageParser, MessagePart, MimeHeaders, PartType};

use super::allowed::Allowed;
use super::media::{disposition, is_folded, is_made_of_fields, media};
use super::{candidates, legible, names};
use crate::coding::charset::Charset;
use crate::message::Message as OwnMessage;
use crate::rewrite::second_reader::without_missing_boundaries;
use crate::rewrite::{OnLoss, Profile};

/// The fields that say how a body is written, and not what it says; a change of the body changes them.
const OF_FORM: [&str; 6] =
    ["mime-version", "content-type", "content-transfer-encoding", "content-length", "lines", "content-md5"];

/// How the name of a field starts that has no place for encoded-words (RFC 6857 §3.1.10).
const DOWNGRADED: &str = "downgraded-";

/// Says what a message means otherwise than before; none when it means the same.
pub fn difference(old: &[u8], new: &[u8], profile: &Profile) -> Option<String> {
    let (old, new) = match within_limits(old, new, profile) {
        Ok(both) => both,
        Err(what) => return Some(what),
    };
    let (old, new) = (names::with_plain_names(old, profile), names::with_plain_names(new, profile));
    let hidden = |raw| without_missing_boundaries(&OwnMessage::read(raw, &profile.limits));
    let (old, new) = match (hidden(&old), hidden(&new)) {
        (Ok(old), Ok(new)) => (old, new),
        (Err(what), _) | (_, Err(what)) => return Some(what.to_owned()),
    };
    let (old, new) = (&old[..], &new[..]);
    let read = || {
        let (before, after) = (parser().parse(old)?, parser().parse(new)?);
        let beside = candidates::charsets_of(&before, old, profile);
        let allowed = Allowed::of(profile, &beside);
        Some(BothReadings { allowed, profile, old, new, beside: &beside }.difference(&before, &after))
    };
    let unreadable = || Some(Some("it can't be read".to_owned()));
    let compared = catch_unwind(AssertUnwindSafe(read)).unwrap_or_else(|_| unreadable());
    // A message without any field is none to mail-parser.
    compared.unwrap_or_else(|| (old != new).then(|| "it can't be read".to_owned()))
}

/// Returns a reader that takes apart the fields of MIME alone, and has all others as text.
fn parser() -> MessageParser {
    MessageParser::new().with_mime_headers().default_header_text()
}

/// Cuts off what a limit kept septet from reading, since mail-parser has no limit on depth. What is cut off must be
/// the same octets in both messages; the error says that it is not.
fn within_limits<'a>(old: &'a [u8], new: &'a [u8], profile: &Profile) -> Result<(&'a [u8], &'a [u8]), String> {
    let beyond = |raw| {
        let message = OwnMessage::read(raw, &profile.limits);
        let part = message.parts().iter().find(|part| part.limit.is_some()).map(|part| part.body.start);
        part.into_iter().chain(message.unread()).min().unwrap_or(raw.len())
    };
    let (one, other) = (old.split_at(beyond(old)), new.split_at(beyond(new)));
    if one.1 != other.1 {
        return Err("other octets beyond a limit".to_owned());
    }
    Ok((one.0, other.0))
}

/// Both readings of a message.
struct BothReadings<'b> {
    allowed: Allowed<'b>,
    profile: &'b Profile,
    old: &'b [u8],
    new: &'b [u8],
    /// The charsets that parts of the old message declare.
    beside: &'b [Charset],
}

impl BothReadings<'_> {
    /// Says what differs first in the parts of two messages, those of messages in them too; none where nothing does.
    fn difference(&self, before: &Message, after: &Message) -> Option<String> {
        let mut open = vec![(before, after)];
        while let Some((before, after)) = open.pop() {
            if before.parts.len() != after.parts.len() {
                return Some(format!("{} parts, not {}", after.parts.len(), before.parts.len()));
            }
            for (index, (one, other)) in before.parts.iter().zip(&after.parts).enumerate() {
                let found = self.part(one, other);
                if let Some(what) = found {
                    return Some(format!("part {index}: {what}"));
                }
                if let (PartType::Message(one), PartType::Message(other)) = (&one.body, &other.body) {
                    open.push((one, other));
                }
            }
        }
        None
    }

    /// Says what a part means otherwise: its fields, its type, its file name, or its body.
    fn part(&self, one: &MessagePart, other: &MessagePart) -> Option<String> {
        if let Some(what) = self.fields(&one.headers, &other.headers) {
            return Some(what);
        }
        if media(one) != media(other) {
            return Some("another media type".to_owned());
        }
        let names = |part: &MessagePart| part.attachment_name().unwrap_or_default().to_owned();
        let (name, name_now) = (names(one), names(other));
        if !self.allowed.same(&name, &name_now) && !self.names_by_charset(one, &name_now) {
            return Some(format!("another file name: {name_now:?}, not {name:?}"));
        }
        self.body(one, other)
    }

    /// Returns `true` if a file name is what the octets of its old fields say in one of the charsets that they may be
    /// in; blanks are left out of the comparison.
    fn names_by_charset(&self, one: &MessagePart, name_now: &str) -> bool {
        let fields = one
            .headers
            .iter()
            .filter(|header| matches!(header.name, HeaderName::ContentType | HeaderName::ContentDisposition));
        let mut names = fields.filter_map(|header| self.value(header)).flat_map(|value| {
            let tried = candidates::charsets_of_field(value, self.beside, self.profile);
            candidates::names(value, &tried, self.profile)
        });
        let squeezed = |text: &str| text.chars().filter(|c| !c.is_whitespace()).collect::<String>();
        let wanted = squeezed(name_now);
        names.any(|name| self.allowed.same(&squeezed(&name), &wanted))
    }

    /// Says what a body means otherwise. It is judged by what mail-parser reads, and where that differs, by what the
    /// old octets may mean.
    fn body(&self, one: &MessagePart, other: &MessagePart) -> Option<String> {
        let body = self.old.get(one.offset_body as usize..one.offset_end as usize).unwrap_or_default();
        let body_now = self.new.get(other.offset_body as usize..other.offset_end as usize).unwrap_or_default();
        if is_made_of_fields(one) && self.same_fields(body, body_now) {
            return None;
        }
        let (text, text_now) = match (&one.body, &other.body) {
            (PartType::Text(text), PartType::Text(now)) | (PartType::Html(text), PartType::Html(now)) => (text, now),
            (
                PartType::Binary(octets) | PartType::InlineBinary(octets),
                PartType::Binary(now) | PartType::InlineBinary(now),
            ) => {
                let same = || candidates::without_transfer(body, one) == candidates::without_transfer(body_now, other);
                return (octets != now && !same()).then(|| "other octets in a file".to_owned());
            }
            // The parts in them are compared by themselves.
            (PartType::Multipart(_), PartType::Multipart(_)) | (PartType::Message(_), PartType::Message(_)) => None?,
            _ => return Some("another kind of part".to_owned()),
        };
        if self.allowed.same(text, text_now) {
            return self.worse(text, text_now).map(|what| format!("a text is worse to read: {what}"));
        }
        if body == body_now || candidates::plain_octets(body, one) == candidates::plain_octets(body_now, other) {
            // Its label alone became another; what that means is judged by the text that both labels give.
            let same = one
                .content_type()
                .zip(other.content_type())
                .is_none_or(|(a, b)| a.attribute("charset") == b.attribute("charset"));
            if same {
                return None;
            }
        }
        // Faults of quoted-printable are read in many ways, and a repair is none of them; so the second reader has it too.
        if candidates::has_faults(body, one) {
            return None;
        }
        let read = candidates::of_body(body, one, self.beside, self.profile);
        let own = candidates::of_label(body_now, other, text_now, self.profile);
        let text_now = own.as_deref().unwrap_or(text_now);
        let is_page = matches!(one.body, PartType::Html(_)) || is_folded(one);
        let same = |text: &str| match is_page {
            true => self.allowed.same_page(text, text_now),
            false => self.allowed.same(text, text_now),
        };
        if read.iter().any(|text| same(text)) || same(text) {
            let octets = candidates::without_transfer(body, one);
            let worse = self.worse(text, text_now).or_else(|| legible::reads_otherwise(&octets, text, text_now));
            return worse.map(|what| format!("a text is worse to read: {what}"));
        }
        let text = if text.contains('\u{fffd}') { read.first().map_or(&**text, String::as_str) } else { text };
        Some(format!("another text: {}", self.allowed.first_difference(text, text_now)))
    }

    /// Says what is worse to read than before; none where the profile replaces what its charset lacks, which is worse
    /// to read and meant to be.
    fn worse(&self, text: &str, text_now: &str) -> Option<String> {
        legible::worse(text, text_now).filter(|_| self.profile.on_loss != OnLoss::Replace)
    }

    /// Says which field means something else, is gone, or was not there; those of form ([`OF_FORM`]) may be any. One
    /// that moved to a Downgraded- field counts as itself (RFC 6857 §3.1.10).
    fn fields(&self, one: &[Header], other: &[Header]) -> Option<String> {
        let counts = |header: &&Header| !OF_FORM.contains(&name(header).as_str());
        let was_there = |new: &&Header| one.iter().any(|old| name(old) == name(new));
        let (news, mut moved): (Vec<_>, Vec<_>) =
            other.iter().filter(counts).partition(|new| !name(new).starts_with(DOWNGRADED) || was_there(new));
        let mut news = news.into_iter().peekable();
        for old in one.iter().filter(counts) {
            let was = name(old);
            let at = moved.iter().position(|new| name(new).strip_prefix(DOWNGRADED) == Some(&was));
            // Of several with one name, one may have moved.
            let stays = |new: &&Header| name(new) == was && (at.is_none() || self.same_field(old, new));
            let new = match (news.next_if(stays), at) {
                (Some(new), _) => new,
                (None, Some(at)) => moved.remove(at),
                (None, None) => return Some(format!("the field {was} is gone")),
            };
            if !self.same_field(old, new) {
                let shown = |header: &Header| shown(&header.value).unwrap_or_default();
                let texts = self.allowed.first_difference(&shown(old), &shown(new));
                return Some(format!("another text in the field {was}: {texts}"));
            }
            let texts = shown(&old.value).zip(shown(&new.value));
            if let Some(what) = texts.and_then(|(text, text_now)| self.worse(&text, &text_now)) {
                return Some(format!("worse to read in the field {was}: {what}"));
            }
        }
        news.next().or(moved.pop()).map(|new| format!("a field {} that was not there", name(new)))
    }

    /// Returns `true` if bodies made of fields say the same, field by field: each is read by itself, for one may have gone
    /// to UTF-8 while the next stayed.
    fn same_fields(&self, body: &[u8], body_now: &[u8]) -> bool {
        let (fields, fields_now) = (candidates::fields(body), candidates::fields(body_now));
        let mut pairs = fields.iter().zip(&fields_now);
        fields.len() == fields_now.len() && pairs.all(|(field, now)| field == now || self.same_in_report(field, now))
    }

    /// Returns `true` if two fields of a body say the same, each decoded as one text, by what the old one may mean.
    fn same_in_report(&self, field: &[u8], field_now: &[u8]) -> bool {
        let tried = candidates::charsets_of_field(field, self.beside, self.profile);
        let read = candidates::of_field(field, &tried, self.profile);
        let now = candidates::decoded(field_now, self.profile);
        let read_now = candidates::of_field(field_now, &tried, self.profile);
        let alike = || read.iter().zip(&read_now).any(|(one, other)| self.allowed.same(one, other));
        read.iter().any(|text| self.allowed.same(text, &now)) || alike()
    }

    /// Returns `true` if two fields say the same, by their octets, by what mail-parser reads, or by what the old one
    /// may mean.
    fn same_field(&self, old: &Header, new: &Header) -> bool {
        if self.value(old).is_some_and(|value| self.value_now(new) == Some(value)) {
            return true;
        }
        if let (HeaderValue::ContentType(one), HeaderValue::ContentType(other)) = (&old.value, &new.value)
            && disposition(one) == disposition(other)
        {
            return true;
        }
        let (Some(text), Some(text_now)) = (shown(&old.value), shown(&new.value)) else { return false };
        if self.allowed.same_field(&text, &text_now) {
            return true;
        }
        let (Some(value), Some(value_now)) = (self.value(old), self.value_now(new)) else { return false };
        let tried = candidates::charsets_of_field(value, self.beside, self.profile);
        let read = candidates::of_field(value, &tried, self.profile);
        // mail-parser drops an octet here and there of a word in UTF-7.
        let now = candidates::decoded(value_now, self.profile);
        let same = |text: &String| self.allowed.same_field(text, &text_now) || self.allowed.same_field(text, &now);
        // Where a piece of it stayed raw, that is read alike on both sides.
        let read_now = candidates::of_field(value_now, &tried, self.profile);
        let alike = || read.iter().zip(&read_now).any(|(one, other)| self.allowed.same_field(one, other));
        let literal = || tried.iter().any(|charset| same(&candidates::literal(value, *charset)));
        read.iter().any(same) || name(new).starts_with(DOWNGRADED) && literal() || alike()
    }

    /// Returns the octets of a field's value in the old message.
    fn value(&self, header: &Header) -> Option<&[u8]> {
        self.old.get(header.offset_start as usize..header.offset_end as usize)
    }

    /// Returns the octets of a field's value in the new message.
    fn value_now(&self, header: &Header) -> Option<&[u8]> {
        self.new.get(header.offset_start as usize..header.offset_end as usize)
    }
}

fn name(header: &Header) -> String {
    header.name.as_str().to_ascii_lowercase()
}

/// Returns the text of a field, as text or as a type with its parameters; none for any other value, which [`parser`]
/// makes of no field.
fn shown(value: &HeaderValue) -> Option<String> {
    Some(match value {
        HeaderValue::Text(text) => text.to_string(),
        HeaderValue::TextList(texts) => texts.join(" "),
        HeaderValue::Empty => String::new(),
        HeaderValue::ContentType(declared) => {
            let mut text = format!("{}/{}", declared.ctype(), declared.subtype().unwrap_or_default());
            let parameters = declared.attributes().into_iter().flatten();
            parameters.for_each(|attribute| text += &format!("; {}={}", attribute.name, attribute.value));
            text
        }
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const LATIN: &str =
        "Subject: x\nContent-Type: text/plain; charset=iso-8859-1\n\ncaf\u{e9} http://ex\u{e4}mple.org/\u{e9}\n";
    const UTF8: &str =
        "Subject: x\nContent-Type: text/plain; charset=utf-8\n\ncaf\u{e9} http://xn--exmple-cua.org/%C3%A9\n";

    fn latin(text: &str) -> Vec<u8> {
        text.chars().map(|c| c as u8).collect()
    }

    fn found(old: &[u8], new: &str, profile: &str) -> Option<String> {
        difference(old, new.as_bytes(), &Profile::built_in(profile).expect("a profile"))
    }

    #[test]
    fn what_a_profile_may_do_means_the_same() {
        assert_eq!(found(&latin(LATIN), UTF8, "utf8"), None);
        let ascii = UTF8.replace("utf-8", "us-ascii").replace('\u{e9}', "\\u'00E9'");
        assert_eq!(found(&latin(LATIN), &ascii, "ascii"), None);
        let quoted = "Subject: x\nContent-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: quoted-printable\n\n\
                      caf=C3=A9 http://xn--exmple-cua.org/%C3%A9\n";
        assert_eq!(found(&latin(LATIN), quoted, "utf8"), None);
    }

    #[test]
    fn a_host_may_have_an_ideographic_full_stop() {
        let old = "From: Bob <bob@b\u{fc}cher\u{3002}example>\n\nhttp://\u{4f8b}\u{3048}\u{3002}jp/\n";
        let new = "From: Bob <bob@xn--bcher-kva.example>\n\nhttp://xn--r8jz45g.jp/\n";
        assert_eq!(found(old.as_bytes(), new, "utf8"), None);
        assert!(found(old.as_bytes(), &new.replace("kva.example", "kva.examp1e"), "utf8").is_some());
    }

    /// Message 5288 of the corpus, profile ascii: the pairs of backslashes were there before the line was all ASCII.
    #[test]
    fn pairs_of_backslashes_stay_beside_an_escape() {
        let old = b"Content-Type: text/html; charset=windows-1252\n\nWORKS\x85 ELSE??..\\\\\\\\\n";
        let new = "Content-Type: text/html; charset=us-ascii\n\nWORKS&#x2026; ELSE??..\\\\\\\\\n";
        assert_eq!(found(old, new, "ascii"), None);
        assert!(found(old, &new.replace("??", "?"), "ascii").is_some());
    }

    #[test]
    fn an_escape_that_was_text_is_escaped() {
        let old = "Content-Type: text/plain; charset=utf-8\n\n日本 \\u'00E9' x\n";
        let new = "Content-Type: text/plain; charset=us-ascii\n\n\\u'65E5'\\u'672C' \\\\u'00E9' x\n";
        assert_eq!(found(old.as_bytes(), new, "ascii"), None);
        assert!(found(old.as_bytes(), &new.replace("65E5", "65E6"), "ascii").is_some());
    }

    /// Message 3939 of the corpus, profile utf7: mail-parser takes the dot behind UTF-7 for its end.
    #[test]
    fn a_name_in_utf_7_keeps_its_dot() {
        let message = |name: &str| {
            format!("Content-Type: image/bmp;\n name{name}\nContent-Disposition: attachment;\n filename{name}\n\nx\n")
        };
        let old = message("=\"=?iso-2022-jp?B?GyRCJV4lJCVrGyhCLmJtcA==?=\"");
        let new = message("*=utf-7''+MN4wpDDr.bmp");
        assert_eq!(found(old.as_bytes(), &new, "utf7"), None);
        for wrong in ["*=utf-7''+MN4wpDDrbmp", "*=utf-7''+MN4wpDDr.exe", "*=utf-7''+MN4wpDDq.bmp"] {
            assert!(found(old.as_bytes(), &message(wrong), "utf7").is_some(), "{wrong}");
        }
        let cut = "*0*=utf-7''+MN4wpDD; name*1*=r.bmp; x=y";
        assert_eq!(found(old.as_bytes(), &new.replacen("*=utf-7''+MN4wpDDr.bmp", cut, 1), "utf7"), None);
    }

    /// What looks like such a name in any other place was written anew on one side alone, and right output was refused.
    #[test]
    fn what_only_looks_like_a_name_in_utf_7_stays_as_it_was() {
        let mark = "X*=utf-7''+AOk-";
        for fields in [format!("Subject: {mark}"), format!("X-A: b; {mark}"), format!("Received: from a; {mark}")] {
            let text = |text: &str| text.replacen("Subject: x", &fields, 1);
            assert_eq!(found(&latin(&text(LATIN)), &text(UTF8), "utf8"), None, "{fields}");
            let changed = text(UTF8).replacen("+AOk-", "+AOg-", 1);
            assert!(found(&latin(&text(LATIN)), &changed, "utf8").is_some(), "{fields}");
        }
        let typed = |charset: &str| format!("Content-Type: text/plain; name*=utf-7''+AOk-.txt; charset={charset}\n\n");
        assert_eq!(
            found(&latin(&(typed("iso-8859-1") + "caf\u{e9}\n")), &(typed("utf-8") + "caf\u{e9}\n"), "utf8"),
            None
        );
    }

    /// What must never leave: each is one octet, word, field or part away from what it should be.
    #[test]
    fn what_means_something_else_is_found() {
        let old = latin(LATIN);
        let two = "Content-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: text/plain\n\na\n--b\n\
                   Content-Type: application/pdf\nContent-Disposition: attachment; filename=a.pdf\n\nPDF\n--b--\n";
        for (old, new) in [
            (old.clone(), UTF8.replace("caf\u{e9}", "cafe")),
            (old.clone(), UTF8.replace("caf\u{e9}", "caf\u{c3}\u{a9}")),
            (old.clone(), UTF8.replace("caf\u{e9} ", "")),
            (old.clone(), UTF8.replace("xn--exmple-cua", "xn--exmple-4xa")),
            (old.clone(), UTF8.replace("%C3%A9", "%C3%A8")),
            (old.clone(), UTF8.replace("Subject: x", "Subject: y")),
            (old.clone(), UTF8.replace("Subject: x\n", "")),
            (old.clone(), UTF8.replace("Subject: x\n", "Subject: x\nBcc: me@example.org\n")),
            (old.clone(), UTF8.replace("text/plain", "text/html")),
            (old.clone(), format!("{UTF8}more\n")),
            (old.clone(), UTF8[..UTF8.len() - 12].to_owned()),
            (two.into(), two.replace("PDF\n--b--", "PDG\n--b--")),
            (two.into(), two.replace("a.pdf", "a.exe")),
            (two.into(), two.replace("application/pdf", "application/x-msdownload")),
            (two.into(), two.replace("--b--", "--b\n\nx\n--b--")),
            (two.into(), two.replacen("--b\nContent", "-b\nContent", 1)),
            (two.into(), two.replace("boundary=b", "boundary=c")),
        ] {
            assert!(found(&old, &new, "utf8").is_some(), "{new}");
        }
    }
}

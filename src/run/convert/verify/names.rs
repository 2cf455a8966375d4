//! Names of files in UTF-7, which mail-parser does not read whole: behind octets in Base64 it takes one more for their end,
//! whichever it is (RFC 2152: only `-` belongs to them). It is shown the same names in UTF-8.

use std::borrow::Cow;

use memchr::memmem;

use crate::coding::charset::Charset;
use crate::message::Message;
use crate::rewrite::Profile;

/// How a value starts whose charset is told (RFC 2231 §4).
const MARK: &[u8] = b"*=";

/// Writes the parameters of a message that are in UTF-7 in UTF-8; what is no UTF-7 stays.
pub fn without_utf_7<'m>(message: &'m [u8], profile: &Profile) -> Cow<'m, [u8]> {
    let mut out = Vec::new();
    let mut done = 0;
    for part in Message::read(message, &profile.limits).parts() {
        let header = message.get(part.header.start..part.header.end).unwrap_or_default();
        for at in memmem::find_iter(header, MARK) {
            let start = part.header.start + at + MARK.len();
            let value = &message[start..];
            let end = value.iter().position(|octet| octet.is_ascii_whitespace() || matches!(octet, b';' | b'"'));
            let end = start + end.unwrap_or(value.len());
            if let Some(new) = in_utf_8(&message[start..end], profile).filter(|_| start >= done) {
                out.extend_from_slice(&message[done..start]);
                out.extend_from_slice(new.as_bytes());
                done = end;
            }
        }
    }
    if done == 0 {
        return Cow::Borrowed(message);
    }
    out.extend_from_slice(&message[done..]);
    Cow::Owned(out)
}

/// Writes `utf-7''+AOk-.txt` as `utf-8''%C3%A9%2E…`.
fn in_utf_8(value: &[u8], profile: &Profile) -> Option<String> {
    let mut pieces = value.splitn(3, |octet| *octet == b'\'');
    let (label, language, text) = (pieces.next()?, pieces.next()?, pieces.next()?);
    let charset = profile.labels.find(label).filter(|charset: &Charset| charset.utf_7().is_some())?;
    let octets = percent_decoded(text);
    let text = charset.decode(&octets).ok()?;
    let octets: String = text.bytes().map(|octet| format!("%{octet:02X}")).collect();
    Some(format!("utf-8'{}'{octets}", String::from_utf8_lossy(language)))
}

fn percent_decoded(text: &[u8]) -> Vec<u8> {
    let mut octets = Vec::with_capacity(text.len());
    let mut rest = text;
    while let Some((&first, after)) = rest.split_first() {
        let escaped = (first == b'%').then(|| after.get(..2)).flatten().and_then(|it| str::from_utf8(it).ok());
        match escaped.and_then(|digits| u8::from_str_radix(digits, 16).ok()) {
            Some(octet) => {
                octets.push(octet);
                rest = &after[2..];
            }
            None => {
                octets.push(first);
                rest = after;
            }
        }
    }
    octets
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_alone_are_written_anew() {
        let profile = Profile::default();
        let written = |text: &str| String::from_utf8_lossy(&without_utf_7(text.as_bytes(), &profile)).into_owned();
        let (utf_7, utf_8) =
            ("A: b; x*=utf-7'de'+AOk.%74\n\nx*=utf-7''+AOk.\n", "A: b; x*=utf-8'de'%C3%A9%2E%74\n\nx*=utf-7''+AOk.\n");
        assert_eq!(written(utf_7), utf_8);
        for stays in ["A: b; x*=utf-7''+AO\n\n", "A: b; x*=utf-8''%C3%A9\n\n", "A: b; x*=utf-7\n\n", "A: b; x*=", ""] {
            assert_eq!(written(stays), stays);
        }
    }
}

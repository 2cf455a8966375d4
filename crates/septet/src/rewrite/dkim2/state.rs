//! A state of a message, as DKIM2 sees it: its fields and its body, and the two hashes of them.
//!
//! No MIME is read here. A header is read by the strict rules that all verifiers share; where they would differ (a line
//! that is no field, a CR or LF alone) it is refused. Line ends that are LF count as CRLF, as they will be once the
//! message is sent; a message has one kind of them, that of its first line.

use std::borrow::Cow;
use std::collections::BTreeMap;

use sha2::{Digest, Sha256};

use super::Dkim2Refusal;
use crate::message::grammar::authentication::is_hashed;
use crate::message::{LineEnd, field_end};

/// A state of a message.
#[derive(Debug, Clone)]
pub struct MessageState<'m> {
    /// Its fields, from the top.
    pub fields: Vec<StateField<'m>>,
    /// Its body, with line ends of its own kind.
    pub body: Cow<'m, [u8]>,
    /// How its lines end.
    pub line_end: LineEnd,
}

/// A field of a state.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StateField<'m> {
    /// Its name in lower case.
    pub name: String,
    /// All of it, but for its last line end, as it stands.
    pub line: Cow<'m, [u8]>,
}

/// The SHA-256 of a header and of a body.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StateHashes {
    /// That of the header.
    pub header: [u8; 32],
    /// That of the body.
    pub body: [u8; 32],
}

impl<'m> MessageState<'m> {
    /// Reads a message; one without an empty line has an empty body.
    ///
    /// # Errors
    ///
    /// [`Dkim2Refusal::Header`]: a line of the header is no field, or has a CR or LF that ends no line.
    pub fn read(octets: &'m [u8]) -> Result<MessageState<'m>, Dkim2Refusal> {
        let line_end = LineEnd::of(octets);
        let (mut fields, mut rest) = (Vec::new(), octets);
        while !rest.is_empty() {
            if let Some(body) = rest.strip_prefix(line_end.as_bytes()) {
                return Ok(MessageState { fields, body: Cow::Borrowed(body), line_end });
            }
            let (field, behind) = rest.split_at(field_end(rest));
            fields.push(StateField::read(field, line_end).ok_or(Dkim2Refusal::Header)?);
            rest = behind;
        }
        Ok(MessageState { fields, body: Cow::Borrowed(&[]), line_end })
    }

    /// Returns the hashes of the header and of the body.
    pub fn hashes(&self) -> StateHashes {
        StateHashes { header: self.header_hash(), body: self.body_hash() }
    }

    /// Sums up the header: fields by their names, those of one name from the bottom up, each value in one line.
    fn header_hash(&self) -> [u8; 32] {
        let mut sum = Sha256::new();
        for (name, fields) in self.by_name() {
            for field in fields {
                sum.update([name.as_bytes(), b":", &relaxed(field.value()), b"\r\n"].concat());
            }
        }
        sum.finalize().into()
    }

    /// Sums up the body with CRLF as its line ends, without the empty lines at its end; the last line is ended, and an
    /// empty body is one CRLF (draft-ietf-dkim-dkim2-spec-08). Of a body with line ends of another kind the sum is not
    /// to be relied on: whoever makes a recipe refuses it before (`has_other_line_ends` in `difference.rs`).
    fn body_hash(&self) -> [u8; 32] {
        let mut sum = Sha256::new();
        let mut body = &*self.body;
        while let Some(rest) = body.strip_suffix(self.line_end.as_bytes()) {
            body = rest;
        }
        if self.line_end == LineEnd::CrLf {
            sum.update(body);
        } else {
            for (number, line) in body.split(|&octet| octet == b'\n').enumerate() {
                sum.update(if number > 0 { &b"\r\n"[..] } else { b"" });
                sum.update(line);
            }
        }
        sum.update(b"\r\n");
        sum.finalize().into()
    }

    /// Returns the hashed fields by their names, those of each name from the bottom up.
    pub fn by_name(&self) -> BTreeMap<&str, Vec<&StateField<'m>>> {
        let mut names: BTreeMap<&str, Vec<&StateField<'m>>> = BTreeMap::new();
        for field in self.fields.iter().rev().filter(|field| is_hashed(field.name.as_bytes())) {
            names.entry(&field.name).or_default().push(field);
        }
        names
    }

    /// Returns `true` if the body has a CR or LF that does not end a line as the others are.
    pub fn has_other_line_ends(&self) -> bool {
        has_other_line_ends(&self.body, self.line_end)
    }

    /// Writes the state as a message, with an empty line behind the header even if none stood there.
    pub fn to_octets(&self) -> Vec<u8> {
        let end = self.line_end.as_bytes();
        let header = self.fields.iter().flat_map(|field| [&*field.line, end]);
        header.chain([end, &*self.body]).collect::<Vec<_>>().concat()
    }
}

impl<'m> StateField<'m> {
    /// Reads a field; none where it is no field, or has a CR or LF that ends no line.
    fn read(field: &'m [u8], line_end: LineEnd) -> Option<StateField<'m>> {
        let line = field.strip_suffix(line_end.as_bytes()).unwrap_or(field);
        let colon = memchr::memchr(b':', line).filter(|_| !has_other_line_ends(field, line_end))?;
        let name = str::from_utf8(&line[..colon]).ok()?.trim_end_matches([' ', '\t']);
        let is_name = !name.is_empty() && name.bytes().all(|octet| octet.is_ascii_graphic());
        is_name.then(|| StateField { name: name.to_ascii_lowercase(), line: Cow::Borrowed(line) })
    }

    /// Returns the value, all that follows the colon.
    pub fn value(&self) -> &[u8] {
        let colon = memchr::memchr(b':', &self.line).map_or(self.line.len(), |colon| colon + 1);
        &self.line[colon..]
    }

    /// Returns the value in one line, as a recipe says it: folds taken out, no blanks at its ends.
    pub fn unfolded(&self) -> Vec<u8> {
        let octets = self.value().iter().copied().filter(|octet| !matches!(octet, b'\r' | b'\n'));
        let mut value: Vec<u8> = octets.skip_while(|octet| is_blank(*octet)).collect();
        value.truncate(value.iter().rposition(|octet| !is_blank(*octet)).map_or(0, |last| last + 1));
        value
    }
}

/// Returns `true` if an octet is white space within a line (WSP of RFC 5234).
fn is_blank(octet: u8) -> bool {
    matches!(octet, b' ' | b'\t')
}

/// Returns a value in one line, each run of blanks as one space, none at its ends: what is hashed.
pub fn relaxed(value: &[u8]) -> Vec<u8> {
    let words = value.split(|octet| matches!(octet, b' ' | b'\t' | b'\r' | b'\n')).filter(|word| !word.is_empty());
    words.collect::<Vec<_>>().join(&b' ')
}

/// Returns `true` if a text has a CR or LF that ends no line as `line_end` does.
fn has_other_line_ends(text: &[u8], line_end: LineEnd) -> bool {
    text.split_inclusive(|&octet| octet == b'\n').any(|line| {
        let content = line.strip_suffix(line_end.as_bytes()).unwrap_or(line);
        memchr::memchr2(b'\r', b'\n', content).is_some()
    })
}

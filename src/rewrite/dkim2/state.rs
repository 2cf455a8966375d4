//! A state of a message, as DKIM2 sees it: its fields and its body, and the two hashes of them.
//!
//! No MIME is read here. A header is read by the strict rules that all verifiers share; where they would differ (a line that
//! is no field, a CR or LF alone) it is refused. Line ends that are LF count as CRLF, as they will be once the message is
//! sent; a message has one kind of them, that of its first line.

use std::borrow::Cow;
use std::collections::BTreeMap;

use sha2::{Digest, Sha256};

use super::Dkim2Refusal;
use crate::message::LineEnd;
use crate::message::grammar::authentication::is_hashed;

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
    pub name: Vec<u8>,
    /// All of it, but for its last line end, as it stands.
    pub line: Cow<'m, [u8]>,
    /// Where its value starts in that, behind the colon.
    pub value_start: usize,
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
    /// Reads a message.
    ///
    /// # Errors
    ///
    /// [`Dkim2Refusal::Header`]: a line of the header is no field, or has a CR or LF that ends no line.
    pub fn read(octets: &'m [u8]) -> Result<MessageState<'m>, Dkim2Refusal> {
        let line_end = line_end_of(octets);
        let (mut fields, mut at) = (Vec::new(), 0);
        while at < octets.len() {
            let next = line_after(octets, at);
            if content(octets, at, next, line_end)?.is_empty() {
                return Ok(MessageState { fields, body: Cow::Borrowed(&octets[next..]), line_end });
            }
            let (field, end) = field_at(octets, at, line_end)?;
            fields.push(field);
            at = end;
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
        for (name, values) in self.by_name() {
            for value in values {
                sum.update(name);
                sum.update(b":");
                sum.update(&*value.relaxed());
                sum.update(b"\r\n");
            }
        }
        sum.finalize().into()
    }

    /// Sums up the body, without the empty lines at its end.
    fn body_hash(&self) -> [u8; 32] {
        let mut sum = Sha256::new();
        let end = self.line_end.as_bytes();
        let mut body = &*self.body;
        while let Some(rest) = body.strip_suffix(end) {
            body = rest;
        }
        if end == b"\r\n" {
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
    pub fn by_name(&self) -> BTreeMap<&[u8], Vec<&StateField<'m>>> {
        let mut names: BTreeMap<&[u8], Vec<&StateField<'m>>> = BTreeMap::new();
        for field in self.fields.iter().rev().filter(|field| is_hashed(&field.name)) {
            names.entry(&field.name).or_default().push(field);
        }
        names
    }

    /// Returns `true` if the body has a CR or LF that does not end a line as the others are.
    pub fn has_other_line_ends(&self) -> bool {
        match self.line_end {
            LineEnd::Lf => memchr::memchr(b'\r', &self.body).is_some(),
            LineEnd::CrLf => memchr::memchr2_iter(b'\r', b'\n', &self.body).any(|at| !is_of_pair(&self.body, at)),
        }
    }

    /// Writes the state as a message.
    pub fn to_octets(&self) -> Vec<u8> {
        let end = self.line_end.as_bytes();
        let mut out: Vec<u8> = Vec::new();
        for field in &self.fields {
            out.extend_from_slice(&field.line);
            out.extend_from_slice(end);
        }
        out.extend_from_slice(end);
        out.extend_from_slice(&self.body);
        out
    }
}

impl StateField<'_> {
    /// Returns the value, all that follows the colon.
    pub fn value(&self) -> &[u8] {
        self.line.get(self.value_start..).unwrap_or_default()
    }

    /// Returns the value in one line, each run of blanks as one space, none at its ends.
    pub fn relaxed(&self) -> Cow<'_, [u8]> {
        relaxed(self.value())
    }

    /// Returns the value in one line, as a recipe says it: folds taken out, no blanks at its ends.
    pub fn unfolded(&self) -> Vec<u8> {
        let octets = self.value().iter().copied().filter(|octet| !matches!(octet, b'\r' | b'\n')).collect::<Vec<_>>();
        let start = octets.iter().take_while(|octet| is_blank(**octet)).count();
        without_blanks_behind(&octets[start..]).to_vec()
    }
}

fn is_blank(octet: u8) -> bool {
    matches!(octet, b' ' | b'\t')
}

fn without_blanks_behind(text: &[u8]) -> &[u8] {
    let blanks = text.iter().rev().take_while(|octet| is_blank(**octet)).count();
    &text[..text.len() - blanks]
}

/// Returns a value in one line, each run of blanks as one space, none at its ends: what is hashed.
pub fn relaxed(value: &[u8]) -> Cow<'_, [u8]> {
    let words = value.split(|octet| matches!(octet, b' ' | b'\t' | b'\r' | b'\n')).filter(|word| !word.is_empty());
    Cow::Owned(words.collect::<Vec<_>>().join(&b' '))
}

/// Returns how the first line of a message ends; CRLF if it has no end.
fn line_end_of(octets: &[u8]) -> LineEnd {
    match memchr::memchr(b'\n', octets) {
        Some(at) if at == 0 || octets[at - 1] != b'\r' => LineEnd::Lf,
        _ => LineEnd::CrLf,
    }
}

/// Returns where the line behind the one that starts at `at` starts.
fn line_after(octets: &[u8], at: usize) -> usize {
    memchr::memchr(b'\n', &octets[at..]).map_or(octets.len(), |lf| at + lf + 1)
}

/// Returns a line of the header without its end, which must be that of all lines.
fn content(octets: &[u8], at: usize, next: usize, line_end: LineEnd) -> Result<&[u8], Dkim2Refusal> {
    let line = &octets[at..next];
    let content = if line.ends_with(b"\n") { line.strip_suffix(line_end.as_bytes()) } else { Some(line) };
    content.filter(|line| memchr::memchr2(b'\r', b'\n', line).is_none()).ok_or(Dkim2Refusal::Header)
}

/// Reads the field at a place, and returns where it ends.
fn field_at(octets: &[u8], at: usize, line_end: LineEnd) -> Result<(StateField<'_>, usize), Dkim2Refusal> {
    let mut end = line_after(octets, at);
    let mut content_end = at + content(octets, at, end, line_end)?.len();
    while matches!(octets.get(end), Some(b' ' | b'\t')) {
        let next = line_after(octets, end);
        content_end = end + content(octets, end, next, line_end)?.len();
        end = next;
    }
    let line = &octets[at..content_end];
    let colon = memchr::memchr(b':', line).ok_or(Dkim2Refusal::Header)?;
    let name = without_blanks_behind(&line[..colon]);
    let is_name = !name.is_empty() && name.iter().all(u8::is_ascii_graphic);
    let name = if is_name { Ok(name.to_ascii_lowercase()) } else { Err(Dkim2Refusal::Header) };
    Ok((StateField { name: name?, line: Cow::Borrowed(line), value_start: colon + 1 }, end))
}

/// Returns `true` if the CR or LF at a place is one of a pair.
fn is_of_pair(octets: &[u8], at: usize) -> bool {
    match octets[at] {
        b'\r' => octets.get(at + 1) == Some(&b'\n'),
        _ => at > 0 && octets[at - 1] == b'\r',
    }
}

//! Quoted-printable of which some lines change: these are written anew, the others stay as they were, soft breaks and
//! all.
//!
//! A line, up to its hard line break, means the same whatever stands around it. So what was read of a line that stays
//! is what anybody reads of it afterwards, and only what was written anew is read again.
//!
//! One that ends in half an escape (`=b`) is the exception: some readers look for the other half on the next line that
//! is not empty, and give the whole body up where they find an escape. So it is written anew where that line is.

use std::ops::Range;

use memchr::{memchr, memchr2};

use super::lines::{length_of_lines, line_end_of, lone_returns};
use super::{ReencodeInput, WrittenBody};
use crate::coding::masks::find_near;
use crate::coding::transfer::quoted_printable::{ends_in_hard_break, has_written_line_ends, written_lines};
use crate::coding::transfer::{LINE_LIMIT, LONGEST_LINE, TransferEncoding, quoted_printable};
use crate::message::{LineEnd, count_line_feeds, longest_line};
use crate::rewrite::Transfer;

impl ReencodeInput<'_> {
    /// Writes quoted-printable anew where the text changed, where raw 8-bit may not stay, and where a fault is to be
    /// repaired; other lines stay as they were written. All of it is written anew where its lines can't be matched with
    /// those of the text, as where there are more or fewer. `raw` must be in quoted-printable.
    pub(super) fn write_with_changed_lines(&self) -> WrittenBody {
        if count_line_feeds(self.octets) != count_line_feeds(&self.encoded) {
            return self.write_all_lines();
        }
        let writes_line_ends = has_written_line_ends(self.body.raw);
        let mut writer = LineWriter::of(self);
        let (mut octets, mut encoded) = (self.octets, &*self.encoded);
        for line in written_lines(self.body.raw) {
            // Where no LF was written as an octet, a line means a line.
            let (length, feeds) = match writes_line_ends {
                false => find_near(octets, b'\n').map_or((octets.len(), 0), |at| (at + 1, 1)),
                true => {
                    let means = quoted_printable::decode(line).bytes;
                    if octets.starts_with(&means) {
                        (means.len(), count_line_feeds(&means))
                    } else {
                        return self.write_all_lines();
                    }
                }
            };
            let (means, rest) = octets.split_at(length);
            let (new, after) = encoded.split_at(length_of_lines(encoded, feeds, rest.is_empty()));
            let has_raw_8bit = self.body.profile.transfer == Transfer::SevenBit && !line.is_ascii();
            let is_broken = self.anew && breaks_a_rule(line);
            let meant = self.encoded.len() - encoded.len()..self.encoded.len() - after.len();
            if new == means && !has_raw_8bit && !is_broken {
                writer.keep_line(line, meant);
            } else {
                writer.change_line(line, meant);
            }
            (octets, encoded) = (rest, after);
        }
        if octets.is_empty() && encoded.is_empty() { writer.finish() } else { self.write_all_lines() }
    }

    /// Writes all lines of quoted-printable anew. It is right of any text, and taken wherever lines can't be matched.
    fn write_all_lines(&self) -> WrittenBody {
        let body = quoted_printable::encode(&self.encoded, self.body.line_end().as_bytes());
        self.written_anew(&TransferEncoding::QuotedPrintable, body)
    }
}

/// Writes a body line by line; those that change in a row are written at once where they end alike. What is `waiting`
/// must be written before anything else is.
struct LineWriter<'w> {
    input: &'w ReencodeInput<'w>,
    written: WrittenBody,
    /// The line end of its first line.
    end: &'static [u8],
    /// What of the text is to be written anew next.
    waiting: Range<usize>,
    /// The last line that is not empty, and where it was written, if it stays and ends in half an escape; and what it
    /// means.
    half_an_escape: Option<(usize, &'w [u8], Range<usize>)>,
}

impl<'w> LineWriter<'w> {
    /// Begins an empty body of what `input` shall mean. With room for a little more than the one that came has.
    fn of(input: &'w ReencodeInput<'w>) -> LineWriter<'w> {
        let body = Vec::with_capacity(input.body.raw.len() + input.body.raw.len() / 8);
        let written = WrittenBody { body, reads_back: true };
        LineWriter { input, written, end: input.body.line_end().as_bytes(), waiting: 0..0, half_an_escape: None }
    }

    /// Leaves a line as it was written; one that ends in half an escape may still be written anew by
    /// [`change_line`](Self::change_line). `meant` is what the line means, of the text.
    fn keep_line(&mut self, line: &'w [u8], meant: Range<usize>) {
        self.write_waiting();
        if !is_empty(line) {
            self.half_an_escape = ends_in_half_an_escape(line).then_some((self.written.body.len(), line, meant));
        }
        self.written.body.extend_from_slice(line);
    }

    /// Writes a line anew, later and together with those behind it if that comes to the same. If the last line before
    /// it that is not empty ends in half an escape, that one is written anew too: some readers look for the other half
    /// here.
    fn change_line(&mut self, line: &[u8], meant: Range<usize>) {
        if let Some((start, half, meant)) = self.half_an_escape.take() {
            let empty_lines = self.written.body.split_off(start + half.len());
            self.written.body.truncate(start);
            self.write_line(half, meant);
            self.written.body.extend(empty_lines);
        }
        if may_be_written_together(&self.input.encoded[meant.clone()], line, self.end) {
            let start = if self.waiting.is_empty() { meant.start } else { self.waiting.start };
            self.waiting = start..meant.end;
        } else {
            self.write_waiting();
            self.write_line(line, meant);
        }
    }

    /// Writes a line anew by itself. `line` is as it was written, `meant` what it shall mean of the text; nothing must
    /// be waiting.
    fn write_line(&mut self, line: &[u8], meant: Range<usize>) {
        let end = if line.ends_with(b"\n") { LineEnd::of(line).as_bytes() } else { self.end };
        let start = self.written.body.len();
        encode_line(&self.input.encoded[meant.clone()], line, end, &mut self.written.body);
        self.read_back(start, &meant);
    }

    /// Writes the lines anew, at once, that were put off by [`change_line`](Self::change_line).
    fn write_waiting(&mut self) {
        if !self.waiting.is_empty() {
            let (start, meant) = (self.written.body.len(), std::mem::take(&mut self.waiting));
            quoted_printable::encode_segment(&self.input.encoded[meant.clone()], 0, self.end, &mut self.written.body);
            self.read_back(start, &meant);
        }
    }

    /// Reads what was written from `start` on, and holds it against what it shall mean. One stretch that does not read
    /// back spoils the body, whatever comes behind it. Both must be whole lines: a stretch is read without what stands
    /// around it.
    fn read_back(&mut self, start: usize, meant: &Range<usize>) {
        let written = &self.written.body[start..];
        self.written.reads_back &= self.input.is_meant(&TransferEncoding::QuotedPrintable, written, meant);
    }

    /// Writes what is still waiting, and returns the body.
    fn finish(mut self) -> WrittenBody {
        self.write_waiting();
        self.written
    }
}

/// Returns `true` if the text `new` of a line may be encoded in one go with those of its neighbours: the line, its soft
/// breaks and the new text all end in `end`, and no other CR or LF is in the text.
fn may_be_written_together(new: &[u8], line: &[u8], end: &[u8]) -> bool {
    let ends_so = ends_in_hard_break(line) && line_end_of(line) == end && LineEnd::of(line).as_bytes() == end;
    new.strip_suffix(end).is_some_and(|content| ends_so && memchr2(b'\r', b'\n', content).is_none())
}

/// Returns `true` if a line breaks a rule of quoted-printable, or of any line. It is asked where such lines are to be
/// repaired, so that what it takes for a fault must be gone once [`encode_line`] has written the line.
fn breaks_a_rule(line: &[u8]) -> bool {
    quoted_printable::decode(line).faults > 0 || longest_line(line) > LONGEST_LINE || lone_returns(line) > 0
}

/// Returns `true` if nothing stands in a line but its end.
fn is_empty(line: &[u8]) -> bool {
    line.iter().all(|octet| matches!(octet, b'\r' | b'\n'))
}

/// Returns `true` if a line ends in an equals sign and one hexadecimal digit. Its line end does not count.
fn ends_in_half_an_escape(line: &[u8]) -> bool {
    let content = line.strip_suffix(b"\n").unwrap_or(line);
    let content = content.strip_suffix(b"\r").unwrap_or(content);
    content.last().is_some_and(u8::is_ascii_hexdigit) && content.iter().nth_back(1) == Some(&b'=')
}

/// Writes the text `new` in quoted-printable in place of `line`; soft breaks end in `end`. The hard line break of the
/// line stays as it was; any other CR or LF was written as an octet, and is again.
fn encode_line(new: &[u8], line: &[u8], end: &[u8], out: &mut Vec<u8>) {
    let shown = if ends_in_hard_break(line) { line_end_of(line) } else { b"" };
    let content = new.strip_suffix(shown).unwrap_or(new);
    let is_ended = content.len() < new.len();
    // `encode_segment` takes each LF and CRLF for a line break, and writes it as `end`.
    let has_others = memchr(b'\n', content).is_some() || content.ends_with(b"\r");
    if has_others || (is_ended && shown != end) {
        encode_content(content, end, out);
        out.extend_from_slice(if is_ended { shown } else { b"" });
    } else {
        quoted_printable::encode_segment(new, 0, end, out);
    }
}

/// Writes octets of which no LF is a line end: each is written as `=0A`. Soft breaks keep the lines short, and end in
/// `end`; `encode_segment` is told at which column it goes on.
fn encode_content(content: &[u8], end: &[u8], out: &mut Vec<u8>) {
    let mut column = 0;
    for (index, piece) in content.split(|octet| *octet == b'\n').enumerate() {
        if index > 0 {
            let escape = b"=0A";
            if column + escape.len() >= LINE_LIMIT {
                out.extend_from_slice(&[b"=", end].concat());
                column = 0;
            }
            out.extend_from_slice(escape);
            column += escape.len();
        }
        column = quoted_printable::encode_segment(piece, column, end, out);
    }
}

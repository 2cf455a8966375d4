//! Reads the octets of DATA, or of the chunks of BDAT, as content.
//!
//! # One end, and no other
//!
//! SMTP smuggling lives on servers that differ in what ends a message: one takes `LF . LF` or `CR . CR` for content and
//! hands it on, the next takes it for the end, and what follows for commands. Here a message ends at `CRLF . CRLF`
//! alone, its first line counting as one behind a CRLF, and no CR or LF of a client's goes on by itself:
//!
//! | comes in | [`Reject`](LineEndPolicy::Reject) | [`Repair`](LineEndPolicy::Repair): goes on as content |
//! |---|---|---|
//! | `a CRLF . CRLF` | the end | the end |
//! | `a LF b`, `a CR b` | refused | `a CRLF b` |
//! | `a LF . LF b`, `a CR . CR b` | refused | `a CRLF . CRLF b` |
//! | `a LF . CRLF b`, `a CR . CRLF b` | refused | `a CRLF . CRLF b` |
//! | `a CRLF . LF b`, `a CRLF . CR b` | refused | `a CRLF . CRLF b` |
//! | `a CRLF . CR CRLF b` | refused | `a CRLF . CRLF CRLF b` |
//! | `a CRLF . b` | `a CRLF b` | `a CRLF b` |
//!
//! A content's line `.` is written `..` by [`DataWriter`](super::DataWriter). A client stuffs a dot only where it sees
//! a line start, behind CRLF, so a dot is taken off only there: behind a bare LF it is text.
//!
//! A message that is refused is read to its true end all the same, or the rest would be taken for commands.

use super::data_writer::clean_run;
use super::reply::Reply;

/// What becomes of a CR or LF that is not part of a CRLF.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum LineEndPolicy {
    /// The message is refused.
    #[default]
    Reject,
    /// It becomes CRLF.
    Repair,
}

/// Why a message can't be taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ContentFault {
    /// It has an LF that is not part of a CRLF.
    BareLf,
    /// It has a CR that is not part of a CRLF.
    BareCr,
    /// It is larger than the limit.
    Size,
    /// It came in too many chunks.
    Chunks,
}

/// Takes the dots out and finds the end, however the octets are cut.
#[derive(Debug, Clone)]
pub struct DataReader {
    policy: LineEndPolicy,
    /// The octets that the content may have.
    max_size: u64,
    /// Whether dots are stuffed and end the content: in DATA, not in BDAT.
    dots: bool,
    at: ReadPosition,
    /// The octets that were appended.
    size: u64,
    /// The octets of the line that is being read, without a stuffed dot.
    line: usize,
    longest_line: usize,
    has_nul: bool,
    fault: Option<ContentFault>,
}

/// Where the octets stand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ReadPosition {
    /// Behind CRLF, or at the start.
    LineStart,
    /// Behind a dot at a line's start.
    Dot,
    /// Behind a dot at a line's start, and a CR.
    DotCr,
    /// Within a line, or behind a bare CR or LF.
    Line,
    /// Behind a CR within a line.
    Cr,
    /// Behind the end.
    End,
}

impl ContentFault {
    /// Returns the reply to such a message.
    pub fn reply(self) -> Reply {
        match self {
            ContentFault::BareLf => Reply::with_status(550, "5.6.11", "bare <LF> in the message"),
            ContentFault::BareCr => Reply::with_status(550, "5.6.11", "bare <CR> in the message"),
            ContentFault::Size => Reply::with_status(552, "5.3.4", "message size exceeds the limit"),
            ContentFault::Chunks => Reply::with_status(552, "5.3.4", "too many chunks"),
        }
    }
}

impl DataReader {
    /// Starts a message that comes behind DATA; a limit of 0 is none.
    pub fn data(policy: LineEndPolicy, max_size: u64) -> DataReader {
        DataReader {
            policy,
            max_size: if max_size == 0 { u64::MAX } else { max_size },
            dots: true,
            at: ReadPosition::LineStart,
            size: 0,
            line: 0,
            longest_line: 0,
            has_nul: false,
            fault: None,
        }
    }

    /// Starts a message that comes in chunks, of which the caller knows the ends.
    pub fn chunks(policy: LineEndPolicy, max_size: u64) -> DataReader {
        DataReader { dots: false, ..DataReader::data(policy, max_size) }
    }

    /// Takes octets up to the end of the message, all of them in chunks, and appends content, with CRLF for line ends.
    /// A CR, and a dot where dots are stuffed, waits for the octet that tells what it is.
    ///
    /// Returns how many were taken. After a [fault](DataReader::fault) nothing is appended any more.
    pub fn read(&mut self, input: &[u8], out: &mut Vec<u8>) -> usize {
        out.reserve(input.len() + 8);
        let mut used = 0;
        while let Some(rest) = input.get(used..).filter(|rest| !rest.is_empty() && self.at != ReadPosition::End) {
            used += self.step(rest, out);
        }
        used
    }

    /// Ends a message that came in chunks; a CR at its end stands alone. One behind DATA ends by its dot, in `read`.
    pub fn finish(&mut self, out: &mut Vec<u8>) {
        if self.at == ReadPosition::Cr {
            self.bare(ContentFault::BareCr, out);
        }
        self.measure_line();
        self.at = ReadPosition::End;
    }

    /// Returns `true` if the end was read.
    pub fn is_over(&self) -> bool {
        self.at == ReadPosition::End
    }

    /// Returns why the message can't be taken, as far as it is known.
    pub fn fault(&self) -> Option<ContentFault> {
        self.fault
    }

    /// Says that the message can't be taken; the first reason stays.
    pub(super) fn refuse(&mut self, fault: ContentFault) {
        self.fault = self.fault.or(Some(fault));
    }

    /// Returns the octets of the content so far, up to a fault.
    pub fn size(&self) -> u64 {
        self.size
    }

    /// Returns the octets of the longest line, without its line end and a stuffed dot; those behind a fault count too.
    pub fn longest_line(&self) -> usize {
        self.longest_line.max(self.line)
    }

    /// Returns `true` if there was a NUL, be it behind a fault.
    pub fn has_nul(&self) -> bool {
        self.has_nul
    }

    /// Takes the next octet, or run of text, as the position has it; `rest` must not be empty. Returns how many octets
    /// were taken: 0 where only the position changed, and the same octet is to be looked at again.
    fn step(&mut self, rest: &[u8], out: &mut Vec<u8>) -> usize {
        let first = rest[0];
        let (at, used) = match (self.at, first) {
            (ReadPosition::LineStart, b'.') if self.dots => (ReadPosition::Dot, 1),
            (ReadPosition::LineStart, _) => (ReadPosition::Line, 0),
            (ReadPosition::Dot, b'\r') => (ReadPosition::DotCr, 1),
            (ReadPosition::Dot, b'\n') => {
                self.dot_then_bare(ContentFault::BareLf, out);
                (ReadPosition::Line, 1)
            }
            (ReadPosition::Dot, _) => (ReadPosition::Line, 0),
            (ReadPosition::DotCr, b'\n') => {
                self.measure_line();
                (ReadPosition::End, 1)
            }
            (ReadPosition::DotCr, _) => {
                self.dot_then_bare(ContentFault::BareCr, out);
                (ReadPosition::Line, 0)
            }
            (ReadPosition::Cr, b'\n') => {
                self.line_end(out);
                (ReadPosition::LineStart, 1)
            }
            (ReadPosition::Cr, _) => {
                self.bare(ContentFault::BareCr, out);
                (ReadPosition::Line, 0)
            }
            (ReadPosition::Line, _) => return self.run(rest, out),
            (ReadPosition::End, _) => (ReadPosition::End, 0),
        };
        self.at = at;
        used
    }

    /// Takes the text of a line that needs no closer look ([`clean_run`]), and the CR or LF behind it. Returns how many
    /// octets these are.
    fn run(&mut self, rest: &[u8], out: &mut Vec<u8>) -> usize {
        let end = clean_run(rest);
        self.put_lines(&rest[..end], out);
        match rest.get(end) {
            None => return end,
            Some(b'\r') => self.at = ReadPosition::Cr,
            Some(_) => self.bare(ContentFault::BareLf, out),
        }
        end + 1
    }

    /// Takes for text a dot that would have ended the message, had a CRLF followed it.
    fn dot_then_bare(&mut self, fault: ContentFault, out: &mut Vec<u8>) {
        self.put(b".", out);
        self.line += 1;
        self.bare(fault, out);
    }

    /// Takes a CR or LF that stands alone: as a line end, and as a fault where that is the policy.
    fn bare(&mut self, fault: ContentFault, out: &mut Vec<u8>) {
        if self.policy == LineEndPolicy::Reject {
            self.refuse(fault);
        }
        self.line_end(out);
    }

    /// Appends a line end.
    fn line_end(&mut self, out: &mut Vec<u8>) {
        self.put(b"\r\n", out);
        self.measure_line();
    }

    /// Measures the line that ends here, for the longest one.
    fn measure_line(&mut self) {
        self.longest_line = self.longest_line.max(self.line);
        self.line = 0;
    }

    /// Appends text whose line ends are all CRLF, and measures its lines. Both octets of a line end must be in it.
    fn put_lines(&mut self, text: &[u8], out: &mut Vec<u8>) {
        self.has_nul = self.has_nul || memchr::memchr(0, text).is_some();
        let mut start = 0;
        for line_feed in memchr::memchr_iter(b'\n', text) {
            self.line += line_feed - 1 - start;
            self.measure_line();
            start = line_feed + 1;
        }
        self.line += text.len() - start;
        self.put(text, out);
    }

    /// Appends what the limit leaves of a text; nothing after a fault.
    fn put(&mut self, text: &[u8], out: &mut Vec<u8>) {
        if self.fault.is_some() {
            return;
        }
        let room = usize::try_from(self.max_size - self.size).unwrap_or(usize::MAX);
        let kept = text.len().min(room);
        out.extend_from_slice(&text[..kept]);
        self.size += kept as u64;
        if kept < text.len() {
            self.refuse(ContentFault::Size);
        }
    }
}

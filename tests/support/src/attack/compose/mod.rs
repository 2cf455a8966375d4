//! Composes messages as an attacker would: MIME of every shape, with texts that try to break out of it.
//!
//! A text holds what is dangerous where it is raw (boundary lines of the multiparts around it, fields, NUL, CR and LF
//! alone, `From `, a dot), and is then hidden: in escapes, in a charset, in a transfer encoding. The labels that say so
//! are written in all the ways that readers part differently. Nothing here is random by itself: all comes from
//! [`Choices`], a seed's or a fuzzer's, so that one seed gives one message, always.

mod boundary;
mod charset;
mod choices;
mod field;
mod hinted;
mod label;
mod mixed;
mod named;
mod part;
mod quoted;
mod text;
mod transfer;
mod worded;

pub use choices::Choices;
pub use hinted::message as hinted_message;
pub use mixed::message as mixed_message;
pub use named::message as named_message;
pub use quoted::message as quoted_message;
pub use worded::message as worded_message;

/// A bare LF and a bare CR in a text, while its own line ends are not written yet.
const BARE_LF: char = '\u{E00A}';
const BARE_CR: char = '\u{E00D}';

/// What a part knows of the message around it.
struct Around {
    /// The line end of the message.
    end: &'static str,
    /// The boundaries of the multiparts around it, the outermost first.
    boundaries: Vec<String>,
}

impl Around {
    fn line(&self, out: &mut Vec<u8>, line: &str) {
        out.extend_from_slice(line.replace('\n', self.end).as_bytes());
        out.extend_from_slice(self.end.as_bytes());
    }
}

/// Composes one message.
pub fn message(choices: &mut Choices) -> Vec<u8> {
    let end = if choices.one_in(2) { "\r\n" } else { "\n" };
    let mut around = Around { end, boundaries: Vec::new() };
    let mut out = Vec::new();
    if choices.one_in(40) {
        out.extend_from_slice(b"\xEF\xBB\xBF");
    }
    field::message_fields(choices, &around, &mut out);
    part::part(choices, &mut around, 0, &mut out);
    field::address_fields(choices, &around, &mut out);
    out
}
